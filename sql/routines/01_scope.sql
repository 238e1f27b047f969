-- The scope of a call: the one place that says which audiences a person of a
-- bot may read. Every other function starts here.

CREATE FUNCTION muninn.require_bot(bot text) RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  known bigint;
BEGIN
  IF bot IS NULL THEN
    RAISE EXCEPTION 'no bot is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the name of a bot, for instance muninn.recall(''assistant'', 1, ''a question'').';
  END IF;
  SELECT b.id INTO known FROM muninn.bot b WHERE b.name = bot;
  IF known IS NULL THEN
    RAISE EXCEPTION 'bot "%" does not exist', left(bot, 100) USING ERRCODE = 'undefined_object',
      HINT = 'Make it with muninn.create_bot(name).';
  END IF;
  RETURN known;
END
$$;
COMMENT ON FUNCTION muninn.require_bot(text) IS
  'Id of the bot of that name. Errors: 22004 no name, 42704 no such bot. Example: SELECT muninn.require_bot(''assistant'')';

CREATE FUNCTION muninn.require_person(person bigint) RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF person IS NULL THEN
    RAISE EXCEPTION 'no person is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the id that muninn.person(provider, subject) returns.';
  END IF;
  PERFORM FROM muninn.person p WHERE p.id = person;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'person % does not exist', person USING ERRCODE = 'undefined_object',
      HINT = 'muninn.person(provider, subject) finds or makes a person and returns the id.';
  END IF;
  RETURN person;
END
$$;
COMMENT ON FUNCTION muninn.require_person(bigint) IS
  'The person''s id, if that person exists. Errors: 22004 no id, 42704 no such person. Example: SELECT muninn.require_person(1)';

