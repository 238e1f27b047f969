-- What the functions of the library do; their bodies are in extension/src/api.

COMMENT ON FUNCTION muninn.remember(text, bigint, text, text, text[], text, text, jsonb, double precision, timestamptz, timestamptz, text, text, real[], text, text) IS
  'Stores a statement, found by its words and its meaning from the moment the transaction commits, and returns the memory''s id. summary: embedded and indexed beside the content. tags: at most 100, of 1 to 200 characters. kind: a word of your own, ''statement'' by default. audience: personal (default), shared, or group:KEY of a group of the person. claim: the structured form. confidence: 0 to 1, NULL is unknown. valid_from to valid_to: when it was true, half-open; from now on by default. source: where it comes from. thread: key of the conversation, which keeps the order. embedding: a vector of the active model, made here if NULL. key: idempotency, per person: the same key again stores nothing and returns the first id. status: verified (default), or candidate for what a model believes and somebody should decide. The same statement again in the same audience (but for case, white space and the full stop; not turns of a thread, nor what has a valid_to) is the memory that is there: it becomes evidence for it. Errors: 22004 bot, person or content is NULL; 22023 empty content or a value out of bounds; 42501, 42704 unknown bot, person or group; 54000 longer than muninn.max_content_bytes or too many tags; 22000 an embedding of another length, with NaN or all zero; 40001 the key was used, or the same said, by a concurrent transaction; 55000 it was forgotten here (muninn.relearn). Example: SELECT muninn.remember(''assistant'', 1, ''My cat must not eat chicken.'', tags => ''{cat}'')';

COMMENT ON FUNCTION muninn.recall(text, bigint, text, integer, text[], text[], timestamptz, timestamptz, timestamptz, timestamptz, double precision, text[], text, real[], boolean, text[]) IS
  'The k memories (1 to 1000, default 10) that the person may read and that answer the question best, best first; writes nothing. tags: any of them; kinds: one of them; since, until: bounds on valid_from, half-open; as_of: true at that instant; known_at: believed at that instant; min_relevance: 0 to 1, fewer or no rows rather than weaker ones; if NULL, no row where the best answer is below the bot setting answerable; statuses: candidate and verified by default; fusion: convex (default), rrf, lexical, vector; embedding: the question''s vector, made here if NULL; explain: fill lexical, semantic (0 to 1), the ranks in both arms and period, the time that the question names; audiences: only what is in these (personal, shared, group:KEY), for an answer that others read. relevance is absolute, 0 to 1; score is what the order follows. passage: of a memory of more than 200 words the passage that answers best. Errors: 22004 bot, person or query is NULL; 22023 an empty question or a value out of bounds; 42501, 42704 unknown bot or person; 54000 a question of more than 100,000 bytes; 22000 an unusable embedding; 55000 fusion vector without the model''s files. Example: SELECT content, score FROM muninn.recall(''assistant'', 1, ''what food is bad for my pet?'')';

COMMENT ON FUNCTION muninn.embed(text) IS
  'The embedding of a text by all-MiniLM-L6-v2, computed in this process: a unit vector of 384 elements; NULL for NULL. Text past 256 word pieces is split into windows, which are pooled. Errors: 55000 the model''s files are missing or damaged. Example: SELECT muninn.embed(''a cat on a mat'')';

-- They take milliseconds: a planner should look at everything else first.
ALTER FUNCTION muninn.embed(text) COST 10000;
ALTER FUNCTION muninn.recall(text, bigint, text, integer, text[], text[], timestamptz, timestamptz, timestamptz, timestamptz, double precision, text[], text, real[], boolean, text[]) COST 10000 ROWS 10;

COMMENT ON FUNCTION muninn.model_problem() IS
  'Why the embedding model cannot be used; NULL if it can. No errors. Example: SELECT muninn.model_problem()';

