//! Bulk loads leave the embedding to the worker.

use muninn_tests::{Database, check_invariants, eventually, ids, sentence, shared};

#[test]
fn a_bulk_load_is_found_by_words_at_once_and_by_meaning_after_the_backlog() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off; BEGIN");
    let made: Vec<i64> = (0..200).map(|number| s.remember(anna, &sentence(number), "")).collect();
    for number in [0, 99, 199] {
        let found = s.recall(anna, &format!("number{number}"), "fusion => 'lexical', k => 1");
        assert_eq!(ids(&found), [made[number]]);
    }
    assert!(s.recall(anna, &sentence(99), "fusion => 'vector'").is_empty(), "the control");
    let state = s.rows("SELECT value, state FROM muninn.status() WHERE name = 'embedding backlog'");
    assert!(state[0][0].as_ref().unwrap().starts_with("200, oldest"), "{state:?}");
    check_invariants(&s);
    s.run("COMMIT");

    eventually("the backlog is done", || {
        s.one("SELECT value FROM muninn.status() WHERE name = 'embedding backlog'") == "0"
    });
    assert_eq!(s.one("SELECT value FROM muninn.status() WHERE name = 'worker'"), "running");
    check_invariants(&s);
    for number in (0..200).step_by(13) {
        let found = s.recall(anna, &sentence(number), "fusion => 'vector', k => 1");
        assert_eq!(ids(&found), [made[number]], "by meaning: {number}");
        assert!(found[0].relevance > 0.999, "{}", found[0].relevance);
    }
    // The vector is the one that remember would have made, of summary and content.
    s.run("SET muninn.embed_on_write = on");
    let at_once = s.remember(anna, "A lamp.", "summary => 'Something bright', thread => 'one'");
    s.run("SET muninn.embed_on_write = off");
    let later = s.remember(anna, "A lamp.", "summary => 'Something bright', thread => 'two'");
    assert_eq!(s.number("SELECT muninn_admin.run_worker('embedding')") + 1, 2);
    let same = s.holds(&format!(
        "SELECT count(DISTINCT vector::text) = 1 AND count(*) = 2 FROM muninn.embedding
         WHERE memory_id IN ({at_once}, {later})"
    ));
    assert!(same);
}

#[test]
fn forgetting_while_the_worker_embeds_leaves_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    eventually("the worker runs", || {
        s.holds("SELECT value = 'running' FROM muninn.status() WHERE name = 'worker'")
    });
    s.run("SET muninn.embed_on_write = off");
    let mut embedded = 0;
    for round in 0..25 {
        s.run("BEGIN");
        let made: Vec<i64> =
            (0..8).map(|i| s.remember(anna, &sentence(round * 8 + i), "")).collect();
        s.run("COMMIT");
        let wanted = i64::try_from(round % 8).unwrap();
        // Sometimes before, sometimes in the middle of the worker's batch.
        let deadline = muninn_tests::Deadline::after(std::time::Duration::from_millis(1_500));
        while s.number("SELECT count(*) FROM muninn.embedding") < wanted && !deadline.passed() {
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        embedded += s.number("SELECT count(*) FROM muninn.embedding");
        for id in made {
            assert!(
                s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {id}) IS NOT NULL"))
            );
        }
        for table in ["memory", "fresh_document", "fresh_sketch", "embedding", "embedding_backlog"]
        {
            assert_eq!(
                s.number(&format!("SELECT count(*) FROM muninn.{table}")),
                0,
                "{table}, round {round}"
            );
        }
    }
    assert!(embedded > 20, "the control: the worker embedded {embedded} meanwhile");
    std::thread::sleep(std::time::Duration::from_millis(300));
    check_invariants(&s);
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding"), 0);
}
