-- The tasks: when each is due, what became of its runs, and changing its schedule.

INSERT INTO muninn.task (name) SELECT t.name FROM muninn.known_tasks() t;

CREATE VIEW muninn.task_state AS
SELECT k.name, coalesce(s.every, k.every::interval) AS every, coalesce(s.enabled, true) AS enabled,
  t.last_started_at, t.last_finished_at, t.rows, t.error, coalesce(t.runs, 0::bigint) AS runs,
  coalesce(t.failures, 0::bigint) AS failures, coalesce(t.failures_in_a_row, 0) AS failures_in_a_row,
  -- NULL is the next look. A clock that was set back must not put a run off for years.
  CASE WHEN t.retry_at IS NOT NULL THEN CASE
         WHEN t.retry_at OPERATOR(pg_catalog.<=) (clock_timestamp() OPERATOR(pg_catalog.+) '1 hour'::interval) THEN t.retry_at END
       WHEN t.unfinished THEN NULL
       WHEN t.last_started_at OPERATOR(pg_catalog.<=) clock_timestamp()
         THEN t.last_started_at OPERATOR(pg_catalog.+) coalesce(s.every, k.every::interval) END AS next_run_at
FROM muninn.known_tasks() k
LEFT JOIN muninn.task_schedule s ON s.name OPERATOR(pg_catalog.=) k.name
LEFT JOIN muninn.task t ON t.name OPERATOR(pg_catalog.=) k.name;
COMMENT ON VIEW muninn.task_state IS
  'Each task with its schedule (every: NULL is whenever there is something to do) and how it fares; next_run_at: NULL is the next look of the worker.';

CREATE FUNCTION muninn.due_tasks(OUT name text, OUT scheduled boolean, OUT failing boolean) RETURNS SETOF record
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT s.name, s.every IS NOT NULL, s.failures_in_a_row OPERATOR(pg_catalog.>) 0 FROM muninn.task_state s
  WHERE s.enabled AND (s.next_run_at IS NULL OR s.next_run_at OPERATOR(pg_catalog.<=) clock_timestamp());
END;
COMMENT ON FUNCTION muninn.due_tasks() IS
  'The tasks that should run now; scheduled: by the clock, not whenever there is something to do; failing: the last run failed. For the worker. Example: SELECT * FROM muninn.due_tasks()';

