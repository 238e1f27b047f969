//! A server that preloads nothing: everything but the worker works, and its
//! tasks can be called.

use std::time::Duration;

use muninn_tests::{Cluster, Database, Options, check_invariants, eventually, ids, sentence};

#[test]
fn everything_works_where_nothing_is_preloaded() {
    let cluster = Cluster::start(&Options { preload: false, ..Options::default() });
    let db = Database::new(&cluster);
    let s = db.session();
    assert_eq!(s.one("SHOW shared_preload_libraries"), "");
    let [anna] = s.people(["anna"]);
    let at_once = s.remember(anna, "My daughter must not eat peanuts.", "");
    assert_eq!(
        ids(&s.recall(anna, "Which snacks are dangerous for my girl?", "k => 1")),
        [at_once]
    );
    s.run("SET muninn.embed_on_write = off; SET muninn.fresh_limit = 1000");
    for number in 0..40 {
        s.remember(anna, &sentence(number), "");
    }
    let status = |name: &str| {
        let rows = s.rows(&format!(
            "SELECT value, state, advice FROM muninn.status() WHERE name = '{name}'"
        ));
        rows[0].iter().map(|v| v.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    let worker = status("worker");
    assert_eq!(worker[..2], ["not running", "warn"]);
    assert!(
        worker[2].contains("shared_preload_libraries") && worker[2].contains("run_worker"),
        "{worker:?}"
    );
    assert!(status("embedding backlog")[0].starts_with("40"));

    assert_eq!(s.number("SELECT muninn_admin.run_worker('embedding')"), 40);
    assert_eq!(s.number("SELECT muninn_admin.run_worker('embedding')"), 0);
    assert_eq!(status("embedding backlog")[0], "0");
    // As if somebody else had held the audience when it should have been packed.
    s.run("INSERT INTO muninn.index_due SELECT DISTINCT bot_id, audience_id FROM muninn.memory");
    assert_eq!(status("index backlog")[0], "1");
    s.run("SET muninn.fresh_limit = 2");
    let packed = s.number("SELECT muninn_admin.run_worker('index')");
    assert!(packed >= 41, "{packed}");
    assert_eq!(s.number("SELECT muninn_admin.run_worker('index')"), 0);
    assert_eq!(status("index backlog")[0], "0");
    // One call for all that is due, as a line of pg_cron has it.
    assert!(worker[2].contains("pg_cron") && worker[2].contains("run_due_tasks()"), "{worker:?}");
    s.remember(anna, &sentence(50), "");
    s.run(
        "SELECT muninn.configure_bot('assistant', '{\"candidate_days\": 0.000001}');
           ALTER TABLE muninn.memory_belief ADD CONSTRAINT broken CHECK (false) NOT VALID",
    );
    s.remember(anna, "The kiln may be hot.", "status => 'candidate'");
    // Its time is a tenth of a second.
    std::thread::sleep(Duration::from_millis(150));
    let done = s.rows("SELECT task, rows, error IS NULL FROM muninn_admin.run_due_tasks()");
    let row = |task: &str, rows: Option<&str>, well: &str| {
        vec![Some(task.to_owned()), rows.map(str::to_owned), Some(well.to_owned())]
    };
    assert!(done.contains(&row("embedding", Some("2"), "t")), "{done:?}");
    assert!(done.contains(&row("review", None, "f")), "one that fails stops no other: {done:?}");
    let all = s.number("SELECT count(*) FROM muninn_admin.tasks()");
    assert_eq!(done.len() as i64, all, "{done:?}");
    s.run("ALTER TABLE muninn.memory_belief DROP CONSTRAINT broken");
    let kept =
        s.rows("SELECT rows, error IS NULL, ran_by FROM muninn_admin.task_runs('review', 1)");
    assert_eq!(kept, [[None, Some("f".into()), Some("postgres".into())]]);
    let due = s.column("SELECT task FROM muninn_admin.run_due_tasks()");
    assert_eq!(
        due,
        ["audit", "embedding", "index"],
        "the others have had their time, or are put off"
    );
    check_invariants(&s);
    let found = s.recall(anna, &sentence(33), "fusion => 'vector', k => 1");
    assert_eq!(found[0].content, sentence(33));
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {at_once}) IS NOT NULL")));
    check_invariants(&s);
}

#[test]
fn two_that_run_the_task_by_hand_share_the_work() {
    let cluster = Cluster::start(&Options { preload: false, ..Options::default() });
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off");
    for number in 0..60 {
        s.remember(anna, &sentence(number), "");
    }
    let done: Vec<i64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let db = &db;
                scope.spawn(move || {
                    db.session().number("SELECT muninn_admin.run_worker('embedding')")
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(done.iter().sum::<i64>(), 60, "{done:?}");
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding"), 60);
    check_invariants(&s);
}

#[test]
fn a_vector_follows_its_memory_that_moves_while_it_is_stored() {
    let cluster = Cluster::start(&Options { preload: false, ..Options::default() });
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off");
    let share = |memory: i64| format!("SELECT muninn.share('assistant', {anna}, {memory})");
    let embed = "SELECT muninn_admin.run_worker('embedding')";
    let store_first = s.remember(anna, &sentence(1), "");
    // Each session does its half; the second waits until the first commits.
    let both = |first: &str, second: &str| {
        s.run(&format!("BEGIN; {first}"));
        std::thread::scope(|scope| {
            let other = db.session();
            let pid = other.pid();
            scope.spawn(move || other.run(second));
            let waiting = format!(
                "SELECT count(*) FROM pg_stat_activity WHERE pid = {pid} AND wait_event_type = 'Lock'"
            );
            let look = db.session();
            let mut patience = 100;
            eventually("the second waits, or has nothing to wait for", || {
                patience -= 1;
                std::thread::sleep(Duration::from_millis(5));
                look.number(&waiting) == 1 || patience == 0
            });
            s.run("COMMIT");
        });
        check_invariants(&s);
    };
    both(embed, &share(store_first));
    let move_first = s.remember(anna, &sentence(2), "");
    both(&share(move_first), embed);
    // What was passed over while it moved is done the next time.
    s.number(embed);
    check_invariants(&s);
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding"), 2);
}
