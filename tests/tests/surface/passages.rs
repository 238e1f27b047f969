//! Long memories: judged by their best passage, and that is said with them.

use muninn_tests::{Database, check_invariants, ids, sentence, shared};

/// A long note with one fact in it, and much else.
fn note(fact: &str) -> String {
    let before: String = (0..30).map(|n| sentence(n) + " ").collect();
    let after: String = (30..60).map(|n| sentence(n) + " ").collect();
    format!("{before}{fact} {after}")
}

#[test]
fn a_fact_in_a_long_note_is_found_and_shown() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let fact = "My daughter is allergic to peanuts.";
    let long = s.remember(anna, &note(fact), "");
    let short = s.remember(anna, "The tent is in the cellar.", "");
    let question = "Which food must my child not eat?";
    let rows = s.rows(&format!(
        "SELECT memory_id, passage, relevance FROM muninn.recall('assistant', {anna}, '{question}')"
    ));
    let of = |id: i64| {
        let row = rows.iter().find(|row| row[0] == Some(id.to_string())).unwrap();
        (row[1].clone(), row[2].clone().unwrap().parse::<f64>().unwrap())
    };
    let (passage, relevance) = of(long);
    let passage = passage.unwrap();
    assert!(passage.contains(fact), "{passage}");
    assert!(passage.len() < note(fact).len() / 3);
    assert_eq!(of(short).0, None, "a short memory is its own passage");
    // What the setting moves.
    s.run("SELECT muninn.configure_bot('assistant', '{\"passages\": 0}')");
    let whole = s.recall(anna, question, "");
    let whole = whole.iter().find(|hit| hit.id == long).unwrap();
    assert!(relevance > 1.2 * whole.relevance, "{relevance} {}", whole.relevance);
    check_invariants(&s);
}

#[test]
fn passages_come_with_the_worker_and_go_with_the_memory() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SET muninn.embed_on_write = off");
    let later =
        s.remember(anna, &note("The key lies under the flowerpot."), "summary => 'Of keys'");
    s.remember(ben, &note("The key lies under the flowerpot."), "");
    s.number("SELECT muninn_admin.run_worker('embedding')");
    let count = |table: &str| s.number(&format!("SELECT count(*) FROM muninn.{table}"));
    assert!(count("passage") > 8);
    muninn_tests::eventually("all passages are embedded", || {
        count("passage") == count("passage_embedding")
    });
    let hits = s.recall(anna, "Where is the key?", "");
    assert_eq!(ids(&hits), [later]);
    check_invariants(&s);
    let half = count("passage") / 2;
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {later}) IS NOT NULL")));
    assert_eq!(count("passage"), half);
    assert_eq!(count("passage_embedding"), half);
    check_invariants(&s);
}

#[test]
fn near_identical_memories_take_one_slot() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for text in [
        "Anna drinks tea in the morning.",
        "In the morning Anna drinks tea!",
        "anna drinks the tea in the morning",
        "Anna drinks tea, in the morning.",
        "Anna drank tea in the morning.",
        "Anna drinks no tea in the morning.",
        "Anna drinks coffee after lunch.",
        "Anna drinks water at work.",
        "Anna drinks juice on Sundays.",
    ] {
        s.remember(anna, text, "");
    }
    for mode in ["", ", embedding => NULL"] {
        if !mode.is_empty() {
            s.run("INSERT INTO muninn.active_embedding_model (model_id) VALUES (NULL)");
        }
        let hits = s.recall(anna, "What does Anna drink?", "k => 5");
        let tea = hits.iter().filter(|hit| hit.content.contains("tea")).count();
        // In the morning: drinks, drank, and no tea.
        assert!(tea <= 3, "{mode}: {hits:?}");
    }
}

