-- Evaluation of the own retrieval: runs and their per-query results.

CREATE SEQUENCE muninn.eval_run_id;
CREATE TABLE muninn.eval_run (
  id          bigint PRIMARY KEY DEFAULT pg_catalog.nextval('muninn.eval_run_id'),
  target      text NOT NULL,
  fusion      text NOT NULL,
  version     text NOT NULL,
  settings    jsonb NOT NULL DEFAULT '{}',
  queries     integer,
  metrics     jsonb,
  started_at  timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  finished_at timestamptz
);
COMMENT ON TABLE muninn.eval_run IS
  'One evaluation: which set, which fusion, which figures. metrics is NULL until it has finished.';

CREATE TABLE muninn.eval_result (
  run_id       bigint NOT NULL REFERENCES muninn.eval_run (id) ON DELETE CASCADE,
  query_key    text NOT NULL,
  query        text NOT NULL,
  category     text,
  expected     text[] NOT NULL,
  returned     text[] NOT NULL,
  recall_5     double precision NOT NULL,
  recall_10    double precision NOT NULL,
  hit_5        double precision NOT NULL,
  hit_10       double precision NOT NULL,
  mrr          double precision NOT NULL,
  ndcg_10      double precision NOT NULL,
  milliseconds double precision NOT NULL,
  PRIMARY KEY (run_id, query_key)
);
COMMENT ON TABLE muninn.eval_result IS 'What one question of a run returned, and its figures.';
