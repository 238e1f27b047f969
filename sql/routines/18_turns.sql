-- Turns: a message comes in once, is answered once, and can be stopped, answered
-- anew, or edited. What a gateway needs for each step is one call.

CREATE FUNCTION muninn.readable_thread(bot_id bigint, audiences bigint[], thread text) RETURNS muninn.thread
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.thread;
BEGIN
  -- A person's own before a group's; the key is unique within an audience alone.
  SELECT t.* INTO this FROM muninn.thread t
  JOIN muninn.audience a ON a.bot_id = t.bot_id AND a.id = t.audience_id
  WHERE t.bot_id = readable_thread.bot_id AND t.audience_id = ANY (audiences) AND t.key = thread
  ORDER BY a.kind <> 'personal', t.id LIMIT 1;
  RETURN this;
END
$$;
COMMENT ON FUNCTION muninn.readable_thread(bigint, bigint[], text) IS
  'The conversation of that key in these audiences, a row of NULLs if there is none. Example: SELECT (muninn.readable_thread(s.bot_id, s.audiences, ''tuesday'')).id FROM muninn.scope(''assistant'', 1) s';

CREATE FUNCTION muninn.require_turn(bot text, person bigint, turn bigint) RETURNS muninn.turn
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  this muninn.turn;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  SELECT u.* INTO this FROM muninn.turn u JOIN muninn.thread t ON t.bot_id = u.bot_id AND t.id = u.thread_id
  WHERE u.bot_id = scope.bot_id AND u.id = turn AND t.audience_id = ANY (scope.audiences);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'turn % does not exist', turn USING ERRCODE = 'undefined_object',
      HINT = 'muninn.receive returns the turns of a person; what others said to the bot alone is not shown.';
  END IF;
  RETURN this;
END
$$;
COMMENT ON FUNCTION muninn.require_turn(text, bigint, bigint) IS
  'A turn of a conversation that the person may read. Errors: 42501, 42704 no such turn. Example: SELECT (muninn.require_turn(''assistant'', 1, 7)).status';

CREATE FUNCTION muninn.own_turn(bot text, person bigint, turn bigint) RETURNS muninn.turn
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.require_turn(bot, person, turn);
BEGIN
  IF NOT muninn.is_same_person(this.person_id, person) THEN
    RAISE EXCEPTION 'turn % is somebody else''s', turn USING ERRCODE = 'insufficient_privilege',
      HINT = 'Who asked can have it stopped, answered anew, or edited.';
  END IF;
  RETURN this;
END
$$;
COMMENT ON FUNCTION muninn.own_turn(text, bigint, bigint) IS
  'A turn that the person began. Errors: 42501 somebody else did, 42704. Example: SELECT (muninn.own_turn(''assistant'', 1, 7)).status';

-- Looked at again once nobody else can change it.
CREATE FUNCTION muninn.hold_own_turn(bot text, person bigint, turn bigint) RETURNS muninn.turn
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.own_turn(bot, person, turn);
BEGIN
  PERFORM muninn.hold_thread(this.bot_id, person, this.thread_id);
  RETURN muninn.own_turn(bot, person, turn);
END
$$;
COMMENT ON FUNCTION muninn.hold_own_turn(text, bigint, bigint) IS
  'Locks the conversation of a turn that the person began, and returns the turn as it is then. Errors: 42501 somebody else did, 42704. Example: SELECT (muninn.hold_own_turn(''assistant'', 1, 7)).status';

-- Work for a gateway. With a lease at once where the caller means to do it and
-- nothing before it in the conversation is open.
CREATE FUNCTION muninn.begin_turn(
  bot_id bigint, person bigint, thread_id bigint, message_id bigint, keeps boolean, channel text, address jsonb,
  lease_seconds integer, OUT turn_id bigint, OUT job_id bigint, OUT lease uuid
)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF lease_seconds IS NOT NULL THEN
    -- Who holds a lease speaks as the bot.
    PERFORM muninn.require_acting(bot_id), muninn.lease_length(lease_seconds);
    IF NOT EXISTS (
      SELECT FROM muninn.job j WHERE j.bot_id = begin_turn.bot_id AND j.thread_id = begin_turn.thread_id
        AND j.kind = 'reply' AND j.status <> 'dead') THEN
      lease := gen_random_uuid();
    END IF;
  END IF;
  INSERT INTO muninn.turn AS u (bot_id, thread_id, person_id, message_id, keeps, channel, address, status, started_at)
  VALUES (bot_id, thread_id, person, message_id, coalesce(keeps, true), begin_turn.channel, begin_turn.address,
          CASE WHEN lease IS NULL THEN 'waiting' ELSE 'running' END,
          CASE WHEN lease IS NOT NULL THEN clock_timestamp() END)
  RETURNING u.id INTO turn_id;
  INSERT INTO muninn.job AS j (bot_id, kind, person_id, thread_id, turn_id, status, attempts, lease, leased_until)
  VALUES (bot_id, 'reply', person, thread_id, turn_id, CASE WHEN lease IS NULL THEN 'waiting' ELSE 'leased' END,
          CASE WHEN lease IS NULL THEN 0 ELSE 1 END, lease,
          CASE WHEN lease IS NOT NULL THEN clock_timestamp() + make_interval(secs => lease_seconds) END)
  RETURNING j.id INTO job_id;
  IF lease IS NULL THEN
    PERFORM pg_notify('muninn_job', 'reply');
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.begin_turn(bigint, bigint, bigint, bigint, boolean, text, jsonb, integer) IS
  'Makes a turn of a message and the job to answer it. Part of receive, answer_again and edit_message. Example: SELECT * FROM muninn.begin_turn(1, 1, 1, 1, true, ''api'', NULL, NULL)';

