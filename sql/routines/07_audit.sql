-- The audit chain: what was done, by whom, with which memory, never its content.

CREATE FUNCTION muninn.audit(
  bot_id bigint, person bigint, action text, memory bigint DEFAULT NULL, details jsonb DEFAULT NULL
) RETURNS bigint
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  INSERT INTO muninn.audit_pending (bot_id, person_id, role, action, memory_id, details)
  VALUES (audit.bot_id, audit.person, muninn.caller_name(), audit.action, audit.memory, audit.details)
  RETURNING id;
END;
COMMENT ON FUNCTION muninn.audit(bigint, bigint, text, bigint, jsonb) IS
  'Records an event of a bot (0: of no single one) and returns its id. What it holds is never erased: a reason is kept as the caller wrote it. Part of every verb. Example: SELECT muninn.audit(1, 1, ''look'')';

CREATE FUNCTION muninn.audit_form(
  bot_id bigint, seq bigint, id bigint, at timestamptz, person_id bigint, role text, action text,
  memory_id bigint, details jsonb
) RETURNS bytea
LANGUAGE sql STABLE
RETURN pg_catalog.convert_to(pg_catalog.jsonb_build_array('muninn.audit.1', bot_id, seq, id,
  (EXTRACT(epoch FROM at) OPERATOR(pg_catalog.*) 1000000::numeric)::bigint, person_id, role, action, memory_id, details)::text, 'UTF8');
COMMENT ON FUNCTION muninn.audit_form(bigint, bigint, bigint, timestamptz, bigint, text, text, bigint, jsonb) IS
  'The bytes of an event that are hashed: a JSON array of the version of this form, bot, place in the chain, id, time in microseconds since 1970, person, role, action, memory and details, as Postgres writes jsonb, in UTF-8. Example: SELECT muninn.audit_form(1, 1, 1, now(), 1, ''app'', ''look'', NULL, NULL)';

CREATE FUNCTION muninn.seal_audit(bot_id bigint) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  head record;
  event record;
  ids bigint[] := '{}';
  sealed bigint := 0;
BEGIN
  INSERT INTO muninn.audit_head (bot_id, seq, hash)
  SELECT seal_audit.bot_id, 0, ''::bytea
  WHERE NOT EXISTS (SELECT FROM muninn.audit_head h WHERE h.bot_id = seal_audit.bot_id)
  ON CONFLICT DO NOTHING;
  -- Who is sealing already does this, too, or the next one will.
  SELECT h.seq, h.hash INTO head FROM muninn.audit_head h
  WHERE h.bot_id = seal_audit.bot_id FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  FOR event IN
    SELECT * FROM muninn.audit_pending p WHERE p.bot_id = seal_audit.bot_id ORDER BY p.id LIMIT 10000
  LOOP
    head.seq := head.seq + 1;
    head.hash := sha256(head.hash || muninn.audit_form(event.bot_id, head.seq, event.id, event.at,
      event.person_id, event.role, event.action, event.memory_id, event.details));
    INSERT INTO muninn.audit_event (bot_id, seq, id, at, person_id, role, action, memory_id, details, hash)
    VALUES (event.bot_id, head.seq, event.id, event.at, event.person_id, event.role, event.action,
      event.memory_id, event.details, head.hash);
    ids := ids || event.id;
    sealed := sealed + 1;
  END LOOP;
  IF sealed > 0 THEN
    DELETE FROM muninn.audit_pending p WHERE p.bot_id = seal_audit.bot_id AND p.id = ANY (ids);
    UPDATE muninn.audit_head h SET seq = head.seq, hash = head.hash WHERE h.bot_id = seal_audit.bot_id;
  END IF;
  RETURN sealed;
END
$$;
COMMENT ON FUNCTION muninn.seal_audit(bigint) IS
  'Links the events of a bot that wait to its chain, at most 10,000, and returns how many; 0 where somebody else is at it. Example: SELECT muninn.seal_audit(1)';

CREATE FUNCTION muninn.seal_all_audit() RETURNS bigint
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT coalesce(sum(muninn.seal_audit(b.bot_id)), 0)::bigint
  FROM (SELECT DISTINCT p.bot_id FROM muninn.audit_pending p) b;
END;
COMMENT ON FUNCTION muninn.seal_all_audit() IS
  'Links the events of all bots that wait to their chains; returns how many. A task of the worker. Example: SELECT muninn.seal_all_audit()';

CREATE FUNCTION muninn.guard_audit() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION 'the audit chain is only ever added to: % on muninn.% is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege',
    HINT = 'Events have no content of memories, so nothing has to be erased from them.';
END
$$;
COMMENT ON FUNCTION muninn.guard_audit() IS
  'Refuses to change or delete audit events, also for the owner. Example: SELECT ''muninn.guard_audit''::regproc';

CREATE FUNCTION muninn.guard_pending_audit() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM gone g WHERE NOT EXISTS (
               SELECT FROM muninn.audit_event e WHERE e.bot_id = g.bot_id AND e.id = g.id)) THEN
    RAISE EXCEPTION 'an audit event can only be taken away from muninn.% when it is sealed', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', HINT = 'muninn.seal_audit(bot_id) seals what waits.';
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION muninn.guard_pending_audit() IS
  'Refuses to delete audit events that are not sealed, also for the owner. Example: SELECT ''muninn.guard_pending_audit''::regproc';

CREATE TRIGGER guard BEFORE UPDATE OR DELETE OR TRUNCATE ON muninn.audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION muninn.guard_audit();
CREATE TRIGGER guard BEFORE UPDATE OR TRUNCATE ON muninn.audit_pending
  FOR EACH STATEMENT EXECUTE FUNCTION muninn.guard_audit();
CREATE TRIGGER sealed AFTER DELETE ON muninn.audit_pending REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION muninn.guard_pending_audit();
CREATE TRIGGER guard BEFORE DELETE OR TRUNCATE ON muninn.audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION muninn.guard_audit();

CREATE FUNCTION muninn.receipt(bot text, person bigint, receipt bigint,
  OUT action text, OUT at timestamptz, OUT details jsonb, OUT seq bigint, OUT hash text, OUT confirmed boolean)
RETURNS SETOF record
LANGUAGE plpgsql ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  -- Where nothing can be written, what waits is shown as it is.
  IF current_setting('transaction_read_only') = 'off' THEN
    PERFORM muninn.seal_audit(scope.bot_id);
  END IF;
  RETURN QUERY
    SELECT e.action, e.at, e.details, e.seq, encode(e.hash, 'hex'),
      e.hash = sha256(coalesce((SELECT b.hash FROM muninn.audit_event b
                                WHERE b.bot_id = e.bot_id AND b.seq = e.seq - 1), ''::bytea)
        || muninn.audit_form(e.bot_id, e.seq, e.id, e.at, e.person_id, e.role, e.action, e.memory_id, e.details))
    FROM muninn.audit_event e
    WHERE e.bot_id = scope.bot_id AND e.id = receipt AND e.person_id = person
    UNION ALL
    SELECT p.action, p.at, p.details, NULL, NULL, false FROM muninn.audit_pending p
    WHERE p.bot_id = scope.bot_id AND p.id = receipt AND p.person_id = person;
END
$$;
COMMENT ON FUNCTION muninn.receipt(text, bigint, bigint) IS
  'What a receipt of this person stands for, as forget returns one: what was done, when, and its place and hash in the audit chain, where confirmed says that the hash is right; not yet sealed: NULL and false. No row: no such receipt. Errors: 42501, 42704. Example: SELECT * FROM muninn.receipt(''assistant'', 1, 42)';
