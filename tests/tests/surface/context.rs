//! Turns of one thread support each other.

use muninn_tests::{Database, Hit, Session, ids, shared};

/// A conversation in which the answer has no word of the question.
fn talk(s: &Session, person: i64, more: &str) -> Vec<i64> {
    ["Good morning!", "Which instrument does Nils play?", "The bassoon.", "See you on Friday."]
        .iter()
        .map(|turn| s.remember(person, turn, more))
        .collect()
}

const QUESTION: &str = "What instrument does Nils play?";

fn of(found: &[Hit], id: i64) -> Option<f64> {
    found.iter().find(|hit| hit.id == id).map(|hit| hit.relevance)
}

#[test]
fn the_turn_after_a_question_is_taken_for_its_answer() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let talked = talk(&s, anna, "thread => 'breakfast'");
    let noted = talk(&s, ben, "");
    let in_thread = s.recall(anna, QUESTION, "");
    let apart = s.recall(ben, QUESTION, "");
    let lift = of(&in_thread, talked[2]).unwrap() - of(&apart, noted[2]).unwrap();
    assert!(lift > 0.1, "the answer is lifted by {lift}");
    assert!(of(&in_thread, talked[1]) < of(&apart, noted[1]), "a question tells little");

    // The setting moves it, down to nothing.
    s.run("SELECT muninn.configure_bot('assistant', '{\"context\": 0}')");
    let without = s.recall(anna, QUESTION, "");
    assert_eq!(
        without.iter().map(|h| h.relevance.to_bits()).collect::<Vec<_>>(),
        apart.iter().map(|h| h.relevance.to_bits()).collect::<Vec<_>>()
    );
}

#[test]
fn no_condition_and_no_other_thread_lends_support() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let talked = talk(&s, anna, "thread => 'breakfast'");
    let before = s.recall(anna, QUESTION, "");

    // A condition leaves out turns, but changes no score of those that remain.
    s.run(&format!("UPDATE muninn.memory SET tags = '{{answer}}' WHERE id = {}", talked[2]));
    let tagged = s.recall(anna, QUESTION, "tags => '{answer}'");
    assert_eq!(ids(&tagged), [talked[2]]);
    assert_eq!(of(&tagged, talked[2]), of(&before, talked[2]));

    // The same key in another person's thread, and another thread in between.
    talk(&s, ben, "thread => 'breakfast'");
    s.remember(anna, "Nils?", "thread => 'lunch'");
    s.run("SELECT muninn.forget('assistant', 1, id) FROM muninn.memory WHERE content = 'Nils?'");
    let after = s.recall(anna, QUESTION, "");
    assert_eq!(of(&after, talked[2]), of(&before, talked[2]));

    // What is forgotten supports nothing any more.
    s.run(&format!("SELECT muninn.forget('assistant', {anna}, {})", talked[1]));
    assert!(of(&s.recall(anna, QUESTION, ""), talked[2]) < of(&before, talked[2]));
}
