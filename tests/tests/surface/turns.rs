//! A message comes in once, is answered once, and leaves nothing behind when forgotten.

use muninn_tests::{Database, Session, shared};

/// Turn, job and lease of something that a person says.
fn say(s: &Session, person: i64, content: &str, more: &str) -> [String; 3] {
    let row = s
        .rows(&format!(
            "SELECT r.turn_id::text, r.job_id::text, coalesce(r.lease::text, '')
             FROM muninn.receive('assistant', {person}, '{content}', thread => 'talk', channel => 'web' {more}) r"
        ))
        .remove(0);
    row.into_iter().map(|v| v.expect("a value")).collect::<Vec<_>>().try_into().expect("three")
}

/// The one job that is due: job and lease.
fn claim(s: &Session, kind: &str) -> Option<[String; 2]> {
    let rows = s.rows(&format!(
        "SELECT j.job_id::text, j.lease::text FROM muninn.claim_jobs('{{{kind}}}') j"
    ));
    let row = rows.into_iter().next()?;
    Some(row.into_iter().map(|v| v.expect("a value")).collect::<Vec<_>>().try_into().expect("two"))
}

fn finish(s: &Session, person: i64, turn: &str, lease: &str) {
    s.run(&format!(
        "SELECT muninn.finish_turn('assistant', {person}, {turn}, '{lease}', 'An answer.')"
    ));
}

#[test]
fn a_message_that_comes_twice_at_once_is_taken_once() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let turns: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    let own = db.session();
                    say(&own, anna, "Hello", ", external_id => 'one'")[0].clone()
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().expect("a turn")).collect()
    });
    assert!(turns.iter().all(|turn| *turn == turns[0]), "{turns:?}");
    assert_eq!(s.number("SELECT count(*) FROM muninn.message"), 1);
    assert_eq!(s.number("SELECT count(*) FROM muninn.job"), 1);
    // Somebody else's is not shown.
    let refusal = s.refusal(&format!(
        "SELECT muninn.receive('assistant', {ben}, 'x', channel => 'web', external_id => 'one')"
    ));
    assert_eq!(refusal.code, "23505");
}

#[test]
fn a_conversation_is_answered_in_its_order() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let first = say(&s, anna, "First", ", lease_seconds => 60");
    assert!(!first[2].is_empty());
    let second = say(&s, anna, "Second", ", lease_seconds => 60");
    assert!(second[2].is_empty(), "the first is open");
    assert!(claim(&s, "reply").is_none());
    finish(&s, anna, &first[0], &first[2]);
    let [job, lease] = claim(&s, "reply").expect("the second is due");
    assert_eq!(job, second[1]);
    finish(&s, anna, &second[0], &lease);
    let said = s.column(&format!(
        "SELECT content FROM muninn.messages('assistant', {anna}, 'talk') ORDER BY place"
    ));
    assert_eq!(said, ["First", "Second", "An answer.", "An answer."]);
}

#[test]
fn who_lost_a_lease_changes_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let [turn, job, lease] = say(&s, anna, "Hello", ", lease_seconds => 60");
    s.run(&format!("UPDATE muninn.job SET leased_until = now() - interval '1 s' WHERE id = {job}"));
    let [again, other] = claim(&s, "reply").expect("taken over");
    assert_eq!((again == job, other == lease), (true, false));
    for call in [
        format!("finish_turn('assistant', {anna}, {turn}, '{lease}', 'x')"),
        format!("fail_job('assistant', {anna}, {job}, '{lease}', 'x')"),
    ] {
        assert_eq!(s.refusal(&format!("SELECT muninn.{call}")).code, "40001", "{call}");
    }
    let goes_on =
        s.holds(&format!("SELECT muninn.progress('assistant', {anna}, {turn}, '{lease}', 'x')"));
    assert!(!goes_on);
    assert_eq!(s.number("SELECT count(*) FROM muninn.turn_delta"), 0);
    finish(&s, anna, &turn, &other);
    assert_eq!(s.number("SELECT count(*) FROM muninn.message WHERE role = 'assistant'"), 1);
}