CREATE FUNCTION muninn.next_position(bot_id bigint, thread_id bigint) RETURNS integer
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  UPDATE muninn.thread t SET next_position = t.next_position OPERATOR(pg_catalog.+) 1, last_at = clock_timestamp()
  WHERE t.bot_id OPERATOR(pg_catalog.=) next_position.bot_id AND t.id OPERATOR(pg_catalog.=) next_position.thread_id
  RETURNING t.next_position OPERATOR(pg_catalog.-) 1;
END;
COMMENT ON FUNCTION muninn.next_position(bigint, bigint) IS
  'Hands out the next place in a conversation, whose row is locked until the transaction ends. Example: SELECT muninn.next_position(1, 1)';

CREATE FUNCTION muninn.check_message(content text) RETURNS text
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF content IS NULL OR content !~ '[^[:space:]]' THEN
    RAISE EXCEPTION 'the message is empty' USING ERRCODE = 'invalid_parameter_value', HINT = 'Say something.';
  ELSIF octet_length(content) > 200000 THEN
    RAISE EXCEPTION 'the message has % bytes, at most 200,000 are taken', octet_length(content)
      USING ERRCODE = 'program_limit_exceeded', HINT = 'Split it, or keep it as a document with muninn.remember.';
  END IF;
  RETURN content;
END
$$;
COMMENT ON FUNCTION muninn.check_message(text) IS
  'Refuses a message that is empty (22023) or too long (54000). Example: SELECT muninn.check_message(''Hello'')';

