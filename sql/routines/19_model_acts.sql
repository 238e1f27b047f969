-- What a model may do with memories: propose, correct what is the person's alone,
-- and ask to forget. It never widens who may read something, and whose turn it is
-- says the gateway, not the model.

CREATE FUNCTION muninn.acts_in_turn(bot text, person bigint, turn bigint) RETURNS muninn.turn
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.hold_own_turn(bot, person, turn);
BEGIN
  IF this.status NOT IN ('running', 'done') THEN
    RAISE EXCEPTION 'turn % is %', turn, this.status USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'A model acts within the turn that it answers.';
  END IF;
  RETURN this;
END
$$;
COMMENT ON FUNCTION muninn.acts_in_turn(text, bigint, bigint) IS
  'The turn of the person in which a model acts, and locks its conversation. Errors: 42501, 42704, 55000 it is not being answered. Example: SELECT (muninn.acts_in_turn(''assistant'', 1, 7)).id';

CREATE FUNCTION muninn.propose_memory(
  bot text, person bigint, turn bigint, content text, tags text[] DEFAULT NULL, kind text DEFAULT NULL,
  claim jsonb DEFAULT NULL, valid_from timestamptz DEFAULT NULL, valid_to timestamptz DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.acts_in_turn(bot, person, turn);
  made bigint;
  said timestamptz;
BEGIN
  -- What the prompt itself said is no news, and no second source of it.
  IF EXISTS (SELECT FROM muninn.turn_memory u JOIN muninn.memory m ON m.bot_id = u.bot_id AND m.id = u.memory_id
             WHERE u.bot_id = this.bot_id AND u.turn_id = turn AND muninn.normalised(m.content) = muninn.normalised(propose_memory.content)) THEN
    RETURN NULL;
  END IF;
  -- Once a turn, also what has an end and so may be said again later.
  SELECT m.id INTO made FROM muninn.memory m
  WHERE m.bot_id = this.bot_id AND m.message_id = this.message_id AND m.source = 'turn:' || turn AND m.ended_at IS NULL
    AND muninn.normalised(m.content) = muninn.normalised(propose_memory.content) ORDER BY m.id LIMIT 1;
  IF FOUND THEN
    RETURN made;
  END IF;
  SELECT g.created_at INTO said FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = this.message_id;
  made := muninn.remember(bot, person, content, tags => propose_memory.tags, kind => propose_memory.kind, claim => propose_memory.claim,
    valid_from => coalesce(propose_memory.valid_from, said), valid_to => propose_memory.valid_to,
    source => 'turn:' || turn, status => 'candidate');
  UPDATE muninn.memory m SET message_id = this.message_id
  WHERE m.bot_id = this.bot_id AND m.id = made AND m.message_id IS NULL AND m.source = 'turn:' || turn;
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.propose_memory(text, bigint, bigint, text, text[], text, jsonb, timestamptz, timestamptz) IS
  'Keeps what a model took from a turn, as a candidate for the person alone, dated by the turn and linked to its message; NULL if it was in the prompt. Errors: 42501, 42704, 55000 not in this state, or forgotten before; those of remember. Example: SELECT muninn.propose_memory(''assistant'', 1, 7, ''Anna''''s train leaves at nine.'')';

CREATE FUNCTION muninn.require_own_memory(bot text, person bigint, turn bigint, memory bigint) RETURNS muninn.turn
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.acts_in_turn(bot, person, turn);
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  PERFORM FROM muninn.memory m JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
  WHERE m.bot_id = this.bot_id AND m.id = memory AND m.audience_id = ANY (scope.audiences) AND a.kind = 'personal';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'memory % is not the person''s alone', memory USING ERRCODE = 'insufficient_privilege',
      HINT = 'A model changes only what is personal; what is shared is changed by people.';
  END IF;
  RETURN this;
END
$$;
COMMENT ON FUNCTION muninn.require_own_memory(text, bigint, bigint, bigint) IS
  'Refuses a memory that is not the person''s alone (42501, the same if there is none). Example: SELECT (muninn.require_own_memory(''assistant'', 1, 7, 42)).id';

CREATE FUNCTION muninn.propose_correction(bot text, person bigint, turn bigint, memory bigint, content text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.require_own_memory(bot, person, turn, memory);
BEGIN
  RETURN muninn.correct(bot, person, memory, content, reason => 'said in turn ' || this.id);
END
$$;
COMMENT ON FUNCTION muninn.propose_correction(text, bigint, bigint, bigint, text) IS
  'Corrects a memory of the person alone, as muninn.correct; the old version stays in its history. Errors: 42501 it is not the person''s alone, 42704, 55000; those of correct. Example: SELECT muninn.propose_correction(''assistant'', 1, 7, 42, ''My train leaves at ten.'')';

CREATE FUNCTION muninn.request_forget(bot text, person bigint, turn bigint, memory bigint) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.acts_in_turn(bot, person, turn);
  made bigint;
BEGIN
  -- Who forgets it at this moment is waited for.
  PERFORM FROM muninn.memory m WHERE m.bot_id = this.bot_id AND m.id = memory FOR KEY SHARE;
  PERFORM muninn.require_own_memory(bot, person, turn, memory);
  INSERT INTO muninn.request AS r (bot_id, turn_id, person_id, action, memory_id)
  VALUES (this.bot_id, turn, person, 'forget', memory)
  ON CONFLICT ON CONSTRAINT request_bot_id_person_id_action_memory_id_key DO UPDATE SET turn_id = excluded.turn_id
  RETURNING r.id INTO made;
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.request_forget(text, bigint, bigint, bigint) IS
  'A model asks to forget a memory of the person alone: nothing is done until the person decides (muninn.decide_request). Returns the request. Errors: 42501, 42704, 55000. Example: SELECT muninn.request_forget(''assistant'', 1, 7, 42)';

CREATE FUNCTION muninn.requests(bot text, person bigint)
RETURNS TABLE (request_id bigint, action text, memory_id bigint, content text, turn_id bigint, created_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY SELECT r.id, r.action, r.memory_id, m.content, r.turn_id, r.created_at FROM muninn.request r
    JOIN muninn.memory m ON m.bot_id = r.bot_id AND m.id = r.memory_id
    WHERE r.bot_id = scope.bot_id AND r.person_id = ANY (muninn.same_persons(person)) AND m.audience_id = ANY (scope.audiences)
    ORDER BY r.id LIMIT 1000;
END
$$;
COMMENT ON FUNCTION muninn.requests(text, bigint) IS
  'What models asked to do with the person''s memories and the person has not decided. Errors: 42501, 42704. Example: SELECT request_id, action, content FROM muninn.requests(''assistant'', 1)';

CREATE FUNCTION muninn.decide_request(bot text, person bigint, request bigint, accept boolean) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  this muninn.request;
  receipt bigint;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF accept IS NULL THEN
    RAISE EXCEPTION 'say whether request % is accepted', request USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass accept => true or false.';
  END IF;
  SELECT r.* INTO this FROM muninn.request r
  WHERE r.bot_id = scope.bot_id AND r.id = decide_request.request AND r.person_id = ANY (muninn.same_persons(person));
  -- The memory first, and the request with it, as everybody does who forgets.
  IF FOUND AND accept THEN
    receipt := muninn.forget(bot, person, this.memory_id);
  ELSIF FOUND THEN
    DELETE FROM muninn.request r WHERE r.bot_id = scope.bot_id AND r.id = this.id;
  END IF;
  IF this.id IS NULL OR (accept AND receipt IS NULL) OR (NOT accept AND NOT FOUND) THEN
    RAISE EXCEPTION 'request % does not exist', request USING ERRCODE = 'undefined_object',
      HINT = 'It was decided already, or the memory is gone.';
  END IF;
  RETURN receipt;
END
$$;
COMMENT ON FUNCTION muninn.decide_request(text, bigint, bigint, boolean) IS
  'Decides what a model asked: does it and returns the receipt, or drops it (NULL). Errors: 22004, 42501, 42704 decided already. Example: SELECT muninn.decide_request(''assistant'', 1, 3, true)';

-- What the extraction of a turn needs to know.
CREATE FUNCTION muninn.extraction(bot text, person bigint, turn bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.own_turn(bot, person, turn);
  asked muninn.message;
BEGIN
  SELECT g.* INTO asked FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = this.message_id;
  RETURN (SELECT jsonb_build_object(
    'bot', jsonb_build_object('name', b.name, 'settings', b.settings),
    'person', jsonb_build_object('id', p.id, 'name', p.name),
    'replaced', asked.replaced,
    'message', jsonb_build_object('id', asked.id, 'content', asked.content, 'at', asked.created_at),
    'reply', (SELECT g.content FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = this.reply_id),
    'history', coalesce((SELECT jsonb_agg(jsonb_build_object('role', h.role, 'content', left(h.content, 2000)) ORDER BY h.position)
      FROM (SELECT * FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.thread_id = this.thread_id AND NOT g.replaced
              AND g.position < asked.position AND g.role IN ('user', 'assistant')
            ORDER BY g.position DESC LIMIT 6) h), '[]'),
    'memories', coalesce((SELECT jsonb_agg(jsonb_build_object('id', m.memory_id, 'content', m.content, 'audience', m.audience,
        'status', m.status, 'relevance', coalesce(m.relevance, 0)))
      FROM muninn.turn_memories(bot, person, turn) m WHERE m.used), '[]'),
    'groups', coalesce((SELECT jsonb_agg(a.key ORDER BY a.key) FROM muninn.membership h
      JOIN muninn.audience a ON a.bot_id = h.bot_id AND a.id = h.audience_id
      WHERE h.bot_id = this.bot_id AND h.person_id = extraction.person), '[]'))
    FROM muninn.bot b, muninn.person p WHERE b.id = this.bot_id AND p.id = person);
END
$$;
COMMENT ON FUNCTION muninn.extraction(text, bigint, bigint) IS
  'What a model needs to propose memories from a turn: message, reply, the six messages before, the memories that were in the prompt, and the keys of the person''s groups; replaced: the message was edited since, and nothing is to be taken from it. Errors: 42501, 42704. Example: SELECT muninn.extraction(''assistant'', 1, 7) -> ''message''';

CREATE FUNCTION muninn.check_extraction(result jsonb) RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part text;
BEGIN
  IF jsonb_typeof(result) IS DISTINCT FROM 'object' THEN
    RAISE EXCEPTION 'the result of an extraction is no JSON object' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For instance {"statements": [{"content": "…"}], "corrections": [], "forget": []}; a model that failed is told by muninn.fail_job.';
  END IF;
  FOREACH part IN ARRAY '{statements,corrections,forget,ask_to_forget}'::text[] LOOP
    IF jsonb_typeof(result -> part) NOT IN ('array', 'null') THEN
      RAISE EXCEPTION '% of an extraction is no JSON array', part USING ERRCODE = 'invalid_parameter_value',
        HINT = 'For instance {"statements": [{"content": "…"}], "corrections": [{"memory": 42, "content": "…"}], "forget": [43]}.';
    END IF;
  END LOOP;
END
$$;
COMMENT ON FUNCTION muninn.check_extraction(jsonb) IS
  'Refuses what cannot be the result of an extraction (22023). Example: SELECT muninn.check_extraction(''{"statements": []}'')';

CREATE FUNCTION muninn.apply_extraction(bot text, person bigint, job bigint, lease uuid, result jsonb, calls jsonb DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.job := muninn.take_job((muninn.scope(bot, person)).bot_id, person, job, lease);
  one jsonb;
  made bigint;
  learned bigint[] := '{}';
  corrected bigint[] := '{}';
  forgotten bigint := 0;
  refused text[] := '{}';
  turn muninn.turn;
  said muninn.message;
  private boolean;
  wished boolean;
  notice text;
  notice_id bigint;
BEGIN
  PERFORM muninn.check_extraction(result);
  IF this.kind <> 'extract' THEN
    RAISE EXCEPTION 'job % is no extraction', job USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'It is a ' || this.kind || '.';
  END IF;
  SELECT u.* INTO turn FROM muninn.turn u WHERE u.bot_id = this.bot_id AND u.id = this.turn_id;
  SELECT g.* INTO said FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = turn.message_id;
  SELECT a.kind = 'personal' INTO private FROM muninn.thread t
  JOIN muninn.audience a ON a.bot_id = t.bot_id AND a.id = t.audience_id
  WHERE t.bot_id = this.bot_id AND t.id = this.thread_id;
  IF said.replaced THEN
    result := '{}';
  END IF;
  -- One that cannot be done (forgotten before, say) does not lose the others. What may
  -- go well if all is done again is not caught: 40001, 40P01, and of class 55 a lock
  -- that was not to be had.
  FOR one IN SELECT * FROM jsonb_array_elements(CASE jsonb_typeof(result -> 'statements') WHEN 'array' THEN result -> 'statements' ELSE '[]' END) LIMIT 20 LOOP
    BEGIN
      made := muninn.propose_memory(bot, person, turn.id, one ->> 'content',
        ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(one -> 'tags') WHEN 'array' THEN one -> 'tags' ELSE '[]' END)),
        one ->> 'kind', CASE jsonb_typeof(one -> 'claim') WHEN 'object' THEN one -> 'claim' END,
        (one ->> 'valid_from')::timestamptz, (one ->> 'valid_to')::timestamptz);
      CONTINUE WHEN made IS NULL OR made = ANY (learned);
      learned := learned || made;
    EXCEPTION
      WHEN lock_not_available OR object_in_use THEN RAISE;
      WHEN data_exception OR program_limit_exceeded OR object_not_in_prerequisite_state OR undefined_object
          OR insufficient_privilege OR unique_violation OR check_violation THEN
        refused := refused || SQLERRM;
        CONTINUE;
    END;
    -- A wish that more should read it is for a person to decide; if it is no such
    -- wish, the statement is kept all the same.
    CONTINUE WHEN coalesce(one ->> 'audience', 'personal') = 'personal' OR NOT EXISTS (
      SELECT FROM muninn.memory m WHERE m.bot_id = this.bot_id AND m.id = made AND m.source = 'turn:' || turn.id);
    BEGIN
      PERFORM muninn.suggest_share(bot, person, made, one ->> 'audience', 'suggested by the model that read the turn');
    EXCEPTION
      WHEN lock_not_available OR object_in_use THEN RAISE;
      WHEN data_exception OR object_not_in_prerequisite_state OR undefined_object OR insufficient_privilege THEN
        refused := refused || SQLERRM;
    END;
  END LOOP;
  FOR one IN SELECT * FROM jsonb_array_elements(CASE jsonb_typeof(result -> 'corrections') WHEN 'array' THEN result -> 'corrections' ELSE '[]' END) LIMIT 20 LOOP
    BEGIN
      corrected := corrected || muninn.propose_correction(bot, person, turn.id, (one ->> 'memory')::bigint, one ->> 'content');
      notice := concat_ws(E'\n', notice, 'Corrected: ' || left(one ->> 'content', 500));
    EXCEPTION
      WHEN lock_not_available OR object_in_use THEN RAISE;
      WHEN data_exception OR program_limit_exceeded OR object_not_in_prerequisite_state OR undefined_object
          OR insufficient_privilege OR unique_violation THEN
        refused := refused || SQLERRM;
    END;
  END LOOP;
  -- Others who read the conversation do not read what is the person's alone.
  IF NOT private AND cardinality(corrected) > 0 THEN
    notice := 'Corrected: ' || cardinality(corrected) || CASE cardinality(corrected) WHEN 1 THEN ' memory.' ELSE ' memories.' END;
  END IF;
  FOR one, wished IN
    SELECT f, true FROM jsonb_array_elements(CASE jsonb_typeof(result -> 'forget') WHEN 'array' THEN result -> 'forget' ELSE '[]' END) f
    UNION ALL
    SELECT f, false FROM jsonb_array_elements(CASE jsonb_typeof(result -> 'ask_to_forget') WHEN 'array' THEN result -> 'ask_to_forget' ELSE '[]' END) f
    LIMIT 20
  LOOP
    BEGIN
      PERFORM muninn.require_own_memory(bot, person, turn.id, (one #>> '{}')::bigint);
      -- In plain words of the person; in a longer text it may be somebody else's wish.
      IF wished AND length(said.content) <= 500 AND said.content !~ '[>`"“”„«»「」]' THEN
        IF muninn.forget(bot, person, (one #>> '{}')::bigint) IS NOT NULL THEN
          forgotten := forgotten + 1;
        END IF;
      ELSE
        PERFORM muninn.request_forget(bot, person, turn.id, (one #>> '{}')::bigint);
      END IF;
    EXCEPTION
      WHEN lock_not_available OR object_in_use THEN RAISE;
      WHEN data_exception OR object_not_in_prerequisite_state OR undefined_object OR insufficient_privilege THEN
        refused := refused || SQLERRM;
    END;
  END LOOP;
  IF forgotten > 0 THEN
    notice := concat_ws(E'\n', notice, 'Forgotten: ' || forgotten || CASE forgotten WHEN 1 THEN ' memory.' ELSE ' memories.' END);
    learned := ARRAY(SELECT l.id FROM unnest(learned) WITH ORDINALITY l (id, n)
      WHERE EXISTS (SELECT FROM muninn.memory m WHERE m.bot_id = this.bot_id AND m.id = l.id) ORDER BY l.n);
  END IF;
  IF notice IS NOT NULL THEN
    INSERT INTO muninn.message AS g (bot_id, thread_id, position, role, content, channel)
    VALUES (this.bot_id, this.thread_id, muninn.next_position(this.bot_id, this.thread_id), 'system', notice, turn.channel)
    RETURNING g.id INTO notice_id;
    PERFORM muninn.deliver(turn, notice_id);
  END IF;
  -- Nobody has looked at what was edited.
  UPDATE muninn.turn u SET kept = CASE WHEN NOT said.replaced THEN cardinality(learned) END
  WHERE u.bot_id = this.bot_id AND u.id = turn.id;
  PERFORM muninn.record_calls(this.bot_id, person, turn.id, 'extract', calls);
  DELETE FROM muninn.job j WHERE j.bot_id = this.bot_id AND j.id = this.id;
  PERFORM pg_notify('muninn_turn', this.bot_id || ':' || turn.id);
  RETURN jsonb_build_object('kept', learned, 'corrected', corrected, 'forgotten', forgotten, 'refused', refused);
END
$$;
COMMENT ON FUNCTION muninn.apply_extraction(text, bigint, bigint, uuid, jsonb, jsonb) IS
  'Applies what a model took from a turn, and ends the job, in one transaction. result: statements (content, tags, kind, claim, audience as a suggestion, valid_from, valid_to) become candidates for the person alone, corrections (memory, content) and forget (ids) are done with what is the person''s alone, and said back in the conversation (how many, where others read it); ask_to_forget (ids): the person is asked first, as where the message is long or quotes somebody. Of each list the first 20. What cannot be done is skipped with its reason, and of an edited message nothing is done. Returns kept, corrected, forgotten, refused. Errors: 22023 JSON of another shape, 40001 the lease is not valid any more, 42501, 42704, 55000. Example: SELECT muninn.apply_extraction(''assistant'', 1, 3, gen_random_uuid(), ''{"statements": []}'')';
