-- Texts are analysed as Unicode.
DO $$
BEGIN
  IF pg_catalog.getdatabaseencoding() OPERATOR(pg_catalog.<>) 'UTF8' THEN
    RAISE EXCEPTION 'the database has the encoding %, but muninn needs UTF8', pg_catalog.getdatabaseencoding()
      USING ERRCODE = 'feature_not_supported',
      HINT = 'CREATE DATABASE ... ENCODING ''UTF8'' TEMPLATE template0';
  END IF;
END
$$;

-- Roles and schemas. A role is cluster-wide and outlives the extension, so it
-- is made only where it is missing.
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['muninn_gateway', 'muninn_operator'] LOOP
    BEGIN
      EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', role_name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- there already, or made by another database at the same moment
    END;
  END LOOP;
END
$$;

COMMENT ON SCHEMA muninn IS
  'pg_muninn: memory for AI assistants. Every function here names a bot and a person and sees only what that person may read.';

CREATE SCHEMA muninn_admin;
COMMENT ON SCHEMA muninn_admin IS
  'pg_muninn: functions that see across people; role muninn_operator only.';
