//! Jobs and deliveries: leases, back-off, dead letters, order, and that claiming
//! does not read what it does not take.

use muninn_tests::{Begun, Database, Session, check_refused, finish, quote, shared};

fn claim(s: &Session, more: &str) -> Vec<Begun> {
    s.rows(&format!("SELECT turn_id, job_id, lease FROM muninn.claim_jobs({more})"))
        .into_iter()
        .map(|row| Begun {
            message: 0,
            turn: row[0].as_deref().unwrap().parse().unwrap(),
            job: row[1].as_deref().unwrap().parse().unwrap(),
            lease: quote(row[2].as_deref().unwrap()),
            fresh: false,
        })
        .collect()
}

fn fail(person: i64, begun: &Begun, more: &str) -> String {
    format!(
        "SELECT muninn.fail_job('assistant', {person}, {}, {}, 'overloaded'{more})",
        begun.job, begun.lease
    )
}

fn due_now(s: &Session) {
    s.run("UPDATE muninn.job SET due_at = clock_timestamp(); UPDATE muninn.delivery SET due_at = clock_timestamp()");
}

#[test]
fn what_fails_is_tried_again_later_and_at_last_given_up() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let turn = s.receive(anna, "Hello", "").turn;
    for attempt in 1..=5 {
        let job = claim(&s, "").remove(0);
        assert_eq!(s.one(&fail(anna, &job, "")), "waiting");
        let wait = s.real("SELECT extract(epoch FROM due_at - clock_timestamp()) FROM muninn.job");
        let usual = f64::from(1 << (attempt - 1));
        assert!(wait > usual * 0.5 - 0.3 && wait < usual * 1.5, "{attempt}: {wait}");
        assert!(claim(&s, "").is_empty(), "not before");
        due_now(&s);
    }
    let job = claim(&s, "").remove(0);
    assert_eq!(s.one(&fail(anna, &job, "")), "dead");
    assert!(claim(&s, "").is_empty());
    let state = format!(
        "SELECT status || ' ' || coalesce(error, '-') FROM muninn.turn_state('assistant', {anna}, {turn})"
    );
    assert_eq!(s.one(&state), "failed overloaded");
    let letters = |person: i64| {
        s.rows(&format!(
            "SELECT kind, id, said, error FROM muninn.dead_letters('assistant', {person})"
        ))
    };
    let letter = letters(anna).remove(0);
    assert_eq!(letter[0].as_deref(), Some("reply"));
    assert_eq!((letter[2].as_deref(), letter[3].as_deref()), (Some("Hello"), Some("overloaded")));
    assert!(letters(ben).is_empty());
    let id = letter[1].clone().unwrap();
    let act = |call: &str, person: i64, kind: &str, id: &str| {
        s.holds(&format!("SELECT muninn.{call}('assistant', {person}, {kind}, {id})"))
    };
    // Stopping does not throw a letter away.
    s.run(&format!("SELECT muninn.stop_turn('assistant', {anna}, {turn})"));
    for (person, kind, id) in [
        (ben, "'reply'", id.as_str()),
        (anna, "'extract'", &id),
        (anna, "'delivery'", &id),
        (anna, "NULL", &id),
        (anna, "'reply'", "NULL"),
        (anna, "'reply'", "-1"),
    ] {
        assert!(!act("retry_letter", person, kind, id) && !act("discard_letter", person, kind, id));
    }
    assert!(act("retry_letter", anna, "'reply'", &id));
    assert!(!act("retry_letter", anna, "'reply'", &id), "once");
    assert_eq!(s.one(&state), "waiting overloaded");
    let job = claim(&s, "").remove(0);
    assert_eq!(s.one(&fail(anna, &job, ", permanent => true")), "dead");
    assert!(act("discard_letter", anna, "'reply'", &job.job.to_string()));
    assert!(letters(anna).is_empty());
    assert_eq!(s.one(&state), "failed overloaded");
    // Answered anew all the same.
    s.run(&format!("SELECT muninn.answer_again('assistant', {anna}, {turn})"));
    let job = claim(&s, "").remove(0);
    assert_eq!(s.one(&fail(anna, &job, ", retry_after => 100000")), "waiting");
    let wait = s.real("SELECT extract(epoch FROM due_at - clock_timestamp()) FROM muninn.job");
    assert!((3500.0..=3600.0).contains(&wait), "{wait}");
    check_refused(&s.refusal(&fail(anna, &job, "")), "40001").unwrap();
}

