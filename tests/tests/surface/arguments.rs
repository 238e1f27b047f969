//! Each argument of `remember`, and the arguments of `recall` that shape its
//! scores and columns.

use muninn_tests::{Database, Hit, ids, shared};

/// The vector whose elements are all zero but one.
fn axis(number: usize) -> String {
    format!(
        "(SELECT array_agg((i = {number})::int::real ORDER BY i) FROM generate_series(1, 384) i)"
    )
}

#[test]
fn remember_keeps_every_argument() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run(&format!("SELECT muninn.join_group('assistant', {anna}, 'kitchen')"));
    let id = s.remember(
        anna,
        "The cellar is flooded.",
        "summary => 'water damage', tags => '{house,insurance}', kind => 'event',
         audience => 'group:kitchen', claim => '{\"subject\": \"cellar\", \"level\": 1.50}',
         confidence => 0.75, valid_from => '2026-02-03 04:05:06.789012+00',
         valid_to => '2026-03-01 00:00+00', source => 'a phone call', thread => 'storm', key => 'k-1'",
    );
    let kept = s.rows(&format!(
        "SELECT content, summary, tags, kind, audience, author_id, status, confidence, claim,
                valid_from = '2026-02-03 04:05:06.789012+00', valid_to = '2026-03-01 00:00+00',
                source, thread, thread_position, language, key, embedded, superseded_by, ended_at
         FROM muninn.memory('assistant', {anna}, {id})"
    ));
    let author = anna.to_string();
    let expected = [
        "The cellar is flooded.",
        "water damage",
        "{house,insurance}",
        "event",
        "group:kitchen",
        &author,
        "verified",
        "0.75",
        "{\"level\": 1.50, \"subject\": \"cellar\"}",
        "t",
        "t",
        "a phone call",
        "storm",
        "1",
        "en",
        "k-1",
        "t",
        "",
        "",
    ];
    let kept: Vec<String> = kept[0].iter().map(|v| v.clone().unwrap_or_default()).collect();
    assert_eq!(kept, expected);

    let next = s.remember(anna, "The pump runs.", "audience => 'group:kitchen', thread => 'storm'");
    let position = s
        .number(&format!("SELECT thread_position FROM muninn.memory('assistant', {anna}, {next})"));
    assert_eq!(position, 2, "the order within a thread");
    // The same key in another audience is another thread.
    let own = s.remember(anna, "My own pump runs.", "thread => 'storm'");
    let position =
        s.number(&format!("SELECT thread_position FROM muninn.memory('assistant', {anna}, {own})"));
    assert_eq!(position, 1, "the order within another audience's thread");

    let plain = s.remember(anna, "Nothing else is said.", "");
    let defaults = s.rows(&format!(
        "SELECT summary, tags, kind, audience, confidence, claim, valid_from = created_at, valid_to,
                source, thread, key FROM muninn.memory('assistant', {anna}, {plain})"
    ));
    let defaults: Vec<&str> = defaults[0].iter().map(|v| v.as_deref().unwrap_or("-")).collect();
    assert_eq!(defaults, ["-", "{}", "statement", "personal", "-", "-", "t", "-", "-", "-", "-"]);
}

#[test]
fn content_summary_and_tags_are_found_by_words() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let id = s.remember(anna, "The cellar is wet.", "summary => 'flooding', tags => '{insurance}'");
    let other = s.remember(anna, "The attic is dry.", "");
    for (word, found) in [("cellar", id), ("flooding", id), ("insurance", id), ("attic", other)] {
        assert_eq!(ids(&s.recall(anna, word, "fusion => 'lexical'")), [found], "{word}");
    }
    assert_eq!(s.recall(anna, "submarine", "fusion => 'lexical'"), []);
}

#[test]
fn a_given_embedding_takes_the_place_of_the_texts_own() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // Of any length: what counts is the direction.
    let first = s.remember(anna, "Apples are red.", &format!("embedding => {}", axis(7)));
    let second = s.remember(
        anna,
        "Pears are green.",
        &format!("embedding => (SELECT array_agg((x * 25)::real) FROM unnest({}) x)", axis(8)),
    );
    s.remember(anna, "Plums are blue.", "");
    for (number, id) in [(7, first), (8, second)] {
        let more = format!("fusion => 'vector', embedding => {}", axis(number));
        let hits = s.recall(anna, "whatever", &more);
        assert_eq!(hits[0].id, id);
        assert!((hits[0].relevance - 1.0).abs() < 1e-3, "{}", hits[0].relevance);
        assert!(hits[1].relevance < 0.2, "{}", hits[1].relevance);
    }
}

