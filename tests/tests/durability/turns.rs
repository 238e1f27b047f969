//! Turns under load: servers that crash, gateways that die, and everybody at once.

use std::collections::HashMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use muninn_tests::{
    Begun, Cluster, Database, Dice, Options, Refusal, Session, check_invariants, eventually,
    finish, quote,
};

/// What must hold of turns at any moment.
fn check_turns(s: &Session) {
    let broken: Vec<String> = s
        .rows(
            "SELECT what, n::text FROM (
               SELECT 'open turn without its job, or with two' AS what, count(*) AS n FROM muninn.turn u
                 WHERE u.status IN ('waiting', 'running') AND (SELECT count(*) FROM muninn.job j
                   WHERE (j.bot_id, j.turn_id) = (u.bot_id, u.id) AND j.kind = 'reply' AND j.status <> 'dead') <> 1
               UNION ALL SELECT 'ended turn with a job to answer it', count(*) FROM muninn.turn u JOIN muninn.job j
                 ON (j.bot_id, j.turn_id) = (u.bot_id, u.id) AND j.kind = 'reply'
                 WHERE u.status IN ('done', 'stopped') OR (u.status = 'failed' AND j.status <> 'dead')
               UNION ALL SELECT 'running turn without a lease', count(*) FROM muninn.turn u WHERE u.status = 'running'
                 AND NOT EXISTS (SELECT FROM muninn.job j WHERE (j.bot_id, j.turn_id) = (u.bot_id, u.id) AND j.status = 'leased')
               UNION ALL SELECT 'answer of two turns', count(*) FROM muninn.message g WHERE g.role = 'assistant'
                 AND (SELECT count(*) FROM muninn.turn u WHERE (u.bot_id, u.reply_id) = (g.bot_id, g.id)) > 1
               UNION ALL SELECT 'piece of an answer that has ended', count(*) FROM muninn.turn_delta d
                 JOIN muninn.turn u ON (u.bot_id, u.id) = (d.bot_id, d.turn_id) WHERE u.status NOT IN ('waiting', 'running')
               UNION ALL SELECT 'two answers under way in a conversation', count(*) FROM (
                 SELECT FROM muninn.job WHERE kind = 'reply' AND status = 'leased' GROUP BY bot_id, thread_id HAVING count(*) > 1) twice) b
             WHERE n > 0",
        )
        .into_iter()
        .map(|row| format!("{row:?}"))
        .collect();
    assert!(broken.is_empty(), "{broken:?}");
}

/// A gateway: claims what there is and answers it, until it is told to stop or loses
/// its connection.
fn serve(s: &Session, seed: u64, stop: &AtomicBool, wrong: &Mutex<Vec<String>>) {
    let mut dice = Dice::new(seed);
    let note = |what: &str, refusal: &Refusal| {
        if !matches!(refusal.code.as_str(), "08006" | "57P01" | "57P02" | "57P03" | "40001") {
            wrong.lock().unwrap().push(format!("{what}: {refusal:?}"));
        }
    };
    while !stop.load(Ordering::Relaxed) {
        let rows = match s.try_rows("SELECT kind, person, job_id, turn_id, lease FROM muninn.claim_jobs(k => 3, lease_seconds => 1)") {
            Ok(rows) => rows,
            Err(error) => return note("claim", &Refusal::of(&error)),
        };
        if rows.is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        for row in rows {
            let cell = |n: usize| row[n].clone().unwrap();
            let (person, job, lease) = (cell(1), cell(2), quote(&cell(4)));
            let call = match (cell(0).as_str(), dice.below(10)) {
                // Its worker dies, as far as anybody can tell.
                (_, 0) => continue,
                (_, 1) => format!("SELECT muninn.fail_job('assistant', {person}, {job}, {lease}, 'x', permanent => true)"),
                ("reply", n) => format!(
                    "SELECT muninn.progress('assistant', {person}, {turn}, {lease}, 'piece', 1);
                     SELECT pg_sleep({wait});
                     SELECT muninn.finish_turn('assistant', {person}, {turn}, {lease}, 'An answer.')",
                    turn = cell(3),
                    wait = if n == 2 { 1.2 } else { 0.0 },
                ),
                _ => format!(
                    "SELECT muninn.apply_extraction('assistant', {person}, {job}, {lease},
                       '{{\"statements\": [{{\"content\": \"Said in turn {}.\"}}]}}')",
                    cell(3)
                ),
            };
            if let Err(error) = s.try_rows(&call) {
                let refusal = Refusal::of(&error);
                note(&call, &refusal);
                if refusal.code != "40001" {
                    return;
                }
            }
        }
    }
}

