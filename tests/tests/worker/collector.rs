//! Recalls on their way from shared memory to what is learned from them.

use std::time::Instant;

use muninn_tests::{Cluster, Database, Options, Session, Shutdown, check_invariants, eventually};

const RECORDS: &str = "muninn.record_activations = on\n";

fn cluster() -> Cluster {
    Cluster::start(&Options { settings: RECORDS, ..Options::default() })
}

/// A bot with three memories of Anna; her id.
fn boats(s: &Session) -> i64 {
    let [anna] = s.people(["anna"]);
    for boat in ["ketch", "yawl", "sloop"] {
        s.remember(anna, &format!("The {boat} lies in the harbour."), "");
    }
    anna
}

fn recall(s: &Session, person: i64, times: usize) {
    s.run(&format!(
        "DO $$ BEGIN FOR n IN 1..{times} LOOP
           PERFORM FROM muninn.recall('assistant', {person}, 'harbour', fusion => 'lexical');
         END LOOP; END $$"
    ));
}

/// How many recalls have been learned from.
fn learned(s: &Session) -> i64 {
    s.number("SELECT coalesce(sum(recalls), 0) FROM muninn.recall_count")
}

/// Does now what is done each minute.
fn learn(s: &Session) {
    s.run("SELECT muninn_admin.run_worker('activation'), muninn_admin.run_worker('hebbian')");
}

fn collectors(s: &Session) -> i64 {
    s.number(
        "SELECT count(*) FROM pg_stat_activity
         WHERE backend_type = 'muninn collector' AND datname = current_database()",
    )
}

#[test]
fn every_recall_is_learned_from_once_however_fast_they_come() {
    let cluster = cluster();
    let db = Database::new(&cluster);
    let s = db.session();
    let anna = boats(&s);
    assert_eq!(collectors(&s), 0, "nobody collects where nothing is recalled");
    recall(&s, anna, 1);
    eventually("a collector comes", || collectors(&s) == 1);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| recall(&db.session(), anna, 2_000));
        }
    });
    println!("{:.0} recalls a second", 6_000.0 / began.elapsed().as_secs_f64());
    // The rest waits for its minute: somebody asks for it.
    eventually("all are learned from", || {
        learn(&s);
        learned(&s) >= 6_001
    });
    assert_eq!(s.rows("SELECT waiting, lost FROM muninn.activation_ring()"), s.rows("SELECT 0, 0"));
    assert_eq!(learned(&s), 6_001);
    assert_eq!(s.number("SELECT min(accesses) FROM muninn.activation_count"), 6_001);
    assert_eq!(s.number("SELECT max(together) FROM muninn.association"), 6_001);
    assert!(s.holds("SELECT bool_and(weight = 1) FROM muninn.association"));
    check_invariants(&s);
}

#[test]
fn what_was_not_stored_waits_and_a_collector_that_was_ended_comes_back() {
    let cluster = cluster();
    let db = Database::new(&cluster);
    let s = db.session();
    let anna = boats(&s);
    recall(&s, anna, 1);
    eventually("a collector comes", || collectors(&s) == 1);
    // Rolled back, nothing has left the ring; done again, it leaves once.
    recall(&s, anna, 4);
    s.run("BEGIN");
    let stored = s.number("SELECT muninn_admin.run_worker('activation')");
    s.run("ROLLBACK");
    let again = s.number("SELECT muninn_admin.run_worker('activation')");
    assert_eq!(stored, again);
    s.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE backend_type = 'muninn collector' AND datname = current_database()",
    );
    eventually("it is gone", || collectors(&s) == 0);
    recall(&s, anna, 150);
    eventually("another one comes", || collectors(&s) == 1);
    eventually("all are learned from", || {
        learn(&s);
        learned(&s) == 155
    });
    // What is being shut down does not wait for anybody.
    recall(&s, anna, 10);
    drop(s);
    let began = Instant::now();
    cluster.stop(Shutdown::Fast);
    assert!(began.elapsed().as_secs_f64() < 2.0, "{:?}", began.elapsed());
    cluster.launch();
    check_invariants(&db.session());
}

#[test]
fn what_a_standby_recalled_can_be_passed_on() {
    let cluster = cluster();
    let db = Database::new(&cluster);
    let s = db.session();
    let anna = boats(&s);
    let standby = cluster.standby();
    eventually("the standby takes sessions", || standby.try_superuser(&db.name).is_some());
    let there = standby.superuser(&db.name);
    let caught_up = s.one("SELECT pg_current_wal_lsn()");
    eventually("the standby has caught up", || {
        there.holds(&format!("SELECT pg_last_wal_replay_lsn() >= '{caught_up}'"))
    });
    there.run("SET muninn.record_activations = on");
    recall(&there, anna, 3);
    let noted = there.rows("SELECT memories, recalled_at FROM muninn.waiting_activations()");
    assert_eq!(noted.len(), 3);
    for recall in &noted {
        let [memories, at] = [0, 1].map(|column| recall[column].clone().unwrap());
        s.run(&format!(
            "SELECT muninn.record_activation('assistant', {anna}, '{memories}', '{at}')"
        ));
    }
    eventually("they are learned from", || {
        learn(&s);
        learned(&s) == 3
    });
    assert_eq!(s.number("SELECT count(*) FROM muninn.association"), 3);
}
