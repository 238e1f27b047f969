-- How the memory is doing.

CREATE FUNCTION muninn.status() RETURNS TABLE (name text, value text, state text, advice text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  model text := muninn.model_problem();
  waiting bigint;
  oldest interval;
  failing bigint;
  worker boolean;
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
  -- The worker of a database holds this lock for as long as it lives.
  worker := EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.locktype = 'advisory'
      AND l.classid = 1836412526 AND l.objid = 1 AND l.objsubid = 7 AND l.granted);
  RETURN QUERY SELECT 'worker', CASE WHEN worker THEN 'running' ELSE 'not running' END,
    CASE WHEN worker THEN 'ok' ELSE 'warn' END,
    CASE WHEN NOT worker THEN 'Set shared_preload_libraries = ''muninn'' and restart, or call muninn_admin.run_worker(''embedding'') and (''index'') from time to time.' END;
  RETURN QUERY SELECT 'index backlog', count(DISTINCT (d.bot_id, d.audience_id))::text, 'ok', NULL
    FROM muninn.index_due d;
  RETURN QUERY SELECT 'embedding backlog',
    CASE WHEN waiting = 0 THEN '0' ELSE format('%s, oldest %s', waiting, date_trunc('second', oldest)) END,
    CASE WHEN failing = 0 THEN 'ok' ELSE 'warn' END,
    CASE WHEN failing > 0 THEN format('%s have failed and are tried again; see last_error in muninn.embedding_backlog.', failing) END;
END
$$;
COMMENT ON FUNCTION muninn.status() IS
  'What runs, what waits and what to do about it, a row a subject; state is ok or warn. No errors. Example: SELECT * FROM muninn.status()';
