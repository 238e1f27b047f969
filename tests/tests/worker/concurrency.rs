//! Eight sessions that remember, recall, list and forget at random: no
//! deadlock, no leak, and everything adds up.

use std::time::Duration;

use muninn_tests::{
    Database, Deadline, Dice, Session, check_invariants, eventually, sentence, shared,
};

/// One session's doings; returns how many there were.
fn act(s: &Session, people: [i64; 3], seed: u64, time: Duration) -> usize {
    let mut dice = Dice::new(seed);
    let deadline = Deadline::after(time);
    let mut own: Vec<(usize, i64)> = Vec::new();
    let mut done = 0;
    while !deadline.passed() {
        let who = dice.below(3);
        let person = people[who];
        match dice.below(10) {
            0..4 => {
                let number = dice.below(500);
                // Said once: what was forgotten is not learned again.
                let text =
                    format!("Private matter of person{who}x, {seed} {done}: {}", sentence(number));
                let more = match dice.below(4) {
                    0 => "thread => 'talk'".to_owned(),
                    1 => format!("key => 'k-{number}', tags => '{{t}}'"),
                    _ => String::new(),
                };
                own.push((who, s.remember(person, &text, &more)));
            }
            4..7 => {
                let fusion = ["convex", "rrf", "lexical", "vector"][dice.below(4)];
                let more = format!("fusion => '{fusion}', k => 20");
                let question = format!("private matter {}", sentence(dice.below(500)));
                for hit in s.recall(person, &question, &more) {
                    assert!(hit.content.contains(&format!("person{who}x")), "a leak: {hit:?}");
                }
            }
            7 => {
                let listed = s
                    .column(&format!("SELECT content FROM muninn.memories('assistant', {person})"));
                assert!(
                    listed.iter().all(|text| text.contains(&format!("person{who}x"))),
                    "a leak"
                );
            }
            8 => s.run(&format!("SET muninn.embed_on_write = {}", ["on", "off"][dice.below(2)])),
            _ => {
                // Also what another session has just forgotten under the same key.
                if !own.is_empty() {
                    let (who, id) = own.swap_remove(dice.below(own.len()));
                    s.run(&format!("SELECT muninn.forget('assistant', {}, {id})", people[who]));
                }
            }
        }
        done += 1;
    }
    done
}

#[test]
fn eight_sessions_at_random_do_not_get_in_each_others_way() {
    let db = Database::new(shared());
    let s = db.session();
    let people = s.people(["anna", "ben", "chiara"]);
    let done: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|seed| {
                let db = &db;
                scope.spawn(move || act(&db.session(), people, seed + 1, Duration::from_secs(6)))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a session failed, see above")).sum()
    });
    assert!(done > 200, "{done} steps");
    check_invariants(&s);
    eventually("the backlog is done", || {
        s.number("SELECT count(*) FROM muninn.embedding_backlog") == 0
    });
    check_invariants(&s);
    let deadlocks =
        s.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    assert_eq!(deadlocks, 0);
}
