-- Who talks to whom: bots, persons, identities, audiences.

CREATE SEQUENCE muninn.bot_id;
CREATE TABLE muninn.bot (
  id         bigint PRIMARY KEY DEFAULT pg_catalog.nextval('muninn.bot_id'),
  name       text NOT NULL UNIQUE,
  persona    text,
  settings   jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  CHECK (name <> '' AND pg_catalog.length(name) <= 63),
  CHECK (pg_catalog.jsonb_typeof(settings) = 'object')
);
COMMENT ON TABLE muninn.bot IS
  'An assistant: the tenant. Every table that holds user data leads its keys with bot_id.';

CREATE SEQUENCE muninn.person_id;
CREATE TABLE muninn.person (
  id         bigint PRIMARY KEY DEFAULT pg_catalog.nextval('muninn.person_id'),
  name       text,
  created_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);
COMMENT ON TABLE muninn.person IS
  'Somebody who talks to bots. The name is an attribute that may change, never a key.';

CREATE TABLE muninn.identity (
  provider     text NOT NULL,
  tenant       text NOT NULL DEFAULT '',
  subject      text NOT NULL,
  person_id    bigint NOT NULL REFERENCES muninn.person (id),
  home_person_id bigint NOT NULL REFERENCES muninn.person (id),
  created_at   timestamptz NOT NULL DEFAULT pg_catalog.now(),
  refreshed_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (provider, tenant, subject),
  CHECK (provider <> '' AND subject <> '')
);
CREATE INDEX identity_person ON muninn.identity (person_id);
CREATE INDEX identity_home ON muninn.identity (home_person_id);
COMMENT ON TABLE muninn.identity IS
  '(provider, tenant, subject): the one claim that never changes for a person there. home_person_id: who it was made for, another one than person_id while it is linked.';

CREATE SEQUENCE muninn.audience_id;
CREATE TABLE muninn.audience (
  bot_id     bigint NOT NULL REFERENCES muninn.bot (id),
  id         bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.audience_id'),
  kind       text NOT NULL,
  person_id  bigint REFERENCES muninn.person (id),
  key        text,
  created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, id),
  CONSTRAINT audience_kind CHECK (CASE kind
    WHEN 'personal' THEN person_id IS NOT NULL AND key IS NULL
    WHEN 'group' THEN person_id IS NULL AND key IS NOT NULL AND key <> ''
    WHEN 'shared' THEN person_id IS NULL AND key IS NULL
    ELSE false END)
);
CREATE UNIQUE INDEX audience_personal ON muninn.audience (bot_id, person_id) WHERE kind = 'personal';
CREATE UNIQUE INDEX audience_group ON muninn.audience (bot_id, key) WHERE kind = 'group';
CREATE UNIQUE INDEX audience_shared ON muninn.audience (bot_id) WHERE kind = 'shared';
CREATE INDEX audience_person ON muninn.audience (person_id) WHERE kind = 'personal';
COMMENT ON TABLE muninn.audience IS
  'Who may read something: one person (personal), a group''s members (group), everybody who may use the bot (shared).';

CREATE TABLE muninn.membership (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  person_id   bigint NOT NULL REFERENCES muninn.person (id),
  joined_at   timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, audience_id, person_id),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id)
);
CREATE INDEX membership_person ON muninn.membership (bot_id, person_id);
COMMENT ON TABLE muninn.membership IS 'Which persons belong to a group audience.';