CREATE FUNCTION muninn.begin_run(task text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO muninn.task (name) SELECT begin_run.task
  WHERE NOT EXISTS (SELECT FROM muninn.task t WHERE t.name = begin_run.task) ON CONFLICT DO NOTHING;
  UPDATE muninn.task t SET last_started_at = clock_timestamp(), unfinished = false
  FROM (SELECT f.name FROM muninn.task f WHERE f.name = begin_run.task FOR UPDATE SKIP LOCKED) free
  WHERE t.name = free.name;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION muninn.begin_run(text) IS
  'Notes that a run by the clock begins, so that one which brings the server down is not the first thing that happens after its start; false where somebody else is at it. For the worker. Example: SELECT muninn.begin_run(''review'')';

CREATE FUNCTION muninn.record_run(
  task text, began timestamptz, handled bigint, problem text, by_whom text
) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  ended timestamptz := greatest(clock_timestamp(), began);
  unit interval := greatest(current_setting('muninn.worker_interval')::interval, interval '1 second');
BEGIN
  INSERT INTO muninn.task_run (name, started_at, process, finished_at, rows, error, ran_by)
  VALUES (task, began, pg_backend_pid(), ended, handled, left(problem, 500), by_whom)
  ON CONFLICT ON CONSTRAINT task_run_pkey DO NOTHING;
  -- Whoever runs a task in a long transaction holds its row: nobody waits for that.
  -- A transaction that sees an older state could only fail here.
  IF current_setting('transaction_isolation') = 'read committed' THEN
    UPDATE muninn.task t SET
      last_started_at = began, last_finished_at = ended, rows = handled, error = left(problem, 500), runs = t.runs + 1,
      failures = t.failures + CASE WHEN problem IS NULL THEN 0 ELSE 1 END,
      failures_in_a_row = CASE WHEN problem IS NULL THEN 0 ELSE t.failures_in_a_row + 1 END,
      retry_at = CASE WHEN problem IS NOT NULL THEN ended + least(unit * power(2, least(t.failures_in_a_row, 20)),
        CASE WHEN s.every IS NULL THEN interval '5 minutes' ELSE interval '1 hour' END) END
    FROM (SELECT f.name FROM muninn.task f WHERE f.name = task FOR UPDATE SKIP LOCKED) free
    JOIN muninn.task_state s ON s.name = free.name
    WHERE t.name = free.name;
  END IF;
  DELETE FROM muninn.task_run r USING (
    SELECT o.name, o.started_at, o.process FROM muninn.task_run o
    WHERE o.name = task AND (o.started_at < ended - interval '7 days' OR o.started_at < (
      SELECT k.started_at FROM muninn.task_run k WHERE k.name = task ORDER BY k.started_at DESC OFFSET 99 LIMIT 1))
    FOR UPDATE SKIP LOCKED) old
  WHERE r.name = old.name AND r.started_at = old.started_at AND r.process = old.process;
END
$$;
COMMENT ON FUNCTION muninn.record_run(text, timestamptz, bigint, text, text) IS
  'Keeps what became of a run (problem: NULL if it went well), puts off the next one of a task that fails, later each time, up to five minutes, or an hour for what runs by the clock, and drops runs that are old. Part of the worker and of run_worker. Example: SELECT muninn.record_run(''review'', now(), 0, NULL, ''worker'')';

CREATE FUNCTION muninn.retry_tasks() RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  UPDATE muninn.task SET retry_at = NULL
  WHERE name OPERATOR(pg_catalog.=) ANY (ARRAY(
    SELECT f.name FROM muninn.task f WHERE f.retry_at IS NOT NULL FOR UPDATE SKIP LOCKED));
END;
COMMENT ON FUNCTION muninn.retry_tasks() IS
  'Lets tasks that fail be tried at once, as what was wrong may be right now. For the worker, when the configuration was read again. Example: SELECT muninn.retry_tasks()';

CREATE FUNCTION muninn.drop_expired() RETURNS bigint
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH codes AS (
    DELETE FROM muninn.link_code c WHERE c.expires_at OPERATOR(pg_catalog.<) clock_timestamp() RETURNING 1),
  runs AS (
    DELETE FROM muninn.task_run r
    WHERE r.started_at OPERATOR(pg_catalog.<) (clock_timestamp() OPERATOR(pg_catalog.-) '7 days'::interval) RETURNING 1)
  SELECT (SELECT count(*) FROM codes) OPERATOR(pg_catalog.+) (SELECT count(*) FROM runs);
END;
COMMENT ON FUNCTION muninn.drop_expired() IS
  'Drops what has had its time: codes by which identities could have been linked, and records of runs; returns how many. A task of the worker. Example: SELECT muninn.drop_expired()';

CREATE FUNCTION muninn_admin.tasks()
RETURNS TABLE (name text, every interval, enabled boolean, next_run_at timestamptz, last_started_at timestamptz,
  last_finished_at timestamptz, duration interval, rows bigint, error text, runs bigint, failures bigint)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT s.name, s.every, s.enabled, CASE WHEN s.enabled THEN s.next_run_at END, s.last_started_at, s.last_finished_at,
    CASE WHEN s.last_finished_at OPERATOR(pg_catalog.>=) s.last_started_at
         THEN s.last_finished_at OPERATOR(pg_catalog.-) s.last_started_at END,
    s.rows, s.error, s.runs, s.failures
  FROM muninn.task_state s ORDER BY s.name;
END;
COMMENT ON FUNCTION muninn_admin.tasks() IS
  'The tasks: how often each runs (every: NULL is whenever there is something to do), whether it does, when next (NULL: at the next look of the worker, or never if not enabled), and its last run: how long it took (NULL while it runs, or if it ended with the server), how many rows it handled and what went wrong. Only runs that did something, had their time or failed are counted. Example: SELECT * FROM muninn_admin.tasks()';

CREATE FUNCTION muninn_admin.task_runs(task text DEFAULT NULL, k integer DEFAULT 100)
RETURNS TABLE (name text, started_at timestamptz, finished_at timestamptz, rows bigint, error text, ran_by text, process integer)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM muninn_admin.known_task(task) WHERE task IS NOT NULL;
  RETURN QUERY SELECT r.name, r.started_at, r.finished_at, r.rows, r.error, r.ran_by, r.process
    FROM muninn.task_run r WHERE task IS NULL OR r.name = task
    ORDER BY r.started_at DESC, r.name LIMIT coalesce(k, 100);
END
$$;
COMMENT ON FUNCTION muninn_admin.task_runs(text, integer) IS
  'The last runs of a task, or of all, newest first: the last 100 of each within 7 days. Errors: 22023 unknown task. Example: SELECT * FROM muninn_admin.task_runs(''review'')';

CREATE FUNCTION muninn_admin.known_task(task text) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF task IS NULL THEN
    RAISE EXCEPTION 'no task is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'muninn_admin.tasks() lists the tasks.';
  ELSIF NOT EXISTS (SELECT FROM muninn.known_tasks() t WHERE t.name = task) THEN
    RAISE EXCEPTION '"%" is no task of the worker', left(task, 100) USING ERRCODE = 'invalid_parameter_value',
      HINT = format('There are %s.', (SELECT string_agg(t.name, ', ' ORDER BY t.name) FROM muninn.known_tasks() t));
  END IF;
  RETURN task;
END
$$;
COMMENT ON FUNCTION muninn_admin.known_task(text) IS
  'The name of a task, if there is one of that name. Errors: 22004, 22023. Example: SELECT muninn_admin.known_task(''review'')';

CREATE FUNCTION muninn_admin.schedule_task(name text, every interval DEFAULT NULL, enabled boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  task text := muninn_admin.known_task(name);
BEGIN
  IF every NOT BETWEEN interval '1 second' AND interval '1 year' THEN
    RAISE EXCEPTION 'a task cannot run every %', every USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Pass an interval from a second to a year, or NULL for the default; enabled => false stops the task.';
  ELSIF enabled IS NULL THEN
    RAISE EXCEPTION 'enabled must not be NULL' USING ERRCODE = 'null_value_not_allowed', HINT = 'Pass true or false.';
  END IF;
  IF every IS NULL AND enabled THEN
    DELETE FROM muninn.task_schedule s WHERE s.name = task;
  ELSE
    INSERT INTO muninn.task_schedule AS s (name, every, enabled)
    VALUES (task, schedule_task.every, schedule_task.enabled)
    ON CONFLICT ON CONSTRAINT task_schedule_pkey DO UPDATE SET
      every = excluded.every, enabled = excluded.enabled, changed_at = excluded.changed_at;
  END IF;
  PERFORM muninn.audit(0, NULL, 'schedule_task', NULL,
    jsonb_build_object('task', task, 'every', every::text, 'enabled', enabled));
END
$$;
COMMENT ON FUNCTION muninn_admin.schedule_task(text, interval, boolean) IS
  'Changes how often a task runs (a second to a year; NULL is the default, see muninn_admin.tasks()), or stops it, from the next look of the worker on, which comes every muninn.worker_interval: no task runs more often. Recorded in the audit chain. run_worker runs a stopped task, too. Errors: 22004, 22023 unknown task, or an interval out of bounds. Example: SELECT muninn_admin.schedule_task(''review'', ''1 hour'')';

CREATE FUNCTION muninn_admin.run_due_tasks() RETURNS TABLE (task text, rows bigint, error text)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  due record;
  began timestamptz;
BEGIN
  FOR due IN SELECT d.name FROM muninn.due_tasks() d ORDER BY d.name LOOP
    task := due.name;
    began := clock_timestamp();
    -- One that fails stops no other.
    BEGIN
      error := NULL;
      rows := muninn_admin.run_worker(due.name);
    EXCEPTION WHEN OTHERS THEN
      rows := NULL;
      error := SQLERRM;
      PERFORM muninn.record_run(due.name, began, NULL, SQLERRM, muninn.caller_name());
    END;
    RETURN NEXT;
  END LOOP;
END
$$;
COMMENT ON FUNCTION muninn_admin.run_due_tasks() IS
  'Runs all tasks that are due, as the worker would, for where none runs: a line of pg_cron is enough. Returns the rows that each handled, or what went wrong; one that fails stops no other. Example: SELECT * FROM muninn_admin.run_due_tasks()';