#[test]
fn a_job_is_tried_again_and_then_given_up_where_its_person_sees_it() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let [turn, job, mut lease] = say(&s, anna, "Hello", ", lease_seconds => 60");
    for attempt in 1..=6 {
        let more = if attempt % 2 == 0 { "" } else { ", retry_after => 30" };
        let status = s.one(&format!(
            "SELECT muninn.fail_job('assistant', {anna}, {job}, '{lease}', 'no model'{more})"
        ));
        assert_eq!(status == "dead", attempt == 6, "{attempt}");
        if attempt < 6 {
            let wait = s.number(&format!(
                "SELECT extract(epoch FROM due_at - clock_timestamp())::int FROM muninn.job WHERE id = {job}"
            ));
            let expected = if more.is_empty() { 0..=12 } else { 28..=60 };
            assert!(expected.contains(&wait), "{wait} s after attempt {attempt}");
            s.run(&format!("UPDATE muninn.job SET due_at = now() WHERE id = {job}"));
            lease = claim(&s, "reply").expect("due again")[1].clone();
        }
    }
    let state = format!(
        "SELECT status || ' ' || error FROM muninn.turn_state('assistant', {anna}, {turn})"
    );
    assert_eq!(s.one(&state), "failed no model");
    let letters = |person: i64| {
        s.number(&format!("SELECT count(*) FROM muninn.dead_letters('assistant', {person})"))
    };
    assert_eq!((letters(anna), letters(ben)), (1, 0));
    let retry = |person: i64| {
        s.holds(&format!("SELECT muninn.retry_letter('assistant', {person}, 'reply', {job})"))
    };
    assert_eq!([retry(ben), retry(anna), retry(anna)], [false, true, false]);
    let [_, lease] = claim(&s, "reply").expect("tried again");
    finish(&s, anna, &turn, &lease);
    assert_eq!(letters(anna), 0);
}

#[test]
fn what_was_said_before_a_stop_stays() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let [turn, _, lease] = say(&s, anna, "Tell me a story", ", lease_seconds => 60");
    for piece in ["Once ", "upon"] {
        s.run(&format!(
            "SELECT muninn.progress('assistant', {anna}, {turn}, '{lease}', '{piece}')"
        ));
    }
    let seen = |after: &str| {
        s.one(&format!(
            "SELECT content || seq FROM muninn.turn_state('assistant', {anna}, {turn}, {after})"
        ))
    };
    assert_eq!(seen("-1"), "Once upon1000001");
    assert_eq!(seen("1000000"), "upon1000001");
    assert_eq!(
        s.refusal(&format!("SELECT muninn.stop_turn('assistant', {ben}, {turn})")).code,
        "42704"
    );
    s.run(&format!("SELECT muninn.stop_turn('assistant', {anna}, {turn})"));
    let state = format!(
        "SELECT status || ' ' || content FROM muninn.turn_state('assistant', {anna}, {turn})"
    );
    assert_eq!(s.one(&state), "stopped Once upon");
    let late = format!("SELECT muninn.finish_turn('assistant', {anna}, {turn}, '{lease}', 'x')");
    assert_eq!(s.refusal(&late).code, "40001");
}

