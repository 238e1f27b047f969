//! What others store changes nobody's answers, not even a score: how rare a
//! word is among others would tell of them.

use muninn_tests::{Database, Hit, Session, sentence, shared};

fn ask(s: &Session, bot: &str, person: i64) -> Vec<Hit> {
    let mut all = Vec::new();
    for question in ["Who repaired the bicycle?", "number3", "the lake at school", "violin"] {
        for fusion in ["convex", "rrf", "lexical", "vector"] {
            let more = format!("fusion => '{fusion}', k => 50, explain => true");
            all.extend(s.recall_of(bot, person, question, &more));
        }
    }
    assert!(all.len() > 20, "found {}", all.len());
    all
}

#[test]
fn what_another_person_stores_changes_no_score() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SELECT muninn.create_bot('second')");
    s.run(&format!("SELECT muninn.join_group('assistant', {ben}, 'party')"));
    for number in 0..12 {
        s.remember(anna, &sentence(number), "");
        s.run(&format!("SELECT muninn.remember('second', {anna}, '{}')", sentence(number + 5)));
    }
    let before = (ask(&s, "assistant", anna), ask(&s, "second", anna));
    for number in 0..200 {
        let more = if number % 2 == 0 { "" } else { "audience => 'group:party'" };
        s.remember(ben, &sentence(number), more);
    }
    assert_eq!((ask(&s, "assistant", anna), ask(&s, "second", anna)), before);
    assert_eq!((ask(&db.session(), "assistant", anna), ask(&s, "second", anna)), before);
    // The control: what Anna can read does count.
    s.remember(ben, "The bicycle is at school again.", "audience => 'shared'");
    assert_ne!(ask(&s, "assistant", anna), before.0);
    assert_eq!(ask(&s, "second", anna), before.1);
}
