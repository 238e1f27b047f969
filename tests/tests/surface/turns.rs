//! Turns: a message comes in once and is answered once; stopping, answering anew and
//! editing; what a prompt is given.

use muninn_tests::{Database, Session, check_refused, finish, quote, shared};

fn said(s: &Session, person: i64, thread: &str) -> Vec<String> {
    s.column(&format!(
        "SELECT role || ': ' || content FROM muninn.messages('assistant', {person}, '{thread}')"
    ))
}

fn state(s: &Session, person: i64, turn: i64) -> String {
    s.one(&format!("SELECT status FROM muninn.turn_state('assistant', {person}, {turn})"))
}

#[test]
fn a_message_comes_in_once_also_twice_at_the_same_moment() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let first = s.receive(anna, "Hello", "channel => 'telegram', external_id => '9:77'");
    let again = s.receive(anna, "Hello", "channel => 'telegram', external_id => '9:77'");
    assert!(first.fresh && !again.fresh);
    assert_eq!((again.message, again.turn, again.job), (first.message, first.turn, first.job));
    let elsewhere = s.receive(anna, "Hello", "channel => 'slack', external_id => '9:77'");
    assert!(elsewhere.fresh, "an id is a channel's own");
    // Not as somebody else, and not what was said.
    let refusal = s.refusal(&format!(
        "SELECT muninn.receive('assistant', {ben}, 'x', channel => 'telegram', external_id => '9:77')"
    ));
    check_refused(&refusal, "23505").unwrap();
    assert!(!refusal.message.contains("Hello"));

    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8)
            .map(|_| {
                let session = db.session();
                scope.spawn(move || {
                    (0..20)
                        .map(|n| {
                            let more = format!("channel => 'web', external_id => 'e{n}'");
                            session.receive(anna, &format!("Number {n}"), &more)
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let all: Vec<_> = all.into_iter().map(|one| one.join().unwrap()).collect();
        for n in 0..20 {
            let turns: Vec<i64> = all.iter().map(|begun| begun[n].turn).collect();
            assert!(turns.iter().all(|turn| *turn == turns[0]), "{turns:?}");
            assert_eq!(all.iter().filter(|begun| begun[n].fresh).count(), 1);
        }
    });
    assert_eq!(s.number("SELECT count(*) FROM muninn.message WHERE channel = 'web'"), 20);
    assert_eq!(s.number("SELECT count(*) FROM muninn.job"), 22);
}

#[test]
fn what_is_no_message_is_refused() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let receive = |more: &str| format!("SELECT muninn.receive('assistant', {anna}, {more})");
    for (call, code) in [
        ("NULL", "22023"),
        ("''", "22023"),
        ("E' \\n\\t'", "22023"),
        ("repeat('x', 200001)", "54000"),
        ("'x', thread => NULL", "22023"),
        ("'x', thread => ''", "22023"),
        ("'x', thread => repeat('x', 1001)", "22023"),
        ("'x', channel => NULL", "22023"),
        ("'x', channel => 'Web'", "22023"),
        ("'x', channel => E'web\\n'", "22023"),
        ("'x', external_id => ''", "22023"),
        ("'x', external_id => repeat('x', 1001)", "22023"),
        ("'x', audience => NULL", "22023"),
        ("'x', audience => 'everybody'", "22023"),
        ("'x', audience => 'group:nowhere'", "42704"),
        ("'x', address => to_jsonb(repeat('x', 10001))", "22023"),
        ("'x', lease_seconds => 0", "22023"),
        ("'x', lease_seconds => -1", "22023"),
        ("'x', lease_seconds => 2147483647", "22023"),
    ] {
        check_refused(&s.refusal(&receive(call)), code)
            .unwrap_or_else(|wrong| panic!("{call}: {wrong}"));
    }
    for bot in ["NULL", "'nobody'"] {
        assert!(matches!(
            s.refusal(&format!("SELECT muninn.receive({bot}, {anna}, 'x')")).code.as_str(),
            "22004" | "42704"
        ));
    }
    assert_eq!(s.refusal("SELECT muninn.receive('assistant', NULL, 'x')").code, "22004");
    assert_eq!(s.refusal("SELECT muninn.receive('assistant', -1, 'x')").code, "42704");
    assert_eq!(s.number("SELECT count(*) FROM muninn.thread"), 0, "nothing is left behind");
    let odd = "\u{1}\u{7f}\u{202e}奶奶 👨‍👩‍👧 \\N \\. %s ' \" $$";
    let begun = s.receive(anna, odd, "address => 'null'");
    assert_eq!(
        s.one(&format!("SELECT content FROM muninn.message WHERE id = {}", begun.message)),
        odd
    );
    s.run(&format!(
        "SELECT * FROM muninn.claim_jobs(); SELECT muninn.stop_turn('assistant', {anna}, {})",
        begun.turn
    ));
    assert_eq!(s.number("SELECT count(*) FROM muninn.delivery"), 0, "null is no address");
}

#[test]
fn an_answer_is_stored_once_and_a_lost_lease_leaves_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let begun = s.receive(anna, "When is my train?", "thread => 'tuesday', lease_seconds => 60");
    assert_eq!(state(&s, anna, begun.turn), "running");
    let before = muninn_tests::fingerprint(&s);
    let refused = |begun: &muninn_tests::Begun, person: i64| {
        s.refusal(&finish(
            person,
            begun,
            "At nine.",
            "calls => '[{\"provider\": \"p\", \"model\": \"m\"}]'",
        ))
        .code
    };
    let wrong = muninn_tests::Begun { lease: quote(&"0".repeat(32)), ..begun.clone() };
    assert_eq!(refused(&wrong, anna), "40001");
    assert_eq!(
        refused(&muninn_tests::Begun { lease: "NULL".into(), ..begun.clone() }, anna),
        "40001"
    );
    assert_eq!(refused(&begun, ben), "40001");
    assert_eq!(muninn_tests::fingerprint(&s), before, "nothing half done");
    s.run(&finish(anna, &begun, "At nine.", ""));
    assert_eq!(refused(&begun, anna), "40001", "once");
    assert_eq!(said(&s, anna, "tuesday"), ["user: When is my train?", "assistant: At nine."]);
    assert_eq!(state(&s, anna, begun.turn), "done");
    assert_eq!(s.one("SELECT title FROM muninn.threads('assistant', 1)"), "When is my train?");

    // Taken over by another: what the first one brings counts for nothing.
    let slow = s.receive(anna, "And the bus?", "thread => 'tuesday', lease_seconds => 60");
    s.run("UPDATE muninn.job SET leased_until = clock_timestamp() - interval '1 second' WHERE kind = 'reply'");
    let taken = s.rows("SELECT job_id, lease, attempt FROM muninn.claim_jobs('{reply}')").remove(0);
    assert_eq!((taken[0].clone(), taken[2].as_deref()), (Some(slow.job.to_string()), Some("2")));
    assert_eq!(refused(&slow, anna), "40001");
    for call in [
        format!("fail_job('assistant', {anna}, {}, {}, 'x')", slow.job, slow.lease),
        format!("complete_job('assistant', {anna}, {}, {})", slow.job, slow.lease),
        format!("apply_extraction('assistant', {anna}, {}, {}, '{{}}')", slow.job, slow.lease),
    ] {
        check_refused(&s.refusal(&format!("SELECT muninn.{call}")), "40001").unwrap();
    }
    assert!(!s.holds(&format!(
        "SELECT muninn.progress('assistant', {anna}, {}, {}, 'x')",
        slow.turn, slow.lease
    )));
    let now = muninn_tests::Begun { lease: quote(taken[1].as_deref().unwrap()), ..slow.clone() };
    for call in [
        format!("complete_job('assistant', {anna}, {}, {})", now.job, now.lease),
        format!("apply_extraction('assistant', {anna}, {}, {}, '{{}}')", now.job, now.lease),
    ] {
        check_refused(&s.refusal(&format!("SELECT muninn.{call}")), "55000").unwrap();
    }
    s.run(&finish(anna, &now, "At ten.", ""));
    assert_eq!(said(&s, anna, "tuesday").len(), 4);
}

#[test]
fn a_conversation_is_answered_in_its_order_and_stopped_where_it_is() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let first = s.receive(anna, "One", "lease_seconds => 60");
    let second = s.receive(anna, "Two", "lease_seconds => 60");
    assert_eq!(second.lease, "NULL", "something before it is open");
    assert_eq!(state(&s, anna, second.turn), "waiting");
    assert!(s.rows("SELECT * FROM muninn.claim_jobs()").is_empty());
    let other = s.receive(anna, "Elsewhere", "thread => 'other'");
    assert_eq!(s.number("SELECT turn_id FROM muninn.claim_jobs(k => 10)"), other.turn);

    let progress = |text: &str| {
        s.holds(&format!(
            "SELECT muninn.progress('assistant', {anna}, {}, {}, {text})",
            first.turn, first.lease
        ))
    };
    assert!(progress("'It '") && progress("NULL") && progress("''") && progress("'is'"));
    let seen =
        format!("SELECT content, seq FROM muninn.turn_state('assistant', {anna}, {}", first.turn);
    let row = s.rows(&format!("{seen})")).remove(0);
    assert_eq!(row[0].as_deref(), Some("It is"));
    let seq: i64 = row[1].as_deref().unwrap().parse().unwrap();
    assert_eq!(s.rows(&format!("{seen}, {seq})"))[0], [None, None], "nothing new");
    assert_eq!(s.rows(&format!("{seen}, {})", seq - 1))[0][0].as_deref(), Some("is"));
    check_refused(
        &s.refusal(&format!(
            "SELECT muninn.progress('assistant', {anna}, {}, {}, repeat('x', 200001))",
            first.turn, first.lease
        )),
        "54000",
    )
    .unwrap();

    let reply = s.number(&format!("SELECT muninn.stop_turn('assistant', {anna}, {})", first.turn));
    assert!(!progress("'gone'"));
    assert_eq!(s.refusal(&finish(anna, &first, "It is not.", "")).code, "40001");
    assert_eq!(
        s.number(&format!("SELECT muninn.stop_turn('assistant', {anna}, {})", first.turn)),
        reply
    );
    assert_eq!(said(&s, anna, "main"), ["user: One", "user: Two", "assistant: It is"]);
    assert_eq!(state(&s, anna, first.turn), "stopped");
    assert_eq!(s.number("SELECT count(*) FROM muninn.turn_delta"), 0);
    assert_eq!(s.number("SELECT count(*) FROM muninn.job WHERE kind = 'extract'"), 0);
    assert_eq!(s.number("SELECT turn_id FROM muninn.claim_jobs()"), second.turn);
    let nothing = s.one(&format!("SELECT muninn.stop_turn('assistant', {anna}, {})", second.turn));
    assert_eq!(nothing, "", "nothing was said");
}