#[test]
fn an_edited_message_takes_the_place_of_what_followed() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let [turn, _, lease] = say(&s, anna, "When is my train?", ", lease_seconds => 60");
    let edit = format!(
        "SELECT turn_id FROM muninn.edit_message('assistant', {anna}, {turn}, 'When is my bus?')"
    );
    assert_eq!(s.refusal(&edit).code, "55000", "it is being answered");
    finish(&s, anna, &turn, &lease);
    let second = s.number(&edit);
    let shown =
        || s.column(&format!("SELECT content FROM muninn.messages('assistant', {anna}, 'talk')"));
    assert_eq!(shown(), ["When is my bus?"]);
    assert_eq!(s.refusal(&edit).code, "55000");
    let [_, lease] = claim(&s, "reply").expect("the edited one");
    finish(&s, anna, &second.to_string(), &lease);
    let third = s
        .number(&format!("SELECT turn_id FROM muninn.answer_again('assistant', {anna}, {second})"));
    let [_, lease] = claim(&s, "reply").expect("again");
    finish(&s, anna, &third.to_string(), &lease);
    assert_eq!(shown(), ["When is my bus?", "An answer."]);
    // Nothing is learned from what was taken back.
    let mut kept = Vec::new();
    while let Some([job, lease]) = claim(&s, "extract") {
        kept.push(s.one(&format!(
            "SELECT muninn.apply_extraction('assistant', {anna}, {job}, '{lease}',
               '{{\"statements\": [{{\"content\": \"Anna takes the train.\"}}]}}') ->> 'kept'"
        )));
    }
    assert_eq!(kept.iter().filter(|k| *k == "[]").count(), 1, "{kept:?}");
}

