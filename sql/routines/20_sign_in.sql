-- Signing in at a gateway: sessions of browsers, one-time links, tokens of programs.
-- A secret is said once, when it is made; the database keeps its hash.

CREATE FUNCTION muninn.new_secret() RETURNS text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
RETURN encode(sha256(uuid_send(gen_random_uuid()) OPERATOR(pg_catalog.||) uuid_send(gen_random_uuid()) OPERATOR(pg_catalog.||) uuid_send(gen_random_uuid())), 'hex');
COMMENT ON FUNCTION muninn.new_secret() IS
  '256 random bits in 64 hexadecimal digits. No errors. Example: SELECT muninn.new_secret()';

CREATE FUNCTION muninn.secret_digest(secret text) RETURNS bytea
LANGUAGE sql IMMUTABLE
RETURN pg_catalog.sha256(pg_catalog.convert_to(secret, 'UTF8'));
COMMENT ON FUNCTION muninn.secret_digest(text) IS
  'What is kept of a secret: its SHA-256. Example: SELECT muninn.secret_digest(''x'')';

CREATE FUNCTION muninn.begin_session(person bigint, days double precision, OUT secret text, OUT expires_at timestamptz)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF days IS NULL OR NOT (days > 0 AND days <= 400) THEN
    RAISE EXCEPTION 'a session of % days makes no sense', days USING ERRCODE = 'invalid_parameter_value', HINT = 'More than 0, at most 400.';
  END IF;
  secret := muninn.new_secret();
  expires_at := clock_timestamp() + make_interval(secs => days * 86400);
  DELETE FROM muninn.web_session s WHERE s.expires_at < clock_timestamp();
  INSERT INTO muninn.web_session (digest, person_id, cluster, role_oid, expires_at)
  VALUES (muninn.secret_digest(secret), person, muninn.cluster(), muninn.caller(), begin_session.expires_at);
  PERFORM muninn.audit(0, person, 'sign_in');
END
$$;
COMMENT ON FUNCTION muninn.begin_session(bigint, double precision) IS
  'Begins a session of a person for so many days. Part of sign_in and use_sign_in_link. Errors: 22023. Example: SELECT secret FROM muninn.begin_session(1, 30)';

CREATE FUNCTION muninn.sign_in(provider text, subject text, tenant text DEFAULT '', name text DEFAULT NULL, days double precision DEFAULT 30,
  OUT person bigint, OUT secret text, OUT expires_at timestamptz)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  person := muninn.person(provider, subject, tenant, name);
  SELECT b.secret, b.expires_at INTO secret, expires_at FROM muninn.begin_session(person, days) b;
END
$$;
COMMENT ON FUNCTION muninn.sign_in(text, text, text, text, double precision) IS
  'Begins a session of the person with this identity, who is made if new: what a gateway calls when an identity provider has vouched for it. Returns the secret for the cookie. Errors: 22023, 42501 an identity of a database role. Example: SELECT secret FROM muninn.sign_in(''oidc'', ''248289761001'', ''https://accounts.example'')';

