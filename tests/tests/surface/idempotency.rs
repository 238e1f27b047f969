//! The same key twice is one memory, whoever comes first.

use std::sync::Barrier;

use muninn_tests::{Database, Refusal, Session, check_invariants, shared};

/// Runs one statement in each of some sessions, all at the same moment.
fn at_once(
    sessions: &[Session],
    sql: &(dyn Fn(usize) -> String + Sync),
) -> Vec<Result<String, Refusal>> {
    let barrier = Barrier::new(sessions.len());
    std::thread::scope(|scope| {
        let threads: Vec<_> = sessions
            .iter()
            .enumerate()
            .map(|(number, session)| {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    let rows = session.try_rows(&sql(number)).map_err(|e| Refusal::of(&e))?;
                    Ok(rows[0][0].clone().unwrap_or_default())
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn the_same_key_again_returns_the_first_id_and_stores_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let first = s.remember(anna, "The train leaves at six.", "key => 'm-1'");
    let before = muninn_tests::fingerprint(&s);
    assert_eq!(s.remember(anna, "The train leaves at six.", "key => 'm-1'"), first);
    assert_eq!(s.remember(anna, "Something else.", "key => 'm-1', tags => '{x}'"), first);
    assert_eq!(s.remember(anna, "Shared.", "key => 'm-1', audience => 'shared'"), first);
    assert_eq!(muninn_tests::fingerprint(&s), before);

    let others = s.remember(ben, "The train leaves at six.", "key => 'm-1'");
    assert_ne!(others, first, "keys belong to their person");
    s.run("SELECT muninn.create_bot('second')");
    let elsewhere =
        s.number(&format!("SELECT muninn.remember('second', {anna}, 'x', key => 'm-1')"));
    assert!(![first, others].contains(&elsewhere), "keys belong to their bot");
    assert_ne!(s.remember(anna, "Another key.", "key => 'm-2'"), first);
    assert_ne!(s.remember(anna, "Another case.", "key => 'M-1'"), first);
    check_invariants(&s);
}

#[test]
fn the_same_key_from_eight_sessions_at_once_is_one_memory() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let sessions: Vec<Session> = (0..8).map(|_| db.session()).collect();
    for round in 0..12 {
        let results = at_once(&sessions, &|number| {
            format!(
                "SELECT muninn.remember('assistant', {anna}, 'From session {number} in round {round}.', key => 'r-{round}')"
            )
        });
        let found = s.one(&format!("SELECT id FROM muninn.memory WHERE key = 'r-{round}'"));
        for result in &results {
            assert_eq!(result.as_ref().map_err(|r| format!("{r:?}")), Ok(&found), "{results:?}");
        }
    }
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 12);
    check_invariants(&s);
}

#[test]
fn under_repeatable_read_the_later_gets_the_id_or_is_told_to_repeat() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let later = db.session();
    later.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM muninn.memory");
    let first = s.remember(anna, "The train leaves at six.", "key => 'm-1'");
    let sql = format!("SELECT muninn.remember('assistant', {anna}, 'Later.', key => 'm-1')");
    match later.try_rows(&sql) {
        Ok(rows) => assert_eq!(rows[0][0], Some(first.to_string())),
        Err(error) => assert_eq!(Refusal::of(&error).code, "40001", "{error:?}"),
    }
    later.run("ROLLBACK");
    assert_eq!(later.number(&sql), first, "repeated, it gets the first id");
    check_invariants(&s);
}

#[test]
fn persons_bots_groups_and_threads_are_made_once() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let sessions: Vec<Session> = (0..8).map(|_| db.session()).collect();
    for round in 0..6 {
        let same = |results: Vec<Result<String, Refusal>>| {
            for result in &results {
                assert_eq!(result.as_ref().ok(), results[0].as_ref().ok(), "{results:?}");
                assert!(result.is_ok(), "{results:?}");
            }
        };
        same(at_once(&sessions, &|_| format!("SELECT muninn.person('slack', 'U{round}', 'T1')")));
        same(at_once(&sessions, &|_| {
            format!("SELECT muninn.join_group('assistant', {anna}, 'group {round}')")
        }));
        let made = at_once(&sessions, &|_| format!("SELECT muninn.create_bot('bot-{round}')"));
        assert_eq!(made.iter().filter(|result| result.is_ok()).count(), 1, "{made:?}");
        for refusal in made.iter().filter_map(|result| result.as_ref().err()) {
            assert_eq!(refusal.code, "42710", "{refusal:?}");
        }
        // The first personal audience of somebody, and a thread in it.
        let person = s.number(&format!("SELECT muninn.person('slack', 'U{round}', 'T1')"));
        let written = at_once(&sessions, &|number| {
            format!(
                "SELECT muninn.remember('assistant', {person}, 'Turn {number}.', thread => 't')"
            )
        });
        assert!(written.iter().all(Result::is_ok), "{written:?}");
        let positions = s.column(&format!(
            "SELECT thread_position FROM muninn.memories('assistant', {person}) ORDER BY 1"
        ));
        assert_eq!(positions, ["1", "2", "3", "4", "5", "6", "7", "8"]);
    }
    assert_eq!(
        s.number(
            "SELECT count(*) FROM muninn.person p WHERE NOT EXISTS
        (SELECT FROM muninn.identity i WHERE i.person_id = p.id)"
        ),
        0,
        "nobody without identity"
    );
    check_invariants(&s);
}
