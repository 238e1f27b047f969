//! Databases come and go while workers run; one does not disturb another.

use muninn_tests::{Cluster, Database, Options, Session, eventually, sentence, shared};

fn worker_runs(s: &Session) -> bool {
    s.holds("SELECT value = 'running' FROM muninn.status() WHERE name = 'worker'")
}

/// Pid and start of the worker of this database.
fn worker(s: &Session) -> Vec<String> {
    s.column(
        "SELECT pid || ' ' || backend_start FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'muninn worker'",
    )
}

#[test]
fn a_dropped_database_or_extension_does_not_disturb_another_databases_worker() {
    let cluster = Cluster::start(&Options::default());
    let stays = Database::new(&cluster);
    let s = stays.session();
    let [anna] = s.people(["anna"]);
    let dropped = Database::new(&cluster);
    let emptied = Database::new(&cluster);
    eventually("all three have their worker", || {
        [&stays, &dropped, &emptied].iter().all(|db| worker_runs(&db.session()))
    });
    let before = worker(&s);
    assert_eq!(before.len(), 1, "one worker a database");

    let backlog = |db: &Database<'_>, count: usize| {
        let s = db.session();
        let person = s.number("SELECT muninn.person('test', 'anna')");
        let _ = s.try_rows("SELECT muninn.create_bot('assistant')");
        s.run("SET muninn.embed_on_write = off; BEGIN");
        for number in 0..count {
            s.remember(person, &sentence(number), "");
        }
        s.run("COMMIT");
    };
    for db in [&dropped, &emptied, &stays] {
        backlog(db, 120);
    }
    let postgres = cluster.superuser("postgres");
    postgres.run(&format!("DROP DATABASE {} WITH (FORCE)", dropped.name));
    // It waits for what the worker is just doing, not for all of the backlog.
    let e = emptied.session();
    e.run(
        "SET statement_timeout = '20s'; SET muninn.allow_drop = on; DROP EXTENSION muninn CASCADE",
    );
    drop(e);
    eventually("the emptied database's worker ends", || worker(&emptied.session()).is_empty());

    eventually("the backlog of the other is done", || {
        s.number("SELECT count(*) FROM muninn.embedding_backlog") == 0
    });
    assert_eq!(worker(&s), before, "it is the same worker");
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding"), 120);
    assert_eq!(s.recall(anna, &sentence(7), "fusion => 'vector', k => 1")[0].content, sentence(7));
    let log = cluster.log();
    assert!(!log.contains("PANIC") && !log.contains("terminated by signal"), "{log}");

    // The extension again: a worker comes again.
    emptied
        .session()
        .run("DROP SCHEMA IF EXISTS muninn_admin CASCADE; CREATE EXTENSION muninn CASCADE");
    eventually("the worker comes back", || worker_runs(&emptied.session()));
}

#[test]
fn the_extension_can_be_dropped_and_made_again() {
    let db = Database::empty(shared());
    let s = db.session();
    s.run("CREATE EXTENSION muninn CASCADE");
    s.run("SET muninn.allow_drop = on; DROP EXTENSION muninn");
    // Postgres itself leaves the schema that it made for the extension, empty.
    let left = s.number(
        "SELECT (SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text LIKE 'muninn%')
              + (SELECT count(*) FROM pg_proc WHERE pronamespace::regnamespace::text LIKE 'muninn%')",
    );
    assert_eq!(left, 0);
    s.run("CREATE EXTENSION muninn");
    let [anna] = s.people(["anna"]);
    assert_eq!(s.remember(anna, "Again from the start.", ""), 1);
}