#[test]
fn who_does_not_come_back_is_waited_for_and_then_given_up() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let begun = s.receive(anna, "Hello", "lease_seconds => 60");
    let expire = || {
        s.run("UPDATE muninn.job SET leased_until = clock_timestamp() - interval '1 second' WHERE status = 'leased'")
    };
    assert!(claim(&s, "").is_empty(), "leased");
    for attempt in 2..=6 {
        expire();
        // Found by who does another kind of work, and left to who does it.
        assert!(claim(&s, "'{extract}'").is_empty());
        assert_eq!(s.one("SELECT status FROM muninn.turn"), "waiting");
        let taken = claim(&s, "k => 100");
        assert_eq!((taken.len(), taken[0].job), (1, begun.job));
        assert_eq!(s.number("SELECT attempts FROM muninn.job"), attempt);
        assert_eq!(s.one("SELECT status FROM muninn.turn"), "running");
    }
    // What was said of an answer is what the last attempt said.
    let last = Begun { lease: quote(&s.one("SELECT lease FROM muninn.job")), ..begun.clone() };
    s.run(&format!(
        "SELECT muninn.progress('assistant', {anna}, {}, {}, 'It is')",
        last.turn, last.lease
    ));
    expire();
    assert!(claim(&s, "").is_empty());
    assert_eq!(
        s.one("SELECT status || ' ' || (error LIKE '%6 times') FROM muninn.turn"),
        "failed true"
    );
    assert_eq!(s.number("SELECT count(*) FROM muninn.turn_delta"), 0);
    assert_eq!(s.refusal(&finish(anna, &last, "x", "")).code, "40001");
}

#[test]
fn what_is_tried_again_comes_after_what_waits_in_its_conversation() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let dead = s.receive(anna, "One", "lease_seconds => 60");
    s.run(&fail(anna, &dead, ", permanent => true"));
    let under_way = s.receive(anna, "Two", "lease_seconds => 60");
    assert_ne!(under_way.lease, "NULL", "what was given up holds nothing up");
    assert!(
        s.holds(&format!("SELECT muninn.retry_letter('assistant', {anna}, 'reply', {})", dead.job))
    );
    assert!(claim(&s, "k => 10").is_empty(), "one at a time");
    s.run(&finish(anna, &under_way, "Second.", ""));
    let again = claim(&s, "'{reply}', 10");
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].turn, dead.turn);
    s.run(&finish(anna, &again[0], "First.", ""));
    // For a bot, by its operator, without what was said.
    let lost = s.receive(anna, "Secret", "lease_seconds => 60");
    s.run(&fail(anna, &lost, ", permanent => true"));
    let row = s.one("SELECT l::text FROM muninn_admin.dead_letters('assistant') l");
    assert!(row.contains("overloaded") && !row.contains("Secret"), "{row}");
    let status = || {
        let of = "name || ': ' || value || ' ' || state || coalesce(' ' || advice, '')";
        s.column(&format!("SELECT {of} FROM muninn.status() WHERE name IN ('jobs', 'deliveries')"))
    };
    assert_eq!(status()[1], "deliveries: 0 ok");
    assert!(status()[0].starts_with("jobs: 2 waiting, 1 given up warn"), "{:?}", status());
    assert_eq!(s.number("SELECT muninn_admin.retry_letters('assistant', 'extract')"), 0);
    assert_eq!(s.number("SELECT muninn_admin.retry_letters('assistant')"), 1);
    assert_eq!(status()[0], "jobs: 3 waiting ok");
    s.run("UPDATE muninn.job SET due_at = due_at - interval '1 hour'");
    assert!(status()[0].contains("muninn serve"), "{:?}", status());
    assert_eq!(claim(&s, "'{reply}'")[0].turn, lost.turn);
}

