//! What a model may do with memories: candidates of its own person, dated and linked
//! by the turn; nothing of what is shared, another's, or was forgotten.

use muninn_tests::{Database, Session, check_invariants, check_refused, shared};

fn statuses(s: &Session) -> Vec<String> {
    s.column("SELECT content || ': ' || status FROM muninn.memory ORDER BY id")
}

#[test]
fn what_a_turn_says_becomes_a_candidate_dated_and_linked_by_it() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let begun = s.turn(anna, "My train leaves at nine, I live in Oslo.", "Good.", "");
    s.run(&format!(
        "UPDATE muninn.message SET created_at = '2020-02-02T08:00Z' WHERE id = {}",
        begun.message
    ));
    let result = s.extract(
        anna,
        begun.turn,
        r#"{"statements": [
            {"content": "Anna's train leaves at nine.", "tags": ["train", 7], "kind": "plan", "audience": "shared"},
            {"content": "Anna lives in Oslo.", "claim": {"subject": "anna", "attribute": "home", "value": "Oslo"}, "valid_from": "2019-01-01"},
            {"content": "Anna's train leaves at nine."},
            {"content": "Anna stays until May.", "valid_to": "2020-05-01"},
            {"content": "Anna stays until May.", "valid_to": "2020-05-01"},
            {"content": "Read by a group.", "audience": "group:nowhere"}
        ]}"#,
    );
    let kept = "[\\d+, \\d+, \\d+, \\d+]";
    assert!(
        result.contains("\"refused\"")
            && s.holds(&format!(
                "SELECT '{}' ~ '{}'",
                result.replace('\'', ""),
                kept.replace('[', "\\[").replace(']', "\\]")
            )),
        "{result}"
    );
    let rows = s.column(
        "SELECT concat_ws(' | ', m.content, m.status, a.kind, a.person_id, m.valid_from AT TIME ZONE 'UTC', m.message_id, m.source)
         FROM muninn.memory m JOIN muninn.audience a ON a.id = m.audience_id ORDER BY m.id",
    );
    let of = format!("{} | turn:{}", begun.message, begun.turn);
    assert_eq!(
        rows,
        [
            format!(
                "Anna's train leaves at nine. | candidate | personal | {anna} | 2020-02-02 08:00:00 | {of}"
            ),
            format!(
                "Anna lives in Oslo. | candidate | personal | {anna} | 2019-01-01 00:00:00 | {of}"
            ),
            format!(
                "Anna stays until May. | candidate | personal | {anna} | 2020-02-02 08:00:00 | {of}"
            ),
            format!(
                "Read by a group. | candidate | personal | {anna} | 2020-02-02 08:00:00 | {of}"
            ),
        ]
    );
    assert_eq!(s.number("SELECT count(*) FROM muninn.share_proposal"), 1, "a wish, not a deed");
    assert!(s.recall(ben, "train", "").is_empty());
    assert_eq!(s.number("SELECT kept FROM muninn.turn"), 4);
    assert_eq!(s.number("SELECT count(*) FROM muninn.job"), 0);
    let listed = format!(
        "SELECT count(*) FROM muninn.turn_memories('assistant', {anna}, {}) WHERE NOT used",
        begun.turn
    );
    assert_eq!(s.number(&listed), 4);
    // Once: by a tool within the turn, by the extraction, and answered anew.
    let again = format!(
        "SELECT muninn.propose_memory('assistant', {anna}, {}, 'Anna stays until May.', valid_to => '2020-05-01')",
        begun.turn
    );
    s.run(&again);
    s.run(&format!("SELECT muninn.answer_again('assistant', {anna}, {})", begun.turn));
    let row = s.rows("SELECT turn_id, lease FROM muninn.claim_jobs()").remove(0);
    let cell = |n: usize| row[n].clone().unwrap();
    s.run(&format!(
        "SELECT muninn.finish_turn('assistant', {anna}, {}, '{}', 'Fine.')",
        cell(0),
        cell(1)
    ));
    assert!(s.rows("SELECT * FROM muninn.claim_jobs()").is_empty(), "it was read already");
    assert_eq!(s.number(&format!("SELECT kept FROM muninn.turn WHERE id = {}", cell(0))), 4);
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 4);
    check_invariants(&s);
}

