-- Turns: a message and its reply, the work that they make, and what it cost.

CREATE SEQUENCE muninn.turn_id;
CREATE TABLE muninn.turn (
  bot_id      bigint NOT NULL,
  id          bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.turn_id'),
  thread_id   bigint NOT NULL,
  person_id   bigint NOT NULL REFERENCES muninn.person (id),
  message_id  bigint NOT NULL,
  reply_id    bigint,
  status      text NOT NULL DEFAULT 'waiting',
  keeps       boolean NOT NULL DEFAULT true,
  channel     text,
  address     jsonb,
  kept        integer,
  model       text,
  trace       jsonb,
  error       text,
  created_at  timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  started_at  timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (bot_id, id),
  FOREIGN KEY (bot_id, thread_id) REFERENCES muninn.thread (bot_id, id),
  FOREIGN KEY (bot_id, message_id) REFERENCES muninn.message (bot_id, id),
  FOREIGN KEY (bot_id, reply_id) REFERENCES muninn.message (bot_id, id),
  CHECK (status IN ('waiting', 'running', 'done', 'stopped', 'failed'))
);
CREATE INDEX turn_thread ON muninn.turn (bot_id, thread_id, id);
CREATE INDEX turn_person ON muninn.turn (bot_id, person_id, id);
CREATE INDEX turn_message ON muninn.turn (bot_id, message_id);
CREATE INDEX turn_reply ON muninn.turn (bot_id, reply_id) WHERE reply_id IS NOT NULL;
COMMENT ON TABLE muninn.turn IS
  'One message and its reply. keeps: whether memories may be proposed from it; kept: how many were, 0 if nothing was worth keeping, NULL if nobody has looked or the model failed. channel, address: where the answer goes, address NULL where it is fetched (web, REST); of the turn, as others may go on with a conversation elsewhere. trace: milliseconds of each part, never a text.';

-- What has been said of an answer so far, so that any gateway can show it.
CREATE TABLE muninn.turn_delta (
  bot_id  bigint NOT NULL,
  turn_id bigint NOT NULL,
  seq     integer NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (bot_id, turn_id, seq),
  FOREIGN KEY (bot_id, turn_id) REFERENCES muninn.turn (bot_id, id)
);
COMMENT ON TABLE muninn.turn_delta IS
  'Pieces of an answer while it is being given; gone when it is stored whole.';

CREATE TABLE muninn.turn_memory (
  bot_id    bigint NOT NULL,
  turn_id   bigint NOT NULL,
  memory_id bigint NOT NULL,
  rank      integer NOT NULL,
  relevance double precision,
  PRIMARY KEY (bot_id, turn_id, memory_id),
  FOREIGN KEY (bot_id, turn_id) REFERENCES muninn.turn (bot_id, id),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id)
);
CREATE INDEX turn_memory_memory ON muninn.turn_memory (bot_id, memory_id);
COMMENT ON TABLE muninn.turn_memory IS
  'Which memories were in the prompt of a turn, the best first.';

-- What a model asked for and a person has to decide.
CREATE SEQUENCE muninn.request_id;
CREATE TABLE muninn.request (
  bot_id     bigint NOT NULL,
  id         bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.request_id'),
  turn_id    bigint NOT NULL,
  person_id  bigint NOT NULL REFERENCES muninn.person (id),
  action     text NOT NULL,
  memory_id  bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, id),
  UNIQUE (bot_id, person_id, action, memory_id),
  FOREIGN KEY (bot_id, turn_id) REFERENCES muninn.turn (bot_id, id),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id),
  CHECK (action IN ('forget'))
);
CREATE INDEX request_turn ON muninn.request (bot_id, turn_id);
CREATE INDEX request_memory ON muninn.request (bot_id, memory_id);
COMMENT ON TABLE muninn.request IS
  'What a model asked to do with a memory and may not do itself; gone when the person has decided.';