CREATE FUNCTION muninn.audiences(bot_id bigint, person bigint) RETURNS bigint[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- Each of these has an index of its own; an OR would read the audiences of all.
  RETURN ARRAY(
    SELECT a.id FROM muninn.audience a
    WHERE a.bot_id = audiences.bot_id AND a.kind = 'shared'
    UNION ALL
    SELECT a.id FROM muninn.audience a
    WHERE a.bot_id = audiences.bot_id AND a.kind = 'personal' AND a.person_id = person
    UNION ALL
    -- What linked identities had when they were persons of their own.
    SELECT a.id FROM muninn.identity i JOIN muninn.audience a ON a.person_id = i.home_person_id
    WHERE i.person_id = person AND i.home_person_id <> person
      AND a.bot_id = audiences.bot_id AND a.kind = 'personal'
    UNION
    SELECT m.audience_id FROM muninn.membership m
    WHERE m.bot_id = audiences.bot_id AND m.person_id = person);
END
$$;
COMMENT ON FUNCTION muninn.audiences(bigint, bigint) IS
  'The audiences of a bot that a person may read: own, those of linked identities, groups, shared. Example: SELECT muninn.audiences(1, 1)';

-- What somebody said before their identities were linked is theirs.
CREATE FUNCTION muninn.is_same_person(author bigint, person bigint) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT author OPERATOR(pg_catalog.=) person OR EXISTS (
    SELECT FROM muninn.identity i
    WHERE i.home_person_id OPERATOR(pg_catalog.=) is_same_person.author
      AND i.person_id OPERATOR(pg_catalog.=) is_same_person.person);
END;
COMMENT ON FUNCTION muninn.is_same_person(bigint, bigint) IS
  'Whether an author is this person, or was one of the person''s identities before they were linked. No errors. Example: SELECT muninn.is_same_person(1, 1)';

CREATE FUNCTION muninn.same_persons(person bigint) RETURNS bigint[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT ARRAY(SELECT same_persons.person UNION SELECT i.home_person_id FROM muninn.identity i
    WHERE i.person_id OPERATOR(pg_catalog.=) same_persons.person ORDER BY 1);
END;
COMMENT ON FUNCTION muninn.same_persons(bigint) IS
  'The person, and who the linked identities were before; the same as is_same_person, for an index. No errors. Example: SELECT muninn.same_persons(1)';

CREATE FUNCTION muninn.scope(
  bot text, person bigint,
  OUT bot_id bigint, OUT settings jsonb, OUT audiences bigint[]
)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  bot_id := muninn.require_bot(bot);
  PERFORM muninn.require_person(person);
  PERFORM muninn.require_caller(bot_id, person);
  SELECT b.settings INTO settings FROM muninn.bot b WHERE b.id = bot_id;
  audiences := muninn.audiences(bot_id, person);
END
$$;
COMMENT ON FUNCTION muninn.scope(text, bigint) IS
  'What a person of a bot may read: the bot''s id and settings and the ids of the person''s audiences (own, groups, shared). Errors: 22004, 42501 the caller may not act for this person, 42704 for an unknown bot or person. Example: SELECT audiences FROM muninn.scope(''assistant'', 1)';

CREATE FUNCTION muninn.active_model() RETURNS integer
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT CASE WHEN EXISTS (SELECT FROM muninn.active_embedding_model)
    THEN (SELECT a.model_id FROM muninn.active_embedding_model a) ELSE 1 END;
END;
COMMENT ON FUNCTION muninn.active_model() IS
  'Id of the embedding model in use; NULL if there is none. No errors. Example: SELECT muninn.active_model()';

CREATE FUNCTION muninn.audience_name(kind text, key text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE kind WHEN 'group' THEN 'group:' OPERATOR(pg_catalog.||) key ELSE kind END;
COMMENT ON FUNCTION muninn.audience_name(text, text) IS
  'How an audience is written: personal, shared or group:KEY. Example: SELECT muninn.audience_name(''group'', ''kitchen'')';

CREATE FUNCTION muninn.writable_audience(bot_id bigint, person bigint, kind text, key text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  known bigint;
BEGIN
  IF kind = 'group' THEN
    SELECT a.id INTO known FROM muninn.audience a
    JOIN muninn.membership m ON m.bot_id = a.bot_id AND m.audience_id = a.id
    WHERE a.bot_id = writable_audience.bot_id AND a.kind = 'group' AND a.key = writable_audience.key
      AND m.person_id = person;
    IF known IS NULL THEN
      -- The same answer whether or not the group exists.
      RAISE EXCEPTION 'person % belongs to no group "%"', person, left(key, 100)
        USING ERRCODE = 'undefined_object', HINT = 'Members join with muninn.join_group(bot, person, key).';
    END IF;
    RETURN known;
  END IF;
  FOR attempt IN 1..2 LOOP
    IF kind = 'shared' THEN
      SELECT a.id INTO known FROM muninn.audience a
      WHERE a.bot_id = writable_audience.bot_id AND a.kind = 'shared';
    ELSE
      SELECT a.id INTO known FROM muninn.audience a
      WHERE a.bot_id = writable_audience.bot_id AND a.kind = 'personal' AND a.person_id = person;
    END IF;
    EXIT WHEN known IS NOT NULL;
    INSERT INTO muninn.audience (bot_id, kind, person_id)
    VALUES (bot_id, kind, CASE kind WHEN 'personal' THEN person END)
    ON CONFLICT DO NOTHING RETURNING id INTO known;
    EXIT WHEN known IS NOT NULL;
  END LOOP;
  IF known IS NULL THEN
    RAISE EXCEPTION 'the audience was made by another transaction at the same time'
      USING ERRCODE = 'serialization_failure', HINT = 'Repeat the transaction.';
  END IF;
  RETURN known;
END
$$;
COMMENT ON FUNCTION muninn.writable_audience(bigint, bigint, text, text) IS
  'Id of the audience that a person of a bot writes to; kind: personal (made at first use), shared, or group with its key. Errors: 42704 the person belongs to no such group. Example: SELECT muninn.writable_audience(1, 1, ''personal'', NULL)';