CREATE FUNCTION muninn.title_of(content text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN pg_catalog.left(pg_catalog.regexp_replace(pg_catalog.btrim(content, E' \t\r\n'), '[[:space:]]+', ' ', 'g'), 80);
COMMENT ON FUNCTION muninn.title_of(text) IS
  'What a conversation that begins with this message is called until somebody names it. Example: SELECT muninn.title_of(''When is my train?'')';

CREATE FUNCTION muninn.receive(
  bot text, person bigint, content text, thread text DEFAULT 'main', channel text DEFAULT 'api',
  external_id text DEFAULT NULL, audience text DEFAULT 'personal', address jsonb DEFAULT NULL,
  keeps boolean DEFAULT true, lease_seconds integer DEFAULT NULL,
  OUT message_id bigint, OUT turn_id bigint, OUT job_id bigint, OUT lease uuid, OUT fresh boolean
)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  place bigint;
  held muninn.thread;
  answered jsonb := nullif(address, 'null');
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  PERFORM muninn.check_message(content);
  IF coalesce(thread, '') = '' OR octet_length(thread) > 1000 OR coalesce(channel, '') !~ '^[a-z][a-z0-9_-]{0,62}$'
     OR octet_length(external_id) NOT BETWEEN 1 AND 1000 OR octet_length(address::text) > 10000 THEN
    RAISE EXCEPTION 'a thread, channel, external id or address is missing or too long'
      USING ERRCODE = 'invalid_parameter_value',
      HINT = 'thread and external_id: 1 to 1,000 bytes; channel: a name in lower case such as slack; address: at most 10,000 bytes.';
  END IF;
  -- Who is one person alone does not have the bot write to others, nor take the ids
  -- of what they are about to say.
  IF channel <> 'api' OR answered IS NOT NULL THEN
    PERFORM muninn.require_acting(scope.bot_id);
  END IF;
  IF external_id IS NOT NULL THEN
    -- Once, also when it comes twice at the same moment: the second waits for the
    -- first here, and then finds it.
    PERFORM pg_advisory_xact_lock(hashtextextended(external_id, scope.bot_id));
    SELECT g.id INTO message_id FROM muninn.message g
    WHERE g.bot_id = scope.bot_id AND g.channel = receive.channel AND g.external_id = receive.external_id;
    IF FOUND THEN
      -- What somebody else said is not shown, and not said again as this person either.
      PERFORM FROM muninn.message g WHERE g.bot_id = scope.bot_id AND g.id = receive.message_id
        AND muninn.is_same_person(g.person_id, person);
      IF NOT FOUND THEN
        RAISE EXCEPTION 'this external id was used by somebody else' USING ERRCODE = 'unique_violation',
          HINT = 'External ids are unique within a bot and channel.';
      END IF;
      fresh := false;
      SELECT u.id, j.id INTO turn_id, job_id FROM muninn.turn u
      LEFT JOIN muninn.job j ON j.bot_id = u.bot_id AND j.turn_id = u.id AND j.kind = 'reply'
      WHERE u.bot_id = scope.bot_id AND u.message_id = receive.message_id ORDER BY u.id DESC LIMIT 1;
      RETURN;
    END IF;
  END IF;
  -- In the order of hold_thread; who deletes the bot is waited for here.
  PERFORM FROM muninn.bot b WHERE b.id = scope.bot_id FOR KEY SHARE;
  IF FOUND THEN
    place := muninn.named_audience(scope.bot_id, person, audience);
    PERFORM FROM muninn.audience a WHERE a.bot_id = scope.bot_id AND a.id = place FOR KEY SHARE;
  END IF;
  IF FOUND THEN
    INSERT INTO muninn.thread (bot_id, audience_id, key, channel)
    SELECT scope.bot_id, place, receive.thread, receive.channel
    WHERE NOT EXISTS (SELECT FROM muninn.thread t WHERE t.bot_id = scope.bot_id AND t.audience_id = place AND t.key = receive.thread)
    ON CONFLICT ON CONSTRAINT thread_bot_id_audience_id_key_key DO NOTHING;
    SELECT t.* INTO held FROM muninn.thread t
    WHERE t.bot_id = scope.bot_id AND t.audience_id = place AND t.key = receive.thread;
  END IF;
  IF held.id IS NULL OR NOT muninn.hold_thread(scope.bot_id, person, held.id) THEN
    RAISE EXCEPTION 'the conversation was erased at this moment' USING ERRCODE = 'serialization_failure',
      HINT = 'Repeat the transaction.';
  END IF;
  UPDATE muninn.thread t SET channel = receive.channel, title = coalesce(t.title, muninn.title_of(receive.content))
  WHERE t.bot_id = scope.bot_id AND t.id = held.id AND (t.title IS NULL OR t.channel IS DISTINCT FROM receive.channel);
  INSERT INTO muninn.message AS g (bot_id, thread_id, position, person_id, role, content, channel, external_id)
  VALUES (scope.bot_id, held.id, muninn.next_position(scope.bot_id, held.id), person, 'user', receive.content,
          receive.channel, receive.external_id)
  RETURNING g.id INTO message_id;
  fresh := true;
  SELECT b.turn_id, b.job_id, b.lease INTO turn_id, job_id, lease
  FROM muninn.begin_turn(scope.bot_id, person, held.id, message_id, keeps, channel, answered, lease_seconds) b;
END
$$;
COMMENT ON FUNCTION muninn.receive(text, bigint, text, text, text, text, text, jsonb, boolean, integer) IS
  'Stores what a person said to a bot, once (channel, external_id), in the conversation thread of the audience, and makes the turn and the job to answer it. address: where the answer is sent on the channel, NULL if it is fetched. keeps: whether memories may be proposed from it. lease_seconds: the caller will answer it now: a lease, unless something before it is open. A channel but api, an address and a lease are for who may act for the bot. fresh: false if it was there already. Errors: 22023, 23505 the external id is somebody else''s, 40001 erased at this moment, 42501, 42704, 54000 too long. Example: SELECT turn_id FROM muninn.receive(''assistant'', 1, ''When is my train?'', thread => ''tuesday'')';

CREATE FUNCTION muninn.receive_from(
  bot text, provider text, subject text, content text, thread text, channel text, external_id text,
  tenant text DEFAULT '', name text DEFAULT NULL, audience text DEFAULT 'personal', address jsonb DEFAULT NULL,
  keeps boolean DEFAULT true,
  OUT person bigint, OUT message_id bigint, OUT turn_id bigint, OUT fresh boolean
)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM muninn.require_acting(muninn.require_bot(bot));
  person := muninn.person(provider, subject, tenant, name);
  IF audience ~ '^group:.' THEN
    PERFORM muninn.join_group(bot, person, substr(audience, 7));
  END IF;
  SELECT r.message_id, r.turn_id, r.fresh INTO message_id, turn_id, fresh
  FROM muninn.receive(bot, person, content, thread, channel, external_id, audience, address, keeps) r;
END
$$;
COMMENT ON FUNCTION muninn.receive_from(text, text, text, text, text, text, text, text, text, text, jsonb, boolean) IS
  'What a channel brings: as receive, for the person with this identity, who is made if new, and a member of the group if the audience is one. Errors: as for receive and person. Example: SELECT person, turn_id FROM muninn.receive_from(''assistant'', ''telegram'', ''123456'', ''Hello'', ''chat-9'', ''telegram'', ''9:77'', address => ''{"chat": 9}'')';

CREATE FUNCTION muninn.context(bot text, person bigint, turn bigint, k integer DEFAULT NULL, history integer DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  began timestamptz := clock_timestamp();
  at timestamptz;
  embed_ms double precision := 0;
  search_ms double precision;
  this muninn.turn := muninn.require_turn(bot, person, turn);
  asked muninn.message;
  question text;
  place text;
  settings jsonb;
  meaning real[];
  told jsonb;
  recalled jsonb;
  result jsonb;
BEGIN
  SELECT g.* INTO asked FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = this.message_id;
  -- Of a long message its beginning; one that begins with a page of blanks has one.
  question := left(regexp_replace(asked.content, '^[[:space:]]+', ''), 2000);
  SELECT b.settings INTO settings FROM muninn.bot b WHERE b.id = this.bot_id;
  SELECT muninn.audience_name(a.kind, a.key) INTO place FROM muninn.thread t
  JOIN muninn.audience a ON a.bot_id = t.bot_id AND a.id = t.audience_id
  WHERE t.bot_id = this.bot_id AND t.id = this.thread_id;
  -- What was said before, the latest last, as far as a prompt can hold it.
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'role', h.role, 'content', h.content, 'at', h.created_at,
           'name', h.name) ORDER BY h.position), '[]') INTO told
  FROM (
    SELECT g.id, g.position, g.role, g.content, g.created_at, p.name,
      sum(length(g.content)) OVER (ORDER BY g.position DESC) AS so_far
    FROM (SELECT * FROM muninn.message g
          WHERE g.bot_id = this.bot_id AND g.thread_id = this.thread_id AND g.position < asked.position
            AND NOT g.replaced AND g.role IN ('user', 'assistant')
          ORDER BY g.position DESC
          LIMIT greatest(least(coalesce(context.history, (settings ->> 'history')::integer, 20), 200), 0)) g
    LEFT JOIN muninn.person p ON p.id = g.person_id) h
  WHERE h.so_far <= 48000;
  at := clock_timestamp();
  IF muninn.active_model() IS NOT NULL AND muninn.model_problem() IS NULL THEN
    meaning := muninn.embed(question)::real[];
    embed_ms := extract(epoch FROM clock_timestamp() - at) * 1000;
  END IF;
  at := clock_timestamp();
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.memory_id, 'content', left(r.content, 4000), 'summary', r.summary,
           'status', r.status, 'audience', r.audience, 'confidence', r.confidence, 'relevance', r.relevance,
           'score', r.score, 'valid_from', r.valid_from, 'valid_to', r.valid_to, 'superseded_by', r.superseded_by,
           'contradicted_by', r.contradicted_by) ORDER BY r.score DESC, r.memory_id), '[]') INTO recalled
  FROM muninn.recall(bot, person, question, embedding => meaning,
    k => greatest(least(coalesce(context.k, (settings ->> 'recalled')::integer, 8), 50), 1),
    -- The answer is read by all who read the conversation: nothing goes into it that
    -- is for the person alone, or for another group.
    audiences => CASE WHEN place <> 'personal' THEN ARRAY[place, 'shared'] END) r;
  search_ms := extract(epoch FROM clock_timestamp() - at) * 1000;
  SELECT jsonb_build_object(
    'bot', jsonb_build_object('name', b.name, 'persona', b.persona, 'settings', b.settings),
    'person', jsonb_build_object('id', person, 'name', p.name),
    'thread', jsonb_build_object('key', t.key, 'title', t.title, 'channel', this.channel, 'audience', place),
    'message', jsonb_build_object('id', asked.id, 'content', asked.content, 'at', asked.created_at),
    'history', told, 'memories', recalled)
  INTO result
  FROM muninn.bot b, muninn.person p, muninn.thread t
  WHERE b.id = this.bot_id AND p.id = person AND t.bot_id = this.bot_id AND t.id = this.thread_id;
  RETURN result || jsonb_build_object('timings', jsonb_build_object(
    'embed', round(embed_ms::numeric, 3), 'search', round(search_ms::numeric, 3),
    'db', round((extract(epoch FROM clock_timestamp() - began) * 1000 - embed_ms - search_ms)::numeric, 3)));
