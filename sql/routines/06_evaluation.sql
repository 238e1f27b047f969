-- Evaluation as a feature of every installation: sets of questions with the
-- memories that answer them, runs of them, and the comparison of two runs. A
-- person sees and runs only sets and runs of their own, and every question is
-- asked in the scope of the person who runs it.

CREATE FUNCTION muninn.require_test_database() RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF current_database() !~ '_test$' THEN
    RAISE EXCEPTION 'database "%" is not one for tests', current_database()
      USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Documents of a public set are stored only where the name ends in _test: CREATE DATABASE muninn_eval_test, and in it CREATE EXTENSION muninn CASCADE.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.require_test_database() IS
  'Refuses a database whose name does not end in _test; whoever stores documents to be tested with calls it first. Errors: 55000. Example: SELECT muninn.require_test_database() WHERE current_database() ~ ''_test$''';

-- --- Sets and questions ------------------------------------------------------

CREATE FUNCTION muninn.eval_own_set(
  bot text, person bigint, set text,
  OUT bot_id bigint, OUT set_id bigint, OUT audiences bigint[], OUT settings jsonb
)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  SELECT s.bot_id, s.audiences, s.settings INTO bot_id, audiences, settings
  FROM muninn.scope(bot, person) s;
  SELECT g.id INTO set_id FROM muninn.golden_set g
  WHERE g.bot_id = eval_own_set.bot_id AND g.person_id = person AND g.name = set;
  IF set_id IS NULL THEN
    -- The same answer whether or not another person has one of that name.
    RAISE EXCEPTION 'person % has no set "%"', person, left(coalesce(set, 'NULL'), 100)
      USING ERRCODE = 'undefined_object',
      HINT = 'muninn.eval_sets(bot, person) lists them; muninn.eval_create_set and muninn.eval_make_set make one.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.eval_own_set(text, bigint, text) IS
  'Ids of a person''s own set and of its bot, with the person''s scope as in muninn.scope. Errors: 22004, 42704 unknown bot or person, or the person has no such set. Example: SELECT o.* FROM muninn.eval_sets(''assistant'', 1) s, muninn.eval_own_set(''assistant'', 1, s.set) o';

CREATE FUNCTION muninn.eval_create_set(bot text, person bigint, set text, description text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
  made bigint;
BEGIN
  PERFORM muninn.require_person(person);
  IF set IS NULL OR set !~ '^[^[:cntrl:]]{1,200}$' OR set !~ '[^[:space:]]' THEN
    RAISE EXCEPTION 'this is no name for a set' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Use 1 to 200 characters without control characters.';
  END IF;
  IF octet_length(description) > 10000 THEN
    RAISE EXCEPTION 'the description has more than 10,000 bytes' USING ERRCODE = 'program_limit_exceeded',
      HINT = 'Pass less.';
  END IF;
  INSERT INTO muninn.golden_set (bot_id, person_id, name, description)
  VALUES (this_bot, person, set, eval_create_set.description)
  ON CONFLICT ON CONSTRAINT golden_set_bot_id_person_id_name_key DO NOTHING RETURNING id INTO made;
  IF made IS NULL THEN
    RAISE EXCEPTION 'person % has a set "%" already', person, set USING ERRCODE = 'duplicate_object',
      HINT = 'Choose another name, or remove it with muninn.eval_remove_set.';
  END IF;
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.eval_create_set(text, bigint, text, text) IS
  'Makes an empty set of questions that belongs to this person, and returns its id. Errors: 22004, 22023 bad name, 42501, 42704 unknown bot or person, 42710 the name is taken, 54000 too long a description. Example: SELECT muninn.eval_create_set(''assistant'', 1, ''household'')';

CREATE FUNCTION muninn.eval_remove_set(bot text, person bigint, set text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  PERFORM muninn.require_person(person);
  DELETE FROM muninn.golden_set g WHERE g.bot_id = this_bot AND g.person_id = person AND g.name = set;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM muninn.eval_run r
  WHERE r.bot_id = this_bot AND r.person_id = person AND r.target = 'golden:' || set;
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.eval_remove_set(text, bigint, text) IS
  'Erases a person''s set with its questions and the runs of it; true if there was one. Errors: 22004, 42501, 42704 unknown bot or person. Example: SELECT muninn.eval_remove_set(''assistant'', 1, ''household'')';

CREATE FUNCTION muninn.eval_question_key(query text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(query, 'UTF8')), 'hex'), 32);
COMMENT ON FUNCTION muninn.eval_question_key(text) IS
  'The key of a question: the same words have the same key in every set, so that runs can be compared. No errors. Example: SELECT muninn.eval_question_key(''Who feeds the cat?'')';

