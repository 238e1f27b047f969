//! A restart, clean or not, changes no answer.

use muninn_tests::{Cluster, Database, Hit, Options, Session, Shutdown, fingerprint, sentence};

fn ask(s: &Session, anna: i64) -> Vec<Hit> {
    let mut all = Vec::new();
    for question in ["Who repaired the bicycle?", "number7", "violin by the lake"] {
        for fusion in ["convex", "rrf", "lexical", "vector"] {
            let more = format!("fusion => '{fusion}', k => 40, explain => true");
            all.extend(s.recall(anna, question, &more));
        }
    }
    assert!(all.len() > 30);
    all
}

#[test]
fn a_restart_keeps_everything_and_every_answer() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    for number in 0..40 {
        s.remember([anna, ben][number % 2], &sentence(number), "thread => 't'");
    }
    let (rows, answers) = (fingerprint(&s), ask(&s, anna));
    for how in [Shutdown::Fast, Shutdown::Immediate] {
        cluster.stop(how);
        cluster.launch();
        let s = db.session();
        assert_eq!(fingerprint(&s), rows);
        assert_eq!(ask(&s, anna), answers);
    }
    let s = db.session();
    let next = s.remember(anna, "Something new.", "");
    assert!(next > 40, "an id is never used twice");
    muninn_tests::check_invariants(&s);
}

#[test]
fn a_fast_shutdown_in_the_middle_of_embedding_is_fast() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // For the worker, and at the same time in a session.
    s.run("SET muninn.embed_on_write = off");
    let long = "The committee discussed the budget of the harbour. ".repeat(4_000);
    for number in 0..3 {
        s.remember(anna, &format!("{number} {long}"), "");
    }
    muninn_tests::eventually("the worker is at it", || {
        s.number("SELECT count(*) FROM muninn.embedding_backlog WHERE attempts > 0") > 0
    });
    let busy = db.session();
    let thread =
        std::thread::spawn(move || busy.try_rows(&format!("SELECT muninn.embed('{long}')")));
    std::thread::sleep(std::time::Duration::from_millis(300));
    let began = std::time::Instant::now();
    cluster.stop(Shutdown::Fast);
    let took = began.elapsed();
    assert!(thread.join().unwrap().is_err(), "the session was busy");
    assert!(took < std::time::Duration::from_secs(5), "took {took:?}");
    cluster.launch();
    let s = db.session();
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 3);
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding_backlog"), 3, "still owed");
    muninn_tests::check_invariants(&s);
}