#[test]
fn what_is_answered_anew_or_edited_puts_the_rest_aside() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let first = s.turn(anna, "My train?", "At nine.", "");
    let second = s.turn(anna, "And back?", "At ten.", "");
    let again = |person: i64, turn: i64| {
        format!("SELECT turn_id FROM muninn.answer_again('assistant', {person}, {turn})")
    };
    let edit = |person: i64, turn: i64, text: &str| {
        format!("SELECT turn_id FROM muninn.edit_message('assistant', {person}, {turn}, '{text}')")
    };
    for (call, code) in [
        (again(ben, first.turn), "42704"),
        (edit(ben, first.turn, "x"), "42704"),
        (again(anna, -1), "42704"),
        (again(anna, i64::MAX), "42704"),
        (edit(anna, first.turn, " "), "22023"),
    ] {
        check_refused(&s.refusal(&call), code).unwrap();
    }
    let third = s.number(&again(anna, second.turn));
    for call in [again(anna, first.turn), edit(anna, first.turn, "x"), again(anna, third)] {
        check_refused(&s.refusal(&call), "55000").unwrap();
    }
    assert_eq!(
        said(&s, anna, "main"),
        ["user: My train?", "assistant: At nine.", "user: And back?"]
    );
    s.run(&format!("SELECT muninn.stop_turn('assistant', {anna}, {third})"));
    check_refused(&s.refusal(&again(anna, second.turn)), "55000").unwrap();
    // The extraction of the first stays, that of the answer that was put aside is gone.
    let waiting = "SELECT string_agg(turn_id::text, ',' ORDER BY turn_id) FROM muninn.job WHERE kind = 'extract'";
    assert_eq!(s.one(waiting), first.turn.to_string());

    assert_eq!(s.one("SELECT title FROM muninn.threads('assistant', 1)"), "My train?");
    let fourth = s.number(&edit(anna, first.turn, "My bus?"));
    assert_eq!(s.one("SELECT title FROM muninn.threads('assistant', 1)"), "My bus?");
    assert_eq!(s.one(waiting), "", "what was edited is not read for memories");
    assert_eq!(said(&s, anna, "main"), ["user: My bus?"]);
    let context =
        s.one(&format!("SELECT muninn.context('assistant', {anna}, {fourth}) -> 'history'"));
    assert_eq!(context, "[]");
    s.run(&format!("SELECT muninn.stop_turn('assistant', {anna}, {fourth})"));
    check_refused(&s.refusal(&edit(anna, first.turn, "x")), "55000").unwrap();
    // Where nothing waits before it, at once.
    let row = s.rows(&format!(
        "SELECT lease IS NOT NULL FROM muninn.answer_again('assistant', {anna}, {fourth}, lease_seconds => 60)"
    ));
    assert_eq!(row[0][0].as_deref(), Some("t"));
}

