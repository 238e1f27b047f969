//! Objects of others that are named like ours, or like Postgres's own, and
//! stand first in the search path: nothing of ours may run them.

use muninn_tests::{Database, Hit, Session, sentence, shared};

/// What an attacker could leave where others look first. Each would change a
/// result, and leaves a trace when it runs.
const TRAPS: &str = r#"
CREATE SCHEMA trap;
CREATE TABLE trap.sprung (what text);
GRANT ALL ON SCHEMA trap TO PUBLIC;
GRANT ALL ON trap.sprung TO PUBLIC;
CREATE FUNCTION trap.spring(what text) RETURNS void LANGUAGE plpgsql AS
  $$ BEGIN RAISE WARNING 'trap: %', what; END $$;
CREATE FUNCTION trap.equal(bigint, bigint) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('equal'); RETURN true; END $$;
CREATE OPERATOR trap.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = trap.equal);
CREATE FUNCTION trap.equal(text, text) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('text equal'); RETURN true; END $$;
CREATE OPERATOR trap.= (LEFTARG = text, RIGHTARG = text, FUNCTION = trap.equal);
CREATE FUNCTION trap.overlaps(text[], text[]) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('overlaps'); RETURN true; END $$;
CREATE OPERATOR trap.&& (LEFTARG = text[], RIGHTARG = text[], FUNCTION = trap.overlaps);
CREATE FUNCTION trap.join(text, text) RETURNS text LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('join'); RETURN 'joined'; END $$;
CREATE OPERATOR trap.|| (LEFTARG = text, RIGHTARG = text, FUNCTION = trap.join);
CREATE FUNCTION trap.differ(integer, integer) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('differ'); RETURN false; END $$;
CREATE OPERATOR trap.<> (LEFTARG = integer, RIGHTARG = integer, FUNCTION = trap.differ);
CREATE FUNCTION trap.now() RETURNS timestamptz LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('now'); RETURN 'epoch'; END $$;
CREATE FUNCTION trap.length(text) RETURNS integer LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('length'); RETURN 0; END $$;
CREATE FUNCTION trap."left"(text, integer) RETURNS text LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('left'); RETURN 'left'; END $$;
CREATE FUNCTION trap.format(text, VARIADIC text[]) RETURNS text LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('format'); RETURN 'format'; END $$;
CREATE FUNCTION trap.quote_ident(text) RETURNS text LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('quote_ident'); RETURN 'trap'; END $$;
CREATE FUNCTION trap.unnest(text[]) RETURNS SETOF text LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('unnest'); RETURN NEXT 'trap'; END $$;
CREATE FUNCTION trap.nextval(regclass) RETURNS bigint LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('nextval'); RETURN 1; END $$;
CREATE FUNCTION trap.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('clock'); RETURN 'epoch'; END $$;
CREATE FUNCTION trap.nearest(vector, vector) RETURNS float8 LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('nearest'); RETURN 0; END $$;
CREATE OPERATOR trap.<=> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = trap.nearest);
CREATE FUNCTION trap.nearest(halfvec, halfvec) RETURNS float8 LANGUAGE plpgsql AS
  $$ BEGIN PERFORM trap.spring('half nearest'); RETURN 0; END $$;
CREATE OPERATOR trap.<=> (LEFTARG = halfvec, RIGHTARG = halfvec, FUNCTION = trap.nearest);
CREATE TABLE trap.memory (LIKE muninn.memory);
CREATE TABLE trap.pg_extension (extname name, extnamespace oid);
CREATE TYPE trap.halfvec AS (x int);
GRANT ALL ON ALL TABLES IN SCHEMA trap TO PUBLIC;
"#;

fn ask(s: &Session, anna: i64) -> Vec<Hit> {
    let mut all = Vec::new();
    for more in [
        "explain => true",
        "fusion => 'vector'",
        "fusion => 'rrf', tags => '{odd}', since => '2000-01-01', statuses => '{verified}'",
        "known_at => pg_catalog.now(), as_of => pg_catalog.now()",
    ] {
        all.extend(s.recall(anna, "Who repaired the bicycle?", more));
    }
    all
}

