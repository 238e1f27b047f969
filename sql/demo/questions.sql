-- Thirteen questions to the sample of sql/demo/sample.sql, with the three best answers to each:
--
--     psql -X -q -f sql/demo/questions.sql             (add -v color=on for a terminal)
--
-- Everything is asked through muninn.recall. The helpers below only measure the time and lay out the
-- answers for 100 columns; they live in pg_temp and are gone with the session.
--
--     score       what the answers are ordered by
--     relevance   how well the memory answers the question, from 0 to 1
--     lexical     the part of it that comes from words
--     semantic    the part of it that comes from meaning

\set ON_ERROR_STOP on
SET client_encoding = 'UTF8';
SET timezone = 'Europe/Oslo';
SET client_min_messages = warning;
\pset format unaligned
\pset tuples_only on
\pset pager off
\if :{?color}
\else
  \set color off
\endif

-- Columns that a text takes on a terminal: ideographs, kana and emoji take two.
CREATE OR REPLACE FUNCTION pg_temp.columns_of(t text) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT length(t) + length(regexp_replace(t,
    '[^\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\U0001F300-\U0001FAFF]',
    '', 'g'));
$$;

CREATE OR REPLACE FUNCTION pg_temp.padded(t text, columns int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT t || repeat(' ', greatest(0, columns - pg_temp.columns_of(t)));
$$;

-- A text in lines of at most so many columns; the second line on is indented.
CREATE OR REPLACE FUNCTION pg_temp.wrapped(t text, columns int, indent int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  line text := '';
  done text := '';
  word text;
BEGIN
  -- Words, and single ideographs, may go to the next line.
  FOR word IN SELECT m[1] FROM regexp_matches(t, '([\u2E80-\uA4CF\uFF00-\uFF60] ?|[^ \u2E80-\uA4CF\uFF00-\uFF60]+ ?| )', 'g') AS m
  LOOP
    IF line <> '' AND pg_temp.columns_of(line || rtrim(word)) > columns THEN
      done := done || rtrim(line) || E'\n' || repeat(' ', indent);
      line := '';
    END IF;
    line := line || word;
  END LOOP;
  RETURN done || rtrim(line);
END $$;

-- A short text as it is; of a long one, the sentence that shares the most words with the question.
CREATE OR REPLACE FUNCTION pg_temp.excerpt(t text, question text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN length(t) <= 260 THEN t ELSE (
    SELECT '… ' || s.sentence || format(' [from a note of %s characters]', length(t))
    FROM regexp_split_to_table(t, '(?<=[.!?])\s+') WITH ORDINALITY AS s(sentence, place)
    ORDER BY (SELECT count(*)
              FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', s.sentence))) AS word
              WHERE word = ANY (tsvector_to_array(to_tsvector('pg_catalog.english', question)))) DESC, s.place
    LIMIT 1) END;
$$;

CREATE OR REPLACE FUNCTION pg_temp.figure(v jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN v IS NULL OR jsonb_typeof(v) = 'null' THEN '    –' ELSE to_char((v #>> '{}')::numeric, '0.000') END;
$$;

CREATE OR REPLACE FUNCTION pg_temp.styled(t text, style text, color bool) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN color THEN
    CASE style WHEN 'bold' THEN E'\x1b[1m' WHEN 'dim' THEN E'\x1b[2m' WHEN 'green' THEN E'\x1b[32m' ELSE '' END
    || t || E'\x1b[0m' ELSE t END;
$$;

CREATE OR REPLACE FUNCTION pg_temp.heading(number int, topic text, color bool) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT E'\n' || pg_temp.styled(rpad(format('── %s · %s ', number, topic), 100, '─'), 'green', color);
$$;

-- Asks, and lays out the answers.
CREATE OR REPLACE FUNCTION pg_temp.ask(color bool, bot text, who text, question text,
    since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL, min_relevance float8 DEFAULT NULL)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  asker_id bigint := muninn.person(provider => 'demo', subject => ask.who);
  started timestamptz;
  took    numeric;
  answers jsonb;
  answer  jsonb;
  number  int := 0;
  asker   text := format('%s asks %s', initcap(ask.who), ask.bot);
BEGIN
  started := clock_timestamp();
  SELECT jsonb_agg(to_jsonb(r) ORDER BY r.ordinality) INTO answers
  FROM muninn.recall(bot => ask.bot, person => asker_id, query => ask.question, k => 3,
                     since => ask.since, until => ask.until, min_relevance => ask.min_relevance,
                     explain => true) WITH ORDINALITY AS r;
  took := round(extract(epoch FROM clock_timestamp() - started)::numeric * 1000, 1);

  RETURN NEXT '';
  RETURN NEXT '   ' || pg_temp.padded(asker || ':', 21)
    || pg_temp.styled(pg_temp.wrapped('“' || ask.question || '”', 76, 24), 'bold', color);
  RETURN NEXT repeat(' ', 24) || pg_temp.styled(concat_ws(' · ',
    'answered in ' || took || ' ms',
    'since ' || to_char(ask.since, 'YYYY-MM-DD'),
    'until ' || to_char(ask.until, 'YYYY-MM-DD'),
    'relevance at least ' || ask.min_relevance), 'dim', color);

  IF answers IS NULL THEN
    RETURN NEXT '       nothing relevant enough is known';
    RETURN;
  END IF;
  FOR answer IN SELECT e FROM jsonb_array_elements(answers) AS e LOOP
    number := number + 1;
    RETURN NEXT format('   %s  %s  %s', number, pg_temp.styled(pg_temp.figure(answer -> 'score'), 'bold', color),
      pg_temp.wrapped(pg_temp.excerpt(answer ->> 'content', ask.question), 84, 14));
    RETURN NEXT repeat(' ', 14) || pg_temp.styled(concat_ws(' · ',
      'relevance' || pg_temp.figure(answer -> 'relevance'),
      'lexical' || pg_temp.figure(answer -> 'lexical'),
      'semantic' || pg_temp.figure(answer -> 'semantic'),
      answer ->> 'audience',
      left(answer ->> 'valid_from', 10),
      CASE WHEN answer ->> 'superseded_by' IS NOT NULL THEN 'superseded' END), 'dim', color);
  END LOOP;
END $$;

-- Asks the same by words alone, by meaning alone and by both, and shows where the right answer lands.
CREATE OR REPLACE FUNCTION pg_temp.compare(color bool, bot text, who text, question text, right_answer text)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  asker_id bigint := muninn.person(provider => 'demo', subject => compare.who);
  way     record;
  started timestamptz;
  took    numeric;
  place   bigint;
  first   text;
BEGIN
  RETURN NEXT '';
  RETURN NEXT '   ' || pg_temp.padded(format('%s asks %s:', initcap(compare.who), compare.bot), 21)
    || pg_temp.styled('“' || compare.question || '”', 'bold', color);
  RETURN NEXT repeat(' ', 24) || pg_temp.styled(pg_temp.wrapped('right answer: ' || compare.right_answer, 76, 24), 'dim', color);
  RETURN NEXT '';
  FOR way IN SELECT * FROM (VALUES ('words alone',   'lexical'), ('meaning alone', 'vector'),
                                   ('both, fused',   'convex')) AS w(name, fusion)
  LOOP
    started := clock_timestamp();
    SELECT min(r.ordinality) FILTER (WHERE r.content = compare.right_answer),
           (array_agg(r.content ORDER BY r.ordinality))[1]
    INTO place, first
    FROM muninn.recall(bot => compare.bot, person => asker_id, query => compare.question, k => 30,
                       fusion => way.fusion) WITH ORDINALITY AS r;
    took := round(extract(epoch FROM clock_timestamp() - started)::numeric * 1000, 1);
    RETURN NEXT format('   %s %s %s first: %s', rpad(way.name, 14),
      pg_temp.styled(rpad(coalesce('the right answer is number ' || place, 'the right answer is not found'), 30),
                     CASE WHEN place <= 1 THEN 'green' ELSE 'bold' END, color),
      pg_temp.styled(lpad(took || ' ms', 9), 'dim', color),
      CASE WHEN length(first) > 33 THEN left(first, 32) || '…' ELSE first END);
  END LOOP;
END $$;

-- The model is mapped into a session by its first use, so that no question below pays for it.
SELECT format(E'\nThe first embedding of this session took %s ms: the model is mapped in, once.',
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric * 1000))
FROM (SELECT muninn.embed('warm') IS NOT NULL AS ready OFFSET 0) AS e WHERE e.ready;

\echo
\echo 'Anna, Ben and Chiara have talked for ten months, to huginn, who helps each of them at home,'
\echo 'and to desk, the assistant of the office where they work. Each sees what they said themselves,'
\echo 'what their groups share, and what is shared with all. Answers show their relevance (0 to 1) and'
\echo 'what of it comes from words (lexical) and from meaning (semantic).'

-- The least relevance that counts as an answer where a question asks for one (number 12).
\if :{?min_relevance}
\else
  \set min_relevance 0.1
\endif

SELECT pg_temp.heading(1, 'Other words, same meaning', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'anna', 'Which snacks are dangerous for my little girl?');

SELECT pg_temp.heading(2, 'An exact identifier', :'color');
SELECT pg_temp.ask(:'color', 'desk', 'chiara', 'What was ERR_4711 again?');

SELECT pg_temp.heading(3, 'What has changed: the new beside the old', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'anna', 'What is our address?');

SELECT pg_temp.heading(4, 'A name carries across languages: asked in English, remembered in German', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'chiara', 'When is my appointment with Dr. Kellerhals?');

SELECT pg_temp.heading(5, 'Asked and remembered in German; what was said first is not yet known to be outdated', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'chiara', 'Wie viel Ramipril muss ich jetzt nehmen?');

SELECT pg_temp.heading(6, 'Asked and remembered in Chinese', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'ben', '奶奶住在哪里？');

SELECT pg_temp.heading(7, 'A secret: the same question, once from Ben and once from Chiara', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'ben', 'What happens on 19 September?');
SELECT pg_temp.ask(:'color', 'huginn', 'chiara', 'What happens on 19 September?');

SELECT pg_temp.heading(8, 'The last sentence of a long note', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'anna', 'Where does the spare key hang?');

SELECT pg_temp.heading(9, 'Shared: told by Anna, asked by Chiara', :'color');
SELECT pg_temp.ask(:'color', 'desk', 'chiara', 'How do I get my travel costs back?');

SELECT pg_temp.heading(10, 'A group: Chiara cooks with Anna, Ben is not in it', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'chiara', 'What must I not serve when Liv eats with us?');
SELECT pg_temp.ask(:'color', 'huginn', 'ben', 'What must I not serve when Liv eats with us?');

SELECT pg_temp.heading(11, 'Only what was said in April', :'color');
SELECT pg_temp.ask(:'color', 'desk', 'ben', 'When will v2.4.0 be released?',
                   since => '2026-04-01', until => '2026-05-01');

SELECT pg_temp.heading(12, 'A question that nothing here answers: all is weak, and a threshold leaves it out', :'color');
SELECT pg_temp.ask(:'color', 'huginn', 'anna', 'Which football team does my dentist support?');
SELECT pg_temp.ask(:'color', 'huginn', 'anna', 'Which football team does my dentist support?',
                   min_relevance => :min_relevance);

SELECT pg_temp.heading(13, 'Words alone fail, meaning alone fails, both together find it', :'color');
SELECT pg_temp.compare(:'color', 'desk', 'ben', 'A scanner is broken in Ålesund, whom do I ask?',
                       'Harald, the caretaker in Ålesund, mends barcode readers and lends us his van.');
\echo
