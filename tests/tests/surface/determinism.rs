//! Same state, same question: same rows, to the bit, in every session and by
//! either way of searching.

use muninn_tests::{Database, sentence, shared};

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
    let twins: Vec<i64> = (0..3)
        .map(|_| s.remember(anna, "The twin ravens sit still.", "valid_to => '2100-01-01'"))
        .collect();
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
