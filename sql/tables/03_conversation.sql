-- Conversations: threads and the messages in them, in order.

CREATE SEQUENCE muninn.thread_id;
CREATE TABLE muninn.thread (
  bot_id        bigint NOT NULL,
  id            bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.thread_id'),
  audience_id   bigint NOT NULL,
  key           text NOT NULL,
  next_position integer NOT NULL DEFAULT 1,
  title         text,
  channel       text,
  created_at    timestamptz NOT NULL DEFAULT pg_catalog.now(),
  last_at       timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, id),
  UNIQUE (bot_id, audience_id, key),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id),
  CHECK (key <> '')
);
-- A person's conversations, the latest first; what memories alone belong to is none.
CREATE INDEX thread_latest ON muninn.thread (bot_id, audience_id, last_at DESC, id DESC) WHERE channel IS NOT NULL;
COMMENT ON TABLE muninn.thread IS
  'A conversation. Its key is unique within its audience, so the same key never joins two people''s threads. next_position is handed to the next turn. channel: where it was held last, NULL if only memories belong to it.';

CREATE SEQUENCE muninn.message_id;
CREATE TABLE muninn.message (
  bot_id      bigint NOT NULL,
  id          bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.message_id'),
  thread_id   bigint NOT NULL,
  position    integer NOT NULL,
  person_id   bigint REFERENCES muninn.person (id),
  role        text NOT NULL,
  content     text NOT NULL,
  channel     text,
  external_id text,
  replaced    boolean NOT NULL DEFAULT false,
  created_at  timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, id),
  UNIQUE (bot_id, thread_id, position),
  FOREIGN KEY (bot_id, thread_id) REFERENCES muninn.thread (bot_id, id),
  CHECK (role IN ('user', 'assistant', 'system', 'tool'))
);
CREATE UNIQUE INDEX message_external ON muninn.message (bot_id, channel, external_id)
  WHERE external_id IS NOT NULL;
COMMENT ON TABLE muninn.message IS
  'One message of a thread; position is its order there. (channel, external_id) takes a channel''s message once. replaced: it was edited or answered anew, and is no longer part of the conversation.';
