-- Which memories contradict each other, and which say the same in other words.

-- Several rows a memory: a unique key would make those who write wait for whoever
-- is just taking them.
CREATE TABLE muninn.contradiction_due (
  bot_id    bigint NOT NULL,
  memory_id bigint NOT NULL
);
CREATE INDEX contradiction_due_memory ON muninn.contradiction_due (bot_id, memory_id);
COMMENT ON TABLE muninn.contradiction_due IS
  'Memories that are new or have changed and are still to be compared with those like them.';

CREATE SEQUENCE muninn.contradiction_id;
CREATE TABLE muninn.contradiction (
  bot_id         bigint NOT NULL,
  id             bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.contradiction_id'),
  audience_id    bigint NOT NULL,
  a              bigint NOT NULL,
  b              bigint NOT NULL,
  relation       text NOT NULL,
  level          text NOT NULL,
  state          text NOT NULL DEFAULT 'suspected',
  score          double precision NOT NULL,
  a_words        text NOT NULL,
  b_words        text NOT NULL,
  winner         bigint,
  reason         text,
  found_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  decided_at     timestamptz,
  decided_by     bigint REFERENCES muninn.person (id),
  decided_source text,
  PRIMARY KEY (bot_id, id),
  UNIQUE (bot_id, a, b),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id),
  FOREIGN KEY (bot_id, a) REFERENCES muninn.memory (bot_id, id),
  FOREIGN KEY (bot_id, b) REFERENCES muninn.memory (bot_id, id),
  CHECK (a < b),
  CHECK (relation IN ('contradiction', 'update')),
  CHECK (level IN ('structural', 'cluster', 'supersession')),
  CHECK (state IN ('suspected', 'confirmed', 'dismissed', 'resolved')),
  CHECK (score >= 0::double precision AND score <= 1::double precision),
  CHECK ((state = 'resolved') = (winner IS NOT NULL)),
  CHECK (winner IN (a, b))
);
CREATE INDEX contradiction_other ON muninn.contradiction (bot_id, b);
CREATE INDEX contradiction_decided ON muninn.contradiction (bot_id, decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX contradiction_audience ON muninn.contradiction (bot_id, audience_id, id);
COMMENT ON TABLE muninn.contradiction IS
  'Pairs of memories of one audience that cannot both be true (relation contradiction), or of which one is news of the other (update), with the words that conflict. suspected: found by the worker, changes no belief. confirmed and dismissed: decided, by a person or (decided_source) something else. resolved: winner is the one that stays.';

CREATE TABLE muninn.near_duplicate (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  a           bigint NOT NULL,
  b           bigint NOT NULL,
  found_at    timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
  PRIMARY KEY (bot_id, a, b),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id),
  FOREIGN KEY (bot_id, a) REFERENCES muninn.memory (bot_id, id),
  FOREIGN KEY (bot_id, b) REFERENCES muninn.memory (bot_id, id),
  CHECK (a < b)
);
CREATE INDEX near_duplicate_other ON muninn.near_duplicate (bot_id, b);
CREATE INDEX near_duplicate_audience ON muninn.near_duplicate (bot_id, audience_id);
COMMENT ON TABLE muninn.near_duplicate IS
  'Pairs of memories of one audience that say the same in almost the same words: linked, not merged.';