#[test]
fn nobody_puts_aside_what_others_said() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    for person in [anna, ben] {
        s.run(&format!("SELECT muninn.join_group('assistant', {person}, 'kitchen')"));
    }
    let group = "audience => 'group:kitchen', thread => 'k'";
    let annas = s.turn(anna, "Who cooks?", "Ben.", group);
    // A member reads it, and neither stops, edits nor answers it anew.
    let running = s.receive(anna, "And who eats?", &format!("{group}, lease_seconds => 60"));
    for call in ["stop_turn", "answer_again"] {
        let refusal =
            s.refusal(&format!("SELECT muninn.{call}('assistant', {ben}, {})", running.turn));
        check_refused(&refusal, "42501").unwrap();
    }
    assert_eq!(
        s.refusal(&format!("SELECT muninn.edit_message('assistant', {ben}, {}, 'x')", annas.turn))
            .code,
        "42501"
    );
    assert_eq!(state(&s, ben, running.turn), "running");
    s.run(&finish(anna, &running, "All.", ""));
    s.turn(ben, "I do not cook.", "Oh.", group);
    for call in [
        format!("answer_again('assistant', {anna}, {})", annas.turn),
        format!("edit_message('assistant', {anna}, {}, 'x')", annas.turn),
    ] {
        check_refused(&s.refusal(&format!("SELECT muninn.{call}")), "55000").unwrap();
    }
    assert_eq!(said(&s, anna, "k").len(), 6);
}

