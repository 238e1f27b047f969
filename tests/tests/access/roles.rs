//! What roles may do: nothing without a grant, the verbs with the gateway's,
//! everything of ours with the operator's.

use muninn_tests::{Database, Session, shared};

/// Everything in a schema, as a statement that touches it. Texts are not NULL, nor
/// numbers of a strict function, which is not even looked at where an argument is.
fn touches(s: &Session, schema: &str) -> Vec<String> {
    let functions = s.column(&format!(
        "SELECT format('SELECT %s.%I(%s)', p.pronamespace::regnamespace, p.proname,
           (SELECT string_agg(CASE WHEN t = 'text'::regtype THEN '''x'''
                 WHEN p.proisstrict AND t::regtype::text IN ('bigint', 'integer', 'double precision') THEN '1'
                 ELSE 'NULL' END
              || '::' || format_type(t, NULL), ', ' ORDER BY n)
            FROM unnest(p.proargtypes) WITH ORDINALITY a (t, n)))
         FROM pg_proc p WHERE p.pronamespace = '{schema}'::regnamespace ORDER BY 1"
    ));
    let relations = s.column(&format!(
        "SELECT CASE c.relkind WHEN 'S' THEN format('SELECT nextval(%L)', c.oid::regclass)
           ELSE format('SELECT * FROM %s', c.oid::regclass) END
         FROM pg_class c WHERE c.relnamespace = '{schema}'::regnamespace
           AND c.relkind IN ('r', 'v', 'm', 'p', 'S', 'f') ORDER BY 1"
    ));
    functions.into_iter().chain(relations).collect()
}

/// Makes a role of the cluster that may log in, once.
fn role(s: &Session, name: &str, member_of: Option<&str>) {
    let quoted = format!("\"{}\"", name.replace('"', "\"\""));
    let _ = s.try_rows(&format!("CREATE ROLE {quoted} LOGIN"));
    if let Some(group) = member_of {
        s.run(&format!("GRANT {group} TO {quoted}"));
    }
}

