-- Who may call what. Every function that names a bot and a person, or works
-- across people, runs as the owner and decides by the caller's role
-- (routines/00_caller.sql); no role but the owner touches a table. Behind that
-- stand row policies, for whoever is granted a table by mistake.

DO $$
BEGIN
  BEGIN
    CREATE ROLE muninn_user NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
  END;
END
$$;

REVOKE ALL ON SCHEMA muninn, muninn_admin FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA muninn, muninn_admin FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA muninn, muninn_admin FROM PUBLIC;

GRANT USAGE ON SCHEMA muninn TO muninn_gateway, muninn_user, muninn_operator;
GRANT USAGE ON SCHEMA muninn_admin TO muninn_operator;

DO $$
DECLARE
  verb record;
BEGIN
  FOR verb IN
    SELECT p.oid::regprocedure AS called, n.nspname AS schema, p.proname AS name
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
    WHERE n.nspname OPERATOR(pg_catalog.=) 'muninn_admin'::name
       OR (n.nspname OPERATOR(pg_catalog.=) 'muninn'::name
           AND ((p.proargnames[1:2] OPERATOR(pg_catalog.=) '{bot,person}'::text[]
                 -- What only the verbs themselves need.
                 AND p.proname OPERATOR(pg_catalog.<>) ALL ('{take,require_turn,own_turn,hold_own_turn,acts_in_turn,require_own_memory}'::name[]))
                OR p.proname OPERATOR(pg_catalog.=) ANY
                   ('{create_bot,configure_bot,person,link_finish,status,receive_from,claim_jobs,claim_deliveries,sign_in,signed_in,sign_out,sign_in_link,use_sign_in_link,keep_sign_in,take_sign_in,token_bearer,served_bots}'::name[])))
    ORDER BY 1
  LOOP
    EXECUTE pg_catalog.format('ALTER FUNCTION %s SECURITY DEFINER', verb.called);
    EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO %s', verb.called, CASE
      WHEN verb.schema OPERATOR(pg_catalog.=) 'muninn_admin'::name THEN 'muninn_operator'
      WHEN verb.name OPERATOR(pg_catalog.=) ANY ('{create_bot,configure_bot,person,link_start,link_finish,unlink,status,join_group,leave_group,receive_from,claim_jobs,claim_deliveries,sign_in,signed_in,sign_out,sign_in_link,use_sign_in_link,keep_sign_in,take_sign_in,token_bearer,served_bots}'::name[])
        THEN 'muninn_gateway'
      ELSE 'muninn_gateway, muninn_user' END);
  END LOOP;
END
$$;

-- What depends on its arguments alone, or is the same for everybody.
GRANT EXECUTE ON FUNCTION muninn.status() TO muninn_operator;
GRANT EXECUTE ON FUNCTION muninn.embed(text), muninn.library_version(), muninn.normalised(text),
  muninn.next_status(text, text), muninn.now(), muninn.activation_ring(),
  muninn.actr_activation(bigint, double precision, double precision), muninn.temporal_priority(double precision),
  muninn.hebbian_weight(double precision, integer),
  muninn.hebbian_weakened(double precision, double precision, double precision),
  muninn.beyond_chance(bigint, bigint, bigint, bigint), muninn.bayes_confidence(double precision, double precision),
  muninn.confidence_after(double precision, double precision[]),
  muninn.retention(double precision, double precision, double precision), muninn.stability(double precision, bigint)
  TO muninn_gateway, muninn_user, muninn_operator;
-- Across people.
GRANT EXECUTE ON FUNCTION muninn.waiting_activations() TO muninn_operator;

