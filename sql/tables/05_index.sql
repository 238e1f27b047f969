-- What recall searches: postings for words, embeddings for meaning. All are
-- ordinary tables led by (bot, audience): WAL, backup, replicas and MVCC hold
-- for them, and a search reads only its own scope.

-- A memory is first found by a row of its own, later by the pages of a segment:
-- see extension/core/src/posting.
CREATE TABLE muninn.fresh_document (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  memory_id   bigint NOT NULL,
  length      integer NOT NULL,
  terms       bytea NOT NULL,
  PRIMARY KEY (bot_id, audience_id, memory_id)
);
ALTER TABLE muninn.fresh_document ALTER COLUMN terms SET STORAGE EXTERNAL;
COMMENT ON TABLE muninn.fresh_document IS
  'The index terms of a memory that is in no segment yet, and how many there are. Read as a whole by every search of its audience, so they are packed when they are some dozens.';

CREATE TABLE muninn.posting_segment (
  bot_id       bigint NOT NULL,
  audience_id  bigint NOT NULL,
  segment      integer NOT NULL,
  memories     bigint NOT NULL,
  terms        bigint NOT NULL,
  first_memory bigint NOT NULL,
  last_memory  bigint NOT NULL,
  PRIMARY KEY (bot_id, audience_id, segment),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id)
);
COMMENT ON TABLE muninn.posting_segment IS
  'Postings of many memories of an audience, packed: how many memories and index terms it has, and the range of their ids.';

-- PLAIN: a page is as long as half a block of the table, and is read where it lies.
CREATE TABLE muninn.posting_page (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  segment     integer NOT NULL,
  part        integer NOT NULL,
  first_term  text COLLATE "C" NOT NULL,
  page        bytea NOT NULL,
  PRIMARY KEY (bot_id, audience_id, segment, first_term, part)
);
ALTER TABLE muninn.posting_page ALTER COLUMN page SET STORAGE PLAIN;
COMMENT ON TABLE muninn.posting_page IS
  'A page of a segment: a run of index terms from first_term on with their postings (part 0), or a piece of the postings of first_term alone (part 1, 2, …).';

-- Several rows an audience: a unique key would make those who queue wait for
-- one another.
CREATE TABLE muninn.index_due (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL
);
CREATE INDEX index_due_audience ON muninn.index_due (bot_id, audience_id);
COMMENT ON TABLE muninn.index_due IS
  'Audiences whose index a worker should tidy, as that takes longer than a call of remember should.';

CREATE SEQUENCE muninn.embedding_model_id START 100;
CREATE TABLE muninn.embedding_model (
  id              integer PRIMARY KEY DEFAULT pg_catalog.nextval('muninn.embedding_model_id'),
  name            text NOT NULL UNIQUE,
  provider        text NOT NULL,
  dimensions      integer NOT NULL CHECK (dimensions BETWEEN 1 AND 4000),
  query_prefix    text NOT NULL DEFAULT '',
  document_prefix text NOT NULL DEFAULT '',
  weights_sha256  text,
  CHECK (provider IN ('builtin', 'client'))
);
COMMENT ON TABLE muninn.embedding_model IS
  'Models that make embeddings. builtin: computed in the database; client: the caller passes the vector.';
INSERT INTO muninn.embedding_model (id, name, provider, dimensions, weights_sha256) VALUES
  (1, 'all-MiniLM-L6-v2', 'builtin', 384,
   '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db');

-- Apart from the models, so that a restored dump says which one it was.
CREATE TABLE muninn.active_embedding_model (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  model_id integer REFERENCES muninn.embedding_model (id)
);
COMMENT ON TABLE muninn.active_embedding_model IS
  'The model in use. No row: the built-in one (1); a row with NULL: none, words alone.';


-- Narrow on purpose: no text beside the vector, no counters in it. PLAIN keeps
-- the vector in the row, so a distance never pays for a detour to TOAST.
CREATE TABLE muninn.embedding (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  memory_id   bigint NOT NULL,
  model_id    integer NOT NULL REFERENCES muninn.embedding_model (id),
  vector      halfvec NOT NULL,
  PRIMARY KEY (bot_id, memory_id, model_id),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id)
);
ALTER TABLE muninn.embedding ALTER COLUMN vector SET STORAGE PLAIN;
CREATE INDEX embedding_scope ON muninn.embedding (bot_id, audience_id, model_id);
COMMENT ON TABLE muninn.embedding IS
  'The meaning of a memory as a unit vector, a row a model; vectors of different models never meet.';

