//! Same state, same question: same rows, to the bit, in every session and by
//! either way of searching.

use muninn_tests::{Database, eventually, sentence, shared};

const QUESTIONS: [&str; 4] = [
    "Who repaired the bicycle?",
    "What happened by the lake?",
    "number17",
    "Which musical instrument was bought?",
];

#[test]
fn the_same_question_has_the_same_answer_in_every_session() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..60 {
        s.remember(anna, &sentence(number), "");
    }
    // Identical texts: ties, which the id decides.
    let twins: Vec<i64> =
        (0..3).map(|_| s.remember(anna, "The twin ravens sit still.", "")).collect();
    let ask = |session: &muninn_tests::Session| {
        let mut all = Vec::new();
        for question in QUESTIONS {
            for fusion in ["convex", "rrf", "lexical", "vector"] {
                let more = format!("fusion => '{fusion}', k => 40, explain => true");
                all.push(session.recall(anna, question, &more));
            }
        }
        all
    };
    let first = ask(&s);
    assert!(first.iter().all(|hits| !hits.is_empty()), "every question finds something");
    assert_eq!(first, ask(&s), "again in this session");
    assert_eq!(first, ask(&db.session()), "in another session");
    // Plans that are kept become general ones after five uses.
    for _ in 0..6 {
        assert_eq!(first, ask(&s));
    }
    s.run("ANALYZE");
    assert_eq!(first, ask(&db.session()), "after statistics were taken");
    s.run("SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off; SET work_mem = '64kB'");
    assert_eq!(first, ask(&s), "by whatever plan");
    let found = muninn_tests::ids(&s.recall(anna, "twin ravens", "fusion => 'lexical'"));
    assert_eq!(found, twins);
}

#[test]
fn the_vector_index_finds_what_a_scan_finds() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    // Ben's many must not crowd out Anna's few: a filtered scan of the index
    // returns too little unless it goes on.
    s.run(&format!(
        "SET muninn.embed_on_write = off;
         SELECT muninn.remember('assistant', {ben}, 'unused', embedding =>
           (SELECT array_agg((sin(i * n * 0.37) + 1.3)::real) FROM generate_series(1, 384) i))
         FROM generate_series(1, 600) n"
    ));
    s.run("SET muninn.embed_on_write = on");
    for number in 0..45 {
        s.remember(anna, &sentence(number), "");
    }
    for question in QUESTIONS {
        let more = "fusion => 'vector', k => 30, explain => true";
        let exact = s.recall(anna, question, more);
        assert_eq!(exact.len(), 30);
        let fresh = db.session();
        // So few would never be worth the index to the planner.
        fresh.run("SET muninn.exact_scan_limit = 0; SET enable_sort = off");
        let by_index = fresh.recall(anna, question, more);
        assert_eq!(by_index, exact, "the first question of a session: {question}");
        assert_eq!(fresh.recall(anna, question, more), exact, "the second: {question}");
    }
    eventually("the index was used", || {
        s.holds(
            "SELECT idx_scan > 0 FROM pg_stat_user_indexes WHERE indexrelname = 'embedding_hnsw_1'",
        )
    });
}
