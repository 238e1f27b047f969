-- Who calls. Functions that name a bot and a person run as the extension's
-- owner, so what a caller may do is decided here and nowhere else, by the role
-- that the server itself keeps (SET ROLE changes it, no setting does).

CREATE FUNCTION muninn.cluster() RETURNS text
LANGUAGE sql STABLE
RETURN (SELECT c.system_identifier::text FROM pg_catalog.pg_control_system() c);
COMMENT ON FUNCTION muninn.cluster() IS
  'The system identifier of this cluster, to which oids of roles belong. No errors. Example: SELECT muninn.cluster()';

CREATE FUNCTION muninn.caller_owns() RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.caller_is_superuser() OR (
    SELECT pg_has_role(muninn.caller(), e.extowner, 'USAGE') FROM pg_extension e
    WHERE e.extname OPERATOR(pg_catalog.=) 'muninn'::name);
END;
COMMENT ON FUNCTION muninn.caller_owns() IS
  'Whether the caller has the rights of the extension''s owner, as superusers have. No errors. Example: SELECT muninn.caller_owns()';

CREATE FUNCTION muninn.caller_acts(bot_id bigint) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.caller_owns() OR EXISTS (
    SELECT FROM muninn.bot_grant g
    WHERE g.bot_id OPERATOR(pg_catalog.=) caller_acts.bot_id AND g.acts
      AND g.cluster OPERATOR(pg_catalog.=) muninn.cluster()
      AND pg_has_role(muninn.caller(), g.role_oid, 'USAGE'));
END;
COMMENT ON FUNCTION muninn.caller_acts(bigint) IS
  'Whether the caller may act for every person of a bot, as a gateway does. No errors. Example: SELECT muninn.caller_acts(1)';

CREATE FUNCTION muninn.caller_person() RETURNS bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT i.person_id FROM muninn.identity i
  WHERE i.provider OPERATOR(pg_catalog.=) 'postgres' AND i.tenant OPERATOR(pg_catalog.=) muninn.cluster()
    AND i.subject OPERATOR(pg_catalog.=) muninn.caller()::text;
END;
COMMENT ON FUNCTION muninn.caller_person() IS
  'The person that the calling role itself is; NULL if it is none. No errors. Example: SELECT muninn.caller_person()';

CREATE FUNCTION muninn.caller_uses(bot_id bigint) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM muninn.bot_grant g
    WHERE g.bot_id OPERATOR(pg_catalog.=) caller_uses.bot_id
      AND g.cluster OPERATOR(pg_catalog.=) muninn.cluster()
      AND pg_has_role(muninn.caller(), g.role_oid, 'USAGE'));
END;
COMMENT ON FUNCTION muninn.caller_uses(bigint) IS
  'Whether the caller was granted the bot at all. No errors. Example: SELECT muninn.caller_uses(1)';

CREATE FUNCTION muninn.require_acting(bot_id bigint) RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT muninn.caller_acts(bot_id) THEN
    RAISE EXCEPTION 'role "%" may not act for the persons of this bot', muninn.caller_name()
      USING ERRCODE = 'insufficient_privilege',
      HINT = 'An operator can allow it: SELECT muninn_admin.grant_bot(bot, role).';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.require_acting(bigint) IS
  'Refuses a caller who may not act for every person of the bot (42501). Example: SELECT muninn.require_acting(1)';

CREATE FUNCTION muninn.require_caller(bot_id bigint, person bigint) RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF muninn.caller_is_superuser() OR muninn.caller_acts(bot_id) OR (muninn.caller_person() = person AND muninn.caller_uses(bot_id)) THEN
    RETURN;
  END IF;
  RAISE EXCEPTION 'role "%" may not act for this person of this bot', muninn.caller_name()
    USING ERRCODE = 'insufficient_privilege',
    HINT = 'An operator can allow a gateway, muninn_admin.grant_bot(bot, role), or let a role be a person: muninn_admin.grant_person(bot, role, person).';
END
$$;
COMMENT ON FUNCTION muninn.require_caller(bigint, bigint) IS
  'Refuses a caller who may neither act for the persons of the bot nor is this person (42501). Example: SELECT muninn.require_caller(1, 1)';

CREATE FUNCTION muninn.caller_name() RETURNS text
LANGUAGE sql STABLE
RETURN pg_catalog.pg_get_userbyid(muninn.caller())::text;
COMMENT ON FUNCTION muninn.caller_name() IS
  'Name of the calling role. No errors. Example: SELECT muninn.caller_name()';
