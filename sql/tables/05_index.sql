-- What recall searches: postings for words, embeddings for meaning. Both are
-- ordinary tables led by (bot, audience): WAL, backup, replicas and MVCC hold
-- for them, and a search reads only its own scope.

CREATE TABLE muninn.posting (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  memory_id   bigint NOT NULL,
  frequency   integer NOT NULL,
  length      integer NOT NULL,
  term        text COLLATE "C" NOT NULL
);
-- Everything the lexical arm needs is in this index: it is read without the table.
CREATE UNIQUE INDEX posting_scope ON muninn.posting (bot_id, audience_id, term, memory_id)
  INCLUDE (frequency, length);
-- For forgetting; equal keys are stored once, so it costs some 8 bytes a posting.
CREATE INDEX posting_memory ON muninn.posting (bot_id, memory_id);
COMMENT ON TABLE muninn.posting IS
  'Which memory of an audience has which index term, how often, and how many terms it has in all.';

-- Written as differences that a worker folds into one row: two writers of one
-- audience never wait for each other, and what a reader sums is consistent
-- with the memories it can see.
CREATE TABLE muninn.audience_size (
  bot_id      bigint NOT NULL,
  audience_id bigint NOT NULL,
  memories    bigint NOT NULL,
  terms       bigint NOT NULL,
  FOREIGN KEY (bot_id, audience_id) REFERENCES muninn.audience (bot_id, id)
);
CREATE INDEX audience_size_scope ON muninn.audience_size (bot_id, audience_id)
  INCLUDE (memories, terms);
COMMENT ON TABLE muninn.audience_size IS
  'How many memories and index terms an audience has: the sum of its rows.';

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
CREATE INDEX embedding_hnsw_1 ON muninn.embedding
  USING hnsw ((vector::halfvec(384)) halfvec_cosine_ops) WHERE model_id = 1;
COMMENT ON TABLE muninn.embedding IS
  'The meaning of a memory as a unit vector, a row a model; vectors of different models never meet.';

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