#[test]
fn an_answer_that_others_read_holds_nothing_of_the_person_alone() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    for person in [anna, ben] {
        s.run(&format!("SELECT muninn.join_group('assistant', {person}, 'kitchen')"));
    }
    s.run(&format!("SELECT muninn.join_group('assistant', {anna}, 'board')"));
    s.remember(anna, "I am allergic to nuts.", "");
    s.remember(anna, "Nuts are to be dearer.", "audience => 'group:board'");
    let ours = s.remember(anna, "The nuts stand in the cupboard.", "audience => 'group:kitchen'");
    let all = s.remember(ben, "Nuts are at the office.", "audience => 'shared'");
    let memories = |begun: &muninn_tests::Begun| {
        let mut found = s.column(&format!(
            "SELECT m ->> 'id' FROM jsonb_array_elements(muninn.context('assistant', {anna}, {}) -> 'memories') m",
            begun.turn
        ));
        found.sort();
        found
    };
    let group = s.receive(anna, "What of the nuts?", "audience => 'group:kitchen'");
    assert_eq!(memories(&group), [ours.to_string(), all.to_string()]);
    let shared = s.receive(anna, "What of the nuts?", "audience => 'shared'");
    assert_eq!(memories(&shared), [all.to_string()]);
    let own = s.receive(anna, "What of the nuts?", "");
    assert_eq!(memories(&own).len(), 4, "the control");
    // Another group's name opens nothing.
    let refusal = s.refusal(&format!(
        "SELECT muninn.recall('assistant', {ben}, 'nuts', audiences => '{{everybody}}')"
    ));
    check_refused(&refusal, "22023").unwrap();
    assert!(s.recall(ben, "nuts", "audiences => '{group:board}'").is_empty());
    assert!(s.recall(ben, "nuts", "audiences => '{}'").is_empty());
    assert_eq!(
        s.refusal(&format!(
            "SELECT muninn.recall('assistant', {ben}, 'nuts', audiences => '{{NULL}}')"
        ))
        .code,
        "22023"
    );
}

