-- How long the task `contradiction` takes for 100,000 new memories of one person, and
-- how much memory: psql "$(make -s url)" -X -f tests/bench/contradictions.sql
-- Some 20 words each; one in a hundred says otherwise what the one before it says.
-- Vectors are made, in 2,000 groups. It needs a superuser, and leaves nothing behind but
-- a person.
\set ON_ERROR_STOP on
\if :{?memories}
\else
  \set memories 100000
\endif
SELECT muninn.create_bot('contradiction-bench') AS bot \gset
SELECT muninn.person('bench', 'contradiction') AS person \gset
SELECT setseed(0.5);
CREATE TEMP TABLE heap AS
SELECT g AS number, ARRAY(SELECT random()::real - 0.5 + 0 * g FROM generate_series(1, 384)) AS centre
FROM generate_series(1, 2000) g;
CREATE TEMP TABLE statement AS
SELECT n, 1 + (n / 2) % 2000 AS heap, format(
  'Note %s of %s: %s lives in %s, has %s %s and %s the %s with %s near the %s of %s since then.',
  'n' || n / 2, 'file' || n / 20, 'Person' || n / 2, 'Town' || CASE WHEN n % 100 = 1 THEN n ELSE n / 2 END,
  2 + n / 2 % 7, (ARRAY['cats', 'brothers', 'boats', 'bicycles', 'houses'])[1 + n / 2 % 5],
  (ARRAY['likes', 'knows', 'visits', 'repairs', 'paints'])[1 + n / 14 % 5], 'thing' || floor(800 * power(random(), 3)),
  'friend' || floor(800 * power(random(), 3)), 'place' || floor(800 * power(random(), 3)),
  'word' || CASE WHEN n % 100 < 2 THEN n / 2 ELSE n END) AS content
FROM generate_series(0, :memories - 1) n;
-- A pair that conflicts differs in the town alone.
UPDATE statement s SET content = regexp_replace(o.content, 'Town\d+', 'Town' || s.n)
FROM statement o WHERE s.n % 100 = 1 AND o.n = s.n - 1;
CREATE TEMP TABLE bench AS SELECT :person::bigint AS person, :memories AS memories;
CREATE INDEX ON statement (n);
ANALYZE statement;
-- The server's worker waits, so that one process does it all and is seen doing it.
SELECT pg_advisory_lock(1836412526, 2);
\timing on
DO $$
DECLARE
  one bench;
BEGIN
  SELECT * INTO one FROM bench;
  FOR start IN 0 .. one.memories - 1 BY 500 LOOP
    PERFORM muninn.remember('contradiction-bench', one.person, s.content, embedding => ARRAY(
      SELECT (c + (random() - 0.5) * 0.5)::real FROM unnest(h.centre) AS c))
    FROM (SELECT * FROM statement WHERE n >= start AND n < start + 500 ORDER BY n) s
    JOIN heap h ON h.number = s.heap;
    COMMIT;
    -- Plans made for empty tables would be kept.
    IF start IN (1000, 10000) THEN
      ANALYZE;
      COMMIT;
    END IF;
  END LOOP;
END
$$;
SELECT muninn_admin.run_worker('index') AS packed;
SELECT f[14]::numeric / 100 + f[15]::numeric / 100 AS cpu
FROM regexp_split_to_array(pg_read_file('/proc/self/stat', 0, 1000), ' ') f \gset
SELECT muninn_admin.run_worker('contradiction') AS compared;
\timing off
SELECT f[14]::numeric / 100 + f[15]::numeric / 100 - :cpu AS seconds_of_processor
FROM regexp_split_to_array(pg_read_file('/proc/self/stat', 0, 1000), ' ') f;
SELECT count(*) AS found, count(*) FILTER (WHERE mb.content = regexp_replace(ma.content, 'Town\d+', substring(mb.content FROM 'Town\d+'))) AS planted
FROM muninn.contradiction c
JOIN muninn.memory ma ON ma.bot_id = c.bot_id AND ma.id = c.a
JOIN muninn.memory mb ON mb.bot_id = c.bot_id AND mb.id = c.b WHERE c.bot_id = :bot;
-- What this session holds itself, the task included (Linux).
SELECT substring(pg_read_file('/proc/self/status', 0, 4000) FROM 'RssAnon:[^\n]*') AS memory;
SELECT muninn_admin.delete_bot('contradiction-bench', confirm => 'contradiction-bench') IS NOT NULL AS deleted;
