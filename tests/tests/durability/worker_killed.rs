//! `kill -9` of the worker in the middle of a backlog: it comes back and
//! finishes, each text once.

use std::process::Command;

use muninn_tests::{Cluster, Database, Options, check_invariants, eventually, sentence};

#[test]
fn a_killed_worker_comes_back_and_finishes_the_backlog() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off; BEGIN");
    for number in 0..300 {
        s.remember(anna, &sentence(number), "");
    }
    s.run("COMMIT");
    eventually("the worker is in the middle of it", || {
        (20..200).contains(&s.number("SELECT count(*) FROM muninn.embedding"))
    });
    let worker = s.column(&format!(
        "SELECT pid FROM pg_stat_activity WHERE datname = '{}' AND backend_type = 'muninn worker'",
        db.name
    ));
    assert_eq!(worker.len(), 1, "{:?}", s.column("SELECT backend_type FROM pg_stat_activity"));
    assert!(Command::new("kill").args(["-9", &worker[0]]).status().unwrap().success());
    eventually("the server has recovered", || {
        s.try_rows("SELECT 1").is_err() && cluster.try_superuser(&db.name).is_some()
    });

    let s = db.session();
    let left = s.number("SELECT count(*) FROM muninn.embedding_backlog");
    assert!(left > 0, "the control: it was killed in the middle");
    check_invariants(&s);
    let found = s.recall(anna, "number123", "");
    assert_eq!(found[0].content, sentence(123), "by words in the meantime");
    // What the killed one had taken is leased for a minute.
    eventually("another worker does what nobody had begun", || {
        s.holds("SELECT count(*) <= 16 AND min(attempts) > 0 FROM muninn.embedding_backlog")
    });
    s.run("UPDATE muninn.embedding_backlog SET next_attempt_at = now()");
    eventually("another worker finishes", || {
        s.number("SELECT count(*) FROM muninn.embedding_backlog") == 0
    });
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding"), 300, "each once");
    check_invariants(&s);
    for number in (0..300).step_by(37) {
        let hits = s.recall(anna, &sentence(number), "fusion => 'vector', k => 1");
        assert_eq!(hits[0].content, sentence(number));
    }
}
