-- What people do with memories: confirm, reject, correct, supersede, retract,
-- share, reinforce, contradict. Each looks, locks, compares, decides.

CREATE FUNCTION muninn.reviews(bot_id bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM muninn.reviewer r
                 WHERE r.bot_id OPERATOR(pg_catalog.=) reviews.bot_id
                   AND r.person_id OPERATOR(pg_catalog.=) reviews.person);
END;
COMMENT ON FUNCTION muninn.reviews(bigint, bigint) IS
  'Whether a person decides about what is shared by a bot. No errors. Example: SELECT muninn.reviews(1, 1)';

-- The one place where a memory is taken in hand.
CREATE FUNCTION muninn.take(
  bot text, person bigint, memory bigint, verb text, version integer,
  OUT bot_id bigint, OUT audience_id bigint, OUT kind text, OUT author_id bigint,
  OUT status text, OUT becomes text, OUT found_version integer
)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  seen integer;
  said_it boolean;
  mine boolean;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF memory IS NULL THEN
    RAISE EXCEPTION 'no memory is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the memory_id that remember, recall or memories returned.';
  END IF;
  bot_id := scope.bot_id;
  SELECT m.version, m.audience_id INTO seen, audience_id FROM muninn.memory m
  WHERE m.bot_id = take.bot_id AND m.id = memory AND m.audience_id = ANY (scope.audiences);
  IF seen IS NULL THEN
    RAISE EXCEPTION 'there is no memory % that person % may read', memory, person
      USING ERRCODE = 'undefined_object', HINT = 'It may have been forgotten, or never been shared.';
  END IF;
  -- Before the memory, as in erase; the bot first, as a verb may go on to another audience.
  PERFORM FROM muninn.bot b WHERE b.id = take.bot_id FOR KEY SHARE;
  PERFORM FROM muninn.audience a WHERE a.bot_id = take.bot_id AND a.id = take.audience_id FOR KEY SHARE;
  SELECT m.audience_id, a.kind, m.author_id, m.status, m.version
  INTO audience_id, kind, author_id, status, found_version
  FROM muninn.memory m JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
  WHERE m.bot_id = take.bot_id AND m.id = memory AND m.audience_id = ANY (scope.audiences)
  FOR NO KEY UPDATE OF m;
  IF NOT FOUND OR found_version <> seen OR found_version <> take.version THEN
    RAISE EXCEPTION 'memory % was changed by somebody else: %', memory,
        CASE WHEN found_version IS NULL THEN 'it is gone'
             ELSE format('it is %s now, in version %s', status, found_version) END
      USING ERRCODE = 'serialization_failure', HINT = 'Look at it again, and decide anew.';
  END IF;
  said_it := muninn.is_same_person(author_id, person);
  mine := CASE
    WHEN kind = 'personal' OR verb IN ('reinforce', 'contradict') THEN true
    WHEN verb IN ('confirm', 'reject') THEN muninn.reviews(bot_id, person)
      OR (said_it AND NOT EXISTS (SELECT FROM muninn.reviewer r WHERE r.bot_id = take.bot_id))
    -- Where it would go belongs to its author, and nobody else learns what is there.
    WHEN verb = 'unshare' THEN said_it
    ELSE said_it OR muninn.reviews(bot_id, person) END;
  IF NOT mine THEN
    RAISE EXCEPTION 'memory % belongs to others too', memory USING ERRCODE = 'insufficient_privilege',
      HINT = CASE WHEN verb IN ('confirm', 'reject') THEN 'What is shared is decided by a reviewer of the bot.'
        WHEN verb = 'unshare' THEN 'Who said it can take it back to themselves; a reviewer can retract it.'
        ELSE 'What is shared can be changed by the person who said it, or a reviewer of the bot.' END;
  END IF;
  becomes := muninn.next_status(verb, status);
  IF becomes IS NULL THEN
    RAISE EXCEPTION 'memory % is %: it cannot be changed by %', memory, status, verb
      USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = CASE status WHEN 'superseded' THEN 'Look at the memory that took its place (superseded_by).'
        WHEN 'verified' THEN 'Take it back with muninn.retract.'
        WHEN 'rejected' THEN 'muninn.confirm it first if it is true after all.'
        ELSE 'Remember it anew if it is true after all.' END;
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.take(text, bigint, bigint, text, integer) IS
  'Locks a memory for a verb of a person and says what it becomes: refuses what the person may not do (42501), what cannot be done in its state (55000), and what was changed since it was looked at (40001): by somebody else at this moment, or since the version that the caller saw. Part of every verb. Example: SELECT becomes FROM muninn.take(''assistant'', 1, 42, ''confirm'', NULL)';

