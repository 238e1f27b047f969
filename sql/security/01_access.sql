-- Nothing for PUBLIC; the gateway works through the functions of schema muninn,
-- the operator also through muninn_admin. Data tables and their sequences are
-- registered, so that pg_dump keeps every row.

REVOKE ALL ON SCHEMA muninn, muninn_admin FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA muninn, muninn_admin FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA muninn, muninn_admin FROM PUBLIC;

GRANT USAGE ON SCHEMA muninn TO muninn_gateway, muninn_operator;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA muninn TO muninn_gateway, muninn_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA muninn TO muninn_gateway, muninn_operator;
REVOKE INSERT, UPDATE, DELETE ON muninn.embedding_model FROM muninn_gateway;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA muninn TO muninn_gateway, muninn_operator;

GRANT USAGE ON SCHEMA muninn_admin TO muninn_operator;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA muninn_admin TO muninn_operator;

DO $$
DECLARE
  relation regclass;
BEGIN
  FOR relation IN
    SELECT c.oid FROM pg_catalog.pg_class c
    WHERE c.relnamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace)
      AND c.relkind IN ('r', 'S')
    ORDER BY c.relname
  LOOP
    -- The built-in model is in every installation; a dump keeps only added ones.
    PERFORM pg_catalog.pg_extension_config_dump(relation,
      CASE relation WHEN 'muninn.embedding_model'::regclass THEN 'WHERE id >= 100' ELSE '' END);
  END LOOP;
END
$$;