COMMENT ON FUNCTION muninn.library_version() IS
  'Version of the loaded library, which may be newer than that of the schema. No errors. Example: SELECT muninn.library_version()';

COMMENT ON FUNCTION muninn.check_bot_settings(text) IS
  'Refuses settings of a bot, a JSON object as text, that cannot be taken. Errors: 22023. Example: SELECT muninn.check_bot_settings(''{"semantic_weight": 0.4}'')';

COMMENT ON FUNCTION muninn.unindex(bigint, bigint, bigint[]) IS
  'Takes memories of a bot''s audience out of its index, in this transaction; waits until nobody else packs it. Part of forgetting: the memory''s own row is not touched. Errors: 22004. Example: SELECT muninn.unindex(s.bot_id, s.audiences[1], ''{}'') FROM muninn.scope(''assistant'', 1) s';

COMMENT ON FUNCTION muninn.rebuild_index(bigint, bigint) IS
  'Builds the index of a bot''s audience anew from its memories and their vectors, reading nothing of what is there; waits until nobody else packs it. Part of muninn_admin.reindex. Returns how many memories are found by words. Errors: 22004. Example: SELECT muninn.rebuild_index(s.bot_id, s.audiences[1]) FROM muninn.scope(''assistant'', 1) s';

COMMENT ON FUNCTION muninn_admin.run_worker(text) IS
  'Runs a task of the worker now, in this transaction, until nothing is left to do, also one that is not due or was stopped; returns the rows it handled, and 0 where somebody else is just running it. task: embedding (makes the embeddings that are owed), index (packs what many calls of remember have left), audit (seals the events that wait), review (rejects candidates that have waited too long), expiry (drops link codes and records of runs that have had their time). The run is kept in muninn_admin.task_runs. Errors: 22004, 22023 unknown task, 55000 the model''s files are missing. Example: SELECT muninn_admin.run_worker(''index'')';

COMMENT ON FUNCTION muninn.known_tasks() IS
  'The tasks that the library knows, and how often each runs by default; NULL is whenever there is something to do. No errors. Example: SELECT * FROM muninn.known_tasks()';

COMMENT ON FUNCTION muninn.caller() IS
  'Oid of the role that the session acts as: who connected, or what SET ROLE made of it; not the owner of a function that runs as its owner. Example: SELECT muninn.caller()';

COMMENT ON FUNCTION muninn.caller_is_superuser() IS
  'Whether the calling role is a superuser. Example: SELECT muninn.caller_is_superuser()';

COMMENT ON FUNCTION muninn.next_status(text, text) IS
  'What a verb (confirm, reject, correct, supersede, retract, forget, share, unshare, reinforce, contradict) makes of a memory in a state (candidate, verified, rejected, superseded, retracted); the same state where nothing changes, NULL if it cannot be done. Errors: 22023. Example: SELECT muninn.next_status(''confirm'', ''candidate'')';

COMMENT ON FUNCTION muninn.normalised(text) IS
  'A text without what does not change what it says: case, white space, compatibility forms, the full stop at its end. Two texts with the same normal form are one statement. Example: SELECT muninn.normalised(''Anna  likes TEA.'')';

COMMENT ON FUNCTION muninn.keyed_hash(bytea, text) IS
  'HMAC-SHA-256 of a text under a key. Example: SELECT muninn.keyed_hash(''key'', ''text'')';

COMMENT ON FUNCTION muninn.reindex(bigint, bigint, bigint) IS
  'Moves a memory of a bot to another audience with all of its index; to its own, it is indexed anew. Part of share and unshare. Errors: 22004, XX000 there is no such memory. Example: SELECT muninn.reindex(1, 42, 2)';

COMMENT ON FUNCTION muninn.closes_claims(text) IS
  'Whether a new value of a single-valued claim ends the old one, by the settings of a bot (JSON as text), as it does by default. Errors: 22023. Example: SELECT muninn.closes_claims(''{"claims": "contradict"}'')';
