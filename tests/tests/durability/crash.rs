//! `kill -9` of a server process in the middle of writing: what was
//! acknowledged is there, whole, and nothing is half done.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use muninn_tests::{
    Cluster, Database, Options, Session, check_invariants, eventually, ids, sentence,
};

/// A stored memory: person, id, number of its sentence.
type Stored = (i64, i64, usize);

/// Remembers sentences until the connection is lost.
fn write_until_lost(
    s: &Session,
    person: i64,
    numbers: &AtomicUsize,
    stop: &AtomicBool,
    acknowledged: &Mutex<Vec<Stored>>,
) {
    while !stop.load(Ordering::Relaxed) {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        let sql = format!(
            "SELECT muninn.remember('assistant', {person}, '{}', thread => 't', key => 'n-{number}')",
            sentence(number)
        );
        match s.try_rows(&sql) {
            Ok(rows) => {
                let id = rows[0][0].as_ref().unwrap().parse().unwrap();
                acknowledged.lock().unwrap().push((person, id, number));
            }
            Err(error) if error.is_closed() => return,
            // The server says good-bye to the others before it recovers.
            Err(error) => {
                let code = error.code().map(|code| code.code().to_owned());
                assert!(
                    matches!(code.as_deref(), Some("57P01" | "57P02" | "57P03") | None),
                    "{error:?}"
                );
                return;
            }
        }
    }
}

#[test]
fn what_was_acknowledged_survives_a_killed_backend_and_nothing_is_half_done() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let people = s.people(["anna", "ben"]);
    let acknowledged = Mutex::new(Vec::new());
    let numbers = AtomicUsize::new(0);

    for round in 0..3 {
        let stop = AtomicBool::new(false);
        let sessions: Vec<Session> = (0..4).map(|_| db.session()).collect();
        let victim = sessions[round].pid();
        let before = acknowledged.lock().unwrap().len();
        std::thread::scope(|scope| {
            for (i, session) in sessions.iter().enumerate() {
                let (acknowledged, numbers, stop) = (&acknowledged, &numbers, &stop);
                scope.spawn(move || {
                    write_until_lost(session, people[i % 2], numbers, stop, acknowledged)
                });
            }
            eventually("some are stored", || acknowledged.lock().unwrap().len() > before + 30);
            assert!(
                Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap().success()
            );
            std::thread::sleep(Duration::from_millis(100));
            eventually("the others are sent away", || {
                let lost = sessions.iter().all(|s| s.try_rows("SELECT 1").is_err());
                stop.store(lost, Ordering::Relaxed);
                lost
            });
        });
        eventually("the server has recovered", || cluster.try_superuser(&db.name).is_some());
        let s = db.session();
        check_invariants(&s);
        assert_eq!(s.number("SELECT count(*) FROM muninn.embedding_backlog"), 0);
    }
    assert!(cluster.log().contains("was terminated by signal 9"), "the control");
    assert!(cluster.log().contains("automatic recovery in progress"), "the control");

    let s = db.session();
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() > 90);
    let stored = s.number("SELECT count(*) FROM muninn.memory");
    // A transaction may commit without its client hearing of it: one a session.
    let surplus = stored - acknowledged.len() as i64;
    assert!((0..=12).contains(&surplus), "{stored} stored, {} acknowledged", acknowledged.len());
    for &(person, id, number) in &acknowledged {
        let by_words = s.recall(person, &format!("number{number}"), "fusion => 'lexical', k => 1");
        assert_eq!(ids(&by_words), [id], "by words: {number}");
    }
    for &(person, id, number) in acknowledged.iter().step_by(7) {
        let by_meaning = s.recall(person, &sentence(number), "fusion => 'vector', k => 1");
        assert_eq!(ids(&by_meaning), [id], "by meaning: {number}");
    }
    let positions = s.number(
        "SELECT count(*) FROM (SELECT FROM muninn.memory GROUP BY thread_id, thread_position
         HAVING count(*) > 1) twice",
    );
    assert_eq!(positions, 0, "a place in a thread is given once");
}