CREATE FUNCTION muninn.signed_in(secret text, OUT person bigint, OUT name text, OUT expires_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  SELECT s.person_id, p.name, s.expires_at INTO person, name, expires_at
  FROM muninn.web_session s JOIN muninn.person p ON p.id = s.person_id
  WHERE s.digest = muninn.secret_digest(secret) AND s.expires_at > clock_timestamp()
    AND s.cluster = muninn.cluster() AND s.role_oid = muninn.caller();
END
$$;
COMMENT ON FUNCTION muninn.signed_in(text) IS
  'The person of a session that the calling role began, NULLs if there is none of that secret any more. No errors. Example: SELECT person FROM muninn.signed_in(''x'')';

CREATE FUNCTION muninn.sign_out(secret text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  who bigint;
BEGIN
  DELETE FROM muninn.web_session s WHERE s.digest = muninn.secret_digest(secret)
    AND s.cluster = muninn.cluster() AND s.role_oid = muninn.caller() RETURNING s.person_id INTO who;
  IF who IS NULL THEN
    RETURN false;
  END IF;
  PERFORM muninn.audit(0, who, 'sign_out');
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.sign_out(text) IS
  'Ends a session that the calling role began; false if there is none. No errors. Example: SELECT muninn.sign_out(''x'')';

CREATE FUNCTION muninn.sign_in_link(provider text, subject text, tenant text DEFAULT '', name text DEFAULT NULL) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  secret text := muninn.new_secret();
BEGIN
  DELETE FROM muninn.sign_in_link l WHERE l.expires_at < clock_timestamp();
  INSERT INTO muninn.sign_in_link (digest, person_id, cluster, role_oid, expires_at)
  VALUES (muninn.secret_digest(secret), muninn.person(provider, subject, tenant, name), muninn.cluster(), muninn.caller(),
          clock_timestamp() + interval '15 minutes');
  RETURN secret;
END
$$;
COMMENT ON FUNCTION muninn.sign_in_link(text, text, text, text) IS
  'The secret of a link by which a browser is signed in as the person with this identity, once, within 15 minutes. Errors: 22023, 42501. Example: SELECT muninn.sign_in_link(''local'', ''owner'')';

CREATE FUNCTION muninn.use_sign_in_link(secret text, days double precision DEFAULT 30, OUT person bigint, OUT session text, OUT expires_at timestamptz)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM muninn.sign_in_link l WHERE l.digest = muninn.secret_digest(use_sign_in_link.secret) AND l.expires_at > clock_timestamp()
    AND l.cluster = muninn.cluster() AND l.role_oid = muninn.caller()
  RETURNING l.person_id INTO person;
  IF person IS NULL THEN
    RAISE EXCEPTION 'the link is not valid' USING ERRCODE = 'invalid_parameter_value', HINT = 'It works once, within 15 minutes. Ask for a new one.';
  END IF;
  SELECT b.secret, b.expires_at INTO session, expires_at FROM muninn.begin_session(person, days) b;
END
$$;
COMMENT ON FUNCTION muninn.use_sign_in_link(text, double precision) IS
  'Turns a link''s secret into a session. Errors: 22023 used, expired or wrong. Example: SELECT person FROM muninn.use_sign_in_link(''x'')';

CREATE FUNCTION muninn.keep_sign_in(state text, kept jsonb) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF kept IS NULL OR octet_length(kept::text) > 10000 OR state IS NULL OR length(state) < 20 THEN
    RAISE EXCEPTION 'this is nothing to keep of a sign-in' USING ERRCODE = 'invalid_parameter_value', HINT = 'At most 10,000 bytes, and a state of at least 20 characters.';
  END IF;
  DELETE FROM muninn.sign_in_attempt a WHERE a.expires_at < clock_timestamp();
  INSERT INTO muninn.sign_in_attempt (digest, kept, cluster, role_oid, expires_at)
  VALUES (muninn.secret_digest(state), keep_sign_in.kept, muninn.cluster(), muninn.caller(), clock_timestamp() + interval '10 minutes')
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this state was used already' USING ERRCODE = 'unique_violation', HINT = 'Each sign-in has a state of its own, of random characters.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.keep_sign_in(text, jsonb) IS
  'Keeps for ten minutes what a gateway needs when a browser returns from an identity provider with this state. Errors: 22023, 23505 the state was used. Example: SELECT muninn.keep_sign_in(repeat(''x'', 32), ''{"nonce": "n"}'')';

CREATE FUNCTION muninn.take_sign_in(state text) RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  left_over jsonb;
BEGIN
  DELETE FROM muninn.sign_in_attempt a WHERE a.digest = muninn.secret_digest(state) AND a.expires_at > clock_timestamp()
    AND a.cluster = muninn.cluster() AND a.role_oid = muninn.caller()
  RETURNING a.kept INTO left_over;
  RETURN left_over;
END
$$;
COMMENT ON FUNCTION muninn.take_sign_in(text) IS
  'What the calling role kept for a state, once; NULL if there is nothing. No errors. Example: SELECT muninn.take_sign_in(''x'')';

-- The bot is part of a token, so that it is looked for where the bot is.
CREATE FUNCTION muninn.create_token(bot text, person bigint, name text, scopes text[] DEFAULT '{read,write,chat}', days double precision DEFAULT 90,
  OUT token_id bigint, OUT token text, OUT expires_at timestamptz)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  secret text := muninn.new_secret();
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF coalesce(btrim(name), '') = '' OR length(name) > 200 OR scopes IS NULL OR cardinality(scopes) = 0
     OR NOT scopes <@ '{read,write,chat}'::text[] OR days IS NULL OR NOT (days > 0 AND days <= 3660) THEN
    RAISE EXCEPTION 'a token needs a name, scopes of read, write and chat, and a life of at most 3,660 days'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'For instance muninn.create_token(''assistant'', 1, ''my script'', ''{read}'', 30).';
  END IF;
  token := 'muninn_' || scope.bot_id || '_' || secret;
  expires_at := clock_timestamp() + make_interval(secs => days * 86400);
  INSERT INTO muninn.api_token AS t (bot_id, digest, person_id, name, scopes, expires_at)
  VALUES (scope.bot_id, muninn.secret_digest(token), person, btrim(create_token.name),
    ARRAY(SELECT DISTINCT s FROM unnest(create_token.scopes) s ORDER BY 1), create_token.expires_at)
  RETURNING t.id INTO token_id;
  PERFORM muninn.audit(scope.bot_id, person, 'create_token', NULL, jsonb_build_object('token', token_id, 'scopes', create_token.scopes));
END
$$;
COMMENT ON FUNCTION muninn.create_token(text, bigint, text, text[], double precision) IS
  'Makes a token by which a program acts as this person of this bot: read (recall, memories), write (remember, correct, forget), chat (turns); for so many days. It is said once. Errors: 22023, 42501, 42704. Example: SELECT token FROM muninn.create_token(''assistant'', 1, ''my script'', ''{read}'')';

CREATE FUNCTION muninn.tokens(bot text, person bigint)
RETURNS TABLE (token_id bigint, name text, scopes text[], created_at timestamptz, expires_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY SELECT t.id, t.name, t.scopes, t.created_at, t.expires_at FROM muninn.api_token t
    WHERE t.bot_id = scope.bot_id AND t.person_id = ANY (muninn.same_persons(person)) ORDER BY t.id LIMIT 1000;
END
$$;
COMMENT ON FUNCTION muninn.tokens(text, bigint) IS
  'The person''s tokens for a bot, without their secrets. Errors: 42501, 42704. Example: SELECT name, expires_at FROM muninn.tokens(''assistant'', 1)';

CREATE FUNCTION muninn.revoke_token(bot text, person bigint, token bigint) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  DELETE FROM muninn.api_token t WHERE t.bot_id = scope.bot_id AND t.id = token AND t.person_id = ANY (muninn.same_persons(person));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM muninn.audit(scope.bot_id, person, 'revoke_token', NULL, jsonb_build_object('token', token));
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.revoke_token(text, bigint, bigint) IS
  'Ends a token of the person at once; false if there is none. Errors: 42501, 42704. Example: SELECT muninn.revoke_token(''assistant'', 1, 3)';

CREATE FUNCTION muninn.token_bearer(token text, OUT bot text, OUT person bigint, OUT scopes text[])
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF token ~ '^muninn_[0-9]{1,18}_[0-9a-f]{64}$' THEN
    SELECT b.name, t.person_id, t.scopes INTO bot, person, scopes
    FROM muninn.api_token t JOIN muninn.bot b ON b.id = t.bot_id
    WHERE t.bot_id = split_part(token, '_', 2)::bigint AND t.digest = muninn.secret_digest(token)
      AND t.expires_at > clock_timestamp() AND muninn.caller_acts(t.bot_id);
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.token_bearer(text) IS
  'Whom a token lets act, and how far: bot, person, scopes; NULLs if it is none, expired, revoked, or of a bot that the caller does not serve. No errors. Example: SELECT person FROM muninn.token_bearer(''x'')';

CREATE FUNCTION muninn.served_bots() RETURNS TABLE (bot text, persona text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT b.name, b.persona FROM muninn.bot b WHERE muninn.caller_acts(b.id) ORDER BY b.id;
END;
COMMENT ON FUNCTION muninn.served_bots() IS
  'The bots for whose persons the caller may act, the oldest first. No errors. Example: SELECT bot FROM muninn.served_bots()';