CREATE FUNCTION muninn.change_belief(
  bot_id bigint, memory bigint, status text, at timestamptz,
  ended boolean DEFAULT false, valid_to timestamptz DEFAULT NULL, superseded_by bigint DEFAULT NULL
) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO muninn.memory_belief (bot_id, memory_id, known_from, known_to, status, valid_from, valid_to)
  SELECT m.bot_id, m.id, m.believed_from, change_belief.at, m.status, m.valid_from, m.valid_to
  FROM muninn.memory m
  WHERE m.bot_id = change_belief.bot_id AND m.id = memory AND m.believed_from < change_belief.at;
  UPDATE muninn.memory m SET
    status = change_belief.status, version = m.version + 1, believed_from = change_belief.at,
    ended_at = CASE WHEN ended THEN change_belief.at END,
    valid_to = coalesce(change_belief.valid_to, m.valid_to),
    superseded_by = coalesce(change_belief.superseded_by, m.superseded_by)
  WHERE m.bot_id = change_belief.bot_id AND m.id = memory;
  INSERT INTO muninn.contradiction_due (bot_id, memory_id) VALUES (change_belief.bot_id, memory);
END
$$;
COMMENT ON FUNCTION muninn.change_belief(bigint, bigint, text, timestamptz, boolean, timestamptz, bigint) IS
  'Changes what is believed of a memory from an instant on, and keeps what was believed before. Part of the verbs. Example: SELECT muninn.change_belief(1, 42, ''retracted'', now(), ended => true)';

-- Time of a change: after everything that this memory has seen.
CREATE FUNCTION muninn.change_time(bot_id bigint, memory bigint) RETURNS timestamptz
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT greatest(clock_timestamp(), m.believed_from OPERATOR(pg_catalog.+) '1 microsecond'::interval)
  FROM muninn.memory m
  WHERE m.bot_id OPERATOR(pg_catalog.=) change_time.bot_id AND m.id OPERATOR(pg_catalog.=) change_time.memory;
END;
COMMENT ON FUNCTION muninn.change_time(bigint, bigint) IS
  'Now, or an instant after the last change of the memory, where the clock stood still or went back. Example: SELECT muninn.change_time(1, 42)';

