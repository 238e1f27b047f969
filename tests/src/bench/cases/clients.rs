//! Several clients at once.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::bench::report::{Bound, Report};
use crate::bench::statistics::short;
use crate::bench::world::{Asked, BOT, World};

const CLIENTS: usize = 8;

/// Recalls a second of eight clients, against those of one; the two take turns.
pub fn clients(report: &mut Report, world: &World<'_>, audience: usize, time: Duration) {
    let questions: Vec<Asked> = (0..200).map(|n| world.question(audience, n)).collect();
    throughput(world, &questions, 1, time / 4);
    let (mut one, mut many) = (0.0, 0.0);
    for _ in 0..3 {
        one += throughput(world, &questions, 1, time) / 3.0;
        many += throughput(world, &questions, CLIENTS, time) / 3.0;
    }
    report.target(
        "8 clients at once",
        &format!("{} recalls a second", short(many)),
        &format!("one client {}", short(one)),
        "≥ 1.7 × one client's (2 cores)",
        many / one,
        &Bound::AtLeast(1.7),
    );
}

fn throughput(world: &World<'_>, questions: &[Asked], clients: usize, time: Duration) -> f64 {
    let start = Barrier::new(clients);
    let rates: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|number| {
                let start = &start;
                scope.spawn(move || {
                    let client = world.connect();
                    let recall = client.prepare(&format!(
                        "SELECT memory_id, content, score
                         FROM muninn.recall('{BOT}', $1, $2, embedding => $3, min_relevance => 0)"
                    ));
                    let ask = |place: usize| {
                        let Asked { person, text, vector, .. } =
                            &questions[place % questions.len()];
                        client.rows(&recall, &[person, text, vector]);
                    };
                    // The first call of a session loads and plans.
                    ask(number);
                    start.wait();
                    let (began, mut done) = (Instant::now(), 0);
                    while began.elapsed() < time {
                        done += 1;
                        ask(number * 31 + done);
                    }
                    done as f64 / began.elapsed().as_secs_f64()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    rates.iter().sum()
}
