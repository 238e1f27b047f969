//! Embedding models: vectors of different models never meet, and a model of
//! the client's takes vectors from calls alone.

use muninn_tests::{Database, check_invariants, check_refused, ids, shared};

#[test]
fn vectors_of_different_models_never_meet() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let old = s.remember(anna, "The heron stands in the pond.", "");
    s.use_model_of_the_client();
    let east = s.remember(anna, "The otter swims in the pond.", "embedding => '{1,0,0}'");
    let north = s.remember(anna, "The crane flies over the pond.", "embedding => '{0,2,0}'");
    let by = |vector: &str| {
        ids(&s.recall(anna, "bird", &format!("fusion => 'vector', embedding => '{vector}'")))
    };
    assert_eq!(by("{1,0.1,0}"), [east, north]);
    assert_eq!(by("{0.1,1,0}"), [north, east]);
    s.run("SET muninn.exact_scan_limit = 0");
    assert_eq!(by("{0.1,1,0}"), [north, east], "a model without an index of its own");
    s.run("RESET muninn.exact_scan_limit");

    // Words need no vector, and nobody is told to install anything.
    s.notices();
    assert_eq!(ids(&s.recall(anna, "heron", "")), [old]);
    assert_eq!(s.recall(anna, "pond", "").len(), 3);
    assert!(s.notices().is_empty());
    let waiting = s.remember(anna, "The tern dives.", "");
    assert_eq!(ids(&s.recall(anna, "tern", "")), [waiting]);
    assert_eq!(s.number("SELECT muninn_admin.run_worker('embedding')"), 0, "not for us to make");
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding_backlog"), 1);

    let too_long =
        "SELECT muninn.remember('assistant', 1, 'x', embedding => array_fill(1::real, ARRAY[384]))";
    check_refused(&s.refusal(too_long), "22000").unwrap();
    check_invariants(&s);
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {waiting}) IS NOT NULL")));

    s.run("UPDATE muninn.active_embedding_model SET model_id = 1");
    assert_eq!(ids(&s.recall(anna, "heron", "fusion => 'vector'")), [old]);
    assert_eq!(s.recall(anna, "pond", "").len(), 3, "by words, whatever the vector");
    // Without any model, by words alone.
    s.run("UPDATE muninn.active_embedding_model SET model_id = NULL");
    let plain = s.remember(anna, "The gull screams.", "");
    assert_eq!(ids(&s.recall(anna, "gull", "")), [plain]);
    assert_eq!(s.recall(anna, "gull", "fusion => 'vector'"), []);
}