CREATE FUNCTION muninn.eval_unreadable(bot_id bigint, audiences bigint[], memories bigint[]) RETURNS bigint[]
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT coalesce(pg_catalog.array_agg(wanted.id ORDER BY wanted.id), '{}')
  FROM pg_catalog.unnest(eval_unreadable.memories) AS wanted (id)
  WHERE NOT EXISTS (SELECT FROM muninn.memory m
    WHERE m.bot_id OPERATOR(pg_catalog.=) eval_unreadable.bot_id AND m.id OPERATOR(pg_catalog.=) wanted.id
      AND m.audience_id OPERATOR(pg_catalog.=) ANY (eval_unreadable.audiences));
END;
COMMENT ON FUNCTION muninn.eval_unreadable(bigint, bigint[], bigint[]) IS
  'Which of these ids are none of memories in a scope. Called with what muninn.scope returns. No errors. Example: SELECT muninn.eval_unreadable(s.bot_id, s.audiences, ''{42}'') FROM muninn.scope(''assistant'', 1) s';

CREATE FUNCTION muninn.eval_add_question(
  bot text, person bigint, set text, query text, expected bigint[] DEFAULT NULL,
  category text DEFAULT NULL, negative boolean DEFAULT false, grades integer[] DEFAULT NULL,
  note text DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  own record;
  wanted bigint[] := coalesce(expected, '{}');
  unreadable bigint[];
  made text;
BEGIN
  SELECT * INTO own FROM muninn.eval_own_set(bot, person, set);
  IF query IS NULL OR query !~ '[^[:space:]]' THEN
    RAISE EXCEPTION 'the question must not be empty' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Pass what a person would ask.';
  END IF;
  IF octet_length(query) > 100000 OR octet_length(category) > 1000 OR octet_length(note) > 10000
     OR cardinality(wanted) > 1000 THEN
    RAISE EXCEPTION 'the question is longer than it can be' USING ERRCODE = 'program_limit_exceeded',
      HINT = 'At most 100,000 bytes, 1,000 for the category, 10,000 for the note, and 1,000 expected memories.';
  END IF;
  IF coalesce(negative, false) <> (cardinality(wanted) = 0) THEN
    RAISE EXCEPTION 'a question has expected memories, or is negative and has none'
      USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Pass expected => ARRAY[memory_id, …], or negative => true.';
  END IF;
  IF array_position(wanted, NULL) IS NOT NULL
     OR cardinality(wanted) <> (SELECT count(DISTINCT w) FROM unnest(wanted) w) THEN
    RAISE EXCEPTION 'an expected memory is NULL or named twice' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Name each memory once.';
  END IF;
  IF grades IS NOT NULL AND (cardinality(grades) <> cardinality(wanted)
     OR EXISTS (SELECT FROM unnest(grades) g WHERE g IS NULL OR g NOT BETWEEN 1 AND 100)) THEN
    RAISE EXCEPTION 'there is not one grade from 1 to 100 for each expected memory'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Pass as many grades as expected ids, or none.';
  END IF;
  unreadable := muninn.eval_unreadable(own.bot_id, own.audiences, wanted);
  IF unreadable <> '{}' THEN
    -- The same answer whether or not there is one that somebody else may read.
    RAISE EXCEPTION 'memory % is none that the person may read', unreadable[1]
      USING ERRCODE = 'undefined_object',
      HINT = 'Expect ids that muninn.recall or muninn.memories returns to this person.';
  END IF;
  INSERT INTO muninn.golden_question AS q (bot_id, set_id, key, query, expected, grades, category, negative, note)
  VALUES (own.bot_id, own.set_id, muninn.eval_question_key(eval_add_question.query), eval_add_question.query,
          wanted, eval_add_question.grades, eval_add_question.category,
          coalesce(eval_add_question.negative, false), eval_add_question.note)
  ON CONFLICT ON CONSTRAINT golden_question_pkey DO UPDATE SET expected = excluded.expected,
    grades = excluded.grades, category = excluded.category, negative = excluded.negative, note = excluded.note
  RETURNING q.key INTO made;
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.eval_add_question(text, bigint, text, text, bigint[], text, boolean, integer[], text) IS
  'Adds a question to a person''s own set, or replaces the one of the same words; returns its key. expected: ids of the memories that answer it, all of which the person may read; grades: how well each does (1 to 100), for nDCG; negative: nothing answers it; category: figures are also given by it. Errors: 22004, 22023 an empty question, or expected, negative and grades do not fit, 42501, 42704 unknown bot, person or set, or a memory that the person may not read, 54000 too long. Example: SELECT muninn.eval_add_question(''assistant'', 1, s.set, ''Who won the chess final?'', negative => true) FROM muninn.eval_sets(''assistant'', 1) s';

CREATE FUNCTION muninn.eval_remove_question(bot text, person bigint, set text, key text) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  own record;
BEGIN
  SELECT * INTO own FROM muninn.eval_own_set(bot, person, set);
  DELETE FROM muninn.golden_question q
  WHERE q.bot_id = own.bot_id AND q.set_id = own.set_id AND q.key = eval_remove_question.key;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION muninn.eval_remove_question(text, bigint, text, text) IS
  'Takes a question out of a person''s own set; true if there was one of that key. Results of earlier runs stay. Errors: 22004, 42501, 42704 unknown bot, person or set. Example: SELECT muninn.eval_remove_question(''assistant'', 1, s.set, muninn.eval_question_key(''Who feeds the cat?'')) FROM muninn.eval_sets(''assistant'', 1) s';

CREATE FUNCTION muninn.eval_sets(bot text, person bigint)
RETURNS TABLE (set text, description text, questions bigint, negatives bigint, runs bigint, created_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  PERFORM muninn.require_person(person);
  RETURN QUERY SELECT g.name, g.description,
      (SELECT count(*) FROM muninn.golden_question q WHERE q.bot_id = g.bot_id AND q.set_id = g.id),
      (SELECT count(*) FROM muninn.golden_question q
       WHERE q.bot_id = g.bot_id AND q.set_id = g.id AND q.negative),
      (SELECT count(*) FROM muninn.eval_run r
       WHERE r.bot_id = g.bot_id AND r.person_id = g.person_id AND r.target = 'golden:' || g.name),
      g.created_at
    FROM muninn.golden_set g WHERE g.bot_id = this_bot AND g.person_id = person ORDER BY g.name;
END
$$;
COMMENT ON FUNCTION muninn.eval_sets(text, bigint) IS
  'The sets of a person: how many questions each has, how many of them are negative, and how often it was run. Errors: 22004, 42501, 42704 unknown bot or person. Example: SELECT * FROM muninn.eval_sets(''assistant'', 1)';

CREATE FUNCTION muninn.eval_questions(bot text, person bigint, set text)
RETURNS TABLE (key text, query text, expected bigint[], grades integer[], category text, negative boolean,
               note text, made_from bigint[], unreadable bigint[])
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  own record;
BEGIN
  SELECT * INTO own FROM muninn.eval_own_set(bot, person, set);
  RETURN QUERY SELECT q.key, q.query, q.expected, q.grades, q.category, q.negative, q.note, q.made_from,
      muninn.eval_unreadable(own.bot_id, own.audiences, q.expected)
    FROM muninn.golden_question q WHERE q.bot_id = own.bot_id AND q.set_id = own.set_id
    ORDER BY q.created_at, q.key;
END
$$;
COMMENT ON FUNCTION muninn.eval_questions(text, bigint, text) IS
  'The questions of a person''s own set, oldest first. unreadable: expected memories that are gone or not in the person''s scope any more; a run skips such a question. Errors: 22004, 42501, 42704 unknown bot, person or set. Example: SELECT q.* FROM muninn.eval_sets(''assistant'', 1) s, muninn.eval_questions(''assistant'', 1, s.set) q';

CREATE FUNCTION muninn.eval_make_set(
  bot text, person bigint, set text, size integer DEFAULT 50, seed bigint DEFAULT 1,
  keep double precision DEFAULT 0.5, negatives integer DEFAULT NULL
) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  made bigint;
  wrote integer;
  ids bigint[];
  texts text[];
  wordings text[];
  own boolean[];
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  negatives := coalesce(negatives, size / 4);
  IF size IS NULL OR size NOT BETWEEN 1 AND 1000 OR negatives NOT BETWEEN 0 AND 1000 THEN
    RAISE EXCEPTION 'size must be from 1 to 1000, negatives from 0 to 1000'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'A hundred questions show a change of some ten points.';
  END IF;
  IF keep IS NULL OR NOT keep BETWEEN 0.1 AND 1 OR seed IS NULL THEN
    RAISE EXCEPTION 'keep must be from 0.1 to 1, and seed a number' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'keep is the share of its words that a question takes from a memory.';
  END IF;
  made := muninn.eval_create_set(bot, person, set, format(
    'Made from memories: size %s, seed %s, keep %s. For comparing one state with another.', size, seed, keep));
  -- By kind and time, so that even stretches of the order spread over both.
  SELECT array_agg(m.id ORDER BY m.kind, m.valid_from, m.id),
         array_agg(concat_ws(E'\n', m.content, m.summary, array_to_string(m.tags, E'\n'))
                   ORDER BY m.kind, m.valid_from, m.id),
         array_agg(concat_ws(E'\n', coalesce(m.summary, m.content), array_to_string(m.tags, E'\n'))
                   ORDER BY m.kind, m.valid_from, m.id),
         array_agg(m.author_id = person ORDER BY m.kind, m.valid_from, m.id)
    INTO ids, texts, wordings, own
  FROM (SELECT n.* FROM muninn.memory n
        WHERE n.bot_id = scope.bot_id AND n.audience_id = ANY (scope.audiences)
          AND n.status IN ('candidate', 'verified')
        ORDER BY n.id DESC LIMIT 10000) m;
  INSERT INTO muninn.golden_question (bot_id, set_id, key, query, expected, category, negative, made_from)
  SELECT scope.bot_id, made, muninn.eval_question_key(w.query), w.query,
         CASE WHEN cardinality(w.sources) = 1 THEN x.same ELSE '{}' END,
         CASE WHEN cardinality(w.sources) = 1 THEN 'known item' ELSE 'strangers' END,
         cardinality(w.sources) > 1,
         CASE WHEN cardinality(w.sources) = 1 THEN x.same ELSE x.named END
  FROM muninn.eval_wordings(coalesce(texts, '{}'), coalesce(wordings, '{}'), coalesce(own, '{}'),
                            size, negatives, keep, seed) w
  CROSS JOIN LATERAL (
    SELECT ARRAY(SELECT ids[s] FROM unnest(w.sources) s ORDER BY 1) AS named,
           -- What is remembered twice answers twice.
           ARRAY(SELECT ids[i] FROM generate_subscripts(texts, 1) i
                 WHERE texts[i] = texts[w.sources[1]] ORDER BY 1) AS same) x
  ON CONFLICT ON CONSTRAINT golden_question_pkey DO NOTHING;
  GET DIAGNOSTICS wrote = ROW_COUNT;
  IF wrote = 0 THEN
    RAISE EXCEPTION 'person % has no memories to make questions from', person
      USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'A question needs a memory that the person wrote, of at least four words; keep more of them, or write questions with muninn.eval_add_question.';
  END IF;
  RETURN wrote;
END
$$;
COMMENT ON FUNCTION muninn.eval_make_set(text, bigint, text, integer, bigint, double precision, integer) IS
  'Makes a set from memories that the person wrote, spread over kinds and times, and returns how many questions it has: at most size (1 to 1000, default 50), each with a share keep (0.1 to 1, default 0.5) of the words of a memory''s summary, or content, and tags, without the most telling ones; and at most negatives (default a quarter of size) of rare words that stand in no memory together. Of more than 10,000 memories the newest are used. The same memories and seed make the same questions; forgetting a memory erases the questions made from it. Good for regression and for comparing settings. Not a measure of quality: people ask in other words, other memories may answer as well and count as wrong, and the negatives are easier to tell than a question with a false premise. Errors: 22004, 22023 a value out of bounds, 42501, 42704 unknown bot or person, 42710 the name is taken, 55000 no memories to make questions from. Example: SELECT muninn.eval_make_set(''assistant'', 1, ''sample'', size => 20) WHERE EXISTS (SELECT FROM muninn.memories(''assistant'', 1, k => 1) m WHERE length(m.content) > 100)';

CREATE FUNCTION muninn.eval_forget(bot_id bigint, memory bigint) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM muninn.golden_question q
  WHERE q.bot_id = eval_forget.bot_id AND q.made_from @> ARRAY[memory];
  DELETE FROM muninn.eval_result e
  WHERE e.bot_id = eval_forget.bot_id AND e.made_from @> ARRAY[memory];
END
$$;
COMMENT ON FUNCTION muninn.eval_forget(bigint, bigint) IS
  'A part of forget: erases the questions and results that have words of a memory. No errors. Example: SELECT muninn.eval_forget(1, 42)';

-- --- Runs --------------------------------------------------------------------

CREATE FUNCTION muninn.eval_run(
  bot text, person bigint, set text, k integer DEFAULT 10, fusion text DEFAULT NULL,
  settings jsonb DEFAULT NULL, min_relevance double precision DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  own record;
  question record;
  used jsonb;
  run bigint;
  begun timestamptz;
  took double precision;
  found text[];
  first double precision;
  asked integer := 0;
  skipped integer := 0;
BEGIN
  SELECT * INTO own FROM muninn.eval_own_set(bot, person, set);
  IF k IS NULL OR k NOT BETWEEN 10 AND 1000 THEN
    RAISE EXCEPTION 'k is %, but must be from 10 to 1000', coalesce(k::text, 'NULL')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'The figures look at the first ten.';
  END IF;
  IF settings IS NOT NULL AND jsonb_typeof(settings) <> 'object' THEN
    RAISE EXCEPTION 'settings must be a JSON object' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For instance ''{"semantic_weight": 0.4}''; null stands for the default.';
  END IF;
  used := jsonb_strip_nulls(own.settings || coalesce(settings, '{}'));
  PERFORM muninn.check_bot_settings(used::text);
  INSERT INTO muninn.eval_run AS r (bot_id, person_id, target, fusion, version, settings)
  VALUES (own.bot_id, person, 'golden:' || set, coalesce(eval_run.fusion, used ->> 'fusion', 'convex'),
          muninn.library_version(),
          jsonb_build_object('bot', used, 'k', k, 'min_relevance', min_relevance))
  RETURNING r.id INTO run;
  FOR question IN
    SELECT q.*, muninn.eval_unreadable(own.bot_id, own.audiences, q.expected) <> '{}' AS unreadable
    FROM muninn.golden_question q WHERE q.bot_id = own.bot_id AND q.set_id = own.set_id ORDER BY q.key
  LOOP
    IF question.unreadable THEN
      skipped := skipped + 1;
      CONTINUE;
    END IF;
    IF asked = 0 THEN
      -- A session's first question also reads the model: no part of a question's time.
      PERFORM FROM muninn.eval_recall(bot, person, question.query, k, used::text, eval_run.fusion);
    END IF;
    begun := clock_timestamp();
    SELECT coalesce(array_agg(a.memory_id::text ORDER BY a.place), '{}'), (array_agg(a.relevance ORDER BY a.place))[1]
      INTO found, first
    FROM muninn.eval_recall(bot, person, question.query, k, used::text, eval_run.fusion, min_relevance)
      WITH ORDINALITY AS a (memory_id, relevance, place);
    took := 1000 * extract(epoch FROM clock_timestamp() - begun);
    IF min_relevance IS NOT NULL THEN
      SELECT a.relevance INTO first
      FROM muninn.eval_recall(bot, person, question.query, 1, used::text, eval_run.fusion) a;
    END IF;
    INSERT INTO muninn.eval_result (bot_id, run_id, query_key, query, category, negative, expected, returned,
      relevance, milliseconds, made_from, recall_5, recall_10, hit_5, hit_10, mrr, ndcg_10, ndcg_10_graded)
    SELECT own.bot_id, run, question.key, question.query, question.category, question.negative,
      question.expected::text[], found, first, took, question.made_from,
      f.recall_5, f.recall_10, f.hit_5, f.hit_10, f.mrr, f.ndcg_10,
      CASE WHEN question.grades IS NOT NULL THEN f.ndcg_10_graded END
    FROM (SELECT) one
    LEFT JOIN muninn.eval_figures(question.expected::text[], found, question.grades) f ON NOT question.negative;
    asked := asked + 1;
  END LOOP;
  IF asked = 0 THEN
    RAISE EXCEPTION 'set "%" has no question that can be asked', set
      USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Add questions with muninn.eval_add_question; muninn.eval_questions shows which expect what the person cannot read.';
  END IF;
  IF skipped > 0 THEN
    RAISE NOTICE '% of the questions were skipped: they expect what the person cannot read', skipped
      USING HINT = 'muninn.eval_questions shows which.';
  END IF;
  UPDATE muninn.eval_run r SET queries = asked, finished_at = clock_timestamp(),
    metrics = muninn.eval_summary(bot, person, run) || jsonb_build_object('skipped', skipped)
  WHERE r.bot_id = own.bot_id AND r.id = run;
  RETURN run;
END
$$;
COMMENT ON FUNCTION muninn.eval_run(text, bigint, text, integer, text, jsonb, double precision) IS
  'Asks the questions of a person''s own set in the scope of that person and returns the id of the run, whose figures are in muninn.eval_runs: means with 95 % bootstrap intervals, times, and for negatives the share left unanswered and how well the relevance of the first result tells them apart (auroc; threshold: the min_relevance that drops 80 % of them; lost: the share of good answers that it costs). k: answers asked for (10 to 1000, default 10). fusion, min_relevance: as in recall. settings: over those of the bot, for this run alone; nothing of the bot is changed. A question that expects a memory which the person cannot read is skipped, and counted as skipped. Errors: 22004, 22023 a value out of bounds, 42501, 42704 unknown bot, person or set, 55000 no question that can be asked. Example: SELECT muninn.eval_run(''assistant'', 1, s.set, settings => ''{"semantic_weight": 0.5}'') FROM muninn.eval_sets(''assistant'', 1) s WHERE s.questions > 0';

CREATE FUNCTION muninn.eval_runs(bot text, person bigint, set text DEFAULT NULL)
RETURNS TABLE (run bigint, target text, fusion text, queries integer, metrics jsonb, settings jsonb,
               version text, started_at timestamptz, finished_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  PERFORM muninn.require_person(person);
  RETURN QUERY SELECT r.id, r.target, r.fusion, r.queries, r.metrics, r.settings, r.version, r.started_at, r.finished_at
    FROM muninn.eval_run r
    WHERE r.bot_id = this_bot AND r.person_id = person AND (set IS NULL OR r.target = 'golden:' || set)
    ORDER BY r.id DESC;
END
$$;
COMMENT ON FUNCTION muninn.eval_runs(text, bigint, text) IS
  'The runs of a person, newest first, of one set or of all; metrics holds the figures. Errors: 22004, 42501, 42704 unknown bot or person. Example: SELECT run, target, metrics -> ''means'' -> ''recall_10'' FROM muninn.eval_runs(''assistant'', 1)';

CREATE FUNCTION muninn.eval_own_run(bot text, person bigint, run bigint) RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.require_bot(bot);
BEGIN
  PERFORM muninn.require_person(person);
  PERFORM FROM muninn.eval_run r WHERE r.bot_id = this_bot AND r.person_id = person AND r.id = run;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'person % has no run % of bot "%"', person, coalesce(run::text, 'NULL'), bot
      USING ERRCODE = 'undefined_object',
      HINT = 'muninn.eval_runs(bot, person) lists them.';
  END IF;
  RETURN this_bot;
END
$$;
COMMENT ON FUNCTION muninn.eval_own_run(text, bigint, bigint) IS
  'The bot''s id, if this run is one of the person''s. Errors: 22004, 42704 unknown bot or person, or the person has no such run. Example: SELECT muninn.eval_own_run(''assistant'', 1, r.run) FROM muninn.eval_runs(''assistant'', 1) r';

CREATE FUNCTION muninn.eval_results(bot text, person bigint, run bigint) RETURNS SETOF muninn.eval_result
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.eval_own_run(bot, person, run);
BEGIN
  RETURN QUERY SELECT e.* FROM muninn.eval_result e
    WHERE e.bot_id = this_bot AND e.run_id = run ORDER BY e.query_key;
END
$$;
COMMENT ON FUNCTION muninn.eval_results(text, bigint, bigint) IS
  'What each question of a person''s own run returned, with its figures. Errors: 22004, 42501, 42704 unknown bot, person or run. Example: SELECT e.query, e.mrr FROM muninn.eval_runs(''assistant'', 1) r, muninn.eval_results(''assistant'', 1, r.run) e';

-- The questions that two runs have in common, a row a question.
CREATE FUNCTION muninn.eval_pairs(bot text, person bigint, run_a bigint, run_b bigint)
RETURNS TABLE (a muninn.eval_result, b muninn.eval_result)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  this_bot bigint := muninn.eval_own_run(bot, person, run_a);
BEGIN
  PERFORM muninn.eval_own_run(bot, person, run_b);
  RETURN QUERY SELECT e, f FROM muninn.eval_result e
    JOIN muninn.eval_result f ON f.bot_id = e.bot_id AND f.query_key = e.query_key AND f.negative = e.negative
    WHERE e.bot_id = this_bot AND e.run_id = run_a AND f.run_id = run_b ORDER BY e.query_key;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the runs % and % have no question in common', run_a, run_b
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Compare two runs of one set.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.eval_pairs(text, bigint, bigint, bigint) IS
  'A part of eval_compare and eval_moved: the results of the questions that two of the person''s own runs have in common. Errors: 22004, 22023 they have none, 42704 unknown bot, person or run. Example: SELECT (p.a).query, (p.a).mrr, (p.b).mrr FROM muninn.eval_runs(''assistant'', 1) r, muninn.eval_pairs(''assistant'', 1, r.run, r.run) p';

CREATE FUNCTION muninn.eval_compare(bot text, person bigint, run_a bigint, run_b bigint)
RETURNS TABLE (metric text, questions bigint, a double precision, b double precision,
               difference double precision, low double precision, high double precision)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH each AS (
    SELECT m.place, m.metric, p.key, m.a, m.b
    FROM (SELECT (q.a).query_key AS key, q.a, q.b
          FROM muninn.eval_pairs(eval_compare.bot, eval_compare.person, eval_compare.run_a, eval_compare.run_b) q) p
    CROSS JOIN LATERAL (VALUES
      (1, 'recall_5', (p.a).recall_5, (p.b).recall_5),
      (2, 'recall_10', (p.a).recall_10, (p.b).recall_10),
      (3, 'hit_5', (p.a).hit_5, (p.b).hit_5),
      (4, 'hit_10', (p.a).hit_10, (p.b).hit_10),
      (5, 'mrr', (p.a).mrr, (p.b).mrr),
      (6, 'ndcg_10', (p.a).ndcg_10, (p.b).ndcg_10),
      (7, 'ndcg_10_graded', (p.a).ndcg_10_graded, (p.b).ndcg_10_graded),
      (8, 'unanswered',
        CASE WHEN (p.a).negative THEN (pg_catalog.cardinality((p.a).returned) OPERATOR(pg_catalog.=) 0)::integer::double precision END,
        CASE WHEN (p.b).negative THEN (pg_catalog.cardinality((p.b).returned) OPERATOR(pg_catalog.=) 0)::integer::double precision END),
      (9, 'milliseconds', (p.a).milliseconds, (p.b).milliseconds)
    ) AS m (place, metric, a, b)
    WHERE m.a IS NOT NULL AND m.b IS NOT NULL),
  sums AS (
    SELECT e.place, e.metric, pg_catalog.count(*) AS questions, pg_catalog.avg(e.a) AS a, pg_catalog.avg(e.b) AS b,
           pg_catalog.array_agg(e.b OPERATOR(pg_catalog.-) e.a ORDER BY e.key) AS differences
    FROM each e GROUP BY e.place, e.metric)
  SELECT s.metric, s.questions, s.a, s.b, d.mean, d.low, d.high
  FROM sums s CROSS JOIN LATERAL muninn.eval_mean(s.differences) d ORDER BY s.place;
END;
COMMENT ON FUNCTION muninn.eval_compare(text, bigint, bigint, bigint) IS
  'Two of the person''s own runs: for each metric both means over the questions that they have in common, the difference b - a, and its paired 95 % bootstrap interval (low to high): where it does not hold 0, the difference is more than luck with these questions. A statement does not see runs that it makes itself: compare in a later one. Errors: 22004, 22023 no common questions, 42501, 42704 unknown bot, person or run. Example: SELECT c.* FROM muninn.eval_runs(''assistant'', 1) r, muninn.eval_compare(''assistant'', 1, r.run, r.run) c';

CREATE FUNCTION muninn.eval_moved(bot text, person bigint, run_a bigint, run_b bigint)
RETURNS TABLE (query_key text, query text, negative boolean, rank_a integer, rank_b integer,
               expected text[], returned_a text[], returned_b text[])
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT m.query_key, m.query, m.negative, m.rank_a, m.rank_b, m.expected, m.returned_a, m.returned_b
  FROM (
    SELECT (p.b).query_key, (p.b).query, (p.b).negative, x.rank_a, x.rank_b, (p.b).expected,
           (p.a).returned AS returned_a, (p.b).returned AS returned_b,
           CASE WHEN (p.b).negative
             THEN (pg_catalog.cardinality((p.a).returned) OPERATOR(pg_catalog.=) 0)::integer
                  OPERATOR(pg_catalog.-) (pg_catalog.cardinality((p.b).returned) OPERATOR(pg_catalog.=) 0)::integer
             ELSE coalesce(1.0::double precision OPERATOR(pg_catalog./) x.rank_a, 0)
                  OPERATOR(pg_catalog.-) coalesce(1.0::double precision OPERATOR(pg_catalog./) x.rank_b, 0) END AS loss
    FROM muninn.eval_pairs(eval_moved.bot, eval_moved.person, eval_moved.run_a, eval_moved.run_b) p
    CROSS JOIN LATERAL (SELECT
      (SELECT pg_catalog.min(r.place)::integer FROM pg_catalog.unnest((p.a).returned) WITH ORDINALITY AS r (id, place)
       WHERE r.id OPERATOR(pg_catalog.=) ANY ((p.a).expected)) AS rank_a,
      (SELECT pg_catalog.min(r.place)::integer FROM pg_catalog.unnest((p.b).returned) WITH ORDINALITY AS r (id, place)
       WHERE r.id OPERATOR(pg_catalog.=) ANY ((p.b).expected)) AS rank_b) x
  ) m
  WHERE m.loss OPERATOR(pg_catalog.<>) 0::double precision
  ORDER BY m.loss DESC, m.query_key;
END;
COMMENT ON FUNCTION muninn.eval_moved(text, bigint, bigint, bigint) IS
  'Which questions two of the person''s own runs answer differently, those that have become worse first: the rank of the first right memory in each (NULL where it was not returned) and what was returned; of negatives those that are answered in one run alone. Errors: 22004, 22023 no common questions, 42501, 42704 unknown bot, person or run. Example: SELECT m.* FROM muninn.eval_runs(''assistant'', 1) r, muninn.eval_moved(''assistant'', 1, r.run, r.run) m';

-- --- What the library computes -----------------------------------------------

COMMENT ON FUNCTION muninn.eval_recall(text, bigint, text, integer, text, text, double precision) IS
  'What muninn.recall would answer if the bot had these settings (all that are to hold, a JSON object as text): ids and relevance, best first; writes nothing. Errors: as recall. Example: SELECT * FROM muninn.eval_recall(''assistant'', 1, ''what food is bad for my pet?'', 10, ''{"semantic_weight": 0.5}'')';

COMMENT ON FUNCTION muninn.eval_figures(text[], text[], integer[]) IS
  'The figures of one question: expected ids (with grades, 1 by default) against those returned, best first. recall_k: the share of the expected within the first k; hit_k: 1 if there is one; mrr: 1/rank of the first; ndcg_10: against the best order possible, graded with the grade as gain. Errors: 22004, 22023 grades and ids do not match. Example: SELECT * FROM muninn.eval_figures(''{7}'', ''{3,7}'')';

COMMENT ON FUNCTION muninn.eval_mean(double precision[]) IS
  'The mean of the values and its 95 % bootstrap interval (1,000 resamples from a fixed seed); NULL where there are none. Of differences, a value a question, it is the paired interval. No errors. Example: SELECT * FROM muninn.eval_mean(''{0,1,1}'')';

COMMENT ON FUNCTION muninn.eval_summary(text, bigint, bigint) IS
  'The figures of a person''s own run, computed anew from its results; no questions for a run that is not the person''s. Errors: 22004, 42501, 42704 unknown bot or person. Example: SELECT muninn.eval_summary(''assistant'', 1, 42)';

COMMENT ON FUNCTION muninn.eval_wordings(text[], text[], boolean[], integer, integer, double precision, bigint) IS
  'A part of eval_make_set: questions from texts, see there. wordings: what each question takes its words from; chosen: which texts may be used; sources count from 1, several for a negative. Errors: 22023 the arrays differ in length, or keep is no share. Example: SELECT * FROM muninn.eval_wordings(''{Anna sold her old violin yesterday}'', ''{Anna sold her old violin yesterday}'', ''{true}'', 1, 0, 0.5, 1)';

ALTER FUNCTION muninn.eval_recall(text, bigint, text, integer, text, text, double precision) COST 10000 ROWS 10;
