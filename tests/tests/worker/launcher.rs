//! The launcher: a worker makes room for who wants its database, waits for a slot,
//! and is not on a standby before that is promoted.

use std::time::{Duration, Instant};

use muninn_tests::{
    Cluster, Database, Options, Session, Shutdown, check_invariants, check_refused, eventually,
    fingerprint, sentence,
};

/// What `muninn.status()` says of the worker: value, state, advice.
fn worker(s: &Session) -> Vec<String> {
    let rows = s.rows("SELECT value, state, advice FROM muninn.status() WHERE name = 'worker'");
    rows[0].iter().map(|value| value.clone().unwrap_or_default()).collect()
}

fn runs(s: &Session) -> bool {
    worker(s)[0] == "running"
}

/// Leaves texts that take the worker long to embed, and waits until it is at it.
fn keep_busy(s: &Session, person: i64, of: &str) {
    s.run("SET muninn.embed_on_write = off");
    let long = "The committee discussed the budget of the harbour. ".repeat(4_000);
    for number in 0..3 {
        s.remember(person, &format!("{of} {number} {long}"), "");
    }
    eventually("the worker is at it", || {
        s.number("SELECT count(*) FROM muninn.embedding_backlog WHERE attempts > 0") > 0
    });
}

/// Waits until nobody but workers is in a database: a session ends some time after
/// its connection was closed.
fn alone(postgres: &Session, database: &str) {
    eventually("the sessions have ended", || {
        postgres.holds(&format!(
            "SELECT NOT EXISTS (SELECT FROM pg_stat_activity
             WHERE datname = '{database}' AND backend_type = 'client backend')"
        ))
    });
}

#[test]
fn who_wants_a_database_for_themselves_gets_it_from_a_busy_worker() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let postgres = cluster.superuser("postgres");
    let name = db.name.clone();
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let known = s.remember(anna, "The heron stands in the pond.", "");
    keep_busy(&s, anna, "first");
    drop(s);
    let busy = |database: &str| {
        let s = cluster.superuser(database);
        eventually("the worker is there again, and at it", || {
            runs(&s) && s.holds("SELECT EXISTS (SELECT FROM muninn.embedding_backlog)")
        });
        drop(s);
        alone(&postgres, database);
        // It needs a moment to begin.
        std::thread::sleep(Duration::from_millis(500));
        let there = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}' AND backend_type = 'muninn worker'"
        );
        assert_eq!(postgres.number(&there), 1, "the control: a worker is connected");
    };

    busy(&name);
    postgres.run(&format!("CREATE DATABASE copied TEMPLATE {name}"));
    busy(&name);
    postgres.run(&format!("ALTER DATABASE {name} RENAME TO renamed"));
    busy("renamed");
    postgres.run("DROP DATABASE copied");
    postgres.run("CREATE DATABASE copied TEMPLATE renamed");
    postgres.run(&format!("ALTER DATABASE renamed RENAME TO {name}"));

    // Each has a worker of its own, which does what it owes itself.
    for database in ["copied", &name] {
        let s = cluster.superuser(database);
        eventually("each has its worker", || runs(&s));
        let short = s.number(&format!(
            "SELECT muninn.remember('assistant', {anna}, 'The otter of {database} swims.')"
        ));
        s.run(&format!(
            "WITH gone AS (DELETE FROM muninn.embedding WHERE memory_id IN ({short}, {known}) RETURNING bot_id, memory_id, model_id),
                  sketch AS (DELETE FROM muninn.fresh_sketch WHERE memory_id IN ({short}, {known}))
             INSERT INTO muninn.embedding_backlog (bot_id, memory_id, model_id, bytes) SELECT *, 1 FROM gone"
        ));
        eventually("it embeds", || {
            s.number(&format!(
                "SELECT count(*) FROM muninn.embedding WHERE memory_id IN ({short}, {known})"
            )) == 2
        });
        check_invariants(&s);
        drop(s);
        alone(&postgres, database);
    }
    let began = Instant::now();
    postgres.run("DROP DATABASE copied");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let log = cluster.log();
    assert!(log.contains("makes room"), "{log}");
    drop(db);
    assert!(!log.contains("terminated by signal"), "{log}");
}

