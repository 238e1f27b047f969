//! Tasks: when they run, what is kept of their runs, and that one that fails stops
//! no other.

use std::time::Duration;

use muninn_tests::{
    Cluster, Database, Options, Session, check_refused, eventually, quote, sentence, shared,
};

/// A column of a task's row in `muninn_admin.tasks()`.
fn of(s: &Session, task: &str, column: &str) -> String {
    s.one(&format!("SELECT {column} FROM muninn_admin.tasks() WHERE name = '{task}'"))
}

/// Leaves memories that wait for their embedding.
fn backlog(s: &Session, person: i64, from: usize, count: usize) {
    s.run("SET muninn.embed_on_write = off; BEGIN");
    for number in from..from + count {
        s.remember(person, &sentence(number), "");
    }
    s.run("COMMIT; RESET muninn.embed_on_write");
}

fn waiting(s: &Session) -> i64 {
    s.number("SELECT count(*) FROM muninn.embedding_backlog")
}

#[test]
fn each_run_is_kept_with_its_time_its_rows_and_who_ran_it() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    backlog(&s, anna, 0, 60);
    eventually("the worker's run is kept", || {
        waiting(&s) == 0
            && s.number(
                "SELECT coalesce(sum(rows), 0) FROM muninn_admin.task_runs('embedding')
                 WHERE ran_by = 'worker' AND error IS NULL AND finished_at > started_at",
            ) == 60
    });
    assert!(of(&s, "embedding", "rows").parse::<i64>().unwrap() > 0);
    assert_eq!(of(&s, "embedding", "duration > '0' AND duration < '1 minute' AND runs > 0"), "t");
    assert_eq!(of(&s, "embedding", "every IS NULL AND next_run_at IS NULL AND enabled"), "t");

    // A look that finds nothing writes nothing.
    eventually("the events are sealed", || {
        s.number("SELECT count(*) FROM muninn.audit_pending") == 0
    });
    let runs = "SELECT coalesce(sum(runs), 0) FROM muninn_admin.tasks() WHERE every IS NULL";
    std::thread::sleep(Duration::from_millis(1_500));
    let before = s.number(runs);
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(s.number(runs), before);

    // What runs by the clock is kept also where there was nothing to do.
    eventually("review has had its time", || of(&s, "review", "runs > 0") == "t");
    let exact = "next_run_at = last_started_at + every AND every = '1 minute' AND rows = 0";
    assert_eq!(of(&s, "review", exact), "t");
    s.run("SELECT muninn_admin.run_worker('review')");
    let newest = s.rows("SELECT ran_by, rows FROM muninn_admin.task_runs('review', 1)");
    assert_eq!(newest, [[Some("postgres".into()), Some("0".into())]]);

    check_refused(&s.refusal("SELECT muninn_admin.run_worker('knit')"), "22023").unwrap();
    let refusal = s.refusal("SELECT * FROM muninn_admin.task_runs('knit')");
    check_refused(&refusal, "22023").unwrap();
    let names = s
        .one("SELECT string_agg(name, ', ' ORDER BY name COLLATE \"C\") FROM muninn_admin.tasks()");
    assert_eq!(refusal.hint, format!("There are {names}."));
    assert!(names.contains("audit, ") && names.contains(", index, "), "{names}");
}

#[test]
fn the_records_of_runs_are_bounded() {
    let db = Database::new(shared());
    let s = db.session();
    s.run(
        "SELECT muninn_admin.schedule_task('expiry', enabled => false);
         INSERT INTO muninn.task_run (name, started_at, process, finished_at, rows, ran_by)
         SELECT 'expiry', now() - n * interval '1 minute', 1, now(), n, 'x' FROM generate_series(1, 300) n
         UNION ALL SELECT 'review', now() - interval '8 days', 1, now(), 1, 'x'",
    );
    s.run("SELECT muninn_admin.run_worker('expiry')");
    let kept = "SELECT count(*) || ' ' || max(rows) FROM muninn.task_run WHERE name = 'expiry'";
    assert_eq!(s.one(kept), "100 99");
    let old = "SELECT count(*) FROM muninn.task_run WHERE started_at < now() - interval '7 days'";
    assert_eq!(s.number(old), 0);
    // Codes that nobody has used go by the same task.
    let [anna] = s.people(["anna"]);
    s.run(&format!(
        "SELECT muninn.link_start('assistant', {anna});
         UPDATE muninn.link_code SET expires_at = now() - interval '1 second'"
    ));
    assert_eq!(s.number("SELECT muninn_admin.run_worker('expiry')"), 1);
    assert_eq!(s.number("SELECT count(*) FROM muninn.link_code"), 0);
}

