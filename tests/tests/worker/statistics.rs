//! The sizes of audiences: rows are folded, sums stay right, writers go on.

use std::sync::atomic::{AtomicBool, Ordering};

use muninn_tests::{Database, check_invariants, sentence, shared};

#[test]
fn folding_keeps_the_sums_while_others_write() {
    let db = Database::new(shared());
    let s = db.session();
    let people = s.people(["anna", "ben", "chiara"]);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|i| {
                let db = &db;
                scope.spawn(move || {
                    let session = db.session();
                    session.run("SET muninn.embed_on_write = off");
                    for number in 0..120 {
                        let id = session.remember(people[i], &sentence(number), "");
                        if number % 3 == 0 {
                            let sql =
                                format!("SELECT muninn.forget('assistant', {}, {id})", people[i]);
                            assert!(session.holds(&sql));
                        }
                    }
                })
            })
            .collect();
        let (db, done) = (&db, &done);
        scope.spawn(move || {
            let session = db.session();
            while !done.load(Ordering::Relaxed) {
                session.number("SELECT muninn_admin.run_worker('statistics')");
                check_invariants(&session);
            }
        });
        let results: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        done.store(true, Ordering::Relaxed);
        assert!(results.iter().all(Result::is_ok));
    });
    check_invariants(&s);
    for person in people {
        assert_eq!(
            s.number(&format!(
                "SELECT count(*) FROM muninn.memories('assistant', {person}, k => 1000)"
            )),
            80
        );
    }
    s.number("SELECT muninn_admin.run_worker('statistics')");
    let most = s.number("SELECT max(n) FROM (SELECT count(*) n FROM muninn.audience_size GROUP BY bot_id, audience_id) x");
    assert!(most <= 8, "{most} rows for an audience");
    check_invariants(&s);
}

#[test]
fn sizes_stay_few_where_no_worker_runs() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off");
    // In one transaction, whose rows no worker sees.
    s.run("BEGIN");
    for number in 0..400 {
        s.remember(anna, &sentence(number), "");
    }
    let rows = s.number("SELECT count(*) FROM muninn.audience_size");
    assert!(rows < 150, "{rows} rows for 400 memories");
    check_invariants(&s);
    s.run("ROLLBACK");
    check_invariants(&s);
}
