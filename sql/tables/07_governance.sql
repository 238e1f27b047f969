-- Who may do what, what was believed before, what must not be learned again.

-- Roles by their oid and cluster, never by name alone: a role that is made anew
-- under an old name, or the same name in another cluster, has to be granted anew.
CREATE TABLE muninn.bot_grant (
  bot_id     bigint NOT NULL REFERENCES muninn.bot (id),
  cluster    text NOT NULL,
  role_oid   oid NOT NULL,
  role_name  text NOT NULL,
  acts       boolean NOT NULL,
  granted_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, cluster, role_oid)
);
COMMENT ON TABLE muninn.bot_grant IS
  'Which database roles may use a bot: for every person (acts, as a gateway does), or as the person that the role is. cluster: the system identifier; role_name: as it was when granted.';

CREATE TABLE muninn.reviewer (
  bot_id     bigint NOT NULL REFERENCES muninn.bot (id),
  person_id  bigint NOT NULL REFERENCES muninn.person (id),
  appointed_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, person_id)
);
COMMENT ON TABLE muninn.reviewer IS
  'Persons who decide about what is shared by a bot, as far as they may read it.';

CREATE TABLE muninn.memory_belief (
  bot_id     bigint NOT NULL,
  memory_id  bigint NOT NULL,
  known_from timestamptz NOT NULL,
  known_to   timestamptz NOT NULL,
  status     text NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to   timestamptz,
  PRIMARY KEY (bot_id, memory_id, known_from),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id),
  CHECK (known_to > known_from)
);
COMMENT ON TABLE muninn.memory_belief IS
  'What was believed of a memory from known_from to known_to, before it became what its row says.';

CREATE TABLE muninn.evidence (
  bot_id     bigint NOT NULL,
  memory_id  bigint NOT NULL,
  kind       text NOT NULL,
  source     text NOT NULL,
  person_id  bigint NOT NULL REFERENCES muninn.person (id),
  strength   double precision NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, memory_id, kind, source),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id),
  CHECK (kind IN ('repetition', 'confirmation', 'reinforcement', 'contradiction')),
  CHECK (strength > 0::double precision AND strength < 1::double precision)
);
COMMENT ON TABLE muninn.evidence IS
  'What strengthens or weakens a memory; counted once a source. strength: the probability of such a piece if the memory is true, above .5 for it, below against it.';

-- The key is made when something is forgotten first, so that a restored dump
-- brings its own.
CREATE TABLE muninn.tombstone_key (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  key bytea NOT NULL CHECK (pg_catalog.octet_length(key) >= 32)
);
COMMENT ON TABLE muninn.tombstone_key IS
  'The key of the hashes in muninn.tombstone: without it nobody can try out what was forgotten.';

CREATE TABLE muninn.tombstone (
  bot_id       bigint NOT NULL,
  audience_id  bigint NOT NULL,
  digest       bytea NOT NULL,
  forgotten_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, audience_id, digest),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id)
);
COMMENT ON TABLE muninn.tombstone IS
  'Keyed hashes (HMAC-SHA-256) of statements that were forgotten in an audience, so that they are not learned there again.';

CREATE SEQUENCE muninn.share_proposal_id;
CREATE TABLE muninn.share_proposal (
  bot_id      bigint NOT NULL,
  id          bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.share_proposal_id'),
  memory_id   bigint NOT NULL,
  audience_id bigint NOT NULL,
  proposed_by bigint NOT NULL REFERENCES muninn.person (id),
  reason      text,
  created_at  timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, id),
  UNIQUE (bot_id, memory_id, audience_id),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id)
);
COMMENT ON TABLE muninn.share_proposal IS
  'Proposals to let more people read a memory, made by a model or a person; gone when decided.';

CREATE TABLE muninn.link_code (
  digest     bytea PRIMARY KEY,
  person_id  bigint NOT NULL REFERENCES muninn.person (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX link_code_person ON muninn.link_code (person_id);
COMMENT ON TABLE muninn.link_code IS
  'One-time codes (their SHA-256) by which a person proves from another identity to be the same.';

-- The audit chain. An event waits in audit_pending until it is sealed: linked to
-- the events before it. So nobody who writes waits for another.
CREATE SEQUENCE muninn.audit_event_id;
CREATE TABLE muninn.audit_pending (
  bot_id    bigint NOT NULL,
  id        bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.audit_event_id'),
  at        timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  person_id bigint,
  role      text NOT NULL,
  action    text NOT NULL,
  memory_id bigint,
  details   jsonb,
  PRIMARY KEY (bot_id, id)
);
COMMENT ON TABLE muninn.audit_pending IS
  'Audit events that are not yet part of their bot''s chain.';

CREATE TABLE muninn.audit_event (
  bot_id    bigint NOT NULL,
  seq       bigint NOT NULL,
  id        bigint NOT NULL,
  at        timestamptz NOT NULL,
  person_id bigint,
  role      text NOT NULL,
  action    text NOT NULL,
  memory_id bigint,
  details   jsonb,
  hash      bytea NOT NULL,
  PRIMARY KEY (bot_id, seq),
  UNIQUE (bot_id, id)
);
CREATE INDEX audit_event_memory ON muninn.audit_event (bot_id, memory_id) WHERE memory_id IS NOT NULL;
COMMENT ON TABLE muninn.audit_event IS
  'What was done, in order, a chain a bot (0: what concerns no single bot). hash: SHA-256 over the hash before and the event. Never changed, never deleted, without any content of a memory.';

CREATE TABLE muninn.audit_head (
  bot_id bigint PRIMARY KEY,
  seq    bigint NOT NULL,
  hash   bytea NOT NULL
);
COMMENT ON TABLE muninn.audit_head IS
  'The last event of each chain, so that cutting off its end is found.';
