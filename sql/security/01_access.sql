-- Nothing for PUBLIC; the gateway works through the functions of schema muninn,
-- the operator also through muninn_admin. Data tables and their sequences are
-- registered, so that pg_dump keeps every row.

REVOKE ALL ON SCHEMA muninn, muninn_admin FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA muninn, muninn_admin FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA muninn, muninn_admin FROM PUBLIC;

GRANT USAGE ON SCHEMA muninn TO muninn_gateway, muninn_operator;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA muninn TO muninn_gateway, muninn_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA muninn TO muninn_gateway, muninn_operator;
REVOKE INSERT, UPDATE, DELETE ON muninn.embedding_model, muninn.active_embedding_model FROM muninn_gateway;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA muninn TO muninn_gateway, muninn_operator;

GRANT USAGE ON SCHEMA muninn_admin TO muninn_operator;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA muninn_admin TO muninn_operator;

DO $$
DECLARE
  relation regclass;
BEGIN
  FOR relation IN
    SELECT c.oid FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
    WHERE n.nspname OPERATOR(pg_catalog.=) ANY ('{muninn,muninn_admin}'::name[])
      AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,S}'::"char"[])
    ORDER BY c.relname
  LOOP
    -- The built-in model is in every installation; a dump keeps only added ones.
    PERFORM pg_catalog.pg_extension_config_dump(relation,
      CASE WHEN relation::oid OPERATOR(pg_catalog.=) 'muninn.embedding_model'::regclass::oid
           THEN 'WHERE id >= 100' ELSE '' END);
  END LOOP;
END
$$;