CREATE SEQUENCE muninn.job_id;
CREATE TABLE muninn.job (
  bot_id       bigint NOT NULL REFERENCES muninn.bot (id),
  id           bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.job_id'),
  kind         text NOT NULL,
  person_id    bigint NOT NULL REFERENCES muninn.person (id),
  thread_id    bigint,
  turn_id      bigint,
  input        jsonb,
  status       text NOT NULL DEFAULT 'waiting',
  attempts     integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 6,
  due_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  lease        uuid,
  leased_until timestamptz,
  error        text,
  created_at   timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, id),
  FOREIGN KEY (bot_id, thread_id) REFERENCES muninn.thread (bot_id, id),
  FOREIGN KEY (bot_id, turn_id) REFERENCES muninn.turn (bot_id, id),
  CHECK (kind IN ('reply', 'extract')),
  CHECK (status IN ('waiting', 'leased', 'dead')),
  CHECK ((lease IS NULL) = (leased_until IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX job_due ON muninn.job (kind, due_at, id) WHERE status = 'waiting';
CREATE INDEX job_leased ON muninn.job (leased_until) WHERE status = 'leased';
CREATE INDEX job_thread ON muninn.job (bot_id, thread_id, kind, id);
CREATE INDEX job_turn ON muninn.job (bot_id, turn_id);
CREATE INDEX job_dead ON muninn.job (bot_id, person_id, id) WHERE status = 'dead';
COMMENT ON TABLE muninn.job IS
  'Work for a gateway: gone when done. lease: who has claimed it shows this; after leased_until somebody else may. dead: given up, until a person retries or discards it.';

CREATE SEQUENCE muninn.delivery_id;
CREATE TABLE muninn.delivery (
  bot_id       bigint NOT NULL,
  id           bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.delivery_id'),
  person_id    bigint NOT NULL REFERENCES muninn.person (id),
  thread_id    bigint NOT NULL,
  message_id   bigint NOT NULL,
  channel      text NOT NULL,
  address      jsonb NOT NULL,
  status       text NOT NULL DEFAULT 'waiting',
  attempts     integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 10,
  due_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  lease        uuid,
  leased_until timestamptz,
  external_id  text,
  error        text,
  created_at   timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  delivered_at timestamptz,
  PRIMARY KEY (bot_id, id),
  -- The conversation is the message's: a reference of its own would need an index of all.
  FOREIGN KEY (bot_id, message_id) REFERENCES muninn.message (bot_id, id),
  CHECK (status IN ('waiting', 'leased', 'delivered', 'dead')),
  CHECK ((lease IS NULL) = (leased_until IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX delivery_due ON muninn.delivery (channel, due_at, id) WHERE status = 'waiting';
CREATE INDEX delivery_leased ON muninn.delivery (leased_until) WHERE status = 'leased';
CREATE INDEX delivery_thread ON muninn.delivery (bot_id, thread_id, id) WHERE status IN ('waiting', 'leased');
CREATE INDEX delivery_message ON muninn.delivery (bot_id, message_id);
CREATE INDEX delivery_dead ON muninn.delivery (bot_id, person_id, id) WHERE status = 'dead';
COMMENT ON TABLE muninn.delivery IS
  'A message on its way out by a channel. external_id: what the channel calls it, once delivered.';

CREATE TABLE muninn.model_price (
  provider  text NOT NULL,
  model     text NOT NULL,
  since     timestamptz NOT NULL DEFAULT '-infinity',
  -- NaN is above infinity.
  input     numeric NOT NULL CHECK (input >= 0::numeric AND input < 'Infinity'::numeric),
  cached    numeric CHECK (cached >= 0::numeric AND cached < 'Infinity'::numeric),
  output    numeric NOT NULL CHECK (output >= 0::numeric AND output < 'Infinity'::numeric),
  PRIMARY KEY (provider, model, since)
);
COMMENT ON TABLE muninn.model_price IS
  'What a model costs since when: US dollars for a million tokens read (cached: of those, read from a cache) and written.';

CREATE SEQUENCE muninn.model_call_id;
CREATE TABLE muninn.model_call (
  bot_id        bigint NOT NULL REFERENCES muninn.bot (id),
  id            bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.model_call_id'),
  person_id     bigint NOT NULL REFERENCES muninn.person (id),
  turn_id       bigint,
  role          text NOT NULL,
  provider      text NOT NULL,
  model         text NOT NULL,
  input_tokens  bigint,
  cached_tokens bigint,
  output_tokens bigint,
  cost          numeric,
  duration_ms   integer,
  error         text,
  at            timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, id),
  FOREIGN KEY (bot_id, turn_id) REFERENCES muninn.turn (bot_id, id)
);
CREATE INDEX model_call_person ON muninn.model_call (bot_id, person_id, at);
CREATE INDEX model_call_turn ON muninn.model_call (bot_id, turn_id) WHERE turn_id IS NOT NULL;
COMMENT ON TABLE muninn.model_call IS
  'Every call of a model, also those that failed. Tokens and cost (US dollars) are NULL where they are not known.';
