-- What is remembered.

CREATE SEQUENCE muninn.memory_id;
CREATE TABLE muninn.memory (
  bot_id          bigint NOT NULL,
  id              bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.memory_id'),
  audience_id     bigint NOT NULL,
  author_id       bigint NOT NULL REFERENCES muninn.person (id),
  content         text NOT NULL,
  summary         text,
  tags            text[] NOT NULL DEFAULT '{}',
  kind            text NOT NULL DEFAULT 'statement',
  language        text,
  status          text NOT NULL DEFAULT 'verified',
  confidence      double precision,
  prior           double precision,
  claim           jsonb,
  valid_from      timestamptz NOT NULL DEFAULT pg_catalog.now(),
  valid_to        timestamptz,
  created_at      timestamptz NOT NULL DEFAULT pg_catalog.now(),
  ended_at        timestamptz,
  superseded_by   bigint,
  source          text,
  message_id      bigint,
  thread_id       bigint,
  thread_position integer,
  asks            boolean NOT NULL DEFAULT false,
  key             text,
  digest          bytea,
  version         integer NOT NULL DEFAULT 1,
  believed_from   timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, id),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id),
  FOREIGN KEY (bot_id, thread_id) REFERENCES muninn.thread (bot_id, id),
  FOREIGN KEY (bot_id, message_id) REFERENCES muninn.message (bot_id, id),
  CHECK (status IN ('candidate', 'verified', 'rejected', 'superseded', 'retracted')),
  -- Cast, as the operator of two types might be anybody's where this is installed.
  CHECK (confidence >= 0::double precision AND confidence <= 1::double precision),
  CHECK (prior >= 0::double precision AND prior <= 1::double precision),
  CHECK (valid_to > valid_from),
  CHECK (ended_at >= created_at)
);
-- The same statement is one memory; turns of a thread and what was true for a
-- time alone have no digest.
CREATE UNIQUE INDEX memory_same ON muninn.memory (bot_id, digest, audience_id)
  WHERE digest IS NOT NULL AND status IN ('candidate', 'verified');
-- Which languages a scope speaks is read from it, too.
CREATE INDEX memory_audience ON muninn.memory (bot_id, audience_id, id) INCLUDE (language);
-- A question that asks for a time alone reads what was then. Partial, as without
-- statistics the planner would take it for looks by the key, too; and for no question
-- that says nothing of the time.
CREATE INDEX memory_time ON muninn.memory (bot_id, audience_id, valid_from)
  WHERE valid_from IS NOT NULL AND status IN ('candidate', 'verified');
CREATE INDEX memory_dormant ON muninn.memory (bot_id, audience_id, id)
  WHERE status NOT IN ('candidate', 'verified');
-- What waits for a decision.
CREATE INDEX memory_candidate ON muninn.memory (bot_id, audience_id, created_at) WHERE status = 'candidate';
-- What recall needs to know of a turn's neighbours is in this index.
CREATE INDEX memory_thread ON muninn.memory (bot_id, thread_id, thread_position)
  INCLUDE (id, audience_id, asks, status) WHERE thread_id IS NOT NULL;
CREATE INDEX memory_message ON muninn.memory (bot_id, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX memory_successor ON muninn.memory (bot_id, superseded_by) WHERE superseded_by IS NOT NULL;
COMMENT ON TABLE muninn.memory IS
  'One remembered statement. valid_from to valid_to: when it was true. created_at to ended_at: when it was believed. key: idempotency, per author. confidence: after the evidence; prior: as it was stated. asks: the content ends with a question. digest: of its normal form. version: counts its changes. believed_from: since when it is believed as the row says; see muninn.memory_belief.';

-- A key stands for one memory, also where that was there already under another.
CREATE TABLE muninn.memory_key (
  bot_id    bigint NOT NULL,
  author_id bigint NOT NULL REFERENCES muninn.person (id),
  key       text NOT NULL,
  memory_id bigint NOT NULL,
  PRIMARY KEY (bot_id, author_id, key)
);
CREATE INDEX memory_key_memory ON muninn.memory_key (bot_id, memory_id);
COMMENT ON TABLE muninn.memory_key IS
  'Idempotency: which memory a person''s key stands for.';

-- Narrow and often updated; a low fillfactor keeps its updates in the page (HOT).
CREATE TABLE muninn.activation_count (
  bot_id      bigint NOT NULL,
  memory_id   bigint NOT NULL,
  accesses    bigint NOT NULL DEFAULT 0,
  last_access timestamptz NOT NULL,
  retention   double precision,
  PRIMARY KEY (bot_id, memory_id),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id) ON DELETE CASCADE,
  CHECK (accesses >= 0::bigint),
  CHECK (retention >= 0::double precision AND retention <= 1::double precision)
) WITH (fillfactor = 50);
COMMENT ON TABLE muninn.activation_count IS
  'How often and when last a memory was recalled (when it was stored, if never). retention: what decay has left of it; NULL: all.';
