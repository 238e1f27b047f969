-- Jobs and deliveries: claimed with a lease, tried again with back-off, given up
-- where a person sees it. Nothing is done twice: whoever lost a lease is told so.

CREATE FUNCTION muninn.lease_length(seconds integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF seconds IS NULL OR seconds NOT BETWEEN 1 AND 3600 THEN
    RAISE EXCEPTION 'a lease is % seconds, but must be from 1 to 3600', seconds USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Long enough for the work, and short enough to wait for if the worker dies: 60 for instance.';
  END IF;
  RETURN seconds;
END
$$;
COMMENT ON FUNCTION muninn.lease_length(integer) IS
  'Refuses a length of a lease that makes no sense (22023). Example: SELECT muninn.lease_length(60)';

CREATE FUNCTION muninn.retry_delay(attempts integer) RETURNS interval
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
RETURN make_interval(secs => least(600::double precision, power(2::double precision, (attempts OPERATOR(pg_catalog.-) 1)::double precision))
  OPERATOR(pg_catalog.*) (0.5::double precision OPERATOR(pg_catalog.+) random()));
COMMENT ON FUNCTION muninn.retry_delay(integer) IS
  'How long to wait after so many attempts: 1, 2, 4 … at most 600 seconds, each times .5 to 1.5 by chance, so that many do not come back at once. Example: SELECT muninn.retry_delay(3)';

CREATE FUNCTION muninn.acting_bots(bots text[]) RETURNS bigint[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT coalesce(array_agg(b.id), '{}'::bigint[]) FROM muninn.bot b
  WHERE (acting_bots.bots IS NULL OR b.name OPERATOR(pg_catalog.=) ANY (acting_bots.bots)) AND muninn.caller_acts(b.id);
END;
COMMENT ON FUNCTION muninn.acting_bots(text[]) IS
  'Of the named bots (NULL: all) those for whose persons the caller may act. No errors. Example: SELECT muninn.acting_bots(NULL)';

-- One order for all that lock several of these rows, so that no two wait for each
-- other: the bot, audiences by their id, the conversation, job, delivery, turn, message,
-- memories by their id. What changes a conversation, or a turn of it, begins here; a
-- job alone is held by claim_jobs and progress, which lock nothing above it.
CREATE FUNCTION muninn.hold_thread(bot_id bigint, person bigint, thread_id bigint) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  places bigint[];
BEGIN
  PERFORM FROM muninn.bot b WHERE b.id = hold_thread.bot_id FOR KEY SHARE;
  places := ARRAY(
    SELECT t.audience_id FROM muninn.thread t WHERE t.bot_id = hold_thread.bot_id AND t.id = hold_thread.thread_id
    UNION
    SELECT a.id FROM muninn.audience a
    WHERE a.bot_id = hold_thread.bot_id AND a.kind = 'personal' AND a.person_id = ANY (muninn.same_persons(hold_thread.person)));
  PERFORM FROM muninn.audience a WHERE a.bot_id = hold_thread.bot_id AND a.id = ANY (places) ORDER BY a.id FOR KEY SHARE;
  PERFORM FROM muninn.thread t WHERE t.bot_id = hold_thread.bot_id AND t.id = hold_thread.thread_id FOR NO KEY UPDATE;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION muninn.hold_thread(bigint, bigint, bigint) IS
  'Locks a conversation for a person, after the bot and the audiences; false if there is none (any more). Example: SELECT muninn.hold_thread(1, 1, 1)';

CREATE FUNCTION muninn.give_up(bot_id bigint, job bigint, error text) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.job;
BEGIN
  UPDATE muninn.job j SET status = 'dead', lease = NULL, leased_until = NULL, error = left(give_up.error, 2000)
  WHERE j.bot_id = give_up.bot_id AND j.id = job RETURNING j.* INTO this;
  IF this.kind = 'reply' THEN
    PERFORM muninn.close_turn(this.bot_id, this.turn_id, 'failed', NULL, NULL, this.error);
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.give_up(bigint, bigint, text) IS
  'Makes a job a dead letter, and its turn a failed one. Part of fail_job and claim_jobs. Example: SELECT muninn.give_up(1, 1, ''no model answered'')';

CREATE FUNCTION muninn.claim_jobs(kinds text[] DEFAULT NULL, k integer DEFAULT 1, lease_seconds integer DEFAULT 60, bots text[] DEFAULT NULL)
RETURNS TABLE (bot text, job_id bigint, kind text, person bigint, turn_id bigint, attempt integer, lease uuid, input jsonb)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  served bigint[] := muninn.acting_bots(bots);
  length integer := muninn.lease_length(lease_seconds);
  room integer := least(greatest(coalesce(k, 1), 1), 1000);
  wanted text;
  late record;
  claimed record;
BEGIN
  -- Whose worker died: again, or given up.
  FOR late IN
    SELECT j.bot_id, j.id, j.kind, j.turn_id, j.attempts, j.max_attempts FROM muninn.job j
    WHERE j.status = 'leased' AND j.leased_until < clock_timestamp() AND j.bot_id = ANY (served)
    ORDER BY j.leased_until LIMIT 100 FOR UPDATE SKIP LOCKED
  LOOP
    IF late.attempts >= late.max_attempts THEN
      PERFORM muninn.give_up(late.bot_id, late.id, 'whoever worked on it did not come back, ' || late.attempts || ' times');
    ELSE
      UPDATE muninn.job j SET status = 'waiting', lease = NULL, leased_until = NULL, due_at = clock_timestamp()
      WHERE j.bot_id = late.bot_id AND j.id = late.id;
      IF late.kind = 'reply' THEN
        UPDATE muninn.turn u SET status = 'waiting' WHERE u.bot_id = late.bot_id AND u.id = late.turn_id;
      END IF;
      -- It may be of a kind that this caller does not do.
      PERFORM pg_notify('muninn_job', late.kind);
    END IF;
  END LOOP;
  -- Somebody waits for an answer, nobody for an extraction.
  FOREACH wanted IN ARRAY '{reply,extract}'::text[] LOOP
    CONTINUE WHEN kinds IS NOT NULL AND NOT coalesce(wanted = ANY (kinds), false);
    FOR claimed IN
      SELECT j.bot_id, j.id, j.turn_id FROM muninn.job j
      WHERE j.kind = wanted AND j.status = 'waiting' AND j.due_at <= clock_timestamp() AND j.bot_id = ANY (served)
        -- A conversation is answered in its order. Who is answered again comes last
        -- (revive), so that what is leased always stands before what waits.
        AND (wanted <> 'reply' OR NOT EXISTS (
          SELECT FROM muninn.job b WHERE b.bot_id = j.bot_id AND b.thread_id = j.thread_id AND b.kind = 'reply'
            AND b.status <> 'dead' AND b.id < j.id))
      ORDER BY j.due_at, j.id LIMIT room FOR UPDATE SKIP LOCKED
    LOOP
      room := room - 1;
      RETURN QUERY UPDATE muninn.job j SET status = 'leased', attempts = j.attempts + 1, lease = gen_random_uuid(),
          leased_until = clock_timestamp() + make_interval(secs => length)
        FROM muninn.bot b
        WHERE j.bot_id = claimed.bot_id AND j.id = claimed.id AND b.id = j.bot_id
        RETURNING b.name, j.id, j.kind, j.person_id, j.turn_id, j.attempts, j.lease, j.input;
      IF wanted = 'reply' THEN
        UPDATE muninn.turn u SET status = 'running', started_at = coalesce(u.started_at, clock_timestamp())
        WHERE u.bot_id = claimed.bot_id AND u.id = claimed.turn_id;
      END IF;
    END LOOP;
  END LOOP;
END
$$;
COMMENT ON FUNCTION muninn.claim_jobs(text[], integer, integer, text[]) IS
  'Claims k jobs that are due, of these kinds (NULL: any) and bots (NULL: all for whose persons the caller may act), for so many seconds; then somebody else may. Replies before extractions; in each conversation the oldest first, one at a time. Errors: 22023. Example: SELECT job_id, kind FROM muninn.claim_jobs(''{reply}'', 4)';

CREATE FUNCTION muninn.take_job(bot_id bigint, person bigint, job bigint, lease uuid) RETURNS muninn.job
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.job;
BEGIN
  PERFORM muninn.hold_thread(j.bot_id, take_job.person, j.thread_id) FROM muninn.job j
  WHERE j.bot_id = take_job.bot_id AND j.id = job AND j.person_id = take_job.person;
  SELECT j.* INTO this FROM muninn.job j
  WHERE j.bot_id = take_job.bot_id AND j.id = job AND j.person_id = take_job.person AND j.status = 'leased' AND j.lease = take_job.lease
  FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'job % is no longer the caller''s', job USING ERRCODE = 'serialization_failure',
      HINT = 'It was done, stopped or taken over: nothing of this attempt may count.';
  END IF;
  RETURN this;
END
$$;
COMMENT ON FUNCTION muninn.take_job(bigint, bigint, bigint, uuid) IS
  'Locks a job that the caller has claimed, and its conversation. Errors: 40001 not any more. Example: SELECT (muninn.take_job(1, 1, 1, gen_random_uuid())).kind';

CREATE FUNCTION muninn.complete_job(bot text, person bigint, job bigint, lease uuid) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.job := muninn.take_job((muninn.scope(bot, person)).bot_id, person, job, lease);
BEGIN
  IF this.kind = 'reply' THEN
    RAISE EXCEPTION 'job % is a reply', job USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'muninn.finish_turn ends it.';
  END IF;
  DELETE FROM muninn.job j WHERE j.bot_id = this.bot_id AND j.id = this.id;
END
$$;
COMMENT ON FUNCTION muninn.complete_job(text, bigint, bigint, uuid) IS
  'Ends a job that is done. Errors: 40001 the lease is not valid any more, 42501, 42704, 55000 a reply, which finish_turn ends. Example: SELECT muninn.complete_job(''assistant'', 1, 3, gen_random_uuid())';

CREATE FUNCTION muninn.fail_job(
  bot text, person bigint, job bigint, lease uuid, error text, retry_after integer DEFAULT NULL,
  permanent boolean DEFAULT false, calls jsonb DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.job := muninn.take_job((muninn.scope(bot, person)).bot_id, person, job, lease);
BEGIN
  PERFORM muninn.record_calls(this.bot_id, person, this.turn_id, CASE this.kind WHEN 'reply' THEN 'chat' ELSE this.kind END, calls);
  IF permanent OR this.attempts >= this.max_attempts THEN
    PERFORM muninn.give_up(this.bot_id, this.id, coalesce(fail_job.error, 'unknown'));
    RETURN 'dead';
  END IF;
  UPDATE muninn.job j SET status = 'waiting', lease = NULL, leased_until = NULL, error = left(fail_job.error, 2000),
    due_at = clock_timestamp() + greatest(muninn.retry_delay(j.attempts), make_interval(secs => least(coalesce(retry_after, 0), 3600)))
  WHERE j.bot_id = this.bot_id AND j.id = this.id;
  IF this.kind = 'reply' THEN
    UPDATE muninn.turn u SET status = 'waiting', error = left(fail_job.error, 2000)
    WHERE u.bot_id = this.bot_id AND u.id = this.turn_id;
    PERFORM pg_notify('muninn_turn', this.bot_id || ':' || this.turn_id);
  END IF;
  RETURN 'waiting';
END
$$;
COMMENT ON FUNCTION muninn.fail_job(text, bigint, bigint, uuid, text, integer, boolean, jsonb) IS
  'Says that a job failed, and why (for people to read): it is tried again later, not before retry_after seconds, or given up after max_attempts or if permanent. calls: see muninn.record_calls. Returns waiting or dead. Errors: 22023 calls of another shape, 40001, 42501, 42704. Example: SELECT muninn.fail_job(''assistant'', 1, 3, gen_random_uuid(), ''the model is overloaded'', retry_after => 30)';

CREATE FUNCTION muninn.claim_deliveries(channel text, k integer DEFAULT 1, lease_seconds integer DEFAULT 60, bots text[] DEFAULT NULL)
RETURNS TABLE (bot text, delivery_id bigint, person bigint, message_id bigint, content text, address jsonb, attempt integer, lease uuid)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  served bigint[] := muninn.acting_bots(bots);
  length integer := muninn.lease_length(lease_seconds);
  claimed record;
BEGIN
  UPDATE muninn.delivery d SET lease = NULL, leased_until = NULL,
    status = CASE WHEN d.attempts >= d.max_attempts THEN 'dead' ELSE 'waiting' END,
    error = CASE WHEN d.attempts >= d.max_attempts THEN 'whoever delivered it did not come back' ELSE d.error END
  WHERE (d.bot_id, d.id) IN (
    SELECT e.bot_id, e.id FROM muninn.delivery e
    WHERE e.status = 'leased' AND e.leased_until < clock_timestamp() AND e.bot_id = ANY (served) AND e.channel = claim_deliveries.channel
    ORDER BY e.leased_until LIMIT 100 FOR UPDATE SKIP LOCKED);
  FOR claimed IN
    SELECT d.bot_id, d.id FROM muninn.delivery d
    WHERE d.channel = claim_deliveries.channel AND d.status = 'waiting' AND d.due_at <= clock_timestamp() AND d.bot_id = ANY (served)
      AND NOT EXISTS (SELECT FROM muninn.delivery b WHERE b.bot_id = d.bot_id AND b.thread_id = d.thread_id
        AND b.status IN ('waiting', 'leased') AND b.id < d.id)
    ORDER BY d.due_at, d.id LIMIT least(greatest(coalesce(k, 1), 1), 1000) FOR UPDATE SKIP LOCKED
  LOOP
    RETURN QUERY UPDATE muninn.delivery d SET status = 'leased', attempts = d.attempts + 1, lease = gen_random_uuid(),
        leased_until = clock_timestamp() + make_interval(secs => length)
      FROM muninn.bot b, muninn.message g
      WHERE d.bot_id = claimed.bot_id AND d.id = claimed.id AND b.id = d.bot_id AND g.bot_id = d.bot_id AND g.id = d.message_id
      RETURNING b.name, d.id, d.person_id, d.message_id, g.content, d.address, d.attempts, d.lease;
  END LOOP;
END
$$;
COMMENT ON FUNCTION muninn.claim_deliveries(text, integer, integer, text[]) IS
  'Claims k messages to send by a channel, for so many seconds; in each conversation the oldest first, one at a time. bots as in claim_jobs. Errors: 22023. Example: SELECT delivery_id, content FROM muninn.claim_deliveries(''telegram'', 10)';

CREATE FUNCTION muninn.delivered(bot text, person bigint, delivery bigint, lease uuid, external_id text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := (muninn.scope(bot, person)).bot_id;
BEGIN
  UPDATE muninn.delivery d SET status = 'delivered', delivered_at = clock_timestamp(), lease = NULL, leased_until = NULL,
    external_id = delivered.external_id, error = NULL
  WHERE d.bot_id = this_bot AND d.id = delivery AND d.person_id = person AND d.status = 'leased' AND d.lease = delivered.lease;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'delivery % is no longer the caller''s', delivery USING ERRCODE = 'serialization_failure',
      HINT = 'Somebody else has taken it over.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.delivered(text, bigint, bigint, uuid, text) IS
  'Says that a message was sent; external_id: what the channel calls it. Errors: 40001 the lease is not valid any more, 42501, 42704. Example: SELECT muninn.delivered(''assistant'', 1, 3, gen_random_uuid(), ''9:78'')';

CREATE FUNCTION muninn.fail_delivery(bot text, person bigint, delivery bigint, lease uuid, error text,
  retry_after integer DEFAULT NULL, permanent boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := (muninn.scope(bot, person)).bot_id;
  now_is text;
BEGIN
  UPDATE muninn.delivery d SET lease = NULL, leased_until = NULL, error = left(fail_delivery.error, 2000),
    status = CASE WHEN permanent OR d.attempts >= d.max_attempts THEN 'dead' ELSE 'waiting' END,
    due_at = clock_timestamp() + greatest(muninn.retry_delay(d.attempts), make_interval(secs => least(coalesce(retry_after, 0), 3600)))
  WHERE d.bot_id = this_bot AND d.id = delivery AND d.person_id = person AND d.status = 'leased' AND d.lease = fail_delivery.lease
  RETURNING d.status INTO now_is;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'delivery % is no longer the caller''s', delivery USING ERRCODE = 'serialization_failure',
      HINT = 'Somebody else has taken it over.';
  END IF;
  RETURN now_is;
END
$$;
COMMENT ON FUNCTION muninn.fail_delivery(text, bigint, bigint, uuid, text, integer, boolean) IS
  'Says that a message could not be sent, as fail_job does of a job. Returns waiting or dead. Errors: 40001, 42501, 42704. Example: SELECT muninn.fail_delivery(''assistant'', 1, 3, gen_random_uuid(), ''the chat is gone'', permanent => true)';

CREATE FUNCTION muninn.dead_letters(bot text, person bigint)
RETURNS TABLE (kind text, id bigint, turn_id bigint, thread text, said text, error text, attempts integer, created_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  persons bigint[] := muninn.same_persons(person);
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY
    SELECT x.kind, x.id, x.turn_id, t.key, left(g.content, 200), x.error, x.attempts, x.created_at FROM (
      SELECT j.kind, j.id, j.turn_id, j.thread_id, u.message_id, j.error, j.attempts, j.created_at
      FROM muninn.job j JOIN muninn.turn u ON u.bot_id = j.bot_id AND u.id = j.turn_id
      WHERE j.bot_id = scope.bot_id AND j.person_id = ANY (persons) AND j.status = 'dead'
      UNION ALL
      SELECT 'delivery', d.id, NULL, d.thread_id, d.message_id, d.error, d.attempts, d.created_at FROM muninn.delivery d
      WHERE d.bot_id = scope.bot_id AND d.person_id = ANY (persons) AND d.status = 'dead') x
    JOIN muninn.thread t ON t.bot_id = scope.bot_id AND t.id = x.thread_id AND t.audience_id = ANY (scope.audiences)
    JOIN muninn.message g ON g.bot_id = scope.bot_id AND g.id = x.message_id
    ORDER BY x.created_at DESC, x.id DESC LIMIT 1000;
END
$$;
COMMENT ON FUNCTION muninn.dead_letters(text, bigint) IS
  'What was given up for a person, the latest first: replies, extractions (kind extract) and deliveries, with the reason. Errors: 42501, 42704. Example: SELECT kind, id, error FROM muninn.dead_letters(''assistant'', 1)';

CREATE FUNCTION muninn.revive(bot_id bigint, persons bigint[], kind text, id bigint) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this muninn.job;
  place record;
BEGIN
  -- With a new id, which puts it behind what waits in its conversation already: nothing
  -- of that may be under way at the same time. The conversation is held as ids are
  -- handed out in it, so that they are in the order in which they can be seen.
  IF kind = 'delivery' THEN
    SELECT d.thread_id, d.person_id, d.channel INTO place FROM muninn.delivery d WHERE d.bot_id = revive.bot_id AND d.id = revive.id;
  ELSE
    SELECT j.thread_id, j.person_id INTO place FROM muninn.job j WHERE j.bot_id = revive.bot_id AND j.id = revive.id;
  END IF;
  PERFORM muninn.hold_thread(revive.bot_id, place.person_id, place.thread_id);
  IF kind = 'delivery' THEN
    UPDATE muninn.delivery d SET status = 'waiting', attempts = 0, due_at = clock_timestamp(), id = nextval('muninn.delivery_id')
    WHERE d.bot_id = revive.bot_id AND d.id = revive.id AND d.status = 'dead' AND (persons IS NULL OR d.person_id = ANY (persons));
    IF FOUND THEN
      PERFORM pg_notify('muninn_delivery', place.channel);
      RETURN true;
    END IF;
    RETURN false;
  END IF;
  UPDATE muninn.job j SET status = 'waiting', attempts = 0, due_at = clock_timestamp(), id = nextval('muninn.job_id')
  WHERE j.bot_id = revive.bot_id AND j.id = revive.id AND j.kind = revive.kind AND j.status = 'dead'
    AND (persons IS NULL OR j.person_id = ANY (persons))
  RETURNING j.* INTO this;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF this.kind = 'reply' THEN
    UPDATE muninn.turn u SET status = 'waiting', finished_at = NULL WHERE u.bot_id = this.bot_id AND u.id = this.turn_id;
  END IF;
  PERFORM pg_notify('muninn_job', this.kind);
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.revive(bigint, bigint[], text, bigint) IS
  'Lets a dead letter (of these persons, NULL: of anybody) be tried again, after what waits in its conversation. Part of retry_letter. Example: SELECT muninn.revive(1, ''{1}'', ''reply'', 3)';

CREATE FUNCTION muninn.retry_letter(bot text, person bigint, kind text, id bigint) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN muninn.revive(scope.bot_id, muninn.same_persons(person), kind, id);
END
$$;
COMMENT ON FUNCTION muninn.retry_letter(text, bigint, text, bigint) IS
  'Lets what was given up for the person be tried again from the start; kind and id as in dead_letters. False if there is none. Errors: 42501, 42704. Example: SELECT muninn.retry_letter(''assistant'', 1, ''reply'', 3)';

CREATE FUNCTION muninn.discard_letter(bot text, person bigint, kind text, id bigint) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  persons bigint[] := muninn.same_persons(person);
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF kind = 'delivery' THEN
    DELETE FROM muninn.delivery d WHERE d.bot_id = scope.bot_id AND d.id = discard_letter.id AND d.person_id = ANY (persons) AND d.status = 'dead';
  ELSE
    DELETE FROM muninn.job j WHERE j.bot_id = scope.bot_id AND j.id = discard_letter.id AND j.kind = discard_letter.kind
      AND j.person_id = ANY (persons) AND j.status = 'dead';
  END IF;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION muninn.discard_letter(text, bigint, text, bigint) IS
  'Takes what was given up off the list for good; a failed turn stays failed. False if there is none. Errors: 42501, 42704. Example: SELECT muninn.discard_letter(''assistant'', 1, ''reply'', 3)';

CREATE FUNCTION muninn.dead_work(bot_id bigint) RETURNS TABLE (thread_id bigint, person_id bigint)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT j.thread_id, j.person_id FROM muninn.job j
  WHERE j.bot_id OPERATOR(pg_catalog.=) dead_work.bot_id AND j.status OPERATOR(pg_catalog.=) 'dead'
  UNION
  SELECT d.thread_id, d.person_id FROM muninn.delivery d
  WHERE d.bot_id OPERATOR(pg_catalog.=) dead_work.bot_id AND d.status OPERATOR(pg_catalog.=) 'dead';
END;
COMMENT ON FUNCTION muninn.dead_work(bigint) IS
  'The conversations and persons of what a bot''s gateways have given up. Part of retry_letters. Example: SELECT * FROM muninn.dead_work(1)';

CREATE FUNCTION muninn_admin.dead_letters(bot text) RETURNS TABLE (kind text, id bigint, person bigint, error text, attempts integer, created_at timestamptz)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  PERFORM muninn.audit(this_bot, NULL, 'dead_letters');
  RETURN QUERY SELECT j.kind, j.id, j.person_id, j.error, j.attempts, j.created_at FROM muninn.job j
    WHERE j.bot_id = this_bot AND j.status = 'dead'
    UNION ALL
    SELECT 'delivery', d.id, d.person_id, d.error, d.attempts, d.created_at FROM muninn.delivery d
    WHERE d.bot_id = this_bot AND d.status = 'dead' ORDER BY 6 DESC LIMIT 1000;
END
$$;
COMMENT ON FUNCTION muninn_admin.dead_letters(text) IS
  'What a bot''s gateways have given up, of all persons, without what was said. Leaves an audit event. Errors: 42704. Example: SELECT * FROM muninn_admin.dead_letters(''assistant'')';

CREATE FUNCTION muninn_admin.retry_letters(bot text, kind text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  tried bigint;
BEGIN
  -- In the order of hold_thread, but all at once.
  PERFORM FROM muninn.bot b WHERE b.id = this_bot FOR KEY SHARE;
  PERFORM FROM muninn.audience a WHERE a.bot_id = this_bot AND a.id IN (
    SELECT t.audience_id FROM muninn.thread t WHERE t.bot_id = this_bot AND t.id IN (SELECT l.thread_id FROM muninn.dead_work(this_bot) l)
    UNION
    SELECT p.id FROM muninn.audience p, muninn.dead_work(this_bot) l
    WHERE p.bot_id = this_bot AND p.kind = 'personal' AND p.person_id = ANY (muninn.same_persons(l.person_id)))
  ORDER BY a.id FOR KEY SHARE;
  PERFORM FROM muninn.thread t WHERE t.bot_id = this_bot AND t.id IN (SELECT l.thread_id FROM muninn.dead_work(this_bot) l)
  ORDER BY t.id FOR NO KEY UPDATE;
  SELECT count(*) FILTER (WHERE muninn.revive(this_bot, NULL, l.kind, l.id)) INTO tried
  FROM muninn_admin.dead_letters(bot) l WHERE retry_letters.kind IS NULL OR l.kind = retry_letters.kind;
  PERFORM muninn.audit(this_bot, NULL, 'retry_letters', NULL, jsonb_build_object('letters', tried));
  RETURN tried;
END
$$;
COMMENT ON FUNCTION muninn_admin.retry_letters(text, text) IS
  'Lets all that a bot''s gateways have given up (of one kind: reply, extract, delivery) be tried again, at most 1,000; returns how many. Errors: 42704. Example: SELECT muninn_admin.retry_letters(''assistant'')';

-- What a gateway or a model hands over as JSON: of the right shape, or refused clearly.
CREATE FUNCTION muninn.json_objects(list jsonb, name text) RETURNS SETOF jsonb
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF list IS NULL OR jsonb_typeof(list) = 'null' THEN
    RETURN;
  END IF;
  IF jsonb_typeof(list) = 'array' THEN
    IF jsonb_array_length(list) <= 1000 AND NOT EXISTS (SELECT FROM jsonb_array_elements(list) e WHERE jsonb_typeof(e) <> 'object') THEN
      RETURN QUERY SELECT * FROM jsonb_array_elements(list);
      RETURN;
    END IF;
  END IF;
  RAISE EXCEPTION '% is no list of at most 1,000 objects', name USING ERRCODE = 'invalid_parameter_value',
    HINT = 'Pass a JSON array of objects; NULL or [] is none.';
END
$$;
COMMENT ON FUNCTION muninn.json_objects(jsonb, text) IS
  'The objects of a JSON array; none of NULL. Errors: 22023 it is something else. Example: SELECT muninn.json_objects(''[{"a": 1}]'', ''calls'')';

CREATE FUNCTION muninn.json_number(value jsonb, name text, most numeric) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF value IS NULL OR jsonb_typeof(value) = 'null' THEN
    RETURN NULL;
  END IF;
  IF jsonb_typeof(value) = 'number' THEN
    IF value::numeric BETWEEN 0 AND most THEN
      RETURN value::numeric;
    END IF;
  END IF;
  RAISE EXCEPTION '% is %, but must be a number from 0 to %', name, left(value::text, 100), most USING ERRCODE = 'invalid_parameter_value',
    HINT = 'Pass a JSON number, or null where it is not known.';
END
$$;
COMMENT ON FUNCTION muninn.json_number(jsonb, text, numeric) IS
  'A JSON number from 0 to some bound; NULL of null. Errors: 22023 it is something else. Example: SELECT muninn.json_number(''7'', ''input_tokens'', 1000)';

CREATE FUNCTION muninn.record_calls(bot_id bigint, person bigint, turn bigint, role text, calls jsonb) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  one jsonb;
  tokens_in bigint;
  tokens_cached bigint;
  tokens_out bigint;
BEGIN
  FOR one IN SELECT * FROM muninn.json_objects(calls, 'calls') LOOP
    IF coalesce(one ->> 'provider', '') = '' OR coalesce(one ->> 'model', '') = '' THEN
      RAISE EXCEPTION 'a call names no provider or no model' USING ERRCODE = 'invalid_parameter_value',
        HINT = 'For instance [{"provider": "openai", "model": "gpt", "input_tokens": 12}].';
    END IF;
    tokens_in := round(muninn.json_number(one -> 'input_tokens', 'input_tokens', 1e12));
    tokens_cached := round(muninn.json_number(one -> 'cached_tokens', 'cached_tokens', 1e12));
    tokens_out := round(muninn.json_number(one -> 'output_tokens', 'output_tokens', 1e12));
    INSERT INTO muninn.model_call (bot_id, person_id, turn_id, role, provider, model, input_tokens, cached_tokens, output_tokens, cost, duration_ms, error)
    VALUES (record_calls.bot_id, record_calls.person, turn, record_calls.role, left(one ->> 'provider', 200), left(one ->> 'model', 200), tokens_in, tokens_cached, tokens_out,
      -- Unknown is not zero: without a price, or without counts that make sense, there is no cost.
      CASE WHEN coalesce(tokens_cached, 0) <= tokens_in THEN
        (SELECT ((tokens_in - coalesce(tokens_cached, 0)) * p.input + coalesce(tokens_cached, 0) * coalesce(p.cached, p.input) + tokens_out * p.output) / 1000000
         FROM muninn.model_price p
         WHERE p.provider = left(one ->> 'provider', 200) AND p.model = left(one ->> 'model', 200) AND p.since <= clock_timestamp()
         ORDER BY p.since DESC LIMIT 1) END,
      round(muninn.json_number(one -> 'duration_ms', 'duration_ms', 2147483647)), left(one ->> 'error', 500));
  END LOOP;
END
$$;
COMMENT ON FUNCTION muninn.record_calls(bigint, bigint, bigint, text, jsonb) IS
  'Keeps what models were called: objects with provider, model, input_tokens (cached_tokens of them from a cache), output_tokens, duration_ms, error. The cost is by the price of now, NULL where it is not known. Part of finish_turn, fail_job and apply_extraction. Errors: 22023 another shape. Example: SELECT muninn.record_calls(1, 1, NULL, ''chat'', ''[{"provider": "offline", "model": "memory"}]'')';

CREATE FUNCTION muninn.usage(bot text, person bigint, since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL)
RETURNS TABLE (day date, role text, provider text, model text, calls bigint, failed bigint, input_tokens bigint, output_tokens bigint, cost numeric, unknown_cost bigint)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY SELECT (c.at AT TIME ZONE 'UTC')::date, c.role, c.provider, c.model, count(*), count(c.error),
      sum(c.input_tokens)::bigint, sum(c.output_tokens)::bigint, sum(c.cost), count(*) FILTER (WHERE c.cost IS NULL)
    FROM muninn.model_call c
    WHERE c.bot_id = scope.bot_id AND c.person_id = ANY (muninn.same_persons(person))
      AND (since IS NULL OR c.at >= since) AND (until IS NULL OR c.at < until)
    GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4;
END
$$;
COMMENT ON FUNCTION muninn.usage(text, bigint, timestamptz, timestamptz) IS
  'What a person''s turns used of each model, by day (UTC): calls, those that failed, tokens, US dollars; unknown_cost: calls whose cost is not known and not in the sum. Errors: 42501, 42704. Example: SELECT day, model, cost FROM muninn.usage(''assistant'', 1)';

CREATE FUNCTION muninn_admin.set_price(provider text, model text, input numeric, output numeric, cached numeric DEFAULT NULL, since timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- NaN is above infinity.
  IF coalesce(provider, '') = '' OR coalesce(model, '') = '' OR greatest(length(provider), length(model)) > 200
     OR input IS NULL OR output IS NULL OR least(input, output, cached) < 0 OR greatest(input, output, cached) >= 'Infinity' THEN
    RAISE EXCEPTION 'a price needs a provider, a model, and amounts of at least 0' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'In US dollars for a million tokens: muninn_admin.set_price(''openai'', ''gpt'', 1.25, 10).';
  END IF;
  INSERT INTO muninn.model_price AS p (provider, model, since, input, cached, output)
  VALUES (set_price.provider, set_price.model, coalesce(set_price.since, clock_timestamp()), set_price.input, set_price.cached, set_price.output)
  ON CONFLICT ON CONSTRAINT model_price_pkey DO UPDATE SET input = excluded.input, cached = excluded.cached, output = excluded.output;
  PERFORM muninn.audit(0, NULL, 'set_price', NULL, jsonb_build_object('provider', set_price.provider, 'model', set_price.model));
END
$$;
COMMENT ON FUNCTION muninn_admin.set_price(text, text, numeric, numeric, numeric, timestamptz) IS
  'What a model costs from an instant on (now): US dollars for a million tokens read, written, and read from a cache. Errors: 22023. Example: SELECT muninn_admin.set_price(''openai'', ''gpt'', 1.25, 10, cached => 0.125)';
