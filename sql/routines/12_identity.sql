-- Identities of one person on several channels.

-- An identity is somebody's in all bots: who changes or lists what belongs
-- together has to be trusted by each bot that the persons use.
CREATE FUNCTION muninn.require_acting_everywhere(persons bigint[]) RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM muninn.require_acting(u.bot_id) FROM (
    SELECT a.bot_id FROM muninn.audience a WHERE a.kind = 'personal' AND a.person_id = ANY (persons)
    UNION
    SELECT m.bot_id FROM muninn.membership m WHERE m.person_id = ANY (persons)
    UNION
    SELECT r.bot_id FROM muninn.reviewer r WHERE r.person_id = ANY (persons)) u;
END
$$;
COMMENT ON FUNCTION muninn.require_acting_everywhere(bigint[]) IS
  'Refuses a caller who may not act for all bots that these persons use (42501). Example: SELECT muninn.require_acting_everywhere(''{1}'')';

CREATE FUNCTION muninn.link_start(bot text, person bigint) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  letters CONSTANT text := '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  random bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  code text := '';
BEGIN
  PERFORM muninn.require_acting((muninn.scope(bot, person)).bot_id);
  PERFORM muninn.require_acting_everywhere(ARRAY[person]);
  -- Of a hash, as some bits of a UUID are fixed.
  random := sha256(random);
  FOR i IN 0..11 LOOP
    code := code || substr(letters, 1 + get_byte(random, i) % 32, 1);
  END LOOP;
  DELETE FROM muninn.link_code c WHERE c.person_id = person OR c.expires_at < clock_timestamp();
  INSERT INTO muninn.link_code (digest, person_id, expires_at)
  VALUES (sha256(convert_to(code, 'UTF8')), person, clock_timestamp() + interval '10 minutes');
  PERFORM muninn.audit(0, person, 'link_start');
  RETURN code;
END
$$;
COMMENT ON FUNCTION muninn.link_start(text, bigint) IS
  'A code by which this person can prove within ten minutes, from another identity, to be the same: shown here, typed there (muninn.link_finish). An older code of the person ends. Errors: 42501, 42704. Example: SELECT muninn.link_start(''assistant'', 1)';

CREATE FUNCTION muninn.link_finish(bot text, provider text, subject text, code text, tenant text DEFAULT '') RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  known bigint;
  first bigint;
BEGIN
  PERFORM muninn.require_acting(muninn.require_bot(bot));
  known := muninn.person(provider, subject, tenant);
  PERFORM muninn.require_acting_everywhere(ARRAY[known]);
  DELETE FROM muninn.link_code c
  WHERE c.digest = sha256(convert_to(upper(btrim(coalesce(code, ''))), 'UTF8')) AND c.expires_at >= clock_timestamp()
  RETURNING c.person_id INTO first;
  IF first IS NULL THEN
    RAISE EXCEPTION 'the code is not valid' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Ask for a new one where you are known; it is good for ten minutes and for one use.';
  END IF;
  IF first = known THEN
    RETURN first;
  END IF;
  PERFORM muninn.require_acting_everywhere(ARRAY[first]);
  IF EXISTS (SELECT FROM muninn.identity i WHERE i.person_id = known AND i.home_person_id <> known) THEN
    RAISE EXCEPTION 'other identities are linked to this one' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Unlink them first, or link from here to there.';
  END IF;
  UPDATE muninn.identity i SET person_id = first
  WHERE i.provider = link_finish.provider AND i.tenant = coalesce(link_finish.tenant, '') AND i.subject = link_finish.subject;
  -- A code of who is somebody else now would link others to nobody.
  DELETE FROM muninn.link_code c WHERE c.person_id = known;
  DELETE FROM muninn.sign_in_link l WHERE l.person_id = known;
  UPDATE muninn.web_session s SET person_id = first WHERE s.person_id = known;
  PERFORM muninn.audit(0, first, 'link', NULL, jsonb_build_object('person', known));
  RETURN first;
END
$$;
COMMENT ON FUNCTION muninn.link_finish(text, text, text, text, text) IS
  'Links an identity to the person who started it with this code, and returns that person: from now on both are one, who also reads what the identity''s own person had. Errors: 22023 no valid code, 42501, 42704, 55000 identities are linked to this one. Example: SELECT muninn.link_finish(''assistant'', ''slack'', ''U7'', ''ABCDEFGHJKLM'', ''T1'')';

CREATE FUNCTION muninn.unlink(bot text, person bigint, provider text, subject text, tenant text DEFAULT '') RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  home bigint;
BEGIN
  PERFORM muninn.require_acting((muninn.scope(bot, person)).bot_id);
  PERFORM muninn.require_acting_everywhere(ARRAY[person]);
  UPDATE muninn.identity i SET person_id = i.home_person_id
  WHERE i.provider = unlink.provider AND i.tenant = coalesce(unlink.tenant, '') AND i.subject = unlink.subject
    AND i.person_id = unlink.person AND i.home_person_id <> unlink.person
  RETURNING i.home_person_id INTO home;
  IF home IS NOT NULL THEN
    -- Whose browsers these are is not known any more.
    DELETE FROM muninn.web_session s WHERE s.person_id = unlink.person;
    DELETE FROM muninn.sign_in_link l WHERE l.person_id = unlink.person;
    PERFORM muninn.audit(0, person, 'unlink', NULL, jsonb_build_object('person', home));
  END IF;
  RETURN home;
END
$$;
COMMENT ON FUNCTION muninn.unlink(text, bigint, text, text, text) IS
  'Ends the link of an identity, which is its own person again, with what that person had; what was said while linked stays; the person''s sessions in browsers end. Returns that person, NULL if it was not linked to this one. Errors: 42501, 42704. Example: SELECT muninn.unlink(''assistant'', 1, ''slack'', ''U7'', ''T1'')';

CREATE FUNCTION muninn.identities(bot text, person bigint)
RETURNS TABLE (provider text, tenant text, subject text, linked boolean, since timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM muninn.scope(bot, person);
  IF muninn.caller_person() IS DISTINCT FROM person THEN
    PERFORM muninn.require_acting_everywhere(ARRAY[person]);
  END IF;
  RETURN QUERY SELECT i.provider, i.tenant, i.subject, i.home_person_id <> i.person_id, i.created_at
    FROM muninn.identity i WHERE i.person_id = person ORDER BY i.created_at, i.provider, i.tenant, i.subject;
END
$$;
COMMENT ON FUNCTION muninn.identities(text, bigint) IS
  'The identities of a person. Errors: 42501, 42704. Example: SELECT provider, subject FROM muninn.identities(''assistant'', 1)';
