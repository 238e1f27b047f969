-- 15,000 memories in one transaction, into a database whose statistics say that nothing
-- is in it: psql -X -f tests/bench/load.sql on an empty database. Prints the time of each
-- third, and which tables were read from end to end.
\set QUIET on
CREATE EXTENSION muninn CASCADE;
VACUUM ANALYZE;
SELECT muninn.create_bot('load'), muninn.person('load', 'one') AS person \gset
CREATE TEMP TABLE vector AS SELECT array_agg(random()::real) AS v FROM generate_series(1, 384);
\timing on
BEGIN;
\set text '''Statement number '' || g || '' about the garden fence '' || md5(g::text)'
SELECT count(muninn.remember('load', :person, :text, embedding => v)) FROM generate_series(1, 5000) g, vector;
SELECT count(muninn.remember('load', :person, :text, embedding => v)) FROM generate_series(5001, 10000) g, vector;
SELECT count(muninn.remember('load', :person, :text, embedding => v)) FROM generate_series(10001, 15000) g, vector;
SELECT relname, seq_scan, seq_tup_read FROM pg_stat_xact_user_tables WHERE seq_tup_read > 1000 ORDER BY 3 DESC;
COMMIT;
