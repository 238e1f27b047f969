//! The conditions that `recall` and `memories` share: each narrows, at its
//! exact bounds.

use muninn_tests::{Database, Session, ids, shared};

/// Three memories about violins, of different times, tags, kinds and statuses.
/// The first was believed from 11 January until 1 April.
fn three(s: &Session, anna: i64) -> [i64; 3] {
    let made = [
        s.remember(anna, "The violin lessons cost 40 euros.",
            "tags => '{music}', kind => 'event', valid_from => '2026-01-10Z', valid_to => '2026-02-10Z'"),
        s.remember(anna, "The violin lessons cost 45 euros.",
            "tags => '{work}', valid_from => '2026-03-01Z'"),
        s.remember(anna, "The violin needs new strings.",
            "tags => '{music,work}', kind => 'fact', valid_from => '2026-06-01Z'"),
    ];
    let [first, second, third] = made;
    s.run(&format!(
        "UPDATE muninn.memory SET created_at = '2026-01-11Z', ended_at = '2026-04-01Z',
           status = 'superseded', superseded_by = {second}, believed_from = '2026-04-01Z' WHERE id = {first};
         INSERT INTO muninn.memory_belief SELECT bot_id, id, created_at, ended_at, 'verified', valid_from, valid_to
           FROM muninn.memory WHERE id = {first};
         UPDATE muninn.memory SET created_at = '2026-03-02Z', believed_from = '2026-03-02Z' WHERE id = {second};
         UPDATE muninn.memory SET created_at = '2026-06-02Z', believed_from = '2026-06-02Z', status = 'candidate'
         WHERE id = {third}"
    ));
    made
}

/// What each condition lets through, of the three memories above.
const CASES: [(&str, &[usize]); 38] = [
    // Without conditions: what is believed now.
    ("", &[1, 2]),
    ("statuses => NULL", &[1, 2]),
    ("statuses => '{superseded}'", &[0]),
    ("statuses => '{candidate}'", &[2]),
    ("statuses => '{verified,superseded}'", &[0, 1]),
    ("statuses => '{}'", &[]),
    ("tags => '{music}'", &[2]),
    ("tags => '{work}'", &[1, 2]),
    ("tags => '{music,garden}'", &[2]),
    ("tags => '{garden}'", &[]),
    ("tags => '{}'", &[]),
    ("tags => '{Music}'", &[]),
    ("kinds => '{statement}'", &[1]),
    ("kinds => '{fact,event}'", &[2]),
    ("kinds => '{fact,event}', statuses => '{superseded}'", &[0]),
    ("kinds => '{opinion}'", &[]),
    // Half-open: since <= valid_from < until.
    ("since => '2026-03-01Z'", &[1, 2]),
    ("since => '2026-03-01 00:00:00.000001Z'", &[2]),
    ("until => '2026-06-01Z'", &[1]),
    ("until => '2026-06-01 00:00:00.000001Z'", &[1, 2]),
    ("since => '2026-03-01Z', until => '2026-03-01 00:00:00.000001Z'", &[1]),
    ("since => '2026-06-02Z'", &[]),
    ("since => '-infinity', until => 'infinity'", &[1, 2]),
    // Half-open: valid_from <= as_of < valid_to.
    ("as_of => '2026-01-10Z', statuses => '{superseded}'", &[0]),
    ("as_of => '2026-01-09 23:59:59.999999Z', statuses => '{superseded}'", &[]),
    ("as_of => '2026-02-09 23:59:59.999999Z', statuses => '{superseded}'", &[0]),
    ("as_of => '2026-02-10Z', statuses => '{superseded}'", &[]),
    ("as_of => '2026-03-01Z'", &[1]),
    ("as_of => '2026-06-01Z'", &[1, 2]),
    ("as_of => '2026-05-31 23:59:59.999999Z'", &[1]),
    // Half-open: created_at <= known_at < ended_at, whatever has become of it since.
    ("known_at => '2026-01-10 23:59:59.999999Z'", &[]),
    ("known_at => '2026-01-11Z'", &[0]),
    ("known_at => '2026-03-02Z'", &[0, 1]),
    ("known_at => '2026-03-31 23:59:59.999999Z'", &[0, 1]),
    ("known_at => '2026-04-01Z'", &[1]),
    ("known_at => '2026-03-15Z', as_of => '2026-01-20Z'", &[0]),
    ("known_at => '2026-03-15Z', as_of => '2026-03-10Z'", &[1]),
    ("known_at => '2026-07-01Z', tags => '{music}'", &[2]),
];

