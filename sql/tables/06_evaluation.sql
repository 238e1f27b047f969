-- Evaluation of the own retrieval: golden sets of questions, runs of them and
-- of public sets, and what each question of a run returned.

CREATE SEQUENCE muninn.golden_set_id;
CREATE TABLE muninn.golden_set (
  bot_id      bigint NOT NULL REFERENCES muninn.bot (id),
  id          bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.golden_set_id'),
  person_id   bigint NOT NULL REFERENCES muninn.person (id),
  name        text NOT NULL,
  description text,
  created_at  timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, id),
  UNIQUE (bot_id, person_id, name),
  CHECK (name <> '')
);
COMMENT ON TABLE muninn.golden_set IS
  'Questions of one person with the memories that answer them. They are asked in the scope of that person, and nobody else sees them.';

-- expected is no reference: a memory that the person may read no more leaves
-- the question as it was written, and a run skips it.
CREATE TABLE muninn.golden_question (
  bot_id     bigint NOT NULL,
  set_id     bigint NOT NULL,
  key        text NOT NULL,
  query      text NOT NULL,
  expected   bigint[] NOT NULL DEFAULT '{}',
  grades     integer[],
  category   text,
  negative   boolean NOT NULL DEFAULT false,
  note       text,
  made_from  bigint[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, set_id, key),
  FOREIGN KEY (bot_id, set_id) REFERENCES muninn.golden_set (bot_id, id) ON DELETE CASCADE,
  CHECK (negative = (pg_catalog.cardinality(expected) = 0)),
  CHECK (pg_catalog.cardinality(grades) = pg_catalog.cardinality(expected))
);
CREATE INDEX golden_question_source ON muninn.golden_question USING gin (made_from);
COMMENT ON TABLE muninn.golden_question IS
  'A question and the memories that answer it, with grades where they were given; negative: nothing answers it. key: a digest of the question. made_from: memories whose words it has; forgetting one erases it.';

CREATE SEQUENCE muninn.eval_run_id;
CREATE TABLE muninn.eval_run (
  bot_id      bigint NOT NULL REFERENCES muninn.bot (id),
  id          bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.eval_run_id'),
  person_id   bigint NOT NULL REFERENCES muninn.person (id),
  target      text NOT NULL,
  fusion      text NOT NULL,
  version     text NOT NULL,
  settings    jsonb NOT NULL DEFAULT '{}',
  queries     integer,
  metrics     jsonb,
  started_at  timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  finished_at timestamptz,
  PRIMARY KEY (bot_id, id)
);
COMMENT ON TABLE muninn.eval_run IS
  'One evaluation: who ran which set (golden:NAME, or a public one) with which fusion and settings, and the figures; metrics is NULL until it has finished.';

CREATE TABLE muninn.eval_result (
  bot_id         bigint NOT NULL,
  run_id         bigint NOT NULL,
  query_key      text NOT NULL,
  query          text NOT NULL,
  category       text,
  negative       boolean NOT NULL DEFAULT false,
  expected       text[] NOT NULL,
  returned       text[] NOT NULL,
  relevance      double precision,
  recall_5       double precision,
  recall_10      double precision,
  hit_5          double precision,
  hit_10         double precision,
  mrr            double precision,
  ndcg_10        double precision,
  ndcg_10_graded double precision,
  milliseconds   double precision NOT NULL,
  made_from      bigint[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (bot_id, run_id, query_key),
  FOREIGN KEY (bot_id, run_id) REFERENCES muninn.eval_run (bot_id, id) ON DELETE CASCADE,
  CHECK (negative = (recall_10 IS NULL))
);
CREATE INDEX eval_result_source ON muninn.eval_result USING gin (made_from);
COMMENT ON TABLE muninn.eval_result IS
  'What one question of a run returned, and its figures; a negative one has none. relevance: of the first result without any threshold, NULL where there was none. expected and returned: ids of memories, or keys of a public set''s documents. made_from: as in golden_question.';