#[test]
fn fusions_score_each_in_its_own_way() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // Without what the found memories say of each other.
    s.run("SELECT muninn.configure_bot('assistant', '{\"kin\": 0}')");
    s.remember(anna, "My daughter is allergic to peanuts.", "");
    s.remember(anna, "The bicycle has a flat tyre.", "");
    s.remember(anna, "The daughters of our friends come to the party on Friday.", "");
    let ask = |fusion: &str| {
        s.recall(
            anna,
            "What must my daughter not eat?",
            &format!("fusion => {fusion}, explain => true"),
        )
    };
    let [convex, rrf, lexical, vector] = ["'convex'", "'rrf'", "'lexical'", "'vector'"].map(ask);
    let scores = [&convex, &rrf, &lexical, &vector].map(|hits| hits[0].score);
    for (i, a) in scores.iter().enumerate() {
        for b in &scores[i + 1..] {
            assert!((a - b).abs() > 1e-6, "{scores:?}");
        }
    }
    assert_eq!(ask("NULL"), convex, "convex is the default");
    assert_eq!(rrf[0].score, 2.0 / 61.0, "first in both arms");
    // A weighted sum, whose weight is the same for every memory.
    let weights: Vec<f64> = [0, 1]
        .map(|i| convex[i].id)
        .iter()
        .map(|&id| {
            let of = |hits: &[Hit]| hits.iter().find(|hit| hit.id == id).unwrap().relevance;
            (of(&convex) - of(&lexical)) / (of(&vector) - of(&lexical))
        })
        .collect();
    assert!(weights[0] > 0.0 && weights[0] < 1.0, "{weights:?}");
    assert!((weights[0] - weights[1]).abs() < 1e-9, "{weights:?}");
    assert_eq!(lexical.len(), 2, "words alone find only what has some");
    assert_eq!(vector.len(), 3, "meaning alone ranks everything");
    for hit in convex.iter().chain(&rrf).chain(&lexical).chain(&vector) {
        assert!((0.0..=1.0).contains(&hit.relevance), "{hit:?}");
    }
}

#[test]
fn explain_fills_the_parts_and_nothing_else_does() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // Without what the found memories say of each other.
    s.run("SELECT muninn.configure_bot('assistant', '{\"kin\": 0}')");
    s.remember(anna, "My daughter is allergic to peanuts.", "");
    s.remember(anna, "The bicycle has a flat tyre.", "");
    let ask = |more: &str| {
        s.rows(&format!(
            "SELECT lexical, semantic, lexical_rank, vector_rank, temporal, association, contradicted_by
             FROM muninn.recall('assistant', {anna}, 'What is my daughter allergic to?'{more})"
        ))
    };
    let full = ask(", explain => true");
    assert!(full[0][..4].iter().all(Option::is_some), "{full:?}");
    assert_eq!(full[0][2..4], [Some("1".into()), Some("1".into())]);
    for more in ["", ", explain => false", ", explain => NULL"] {
        for row in ask(more) {
            assert!(row[..6].iter().all(Option::is_none), "{more}: {row:?}");
            assert_eq!(row[6].as_deref(), Some("{}"));
        }
    }
    let lexical = ask(", explain => true, fusion => 'lexical'");
    assert!(lexical[0][0].is_some() && lexical[0][1].is_none() && lexical[0][3].is_none());
    let vector = ask(", explain => true, fusion => 'vector'");
    assert!(vector[0][0].is_none() && vector[0][1].is_some() && vector[0][2].is_none());
}

#[test]
fn k_cuts_and_min_relevance_filters() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..40 {
        s.remember(anna, &format!("Ticket {number} was about the printer."), "");
    }
    let question = "Which ticket was about the printer?";
    let all = s.recall(anna, question, "k => 1000");
    assert_eq!(all.len(), 40, "k above the number of candidates of an arm");
    for k in [1, 2, 39] {
        assert_eq!(s.recall(anna, question, &format!("k => {k}")).len(), k);
    }
    // What the worker finds between two calls is no difference in the order.
    assert_eq!(ids(&s.recall(anna, question, "k => 5")), ids(&all[..5]));
    assert_eq!(s.recall(anna, question, "").len(), 10, "the default");
    assert_eq!(s.recall(anna, question, "k => NULL").len(), 10);

    s.remember(anna, "Ravens can remember faces for years.", "");
    let hits = s.recall(anna, question, "k => 1000");
    assert_eq!(hits.len(), 41);
    let (worst, best) = (&hits[40], &hits[0]);
    assert!(best.relevance > worst.relevance + 0.2);
    let at_least =
        |least: f64| s.recall(anna, question, &format!("k => 1000, min_relevance => {least:?}"));
    assert_eq!(at_least(0.0), hits);
    assert_eq!(ids(&at_least(best.relevance))[0], best.id, "the bound belongs to it");
    assert_eq!(at_least(best.relevance.next_up()), []);
    assert_eq!(at_least(worst.relevance.next_up()).len(), 40);
    assert_eq!(at_least(1.0), []);
}

#[test]
fn forget_erases_every_trace() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let kept = s.remember(anna, "The heron stands in the pond.", "");
    let mut before = muninn_tests::fingerprint(&s);
    let gone =
        s.remember(anna, "The otter swims in the pond.", "tags => '{otter}', key => 'otter'");
    s.run(&format!(
        "INSERT INTO muninn.activation_count SELECT bot_id, id, 3, now() FROM muninn.memory WHERE id = {gone};
         UPDATE muninn.memory SET superseded_by = {gone} WHERE id = {kept}"
    ));
    assert_eq!(ids(&s.recall(anna, "otter", "fusion => 'lexical'")), [gone], "the control");
    let forget = format!("SELECT muninn.forget('assistant', {anna}, {gone}) IS NOT NULL");
    assert!(s.holds(&forget));
    assert!(!s.holds(&forget), "it is gone");
    // But for the hash, and the event.
    s.run("DELETE FROM muninn.tombstone; DELETE FROM muninn.tombstone_key");
    let mut after = muninn_tests::fingerprint(&s);
    assert_ne!(after.remove("events"), before.remove("events"));
    assert_eq!(after, before);
    muninn_tests::check_invariants(&s);
    assert_eq!(ids(&s.recall(anna, "pond", "")), [kept]);
    assert_eq!(
        s.column(&format!("SELECT 1 FROM muninn.memory('assistant', {anna}, {gone})")).len(),
        0
    );
    let again = s.remember(anna, "The otter swims in the pond.", "key => 'otter'");
    assert!(again > gone, "an id is never used twice");
}
