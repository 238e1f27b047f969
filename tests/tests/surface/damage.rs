//! A damaged index: it is noticed, the error says what to do, and that helps.

use muninn_tests::{Database, Session, check_invariants, check_refused, ids, sentence, shared};

/// Memories of Anna alone and of all, packed, and more that are not.
fn stocked(s: &Session, anna: i64) {
    s.run("SET muninn.fresh_limit = 1000; SET muninn.exact_scan_limit = 0");
    for number in 0..60 {
        s.remember(anna, &sentence(number), "");
        s.remember(anna, &sentence(number + 200), "audience => 'shared'");
    }
    s.run("SET muninn.fresh_limit = 1");
    s.run("INSERT INTO muninn.index_due SELECT DISTINCT bot_id, audience_id FROM muninn.memory");
    s.run("SELECT muninn_admin.run_worker('index')");
    s.run("SET muninn.fresh_limit = 1000");
    s.remember(anna, "The xylophone is new.", "");
}

fn ask(s: &Session, anna: i64) -> Vec<Vec<i64>> {
    ["lexical", "vector", "convex"]
        .iter()
        .flat_map(|fusion| {
            ["who repaired the bicycle?", "number17", "xylophone"].map(|question| {
                ids(&s.recall(anna, question, &format!("k => 10, fusion => '{fusion}'")))
            })
        })
        .collect()
}

#[test]
fn what_is_damaged_is_refused_and_built_anew() {
    for (what, damage) in [
        ("lexical", "UPDATE muninn.posting_page SET page = '\\xffff'"),
        ("vector", "UPDATE muninn.sketch_block SET sketches = '\\x7f01'"),
        ("lexical", "UPDATE muninn.fresh_document SET terms = '\\xffff'"),
    ] {
        let db = Database::new(shared());
        let s = db.session();
        let [anna] = s.people(["anna"]);
        stocked(&s, anna);
        let before = ask(&s, anna);
        s.run(damage);
        let question = format!(
            "SELECT muninn.recall('assistant', {anna}, 'who repaired the bicycle?', fusion => '{what}')"
        );
        let refusal = s.refusal(&question);
        assert_eq!(check_refused(&refusal, "XX002"), Ok(()));
        assert!(refusal.hint.contains("muninn_admin.reindex"), "{refusal:?}");
        s.run("SET ROLE muninn_operator");
        let built = s.rows("SELECT * FROM muninn_admin.reindex('assistant')");
        s.run("RESET ROLE");
        assert_eq!(built.len(), 2, "{built:?}");
        assert_eq!(s.number("SELECT count(*) FROM muninn.fresh_document"), 0);
        assert_eq!(ask(&s, anna), before, "{damage}");
        check_invariants(&s);
        // Sealed meanwhile, or not yet.
        let events = "SELECT count(*) FROM (
              SELECT action, details FROM muninn.audit_pending
              UNION ALL SELECT action, details FROM muninn.audit_event) e
            WHERE action = 'reindex' AND (details ->> 'memories')::int >= 60";
        assert_eq!(s.number(events), 2);
        // What was built can be changed as what was packed.
        let gone = before[2][0];
        s.run(&format!("SELECT muninn.forget('assistant', {anna}, {gone})"));
        assert!(ask(&s, anna).iter().all(|found| !found.contains(&gone)));
        check_invariants(&s);
    }
}

#[test]
fn one_audience_alone_is_built_anew_and_an_unknown_one_refused() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    stocked(&s, anna);
    let own = s.number(
        "SELECT a.id FROM muninn.audience a JOIN muninn.memory m ON m.audience_id = a.id
         WHERE m.content LIKE '%xylophone%'",
    );
    s.run("UPDATE muninn.posting_page SET page = '\\xffff'");
    let built = s.rows(&format!("SELECT * FROM muninn_admin.reindex('assistant', {own})"));
    assert_eq!(built, [vec![Some(own.to_string()), Some("61".to_owned())]]);
    let recall = format!("SELECT muninn.recall('assistant', {anna}, 'xylophone')");
    assert_eq!(s.refusal(&recall).code, "XX002", "the shared one is as it was");
    for (call, code) in [
        ("SELECT muninn_admin.reindex('assistant', -1)", "42704"),
        ("SELECT muninn_admin.reindex('nobody')", "42704"),
        ("SELECT muninn_admin.reindex(NULL)", "22004"),
    ] {
        assert_eq!(check_refused(&s.refusal(call), code), Ok(()), "{call}");
    }
}

#[test]
fn what_is_stored_meanwhile_is_there_once() {
    let db = Database::new(shared());
    let (s, other) = (db.session(), db.session());
    let [anna] = s.people(["anna"]);
    stocked(&s, anna);
    other.run("BEGIN");
    let late = other.remember(anna, "The zither came while the index was built.", "");
    s.run("SELECT muninn_admin.reindex('assistant')");
    other.run("COMMIT");
    for fusion in ["lexical", "vector"] {
        let found = ids(&s.recall(anna, "zither", &format!("fusion => '{fusion}', k => 1000")));
        assert_eq!(found.iter().filter(|&&id| id == late).count(), 1, "{fusion}");
    }
    check_invariants(&s);
}
