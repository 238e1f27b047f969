//! Memories stored a second, each in a transaction of its own.

use crate::bench::layout::LATER;
use crate::bench::load::audience_name;
use crate::bench::report::{Bound, Report};
use crate::bench::statistics::{Times, commas};
use crate::bench::texts::{Author, Source};
use crate::bench::world::{BOT, World};

/// Remembers through one connection with the vector passed in; beside it the
/// plain table with the same rows, and a row in a table without an index: what a
/// commit costs on this disk. Half of the rows wait for the disk at each commit,
/// the others, whose rate is the figure, do not: a disk is none of our work.
pub fn writes(
    report: &mut Report,
    author: &Author,
    (world, audience): (&World<'_>, usize),
    rows: u64,
    least: f64,
) {
    let client = world.connect();
    let kind = audience_name(&world.layout, audience);
    let person = world.people[audience];
    let remember = client.prepare(&format!(
        "SELECT muninn.remember('{BOT}', $1, $2, audience => $3, embedding => $4)"
    ));
    let insert = client.prepare(
        "INSERT INTO bench.plain (audience, content, embedding) VALUES ($1, $2, $3::real[]::halfvec)",
    );
    client.run("CREATE TABLE bench.alone (number bigint)");
    let alone = client.prepare("INSERT INTO bench.alone VALUES ($1)");
    let store = |wait: &str, numbers: std::ops::Range<u64>| {
        client.run(&format!("SET synchronous_commit = {wait}"));
        let mut times = [Times::default(), Times::default(), Times::default()];
        for number in numbers {
            let text = author.document(LATER + number);
            let place = audience as i64;
            let [ours, plain, commits] = &mut times;
            ours.push(client.timed(&remember, &[&person, &text.text, &kind, &text.vector]).0);
            plain.push(client.timed(&insert, &[&place, &text.text, &text.vector]).0);
            commits.push(client.timed(&alone, &[&place]).0);
        }
        times
    };
    // The first calls of a session plan their statements.
    store("off", 0..20);
    let waiting = store("on", 20..20 + rows / 2);
    let [ours, plain, _] = store("off", 20 + rows / 2..20 + rows);
    let rate = |times: &Times| times.count() as f64 / times.total().as_secs_f64();
    let per_second = |times: &Times| commas(rate(times) as u64);
    let case = format!("remember, one connection, {} rows", commas(world.loaded.rows));
    report.target(
        &case,
        &format!("{} a second, {}", per_second(&ours), ours.shown()),
        &format!("plain INSERT {}", per_second(&plain)),
        &format!("≥ {least} a second"),
        rate(&ours),
        &Bound::AtLeast(least),
    );
    let [ours, plain, commits] = waiting;
    report.figure(
        &format!("{case}, each commit flushed"),
        &format!("{} a second, {}", per_second(&ours), ours.shown()),
        &format!("plain INSERT {}, a commit alone {}", per_second(&plain), per_second(&commits)),
    );
}
