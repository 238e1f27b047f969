//! Gateways that are killed, a database that restarts, models that fail in every way:
//! every message has exactly one answer, or one visible dead letter.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use muninn_tests::{
    Cluster, Database, Dice, Gateway, ModelServer, Options, Reply, Shutdown, token,
};
use serde_json::json;

use crate::models::settings;

/// So many turns, kills and restarts; MUNINN_CHAOS=5000,50,10 for the long run.
fn size() -> [u64; 3] {
    let wanted = std::env::var("MUNINN_CHAOS").unwrap_or_else(|_| "150,4,1".into());
    let numbers: Vec<u64> = wanted.split(',').map(|n| n.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
fn every_message_has_one_answer_or_one_dead_letter() {
    let [turns, kills, restarts] = size();
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let [anna] = db.session().people(["anna"]);
    let asked = AtomicU64::new(0);
    let server = ModelServer::start(move |_| {
        // By number, so that a run can be told from another, but no order can be relied on.
        match Dice::new(asked.fetch_add(1, Ordering::SeqCst)).below(20) {
            0 => Reply::Stall,
            1 | 2 => Reply::Truncated,
            3 => Reply::Status(429, Some(1)),
            4 | 5 => Reply::Status(500, None),
            6 => Reply::Breaks,
            7 => Reply::Empty,
            8 => Reply::Garbage,
            9 => Reply::Slowly("One word after the other.".into(), 80),
            _ => Reply::Text("An answer.".into()),
        }
    });
    let settings = settings("openai", &server.url)
        + "[serve]\nlease_seconds = 3\nturns_at_once = 16\n[limits]\nperson_per_minute = 0\naddress_per_minute = 0\n";
    let first = Gateway::start(&db, &settings);
    let token = token(&db, anna, "chat");
    let gateways = std::sync::Mutex::new(vec![first, Gateway::launch(&db, &settings)]);
    let done = AtomicBool::new(false);
    let sent = AtomicU64::new(0);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (gateways, token, sent) = (&gateways, &token, &sent);
            scope.spawn(move || {
                for n in (worker..turns).step_by(4) {
                    // Until somebody has taken it; the key makes sure that it is said once.
                    loop {
                        let client = {
                            let running = gateways.lock().unwrap();
                            running[(n % running.len() as u64) as usize].with_token(token)
                        };
                        let body = json!({"content": format!("Message {n}"), "thread": format!("t{}", n % 25), "wait": false});
                        let request = client
                            .request(reqwest::Method::POST, "/v1/bots/assistant/turns")
                            .header("idempotency-key", format!("n{n}"))
                            .timeout(Duration::from_secs(15))
                            .json(&body);
                        if request.send().is_ok_and(|r| r.status().is_success()) {
                            break;
                        }
                        std::thread::sleep(Duration::from_millis(50));
                    }
                    sent.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        scope.spawn(|| {
            let mut dice = Dice::new(7);
            let mut killed = 0;
            let mut restarted = 0;
            while killed < kills || restarted < restarts {
                let part = sent.load(Ordering::SeqCst) * (kills + restarts) / turns.max(1);
                if killed + restarted > part && sent.load(Ordering::SeqCst) < turns {
                    std::thread::sleep(Duration::from_millis(20));
                    continue;
                }
                if restarted * kills < killed * restarts || killed >= kills {
                    cluster.stop(Shutdown::Immediate);
                    cluster.launch();
                    restarted += 1;
                } else {
                    let fresh = Gateway::launch(&db, &settings);
                    let old = {
                        let mut running = gateways.lock().unwrap();
                        let at = dice.below(running.len());
                        std::mem::replace(&mut running[at], fresh)
                    };
                    old.kill();
                    killed += 1;
                }
                std::thread::sleep(Duration::from_millis(200));
            }
            done.store(true, Ordering::SeqCst);
        });
    });
    assert!(done.load(Ordering::SeqCst));
    let s = db.session();
    let open = "SELECT count(*) FROM muninn.turn WHERE status IN ('waiting', 'running')";
    let until = Instant::now() + Duration::from_secs(120 + turns / 10);
    while s.number(open) > 0 {
        // What waits for its next attempt need not wait as long as people would.
        s.run("UPDATE muninn.job SET due_at = now() WHERE status = 'waiting'");
        assert!(Instant::now() < until, "{} turns are still open", s.number(open));
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(s.number("SELECT count(*) FROM muninn.message WHERE role = 'user'"), turns as i64);
    let wrong = s.column(
        "SELECT concat_ws(' ', g.content, u.status, count(r.id), count(j.id))
         FROM muninn.message g JOIN muninn.turn u ON u.bot_id = g.bot_id AND u.message_id = g.id
         LEFT JOIN muninn.message r ON r.bot_id = u.bot_id AND r.id = u.reply_id
         LEFT JOIN muninn.job j ON j.bot_id = u.bot_id AND j.turn_id = u.id AND j.kind = 'reply' AND j.status = 'dead'
         WHERE g.role = 'user' GROUP BY g.id, g.content, u.id, u.status
         HAVING count(r.id) + count(j.id) <> 1 OR (u.status = 'done') <> (count(r.id) = 1)",
    );
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(
        s.number("SELECT count(*) FROM muninn.message WHERE role = 'assistant'"),
        s.number("SELECT count(*) FROM muninn.turn WHERE status = 'done'"),
        "no answer twice"
    );
    let dead = s.number("SELECT count(*) FROM muninn.job WHERE kind = 'reply'");
    println!(
        "{turns} turns, {kills} kills, {restarts} restarts in {} s: {dead} dead letters, {} calls of models failed",
        began.elapsed().as_secs(),
        s.number("SELECT count(*) FROM muninn.model_call WHERE error IS NOT NULL"),
    );
}