#[test]
fn each_condition_narrows_each_way_of_asking() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let made = three(&s, anna);
    three(&s, ben);

    let mut wrong = Vec::new();
    for (condition, expected) in CASES {
        let expected: Vec<i64> = expected.iter().map(|&i| made[i]).collect();
        let comma = if condition.is_empty() { "" } else { ", " };
        let mut check = |way: &str, mut found: Vec<i64>| {
            found.sort_unstable();
            if found != expected {
                wrong.push(format!("{way}, {condition:?}: {found:?} instead of {expected:?}"));
            }
        };
        for fusion in ["convex", "rrf", "lexical", "vector"] {
            let more = format!("fusion => '{fusion}'{comma}{condition}");
            check(fusion, ids(&s.recall(anna, "violin", &more)));
        }
        let listed = s.column(&format!(
            "SELECT memory_id FROM muninn.memories('assistant', {anna}{comma}{condition})"
        ));
        check("memories", listed.iter().map(|id| id.parse().unwrap()).collect());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_condition_does_not_change_a_relevance() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let [_, _, third] = three(&s, anna);
    let relevance = |more: &str| {
        let hits = s.recall(anna, "violin strings", more);
        hits.into_iter().find(|hit| hit.id == third).unwrap().relevance
    };
    assert_eq!(
        relevance(""),
        relevance("tags => '{music}', kinds => '{fact}', since => '2026-05-01Z'")
    );
}

#[test]
fn memories_pages_and_filters_by_audience() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run(&format!("SELECT muninn.join_group('assistant', {anna}, 'kitchen')"));
    let own: Vec<i64> = (0..7).map(|i| s.remember(anna, &muninn_tests::sentence(i), "")).collect();
    let shared = s.remember(anna, "The office is closed on Friday.", "audience => 'shared'");
    let kitchen = s.remember(anna, "The oven is broken.", "audience => 'group:kitchen'");
    let list = |more: &str| -> Vec<i64> {
        let sql = format!("SELECT memory_id FROM muninn.memories('assistant', {anna}{more})");
        s.column(&sql).iter().map(|id| id.parse().unwrap()).collect()
    };
    let mut newest_first = own.clone();
    newest_first.extend([shared, kitchen]);
    newest_first.reverse();
    assert_eq!(list(""), newest_first);
    assert_eq!(list(", k => 3"), newest_first[..3]);
    assert_eq!(list(&format!(", k => 3, before => {}", newest_first[2])), newest_first[3..6]);
    assert!(list(&format!(", before => {}", own[0])).is_empty());
    assert_eq!(list(", audience => 'shared'"), [shared]);
    assert_eq!(list(", audience => 'group:kitchen'"), [kitchen]);
    assert_eq!(list(", audience => 'personal'").len(), 7);
    assert!(list(", audience => 'group:garden'").is_empty());
}

#[test]
fn recall_and_memories_say_the_same_of_a_memory() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.remember(
        anna,
        "The violin lessons cost 40 euros.",
        "summary => 'a price', tags => '{music}', confidence => 0.3, valid_to => '2030-01-01Z'",
    );
    let columns = "memory_id, content, summary, tags, audience, status, confidence, created_at,
                   valid_from, valid_to, superseded_by";
    let recalled =
        s.rows(&format!("SELECT {columns} FROM muninn.recall('assistant', {anna}, 'violin')"));
    let listed = s.rows(&format!("SELECT {columns} FROM muninn.memories('assistant', {anna})"));
    let one = s.rows(&format!(
        "SELECT {columns} FROM muninn.memory('assistant', {anna}, {})",
        recalled[0][0].as_deref().unwrap()
    ));
    assert_eq!(recalled.len(), 1);
    assert_eq!(recalled, listed);
    assert_eq!(recalled, one);
}