-- A person who connects as a role of their own reads by this view, too.
CREATE FUNCTION muninn.own_audiences() RETURNS TABLE (bot_id bigint, bot text, audience_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT b.id, b.name, a.id
  FROM muninn.bot b
  CROSS JOIN LATERAL (SELECT muninn.caller_person() AS person) p
  CROSS JOIN LATERAL unnest(muninn.audiences(b.id, p.person)) AS a (id)
  WHERE p.person IS NOT NULL AND muninn.caller_uses(b.id);
END;
COMMENT ON FUNCTION muninn.own_audiences() IS
  'The audiences of all bots that the calling role may read as the person that it is; none if it is no person. Example: SELECT * FROM muninn.own_audiences()';
REVOKE ALL ON FUNCTION muninn.own_audiences() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION muninn.own_audiences(), muninn.audience_name(text, text) TO muninn_user;

CREATE VIEW muninn.own_memory WITH (security_barrier = true) AS
SELECT o.bot, d.memory_id, d.content, d.summary, d.tags, d.kind, d.audience, d.status,
       d.confidence, d.claim, d.created_at, d.ended_at, d.valid_from, d.valid_to, d.superseded_by,
       d.source, d.thread, d.thread_position, d.version
FROM muninn.own_audiences() o
JOIN muninn.memory_detail d ON d.bot_id OPERATOR(pg_catalog.=) o.bot_id
  AND d.audience_id OPERATOR(pg_catalog.=) o.audience_id;
COMMENT ON VIEW muninn.own_memory IS
  'What the calling role may read as the person that it is (muninn_admin.grant_person), in any state.';
GRANT SELECT ON muninn.own_memory TO muninn_user;

-- Rows by the caller, whoever was granted the table.
CREATE FUNCTION muninn.caller_reads(bot_id bigint, audience_id bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.caller_acts(caller_reads.bot_id) OR (muninn.caller_uses(caller_reads.bot_id)
    AND caller_reads.audience_id OPERATOR(pg_catalog.=) ANY (muninn.audiences(caller_reads.bot_id, muninn.caller_person())));
END;
COMMENT ON FUNCTION muninn.caller_reads(bigint, bigint) IS
  'Whether the caller may read an audience of a bot: as a gateway of the bot, or as the person it is. For row policies. Example: SELECT muninn.caller_reads(1, 1)';
CREATE FUNCTION muninn.caller_serves(bot_id bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.caller_acts(caller_serves.bot_id);
END;
COMMENT ON FUNCTION muninn.caller_serves(bigint) IS
  'As muninn.caller_acts. For row policies. Example: SELECT muninn.caller_serves(1)';
CREATE FUNCTION muninn.caller_rules() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT muninn.caller_owns();
END;
COMMENT ON FUNCTION muninn.caller_rules() IS
  'As muninn.caller_owns. For row policies. Example: SELECT muninn.caller_rules()';
REVOKE ALL ON FUNCTION muninn.caller_reads(bigint, bigint), muninn.caller_serves(bigint), muninn.caller_rules() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION muninn.caller_reads(bigint, bigint), muninn.caller_serves(bigint), muninn.caller_rules()
  TO muninn_gateway, muninn_user, muninn_operator;

DO $$
DECLARE
  relation record;
BEGIN
  FOR relation IN
    SELECT c.oid, c.oid::regclass AS name,
      pg_catalog.array_agg(a.attname::text) AS columns
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
    JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attnum OPERATOR(pg_catalog.>) 0::smallint
    WHERE n.nspname OPERATOR(pg_catalog.=) 'muninn'::name AND c.relkind OPERATOR(pg_catalog.=) 'r'::"char"
    GROUP BY c.oid ORDER BY 1
  LOOP
    EXECUTE pg_catalog.format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', relation.name);
    EXECUTE pg_catalog.format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', relation.name);
    EXECUTE pg_catalog.format('CREATE POLICY by_caller ON %s USING (%s)', relation.name, CASE
      WHEN 'audience_id' OPERATOR(pg_catalog.=) ANY (relation.columns) THEN 'muninn.caller_reads(bot_id, audience_id)'
      WHEN 'bot_id' OPERATOR(pg_catalog.=) ANY (relation.columns) THEN 'muninn.caller_serves(bot_id)'
      ELSE 'muninn.caller_rules()' END);
  END LOOP;

  FOR relation IN
    SELECT c.oid::regclass AS name, c.oid FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
    WHERE n.nspname OPERATOR(pg_catalog.=) ANY ('{muninn,muninn_admin}'::name[])
      AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,S}'::"char"[])
    ORDER BY c.relname
  LOOP
    -- Registered, so that pg_dump keeps every row. The built-in model is in every
    -- installation; a dump keeps only added ones. How tasks fared is said of this
    -- server, and its worker may write it while a dump is restored.
    CONTINUE WHEN relation.oid OPERATOR(pg_catalog.=) ANY (ARRAY['muninn.task'::regclass::oid, 'muninn.task_run'::regclass::oid]);
    PERFORM pg_catalog.pg_extension_config_dump(relation.oid,
      CASE WHEN relation.oid OPERATOR(pg_catalog.=) 'muninn.embedding_model'::regclass::oid
           THEN 'WHERE id >= 100' ELSE '' END);
  END LOOP;
END
$$;

-- An installation that has learned something is not dropped by a slip.
CREATE FUNCTION muninn.refuse_drop() RETURNS event_trigger
LANGUAGE c AS 'MODULE_PATHNAME', 'refuse_drop';
COMMENT ON FUNCTION muninn.refuse_drop() IS
  'Refuses DROP EXTENSION while there are memories (55006), unless muninn.allow_drop is on. Example: SELECT ''muninn.refuse_drop''::regproc';
REVOKE ALL ON FUNCTION muninn.refuse_drop() FROM PUBLIC;
CREATE EVENT TRIGGER muninn_refuse_drop ON ddl_command_start WHEN TAG IN ('DROP EXTENSION')
  EXECUTE FUNCTION muninn.refuse_drop();