#[test]
fn what_a_model_takes_from_a_turn_is_a_proposal_for_its_person() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let own = s.remember(anna, "My train leaves at nine.", "");
    let shared_one = s.remember(anna, "The office opens at eight.", "audience => 'shared'");
    let buried = s.remember(anna, "I like aniseed.", "");
    s.run(&format!("SELECT muninn.forget('assistant', {anna}, {buried})"));
    let [turn, _, lease] = say(&s, anna, "My train leaves at ten.", ", lease_seconds => 60");
    s.run(&format!(
        "SELECT muninn.finish_turn('assistant', {anna}, {turn}, '{lease}', 'Noted.',
           memories => '[{{\"id\": {own}, \"relevance\": 0.9}}, {{\"id\": 999999}}]')"
    ));
    let [job, lease] = claim(&s, "extract").expect("a turn to read");
    let result = s.one(&format!(
        "SELECT muninn.apply_extraction('assistant', {anna}, {job}, '{lease}', $$ {{
           \"statements\": [
             {{\"content\": \"Anna takes the train to work.\", \"tags\": [\"travel\"], \"audience\": \"shared\"}},
             {{\"content\": \"My train leaves at nine.\"}},
             {{\"content\": \"I like aniseed.\"}},
             {{\"content\": \"\"}}],
           \"corrections\": [
             {{\"memory\": {own}, \"content\": \"My train leaves at ten.\"}},
             {{\"memory\": {shared_one}, \"content\": \"The office is closed.\"}}],
           \"forget\": [{shared_one}, 999999] }} $$::jsonb)"
    ));
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    assert_eq!(result["kept"].as_array().map(Vec::len), Some(1), "{result}");
    assert_eq!(result["corrected"].as_array().map(Vec::len), Some(1), "{result}");
    assert_eq!(result["forgotten"], 0, "{result}");
    assert_eq!(result["refused"].as_array().map(Vec::len), Some(5), "{result}");
    let made = s.one(
        "SELECT m.status || ' ' || a.kind || ' ' || (m.valid_from = g.created_at) || ' ' || g.content
         FROM muninn.memory m JOIN muninn.audience a ON a.id = m.audience_id JOIN muninn.message g ON g.id = m.message_id
         WHERE m.content LIKE '%to work%'",
    );
    assert_eq!(made, "candidate personal true My train leaves at ten.");
    assert_eq!(
        s.number("SELECT count(*) FROM muninn.share_proposal"),
        1,
        "a wish, for a person to decide"
    );
    let notice = s.column(&format!(
        "SELECT content FROM muninn.messages('assistant', {anna}, 'talk') WHERE role = 'system'"
    ));
    assert_eq!(notice, ["Corrected: My train leaves at ten."]);
    assert_eq!(
        s.number(&format!("SELECT kept FROM muninn.turn_state('assistant', {anna}, {turn})")),
        1
    );
    // What is asked of the person is the person's to decide.
    let new = s.number("SELECT max(id) FROM muninn.memory WHERE content LIKE '%to work%'");
    let request =
        s.number(&format!("SELECT muninn.request_forget('assistant', {anna}, {turn}, {new})"));
    let decide = |person: i64| {
        format!("SELECT muninn.decide_request('assistant', {person}, {request}, true)")
    };
    assert_eq!(s.refusal(&decide(ben)).code, "42704");
    s.run(&decide(anna));
    assert_eq!(s.number(&format!("SELECT count(*) FROM muninn.memory WHERE id = {new}")), 0);
    for (act, code) in [
        (format!("propose_correction('assistant', {anna}, {turn}, {shared_one}, 'x')"), "42501"),
        (format!("request_forget('assistant', {anna}, {turn}, {shared_one})"), "42501"),
        (format!("propose_memory('assistant', {ben}, {turn}, 'x')"), "42704"),
    ] {
        assert_eq!(s.refusal(&format!("SELECT muninn.{act}")).code, code, "{act}");
    }
}

#[test]
fn a_message_goes_out_once_and_in_its_order() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for content in ["One", "Two"] {
        let [turn, _, lease] =
            say(&s, anna, content, ", lease_seconds => 60, address => '{\"chat\": 9}'");
        finish(&s, anna, &turn, &lease);
    }
    let claim = || {
        s.rows("SELECT d.delivery_id::text, d.lease::text, d.address ->> 'chat' FROM muninn.claim_deliveries('web', 10) d")
            .into_iter()
            .map(|row| row.into_iter().map(|v| v.expect("a value")).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let first = claim();
    assert_eq!(first.len(), 1, "one at a time in a conversation: {first:?}");
    assert_eq!(first[0][2], "9");
    assert!(claim().is_empty());
    let done = format!(
        "SELECT muninn.delivered('assistant', {anna}, {}, '{}', '9:78')",
        first[0][0], first[0][1]
    );
    s.run(&done);
    assert_eq!(s.refusal(&done).code, "40001", "once");
    let second = claim();
    assert_eq!(second.len(), 1);
    let status = s.one(&format!(
        "SELECT muninn.fail_delivery('assistant', {anna}, {}, '{}', 'the chat is gone', permanent => true)",
        second[0][0], second[0][1]
    ));
    assert_eq!(status, "dead");
    assert_eq!(
        s.one(&format!(
            "SELECT kind || ' ' || error FROM muninn.dead_letters('assistant', {anna})"
        )),
        "delivery the chat is gone"
    );
}

#[test]
fn a_cost_that_is_not_known_is_not_zero() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn_admin.set_price('a', 'm', 2, 10, cached => 1, since => '2020-01-01')");
    let [turn, _, lease] = say(&s, anna, "Hello", ", lease_seconds => 60");
    s.run(&format!(
        "SELECT muninn.finish_turn('assistant', {anna}, {turn}, '{lease}', 'x', calls => '[
           {{\"provider\": \"a\", \"model\": \"m\", \"input_tokens\": 1000, \"cached_tokens\": 500, \"output_tokens\": 100}},
           {{\"provider\": \"a\", \"model\": \"m\", \"error\": \"TimedOut\"}},
           {{\"provider\": \"b\", \"model\": \"m\", \"input_tokens\": 1000, \"output_tokens\": 100}}]')"
    ));
    let used = s.column(&format!(
        "SELECT concat_ws(' ', provider, calls, failed, coalesce(round(cost, 6)::text, 'unknown'), unknown_cost)
         FROM muninn.usage('assistant', {anna}) ORDER BY provider"
    ));
    assert_eq!(used, ["a 2 1 0.002500 1", "b 1 0 unknown 1"]);
}

#[test]
fn forgetting_leaves_nothing_of_a_conversation() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run(&format!("SELECT muninn.join_group('assistant', {anna}, 'kitchen')"));
    let marked = |s: &Session| {
        let tables = s.column(
            "SELECT c.oid::regclass FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'muninn'::regnamespace",
        );
        tables
            .into_iter()
            .filter(|t| {
                s.number(&format!("SELECT count(*) FROM {t} t WHERE t::text LIKE '%quokka%'")) > 0
            })
            .collect::<Vec<_>>()
    };
    let talk = |name: &str, more: &str| {
        let [turn, job, lease] = say(&s, anna, "My quokka is called Q.", more);
        s.run(&format!(
            "SELECT muninn.progress('assistant', {anna}, {turn}, '{lease}', 'A quokka');
             SELECT muninn.finish_turn('assistant', {anna}, {turn}, '{lease}', 'Your quokka!');
             SELECT muninn.propose_memory('assistant', {anna}, {turn}, 'Anna has the quokka {name}.')"
        ));
        let _ = job;
        let [dead, _, lease] = say(&s, anna, "And the other quokka?", more);
        s.run(&format!(
            "SELECT muninn.progress('assistant', {anna}, {dead}, '{lease}', 'The quokka')"
        ));
    };
    talk("A", ", lease_seconds => 60, address => '{\"to\": \"quokka\"}'");
    assert!(marked(&s).len() >= 5, "{:?}", marked(&s));
    s.run(&format!("SELECT muninn.forget_thread('assistant', {anna}, 'talk', 'forget')"));
    assert_eq!(marked(&s), Vec::<String>::new());
    talk("B", ", lease_seconds => 60, audience => 'group:kitchen'");
    talk("C", ", lease_seconds => 60");
    s.run(&format!("SELECT muninn.forget_person('assistant', {anna}, authored => 'forget')"));
    assert_eq!(marked(&s), Vec::<String>::new());
    talk("D", ", lease_seconds => 60");
    s.run(&format!("SELECT muninn.create_token('assistant', {anna}, 'quokka')"));
    s.run("SELECT muninn_admin.delete_bot('assistant', 'assistant')");
    assert_eq!(marked(&s), Vec::<String>::new());
}

#[test]
fn a_prompt_is_read_where_nothing_can_be_written() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.remember(anna, "My train leaves at nine.", "");
    for (at, content) in ["Hello", "When does my train leave?"].into_iter().enumerate() {
        let [turn, _, lease] = say(&s, anna, content, ", lease_seconds => 60");
        if at == 0 {
            finish(&s, anna, &turn, &lease);
            continue;
        }
        let context = |s: &Session| {
            s.run("SET default_transaction_read_only = on");
            let text = s.one(&format!("SELECT muninn.context('assistant', {anna}, {turn})"));
            s.run("SET default_transaction_read_only = off");
            serde_json::from_str::<serde_json::Value>(&text).expect("JSON")
        };
        let read = context(&s);
        assert_eq!(read["memories"][0]["content"], "My train leaves at nine.");
        assert_eq!(read["history"].as_array().map(Vec::len), Some(2));
        for part in ["db", "embed", "search"] {
            assert!(read["timings"][part].as_f64().is_some_and(|ms| ms >= 0.0), "{read}");
        }
        s.run("SELECT muninn.configure_bot('assistant', '{\"history\": 1, \"recalled\": 1}')");
        s.remember(anna, "My train is blue.", "");
        let less = context(&s);
        assert_eq!(less["history"].as_array().map(Vec::len), Some(1));
        assert_eq!(less["memories"].as_array().map(Vec::len), Some(1));
        // Whether anything is taken from a turn is a setting, too.
        s.run("SELECT muninn.configure_bot('assistant', '{\"extraction\": false}')");
        let jobs = s.number("SELECT count(*) FROM muninn.job WHERE kind = 'extract'");
        finish(&s, anna, &turn, &lease);
        assert_eq!(s.number("SELECT count(*) FROM muninn.job WHERE kind = 'extract'"), jobs);
    }
}