#[test]
fn a_task_that_fails_is_put_off_and_stops_no_other() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // A candidate whose time is over, of which nothing can be kept.
    let late = |text: &str| {
        s.remember(anna, text, "status => 'candidate'");
        s.run("ALTER TABLE muninn.memory_belief ADD CONSTRAINT broken CHECK (false) NOT VALID");
        // A tenth of a second is its time.
        std::thread::sleep(Duration::from_millis(150));
    };
    s.run(
        "SELECT muninn.configure_bot('assistant', '{\"candidate_days\": 0.000001}');
         SELECT muninn_admin.schedule_task('review', '1 second')",
    );
    late("The kiln may be hot.");
    eventually("it has failed twice", || of(&s, "review", "failures >= 2") == "t");
    assert!(of(&s, "review", "error").contains("\"broken\""), "{}", of(&s, "review", "error"));
    let runs = s.rows(
        "SELECT rows, error IS NOT NULL FROM muninn_admin.task_runs('review')
         WHERE ran_by = 'worker' ORDER BY started_at DESC LIMIT 1",
    );
    assert_eq!(runs, [[None, Some("t".into())]]);
    backlog(&s, anna, 0, 30);
    eventually("the others go on", || {
        waiting(&s) == 0 && s.number("SELECT count(*) FROM muninn.audit_pending") == 0
    });
    let state = s.rows("SELECT value, state, advice FROM muninn.status() WHERE name = 'tasks'");
    let all = s.number("SELECT count(*) FROM muninn_admin.tasks()");
    assert_eq!(state[0][..2], [Some(format!("{all}, failing: review")), Some("warn".into())]);
    assert!(state[0][2].as_ref().unwrap().contains("muninn_admin.tasks()"));

    // Twice the time each time: of a task that should run each second.
    eventually("it is put off for longer", || {
        s.holds("SELECT retry_at > last_finished_at + interval '6 seconds' FROM muninn.task WHERE name = 'review'")
    });
    s.run("UPDATE muninn.task SET retry_at = now() + interval '50 minutes' WHERE name = 'review'");
    let failures = of(&s, "review", "failures");
    std::thread::sleep(Duration::from_millis(3_500));
    assert_eq!(of(&s, "review", "failures"), failures, "it was put off");
    // What was wrong is right now, and the configuration is read again.
    s.run("ALTER TABLE muninn.memory_belief DROP CONSTRAINT broken");
    s.run("SELECT pg_reload_conf()");
    eventually("it runs at once", || of(&s, "review", "error IS NULL") == "t");
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory WHERE status = 'rejected'"), 1);
    assert_eq!(s.one("SELECT state FROM muninn.status() WHERE name = 'tasks'"), "ok");

    // Called by hand, what fails is the caller's to know, and is not kept.
    s.run("SELECT muninn_admin.schedule_task('review', enabled => false)");
    std::thread::sleep(Duration::from_millis(1_500));
    late("The vault may be open.");
    let kept = "SELECT count(*) FROM muninn.task_run WHERE name = 'review' AND ran_by <> 'worker'";
    assert_eq!(s.refusal("SELECT muninn_admin.run_worker('review')").code, "23514");
    assert_eq!(s.number(kept), 0);
}