END
$$;
COMMENT ON FUNCTION muninn.context(text, bigint, bigint, integer, integer) IS
  'All that a prompt for a turn needs: bot (name, persona, settings), person, thread, message, history (at most so many messages before it, 48,000 characters), memories (k of them, as recall finds them; in a conversation that others read only what they all may read) and timings (milliseconds in embed, search, and db for the rest). Errors: 42501, 42704. Example: SELECT muninn.context(''assistant'', 1, 7) -> ''memories''';

CREATE FUNCTION muninn.progress(bot text, person bigint, turn bigint, lease uuid, content text, lease_seconds integer DEFAULT 60) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := (muninn.scope(bot, person)).bot_id;
  attempt integer;
BEGIN
  IF octet_length(content) > 200000 THEN
    RAISE EXCEPTION 'a piece of an answer has % bytes, at most 200,000 are taken', octet_length(content)
      USING ERRCODE = 'program_limit_exceeded', HINT = 'Pass it in several pieces.';
  END IF;
  UPDATE muninn.job j SET leased_until = clock_timestamp() + make_interval(secs => muninn.lease_length(lease_seconds))
  WHERE j.bot_id = this_bot AND j.turn_id = turn AND j.kind = 'reply' AND j.person_id = person
    AND j.status = 'leased' AND j.lease = progress.lease
  RETURNING j.attempts INTO attempt;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF content <> '' THEN
    -- Of this attempt, so that who reads sees where an answer began anew.
    INSERT INTO muninn.turn_delta (bot_id, turn_id, seq, content)
    SELECT this_bot, turn, coalesce(max(d.seq) + 1, attempt * 1000000), progress.content
    FROM muninn.turn_delta d WHERE d.bot_id = this_bot AND d.turn_id = turn AND d.seq >= attempt * 1000000;
    PERFORM pg_notify('muninn_turn', this_bot || ':' || turn);
  END IF;
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.progress(text, bigint, bigint, uuid, text, integer) IS
  'Adds a piece to an answer that is being given (NULL or empty: nothing) and holds the lease for so many seconds more; false if the turn was stopped or taken over, and the caller has to end. Errors: 22023, 42501, 42704, 54000. Example: SELECT muninn.progress(''assistant'', 1, 7, gen_random_uuid(), ''Your train '')';