#[test]
fn a_prompt_is_given_what_was_said_within_bounds_and_without_writing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.remember(anna, "My train leaves at nine.", "");
    s.remember(anna, "The train station is far.", "");
    for n in 0..30 {
        s.turn(anna, &format!("Question {n}"), &format!("Answer {n}"), "");
    }
    let begun = s.receive(anna, "When does my train leave?", "");
    let count = |part: &str, more: &str| {
        s.number(&format!(
            "SELECT jsonb_array_length(muninn.context('assistant', {anna}, {}{more}) -> '{part}')",
            begun.turn
        ))
    };
    assert_eq!(count("history", ""), 20);
    assert_eq!(count("history", ", history => 5"), 5);
    assert_eq!(count("history", ", history => 2147483647"), 60);
    assert_eq!(count("history", ", history => -1"), 0);
    assert_eq!(count("memories", ", k => 1"), 1);
    assert_eq!(count("memories", ", k => -7"), 1);
    s.run("SELECT muninn.configure_bot('assistant', '{\"history\": 4, \"recalled\": 1}')");
    assert_eq!((count("history", ""), count("memories", "")), (4, 1));
    let last = s.one(&format!(
        "SELECT muninn.context('assistant', {anna}, {}) -> 'history' -> 3 ->> 'content'",
        begun.turn
    ));
    assert_eq!(last, "Answer 29");
    s.run("BEGIN READ ONLY");
    let whole = s.one(&format!("SELECT muninn.context('assistant', {anna}, {})", begun.turn));
    s.run("COMMIT");
    for part in ["persona", "timings", "When does my train leave?", "My train leaves at nine."] {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    // However odd a message is, there is a context for it.
    for text in [
        format!("{}x", " ".repeat(5000)),
        "?!".into(),
        "\u{200b}".into(),
        "\u{1}".into(),
        "x".repeat(200_000),
    ] {
        let begun = s.receive(anna, &text, "thread => 'odd'");
        s.run(&format!("SELECT muninn.context('assistant', {anna}, {})", begun.turn));
    }
    // A message that fills the prompt leaves no room for older ones, and none is cut.
    s.turn(anna, "Short", &"long ".repeat(9_000), "thread => 'long'");
    let next = s.receive(anna, "Next", "thread => 'long'");
    let kept = s.number(&format!(
        "SELECT jsonb_array_length(muninn.context('assistant', {anna}, {}) -> 'history')",
        next.turn
    ));
    assert_eq!(kept, 2);
}