#[test]
fn with_many_at_work_and_some_that_die_each_message_has_one_answer_or_one_letter() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let people = s.people(["anna", "ben", "chiara"]);
    let (stop, wrong) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let killed = AtomicUsize::new(0);
    let pids = Mutex::new(HashMap::new());
    let sent = 120;
    std::thread::scope(|scope| {
        for n in 0..6_u64 {
            let (stop, wrong, pids, db) = (&stop, &wrong, &pids, &db);
            scope.spawn(move || {
                let mut seed = n;
                while !stop.load(Ordering::Relaxed) {
                    let session = db.session();
                    pids.lock().unwrap().insert(n, session.pid());
                    seed += 100;
                    serve(&session, seed, stop, wrong);
                }
            });
        }
        scope.spawn(|| {
            let mut dice = Dice::new(7);
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(std::time::Duration::from_millis(120));
                let victim = pids.lock().unwrap().get(&(dice.below(6) as u64)).copied();
                if let Some(pid) = victim {
                    s.run(&format!("SELECT pg_terminate_backend({pid}::integer)"));
                    killed.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let sender = db.session();
        let mut dice = Dice::new(3);
        for n in 0..sent {
            let person = people[dice.below(3)];
            let more = format!(
                "thread => 't{}', channel => 'web', external_id => 'e{n}', address => '{{}}'",
                dice.below(4)
            );
            sender.receive(person, &format!("Message {n}"), &more);
            if n % 10 == 0 {
                check_turns(&sender);
            }
        }
        eventually("nothing waits", || {
            check_turns(&sender);
            sender.number("SELECT count(*) FROM muninn.job WHERE status <> 'dead'") == 0
        });
        stop.store(true, Ordering::Relaxed);
    });
    assert!(wrong.lock().unwrap().is_empty(), "{:#?}", wrong.lock().unwrap());
    assert!(killed.load(Ordering::Relaxed) > 3, "the control");
    let s = db.session();
    check_invariants(&s);
    assert_eq!(s.number("SELECT count(*) FROM muninn.message WHERE role = 'user'"), sent);
    let once = "SELECT count(*) FROM muninn.message g WHERE g.role = 'user' AND 1 = (
        SELECT count(*) FROM muninn.turn u WHERE u.message_id = g.id AND u.status = 'done')
        + (SELECT count(*) FROM muninn.turn u JOIN muninn.job j ON j.turn_id = u.id
           WHERE u.message_id = g.id AND u.status = 'failed' AND j.kind = 'reply' AND j.status = 'dead')";
    assert_eq!(s.number(once), sent);
    assert!(s.number("SELECT count(*) FROM muninn.turn WHERE status = 'done'") > 40);
    let silent = "SELECT count(*) FROM muninn.turn WHERE (status = 'done') = (reply_id IS NULL)";
    assert_eq!(s.number(silent), 0);
    // In each conversation in the order in which it was asked, but for what took longer
    // than its lease and was done again.
    let learned = s.number("SELECT count(*) FROM muninn.memory");
    let distinct = s.number("SELECT count(DISTINCT content) FROM muninn.memory");
    assert_eq!(learned, distinct, "nothing was learned twice");
    let kept = s.number("SELECT count(*) FROM muninn.turn WHERE kept = 1");
    assert_eq!(kept, learned);
    let replies = s.number("SELECT count(*) FROM muninn.message WHERE role = 'assistant'");
    assert_eq!(s.number("SELECT count(*) FROM muninn.delivery"), replies);
}

#[test]
fn a_crash_between_steps_loses_nothing_and_doubles_nothing() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let crash = |session: &Session| {
        let (pid, other) = (session.pid(), db.session());
        assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
        // The server says good-bye to the others before it recovers.
        eventually("the sessions are lost", || {
            session.try_rows("SELECT 1").is_err() && other.try_rows("SELECT 1").is_err()
        });
        eventually("the server has recovered", || {
            cluster.try_superuser(&db.name).is_some_and(|s| s.try_rows("SELECT 1").is_ok())
        });
    };
    let more = "channel => 'web', external_id => 'e1', address => '{}', lease_seconds => 60";
    // Received, and not committed: as if it had never come.
    s.run("BEGIN");
    s.receive(anna, "Hello", more);
    crash(&s);
    let s = db.session();
    let begun = s.receive(anna, "Hello", more);
    assert!(begun.fresh);
    s.run(&format!(
        "SELECT muninn.progress('assistant', {anna}, {}, {}, 'It')",
        begun.turn, begun.lease
    ));
    // While it is stored: not at all. Who is still there stores it with the lease.
    s.run(&format!("BEGIN; {}", finish(anna, &begun, "It is nine.", "")));
    crash(&s);
    let s = db.session();
    check_turns(&s);
    assert!(!s.receive(anna, "Hello", more).fresh);
    assert_eq!(
        s.one(&format!(
            "SELECT content FROM muninn.turn_state('assistant', {anna}, {})",
            begun.turn
        )),
        "It"
    );
    s.run(&finish(anna, &begun, "It is nine.", ""));
    crash(&s);
    let s = db.session();
    assert_eq!(s.refusal(&finish(anna, &begun, "It is nine.", "")).code, "40001", "once");
    let row = s.rows("SELECT job_id, lease FROM muninn.claim_jobs()").remove(0);
    let apply = format!(
        "SELECT muninn.apply_extraction('assistant', {anna}, {}, '{}', '{{\"statements\": [{{\"content\": \"It is nine.\"}}]}}')",
        row[0].clone().unwrap(),
        row[1].clone().unwrap()
    );
    s.run(&format!("BEGIN; {apply}"));
    crash(&s);
    let s = db.session();
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 0);
    s.run(&apply);
    let row = s.rows("SELECT delivery_id, lease FROM muninn.claim_deliveries('web')").remove(0);
    crash(&s);
    let s = db.session();
    s.run(&format!(
        "SELECT muninn.delivered('assistant', {anna}, {}, '{}')",
        row[0].clone().unwrap(),
        row[1].clone().unwrap()
    ));
    check_turns(&s);
    check_invariants(&s);
    assert_eq!(
        s.column("SELECT role FROM muninn.messages('assistant', 1, 'main')"),
        ["user", "assistant"]
    );
    assert_eq!(s.number("SELECT count(*) FROM muninn.job"), 0);
}

