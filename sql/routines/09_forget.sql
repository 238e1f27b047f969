-- Forgetting: everything of a memory goes in one transaction. What stays is a
-- keyed hash, so that it is not learned again, and an event without content.

CREATE FUNCTION muninn.tombstone_digest(content text) RETURNS bytea
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  secret bytea;
BEGIN
  SELECT k.key INTO secret FROM muninn.tombstone_key k;
  IF NOT FOUND THEN
    INSERT INTO muninn.tombstone_key (key)
    VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
    ON CONFLICT DO NOTHING;
    SELECT k.key INTO STRICT secret FROM muninn.tombstone_key k;
  END IF;
  RETURN muninn.keyed_hash(secret, muninn.normalised(content));
END
$$;
COMMENT ON FUNCTION muninn.tombstone_digest(text) IS
  'What is kept of a forgotten statement: HMAC-SHA-256 of its normal form under this installation''s key, which is made at first use. Example: SELECT muninn.tombstone_digest(''x'')';

CREATE FUNCTION muninn.is_forgotten(bot_id bigint, audience_id bigint, content text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  buried bytea;
BEGIN
  -- Most audiences have none, and are spared the hash.
  IF NOT EXISTS (SELECT FROM muninn.tombstone t
                 WHERE t.bot_id = is_forgotten.bot_id AND t.audience_id = is_forgotten.audience_id) THEN
    RETURN false;
  END IF;
  -- Once, not for each tombstone.
  buried := muninn.tombstone_digest(content);
  RETURN EXISTS (SELECT FROM muninn.tombstone t
                 WHERE t.bot_id = is_forgotten.bot_id AND t.audience_id = is_forgotten.audience_id
                   AND t.digest = buried);
END
$$;
COMMENT ON FUNCTION muninn.is_forgotten(bigint, bigint, text) IS
  'Whether this statement was forgotten in an audience. Part of remember and share. Example: SELECT muninn.is_forgotten(1, 1, ''x'')';

CREATE FUNCTION muninn.unlink_memories(bot_id bigint, memories bigint[]) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  -- By each end alone, which has an index of its own.
  DELETE FROM muninn.contradiction c WHERE c.bot_id OPERATOR(pg_catalog.=) unlink_memories.bot_id
    AND c.a OPERATOR(pg_catalog.=) ANY (unlink_memories.memories);
  DELETE FROM muninn.contradiction c WHERE c.bot_id OPERATOR(pg_catalog.=) unlink_memories.bot_id
    AND c.b OPERATOR(pg_catalog.=) ANY (unlink_memories.memories);
  DELETE FROM muninn.near_duplicate d WHERE d.bot_id OPERATOR(pg_catalog.=) unlink_memories.bot_id
    AND d.a OPERATOR(pg_catalog.=) ANY (unlink_memories.memories);
  DELETE FROM muninn.near_duplicate d WHERE d.bot_id OPERATOR(pg_catalog.=) unlink_memories.bot_id
    AND d.b OPERATOR(pg_catalog.=) ANY (unlink_memories.memories);
END;
COMMENT ON FUNCTION muninn.unlink_memories(bigint, bigint[]) IS
  'Takes away what was found between memories and others: contradictions and near-duplicates. Part of erase, and of sharing, as pairs are of one audience. Example: SELECT muninn.unlink_memories(1, ''{42}'')';

CREATE FUNCTION muninn.erase(
  bot_id bigint, person bigint, memories bigint[], bury boolean DEFAULT true, versions integer[] DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  audiences CONSTANT bigint[] := muninn.audiences(bot_id, person);
  all_of_them bigint[];
  place record;
  erased bigint;
BEGIN
  -- With the wrong versions that they corrected: those are their history. One that
  -- the person could not forget by itself stays.
  WITH RECURSIVE gone AS (
    SELECT unnest(memories) AS id
    UNION
    SELECT m.id FROM gone g JOIN muninn.memory m ON m.bot_id = erase.bot_id AND m.superseded_by = g.id
    WHERE m.ended_at IS NOT NULL
      AND EXISTS (SELECT FROM muninn.forgettable(erase.bot_id, audiences, person, ARRAY[m.id])))
  SELECT array_agg(id ORDER BY id) INTO all_of_them FROM gone;
  IF all_of_them IS NULL THEN
    RETURN 0;
  END IF;
  -- Who erases a person or the bot holds the audiences and waits for memories: those
  -- first, so that it is waited for here.
  PERFORM FROM muninn.audience a WHERE a.bot_id = erase.bot_id AND a.id IN (
    SELECT m.audience_id FROM muninn.memory m WHERE m.bot_id = erase.bot_id AND m.id = ANY (all_of_them))
  ORDER BY a.id FOR KEY SHARE;
  -- All at once and in the order of their ids, so that two do not wait crosswise.
  PERFORM FROM muninn.memory m WHERE m.bot_id = erase.bot_id AND m.id = ANY (all_of_them) ORDER BY m.id FOR UPDATE;
  IF EXISTS (SELECT FROM unnest(memories, versions) AS s (id, version)
             JOIN muninn.memory m ON m.bot_id = erase.bot_id AND m.id = s.id WHERE m.version <> s.version) THEN
    RAISE EXCEPTION 'a memory was changed by somebody else' USING ERRCODE = 'serialization_failure',
      HINT = 'Look at it again: a newer version of it may have to be forgotten, too.';
  END IF;
  IF bury THEN
    INSERT INTO muninn.tombstone (bot_id, audience_id, digest)
    SELECT m.bot_id, m.audience_id, muninn.tombstone_digest(m.content) FROM muninn.memory m
    WHERE m.bot_id = erase.bot_id AND m.id = ANY (all_of_them)
    ON CONFLICT DO NOTHING;
  END IF;
  -- The backlog first: a worker that is just storing the embedding holds this
  -- row, and what it stored is then seen and erased below.
  DELETE FROM muninn.embedding_backlog b WHERE b.bot_id = erase.bot_id AND b.memory_id = ANY (all_of_them);
  FOR place IN
    SELECT m.audience_id, array_agg(m.id ORDER BY m.id) AS ids FROM muninn.memory m
    WHERE m.bot_id = erase.bot_id AND m.id = ANY (all_of_them) GROUP BY m.audience_id ORDER BY m.audience_id
  LOOP
    PERFORM muninn.unindex(erase.bot_id, place.audience_id, place.ids);
    DELETE FROM muninn.passage_embedding p
    WHERE p.bot_id = erase.bot_id AND p.audience_id = place.audience_id AND p.memory_id = ANY (place.ids);
    DELETE FROM muninn.passage p
    WHERE p.bot_id = erase.bot_id AND p.audience_id = place.audience_id AND p.memory_id = ANY (place.ids);
  END LOOP;
  DELETE FROM muninn.embedding e WHERE e.bot_id = erase.bot_id AND e.memory_id = ANY (all_of_them);
  DELETE FROM muninn.activation_count c WHERE c.bot_id = erase.bot_id AND c.memory_id = ANY (all_of_them);
  DELETE FROM muninn.association l WHERE l.bot_id = erase.bot_id AND l.a = ANY (all_of_them);
  DELETE FROM muninn.association l WHERE l.bot_id = erase.bot_id AND l.b = ANY (all_of_them);
  DELETE FROM muninn.confidence_due d WHERE d.bot_id = erase.bot_id AND d.memory_id = ANY (all_of_them);
  DELETE FROM muninn.evidence e WHERE e.bot_id = erase.bot_id AND e.memory_id = ANY (all_of_them);
  DELETE FROM muninn.memory_belief b WHERE b.bot_id = erase.bot_id AND b.memory_id = ANY (all_of_them);
  DELETE FROM muninn.memory_key k WHERE k.bot_id = erase.bot_id AND k.memory_id = ANY (all_of_them);
  DELETE FROM muninn.share_proposal p WHERE p.bot_id = erase.bot_id AND p.memory_id = ANY (all_of_them);
  DELETE FROM muninn.contradiction_due d WHERE d.bot_id = erase.bot_id AND d.memory_id = ANY (all_of_them);
  PERFORM muninn.unlink_memories(erase.bot_id, all_of_them);
  DELETE FROM muninn.turn_memory u WHERE u.bot_id = erase.bot_id AND u.memory_id = ANY (all_of_them);
  DELETE FROM muninn.request r WHERE r.bot_id = erase.bot_id AND r.memory_id = ANY (all_of_them);
  PERFORM muninn.eval_forget(erase.bot_id, g.id) FROM unnest(all_of_them) AS g (id);
  UPDATE muninn.memory m SET superseded_by = NULL
  WHERE m.bot_id = erase.bot_id AND m.superseded_by = ANY (all_of_them);
  DELETE FROM muninn.memory m WHERE m.bot_id = erase.bot_id AND m.id = ANY (all_of_them);
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;
COMMENT ON FUNCTION muninn.erase(bigint, bigint, bigint[], boolean, integer[]) IS
  'Erases memories for a person, and the versions that they corrected as far as the person may forget those, with text, vectors, postings, counts, links, evidence, history, proposals, contradictions and evaluation questions; bury: keep keyed hashes, so that they are not learned again. versions: those that were looked at, in the order of the memories; 40001 if one is another now. Returns how many memories there were. The one place that erases memories. Example: SELECT muninn.erase(1, 1, ''{42}'')';

CREATE FUNCTION muninn.forgettable(bot_id bigint, audiences bigint[], person bigint, memories bigint[]) RETURNS SETOF bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT m.id FROM muninn.memory m
  JOIN muninn.audience a ON a.bot_id OPERATOR(pg_catalog.=) m.bot_id AND a.id OPERATOR(pg_catalog.=) m.audience_id
  WHERE m.bot_id OPERATOR(pg_catalog.=) forgettable.bot_id AND m.id OPERATOR(pg_catalog.=) ANY (forgettable.memories)
    AND m.audience_id OPERATOR(pg_catalog.=) ANY (forgettable.audiences)
    AND (a.kind OPERATOR(pg_catalog.=) 'personal' OR muninn.is_same_person(m.author_id, forgettable.person)
         OR muninn.reviews(forgettable.bot_id, forgettable.person));
END;
COMMENT ON FUNCTION muninn.forgettable(bigint, bigint[], bigint, bigint[]) IS
  'Of these memories those that a person may forget: what is personal, what the person said, and for a reviewer what is shared. Example: SELECT m.* FROM muninn.scope(''assistant'', 1) s, muninn.forgettable(s.bot_id, s.audiences, 1, ''{42}'') m';

CREATE FUNCTION muninn.forget(bot text, person bigint, memory bigint, reason text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF memory IS NULL THEN
    RAISE EXCEPTION 'no memory is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the memory_id that remember, recall or memories returned.';
  END IF;
  RETURN muninn.forget_many(bot, person, ARRAY[memory], reason);
END
$$;
COMMENT ON FUNCTION muninn.forget(text, bigint, bigint, text) IS
  'Erases a memory with everything of it (text, vector, postings, counts, evidence, history, the wrong versions that it corrected, evaluation questions made from it) in this transaction; a keyed hash stays, so that it is not learned again. Returns the number of the receipt (see muninn.receipt), NULL if there is none that the person may read. Errors: 40001 changed meanwhile, 42501 it is shared and somebody else said it, 42704 unknown bot or person. Example: SELECT muninn.forget(''assistant'', 1, 42)';

CREATE FUNCTION muninn.forget_many(bot text, person bigint, memories bigint[], reason text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  readable bigint[];
  wanted bigint[];
  refused bigint;
  erased bigint;
  seen integer[];
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF memories IS NULL OR array_position(memories, NULL) IS NOT NULL THEN
    RAISE EXCEPTION 'no memories are named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the ids that muninn.forget_preview, recall or memories returned.';
  END IF;
  SELECT array_agg(m.id) INTO readable FROM muninn.memory m
  WHERE m.bot_id = scope.bot_id AND m.id = ANY (memories) AND m.audience_id = ANY (scope.audiences);
  IF readable IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(f.id) INTO wanted
  FROM muninn.forgettable(scope.bot_id, scope.audiences, person, readable) AS f (id);
  SELECT r.id INTO refused FROM unnest(readable) AS r (id)
  WHERE NOT EXISTS (SELECT FROM unnest(wanted) AS w (id) WHERE w.id = r.id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'memory % belongs to others too', refused USING ERRCODE = 'insufficient_privilege',
      HINT = 'What is shared can be forgotten by the person who said it, or a reviewer of the bot.';
  END IF;
  SELECT array_agg(m.id ORDER BY m.id), array_agg(m.version ORDER BY m.id) INTO wanted, seen FROM muninn.memory m
  WHERE m.bot_id = scope.bot_id AND m.id = ANY (wanted);
  erased := muninn.erase(scope.bot_id, person, wanted, versions => seen);
  IF erased = 0 THEN
    RETURN NULL; -- somebody else forgot them at this moment
  END IF;
  RETURN muninn.audit(scope.bot_id, person, 'forget', CASE WHEN cardinality(memories) = 1 THEN memories[1] END,
    jsonb_build_object('memories', erased, 'reason', muninn.check_reason(reason)));
END
$$;
COMMENT ON FUNCTION muninn.forget_many(text, bigint, bigint[], text) IS
  'Erases several memories as forget does, all or none; returns one receipt, NULL if the person may read none of them. Errors: as for forget. Example: SELECT muninn.forget_many(''assistant'', 1, ''{42,43}'')';

CREATE FUNCTION muninn.forget_preview(bot text, person bigint, query text, k integer DEFAULT 100)
RETURNS TABLE (memory_id bigint, content text, audience text, relevance double precision, may_forget boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY
    SELECT r.memory_id, r.content, r.audience, r.relevance, EXISTS (
      SELECT FROM muninn.forgettable(scope.bot_id, scope.audiences, person, ARRAY[r.memory_id]))
    FROM muninn.recall(bot, person, query, k => forget_preview.k, min_relevance => 0,
      statuses => '{candidate,verified,rejected,superseded,retracted}') r
    ORDER BY r.score DESC, r.memory_id;
END
$$;
COMMENT ON FUNCTION muninn.forget_preview(text, bigint, text, integer) IS
  'The memories in any state that a question finds (k, at most 1,000), with whether the person may forget each: to be looked at before muninn.forget_many. Errors: as for recall. Example: SELECT memory_id, content FROM muninn.forget_preview(''assistant'', 1, ''my divorce'')';

CREATE FUNCTION muninn.relearn(bot text, person bigint, content text, audience text DEFAULT 'personal') RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  place bigint;
  buried bytea := muninn.tombstone_digest(content);
  lifted boolean;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  place := muninn.named_audience(scope.bot_id, person, audience);
  IF audience <> 'personal' AND NOT muninn.reviews(scope.bot_id, person)
     AND EXISTS (SELECT FROM muninn.reviewer r WHERE r.bot_id = scope.bot_id) THEN
    RAISE EXCEPTION 'what was forgotten there is not for person % to decide', person
      USING ERRCODE = 'insufficient_privilege', HINT = 'A reviewer of the bot can let it be learned again.';
  END IF;
  DELETE FROM muninn.tombstone t
  WHERE t.bot_id = scope.bot_id AND t.audience_id = place AND t.digest = buried;
  lifted := FOUND;
  IF lifted THEN
    PERFORM muninn.audit(scope.bot_id, person, 'relearn');
  END IF;
  RETURN lifted;
END
$$;
COMMENT ON FUNCTION muninn.relearn(text, bigint, text, text) IS
  'Lets a statement be remembered again that was forgotten in this audience; true if it was. Errors: 22023, 42501, 42704. Example: SELECT muninn.relearn(''assistant'', 1, ''My cat is called Tom.'')';

CREATE FUNCTION muninn.check_disposal(memories text, counted bigint) RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF memories IS NULL THEN
    RAISE EXCEPTION 'say what happens to % memories: keep or forget', counted
      USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Of a message or thread: memories => ''keep'' keeps them without their source, ''forget'' erases those that are the person''s own. Of a person: authored => ''keep'' keeps what the person said to others, ''forget'' erases it.';
  ELSIF memories NOT IN ('keep', 'forget') THEN
    RAISE EXCEPTION '"%" is nothing to do with memories', left(memories, 100)
      USING ERRCODE = 'invalid_parameter_value', HINT = 'There are keep and forget.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.check_disposal(text, bigint) IS
  'Refuses what is neither keep nor forget (22023), and silence (22004). Example: SELECT muninn.check_disposal(''keep'', 0)';

-- What came from a conversation belongs to its person if nobody else can read it.
CREATE FUNCTION muninn.dispose(bot_id bigint, person bigint, learned bigint[], memories text, OUT erased bigint, OUT kept bigint)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  own bigint[];
BEGIN
  SELECT array_agg(m.id) INTO own FROM muninn.memory m
  JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
  WHERE m.bot_id = dispose.bot_id AND m.id = ANY (learned) AND a.kind = 'personal'
    AND muninn.is_same_person(a.person_id, person) AND memories = 'forget';
  erased := CASE WHEN own IS NULL THEN 0 ELSE muninn.erase(dispose.bot_id, person, own) END;
  UPDATE muninn.memory m SET message_id = NULL, thread_id = NULL, thread_position = NULL
  WHERE m.bot_id = dispose.bot_id AND m.id = ANY (learned);
  GET DIAGNOSTICS kept = ROW_COUNT;
END
$$;
COMMENT ON FUNCTION muninn.dispose(bigint, bigint, bigint[], text) IS
  'Forgets or keeps memories whose source goes: of those to forget only the person''s own. Part of forget_message and forget_thread. Example: SELECT * FROM muninn.dispose(1, 1, ''{42}'', ''keep'')';

-- What a turn cost stays in the sums, without the turn.
CREATE FUNCTION muninn.erase_turns(bot_id bigint, turns bigint[]) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  DELETE FROM muninn.job j WHERE j.bot_id OPERATOR(pg_catalog.=) erase_turns.bot_id AND j.turn_id OPERATOR(pg_catalog.=) ANY (turns);
  -- Whoever adds something to a turn refers to it, and is done now or comes too late.
  SELECT FROM muninn.turn u WHERE u.bot_id OPERATOR(pg_catalog.=) erase_turns.bot_id AND u.id OPERATOR(pg_catalog.=) ANY (turns)
  ORDER BY u.id FOR UPDATE;
  DELETE FROM muninn.request r WHERE r.bot_id OPERATOR(pg_catalog.=) erase_turns.bot_id AND r.turn_id OPERATOR(pg_catalog.=) ANY (turns);
  DELETE FROM muninn.turn_delta d WHERE d.bot_id OPERATOR(pg_catalog.=) erase_turns.bot_id AND d.turn_id OPERATOR(pg_catalog.=) ANY (turns);
  DELETE FROM muninn.turn_memory m WHERE m.bot_id OPERATOR(pg_catalog.=) erase_turns.bot_id AND m.turn_id OPERATOR(pg_catalog.=) ANY (turns);
  UPDATE muninn.model_call c SET turn_id = NULL, error = CASE WHEN c.error IS NOT NULL THEN 'of a turn that was erased' END
  WHERE c.bot_id OPERATOR(pg_catalog.=) erase_turns.bot_id AND c.turn_id OPERATOR(pg_catalog.=) ANY (turns);
  DELETE FROM muninn.turn u WHERE u.bot_id OPERATOR(pg_catalog.=) erase_turns.bot_id AND u.id OPERATOR(pg_catalog.=) ANY (turns);
END;
COMMENT ON FUNCTION muninn.erase_turns(bigint, bigint[]) IS
  'Erases turns with their jobs and what was said of them; the messages are the caller''s to erase. Part of erase_messages. Example: SELECT muninn.erase_turns(1, ''{7}'')';

CREATE FUNCTION muninn.erase_messages(bot_id bigint, messages bigint[]) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  gone bigint;
BEGIN
  PERFORM FROM muninn.thread t WHERE t.bot_id = erase_messages.bot_id AND t.id IN (
    SELECT g.thread_id FROM muninn.message g WHERE g.bot_id = erase_messages.bot_id AND g.id = ANY (messages))
  ORDER BY t.id FOR NO KEY UPDATE;
  -- A conversation is called by what it began with, until somebody names it.
  UPDATE muninn.thread t SET title = NULL FROM muninn.message g
  WHERE g.bot_id = erase_messages.bot_id AND g.id = ANY (messages) AND t.bot_id = g.bot_id AND t.id = g.thread_id
    AND t.title = muninn.title_of(g.content);
  PERFORM muninn.erase_turns(erase_messages.bot_id, ARRAY(
    SELECT u.id FROM muninn.turn u WHERE u.bot_id = erase_messages.bot_id AND u.message_id = ANY (messages)));
  UPDATE muninn.turn u SET reply_id = NULL WHERE u.bot_id = erase_messages.bot_id AND u.reply_id = ANY (messages);
  DELETE FROM muninn.delivery d WHERE d.bot_id = erase_messages.bot_id AND d.message_id = ANY (messages);
  UPDATE muninn.memory m SET message_id = NULL WHERE m.bot_id = erase_messages.bot_id AND m.message_id = ANY (messages);
  DELETE FROM muninn.message g WHERE g.bot_id = erase_messages.bot_id AND g.id = ANY (messages);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
COMMENT ON FUNCTION muninn.erase_messages(bigint, bigint[]) IS
  'Erases messages with the turns that they began, and what was on its way; memories learned from them lose their source. Returns how many. The one place that erases messages. Example: SELECT muninn.erase_messages(1, ''{7}'')';

CREATE FUNCTION muninn.erase_threads(bot_id bigint, threads bigint[]) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  said bigint;
BEGIN
  said := muninn.erase_messages(erase_threads.bot_id, ARRAY(
    SELECT g.id FROM muninn.message g WHERE g.bot_id = erase_threads.bot_id AND g.thread_id = ANY (threads)));
  UPDATE muninn.memory m SET thread_id = NULL, thread_position = NULL WHERE m.bot_id = erase_threads.bot_id AND m.thread_id = ANY (threads);
  DELETE FROM muninn.thread t WHERE t.bot_id = erase_threads.bot_id AND t.id = ANY (threads);
  RETURN said;
END
$$;
COMMENT ON FUNCTION muninn.erase_threads(bigint, bigint[]) IS
  'Erases conversations with all that was said in them; returns how many messages. Example: SELECT muninn.erase_threads(1, ''{7}'')';

CREATE FUNCTION muninn.forget_message(bot text, person bigint, message bigint, memories text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  learned bigint[];
  said record;
  done record;
  gone bigint[];
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  PERFORM muninn.hold_thread(g.bot_id, forget_message.person, g.thread_id) FROM muninn.message g
  WHERE g.bot_id = scope.bot_id AND g.id = message;
  SELECT g.person_id, g.thread_id, g.position, a.kind INTO said FROM muninn.message g
  JOIN muninn.thread t ON t.bot_id = g.bot_id AND t.id = g.thread_id
  JOIN muninn.audience a ON a.bot_id = t.bot_id AND a.id = t.audience_id
  WHERE g.bot_id = scope.bot_id AND g.id = message AND t.audience_id = ANY (scope.audiences) FOR UPDATE OF g;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF said.kind <> 'personal' AND NOT coalesce(muninn.is_same_person(said.person_id, person), false) AND NOT muninn.reviews(scope.bot_id, person) THEN
    RAISE EXCEPTION 'message % was said by somebody else', message USING ERRCODE = 'insufficient_privilege',
      HINT = 'Who said it, or a reviewer of the bot, can have it forgotten.';
  END IF;
  -- With what was put aside for it: how it was said before, or answered before.
  gone := ARRAY(
    SELECT message UNION
    SELECT r.id FROM muninn.turn u JOIN muninn.message r ON r.bot_id = u.bot_id AND r.id = u.reply_id
    WHERE u.bot_id = scope.bot_id AND u.message_id = message AND r.replaced
    UNION
    SELECT g.id FROM muninn.message g
    WHERE g.bot_id = scope.bot_id AND g.thread_id = said.thread_id AND g.replaced AND g.position < said.position
      AND g.position > (SELECT coalesce(max(b.position), 0) FROM muninn.message b
        WHERE b.bot_id = scope.bot_id AND b.thread_id = said.thread_id AND NOT b.replaced AND b.position < said.position));
  SELECT coalesce(array_agg(m.id), '{}') INTO learned FROM muninn.memory m
  WHERE m.bot_id = scope.bot_id AND m.message_id = ANY (gone);
  PERFORM muninn.check_disposal(memories, cardinality(learned));
  SELECT * INTO done FROM muninn.dispose(scope.bot_id, person, learned, memories);
  PERFORM muninn.erase_messages(scope.bot_id, gone);
  RETURN muninn.audit(scope.bot_id, person, 'forget_message', NULL,
    jsonb_build_object('message', message, 'memories', done.erased, 'kept', done.kept));
END
$$;
COMMENT ON FUNCTION muninn.forget_message(text, bigint, bigint, text) IS
  'Erases a message of a conversation, and what was put aside when it was edited or answered anew; memories: what happens to those learned from it, keep or forget (the person''s own; what is shared is kept). Returns a receipt, NULL if there is none that the person may read. Errors: 22004 memories is not said, 22023, 42501 somebody else said it, 42704. Example: SELECT muninn.forget_message(''assistant'', 1, 7, memories => ''forget'')';

CREATE FUNCTION muninn.forget_thread(bot text, person bigint, thread text, memories text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  gone bigint;
  learned bigint[];
  done record;
  said bigint;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  SELECT t.id INTO gone FROM muninn.thread t
  JOIN muninn.audience a ON a.bot_id = t.bot_id AND a.id = t.audience_id
  WHERE t.bot_id = scope.bot_id AND t.key = thread AND a.kind = 'personal'
    AND a.person_id = ANY (muninn.same_persons(person)) ORDER BY a.person_id <> person, t.id LIMIT 1;
  IF NOT FOUND OR NOT muninn.hold_thread(scope.bot_id, person, gone) THEN
    RETURN NULL;
  END IF;
  SELECT coalesce(array_agg(m.id), '{}') INTO learned FROM muninn.memory m
  WHERE m.bot_id = scope.bot_id AND (m.thread_id = gone OR m.message_id IN (
    SELECT g.id FROM muninn.message g WHERE g.bot_id = scope.bot_id AND g.thread_id = gone));
  PERFORM muninn.check_disposal(memories, cardinality(learned));
  SELECT * INTO done FROM muninn.dispose(scope.bot_id, person, learned, memories);
  said := muninn.erase_threads(scope.bot_id, ARRAY[gone]);
  RETURN muninn.audit(scope.bot_id, person, 'forget_thread', NULL,
    jsonb_build_object('messages', said, 'memories', done.erased, 'kept', done.kept));
END
$$;
COMMENT ON FUNCTION muninn.forget_thread(text, bigint, text, text) IS
  'Erases a conversation of the person alone with all its messages; memories: what happens to its turns and to what was learned from it, keep or forget (the person''s own; what is shared is kept). Returns a receipt, NULL if there is no such thread. Errors: 22004 memories is not said, 22023, 42501, 42704. Example: SELECT muninn.forget_thread(''assistant'', 1, ''tuesday'', memories => ''keep'')';

CREATE FUNCTION muninn.hold_persons(bot_id bigint, persons bigint[]) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- In the order of hold_thread, and all at once.
  PERFORM FROM muninn.bot b WHERE b.id = hold_persons.bot_id FOR KEY SHARE;
  PERFORM FROM muninn.audience a WHERE a.bot_id = hold_persons.bot_id AND a.kind = 'personal' AND a.person_id = ANY (persons)
  ORDER BY a.id FOR UPDATE;
  PERFORM FROM muninn.thread t WHERE t.bot_id = hold_persons.bot_id AND (
    t.audience_id IN (SELECT a.id FROM muninn.audience a
      WHERE a.bot_id = hold_persons.bot_id AND a.kind = 'personal' AND a.person_id = ANY (persons))
    OR t.id IN (SELECT u.thread_id FROM muninn.turn u WHERE u.bot_id = hold_persons.bot_id AND u.person_id = ANY (persons)))
  ORDER BY t.id FOR UPDATE;
END
$$;
COMMENT ON FUNCTION muninn.hold_persons(bigint, bigint[]) IS
  'Locks what persons have of their own in a bot, and the conversations that they take part in. Part of forget_person and delete_person. Example: SELECT muninn.hold_persons(1, ''{1}'')';

CREATE FUNCTION muninn.erase_person(bot_id bigint, person bigint, authored text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  own bigint;
  personal bigint[];
  said bigint[];
  erased bigint := 0;
BEGIN
  SELECT erase_person.bot_id INTO scope;
  SELECT coalesce(array_agg(m.id), '{}') INTO said FROM muninn.memory m
  JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
  WHERE m.bot_id = scope.bot_id AND m.author_id = person AND a.kind <> 'personal';
  PERFORM muninn.check_disposal(authored, cardinality(said));
  -- First: what others said is not erased with what a reviewer put in its place.
  DELETE FROM muninn.reviewer r WHERE r.bot_id = scope.bot_id AND r.person_id = person;
  SELECT a.id INTO own FROM muninn.audience a
  WHERE a.bot_id = scope.bot_id AND a.kind = 'personal' AND a.person_id = person FOR UPDATE;
  SELECT coalesce(array_agg(m.id), '{}') INTO personal FROM muninn.memory m
  WHERE m.bot_id = scope.bot_id AND m.audience_id = own;
  erased := muninn.erase(scope.bot_id, person, personal, bury => false);
  IF authored = 'forget' THEN
    erased := erased + muninn.erase(scope.bot_id, person, said);
  END IF;
  PERFORM muninn.erase_threads(scope.bot_id, ARRAY(
    SELECT t.id FROM muninn.thread t WHERE t.bot_id = scope.bot_id AND t.audience_id = own));
  -- What the person said where others heard it, and what was answered.
  IF authored = 'forget' THEN
    PERFORM muninn.erase_messages(scope.bot_id, ARRAY(
      SELECT u.reply_id FROM muninn.turn u WHERE u.bot_id = scope.bot_id AND u.person_id = person AND u.reply_id IS NOT NULL
      UNION SELECT g.id FROM muninn.message g WHERE g.bot_id = scope.bot_id AND g.person_id = person));
  END IF;
  -- Where what was said is kept, nothing more is done with it.
  DELETE FROM muninn.job j WHERE j.bot_id = scope.bot_id AND j.person_id = person AND (j.kind = 'extract' OR j.status = 'dead');
  DELETE FROM muninn.delivery d WHERE d.bot_id = scope.bot_id AND d.person_id = person AND d.status = 'dead';
  DELETE FROM muninn.request r WHERE r.bot_id = scope.bot_id AND r.person_id = person;
  UPDATE muninn.turn u SET keeps = false WHERE u.bot_id = scope.bot_id AND u.person_id = person AND u.keeps;
  DELETE FROM muninn.model_call c WHERE c.bot_id = scope.bot_id AND c.person_id = person;
  DELETE FROM muninn.api_token t WHERE t.bot_id = scope.bot_id AND t.person_id = person;
  DELETE FROM muninn.tombstone t WHERE t.bot_id = scope.bot_id AND t.audience_id = own;
  DELETE FROM muninn.golden_set g WHERE g.bot_id = scope.bot_id AND g.person_id = person;
  DELETE FROM muninn.eval_run r WHERE r.bot_id = scope.bot_id AND r.person_id = person;
  DELETE FROM muninn.membership m WHERE m.bot_id = scope.bot_id AND m.person_id = person;
  -- What the person added to memories that others keep.
  DELETE FROM muninn.evidence e WHERE e.bot_id = scope.bot_id AND e.person_id = person;
  UPDATE muninn.contradiction c SET reason = NULL, decided_by = NULL
  WHERE c.bot_id = scope.bot_id AND c.decided_by = person;
  DELETE FROM muninn.share_proposal p WHERE p.bot_id = scope.bot_id AND p.proposed_by = person;
  DELETE FROM muninn.memory_key k WHERE k.bot_id = scope.bot_id AND k.author_id = person;
  RETURN erased;
END
$$;
COMMENT ON FUNCTION muninn.erase_person(bigint, bigint, text) IS
  'Erases what a bot knows of a person; returns how many memories. Part of forget_person and delete_person. Example: SELECT muninn.erase_person(1, 1, ''keep'')';

CREATE FUNCTION muninn.forget_person(bot text, person bigint, authored text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  persons bigint[] := muninn.same_persons(person);
  home bigint;
  erased bigint;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  PERFORM muninn.hold_persons(scope.bot_id, persons);
  erased := muninn.erase_person(scope.bot_id, person, authored);
  -- What linked identities had as persons of their own is the person's, too.
  FOREACH home IN ARRAY array_remove(persons, person) LOOP
    erased := erased + muninn.erase_person(scope.bot_id, home, coalesce(authored, 'keep'));
  END LOOP;
  RETURN muninn.audit(scope.bot_id, person, 'forget_person', NULL, jsonb_build_object('memories', erased));
END
$$;
COMMENT ON FUNCTION muninn.forget_person(text, bigint, text) IS
  'Erases what a bot knows of a person: all that is personal (of linked identities, too), threads and messages, memberships, evaluation sets, what the person added to others'' memories; authored: what happens to what the person said to others, keep or forget. The identity stays; muninn_admin.delete_person erases that, too. Returns a receipt. Errors: 22004 authored is not said, 22023, 42501, 42704. Example: SELECT muninn.forget_person(''assistant'', 1, authored => ''keep'')';
