-- For operators: who may use a bot, looks across people (announced in the audit
-- chain), the chain itself, erasing persons and bots.

CREATE FUNCTION muninn_admin.grant_bot(bot text, role name) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  this_role oid := muninn_admin.known_role(role);
BEGIN
  INSERT INTO muninn.bot_grant (bot_id, cluster, role_oid, role_name, acts)
  VALUES (this_bot, muninn.cluster(), this_role, role, true)
  ON CONFLICT (bot_id, cluster, role_oid) DO UPDATE SET acts = true, role_name = excluded.role_name;
  PERFORM muninn.audit(this_bot, NULL, 'grant_bot', NULL, jsonb_build_object('role', role));
END
$$;
COMMENT ON FUNCTION muninn_admin.grant_bot(text, name) IS
  'Lets a role, and its members, act for every person of a bot, as a gateway does. Errors: 42704 unknown bot or role. Example: SELECT muninn_admin.grant_bot(''assistant'', ''muninn_gateway'')';

CREATE FUNCTION muninn_admin.grant_person(bot text, role name, person bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  this_role oid := muninn_admin.known_role(role);
  known bigint;
BEGIN
  PERFORM muninn.require_person(person);
  SELECT i.person_id INTO known FROM muninn.identity i
  WHERE i.provider = 'postgres' AND i.tenant = muninn.cluster() AND i.subject = this_role::text;
  IF known <> person THEN
    RAISE EXCEPTION 'role "%" is person % already', role, known USING ERRCODE = 'duplicate_object',
      HINT = 'A role is one person in all bots.';
  END IF;
  INSERT INTO muninn.identity (provider, tenant, subject, person_id, home_person_id)
  VALUES ('postgres', muninn.cluster(), this_role::text, person, person) ON CONFLICT DO NOTHING;
  INSERT INTO muninn.bot_grant (bot_id, cluster, role_oid, role_name, acts)
  VALUES (this_bot, muninn.cluster(), this_role, role, false) ON CONFLICT DO NOTHING;
  PERFORM muninn.audit(this_bot, person, 'grant_person', NULL, jsonb_build_object('role', role));
END
$$;
COMMENT ON FUNCTION muninn_admin.grant_person(text, name, bigint) IS
  'Lets a role be a person, and use a bot as that person alone; the role also needs GRANT muninn_user. Errors: 42704 unknown bot, role or person, 42710 the role is another person. Example: SELECT muninn_admin.grant_person(''assistant'', ''anna'', 1)';

CREATE FUNCTION muninn_admin.revoke_bot(bot text, role name) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  done boolean;
BEGIN
  DELETE FROM muninn.bot_grant g WHERE g.bot_id = this_bot AND g.cluster = muninn.cluster()
    AND g.role_oid = muninn_admin.known_role(role);
  done := FOUND;
  IF done THEN
    PERFORM muninn.audit(this_bot, NULL, 'revoke_bot', NULL, jsonb_build_object('role', role));
  END IF;
  RETURN done;
END
$$;
COMMENT ON FUNCTION muninn_admin.revoke_bot(text, name) IS
  'Ends what grant_bot or grant_person allowed a role with this bot; true if it was allowed. Errors: 42704. Example: SELECT muninn_admin.revoke_bot(''assistant'', ''muninn_gateway'')';

CREATE FUNCTION muninn_admin.known_role(role name) RETURNS oid
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  known oid;
BEGIN
  IF role IS NULL THEN
    RAISE EXCEPTION 'no role is named' USING ERRCODE = 'null_value_not_allowed', HINT = 'Pass the name of a database role.';
  END IF;
  SELECT r.oid INTO known FROM pg_roles r WHERE r.rolname = role;
  IF known IS NULL THEN
    RAISE EXCEPTION 'role "%" does not exist', role USING ERRCODE = 'undefined_object', HINT = 'Make it with CREATE ROLE.';
  END IF;
  RETURN known;
END
$$;
COMMENT ON FUNCTION muninn_admin.known_role(name) IS
  'Oid of a role. Errors: 42704. Example: SELECT muninn_admin.known_role(''muninn_gateway'')';

CREATE FUNCTION muninn_admin.appoint_reviewer(bot text, person bigint, reviews boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  PERFORM muninn.require_person(person);
  IF reviews THEN
    INSERT INTO muninn.reviewer (bot_id, person_id) VALUES (this_bot, person) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM muninn.reviewer r WHERE r.bot_id = this_bot AND r.person_id = person;
  END IF;
  IF FOUND THEN
    PERFORM muninn.audit(this_bot, person, CASE WHEN reviews THEN 'appoint_reviewer' ELSE 'dismiss_reviewer' END);
  END IF;
END
$$;
COMMENT ON FUNCTION muninn_admin.appoint_reviewer(text, bigint, boolean) IS
  'Lets a person decide about what is shared by a bot, as far as the person may read it; or no more. Errors: 42704. Example: SELECT muninn_admin.appoint_reviewer(''assistant'', 1)';

CREATE FUNCTION muninn_admin.memories(bot text, person bigint, reason text, k integer DEFAULT 50, before bigint DEFAULT NULL)
RETURNS SETOF muninn.memory_detail
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  IF muninn.check_reason(reason) IS NULL THEN
    RAISE EXCEPTION 'a look at what a person remembers needs a reason' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'It is kept in the audit chain.';
  END IF;
  IF k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k is %, but must be from 1 to 1000', k
      USING ERRCODE = 'invalid_parameter_value', HINT = 'For more, page on with before => the last memory_id.';
  END IF;
  PERFORM muninn.require_person(person);
  PERFORM muninn.audit(this_bot, person, 'operator_look', NULL, jsonb_build_object('reason', muninn.check_reason(reason)));
  RETURN QUERY SELECT t.* FROM muninn.memory_detail d CROSS JOIN LATERAL muninn.as_known(d, NULL, person) t
    WHERE d.bot_id = this_bot AND d.audience_id = ANY (muninn.audiences(this_bot, person))
      AND (before IS NULL OR d.memory_id < before)
    ORDER BY d.memory_id DESC LIMIT coalesce(k, 50);
END
$$;
COMMENT ON FUNCTION muninn_admin.memories(text, bigint, text, integer, bigint) IS
  'What a person of a bot may read, in any state, newest first, for an operator: the look and its reason go to the audit chain. Errors: 22004 no reason, 22023, 42704. Example: SELECT memory_id FROM muninn_admin.memories(''assistant'', 1, ''ticket 12'')';

-- A chain outlives its bot, whose name the last event of its life keeps.
CREATE FUNCTION muninn_admin.audit_chains() RETURNS TABLE (bot_id bigint, bot text, events bigint, waiting bigint)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH waiting AS (SELECT p.bot_id, count(*) AS events FROM muninn.audit_pending p GROUP BY p.bot_id)
  SELECT c.bot_id, coalesce(b.name, (
      SELECT e.details OPERATOR(pg_catalog.->>) 'name' FROM muninn.audit_event e
      WHERE e.bot_id OPERATOR(pg_catalog.=) c.bot_id AND e.action OPERATOR(pg_catalog.=) 'delete_bot' ORDER BY e.seq DESC LIMIT 1), (
      SELECT p.details OPERATOR(pg_catalog.->>) 'name' FROM muninn.audit_pending p
      WHERE p.bot_id OPERATOR(pg_catalog.=) c.bot_id AND p.action OPERATOR(pg_catalog.=) 'delete_bot' LIMIT 1)),
    coalesce(h.seq, 0::bigint), coalesce(w.events, 0::bigint)
  FROM (SELECT h.bot_id FROM muninn.audit_head h UNION SELECT w.bot_id FROM waiting w) c
  LEFT JOIN muninn.audit_head h ON h.bot_id OPERATOR(pg_catalog.=) c.bot_id
  LEFT JOIN waiting w ON w.bot_id OPERATOR(pg_catalog.=) c.bot_id
  LEFT JOIN muninn.bot b ON b.id OPERATOR(pg_catalog.=) c.bot_id
  ORDER BY c.bot_id;
END;
COMMENT ON FUNCTION muninn_admin.audit_chains() IS
  'The audit chains: a bot''s each (bot_id 0: of no single one), how many events each has, and how many wait to be sealed. Example: SELECT * FROM muninn_admin.audit_chains()';

CREATE FUNCTION muninn_admin.named_chains(bot text) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- The bot itself, too, as somebody may have taken the head of its chain away.
  RETURN QUERY SELECT b.id FROM muninn.bot b WHERE b.name = named_chains.bot
    UNION SELECT c.bot_id FROM muninn_admin.audit_chains() c
    WHERE named_chains.bot IS NULL OR c.bot = named_chains.bot ORDER BY 1;
  IF NOT FOUND AND bot IS NOT NULL THEN
    PERFORM muninn.require_bot(bot);
  END IF;
END
$$;
COMMENT ON FUNCTION muninn_admin.named_chains(text) IS
  'The audit chains of bots of this name, also deleted ones; of all for NULL. Errors: 42704 there was never such a bot. Example: SELECT muninn_admin.named_chains(''assistant'')';

CREATE FUNCTION muninn_admin.verify_audit(bot text DEFAULT NULL)
RETURNS TABLE (bot_id bigint, events bigint, first_bad bigint, problem text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  checked bigint;
  head record;
BEGIN
  FOR checked IN
    SELECT n.id FROM muninn_admin.named_chains(verify_audit.bot) AS n (id)
    -- Also one whose head was taken away.
    UNION SELECT e.bot_id FROM muninn.audit_event e WHERE verify_audit.bot IS NULL
    ORDER BY 1
  LOOP
    SELECT h.seq, h.hash INTO head FROM muninn.audit_head h WHERE h.bot_id = checked;
    RETURN QUERY
      WITH linked AS (
        SELECT e.seq, e.hash, row_number() OVER w AS place,
          sha256(coalesce(lag(e.hash) OVER w, ''::bytea) || muninn.audit_form(e.bot_id, e.seq, e.id, e.at,
            e.person_id, e.role, e.action, e.memory_id, e.details)) AS right_hash
        FROM muninn.audit_event e WHERE e.bot_id = checked WINDOW w AS (ORDER BY e.seq)),
      bad AS (
        SELECT l.seq, CASE WHEN l.seq <> l.place THEN 'an event before this one is missing'
          ELSE 'this event, or the one before, is not what was written' END AS problem
        FROM linked l WHERE l.seq <> l.place OR l.hash <> l.right_hash ORDER BY l.seq LIMIT 1),
      counted AS (SELECT count(*) AS events, max(l.seq) AS last FROM linked l)
      SELECT checked, c.events,
        CASE WHEN b.seq IS NOT NULL THEN b.seq
             WHEN head.seq IS DISTINCT FROM coalesce(c.last, 0) THEN least(head.seq, coalesce(c.last, 0)) + 1
             WHEN c.events > 0 AND head.hash IS DISTINCT FROM (SELECT l.hash FROM linked l WHERE l.seq = c.last) THEN c.last END,
        CASE WHEN b.seq IS NOT NULL THEN b.problem
             WHEN head.seq IS DISTINCT FROM coalesce(c.last, 0) THEN 'the end of the chain is not where its head says'
             WHEN c.events > 0 AND head.hash IS DISTINCT FROM (SELECT l.hash FROM linked l WHERE l.seq = c.last)
               THEN 'the last event is not the one that the head says' END
      FROM counted c LEFT JOIN bad b ON true;
  END LOOP;
END
$$;
COMMENT ON FUNCTION muninn_admin.verify_audit(text) IS
  'Checks the audit chain of a bot (by its name, also of a deleted one), or all: how many events it has, and of a broken one the first bad event and what is wrong; NULL and NULL if it is whole. Errors: 42704. Example: SELECT * FROM muninn_admin.verify_audit(''assistant'')';

CREATE FUNCTION muninn_admin.export_audit(bot text DEFAULT NULL, after bigint DEFAULT 0, k integer DEFAULT 10000)
RETURNS SETOF text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  chains CONSTANT bigint[] := ARRAY(SELECT muninn_admin.named_chains(bot));
BEGIN
  IF after > 0 AND cardinality(chains) > 1 THEN
    RAISE EXCEPTION 'after is a place in one chain, but there are %', cardinality(chains)
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Name a bot, or pass k => NULL for all events of all.';
  END IF;
  RETURN QUERY SELECT (json_build_object('bot_id', e.bot_id, 'seq', e.seq, 'id', e.id,
      'microseconds', (EXTRACT(epoch FROM e.at) * 1000000)::bigint,
      'at', e.at, 'person_id', e.person_id, 'role', e.role, 'action', e.action, 'memory_id', e.memory_id,
      'details', e.details, 'hash', encode(e.hash, 'hex')))::text
    FROM muninn.audit_event e
    WHERE e.bot_id = ANY (chains) AND e.seq > coalesce(export_audit.after, 0)
    ORDER BY e.bot_id, e.seq LIMIT k;
END
$$;
COMMENT ON FUNCTION muninn_admin.export_audit(text, bigint, integer) IS
  'The sealed events of a bot''s audit chain (by its name, also of a deleted one), or of all, a JSON object a line, in order; after: the seq of the last line before; k: at most so many, NULL for all. muninn.audit_form says what was hashed. Errors: 22023 after without a bot, 42704. Example: SELECT * FROM muninn_admin.export_audit(''assistant'')';

CREATE FUNCTION muninn_admin.reindex(bot text, audience bigint DEFAULT NULL)
RETURNS TABLE (audience_id bigint, memories bigint)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  IF audience IS NOT NULL AND NOT EXISTS (SELECT FROM muninn.audience a WHERE a.bot_id = this_bot AND a.id = reindex.audience) THEN
    RAISE EXCEPTION 'bot "%" has no audience %', bot, audience USING ERRCODE = 'undefined_object',
      HINT = 'Leave it out for all audiences of the bot.';
  END IF;
  FOR audience_id IN
    SELECT a.id FROM muninn.audience a
    WHERE a.bot_id = this_bot AND (reindex.audience IS NULL OR a.id = reindex.audience) ORDER BY a.id
  LOOP
    memories := muninn.rebuild_index(this_bot, audience_id);
    PERFORM muninn.audit(this_bot, NULL, 'reindex', NULL,
      jsonb_build_object('audience', audience_id, 'memories', memories));
    RETURN NEXT;
  END LOOP;
END
$$;
COMMENT ON FUNCTION muninn_admin.reindex(text, bigint) IS
  'Builds the index of an audience of a bot, or of all of them, anew from the memories and their vectors: what to do about an index that is damaged (XX002). Meanwhile recall and remember go on, forget waits. Returns each audience, and how many memories are found by words. Errors: 42704 unknown bot or audience. Example: SELECT * FROM muninn_admin.reindex(''assistant'')';

CREATE FUNCTION muninn_admin.delete_person(person bigint, authored text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  used record;
  persons bigint[] := muninn.same_persons(person);
  one bigint;
  erased bigint;
BEGIN
  PERFORM muninn.require_person(person);
  PERFORM muninn.check_disposal(authored, (SELECT count(*) FROM muninn.memory m
    JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
    WHERE m.author_id = person AND a.kind <> 'personal'));
  -- Not by forget_person, which asks whether the caller may act in the bot.
  FOR used IN SELECT b.id FROM muninn.bot b ORDER BY b.id LOOP
    PERFORM muninn.hold_persons(used.id, persons);
    erased := 0;
    FOREACH one IN ARRAY persons LOOP
      erased := erased + muninn.erase_person(used.id, one, authored);
    END LOOP;
    PERFORM muninn.audit(used.id, person, 'forget_person', NULL, jsonb_build_object('memories', erased));
  END LOOP;
  DELETE FROM muninn.identity i WHERE i.home_person_id = person OR i.person_id = person;
  DELETE FROM muninn.link_code c WHERE c.person_id = person;
  DELETE FROM muninn.web_session s WHERE s.person_id = ANY (persons);
  DELETE FROM muninn.sign_in_link l WHERE l.person_id = ANY (persons);
  UPDATE muninn.person p SET name = NULL WHERE p.id = ANY (persons);
  RETURN muninn.audit(0, person, 'delete_person');
END
$$;
COMMENT ON FUNCTION muninn_admin.delete_person(bigint, text) IS
  'Erases a person: what every bot knows of the person (see muninn.forget_person), all identities and the name; the bare id stays where others'' memories and the audit chain refer to it. Returns the audit event. Errors: 22004 authored is not said, 22023, 42704. Example: SELECT muninn_admin.delete_person(1, authored => ''forget'')';

CREATE FUNCTION muninn_admin.delete_bot(bot text, confirm text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  erased bigint;
  emptied text;
BEGIN
  IF confirm IS DISTINCT FROM bot THEN
    RAISE EXCEPTION 'deleting a bot erases all that it knows' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Repeat its name: muninn_admin.delete_bot(bot, confirm => bot).';
  END IF;
  PERFORM FROM muninn.bot b WHERE b.id = this_bot FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bot "%" was deleted by somebody else', bot USING ERRCODE = 'serialization_failure',
      HINT = 'There is nothing left to do.';
  END IF;
  -- Whoever is remembering holds an audience: what they store is there before the
  -- rest is looked for, and who comes later is told by remember.
  PERFORM FROM muninn.audience a WHERE a.bot_id = this_bot ORDER BY a.id FOR UPDATE;
  PERFORM FROM muninn.thread t WHERE t.bot_id = this_bot ORDER BY t.id FOR UPDATE;
  SELECT count(*) INTO erased FROM muninn.memory m WHERE m.bot_id = this_bot;
  -- Everything that leads with the bot, but for its chain; what refers to others first.
  -- Jobs before everything: who works on one holds it, and adds nothing once it is gone.
  FOREACH emptied IN ARRAY ARRAY['job', 'embedding_backlog', 'fresh_document', 'posting_page', 'posting_segment',
    'index_due', 'contradiction_due', 'contradiction', 'near_duplicate', 'fresh_sketch', 'sketch_centroids', 'sketch_block', 'sketch_segment',
    'passage_embedding', 'passage', 'embedding', 'activation', 'association', 'confidence_due', 'recall_count',
    'activation_count', 'evidence', 'memory_belief', 'memory_key', 'share_proposal', 'eval_result',
    'eval_run', 'golden_question', 'golden_set', 'tombstone', 'turn_memory', 'turn_delta', 'request',
    'delivery', 'model_call', 'turn', 'memory', 'message', 'thread', 'membership', 'api_token', 'reviewer',
    'bot_grant', 'audience'] LOOP
    EXECUTE format('DELETE FROM muninn.%I WHERE bot_id = $1', emptied) USING this_bot;
  END LOOP;
  DELETE FROM muninn.bot b WHERE b.id = this_bot;
  RETURN muninn.audit(this_bot, NULL, 'delete_bot', NULL, jsonb_build_object('name', bot, 'memories', erased));
END
$$;
COMMENT ON FUNCTION muninn_admin.delete_bot(text, text) IS
  'Erases a bot with all that it knows; its audit chain stays. confirm: its name again. Returns the audit event. Errors: 22023 not confirmed, 42704. Example: SELECT muninn_admin.delete_bot(''assistant'', confirm => ''assistant'')';