/// Runs each statement in a session of its own, at the same time; returns how each ended.
fn at_once(sessions: &[Session], statements: &[String]) -> Vec<String> {
    std::thread::scope(|scope| {
        let all: Vec<_> = sessions
            .iter()
            .zip(statements)
            .map(|(session, sql)| {
                scope.spawn(move || match session.try_rows(sql) {
                    Ok(_) => "ok".to_owned(),
                    Err(error) => {
                        let refusal = Refusal::of(&error);
                        format!("{} {}", refusal.code, refusal.message)
                    }
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

#[test]
fn what_is_done_to_one_conversation_at_once_is_done_one_after_the_other() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [ben] = s.people(["ben"]);
    let sessions: Vec<Session> = (0..8).map(|_| db.session()).collect();
    // Who waits crosswise is found soon, and counts as wrong here.
    for session in &sessions {
        session.run("SET deadlock_timeout = '20ms'");
    }
    let mut unexpected = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for round in 0..60 {
        let bot = format!("bot-{round}");
        let anna = s.number(&format!("SELECT muninn.person('test', 'anna-{round}')"));
        s.run(&format!("SELECT muninn.create_bot('{bot}')"));
        for person in [anna, ben] {
            s.run(&format!("SELECT muninn.join_group('{bot}', {person}, 'k')"));
        }
        let place = if round % 2 == 0 { "audience => 'group:k'" } else { "audience => 'personal'" };
        let receive = |text: &str, more: &str| {
            let row = s
                .rows(&format!("SELECT message_id, turn_id, job_id, lease FROM muninn.receive('{bot}', {anna}, '{text}', {place}{more})"))
                .remove(0);
            let id = |n: usize| row[n].as_deref().unwrap().parse().unwrap();
            Begun {
                message: id(0),
                turn: id(1),
                job: id(2),
                lease: row[3].as_deref().map_or_else(|| "NULL".into(), quote),
                fresh: true,
            }
        };
        let memory =
            s.number(&format!("SELECT muninn.remember('{bot}', {anna}, 'The oven is hot.')"));
        let first = receive("One", ", lease_seconds => 60");
        s.run(&format!(
            "SELECT muninn.finish_turn('{bot}', {anna}, {}, {}, 'First.')",
            first.turn, first.lease
        ));
        let extraction = s
            .rows(&format!(
                "SELECT job_id, lease FROM muninn.claim_jobs('{{extract}}', bots => '{{{bot}}}')"
            ))
            .remove(0);
        let second = receive("Two", ", lease_seconds => 60");
        let finished = format!(
            "SELECT muninn.finish_turn('{bot}', {anna}, {}, {}, 'Second.', memories => '[{{\"id\": {memory}}}]', calls => '[{{\"provider\": \"p\", \"model\": \"m\"}}]')",
            second.turn, second.lease
        );
        let applied = format!(
            "SELECT muninn.apply_extraction('{bot}', {anna}, {}, '{}', '{{\"statements\": [{{\"content\": \"The oven is hot.\"}}, {{\"content\": \"A new one.\"}}], \"forget\": [{memory}]}}')",
            extraction[0].clone().unwrap(),
            extraction[1].clone().unwrap()
        );
        let all = [
            finished,
            applied,
            format!("SELECT muninn.stop_turn('{bot}', {anna}, {})", second.turn),
            format!("SELECT muninn.edit_message('{bot}', {anna}, {}, 'x')", first.turn),
            format!("SELECT muninn.answer_again('{bot}', {anna}, {})", first.turn),
            format!("SELECT muninn.receive('{bot}', {anna}, 'Three', {place})"),
            format!("SELECT muninn.forget_message('{bot}', {anna}, {}, 'forget')", second.message),
            format!("SELECT muninn.forget_message('{bot}', {anna}, {}, 'forget')", first.message),
            format!("SELECT muninn.forget_thread('{bot}', {anna}, 'main', 'forget')"),
            format!("SELECT muninn.forget_person('{bot}', {anna}, 'forget')"),
            format!(
                "SELECT muninn.progress('{bot}', {anna}, {}, {}, 'piece')",
                second.turn, second.lease
            ),
            format!(
                "SELECT muninn.fail_job('{bot}', {anna}, {}, {}, 'x', permanent => true, calls => '[{{\"provider\": \"p\", \"model\": \"m\"}}]')",
                second.job, second.lease
            ),
            format!("SELECT muninn.request_forget('{bot}', {anna}, {}, {memory})", first.turn),
            format!("SELECT muninn.propose_memory('{bot}', {anna}, {}, 'Proposed.')", first.turn),
            format!("SELECT muninn.forget('{bot}', {anna}, {memory})"),
            format!("SELECT muninn.correct('{bot}', {anna}, {memory}, 'The oven is cold.')"),
            format!("SELECT muninn.share('{bot}', {anna}, {memory}, 'group:k')"),
            format!(
                "SELECT muninn.decide_request('{bot}', {anna}, max(request_id), true) FROM muninn.requests('{bot}', {anna})"
            ),
            format!(
                "SELECT muninn.retry_letter('{bot}', {anna}, kind, id) FROM muninn.dead_letters('{bot}', {anna})"
            ),
            format!("SELECT muninn.claim_jobs(k => 9, bots => '{{{bot}}}')"),
            format!("SELECT muninn_admin.delete_bot('{bot}', '{bot}')"),
            format!("SELECT muninn_admin.delete_person({anna}, 'forget')"),
            format!(
                "SELECT muninn.remember('{bot}', {anna}, 'Remembered.', thread => 'main', {place})"
            ),
        ];
        let mut dice = Dice::new(round);
        let drawn: Vec<String> = (0..8)
            .map(|n| match n {
                0 => all[dice.below(2)].clone(),
                1 => all[6 + dice.below(4)].clone(),
                _ => all[dice.below(all.len())].clone(),
            })
            .collect();
        for (sql, end) in drawn.iter().zip(at_once(&sessions, &drawn)) {
            let verb =
                sql.trim_start_matches("SELECT muninn").split('(').next().unwrap_or_default();
            *seen.entry(end.split(' ').next().unwrap_or_default().to_owned()).or_default() += 1;
            if !matches!(end.split(' ').next(), Some("ok" | "40001" | "42704" | "55000" | "42501"))
            {
                unexpected.push(format!(
                    "{verb}: {end}, beside {:?}",
                    drawn
                        .iter()
                        .map(|d| d.chars().take(60).collect::<String>())
                        .collect::<Vec<_>>()
                ));
            }
        }
        check_turns(&s);
        check_invariants(&s);
    }
    assert!(seen["ok"] > 100, "the control: {seen:?}");
    assert!(unexpected.is_empty(), "{seen:?} {unexpected:#?}");
}