#[test]
fn arguments_of_claiming_are_bounded() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for n in 0..4 {
        s.receive(anna, "Hello", &format!("thread => 't{n}'"));
    }
    for seconds in ["NULL", "0", "-1", "3601", "2147483647"] {
        for call in ["claim_jobs(", "claim_deliveries('web', "] {
            let refusal = s.refusal(&format!("SELECT muninn.{call}lease_seconds => {seconds})"));
            check_refused(&refusal, "22023").unwrap();
        }
    }
    for none in
        ["'{}'", "'{NULL}'", "'{poem}'", "bots => '{}'", "bots => '{nobody}'", "bots => '{NULL}'"]
    {
        assert!(claim(&s, none).is_empty(), "{none}");
    }
    assert!(s.rows("SELECT * FROM muninn.claim_deliveries(NULL)").is_empty());
    assert_eq!(claim(&s, "k => -5").len(), 1);
    assert_eq!(claim(&s, "k => NULL, bots => '{assistant,nobody}'").len(), 1);
    assert_eq!(claim(&s, "k => 2147483647").len(), 2);
}

#[test]
fn messages_are_delivered_in_order_to_where_the_question_came_from() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let by = |chat: i64| format!("channel => 'telegram', address => '{{\"chat\": {chat}}}'");
    let begun = s.receive(anna, "One", &format!("{}, lease_seconds => 60", by(1)));
    // She goes on elsewhere meanwhile: the answer still goes where she asked.
    s.receive(anna, "Two", "channel => 'web'");
    s.run(&finish(anna, &begun, "First.", ""));
    let web = claim(&s, "'{reply}'").remove(0);
    s.run(&finish(anna, &web, "Second.", ""));
    s.turn(anna, "Three", "Third.", &by(3));
    s.turn(anna, "Elsewhere", "Other.", &format!("{}, thread => 'other'", by(4)));

    let deliveries = || {
        s.rows("SELECT content, address ->> 'chat', delivery_id, lease FROM muninn.claim_deliveries('telegram', 10)")
            .into_iter()
            .map(|row| row.into_iter().map(Option::unwrap).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert!(s.rows("SELECT * FROM muninn.claim_deliveries('slack', 10)").is_empty());
    let first = deliveries();
    assert_eq!(
        first.iter().map(|d| (&d[0][..], &d[1][..])).collect::<Vec<_>>(),
        [("First.", "1"), ("Other.", "4")]
    );
    assert!(deliveries().is_empty(), "one at a time in each conversation");
    let done = |d: &[String], lease: &str| {
        format!("SELECT muninn.delivered('assistant', {anna}, {}, {lease}, '9:{}')", d[2], d[2])
    };
    check_refused(&s.refusal(&done(&first[0], "NULL")), "40001").unwrap();
    s.run(&done(&first[0], &quote(&first[0][3])));
    check_refused(&s.refusal(&done(&first[0], &quote(&first[0][3]))), "40001").unwrap();
    let third = deliveries();
    assert_eq!((third.len(), &third[0][0][..]), (1, "Third."));
    let failed = |d: &[String], more: &str| {
        format!(
            "SELECT muninn.fail_delivery('assistant', {anna}, {}, {}, 'gone'{more})",
            d[2],
            quote(&d[3])
        )
    };
    assert_eq!(s.one(&failed(&third[0], "")), "waiting");
    check_refused(&s.refusal(&failed(&third[0], "")), "40001").unwrap();
    due_now(&s);
    let third = deliveries();
    assert_eq!(s.one(&failed(&third[0], ", permanent => true")), "dead");
    // What was given up holds nothing up; tried again, it comes after what waits.
    s.turn(anna, "Four", "Fourth.", &by(5));
    assert!(s.holds(&format!(
        "SELECT muninn.retry_letter('assistant', {anna}, 'delivery', {})",
        third[0][2]
    )));
    let fourth = deliveries();
    assert_eq!((fourth.len(), &fourth[0][0][..]), (1, "Fourth."));
    s.run(&done(&fourth[0], &quote(&fourth[0][3])));
    let third = deliveries();
    assert_eq!((third.len(), &third[0][0][..]), (1, "Third."));
    // Whoever delivers and does not come back.
    for _ in 0..9 {
        s.run("UPDATE muninn.delivery SET leased_until = clock_timestamp() - interval '1 second' WHERE status = 'leased'");
        deliveries();
    }
    s.run("UPDATE muninn.delivery SET leased_until = clock_timestamp() - interval '1 second' WHERE status = 'leased'");
    assert!(deliveries().is_empty());
    assert_eq!(
        s.number(&format!(
            "SELECT count(*) FROM muninn.dead_letters('assistant', {anna}) WHERE kind = 'delivery'"
        )),
        2
    );
    assert!(s.holds(&format!("SELECT bool_and(muninn.discard_letter('assistant', {anna}, 'delivery', id)) FROM muninn.dead_letters('assistant', {anna})")));
}

#[test]
fn claiming_and_receiving_read_little_of_what_is_there() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // 100,000 turns that are done, in 1,000 conversations; 10,000 jobs that wait, a
    // tenth of them behind others, and half of them extractions.
    s.run(&format!(
        "SELECT muninn.receive('assistant', {anna}, 'x', 'first');
         SELECT muninn.stop_turn('assistant', {anna}, max(id)) FROM muninn.turn;
         INSERT INTO muninn.thread (bot_id, audience_id, key, channel, title, next_position)
           SELECT bot_id, audience_id, 't' || n, 'web', 'x', 201 FROM muninn.thread, generate_series(1, 1000) n;
         INSERT INTO muninn.message (bot_id, thread_id, position, person_id, role, content, channel, external_id)
           SELECT t.bot_id, t.id, n, {anna}, 'user', 'x', 'web', t.id || ':' || n FROM muninn.thread t, generate_series(1, 100) n WHERE t.key <> 'first';
         INSERT INTO muninn.turn (bot_id, thread_id, person_id, message_id, status, finished_at)
           SELECT bot_id, thread_id, person_id, id, 'done', now() FROM muninn.message WHERE external_id IS NOT NULL;
         INSERT INTO muninn.delivery (bot_id, person_id, thread_id, message_id, channel, address, status)
           SELECT bot_id, {anna}, thread_id, id, 'web', '{{}}', 'delivered' FROM muninn.message WHERE external_id IS NOT NULL;
         INSERT INTO muninn.job (bot_id, kind, person_id, thread_id, turn_id, due_at)
           SELECT bot_id, CASE WHEN n <= 5 THEN 'extract' ELSE 'reply' END, person_id, thread_id, id, now() - n * interval '1 second'
           FROM (SELECT u.*, row_number() OVER (PARTITION BY thread_id ORDER BY id DESC) n FROM muninn.turn u WHERE status = 'done') u WHERE n <= 10"
    ));
    s.run("VACUUM ANALYZE");
    assert_eq!(s.number("SELECT count(*) FROM muninn.job WHERE status = 'waiting'"), 10_000);
    let tables = ["thread", "message", "turn", "job", "delivery", "turn_delta"];
    let known = s.one("SELECT min(external_id) FROM muninn.message WHERE channel = 'web'");
    // Of this session alone, as long as they are not sent to where all are counted.
    s.run("SELECT pg_stat_force_next_flush()");
    let scanned = || {
        tables
            .iter()
            .map(|table| {
                s.number(&format!("SELECT seq_scan FROM pg_stat_xact_all_tables WHERE relid = 'muninn.{table}'::regclass"))
            })
            .sum::<i64>()
    };
    assert_eq!(scanned(), 0);
    let mut slow = Vec::new();
    for (call, most) in [
        ("muninn.claim_jobs('{reply}', 1)".to_owned(), 400),
        ("muninn.claim_jobs('{extract}', 4)".to_owned(), 60),
        ("muninn.claim_jobs(k => 20)".to_owned(), 400),
        ("muninn.claim_deliveries('web', 10)".to_owned(), 60),
        (
            format!(
                "muninn.receive('assistant', {anna}, 'Hello', 't7', 'web', '7:new', lease_seconds => 60)"
            ),
            60,
        ),
        (format!("muninn.receive('assistant', {anna}, 'Hello', 't7', 'web', '{known}')"), 60),
    ] {
        // Plans for the arguments, then one for all.
        for _ in 0..7 {
            s.run("BEGIN");
            let began = std::time::Instant::now();
            s.run(&format!("SELECT * FROM {call}"));
            let took = began.elapsed().as_millis();
            if scanned() > 0 || took > most {
                slow.push(format!("{call}: {took} ms, {} scans", scanned()));
            }
            s.run("ROLLBACK");
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