#[test]
fn a_role_without_grants_can_do_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    role(&s, "nobody_in_particular", None);
    let stranger = db.session_as("nobody_in_particular");
    let mut all = touches(&s, "muninn");
    assert!(all.len() > 40, "{}", all.len());
    all.extend(touches(&s, "muninn_admin"));
    let mut wrong = Vec::new();
    for statement in all {
        match stranger.try_rows(&statement) {
            Ok(_) => wrong.push(format!("may: {statement}")),
            Err(e) if e.code().is_some_and(|code| code.code() == "42501") => {}
            Err(e) => wrong.push(format!("{statement}: {e:?}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Also where somebody lets everybody into the schemas.
    s.run("GRANT USAGE ON SCHEMA muninn, muninn_admin TO PUBLIC");
    let open: Vec<String> = touches(&s, "muninn")
        .into_iter()
        .chain(touches(&s, "muninn_admin"))
        .filter(|statement| {
            !stranger
                .try_rows(statement)
                .is_err_and(|e| e.code().is_some_and(|c| c.code() == "42501"))
        })
        .collect();
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn the_gateway_may_use_the_verbs_and_nothing_across_people() {
    let db = Database::new(shared());
    let s = db.session();
    for (name, group) in [
        ("a gateway", "muninn_gateway"),
        ("weird \" role; --", "muninn_gateway"),
        ("Ærlig", "muninn_gateway"),
    ] {
        role(&s, name, Some(group));
        let g = db.session_as(name);
        let bot = format!("bot-{}", name.len());
        g.run(&format!(
            "SELECT muninn.create_bot('{bot}', 'You help.', '{{\"language\": \"en\"}}')"
        ));
        g.run(&format!("SELECT muninn.configure_bot('{bot}', '{{\"fusion\": \"rrf\"}}')"));
        let person = g.number("SELECT muninn.person('test', 'somebody')");
        g.run(&format!("SELECT muninn.join_group('{bot}', {person}, 'kitchen')"));
        for audience in ["personal", "shared", "group:kitchen"] {
            g.run(&format!(
                "SELECT muninn.remember('{bot}', {person}, 'The oven is hot.', audience => '{audience}', thread => 't')"
            ));
        }
        g.run("SET muninn.embed_on_write = off");
        let last =
            g.number(&format!("SELECT muninn.remember('{bot}', {person}, 'The oven is cold.')"));
        assert_eq!(g.recall_of(&bot, person, "oven", "").len(), 4);
        assert_eq!(g.recall_of(&bot, person, "oven", "tags => NULL, known_at => now()").len(), 4);
        g.run("SET muninn.exact_scan_limit = 0");
        // The worker may have embedded the last one by now.
        assert!(g.recall_of(&bot, person, "oven", "fusion => 'vector'").len() >= 3);
        assert_eq!(
            g.number(&format!("SELECT count(*) FROM muninn.memories('{bot}', {person})")),
            4
        );
        assert!(g.holds(&format!("SELECT muninn.forget('{bot}', {person}, {last}) IS NOT NULL")));
        g.run(&format!("SELECT muninn.leave_group('{bot}', {person}, 'kitchen')"));
        assert!(g.number("SELECT count(*) FROM muninn.status()") >= 4);
        g.run(&format!("SELECT muninn.eval_create_set('{bot}', {person}, 'set')"));
        g.run(&format!(
            "SELECT muninn.eval_add_question('{bot}', {person}, 'set', 'oven', ARRAY[m.memory_id])
             FROM muninn.memories('{bot}', {person}, k => 1) m"
        ));
        let run = g.number(&format!("SELECT muninn.eval_run('{bot}', {person}, 'set')"));
        let metrics =
            format!("SELECT count(*) FROM muninn.eval_compare('{bot}', {person}, {run}, {run})");
        assert!(g.number(&metrics) >= 6);
        assert_eq!(g.number("SELECT vector_dims(muninn.embed('oven'))"), 384);

        let mut wrong = Vec::new();
        let across = touches(&s, "muninn_admin");
        assert!(!across.is_empty());
        for statement in across.into_iter().chain([
            "INSERT INTO muninn.embedding_model (name, provider, dimensions) VALUES ('x', 'client', 3)".into(),
            "UPDATE muninn.embedding_model SET name = name".into(),
            "DROP TABLE muninn.posting_page".into(),
            "ALTER FUNCTION muninn.status() COST 7".into(),
            "CREATE TABLE muninn.mine (x int)".into(),
            "TRUNCATE muninn.memory CASCADE".into(),
            "SET muninn.max_content_bytes = 2000".into(),
            "SHOW muninn.model_dir".into(),
        ]) {
            match g.try_rows(&statement) {
                Err(e) if e.code().is_some_and(|code| code.code() == "42501") => {}
                other => wrong.push(format!("{statement}: {other:?}")),
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn the_operator_works_across_people_and_leaves_a_trace() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off");
    s.remember(anna, "The oven is hot.", "");
    role(&s, "an_operator", Some("muninn_operator"));
    let o = db.session_as("an_operator");
    assert!(o.number("SELECT muninn_admin.run_worker('embedding')") <= 1);
    o.number("SELECT muninn_admin.run_worker('index')");
    for (task, code) in [("'mending'", "22023"), ("''", "22023"), ("NULL", "22004")] {
        let refusal = o.refusal(&format!("SELECT muninn_admin.run_worker({task})"));
        muninn_tests::check_refused(&refusal, code).unwrap();
    }
    // Not as if the operator were somebody.
    assert_eq!(
        o.refusal(&format!("SELECT muninn.recall('assistant', {anna}, 'oven')")).code,
        "42501"
    );
    let look = |reason: &str| {
        format!("SELECT content FROM muninn_admin.memories('assistant', {anna}, {reason})")
    };
    assert_eq!(o.refusal(&look("NULL")).code, "22004");
    assert_eq!(o.refusal(&look("'  '")).code, "22004");
    assert_eq!(o.column(&look("'ticket 12'")), ["The oven is hot."]);
    o.number("SELECT muninn_admin.run_worker('audit')");
    let events = o.column("SELECT muninn_admin.export_audit('assistant')");
    assert!(
        events.last().is_some_and(|e| e.contains("operator_look") && e.contains("ticket 12")),
        "{events:?}"
    );
    assert!(events.iter().all(|event| !event.contains("oven")), "{events:?}");
    assert_eq!(
        o.number("SELECT count(*) FROM muninn_admin.verify_audit() WHERE problem IS NOT NULL"),
        0
    );
}
