//! Forgotten means gone, also of conversations: a word is looked for in every column of
//! every table.

use muninn_tests::{Database, Session, check_invariants, finish, shared};

/// The tables in which the word stands, in any column.
fn found(s: &Session, word: &str) -> Vec<String> {
    let tables = s.column(
        "SELECT oid::regclass FROM pg_class WHERE relkind = 'r'
           AND relnamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace) ORDER BY 1",
    );
    tables
        .into_iter()
        .filter(|table| {
            s.holds(&format!(
                "SELECT EXISTS (SELECT FROM {table} t WHERE t::text ILIKE '%{word}%')"
            ))
        })
        .collect()
}

/// A conversation in which a word is in everything that can hold one.
fn converse(s: &Session, person: i64, more: &str) -> [i64; 2] {
    let place = format!("channel => 'web', address => '{{\"quokka\": 1}}'{more}");
    let memory = s.remember(person, &format!("The quokka of {person} is small {more}"), "");
    let first = s.receive(person, "Is the quokka small?", &format!("{place}, lease_seconds => 60"));
    s.run(&finish(
        person,
        &first,
        "The quokka is small.",
        &format!("memories => '[{{\"id\": {memory}}}]', calls => '[{{\"provider\": \"p\", \"model\": \"m\", \"error\": \"quokka\"}}]'"),
    ));
    s.run(&format!(
        "SELECT muninn.request_forget('assistant', {person}, {}, {memory})",
        first.turn
    ));
    s.extract(person, first.turn, r#"{"statements": [{"content": "A quokka smiles."}]}"#);
    let edited = s.turn(person, "Another quokka?", "No quokka.", &place);
    s.run(&format!(
        "SELECT muninn.edit_message('assistant', {person}, {}, 'Two quokkas?', 60)",
        edited.turn
    ));
    s.run(&format!("SELECT muninn.stop_turn('assistant', {person}, max(id)) FROM muninn.turn"));
    let dead = s.receive(person, "A dead quokka", &format!("{place}, lease_seconds => 60"));
    s.run(&format!(
        "SELECT muninn.fail_job('assistant', {person}, {}, {}, 'no quokka', permanent => true)",
        dead.job, dead.lease
    ));
    let running = s.receive(person, "A running quokka", &format!("{place}, lease_seconds => 60"));
    s.run(&format!(
        "SELECT muninn.progress('assistant', {person}, {}, {}, 'The quokka')",
        running.turn, running.lease
    ));
    [first.turn, first.message]
}

#[test]
fn a_memory_is_gone_from_the_turns_that_used_it() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let memory = s.remember(anna, "The quokka is small.", "");
    let begun = s.receive(anna, "Small?", "lease_seconds => 60");
    s.run(&finish(anna, &begun, "Yes.", &format!("memories => '[{{\"id\": {memory}}}]'")));
    s.run(&format!("SELECT muninn.request_forget('assistant', {anna}, {}, {memory})", begun.turn));
    assert_eq!(s.number("SELECT count(*) FROM muninn.turn_memory"), 1);
    s.run(&format!("SELECT muninn.forget('assistant', {anna}, {memory})"));
    assert_eq!(found(&s, "quokka"), [""; 0]);
    assert_eq!(s.number("SELECT count(*) FROM muninn.turn_memory"), 0);
    assert_eq!(s.number("SELECT count(*) FROM muninn.request"), 0);
}