#[test]
fn a_worker_waits_for_a_slot_and_says_so() {
    // One is the launcher's, one that of logical replication: one is left.
    let cluster =
        Cluster::start(&Options { settings: "max_worker_processes = 3", ..Options::default() });
    let first = Database::new(&cluster);
    let f = first.session();
    eventually("the first has its worker", || runs(&f));
    let second = Database::new(&cluster);
    let s = second.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off");
    s.remember(anna, &sentence(1), "");
    eventually("the second waits", || worker(&s)[0] == "waiting for a slot");
    let state = worker(&s);
    assert_eq!(state[1], "warn");
    assert!(state[2].contains("max_worker_processes = 3"), "{state:?}");
    assert!(state[2].contains("run_due_tasks"), "{state:?}");
    assert!(runs(&f), "the first keeps its own");
    assert!(cluster.log().contains("no worker slot is free"), "{}", cluster.log());
    // Until then the tasks can be called.
    s.run("SELECT * FROM muninn_admin.run_due_tasks()");
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding_backlog"), 0);
    drop(f);
    drop(first);
    eventually("it has the slot that became free", || runs(&s));
    assert_eq!(worker(&s)[1..], ["ok", ""]);
    s.remember(anna, &sentence(2), "");
    eventually("and works", || s.number("SELECT count(*) FROM muninn.embedding_backlog") == 0);
    // A word each time it has to wait, not each time it looks.
    assert!(cluster.log().matches("no worker slot is free").count() < 10, "{}", cluster.log());
}

#[test]
fn a_standby_has_no_worker_until_it_is_promoted() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run(
        "SELECT muninn_admin.schedule_task('embedding', enabled => false);
           SELECT muninn_admin.schedule_task('review', '1 second')",
    );
    std::thread::sleep(Duration::from_millis(1_500));
    s.run("SET muninn.embed_on_write = off");
    for number in 0..5 {
        s.remember(anna, &sentence(number), "");
    }
    let standby = cluster.standby();
    eventually("the standby takes sessions", || standby.try_superuser(&db.name).is_some());
    let there = standby.superuser(&db.name);
    assert_eq!(worker(&there), ["not on a standby", "ok", ""]);
    assert!(there.number("SELECT count(*) FROM muninn_admin.tasks()") >= 5);
    for call in ["run_worker('review')", "run_due_tasks()", "schedule_task('review')"] {
        let refusal = there.refusal(&format!("SELECT muninn_admin.{call}"));
        assert_eq!(refusal.code, "25006", "{call}: {refusal:?}");
    }
    let processes = "SELECT count(*) FROM pg_stat_activity WHERE backend_type LIKE 'muninn%'";
    assert_eq!(there.number(processes), 0, "nothing that could write");
    // The primary's worker goes on; with it gone, nothing changes any more.
    cluster.stop(Shutdown::Fast);
    std::thread::sleep(Duration::from_millis(500));
    let tasks = "SELECT string_agg(t::text, '|' ORDER BY name) FROM muninn.task t";
    let (rows, before) = (fingerprint(&there), there.one(tasks));
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(fingerprint(&there), rows);
    assert_eq!(there.one(tasks), before);

    assert!(there.holds("SELECT pg_promote()"));
    eventually("the worker starts", || runs(&there));
    there.run("SELECT muninn_admin.schedule_task('embedding')");
    eventually("and does what is owed", || {
        there.number("SELECT count(*) FROM muninn.embedding_backlog") == 0
    });
    eventually("its runs are kept", || there.one(tasks) != before);
    check_invariants(&there);
    // As a server that does not answer is no refusal.
    let refusal = there.refusal("SELECT muninn_admin.run_worker('knit')");
    check_refused(&refusal, "22023").unwrap();
}

#[test]
fn a_fast_shutdown_with_busy_workers_takes_less_than_two_seconds() {
    let cluster = Cluster::start(&Options::default());
    let databases = [Database::new(&cluster), Database::new(&cluster), Database::new(&cluster)];
    let sessions: Vec<Session> = databases.iter().map(Database::session).collect();
    for (number, s) in sessions.iter().enumerate() {
        let [anna] = s.people(["anna"]);
        keep_busy(s, anna, &format!("of {number}"));
    }
    for round in 0..3 {
        let began = Instant::now();
        cluster.stop(Shutdown::Fast);
        let took = began.elapsed();
        assert!(took < Duration::from_secs(2), "round {round} took {took:?}");
        cluster.launch();
        if round < 2 {
            let s = databases[0].session();
            eventually("the worker is there again", || runs(&s));
            std::thread::sleep(Duration::from_millis(300 * (round + 1)));
        }
    }
    for db in &databases {
        let s = db.session();
        assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 3);
        check_invariants(&s);
    }
}