-- Which vectors are worth a look: see extension/core/src/sketch.
CREATE TABLE muninn.fresh_sketch (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  memory_id   bigint NOT NULL,
  model_id    integer NOT NULL REFERENCES muninn.embedding_model (id),
  sketch      bytea NOT NULL,
  PRIMARY KEY (bot_id, audience_id, model_id, memory_id)
);
COMMENT ON TABLE muninn.fresh_sketch IS
  'The signs of a vector that is in no segment yet.';

CREATE TABLE muninn.sketch_segment (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  model_id    integer NOT NULL REFERENCES muninn.embedding_model (id),
  segment     integer NOT NULL,
  memories    bigint NOT NULL,
  clustered   boolean NOT NULL,
  PRIMARY KEY (bot_id, audience_id, model_id, segment),
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id)
);
COMMENT ON TABLE muninn.sketch_segment IS
  'Sketches of many vectors of an audience, packed: how many, and whether sketch_centroids says where the blocks lie.';

CREATE TABLE muninn.sketch_block (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  model_id    integer NOT NULL,
  segment     integer NOT NULL,
  block       integer NOT NULL,
  sketches    bytea NOT NULL,
  PRIMARY KEY (bot_id, audience_id, model_id, segment, block)
);
ALTER TABLE muninn.sketch_block ALTER COLUMN sketches SET STORAGE PLAIN;
COMMENT ON TABLE muninn.sketch_block IS
  'A block of vectors that lie together: their mean, the ids of their memories, and the signs of what each differs by from the mean.';

CREATE TABLE muninn.sketch_centroids (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  model_id    integer NOT NULL,
  segment     integer NOT NULL,
  level       integer NOT NULL CHECK (level IN (0, 1)),
  place       integer NOT NULL,
  centroids   bytea NOT NULL,
  PRIMARY KEY (bot_id, audience_id, model_id, segment, level, place)
);
ALTER TABLE muninn.sketch_centroids ALTER COLUMN centroids SET STORAGE PLAIN;
COMMENT ON TABLE muninn.sketch_centroids IS
  'Where the blocks of a clustered segment lie: level 0 has some blocks a row, place being the first of them; level 1 has where those rows lie, so that a search reads only those that are near.';

-- A long memory is judged by its best passage, too.
CREATE TABLE muninn.passage (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  memory_id   bigint NOT NULL,
  passage     integer NOT NULL,
  first_byte  integer NOT NULL,
  last_byte   integer NOT NULL,
  length      integer NOT NULL,
  terms       bytea NOT NULL,
  PRIMARY KEY (bot_id, audience_id, memory_id, passage),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id)
);
COMMENT ON TABLE muninn.passage IS
  'The passages of memories of more than 200 words: where they stand in the content (bytes, last_byte excluded) and their index terms.';

CREATE TABLE muninn.passage_embedding (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  memory_id   bigint NOT NULL,
  passage     integer NOT NULL,
  model_id    integer NOT NULL REFERENCES muninn.embedding_model (id),
  vector      halfvec NOT NULL,
  PRIMARY KEY (bot_id, audience_id, memory_id, passage, model_id)
);
ALTER TABLE muninn.passage_embedding ALTER COLUMN vector SET STORAGE PLAIN;
COMMENT ON TABLE muninn.passage_embedding IS
  'The meaning of a passage as a unit vector, a row a model.';

CREATE TABLE muninn.embedding_backlog (
  bot_id          bigint NOT NULL,
  memory_id       bigint NOT NULL,
  model_id        integer NOT NULL REFERENCES muninn.embedding_model (id),
  bytes           integer NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  last_error      text,
  queued_at       timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (bot_id, memory_id, model_id),
  FOREIGN KEY (bot_id, memory_id) REFERENCES muninn.memory (bot_id, id)
);
CREATE INDEX embedding_backlog_due ON muninn.embedding_backlog (bytes, next_attempt_at);
COMMENT ON TABLE muninn.embedding_backlog IS
  'Memories that still lack an embedding. A row stays until the embedding is there. bytes: size of the text; short ones go first.';