CREATE FUNCTION muninn.close_turn(bot_id bigint, turn bigint, status text, content text, model text, error text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn;
  held muninn.thread;
  reply bigint;
BEGIN
  SELECT u.* INTO STRICT this FROM muninn.turn u WHERE u.bot_id = close_turn.bot_id AND u.id = turn FOR UPDATE;
  IF content IS NOT NULL THEN
    INSERT INTO muninn.message AS g (bot_id, thread_id, position, role, content, channel)
    SELECT t.bot_id, t.id, muninn.next_position(t.bot_id, t.id), 'assistant', close_turn.content, t.channel
    FROM muninn.thread t WHERE t.bot_id = this.bot_id AND t.id = this.thread_id
    RETURNING g.id INTO reply;
    PERFORM muninn.deliver(this, reply);
  END IF;
  UPDATE muninn.turn u SET status = close_turn.status, reply_id = reply, model = close_turn.model,
    error = close_turn.error, finished_at = clock_timestamp()
  WHERE u.bot_id = close_turn.bot_id AND u.id = turn;
  DELETE FROM muninn.turn_delta d WHERE d.bot_id = close_turn.bot_id AND d.turn_id = turn;
  PERFORM pg_notify('muninn_turn', close_turn.bot_id || ':' || turn);
  RETURN reply;
END
$$;
COMMENT ON FUNCTION muninn.close_turn(bigint, bigint, text, text, text, text) IS
  'Ends a turn with an answer, or without one; returns the answer''s message. Part of finish_turn, stop_turn and give_up. Example: SELECT muninn.close_turn(1, 7, ''failed'', NULL, NULL, ''no model answered'')';

CREATE FUNCTION muninn.deliver(this muninn.turn, message_id bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF this.address IS NOT NULL THEN
    INSERT INTO muninn.delivery (bot_id, person_id, thread_id, message_id, channel, address)
    VALUES (this.bot_id, this.person_id, this.thread_id, deliver.message_id, this.channel, this.address);
    PERFORM pg_notify('muninn_delivery', this.channel);
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.deliver(muninn.turn, bigint) IS
  'Sends a message on its way to where the turn came from, if that has an address. Example: SELECT muninn.deliver(muninn.own_turn(''assistant'', 1, 7), 1)';

CREATE FUNCTION muninn.finish_turn(
  bot text, person bigint, turn bigint, lease uuid, content text, model text DEFAULT NULL,
  calls jsonb DEFAULT NULL, memories jsonb DEFAULT NULL, trace jsonb DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  this muninn.turn;
  reply bigint;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  PERFORM muninn.check_message(content);
  IF octet_length(trace::text) > 20000 THEN
    RAISE EXCEPTION 'the trace of a turn is larger than 20,000 bytes' USING ERRCODE = 'program_limit_exceeded',
      HINT = 'It holds milliseconds of each part, no text.';
  ELSIF jsonb_typeof(trace) NOT IN ('object', 'null') THEN
    RAISE EXCEPTION 'the trace of a turn is no JSON object' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'It holds milliseconds of each part, no text.';
  END IF;
  PERFORM muninn.hold_thread(u.bot_id, finish_turn.person, u.thread_id) FROM muninn.turn u
  WHERE u.bot_id = scope.bot_id AND u.id = turn AND u.person_id = finish_turn.person;
  DELETE FROM muninn.job j WHERE j.bot_id = scope.bot_id AND j.turn_id = turn AND j.kind = 'reply' AND j.person_id = person
    AND j.status = 'leased' AND j.lease = finish_turn.lease;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'turn % is no longer the caller''s to answer', turn USING ERRCODE = 'serialization_failure',
      HINT = 'It was stopped or taken over: this answer must not be sent.';
  END IF;
  reply := muninn.close_turn(scope.bot_id, turn, 'done', content, model, NULL);
  UPDATE muninn.turn u SET trace = finish_turn.trace WHERE u.bot_id = scope.bot_id AND u.id = turn RETURNING u.* INTO this;
  PERFORM muninn.record_calls(scope.bot_id, person, turn, 'chat', calls);
  -- What was forgotten meanwhile, or is being forgotten now, is no longer said to have
  -- been used.
  WITH used AS (
    SELECT u.rank, trunc(muninn.json_number(u.used -> 'id', 'id of a memory', 9223372036854775807))::bigint AS id,
      muninn.json_number(u.used -> 'relevance', 'relevance', 1000)::double precision AS relevance
    FROM muninn.json_objects(memories, 'memories') WITH ORDINALITY AS u (used, rank)),
  known AS (
    SELECT m.id FROM muninn.memory m
    WHERE m.bot_id = scope.bot_id AND m.id IN (SELECT u.id FROM used u) AND m.audience_id = ANY (scope.audiences)
    ORDER BY m.id FOR KEY SHARE)
  INSERT INTO muninn.turn_memory (bot_id, turn_id, memory_id, rank, relevance)
  SELECT scope.bot_id, turn, k.id, min(u.rank), max(u.relevance) FROM known k JOIN used u ON u.id = k.id GROUP BY k.id;
  IF this.keeps AND coalesce((scope.settings ->> 'extraction')::boolean, true) THEN
    INSERT INTO muninn.job (bot_id, kind, person_id, thread_id, turn_id)
    VALUES (scope.bot_id, 'extract', person, this.thread_id, turn);
    PERFORM pg_notify('muninn_job', 'extract');
  END IF;
  RETURN reply;
END
$$;
COMMENT ON FUNCTION muninn.finish_turn(text, bigint, bigint, uuid, text, text, jsonb, jsonb, jsonb) IS
  'Stores the answer of a turn, once, with what was called (calls: see muninn.record_calls), which memories were in the prompt (objects with id and relevance, the best first) and how long each part took; sends it on its way and makes the job that proposes memories. Returns the answer''s message. Errors: 22023 an empty answer, or JSON of another shape; 40001 the lease is not valid any more, 42501, 42704, 54000. Example: SELECT muninn.finish_turn(''assistant'', 1, 7, gen_random_uuid(), ''At nine.'')';

CREATE FUNCTION muninn.stop_turn(bot text, person bigint, turn bigint) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.hold_own_turn(bot, person, turn);
  said text;
BEGIN
  -- What was given up stays a letter until somebody decides.
  DELETE FROM muninn.job j WHERE j.bot_id = this.bot_id AND j.turn_id = turn AND j.kind = 'reply' AND j.status <> 'dead';
  IF NOT FOUND THEN
    RETURN this.reply_id;
  END IF;
  SELECT string_agg(d.content, '' ORDER BY d.seq) INTO said FROM muninn.turn_delta d
  WHERE d.bot_id = this.bot_id AND d.turn_id = turn
    AND d.seq / 1000000 = (SELECT max(x.seq) / 1000000 FROM muninn.turn_delta x WHERE x.bot_id = this.bot_id AND x.turn_id = turn);
  RETURN muninn.close_turn(this.bot_id, turn, 'stopped', CASE WHEN said ~ '[^[:space:]]' THEN said END, NULL, NULL);
END
$$;
COMMENT ON FUNCTION muninn.stop_turn(text, bigint, bigint) IS
  'Ends a turn that is being answered; what was said so far stays as the answer. Returns its message, NULL if nothing was said. Errors: 42501 somebody else''s, 42704. Example: SELECT muninn.stop_turn(''assistant'', 1, 7)';

-- What puts messages aside: the conversation is at rest, and nobody else has spoken
-- since, whose words would go with them.
CREATE FUNCTION muninn.require_last_word(this muninn.turn, person bigint, beginning integer) RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM muninn.job j WHERE j.bot_id = this.bot_id AND j.thread_id = this.thread_id
             AND j.kind = 'reply' AND j.status <> 'dead') THEN
    RAISE EXCEPTION 'an answer is being given in this conversation' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Wait for it, or stop it first.';
  ELSIF EXISTS (SELECT FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.thread_id = this.thread_id AND NOT g.replaced
                AND g.position > beginning AND g.role = 'user' AND NOT coalesce(muninn.is_same_person(g.person_id, person), false)) THEN
    RAISE EXCEPTION 'others have spoken since turn %', this.id USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'What they said would be put aside with it; say it as a new message.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.require_last_word(muninn.turn, bigint, integer) IS
  'Refuses to put aside what follows a place in a turn''s conversation: while it is being answered, or if others have spoken since (55000). Example: SELECT muninn.require_last_word(muninn.own_turn(''assistant'', 1, 7), 1, 1)';

CREATE FUNCTION muninn.put_aside(this muninn.turn, beginning integer) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE muninn.message g SET replaced = true
  WHERE g.bot_id = this.bot_id AND g.thread_id = this.thread_id AND NOT g.replaced AND g.position >= beginning;
  -- Neither answered some day, nor read for memories.
  DELETE FROM muninn.job j WHERE j.bot_id = this.bot_id AND j.thread_id = this.thread_id AND (j.turn_id = this.id OR EXISTS (
    SELECT FROM muninn.turn u JOIN muninn.message g ON g.bot_id = u.bot_id AND g.id = u.message_id
    WHERE u.bot_id = j.bot_id AND u.id = j.turn_id AND g.replaced));
END
$$;
COMMENT ON FUNCTION muninn.put_aside(muninn.turn, integer) IS
  'Takes what was said from a place on out of a turn''s conversation, with the work that it made, and the turn''s own. Part of answer_again and edit_message. Example: SELECT muninn.put_aside(muninn.own_turn(''assistant'', 1, 7), 2)';

CREATE FUNCTION muninn.answer_again(bot text, person bigint, turn bigint, lease_seconds integer DEFAULT NULL,
  OUT turn_id bigint, OUT job_id bigint, OUT lease uuid)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.hold_own_turn(bot, person, turn);
  asked muninn.message;
BEGIN
  SELECT g.* INTO asked FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = this.message_id;
  PERFORM muninn.require_last_word(this, person, asked.position);
  IF asked.replaced OR EXISTS (SELECT FROM muninn.turn u WHERE u.bot_id = this.bot_id AND u.message_id = this.message_id AND u.id > turn) THEN
    RAISE EXCEPTION 'turn % was replaced by another', turn USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Answer the latest turn of the conversation anew.';
  END IF;
  -- What was said after it rests on the old answer.
  PERFORM muninn.put_aside(this, asked.position + 1);
  -- What was read for memories once says nothing new by being answered again.
  SELECT b.turn_id, b.job_id, b.lease INTO turn_id, job_id, lease
  FROM muninn.begin_turn(this.bot_id, person, this.thread_id, this.message_id, this.keeps AND this.kept IS NULL,
    this.channel, this.address, lease_seconds) b;
  UPDATE muninn.turn u SET kept = this.kept
  WHERE u.bot_id = this.bot_id AND u.id = answer_again.turn_id AND this.kept IS NOT NULL;
END
$$;
COMMENT ON FUNCTION muninn.answer_again(text, bigint, bigint, integer) IS
  'Has a message answered anew; the old answer and what followed are put aside. lease_seconds as in receive. Errors: 42501 somebody else''s, 42704, 55000 being answered, replaced already, or others have spoken since. Example: SELECT turn_id FROM muninn.answer_again(''assistant'', 1, 7)';

CREATE FUNCTION muninn.edit_message(bot text, person bigint, turn bigint, content text, lease_seconds integer DEFAULT NULL,
  OUT message_id bigint, OUT turn_id bigint, OUT job_id bigint, OUT lease uuid)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.hold_own_turn(bot, person, turn);
  old muninn.message;
BEGIN
  PERFORM muninn.check_message(content);
  SELECT g.* INTO old FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = this.message_id;
  PERFORM muninn.require_last_word(this, person, old.position);
  IF old.replaced THEN
    RAISE EXCEPTION 'turn % was replaced by another', turn USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Edit the message that took its place.';
  END IF;
  PERFORM muninn.put_aside(this, old.position);
  UPDATE muninn.thread t SET title = muninn.title_of(edit_message.content)
  WHERE t.bot_id = this.bot_id AND t.id = this.thread_id AND t.title = muninn.title_of(old.content);
  INSERT INTO muninn.message AS g (bot_id, thread_id, position, person_id, role, content, channel)
  VALUES (this.bot_id, this.thread_id, muninn.next_position(this.bot_id, this.thread_id), person, 'user', edit_message.content, old.channel)
  RETURNING g.id INTO message_id;
  SELECT b.turn_id, b.job_id, b.lease INTO turn_id, job_id, lease
  FROM muninn.begin_turn(this.bot_id, person, this.thread_id, message_id, this.keeps, this.channel, this.address, lease_seconds) b;
END
$$;
COMMENT ON FUNCTION muninn.edit_message(text, bigint, bigint, text, integer) IS
  'Says a turn''s message differently; the old one and all that followed are put aside. What was learned from it stays, with its own status. lease_seconds as in receive. Errors: 22023, 42501, 42704, 54000, 55000 being answered, replaced already, or others have spoken since. Example: SELECT turn_id FROM muninn.edit_message(''assistant'', 1, 7, ''When is my bus?'')';

CREATE FUNCTION muninn.turn_state(bot text, person bigint, turn bigint, after integer DEFAULT -1)
RETURNS TABLE (status text, message_id bigint, reply_id bigint, content text, seq integer, model text, kept integer, error text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.turn := muninn.require_turn(bot, person, turn);
BEGIN
  status := this.status;
  message_id := this.message_id;
  reply_id := this.reply_id;
  model := this.model;
  kept := this.kept;
  error := this.error;
  IF this.status IN ('waiting', 'running') THEN
    SELECT string_agg(d.content, '' ORDER BY d.seq), max(d.seq) INTO content, seq FROM muninn.turn_delta d
    WHERE d.bot_id = this.bot_id AND d.turn_id = turn AND d.seq > coalesce(after, -1)
      AND d.seq / 1000000 = (SELECT max(x.seq) / 1000000 FROM muninn.turn_delta x WHERE x.bot_id = this.bot_id AND x.turn_id = turn);
  ELSE
    SELECT g.content INTO content FROM muninn.message g WHERE g.bot_id = this.bot_id AND g.id = this.reply_id;
  END IF;
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION muninn.turn_state(text, bigint, bigint, integer) IS
  'How a turn stands. While it is answered, content is what was said after the piece seq = after, and seq the last piece (its millions say which attempt); then content is the whole answer. Errors: 42501, 42704. Example: SELECT status, content FROM muninn.turn_state(''assistant'', 1, 7)';

CREATE FUNCTION muninn.threads(bot text, person bigint, k integer DEFAULT 50, before timestamptz DEFAULT NULL)
RETURNS TABLE (thread text, title text, channel text, audience text, last_at timestamptz, created_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY SELECT t.key, t.title, t.channel, muninn.audience_name(a.kind, a.key), t.last_at, t.created_at
    FROM muninn.thread t JOIN muninn.audience a ON a.bot_id = t.bot_id AND a.id = t.audience_id
    WHERE t.bot_id = scope.bot_id AND t.audience_id = ANY (scope.audiences) AND t.channel IS NOT NULL
      AND (before IS NULL OR t.last_at < before)
    ORDER BY t.last_at DESC, t.id DESC LIMIT least(greatest(coalesce(k, 50), 1), 1000);
END
$$;
COMMENT ON FUNCTION muninn.threads(text, bigint, integer, timestamptz) IS
  'The conversations that a person may read, the latest first, k of them (1 to 1,000); before: the last_at of the last one of the page before. Errors: 42501, 42704. Example: SELECT thread, title FROM muninn.threads(''assistant'', 1)';

CREATE FUNCTION muninn.messages(bot text, person bigint, thread text, k integer DEFAULT 50, before integer DEFAULT NULL)
RETURNS TABLE (message_id bigint, place integer, role text, content text, name text, own boolean, created_at timestamptz,
  turn_id bigint, turn_status text, model text, kept integer, error text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  held muninn.thread;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  held := muninn.readable_thread(scope.bot_id, scope.audiences, thread);
  RETURN QUERY SELECT g.id, g.position, g.role, g.content, p.name, muninn.is_same_person(g.person_id, person), g.created_at,
      u.id, u.status, u.model, u.kept, u.error
    FROM (SELECT * FROM muninn.message g WHERE g.bot_id = scope.bot_id AND g.thread_id = held.id AND NOT g.replaced
            AND (before IS NULL OR g.position < before)
          ORDER BY g.position DESC LIMIT least(greatest(coalesce(k, 50), 1), 1000)) g
    LEFT JOIN muninn.person p ON p.id = g.person_id
    -- The latest turn of a question; of an answer the one that it answers.
    LEFT JOIN LATERAL (
      SELECT u.* FROM muninn.turn u WHERE u.bot_id = g.bot_id AND g.role = 'user' AND u.message_id = g.id
      UNION ALL
      SELECT u.* FROM muninn.turn u WHERE u.bot_id = g.bot_id AND g.role = 'assistant' AND u.reply_id = g.id
      ORDER BY id DESC LIMIT 1) u ON true
    ORDER BY g.position;
END
$$;
COMMENT ON FUNCTION muninn.messages(text, bigint, text, integer, integer) IS
  'The last k messages (1 to 1,000) of a conversation in their order, without what was replaced; before: the place of the first one of the page after. turn_id: the turn that a question began, or that an answer ended. None if there is no such conversation. Errors: 42501, 42704. Example: SELECT role, content FROM muninn.messages(''assistant'', 1, ''tuesday'')';

CREATE FUNCTION muninn.rename_thread(bot text, person bigint, thread text, title text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  held muninn.thread;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF coalesce(btrim(title), '') = '' OR length(title) > 200 THEN
    RAISE EXCEPTION 'a title has 1 to 200 characters' USING ERRCODE = 'invalid_parameter_value', HINT = 'Name the conversation.';
  END IF;
  held := muninn.readable_thread(scope.bot_id, scope.audiences, thread);
  UPDATE muninn.thread t SET title = btrim(rename_thread.title) WHERE t.bot_id = scope.bot_id AND t.id = held.id;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION muninn.rename_thread(text, bigint, text, text) IS
  'Names a conversation; false if there is none that the person may read. Errors: 22023, 42501, 42704. Example: SELECT muninn.rename_thread(''assistant'', 1, ''tuesday'', ''Trains'')';

CREATE FUNCTION muninn.turn_memories(bot text, person bigint, turn bigint)
RETURNS TABLE (memory_id bigint, content text, audience text, status text, used boolean, relevance double precision, version integer)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  this muninn.turn := muninn.require_turn(bot, person, turn);
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY
    SELECT d.memory_id, d.content, d.audience, d.status, x.used, x.relevance, d.version
    FROM (
      SELECT u.memory_id AS id, true AS used, u.relevance, u.rank FROM muninn.turn_memory u
      WHERE u.bot_id = this.bot_id AND u.turn_id = turn
      UNION ALL
      SELECT m.id, false, NULL, 1000000 FROM muninn.memory m
      WHERE m.bot_id = this.bot_id AND m.message_id = this.message_id) x
    JOIN muninn.memory_detail d ON d.bot_id = this.bot_id AND d.memory_id = x.id AND d.audience_id = ANY (scope.audiences)
    ORDER BY x.rank, d.memory_id;
END
$$;
COMMENT ON FUNCTION muninn.turn_memories(text, bigint, bigint) IS
  'The memories that were in the prompt of a turn (used), the best first, then those that were proposed from it. Errors: 42501, 42704. Example: SELECT memory_id, content FROM muninn.turn_memories(''assistant'', 1, 7)';
