-- Bots, persons and groups.

CREATE FUNCTION muninn.create_bot(bot text, persona text DEFAULT NULL, settings jsonb DEFAULT '{}')
RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  made bigint;
BEGIN
  IF bot IS NULL OR bot !~ '^[^[:space:][:cntrl:]]{1,63}$' THEN
    RAISE EXCEPTION 'this is no name for a bot' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Use 1 to 63 characters without white space.';
  END IF;
  PERFORM muninn.check_bot_settings(coalesce(settings, '{}')::text);
  INSERT INTO muninn.bot (name, persona, settings)
  VALUES (bot, create_bot.persona, coalesce(create_bot.settings, '{}'))
  ON CONFLICT (name) DO NOTHING
  RETURNING id INTO made;
  IF made IS NULL THEN
    RAISE EXCEPTION 'bot "%" exists already', bot USING ERRCODE = 'duplicate_object',
      HINT = 'Choose another name, or use the bot that is there.';
  END IF;
  INSERT INTO muninn.audience (bot_id, kind) VALUES (made, 'shared');
  -- Who makes a bot may use it; a superuser may anyway.
  IF NOT muninn.caller_owns() THEN
    INSERT INTO muninn.bot_grant (bot_id, cluster, role_oid, role_name, acts)
    VALUES (made, muninn.cluster(), muninn.caller(), muninn.caller_name(), true);
  END IF;
  PERFORM muninn.audit(made, NULL, 'create_bot');
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.create_bot(text, text, jsonb) IS
  'Makes a bot and returns its id. settings: language (two-letter code), fusion (convex, rrf, lexical, vector), semantic_weight, context, passages, kin, time and answerable (0 to 1), candidates (true or false), candidate_days, claims (close or contradict), and for a gateway models, tools, extraction, history and recalled: see extension/README.md. Errors: 22023 bad name or setting, 42710 the name is taken. Example: SELECT muninn.create_bot(''assistant'', ''You are helpful.'', ''{"language": "en"}'')';

