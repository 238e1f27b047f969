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
