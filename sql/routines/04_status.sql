-- How the memory is doing.

-- The worker of a database, the launcher, and whoever waits for a slot hold locks
-- for as long as that is so: see extension/src/pg/lock.rs.
CREATE FUNCTION muninn.worker_state(OUT value text, OUT state text, OUT advice text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  marks bigint[];
  by_hand CONSTANT text := 'muninn_admin.run_due_tasks()';
BEGIN
  SELECT array_agg(l.objid::bigint) INTO marks FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.classid = 1836412526 AND l.objsubid = 7 AND l.granted
    AND l.database IN (0, (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()));
  state := 'ok';
  IF pg_is_in_recovery() THEN
    value := 'not on a standby';
  ELSIF 1 = ANY (marks) THEN
    value := 'running';
  ELSIF 4 = ANY (marks) THEN
    value := 'waiting for a slot';
    state := 'warn';
    advice := format('All worker processes of the server (max_worker_processes = %s) are in use: raise it and restart, or end what uses them. Until one is free, call %s.',
      current_setting('max_worker_processes'), by_hand);
  ELSIF 3 = ANY (marks) THEN
    value := 'not running';
    state := 'warn';
    advice := 'The launcher starts it within a minute; if not, the server''s log says why. A template database has none.';
  ELSE
    value := 'not running';
    state := 'warn';
    advice := format('Set shared_preload_libraries = ''muninn'' and restart, or call %s from time to time, by hand or by pg_cron: SELECT cron.schedule(''muninn'', ''* * * * *'', ''SELECT %s''). Each task can be called by itself, too: muninn_admin.run_worker(%s).',
      by_hand, by_hand, (SELECT string_agg(quote_literal(t.name), ', or ' ORDER BY t.name) FROM muninn.known_tasks() t));
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.worker_state() IS
  'Whether the worker of this database runs, and what to do if not. Part of status. No errors. Example: SELECT * FROM muninn.worker_state()';

CREATE FUNCTION muninn.status() RETURNS TABLE (name text, value text, state text, advice text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  model text := muninn.model_problem();
  waiting bigint;
  oldest interval;
  failing bigint;
  tasks bigint;
  broken text;
  stopped text;
BEGIN
  RETURN QUERY SELECT 'version', muninn.library_version(),
    CASE WHEN e.extversion = muninn.library_version() THEN 'ok' ELSE 'warn' END,
    CASE WHEN e.extversion <> muninn.library_version()
      THEN format('The schema is of version %s: run ALTER EXTENSION muninn UPDATE.', e.extversion) END
    FROM pg_extension e WHERE e.extname = 'muninn';
  RETURN QUERY SELECT 'embedding model', m.name, CASE WHEN model IS NULL THEN 'ok' ELSE 'warn' END, model
    FROM muninn.embedding_model m WHERE m.id = muninn.active_model();
  SELECT count(*), now() - min(b.queued_at), count(*) FILTER (WHERE b.last_error IS NOT NULL OR b.attempts > 1)
    INTO waiting, oldest, failing FROM muninn.embedding_backlog b;
  RETURN QUERY SELECT 'worker', w.value, w.state, w.advice FROM muninn.worker_state() w;
  SELECT count(*), string_agg(t.name, ', ' ORDER BY t.name) FILTER (WHERE t.failures_in_a_row > 0),
    string_agg(t.name, ', ' ORDER BY t.name) FILTER (WHERE NOT t.enabled) INTO tasks, broken, stopped
  FROM muninn.task_state t;
  RETURN QUERY SELECT 'tasks',
    tasks || coalesce(', failing: ' || broken, '') || coalesce(', stopped: ' || stopped, ''),
    CASE WHEN broken IS NULL THEN 'ok' ELSE 'warn' END,
    CASE WHEN broken IS NOT NULL THEN 'They are tried again; muninn_admin.tasks() says what went wrong.' END;
  RETURN QUERY SELECT 'index backlog', count(DISTINCT (d.bot_id, d.audience_id))::text, 'ok', NULL
    FROM muninn.index_due d;
  RETURN QUERY SELECT 'embedding backlog',
    CASE WHEN waiting = 0 THEN '0' ELSE format('%s, oldest %s', waiting, date_trunc('second', oldest)) END,
    CASE WHEN failing = 0 THEN 'ok' ELSE 'warn' END,
    CASE WHEN failing > 0 THEN format('%s have failed and are tried again; see last_error in muninn.embedding_backlog.', failing) END;
  -- Counted by status, as what was delivered stays.
  RETURN QUERY SELECT w.name,
    coalesce(nullif(concat_ws(', ', nullif(w.waiting, 0) || ' waiting', nullif(w.dead, 0) || ' given up'), ''), '0'),
    CASE WHEN w.dead > 0 OR w.late > interval '5 minutes' THEN 'warn' ELSE 'ok' END,
    nullif(concat_ws(' ',
      CASE WHEN w.late > interval '5 minutes' THEN
        format('The oldest is due for %s: does a gateway run (muninn serve)?', date_trunc('second', w.late)) END,
      CASE WHEN w.dead > 0 THEN
        'muninn_admin.dead_letters(bot) says why; muninn_admin.retry_letters(bot) has them tried again.' END), '')
  FROM (
    SELECT 'jobs', (SELECT count(*) FROM muninn.job j WHERE j.status = 'waiting'),
      (SELECT count(*) FROM muninn.job j WHERE j.status = 'dead'),
      now() - (SELECT min(j.due_at) FROM muninn.job j WHERE j.status = 'waiting')
    UNION ALL
    SELECT 'deliveries', (SELECT count(*) FROM muninn.delivery d WHERE d.status = 'waiting'),
      (SELECT count(*) FROM muninn.delivery d WHERE d.status = 'dead'),
      now() - (SELECT min(d.due_at) FROM muninn.delivery d WHERE d.status = 'waiting')) w (name, waiting, dead, late);
END
$$;
COMMENT ON FUNCTION muninn.status() IS
  'What runs, what waits and what to do about it, a row a subject; state is ok or warn. No errors. Example: SELECT * FROM muninn.status()';
