//! Everything public is commented, and the examples in the comments run.

use muninn_tests::{Database, Refusal, Session, shared};

fn uncommented(s: &Session, sql: &str) -> Vec<String> {
    s.column(sql)
}

#[test]
fn everything_has_a_comment() {
    let db = Database::new(shared());
    let s = db.session();
    let functions = uncommented(
        &s,
        "SELECT p.oid::regprocedure FROM pg_proc p
         WHERE p.pronamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace)
           AND coalesce(obj_description(p.oid, 'pg_proc'), '') = '' ORDER BY 1",
    );
    let relations = uncommented(
        &s,
        "SELECT c.oid::regclass FROM pg_class c
         WHERE c.relnamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace)
           AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
           AND coalesce(obj_description(c.oid, 'pg_class'), '') = '' ORDER BY 1",
    );
    let schemas = uncommented(
        &s,
        "SELECT nspname FROM pg_namespace n WHERE nspname LIKE 'muninn%'
           AND coalesce(obj_description(n.oid, 'pg_namespace'), '') = ''",
    );
    assert!(
        s.number("SELECT count(*) FROM pg_proc WHERE pronamespace = 'muninn'::regnamespace") > 15
    );
    assert_eq!((functions, relations, schemas), (vec![], vec![], vec![]));
}

#[test]
fn every_function_has_an_example_and_the_example_runs() {
    let db = Database::new(shared());
    let s = db.session();
    // What examples speak of: bot assistant, person 1, group kitchen, a memory.
    let [anna] = s.people(["anna"]);
    assert_eq!(anna, 1);
    s.run("SELECT muninn.join_group('assistant', 1, 'kitchen')");
    s.remember(anna, "Ravens remember faces.", "tags => '{work}'");
    // The memories 42, which waits for a decision, and 43; a role anna.
    s.run("SELECT setval('muninn.memory_id', 41)");
    s.remember(anna, "The cat may eat fish.", "status => 'candidate'");
    s.remember(anna, "The cat may eat rice.", "status => 'candidate'");
    let _ = s.try_rows("CREATE ROLE anna");
    // The turn 7, answered, with the work that it made; what it asked, and was given up.
    s.run(
        "SELECT setval('muninn.turn_id', 6), setval('muninn.request_id', 2);
         DO $$ DECLARE r record; BEGIN
           SELECT * INTO r FROM muninn.receive('assistant', 1, 'When is my train?', 'tuesday', lease_seconds => 3600);
           PERFORM muninn.finish_turn('assistant', 1, r.turn_id, r.lease, 'At nine.');
           PERFORM muninn.request_forget('assistant', 1, r.turn_id, 43);
         END $$",
    );

    let comments = s.rows(
        "SELECT p.oid::regprocedure, obj_description(p.oid, 'pg_proc') FROM pg_proc p
         WHERE p.pronamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace) ORDER BY 1",
    );
    let mut wrong = Vec::new();
    let mut ran = 0;
    for row in comments {
        let function = row[0].clone().unwrap_or_default();
        let comment = row[1].clone().unwrap_or_default();
        let Some((_, example)) = comment.split_once("Example: ") else {
            wrong.push(format!("{function}: no example"));
            continue;
        };
        let name = function.split('(').next().unwrap_or_default().to_owned();
        if !example.contains(&name) {
            wrong.push(format!("{function}: the example calls something else: {example}"));
        }
        s.run("BEGIN");
        match s.try_rows(example) {
            Ok(_) => ran += 1,
            // An example may name what is not here (a bot that is taken, a code),
            // but it has to be a call of what exists.
            Err(error) => {
                let refusal = Refusal::of(&error);
                if matches!(refusal.code.as_str(), "42710" | "40001")
                    || function.starts_with("muninn.link_finish(")
                    || function.starts_with("muninn.use_sign_in_link(")
                {
                    ran += 1
                } else {
                    wrong.push(format!("{function}: {refusal:?}"))
                }
            }
        }
        s.run("ROLLBACK");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(ran > 15, "{ran} examples");
}

#[test]
fn the_verbs_comments_name_their_errors() {
    let db = Database::new(shared());
    let s = db.session();
    for (verb, codes) in [
        ("remember", &["22004", "22023", "42704", "54000", "22000"][..]),
        ("recall", &["22004", "22023", "42704", "54000", "22000"]),
        ("memory", &["22004", "42704"]),
        ("memories", &["22023", "42704"]),
        ("forget", &["42501", "42704"]),
        ("embed", &["55000"]),
        ("create_bot", &["22023", "42710"]),
        ("person", &["22023"]),
        ("eval_create_set", &["22004", "22023", "42704", "42710", "54000"]),
        ("eval_add_question", &["22004", "22023", "42704", "54000"]),
        ("eval_make_set", &["22023", "42704", "42710", "55000"]),
        ("eval_run", &["22004", "22023", "42704", "55000"]),
        ("eval_compare", &["22023", "42704"]),
        ("eval_moved", &["22023", "42704"]),
        ("require_test_database", &["55000"]),
    ] {
        let comment = s.one(&format!(
            "SELECT coalesce(string_agg(obj_description(p.oid, 'pg_proc'), ' '), '') FROM pg_proc p
             WHERE p.pronamespace = 'muninn'::regnamespace AND p.proname = '{verb}'"
        ));
        for code in codes {
            assert!(comment.contains(code), "{verb} does not name {code}: {comment}");
        }
    }
}