#[test]
fn the_time_of_a_question_is_preferred_and_hides_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let may = s.remember(anna, "The roof was repaired.", "valid_from => '2023-05-10Z'");
    let july = s.remember(anna, "The roof was repaired again.", "valid_from => '2024-07-02Z'");
    let asked = |question: &str| ids(&s.recall(anna, question, ""));
    assert_eq!(asked("What was repaired in May 2023?"), [may, july]);
    assert_eq!(asked("What was repaired in July 2024?"), [july, may]);
    assert_eq!(asked("What was repaired on the roof in March 1999?").len(), 2);
    let period = s.one(&format!(
        "SELECT DISTINCT period FROM muninn.recall('assistant', {anna}, 'repaired in May 2023', explain => true)"
    ));
    assert!(period.contains("2023-05-01") && period.contains("2023-06-01"), "{period}");
    let last_month = format!(
        "SELECT lower(period) FROM muninn.recall('assistant', {anna}, 'the roof last month', explain => true, k => 1,
           as_of => '2024-08-20Z')"
    );
    assert!(s.one(&last_month).starts_with("2024-07-01"));
}

#[test]
fn a_question_for_a_time_alone_is_answered_by_what_was_then() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // What both arms would bring instead: it happens in every one of them.
    for number in 0..80 {
        let text = format!("It happened again that the march of penguins {number} was shown.");
        s.remember(anna, &text, "valid_from => '2021-01-01Z'");
    }
    let roof = s.remember(anna, "The roof was repaired by Ben.", "valid_from => '2024-03-04Z'");
    let cake = s.remember(anna, "A cake with plums.", "valid_from => '2024-03-28Z'");
    let april = s.remember(anna, "A new lamp.", "valid_from => '2024-04-01Z'");
    let asked = |question: &str, options: &str| ids(&s.recall(anna, question, options));
    for question in
        ["What happened in March 2024?", "Was ist im März 2024 passiert?", "2024年3月发生了什么？"]
    {
        let mut first = asked(question, "k => 2");
        first.sort_unstable();
        assert_eq!(first, [roof, cake], "{question}");
        // Preferred, not required: the rest is still there.
        assert_eq!(asked(question, "k => 10").len(), 10, "{question}");
    }
    assert_eq!(asked("What happened last month?", "k => 1, as_of => '2024-05-02Z'"), [april]);
    // Best by the words that are left.
    assert_eq!(asked("What did Ben do in March 2024?", "k => 1"), [roof]);
    // Conditions hold in this arm, too; and other fusions are as they were.
    assert!(
        !asked("What happened in March 2024?", "until => '2024-03-10Z', k => 100").contains(&cake)
    );
    assert!(!asked("What happened in March 2024?", "fusion => 'lexical', k => 20").contains(&cake));
    s.run("SELECT muninn.configure_bot('assistant', '{\"time\": 0}')");
    assert!(!asked("What happened in March 2024?", "k => 2").contains(&cake));
}

#[test]
fn what_is_long_is_answered_from_all_over_it() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    for day in 1..=300 {
        let when = format!("valid_from => timestamptz '2022-01-01Z' + {day} * interval '1 day'");
        s.remember(anna, &format!("Entry {day} of the diary."), &when);
    }
    for number in 0..60 {
        s.remember(
            anna,
            &format!("What happened to number {number}?"),
            "valid_from => '2019-01-01Z'",
        );
    }
    let hidden = s.remember(ben, "A secret of Ben.", "valid_from => '2022-05-05Z'");
    let question = "What happened in 2022?";
    let months = s.number(&format!(
        "SELECT count(DISTINCT date_trunc('month', valid_from))
         FROM muninn.recall('assistant', {anna}, '{question}', k => 30) WHERE content LIKE 'Entry%'"
    ));
    assert!(months >= 9, "{months}");
    assert!(!ids(&s.recall(anna, question, "k => 1000")).contains(&hidden));
    // Open on one side.
    let before = s.recall(anna, "What happened before 2020?", "k => 5");
    assert!(before.iter().all(|hit| hit.content.contains("number")), "{before:?}");
}
