-- Who is signed in at a gateway. Secrets are kept as SHA-256 alone: each is 256
-- random bits, so there is nothing to guess.

CREATE TABLE muninn.web_session (
  digest     bytea PRIMARY KEY,
  person_id  bigint NOT NULL REFERENCES muninn.person (id),
  cluster    text NOT NULL,
  role_oid   oid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX web_session_person ON muninn.web_session (person_id);
CREATE INDEX web_session_expires ON muninn.web_session (expires_at);
COMMENT ON TABLE muninn.web_session IS 'Browsers that are signed in as a person. cluster, role_oid: the gateway''s role that signed them in; another''s does not know them, as it may serve other bots.';

CREATE TABLE muninn.sign_in_link (
  digest     bytea PRIMARY KEY,
  person_id  bigint NOT NULL REFERENCES muninn.person (id),
  cluster    text NOT NULL,
  role_oid   oid NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_link_person ON muninn.sign_in_link (person_id);
COMMENT ON TABLE muninn.sign_in_link IS 'One-time links by which a browser is signed in as a person.';

-- Between the visit to an identity provider and the return from it, which may reach
-- another gateway.
CREATE TABLE muninn.sign_in_attempt (
  digest     bytea PRIMARY KEY,
  kept       jsonb NOT NULL,
  cluster    text NOT NULL,
  role_oid   oid NOT NULL,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE muninn.sign_in_attempt IS
  'Sign-ins at an identity provider that are under way, by the hash of their state; kept: what the gateway needs when the browser returns.';

CREATE SEQUENCE muninn.api_token_id;
CREATE TABLE muninn.api_token (
  bot_id     bigint NOT NULL REFERENCES muninn.bot (id),
  id         bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.api_token_id'),
  digest     bytea NOT NULL,
  person_id  bigint NOT NULL REFERENCES muninn.person (id),
  name       text NOT NULL,
  scopes     text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (bot_id, id),
  UNIQUE (bot_id, digest)
);
CREATE INDEX api_token_person ON muninn.api_token (bot_id, person_id, id);
COMMENT ON TABLE muninn.api_token IS
  'Tokens by which a program acts as a person of a bot. scopes: read, write, chat.';