#[test]
fn a_hostile_schema_first_in_the_path_changes_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..10 {
        s.remember(anna, &sentence(number), if number % 2 == 1 { "tags => '{odd}'" } else { "" });
    }
    let before = ask(&s, anna);
    s.run(TRAPS);

    for path in ["trap, pg_catalog, public", "pg_temp, trap, public, pg_catalog"] {
        let victim = db.session();
        victim.run(&format!("SET search_path = {path}"));
        // The control: the trap works.
        victim.notices();
        victim.run("SELECT 1::bigint = 2::bigint");
        assert_eq!(victim.notices().len(), 1, "the control");
        assert_eq!(ask(&victim, anna), before, "{path}");
        let id = victim.remember(
            anna,
            &format!("A trap is set in {path}."),
            "tags => '{a,b}', key => 'k', thread => 't'",
        );
        victim.run("SET muninn.embed_on_write = off");
        victim.remember(anna, &format!("A second trap is set in {path}."), "audience => 'shared'");
        victim.run(&format!(
            "SELECT muninn.memory('assistant', {anna}, {id}); SELECT muninn.memories('assistant', {anna});
             SELECT muninn.status(); SELECT muninn_admin.run_worker('embedding');
             SELECT muninn_admin.run_worker('index');
             SELECT muninn.create_bot('bot' || {id}); SELECT muninn.person('p', 'q');
             SELECT muninn.join_group('assistant', {anna}, 'g'); SELECT muninn.leave_group('assistant', {anna}, 'g');
             SELECT muninn.configure_bot('assistant', '{{}}'); SELECT muninn.embed('x');
             SELECT muninn.eval_create_set('assistant', {anna}, 'e{id}');
             SELECT muninn.eval_add_question('assistant', {anna}, 'e{id}', 'trap', ARRAY[{id}::bigint]);
             SELECT muninn.eval_add_question('assistant', {anna}, 'e{id}', 'none', negative => true);
             SELECT muninn.eval_questions('assistant', {anna}, 'e{id}'); SELECT muninn.eval_sets('assistant', {anna});
             SELECT muninn.eval_run('assistant', {anna}, 'e{id}');
             SELECT muninn.eval_run('assistant', {anna}, 'e{id}', min_relevance => 1);
             SELECT muninn.eval_compare('assistant', {anna}, r.run, r.run), muninn.eval_results('assistant', {anna}, r.run)
               FROM muninn.eval_runs('assistant', {anna}) r;
             SELECT muninn.eval_moved('assistant', {anna}, r.run, r.run) FROM muninn.eval_runs('assistant', {anna}) r;
             SELECT muninn.eval_make_set('assistant', {anna}, 'm{id}', keep => 0.9);
             SELECT muninn.eval_remove_question('assistant', {anna}, 'e{id}', muninn.eval_question_key('none'));
             SELECT muninn.eval_remove_set('assistant', {anna}, 'e{id}')"
        ));
        let sprung: Vec<String> = victim
            .notices()
            .into_iter()
            .map(|n| n.message)
            // The statement above joins texts itself.
            .filter(|m| m.starts_with("trap") && m != "trap: join")
            .collect();
        assert!(sprung.is_empty(), "{path}: {sprung:?}");
        victim.run(&format!("SELECT muninn.forget('assistant', {anna}, m.id) FROM muninn.memory m WHERE content LIKE 'A %trap%'"));
        assert_eq!(ask(&victim, anna), before);
    }
    muninn_tests::check_invariants(&s);
}

#[test]
fn the_extension_installs_beside_a_hostile_schema_and_in_another_place() {
    let db = Database::empty(shared());
    let s = db.session();
    s.run("CREATE SCHEMA \"Odd Schema\"; CREATE EXTENSION vector SCHEMA \"Odd Schema\"");
    s.run("CREATE SCHEMA first; SET search_path = first, \"Odd Schema\", public; CREATE EXTENSION muninn");
    let fresh = db.session();
    let [anna] = fresh.people(["anna"]);
    let id = fresh.remember(anna, "My daughter must not eat peanuts.", "");
    assert_eq!(fresh.recall(anna, "dangerous snacks", "fusion => 'vector'")[0].id, id);
    fresh.run("SET muninn.exact_scan_limit = 0; SET enable_sort = off");
    assert_eq!(fresh.recall(anna, "dangerous snacks", "fusion => 'vector'")[0].id, id);
    fresh.run("SET muninn.embed_on_write = off");
    fresh.remember(anna, "Nuts are in the cake.", "");
    fresh.number("SELECT muninn_admin.run_worker('embedding')");
    muninn_tests::check_invariants(&fresh);
}

/// Operators between all pairs of these types, in the schema of pgvector, which
/// is in the path while the extension is installed. Postgres prefers its own for
/// equal types; for others the trap would be the better match.
const MIXED_OPERATORS: &str = r#"
DO $do$
DECLARE
  types text[] := '{smallint,integer,bigint,real,double precision,numeric,text,name,"\"char\"",oid,regclass,regnamespace,timestamptz,timestamp,date,boolean}';
  a text; b text; o text;
BEGIN
  FOREACH a IN ARRAY types LOOP
    FOREACH b IN ARRAY types LOOP
      EXECUTE format('CREATE FUNCTION public.trap(%s, %s) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN RAISE WARNING ''trap: %s %s''; RETURN true; END $$', a, b, a, b);
      FOREACH o IN ARRAY '{=,<>,<,<=,>,>=}'::text[] LOOP
        EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.trap)', o, a, b);
      END LOOP;
    END LOOP;
  END LOOP;
END
$do$;
"#;

#[test]
fn traps_that_wait_in_pgvectors_schema_are_not_built_in() {
    let db = Database::empty(shared());
    let s = db.session();
    s.run("CREATE EXTENSION vector");
    s.run(MIXED_OPERATORS);
    s.run("SELECT 0.5::double precision >= 0");
    assert!(s.notices().iter().any(|n| n.message.starts_with("trap")), "the control");
    s.run("CREATE EXTENSION muninn");
    let [anna] = s.people(["anna"]);
    let id =
        s.remember(anna, "A heron.", "confidence => 0.5, valid_to => '2100-01-01Z', thread => 't'");
    ask(&s, anna);
    s.run(&format!(
        "INSERT INTO muninn.activation_count SELECT bot_id, id, 1, now() FROM muninn.memory WHERE id = {id};
         SELECT muninn.memories('assistant', {anna}); SELECT muninn.status();
         SELECT muninn_admin.run_worker('index'); SELECT muninn.forget('assistant', {anna}, {id})"
    ));
    let sprung: Vec<String> =
        s.notices().into_iter().map(|n| n.message).filter(|m| m.starts_with("trap")).collect();
    assert!(sprung.is_empty(), "{sprung:?}");
}