#[test]
fn what_was_used_and_called_is_kept_and_what_is_not_known_stays_unknown() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let mine = s.remember(anna, "My train leaves at nine.", "");
    let foreign = s.remember(ben, "Ben's train leaves at ten.", "");
    s.run("SELECT muninn_admin.set_price('p', 'm', 2, 10, cached => 1)");
    let begun = s.receive(anna, "Train?", "lease_seconds => 60");
    let finished = |calls: &str, memories: &str, trace: &str| {
        finish(
            anna,
            &begun,
            "At nine.",
            &format!("calls => {calls}, memories => {memories}, trace => {trace}"),
        )
    };
    let one = |more: &str| format!("'[{{\"provider\": \"p\", \"model\": \"m\"{more}}}]'");
    for calls in [
        "'{}'",
        "'7'",
        "'\"x\"'",
        "'[7]'",
        "'[null]'",
        "'[[]]'",
        "'[{}]'",
        "'[{\"provider\": \"p\"}]'",
        &one(", \"input_tokens\": \"7\""),
        &one(", \"input_tokens\": -7"),
        &one(", \"input_tokens\": 1e400"),
        &one(", \"input_tokens\": [7]"),
        &one(", \"duration_ms\": 1e10"),
        "(SELECT jsonb_agg(jsonb_build_object('provider', 'p', 'model', 'm')) FROM generate_series(1, 1001))",
    ] {
        check_refused(&s.refusal(&finished(calls, "NULL", "NULL")), "22023")
            .unwrap_or_else(|wrong| panic!("{calls}: {wrong}"));
    }
    for memories in [
        "'{}'",
        "'7'",
        "'[7]'",
        "'[{\"id\": \"7\"}]'",
        "'[{\"id\": -7}]'",
        "'[{\"id\": 1e30}]'",
        "'[{\"id\": 1, \"relevance\": \"much\"}]'",
    ] {
        check_refused(&s.refusal(&finished("NULL", memories, "NULL")), "22023")
            .unwrap_or_else(|wrong| panic!("{memories}: {wrong}"));
    }
    check_refused(&s.refusal(&finished("NULL", "NULL", "'[1]'")), "22023").unwrap();
    check_refused(&s.refusal(&finished("NULL", "NULL", "to_jsonb(repeat('x', 20001))")), "54000")
        .unwrap();
    assert_eq!(state(&s, anna, begun.turn), "running", "and it can still be answered");

    let calls = "'[{\"provider\": \"p\", \"model\": \"m\", \"input_tokens\": 1000000, \"cached_tokens\": 500000, \"output_tokens\": 100000, \"duration_ms\": 12.4},
                   {\"provider\": \"p\", \"model\": \"m\", \"error\": \"overloaded\"},
                   {\"provider\": \"p\", \"model\": \"m\", \"input_tokens\": 5, \"cached_tokens\": 9, \"output_tokens\": 1},
                   {\"provider\": \"p\", \"model\": \"new\", \"input_tokens\": 7, \"output_tokens\": null}]'";
    let memories = format!(
        "'[{{\"id\": {mine}, \"relevance\": 0.5}}, {{\"id\": {foreign}}}, {{\"id\": {mine}}}, {{\"id\": 9000000000000000000}}, {{}}]'"
    );
    s.run(&finished(calls, &memories, "'{\"model\": 12.5}'"));
    let cost = s.column("SELECT coalesce(cost::float8::text, '?') || ' ' || coalesce(duration_ms::text, '?') FROM muninn.model_call ORDER BY id");
    // 500,000 at 2, 500,000 at 1, 100,000 at 10 dollars a million.
    assert_eq!(cost, ["2.5 12", "? ?", "? ?", "? ?"]);
    let usage = s.column(&format!(
        "SELECT concat_ws(' ', model, calls, failed, input_tokens, output_tokens, cost::float8, unknown_cost) FROM muninn.usage('assistant', {anna}) ORDER BY 1"
    ));
    assert_eq!(usage, ["m 3 1 1000005 100001 2.5 2", "new 1 0 7 1"]);
    assert!(s.rows(&format!("SELECT * FROM muninn.usage('assistant', {ben})")).is_empty());
    let used = s.column(&format!(
        "SELECT concat_ws(' ', memory_id, used, relevance) FROM muninn.turn_memories('assistant', {anna}, {})",
        begun.turn
    ));
    assert_eq!(used, [format!("{mine} t 0.5")], "what another said was not in it");
    for price in [
        "'p', 'm', -1, 1",
        "'p', 'm', 'NaN', 1",
        "'p', 'm', 1, 'Infinity'",
        "'', 'm', 1, 1",
        "NULL, 'm', 1, 1",
        "'p', 'm', NULL, 1",
    ] {
        check_refused(&s.refusal(&format!("SELECT muninn_admin.set_price({price})")), "22023")
            .unwrap();
    }
    // Without extraction, by the bot's setting or the message's, nothing is proposed.
    s.run("SELECT muninn.configure_bot('assistant', '{\"extraction\": false}')");
    let jobs = s.number("SELECT count(*) FROM muninn.job");
    s.turn(anna, "Again", "Yes.", "");
    s.run("SELECT muninn.configure_bot('assistant', '{\"extraction\": null}')");
    s.turn(anna, "Again", "Yes.", "keeps => false");
    assert_eq!(s.number("SELECT count(*) FROM muninn.job"), jobs);
    s.turn(anna, "Again", "Yes.", "keeps => NULL");
    assert_eq!(s.number("SELECT count(*) FROM muninn.job"), jobs + 1, "the control");
}