CREATE FUNCTION muninn.configure_bot(bot text, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  merged jsonb;
BEGIN
  IF settings IS NULL OR jsonb_typeof(settings) <> 'object' THEN
    RAISE EXCEPTION 'settings must be a JSON object' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For instance ''{"semantic_weight": 0.4}''; null removes a setting.';
  END IF;
  PERFORM muninn.require_acting(muninn.require_bot(bot));
  SELECT jsonb_strip_nulls(b.settings || configure_bot.settings) INTO merged
  FROM muninn.bot b WHERE b.id = muninn.require_bot(bot) FOR UPDATE;
  PERFORM muninn.check_bot_settings(merged::text);
  UPDATE muninn.bot b SET settings = merged WHERE b.name = bot;
  PERFORM muninn.audit(muninn.require_bot(bot), NULL, 'configure_bot', NULL,
    jsonb_build_object('settings', configure_bot.settings));
  RETURN merged;
END
$$;
COMMENT ON FUNCTION muninn.configure_bot(text, jsonb) IS
  'Changes the named settings of a bot (null removes one) and returns all that are set. Settings as in create_bot. Errors: 22023 bad setting, 42501, 42704 no such bot. Example: SELECT muninn.configure_bot(''assistant'', ''{"fusion": "rrf"}'')';

CREATE FUNCTION muninn.person(provider text, subject text, tenant text DEFAULT '', name text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  known bigint;
  winner bigint;
BEGIN
  IF coalesce(provider, '') = '' OR coalesce(subject, '') = '' THEN
    RAISE EXCEPTION 'an identity needs a provider and a subject' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'subject is the id that never changes for a person at that provider, for instance muninn.person(''telegram'', ''123456'').';
  END IF;
  IF provider = 'postgres' AND NOT muninn.caller_owns() THEN
    RAISE EXCEPTION 'an identity of a database role cannot be claimed' USING ERRCODE = 'insufficient_privilege',
      HINT = 'An operator makes it: muninn_admin.grant_person(bot, role, person).';
  END IF;
  IF octet_length(provider) > 200 OR octet_length(subject) > 1000 OR octet_length(tenant) > 1000
     OR octet_length(name) > 1000 THEN
    RAISE EXCEPTION 'an identity is longer than it can be' USING ERRCODE = 'program_limit_exceeded',
      HINT = 'At most 200 bytes for the provider and 1,000 for subject, tenant and name.';
  END IF;
  SELECT i.person_id INTO known FROM muninn.identity i
  WHERE i.provider = person.provider AND i.tenant = coalesce(person.tenant, '') AND i.subject = person.subject;
  IF known IS NULL THEN
    INSERT INTO muninn.person (name) VALUES (person.name) RETURNING id INTO known;
    INSERT INTO muninn.identity (provider, tenant, subject, person_id, home_person_id)
    VALUES (person.provider, coalesce(person.tenant, ''), person.subject, known, known)
    ON CONFLICT ON CONSTRAINT identity_pkey DO NOTHING;
    IF NOT FOUND THEN
      -- Somebody else made the same identity at this moment: theirs is the one.
      DELETE FROM muninn.person p WHERE p.id = known;
      SELECT i.person_id INTO winner FROM muninn.identity i
      WHERE i.provider = person.provider AND i.tenant = coalesce(person.tenant, '') AND i.subject = person.subject;
      IF winner IS NULL THEN
        RAISE EXCEPTION 'this identity was made by another transaction at the same time'
          USING ERRCODE = 'serialization_failure', HINT = 'Repeat the transaction.';
      END IF;
      RETURN winner;
    END IF;
  ELSIF person.name IS NOT NULL THEN
    UPDATE muninn.person p SET name = person.name
    WHERE p.id = known AND p.name IS DISTINCT FROM person.name;
  END IF;
  RETURN known;
END
$$;
COMMENT ON FUNCTION muninn.person(text, text, text, text) IS
  'Id of the person with this identity, who is made if new; a given name is kept as a refreshed attribute. provider: where the subject comes from (telegram, slack, oidc); subject: the id that never changes there; tenant: workspace or issuer, if the subject is unique only within one. Errors: 22023 provider or subject missing. Example: SELECT muninn.person(''telegram'', ''123456'', name => ''Anna'')';

CREATE FUNCTION muninn.join_group(bot text, person bigint, key text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  audience bigint;
BEGIN
  PERFORM muninn.require_acting(this_bot);
  PERFORM muninn.require_person(person);
  IF key LIKE 'group:%' THEN
    RAISE EXCEPTION 'the key of a group is named without "group:"' USING ERRCODE = 'invalid_parameter_value',
      HINT = format('Pass %L; group:KEY is the name of its audience.', left(substr(key, 7), 100));
  END IF;
  IF coalesce(key, '') = '' OR octet_length(key) > 1000 THEN
    RAISE EXCEPTION 'a group needs a key of 1 to 1,000 bytes' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For instance the id of a channel: muninn.join_group(''assistant'', 1, ''C024BE91L'').';
  END IF;
  INSERT INTO muninn.audience AS a (bot_id, kind, key) VALUES (this_bot, 'group', join_group.key)
  ON CONFLICT DO NOTHING;
  SELECT a.id INTO audience FROM muninn.audience a
  WHERE a.bot_id = this_bot AND a.kind = 'group' AND a.key = join_group.key;
  INSERT INTO muninn.membership (bot_id, audience_id, person_id)
  VALUES (this_bot, audience, person) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM muninn.audit(this_bot, person, 'join_group', NULL, jsonb_build_object('audience', audience));
  END IF;
  RETURN audience;
END
$$;
COMMENT ON FUNCTION muninn.join_group(text, bigint, text) IS
  'Makes a person a member of a group, and the group if it is new; returns the audience''s id. Members read and write the audience group:KEY. Errors: 22023 bad key, 42501, 42704 unknown bot or person. Example: SELECT muninn.join_group(''assistant'', 1, ''kitchen'')';

CREATE FUNCTION muninn.leave_group(bot text, person bigint, key text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  left_it boolean;
BEGIN
  PERFORM muninn.require_acting(this_bot);
  PERFORM muninn.require_person(person);
  DELETE FROM muninn.membership m USING muninn.audience a
  WHERE a.bot_id = this_bot AND a.kind = 'group' AND a.key = leave_group.key
    AND m.bot_id = a.bot_id AND m.audience_id = a.id AND m.person_id = person;
  left_it := FOUND;
  IF left_it THEN
    PERFORM muninn.audit(this_bot, person, 'leave_group');
  END IF;
  RETURN left_it;
END
$$;
COMMENT ON FUNCTION muninn.leave_group(text, bigint, text) IS
  'Ends a person''s membership at once; true if there was one. What the person wrote there stays with the group. Errors: 42501, 42704 unknown bot or person. Example: SELECT muninn.leave_group(''assistant'', 1, ''kitchen'')';