CREATE FUNCTION muninn.is_reserved_source(source text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN source OPERATOR(pg_catalog.~*) '^[[:space:]]*(person|memory)[[:space:]]*:';
COMMENT ON FUNCTION muninn.is_reserved_source(text) IS
  'Whether a source of evidence stands for the word of a person or a memory, which nobody else may give. Example: SELECT muninn.is_reserved_source(''person:1'')';

CREATE FUNCTION muninn.add_evidence(
  bot_id bigint, memory bigint, kind text, source text, person bigint, strength double precision
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO muninn.evidence (bot_id, memory_id, kind, source, person_id, strength)
  VALUES (bot_id, memory, kind, source, person, strength) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO muninn.confidence_due (bot_id, memory_id) VALUES (bot_id, memory) ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.add_evidence(bigint, bigint, text, text, bigint, double precision) IS
  'Adds a piece of evidence, once a source; true if it is new. Part of the verbs. Example: SELECT muninn.add_evidence(1, 42, ''confirmation'', ''person:1'', 1, .9)';

CREATE FUNCTION muninn.repeat(
  bot_id bigint, person bigint, memory bigint, source text, tags text[], verified boolean,
  summary text, kind text, claim jsonb
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  known record;
  now_is record;
  decides boolean;
  added text[];
  refused text[];
BEGIN
  SELECT m.status, m.tags, m.audience_id, m.author_id, m.summary, m.kind, m.claim, a.kind AS place INTO known
  FROM muninn.memory m JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
  WHERE m.bot_id = repeat.bot_id AND m.id = memory FOR NO KEY UPDATE OF m;
  IF NOT FOUND OR known.status NOT IN ('candidate', 'verified') THEN
    RAISE EXCEPTION 'the memory that says the same was changed by somebody else'
      USING ERRCODE = 'serialization_failure', HINT = 'Repeat the transaction.';
  END IF;
  -- The word of another person or memory is not for this one to give.
  IF muninn.add_evidence(bot_id, memory, 'repetition',
      CASE WHEN muninn.is_reserved_source(source) THEN format('person:%s', person) ELSE source END, person, 0.7) THEN
    PERFORM muninn.audit(bot_id, person, 'repeat', memory);
  END IF;
  decides := known.place = 'personal' OR muninn.reviews(bot_id, person);
  -- What is new of it is its author's to add, or a reviewer's: what was empty is
  -- filled, and what says otherwise is left to muninn.correct.
  now_is := known;
  IF decides OR muninn.is_same_person(known.author_id, person) THEN
    now_is.tags := known.tags || ARRAY(SELECT t FROM unnest(repeat.tags) t WHERE t <> ALL (known.tags));
    now_is.summary := coalesce(known.summary, repeat.summary);
    now_is.claim := coalesce(known.claim, repeat.claim);
    now_is.kind := CASE WHEN known.kind = 'statement' THEN coalesce(repeat.kind, known.kind) ELSE known.kind END;
  END IF;
  added := array_remove(ARRAY[
    CASE WHEN now_is.tags <> known.tags THEN 'tags' END, CASE WHEN now_is.summary IS DISTINCT FROM known.summary THEN 'summary' END,
    CASE WHEN now_is.claim IS DISTINCT FROM known.claim THEN 'claim' END, CASE WHEN now_is.kind <> known.kind THEN 'kind' END], NULL);
  IF added <> '{}' THEN
    UPDATE muninn.memory m SET tags = now_is.tags, summary = now_is.summary, claim = now_is.claim, kind = now_is.kind
    WHERE m.bot_id = repeat.bot_id AND m.id = memory;
    PERFORM muninn.audit(bot_id, person, 'add', memory, jsonb_build_object('added', added));
    -- With a new summary all of the index is made anew; that is done where the model is.
    IF 'tags' = ANY (added) AND NOT 'summary' = ANY (added) THEN
      PERFORM muninn.reindex(bot_id, memory, known.audience_id);
    END IF;
  END IF;
  -- What a model suggested and the person then says is confirmed by that.
  IF verified AND known.status = 'candidate' AND decides THEN
    PERFORM muninn.change_belief(bot_id, memory, 'verified', muninn.change_time(bot_id, memory));
    PERFORM muninn.audit(bot_id, person, 'confirm', memory, '{"from": "candidate"}');
    PERFORM muninn.apply_claim(bot_id, person, memory);
  ELSIF 'claim' = ANY (added) THEN
    PERFORM muninn.apply_claim(bot_id, person, memory);
  END IF;
  refused := array_remove(ARRAY[CASE WHEN now_is.summary IS DISTINCT FROM coalesce(repeat.summary, now_is.summary) THEN 'summary' END,
    CASE WHEN now_is.claim IS DISTINCT FROM coalesce(repeat.claim, now_is.claim) THEN 'claim' END,
    CASE WHEN now_is.kind <> repeat.kind THEN 'kind' END], NULL);
  IF refused <> '{}' THEN
    RAISE NOTICE 'memory % says this already, and keeps its %', memory, array_to_string(refused, ' and ')
      USING HINT = 'muninn.correct(bot, person, memory, content, …) puts another version in its place.';
  END IF;
  RETURN 'summary' = ANY (added);
END
$$;
COMMENT ON FUNCTION muninn.repeat(bigint, bigint, bigint, text, text[], boolean, text, text, jsonb) IS
  'What it means for a memory that somebody says the same again: a piece of evidence, once a source; new tags are added, summary, kind and claim fill what was empty, and a NOTICE names what says otherwise; a candidate is confirmed where a person may decide that. Returns whether there is a new summary, with which the memory has to be indexed anew. Part of remember. Example: SELECT muninn.repeat(1, 1, 42, ''person:1'', ''{}'', true, NULL, NULL, NULL)';

CREATE FUNCTION muninn.confirm(
  bot text, person bigint, memory bigint, version integer DEFAULT NULL, reason text DEFAULT NULL
) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
BEGIN
  SELECT * INTO taken FROM muninn.take(bot, person, memory, 'confirm', version);
  IF taken.status = 'rejected' AND EXISTS (
    SELECT FROM muninn.memory m JOIN muninn.memory t ON t.bot_id = m.bot_id AND t.audience_id = m.audience_id
      AND t.digest = m.digest AND t.status IN ('candidate', 'verified')
    WHERE m.bot_id = taken.bot_id AND m.id = memory) THEN
    RAISE EXCEPTION 'another memory says the same as memory % already', memory USING ERRCODE = 'unique_violation',
      HINT = 'Confirm that one.';
  END IF;
  PERFORM muninn.add_evidence(taken.bot_id, memory, 'confirmation', format('person:%s', person), person, 0.9);
  IF taken.becomes <> taken.status THEN
    PERFORM muninn.change_belief(taken.bot_id, memory, taken.becomes, muninn.change_time(taken.bot_id, memory));
    PERFORM muninn.audit(taken.bot_id, person, 'confirm', memory,
      jsonb_build_object('from', taken.status, 'reason', muninn.check_reason(reason)));
    PERFORM muninn.apply_claim(taken.bot_id, person, memory);
    taken.found_version := taken.found_version + 1;
  END IF;
  RETURN taken.found_version;
END
$$;
COMMENT ON FUNCTION muninn.confirm(text, bigint, bigint, integer, text) IS
  'Says that a memory is so: a candidate, or what was rejected, becomes verified; returns its version. version: the one that the caller saw. What is shared is confirmed by a reviewer. Errors: 23505 the same is believed there already, 40001 it was changed meanwhile, 42501, 42704, 55000 it is superseded or retracted. Example: SELECT muninn.confirm(''assistant'', 1, 42)';

-- What rejecting and retracting have in common: the memory is believed no more.
CREATE FUNCTION muninn.stop_believing(
  verb text, bot text, person bigint, memory bigint, version integer, reason text
) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
BEGIN
  SELECT * INTO taken FROM muninn.take(bot, person, memory, verb, version);
  IF taken.becomes <> taken.status THEN
    PERFORM muninn.change_belief(taken.bot_id, memory, taken.becomes,
      muninn.change_time(taken.bot_id, memory), ended => true);
    PERFORM muninn.audit(taken.bot_id, person, verb, memory,
      jsonb_build_object('from', taken.status, 'reason', muninn.check_reason(reason)));
    taken.found_version := taken.found_version + 1;
  END IF;
  RETURN taken.found_version;
END
$$;
COMMENT ON FUNCTION muninn.stop_believing(text, text, bigint, bigint, integer, text) IS
  'Ends the belief in a memory by a verb, reject or retract; returns its version. Example: SELECT muninn.stop_believing(''reject'', ''assistant'', 1, 42, NULL, NULL)';

CREATE FUNCTION muninn.reject(
  bot text, person bigint, memory bigint, version integer DEFAULT NULL, reason text DEFAULT NULL
) RETURNS integer
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.stop_believing('reject', bot, person, memory, version, reason);
END;
COMMENT ON FUNCTION muninn.reject(text, bigint, bigint, integer, text) IS
  'Decides against a candidate: it is recalled no more; returns its version. Arguments and errors as for confirm; what was verified is taken back with retract. Example: SELECT muninn.reject(''assistant'', 1, 42)';

CREATE FUNCTION muninn.retract(
  bot text, person bigint, memory bigint, version integer DEFAULT NULL, reason text DEFAULT NULL
) RETURNS integer
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.stop_believing('retract', bot, person, memory, version, reason);
END;
COMMENT ON FUNCTION muninn.retract(text, bigint, bigint, integer, text) IS
  'Takes a memory back: it is believed no more, but kept, so that known_at still answers what was believed; returns its version. Arguments and errors as for confirm. Example: SELECT muninn.retract(''assistant'', 1, 42)';

CREATE FUNCTION muninn.check_reason(reason text) RETURNS text
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF octet_length(reason) > 1000 THEN
    RAISE EXCEPTION 'the reason has % bytes, more than the 1000 allowed', octet_length(reason)
      USING ERRCODE = 'program_limit_exceeded', HINT = 'Say it in a sentence.';
  END IF;
  RETURN nullif(btrim(reason), '');
END
$$;
COMMENT ON FUNCTION muninn.check_reason(text) IS
  'A reason without white space around it, NULL if nothing is left. Errors: 54000 more than 1,000 bytes. Example: SELECT muninn.check_reason('' a joke '')';

CREATE FUNCTION muninn.correct(
  bot text, person bigint, memory bigint, content text, version integer DEFAULT NULL,
  summary text DEFAULT NULL, tags text[] DEFAULT NULL, claim jsonb DEFAULT NULL,
  valid_from timestamptz DEFAULT NULL, valid_to timestamptz DEFAULT NULL,
  embedding real[] DEFAULT NULL, reason text DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
  old muninn.memory;
  at timestamptz;
  made bigint;
BEGIN
  SELECT * INTO taken FROM muninn.take(bot, person, memory, 'correct', version);
  SELECT m.* INTO old FROM muninn.memory m WHERE m.bot_id = taken.bot_id AND m.id = memory;
  IF muninn.normalised(content) = muninn.normalised(old.content) AND correct.summary IS NULL
     AND correct.tags IS NULL AND correct.claim IS NULL AND correct.valid_from IS NULL AND correct.valid_to IS NULL THEN
    RAISE EXCEPTION 'the correction says the same as memory %', memory
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Pass the right content, or muninn.confirm it as it is.';
  END IF;
  at := muninn.change_time(taken.bot_id, memory);
  -- First out of the way, so that the new version may say the same in other words.
  PERFORM muninn.change_belief(taken.bot_id, memory, taken.becomes, at, ended => true);
  made := muninn.remember(bot, person, content,
    summary => coalesce(correct.summary, CASE WHEN content = old.content THEN old.summary END),
    tags => coalesce(correct.tags, old.tags), kind => old.kind,
    audience => (SELECT muninn.audience_name(a.kind, a.key) FROM muninn.audience a
                 WHERE a.bot_id = old.bot_id AND a.id = old.audience_id),
    claim => coalesce(correct.claim, CASE WHEN content = old.content THEN old.claim END),
    confidence => CASE WHEN content = old.content THEN old.confidence END,
    valid_from => coalesce(correct.valid_from, old.valid_from),
    valid_to => coalesce(correct.valid_to, old.valid_to),
    source => old.source, embedding => correct.embedding);
  UPDATE muninn.memory m SET superseded_by = made WHERE m.bot_id = taken.bot_id AND m.id = memory;
  -- A turn that is corrected keeps its place, and goes with its conversation.
  UPDATE muninn.memory m SET created_at = at, believed_from = at, message_id = old.message_id,
    thread_id = old.thread_id, thread_position = old.thread_position,
    digest = CASE WHEN old.thread_id IS NULL THEN m.digest END
  WHERE m.bot_id = taken.bot_id AND m.id = made AND m.created_at < at AND m.version = 1
    -- Not where the same was there already, which is repeated by this.
    AND NOT EXISTS (SELECT FROM muninn.evidence e
                    WHERE e.bot_id = m.bot_id AND e.memory_id = m.id AND e.kind = 'repetition');
  PERFORM muninn.audit(taken.bot_id, person, 'correct', memory,
    jsonb_build_object('by', made, 'from', taken.status, 'reason', muninn.check_reason(reason)));
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.correct(text, bigint, bigint, text, integer, text, text[], jsonb, timestamptz, timestamptz, real[], text) IS
  'Puts a right version in the place of a memory that never was so, and returns its id: it keeps tags, kind, audience, times and source where nothing else is given; the old one is superseded, and known_at an earlier instant still answers with it. version: the one that the caller saw. Errors: 22023 the same content, 40001 changed meanwhile, 42501, 42704, 55000; those of remember. Example: SELECT muninn.correct(''assistant'', 1, 42, ''My cat must not eat onions.'')';

CREATE FUNCTION muninn.supersede(
  bot text, person bigint, memory bigint, by bigint, at timestamptz DEFAULT NULL,
  version integer DEFAULT NULL, reason text DEFAULT NULL
) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
  old record;
  new record;
  ends timestamptz;
BEGIN
  IF by IS NULL THEN
    RAISE EXCEPTION 'no successor is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the memory_id of what is true now.';
  ELSIF by = memory THEN
    RAISE EXCEPTION 'memory % cannot take its own place', memory USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Name the memory that is true now.';
  END IF;
  -- In the order of their ids, so that two at once do not wait for each other.
  SELECT * INTO taken FROM muninn.scope(bot, person);
  PERFORM FROM muninn.memory m WHERE m.bot_id = taken.bot_id AND m.id IN (memory, by)
    AND m.audience_id = ANY (taken.audiences) ORDER BY m.id FOR NO KEY UPDATE;
  SELECT * INTO taken FROM muninn.take(bot, person, memory, 'supersede', version);
  SELECT m.valid_from, m.status INTO new FROM muninn.memory m
  WHERE m.bot_id = taken.bot_id AND m.id = by AND m.audience_id = taken.audience_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no memory % for the same people as memory %', by, memory
      USING ERRCODE = 'undefined_object', HINT = 'The successor has to be in the same audience: share or remember it there.';
  END IF;
  IF new.status NOT IN ('candidate', 'verified') THEN
    RAISE EXCEPTION 'memory % is % and cannot take a place', by, new.status
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Name a memory that is believed.';
  END IF;
  SELECT m.valid_from, m.valid_to INTO old FROM muninn.memory m WHERE m.bot_id = taken.bot_id AND m.id = memory;
  ends := coalesce(supersede.at, greatest(new.valid_from, old.valid_from + interval '1 microsecond'));
  IF ends <= old.valid_from THEN
    RAISE EXCEPTION 'memory % became true only at %', memory, old.valid_from
      USING ERRCODE = 'invalid_parameter_value', HINT = 'If it never was so, use muninn.correct or muninn.retract.';
  END IF;
  PERFORM muninn.change_belief(taken.bot_id, memory, taken.becomes, muninn.change_time(taken.bot_id, memory),
    valid_to => least(ends, old.valid_to), superseded_by => by);
  PERFORM muninn.audit(taken.bot_id, person, 'supersede', memory,
    jsonb_build_object('by', by, 'from', taken.status, 'reason', muninn.check_reason(reason)));
  RETURN taken.found_version + 1;
END
$$;
COMMENT ON FUNCTION muninn.supersede(text, bigint, bigint, bigint, timestamptz, integer, text) IS
  'Puts another memory in the place of one that was true until then (at; by default from when the other is true): it is recalled no more, but as_of an earlier instant still answers with it; returns its version. Both are for the same people. Errors: 22023 at is not after it became true, 40001 changed meanwhile, 42501, 42704, 55000. Example: SELECT muninn.supersede(''assistant'', 1, 42, 43)';

-- What reinforcing and contradicting have in common: a sign, counted once a source.
CREATE FUNCTION muninn.give_evidence(
  verb text, bot text, person bigint, memory bigint, strength double precision, source text
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
  named CONSTANT text := coalesce(muninn.check_reason(source), format('person:%s', person));
  counted boolean;
BEGIN
  IF strength IS NULL OR NOT (strength > 0.5 AND strength < 1) THEN
    RAISE EXCEPTION 'the strength is %, but must be above 0.5 and below 1', coalesce(strength::text, 'NULL')
      USING ERRCODE = 'invalid_parameter_value', HINT = CASE verb
        WHEN 'reinforce' THEN 'What speaks against it goes to muninn.contradict.'
        ELSE 'It says how strongly this speaks against the memory.' END;
  END IF;
  SELECT * INTO taken FROM muninn.take(bot, person, memory, verb, NULL);
  IF muninn.is_reserved_source(named) AND named <> format('person:%s', person) AND NOT EXISTS (
    SELECT FROM muninn.memory m WHERE m.bot_id = taken.bot_id
      AND m.id = CASE WHEN named ~ '^memory:[1-9][0-9]{0,17}$' THEN substr(named, 8)::bigint END
      AND m.audience_id = taken.audience_id AND muninn.is_same_person(m.author_id, person)) THEN
    RAISE EXCEPTION '"%" is no source that person % can name', left(named, 100), person
      USING ERRCODE = 'invalid_parameter_value',
      HINT = 'What begins with person: or memory: stands for the word of that person, or of a memory that the person said to the same people: name the source otherwise, or none.';
  END IF;
  counted := muninn.add_evidence(taken.bot_id, memory,
    CASE verb WHEN 'reinforce' THEN 'reinforcement' ELSE 'contradiction' END, named, person,
    CASE verb WHEN 'reinforce' THEN strength ELSE 1 - strength END);
  IF counted THEN
    PERFORM muninn.audit(taken.bot_id, person, verb, memory);
  END IF;
  RETURN counted;
END
$$;
COMMENT ON FUNCTION muninn.give_evidence(text, text, bigint, bigint, double precision, text) IS
  'Adds evidence to a memory by a verb, reinforce or contradict; true if its source had not been counted. Example: SELECT muninn.give_evidence(''reinforce'', ''assistant'', 1, 42, 0.8, NULL)';

CREATE FUNCTION muninn.reinforce(
  bot text, person bigint, memory bigint, strength double precision DEFAULT 0.8, source text DEFAULT NULL
) RETURNS boolean
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.give_evidence('reinforce', bot, person, memory, strength, source);
END;
COMMENT ON FUNCTION muninn.reinforce(text, bigint, bigint, double precision, text) IS
  'Adds what speaks for a memory; true if this source had not been counted. strength: the probability of such a sign if the memory is true, above .5 and below 1. source: where the sign comes from, the person by default; counted once; person: and memory: begin one''s own alone. Errors: 22023, 42501, 42704, 55000 it is not believed. Example: SELECT muninn.reinforce(''assistant'', 1, 42, 0.7, ''mail of Monday'')';

CREATE FUNCTION muninn.contradict(
  bot text, person bigint, memory bigint, strength double precision DEFAULT 0.8, source text DEFAULT NULL
) RETURNS boolean
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.give_evidence('contradict', bot, person, memory, strength, source);
END;
COMMENT ON FUNCTION muninn.contradict(text, bigint, bigint, double precision, text) IS
  'Adds what speaks against a memory; arguments, result and errors as for reinforce. Example: SELECT muninn.contradict(''assistant'', 1, 42)';

CREATE FUNCTION muninn.share(
  bot text, person bigint, memory bigint, audience text DEFAULT 'shared', version integer DEFAULT NULL,
  reason text DEFAULT NULL
) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
  target bigint;
BEGIN
  SELECT * INTO taken FROM muninn.take(bot, person, memory, 'share', version);
  target := muninn.named_audience(taken.bot_id, person, audience);
  IF NOT muninn.is_same_person(taken.author_id, person) AND NOT muninn.reviews(taken.bot_id, person) THEN
    RAISE EXCEPTION 'memory % was said by somebody else', memory USING ERRCODE = 'insufficient_privilege',
      HINT = 'Who said it, or a reviewer of the bot, can share it.';
  END IF;
  IF target = taken.audience_id THEN
    RETURN taken.found_version;
  END IF;
  PERFORM muninn.move(taken.bot_id, memory, target);
  PERFORM muninn.audit(taken.bot_id, person, 'share', memory,
    jsonb_build_object('from', taken.audience_id, 'to', target, 'reason', muninn.check_reason(reason)));
  RETURN taken.found_version + 1;
END
$$;
COMMENT ON FUNCTION muninn.share(text, bigint, bigint, text, integer, text) IS
  'Moves a memory to another audience, shared or group:KEY of a group of the person, at once and with its index; returns its version. By the person who said it, or a reviewer. Errors: 22023 no such kind of audience, 23505 the same is said there already, 40001 changed meanwhile, 42501, 42704 unknown group, 55000 it is not believed or was forgotten there. Example: SELECT muninn.share(''assistant'', 1, 42, ''group:kitchen'')';

CREATE FUNCTION muninn.unshare(
  bot text, person bigint, memory bigint, version integer DEFAULT NULL, reason text DEFAULT NULL
) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
  target bigint;
BEGIN
  SELECT * INTO taken FROM muninn.take(bot, person, memory, 'unshare', version);
  IF taken.kind = 'personal' THEN
    RETURN taken.found_version;
  END IF;
  target := muninn.writable_audience(taken.bot_id, taken.author_id, 'personal', NULL);
  PERFORM muninn.move(taken.bot_id, memory, target);
  PERFORM muninn.audit(taken.bot_id, person, 'unshare', memory,
    jsonb_build_object('from', taken.audience_id, 'to', target, 'reason', muninn.check_reason(reason)));
  RETURN taken.found_version + 1;
END
$$;
COMMENT ON FUNCTION muninn.unshare(text, bigint, bigint, integer, text) IS
  'Gives a shared memory back to the person who said it alone; returns its version. By that person; a reviewer can retract or forget it. Errors: 23505 that person has the same already, 40001 changed meanwhile, 42501, 42704, 55000. Example: SELECT muninn.unshare(''assistant'', 1, 42)';

CREATE FUNCTION muninn.named_audience(bot_id bigint, person bigint, audience text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF audience IS NULL OR (audience NOT IN ('personal', 'shared') AND audience !~ '^group:.') THEN
    RAISE EXCEPTION '"%" is no audience', left(coalesce(audience, 'NULL'), 100)
      USING ERRCODE = 'invalid_parameter_value', HINT = 'There are personal, shared and group:KEY.';
  END IF;
  RETURN muninn.writable_audience(bot_id, person, split_part(audience, ':', 1),
    CASE WHEN audience LIKE 'group:%' THEN substr(audience, 7) END);
END
$$;
COMMENT ON FUNCTION muninn.named_audience(bigint, bigint, text) IS
  'Id of the audience of that name for a person: personal, shared or group:KEY. Errors: 22023, 42704 the person belongs to no such group. Example: SELECT muninn.named_audience(1, 1, ''shared'')';

CREATE FUNCTION muninn.move(bot_id bigint, memory bigint, target bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  moved record;
  twin bigint;
BEGIN
  SELECT m.audience_id, m.content, m.digest INTO moved FROM muninn.memory m WHERE m.bot_id = move.bot_id AND m.id = memory;
  IF muninn.is_forgotten(move.bot_id, target, moved.content) THEN
    RAISE EXCEPTION 'what memory % says was forgotten there', memory
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'muninn.relearn(bot, person, content, audience) lifts that.';
  END IF;
  SELECT m.id INTO twin FROM muninn.memory m
  WHERE m.bot_id = move.bot_id AND m.audience_id = target AND m.digest = moved.digest AND m.status IN ('candidate', 'verified');
  IF FOUND THEN
    RAISE EXCEPTION 'memory % says the same there already', twin USING ERRCODE = 'unique_violation',
      HINT = 'Forget this one, or confirm that one.';
  END IF;
  DELETE FROM muninn.share_proposal p WHERE p.bot_id = move.bot_id AND p.memory_id = memory AND p.audience_id = target;
  PERFORM muninn.reindex(move.bot_id, memory, target);
  PERFORM muninn.unlink_memories(move.bot_id, ARRAY[memory]);
  INSERT INTO muninn.contradiction_due (bot_id, memory_id) VALUES (move.bot_id, memory);
END
$$;
COMMENT ON FUNCTION muninn.move(bigint, bigint, bigint) IS
  'Moves a memory with its index to another audience. Part of share and unshare. Errors: 23505, 55000. Example: SELECT muninn.move(1, 42, 2)';