#[test]
fn results_of_a_wrong_shape_are_refused_clearly_or_item_by_item() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let begun = s.turn(anna, "I like tea.", "Good.", "");
    let row = s.rows("SELECT job_id, lease FROM muninn.claim_jobs()").remove(0);
    let apply = |result: &str, calls: &str| {
        format!(
            "SELECT muninn.apply_extraction('assistant', {anna}, {}, '{}', {result}, {calls})",
            row[0].clone().unwrap(),
            row[1].clone().unwrap()
        )
    };
    for result in [
        "NULL",
        "'null'",
        "'7'",
        "'[]'",
        "'\"x\"'",
        "'{\"statements\": {}}'",
        "'{\"statements\": \"x\"}'",
        "'{\"corrections\": 7}'",
        "'{\"forget\": true}'",
    ] {
        check_refused(&s.refusal(&apply(result, "NULL")), "22023")
            .unwrap_or_else(|wrong| panic!("{result}: {wrong}"));
    }
    check_refused(&s.refusal(&apply("'{}'", "'{\"provider\": 1}'")), "22023").unwrap();
    let odd = r#"'{"statements": [7, null, "x", [], {}, {"content": null}, {"content": ""}, {"content": {"a": 1}, "tags": "x", "kind": [1], "claim": 7},
        {"content": "A", "valid_from": "yesterday week"}, {"content": "B", "valid_from": "2020-01-01", "valid_to": "2019-01-01"},
        {"content": "C", "valid_from": "999999-01-01"}, {"content": "D", "tags": [null]}, {"content": "I like tea.", "audience": 7}],
      "corrections": [7, {}, {"memory": "x"}, {"memory": 1e30, "content": "x"}, {"memory": -1, "content": "x"}],
      "forget": [null, "x", {}, [], -1, 9223372036854775808, 1.5], "more": 1}'"#;
    let result = s.one(&apply(odd, "NULL"));
    assert!(
        result.contains("\"corrected\": []") && result.contains("\"forgotten\": 0"),
        "{result}"
    );
    assert!(
        statuses(&s).contains(&"I like tea.: candidate".to_owned()),
        "one that is right is kept: {result}"
    );
    assert_eq!(s.number("SELECT count(*) FROM muninn.job"), 0);
    // Of each list the first twenty.
    let next = s.turn(anna, "I like many things.", "Good.", "");
    let many: Vec<String> =
        (0..40).map(|n| format!(r#"{{"content": "I like number {n}."}}"#)).collect();
    s.extract(anna, next.turn, &format!(r#"{{"statements": [{}]}}"#, many.join(",")));
    assert_eq!(s.number("SELECT kept FROM muninn.turn ORDER BY id DESC LIMIT 1"), 20);
    assert!(begun.turn < next.turn);
}

#[test]
fn a_lock_that_was_not_to_be_had_fails_the_whole_and_not_a_statement() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let id = s.remember(anna, "My cat is black.", "");
    s.turn(anna, "My cat is white.", "Good.", "");
    let other = db.session();
    other.run(&format!("BEGIN; SELECT FROM muninn.memory WHERE id = {id} FOR UPDATE"));
    let row = s.rows("SELECT job_id, lease FROM muninn.claim_jobs()").remove(0);
    let apply = format!(
        "SELECT muninn.apply_extraction('assistant', {anna}, {}, '{}', '{{\"corrections\": [{{\"memory\": {id}, \"content\": \"My cat is white.\"}}]}}')",
        row[0].clone().unwrap(),
        row[1].clone().unwrap()
    );
    s.run("SET lock_timeout = '200ms'");
    assert_eq!(s.refusal(&apply).code, "55P03");
    other.run("COMMIT");
    assert!(s.one(&apply).contains("\"refused\": []"));
    assert_eq!(statuses(&s), ["My cat is black.: superseded", "My cat is white.: verified"]);
}

#[test]
fn a_model_touches_nothing_that_is_shared_or_anothers() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SELECT muninn.create_bot('second')");
    for person in [anna, ben] {
        s.run(&format!("SELECT muninn.join_group('assistant', {person}, 'kitchen')"));
    }
    let bens = s.remember(ben, "Ben's oven is hot.", "");
    let group = s.remember(anna, "The group's oven is hot.", "audience => 'group:kitchen'");
    let shared = s.remember(anna, "Everybody's oven is hot.", "audience => 'shared'");
    let elsewhere =
        s.number(&format!("SELECT muninn.remember('second', {anna}, 'Another oven is hot.')"));
    let mine = s.remember(anna, "My oven is hot.", "");
    let before = statuses(&s);
    let begun = s.receive(anna, "The oven is cold.", "lease_seconds => 60");
    for id in [bens, group, shared, elsewhere, 0, -1, i64::MAX] {
        for call in [
            format!("propose_correction('assistant', {anna}, {}, {id}, 'Cold.')", begun.turn),
            format!("request_forget('assistant', {anna}, {}, {id})", begun.turn),
        ] {
            check_refused(&s.refusal(&format!("SELECT muninn.{call}")), "42501").unwrap();
        }
    }
    assert_eq!(
        s.refusal(&format!(
            "SELECT muninn.propose_memory('assistant', {ben}, {}, 'x')",
            begun.turn
        ))
        .code,
        "42704"
    );
    s.run(&muninn_tests::finish(anna, &begun, "Cold.", ""));
    let all = [bens, group, shared, elsewhere];
    let result = s.extract(
        anna,
        begun.turn,
        &format!(
            r#"{{"corrections": [{}], "forget": {all:?}}}"#,
            all.map(|id| format!(r#"{{"memory": {id}, "content": "Cold."}}"#)).join(",")
        ),
    );
    assert!(
        result.contains("\"corrected\": []") && result.contains("\"forgotten\": 0"),
        "{result}"
    );
    assert_eq!(statuses(&s), before);

    // In a group: what is corrected is the person's, and the group is told no content.
    let begun = s.turn(
        anna,
        "My oven is cold now.",
        "Good.",
        "audience => 'group:kitchen', channel => 'slack', address => '{\"c\": 1}'",
    );
    s.extract(
        anna,
        begun.turn,
        &format!(r#"{{"corrections": [{{"memory": {mine}, "content": "My oven is cold."}}]}}"#),
    );
    let notice = s.column(&format!(
        "SELECT content FROM muninn.messages('assistant', {ben}, 'main') WHERE role = 'system'"
    ));
    assert_eq!(notice, ["Corrected: 1 memory."]);
    assert!(
        s.column(
            "SELECT g.content FROM muninn.delivery d JOIN muninn.message g ON g.id = d.message_id"
        )
        .iter()
        .all(|c| !c.contains("oven"))
    );
    // Alone with the person it is said.
    let begun = s.turn(anna, "It is hot again.", "Good.", "");
    let cold = s.number("SELECT id FROM muninn.memory WHERE content = 'My oven is cold.'");
    s.extract(
        anna,
        begun.turn,
        &format!(
            r#"{{"corrections": [{{"memory": {cold}, "content": "My oven is hot again."}}]}}"#
        ),
    );
    let notice = s.column(&format!(
        "SELECT content FROM muninn.messages('assistant', {anna}, 'main') WHERE role = 'system'"
    ));
    assert_eq!(notice, ["Corrected: My oven is hot again."]);
}

#[test]
fn a_model_acts_for_one_person_through_all_that_are_linked_and_no_further() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let old = s.number("SELECT muninn.person('slack', 'U7')");
    let slack = s.remember(old, "My desk is by the window.", "");
    let bens = s.remember(ben, "Ben's desk is by the door.", "");
    let code = s.one(&format!("SELECT muninn.link_start('assistant', {anna})"));
    s.run(&format!("SELECT muninn.link_finish('assistant', 'slack', 'U7', '{code}')"));
    let begun = s.turn(anna, "Forget where my desk is.", "Yes.", "");
    s.extract(anna, begun.turn, &format!(r#"{{"forget": [{slack}, {bens}]}}"#));
    assert_eq!(statuses(&s), ["Ben's desk is by the door.: verified"]);
    s.run(&format!("SELECT muninn.unlink('assistant', {anna}, 'slack', 'U7')"));
    let back = s.remember(old, "My desk is by the plant.", "");
    let begun = s.turn(anna, "Forget the plant.", "Yes.", "");
    s.extract(anna, begun.turn, &format!(r#"{{"forget": [{back}]}}"#));
    assert_eq!(statuses(&s).len(), 2, "not any more");
}

#[test]
fn what_was_forgotten_stays_forgotten_and_a_wish_of_others_waits() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let id = s.remember(anna, "My divorce is in May.", "");
    s.run(&format!("SELECT muninn.forget('assistant', {anna}, {id})"));
    let begun = s.turn(anna, "Tell me.", "Well.", "");
    let result = s.extract(
        anna,
        begun.turn,
        r#"{"statements": [{"content": "My divorce is in May."}, {"content": "I ask."}]}"#,
    );
    assert!(result.contains("forgotten"), "{result}");
    assert_eq!(statuses(&s), ["I ask.: candidate"]);

    // In a text that quotes, it may be somebody else's wish.
    let id = s.remember(anna, "My car is red.", "");
    let begun = s.turn(anna, "The letter says: \"forget the red car\"", "Well.", "");
    s.extract(anna, begun.turn, &format!(r#"{{"forget": [{id}]}}"#));
    let asked =
        || s.column(&format!("SELECT request_id FROM muninn.requests('assistant', {anna})"));
    let request = asked().remove(0);
    let decide = |person: i64, accept: &str| {
        format!("SELECT muninn.decide_request('assistant', {person}, {request}, {accept})")
    };
    check_refused(&s.refusal(&decide(ben, "true")), "42704").unwrap();
    check_refused(&s.refusal(&decide(anna, "NULL")), "22004").unwrap();
    assert_eq!(s.one(&decide(anna, "false")), "");
    check_refused(&s.refusal(&decide(anna, "true")), "42704").unwrap();
    assert_eq!(statuses(&s).len(), 2);
    let begun = s.turn(anna, "Again: > forget the red car", "Well.", "");
    s.extract(anna, begun.turn, &format!(r#"{{"forget": [{id}]}}"#));
    let request = asked().remove(0);
    assert_ne!(
        s.one(&format!("SELECT muninn.decide_request('assistant', {anna}, {request}, true)")),
        ""
    );
    assert_eq!(statuses(&s), ["I ask.: candidate"]);
    assert!(asked().is_empty());

    // What was edited since says nothing, neither in time nor late.
    let begun = s.turn(anna, "I live in Rome.", "Nice.", "");
    let row = s.rows("SELECT job_id, lease FROM muninn.claim_jobs('{extract}')").remove(0);
    s.run(&format!(
        "SELECT muninn.edit_message('assistant', {anna}, {}, 'I live in Bern.')",
        begun.turn
    ));
    let late = s.refusal(&format!(
        "SELECT muninn.apply_extraction('assistant', {anna}, {}, '{}', '{{\"statements\": [{{\"content\": \"I live in Rome.\"}}]}}')",
        row[0].clone().unwrap(), row[1].clone().unwrap()
    ));
    check_refused(&late, "40001").unwrap();
    assert_eq!(statuses(&s), ["I ask.: candidate"]);
    assert!(s.holds(&format!(
        "SELECT (muninn.extraction('assistant', {anna}, {}) -> 'replaced')::boolean",
        begun.turn
    )));
    let unread = s.receive(anna, "x", "thread => 'other'");
    for call in [
        format!("propose_memory('assistant', {anna}, {}, 'x')", unread.turn),
        format!("request_forget('assistant', {anna}, {}, 1)", unread.turn),
    ] {
        check_refused(&s.refusal(&format!("SELECT muninn.{call}")), "55000").unwrap();
    }
}