#[test]
fn a_message_goes_with_its_turn_its_title_and_how_it_was_said_before() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let first = s.turn(anna, "The quokka is small.", "Well.", "channel => 'web', address => '{}'");
    s.run(&format!(
        "SELECT muninn.edit_message('assistant', {anna}, {}, 'A quokka is small.')",
        first.turn
    ));
    let row = s.rows("SELECT turn_id, lease FROM muninn.claim_jobs('{reply}')").remove(0);
    s.run(&format!(
        "SELECT muninn.finish_turn('assistant', {anna}, {}, '{}', 'Fine.')",
        row[0].clone().unwrap(),
        row[1].clone().unwrap()
    ));
    let after = s.turn(anna, "What else?", "Nothing.", "");
    let message = s.number(&format!(
        "SELECT min(message_id) FROM muninn.messages('assistant', {anna}, 'main')"
    ));
    s.run(&format!("SELECT muninn.forget_message('assistant', {anna}, {message}, 'forget')"));
    assert_eq!(found(&s, "quokka"), [""; 0]);
    assert_eq!(
        s.column(&format!("SELECT content FROM muninn.messages('assistant', {anna}, 'main')")),
        ["Fine.", "What else?", "Nothing."]
    );
    assert_eq!(s.column("SELECT id FROM muninn.turn"), [after.turn.to_string()]);
    // With how it was answered before.
    let again = s.turn(anna, "Small?", "The quokka is.", "thread => 'again'");
    s.run(&format!("SELECT muninn.answer_again('assistant', {anna}, {})", again.turn));
    s.run(&format!("SELECT muninn.forget_message('assistant', {anna}, {}, 'keep')", again.message));
    assert_eq!(found(&s, "quokka"), [""; 0]);
    // Told by whoever answers it that it is gone.
    let running = s.receive(anna, "A quokka runs.", "lease_seconds => 60");
    s.run(&format!(
        "SELECT muninn.forget_message('assistant', {anna}, {}, 'keep')",
        running.message
    ));
    assert_eq!(s.refusal(&finish(anna, &running, "x", "")).code, "40001");
    assert_eq!(found(&s, "quokka"), [""; 0]);
}

#[test]
fn a_thread_a_person_and_a_bot_leave_nothing_of_their_turns() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let [turn, _] = converse(&s, anna, "");
    assert!(found(&s, "quokka").len() >= 7, "the control: {:?}", found(&s, "quokka"));
    s.run(&format!("SELECT muninn.forget_thread('assistant', {anna}, 'main', 'forget')"));
    s.run(&format!("SELECT muninn.forget_many('assistant', {anna}, array_agg(memory_id)) FROM muninn.memories('assistant', {anna})"));
    assert_eq!(found(&s, "quokka"), [""; 0]);
    assert_eq!(
        s.refusal(&format!("SELECT muninn.turn_state('assistant', {anna}, {turn})")).code,
        "42704"
    );
    assert!(
        s.number("SELECT count(*) FROM muninn.model_call WHERE turn_id IS NULL") > 0,
        "what it cost stays"
    );
    for table in
        ["thread", "message", "turn", "turn_delta", "turn_memory", "request", "job", "delivery"]
    {
        assert_eq!(s.number(&format!("SELECT count(*) FROM muninn.{table}")), 0, "{table}");
    }

    // Where others heard it: with what was said, or without.
    for person in [anna, ben] {
        s.run(&format!("SELECT muninn.join_group('assistant', {person}, 'kitchen')"));
    }
    converse(&s, anna, ", audience => 'group:kitchen', thread => 'k'");
    s.run(&format!("SELECT muninn.stop_turn('assistant', {anna}, max(id)) FROM muninn.turn"));
    let bens = s.turn(ben, "I am Ben.", "Hello Ben.", "audience => 'group:kitchen', thread => 'k'");
    s.extract(ben, bens.turn, "{}");
    s.run(&format!("SELECT muninn.forget_person('assistant', {anna}, 'keep')"));
    assert_eq!(s.number(&format!("SELECT count(*) FROM muninn.job WHERE person_id = {anna}")), 0);
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 0);
    assert_eq!(s.number("SELECT count(*) FROM muninn.request"), 0);
    s.run(&format!("SELECT muninn.forget_person('assistant', {anna}, 'forget')"));
    assert_eq!(found(&s, "quokka"), [""; 0]);
    assert_eq!(s.column("SELECT id FROM muninn.turn"), [bens.turn.to_string()]);

    s.run(&format!("SELECT muninn.join_group('assistant', {anna}, 'kitchen')"));
    converse(&s, anna, ", audience => 'group:kitchen', thread => 'k'");
    s.run(&format!("SELECT muninn.create_token('assistant', {anna}, 'quokka'), muninn.sign_in('test', 'anna'), muninn.sign_in_link('test', 'anna')"));
    s.run(&format!("SELECT muninn_admin.delete_person({anna}, 'forget')"));
    assert_eq!(found(&s, "quokka"), [""; 0]);
    for table in ["web_session", "sign_in_link", "api_token"] {
        assert_eq!(s.number(&format!("SELECT count(*) FROM muninn.{table}")), 0, "{table}");
    }
    converse(&s, ben, ", thread => 'k2'");
    s.run(&format!("SELECT muninn.create_token('assistant', {ben}, 'quokka')"));
    s.run("SELECT muninn_admin.delete_bot('assistant', confirm => 'assistant')");
    assert_eq!(found(&s, "quokka"), [""; 0]);
    check_invariants(&s);
}
