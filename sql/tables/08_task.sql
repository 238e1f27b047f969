-- What runs by itself. Which tasks there are and when they run unless somebody
-- has said otherwise is in extension/src/worker/task.rs; here is what was said,
-- how each fares, and its last runs.

-- By itself, as a dump brings the schedules along, but not how the tasks fared on
-- another server.
CREATE TABLE muninn.task_schedule (
  name       text PRIMARY KEY,
  every      interval,
  enabled    boolean NOT NULL DEFAULT true,
  changed_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  CHECK (every >= '1 second'::interval)
);
COMMENT ON TABLE muninn.task_schedule IS
  'Tasks that somebody has scheduled otherwise than by default (muninn_admin.schedule_task). every: NULL is the default.';

CREATE TABLE muninn.task (
  name              text PRIMARY KEY,
  last_started_at   timestamptz,
  last_finished_at  timestamptz,
  rows              bigint,
  error             text,
  runs              bigint NOT NULL DEFAULT 0,
  failures          bigint NOT NULL DEFAULT 0,
  failures_in_a_row integer NOT NULL DEFAULT 0,
  retry_at          timestamptz,
  unfinished        boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
COMMENT ON TABLE muninn.task IS
  'How each task fares: its last run with the rows that it handled and what went wrong, how many runs there were and how many failed. retry_at: a task that fails is not tried before. unfinished: its last run ended with its turn, and it goes on at the next look. Not part of a dump.';

CREATE TABLE muninn.task_run (
  name        text NOT NULL,
  started_at  timestamptz NOT NULL,
  process     integer NOT NULL,
  finished_at timestamptz NOT NULL,
  rows        bigint,
  error       text,
  ran_by      text NOT NULL,
  PRIMARY KEY (name, started_at, process)
);
COMMENT ON TABLE muninn.task_run IS
  'Runs of tasks that had something to do, had their time, or failed: of each task the last 100 within 7 days. process: of the server that ran it; ran_by: worker, or the role that called. Not part of a dump.';
