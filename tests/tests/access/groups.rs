//! Members and non-members of a group, and those who leave it.

use muninn_tests::{Database, ids, quote, shared};

#[test]
fn members_share_others_see_nothing_and_leaving_counts_at_once() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben, chiara] = s.people(["anna", "ben", "chiara"]);
    s.run("SELECT muninn.create_bot('second')");
    for person in [anna, ben] {
        s.run(&format!("SELECT muninn.join_group('assistant', {person}, 'party')"));
    }
    // A group of the same name with another bot, and another group.
    s.run(&format!("SELECT muninn.join_group('second', {chiara}, 'party')"));
    s.run(&format!("SELECT muninn.join_group('assistant', {chiara}, 'kitchen')"));
    let secret =
        s.remember(anna, "We surprise Chiara on 19 September.", "audience => 'group:party'");
    s.remember(chiara, "On 19 September I am at home.", "");

    let sees = |person: i64| -> Vec<bool> {
        let mut all = Vec::new();
        for fusion in ["convex", "rrf", "lexical", "vector"] {
            for more in ["", ", tags => NULL, known_at => now()", ", k => 1000"] {
                let more = format!("fusion => '{fusion}'{more}");
                all.push(
                    ids(&s.recall(person, "What is on 19 September?", &more)).contains(&secret),
                );
            }
        }
        for call in [
            format!("memory('assistant', {person}, {secret})"),
            format!("memories('assistant', {person})"),
            format!("memories('assistant', {person}, audience => 'group:party')"),
        ] {
            all.push(
                s.column(&format!("SELECT memory_id FROM muninn.{call}"))
                    .contains(&secret.to_string()),
            );
        }
        all.dedup();
        all
    };
    assert_eq!(sees(anna), [true]);
    assert_eq!(sees(ben), [true]);
    assert_eq!(sees(chiara), [false]);
    assert_eq!(s.recall_of("second", chiara, "19 September", "").len(), 0);

    let write = |person: i64| {
        format!("SELECT muninn.remember('assistant', {person}, 'x', audience => 'group:party')")
    };
    assert_eq!(s.refusal(&write(chiara)).code, "42704");
    let unknown = s.refusal(&format!(
        "SELECT muninn.remember('assistant', {chiara}, 'x', audience => 'group:nowhere')"
    ));
    let known = s.refusal(&write(chiara));
    assert_eq!(
        unknown.message.replace("nowhere", "party"),
        known.message,
        "whether a group exists is not told"
    );

    assert!(s.holds(&format!("SELECT muninn.leave_group('assistant', {ben}, 'party')")));
    assert!(!s.holds(&format!("SELECT muninn.leave_group('assistant', {ben}, 'party')")));
    assert_eq!(sees(ben), [false]);
    assert_eq!(sees(anna), [true]);
    assert_eq!(s.refusal(&write(ben)).code, "42704");
    assert!(!s.holds(&format!("SELECT muninn.forget('assistant', {ben}, {secret}) IS NOT NULL")));

    s.run(&format!("SELECT muninn.join_group('assistant', {ben}, 'party')"));
    assert_eq!(sees(ben), [true], "and back");
    let bens = s.number(&write(ben));
    s.run(&format!("SELECT muninn.leave_group('assistant', {ben}, 'party')"));
    let still = s.column(&format!("SELECT 1 FROM muninn.memory('assistant', {anna}, {bens})"));
    assert_eq!(still.len(), 1, "what was said there stays with the group");
}

#[test]
fn keys_of_groups_may_hold_anything() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let keys =
        ["a:b", "a:group:a", "it's \"odd\"", "%", "_", "a,b", "{a}", "厨房", "  ", "\\", "a\nb"];
    for key in keys {
        let quoted = quote(key);
        s.run(&format!("SELECT muninn.join_group('assistant', {anna}, {quoted})"));
        let audience = format!("audience => 'group:' || {quoted}");
        let id = s.remember(anna, "Only for this group.", &audience);
        let listed = s.column(&format!(
            "SELECT memory_id FROM muninn.memories('assistant', {anna}, {audience})"
        ));
        assert_eq!(listed, [id.to_string()], "{key:?}");
    }
    assert_eq!(s.recall(anna, "group", "k => 100").len(), keys.len());
    assert_eq!(s.recall(ben, "group", "").len(), 0);
    s.run(&format!("SELECT muninn.join_group('assistant', {ben}, '_')"));
    assert_eq!(s.recall(ben, "group", "").len(), 1, "a key is no pattern");
}