#[test]
fn an_operator_changes_schedules_and_the_worker_follows() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn_admin.schedule_task('embedding', enabled => false)");
    // A look that began before that may still be under way.
    std::thread::sleep(Duration::from_millis(1_500));
    backlog(&s, anna, 0, 20);
    std::thread::sleep(Duration::from_millis(3_000));
    assert_eq!(waiting(&s), 20, "a stopped task does not run");
    assert_eq!(
        s.one("SELECT value FROM muninn.status() WHERE name = 'tasks'"),
        format!("{}, stopped: embedding", s.number("SELECT count(*) FROM muninn_admin.tasks()"))
    );
    assert_eq!(s.number("SELECT muninn_admin.run_worker('embedding')"), 20, "but by hand");
    backlog(&s, anna, 20, 20);
    s.run("SELECT muninn_admin.schedule_task('embedding', '1 hour')");
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(waiting(&s), 20, "its time is in an hour");
    assert_eq!(of(&s, "embedding", "next_run_at = last_started_at + interval '1 hour'"), "t");
    s.run("SELECT muninn_admin.schedule_task('embedding', '1 second')");
    eventually("it runs", || waiting(&s) == 0);
    s.run("SELECT muninn_admin.schedule_task('embedding')");
    assert_eq!(of(&s, "embedding", "every"), "", "by default whenever there is something to do");

    // A clock that was set back puts nothing off for years.
    s.run(
        "SELECT muninn_admin.schedule_task('review', '1 second');
         UPDATE muninn.task SET last_started_at = now() + interval '5 years', retry_at = now() + interval '5 years'
         WHERE name = 'review'",
    );
    eventually("it runs all the same", || of(&s, "review", "last_started_at < now()") == "t");

    for (call, code) in [
        ("'knit'", "22023"),
        ("NULL", "22004"),
        ("'review', '0.5 seconds'", "22023"),
        ("'review', '-1 hour'", "22023"),
        ("'review', '2 years'", "22023"),
        ("'review', '1 hour', NULL", "22004"),
    ] {
        let refusal = s.refusal(&format!("SELECT muninn_admin.schedule_task({call})"));
        check_refused(&refusal, code).unwrap_or_else(|reason| panic!("{call}: {reason}"));
    }
    s.run("SELECT muninn_admin.run_worker('audit')");
    let events = s.column(
        "SELECT details ->> 'task' || ' ' || coalesce(details ->> 'every', '-') || ' ' || (details ->> 'enabled')
         FROM muninn.audit_event WHERE bot_id = 0 AND action = 'schedule_task' ORDER BY seq",
    );
    let expected = [
        "embedding - false",
        "embedding 01:00:00 true",
        "embedding 00:00:01 true",
        "embedding - true",
        "review 00:00:01 true",
    ];
    assert_eq!(events, expected);

    // It is the operator's alone.
    let role = format!("operator_{}", db.name);
    s.run(&format!(
        "CREATE ROLE {role} LOGIN IN ROLE muninn_operator; CREATE ROLE {role}_app LOGIN IN ROLE muninn_gateway"
    ));
    let schedule = "SELECT muninn_admin.schedule_task('review', '1 hour')";
    db.session_as(&role).run(schedule);
    assert_eq!(db.session_as(&format!("{role}_app")).refusal(schedule).code, "42501");
    let seen = format!(
        "SELECT ran_by FROM muninn_admin.task_runs('review') WHERE ran_by = {}",
        quote(&role)
    );
    db.session_as(&role).run("SELECT muninn_admin.run_worker('review')");
    assert_eq!(s.one(&seen), role);
    drop(db);
    let postgres = shared().superuser("postgres");
    eventually("the roles can go", || {
        postgres.try_rows(&format!("DROP ROLE {role}, {role}_app")).is_ok()
    });
}

#[test]
fn of_two_who_run_what_one_alone_can_one_does_it_and_nobody_waits() {
    let db = Database::new(shared());
    let (one, other) = (db.session(), db.session());
    let [anna] = one.people(["anna"]);
    one.run("BEGIN; SELECT muninn_admin.run_worker('expiry')");
    other.run("SET statement_timeout = '5s'");
    assert_eq!(other.number("SELECT muninn_admin.run_worker('expiry')"), 0);
    let told = other.notices();
    assert!(told.iter().any(|n| n.message.contains("somebody else is running")), "{told:?}");
    // The worker, too, passes it by, though it should run each second.
    other.run("SELECT muninn_admin.schedule_task('expiry', '1 second')");
    backlog(&other, anna, 0, 10);
    eventually("the worker does the rest", || waiting(&other) == 0);
    let by_others =
        "SELECT count(*) FROM muninn.task_run WHERE name = 'expiry' AND ran_by = 'worker'
                       AND started_at > (SELECT min(created_at) FROM muninn.memory)";
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(other.number(by_others), 0);
    one.run("COMMIT");
    eventually("and this when its turn comes", || other.number(by_others) > 0);
    // What two can do together, they do, also while the first has not committed.
    one.run("BEGIN; SELECT muninn_admin.run_worker('review')");
    assert_eq!(other.number("SELECT muninn_admin.run_worker('review')"), 0);
    assert!(other.notices().is_empty());
    one.run("COMMIT");
    // An older state of the database is no reason to fail.
    one.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");
    other.run("SELECT muninn_admin.run_worker('review')");
    one.run("SELECT muninn_admin.run_worker('review'); COMMIT");
}
