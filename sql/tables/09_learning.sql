-- What use teaches.

-- A queue: the task hebbian learns from what is here and empties it.
CREATE SEQUENCE muninn.activation_id;
CREATE TABLE muninn.activation (
  bot_id      bigint NOT NULL,
  id          bigint NOT NULL DEFAULT pg_catalog.nextval('muninn.activation_id'),
  person_id   bigint NOT NULL,
  memories    bigint[] NOT NULL,
  recalled_at timestamptz NOT NULL,
  PRIMARY KEY (bot_id, id)
);
COMMENT ON TABLE muninn.activation IS
  'Recalls that happened and are not yet learned from: which memories they returned, best first, for whom, when.';

-- No foreign keys: twenty links a recall would lock both ends of each. Whoever
-- writes here has locked the memories, and whoever erases one erases its links.
CREATE TABLE muninn.association (
  bot_id    bigint NOT NULL,
  a         bigint NOT NULL,
  b         bigint NOT NULL,
  kind      text NOT NULL,
  weight    double precision NOT NULL,
  together  bigint NOT NULL DEFAULT 0,
  used_at   timestamptz NOT NULL,
  person_id bigint REFERENCES muninn.person (id),
  PRIMARY KEY (bot_id, a, b, kind),
  CHECK (kind IN ('learned', 'supports', 'contradicts', 'supersedes', 'refines', 'causes', 'part_of', 'relates_to')),
  CHECK (weight > 0::double precision AND weight <= 1::double precision),
  CHECK (CASE kind WHEN 'learned' THEN a < b AND together > 0 ELSE a <> b AND person_id IS NOT NULL END)
) WITH (fillfactor = 70);
CREATE INDEX association_other ON muninn.association (bot_id, b);
COMMENT ON TABLE muninn.association IS
  'Links between memories. learned: both directions are one row; weight as of used_at, it halves in half_life_days; together: recalls that returned both. Others: stated by a person, a supports b.';

CREATE TABLE muninn.recall_count (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  recalls     bigint NOT NULL,
  PRIMARY KEY (bot_id, audience_id),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id),
  CHECK (recalls > 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE muninn.recall_count IS
  'How many recalls returned something of an audience: how often two of its memories meet by chance follows from it.';

CREATE TABLE muninn.confidence_due (
  bot_id    bigint NOT NULL,
  memory_id bigint NOT NULL,
  PRIMARY KEY (bot_id, memory_id)
);
COMMENT ON TABLE muninn.confidence_due IS
  'Memories whose evidence has changed since their confidence was computed.';
