//! Whether the vector arm finds what is there: 30 candidates, and the right ones.

use std::collections::HashSet;

use crate::bench::baseline::{Baseline, nearest};
use crate::bench::report::{Bound, Report, say};
use crate::bench::statistics::{Times, commas};
use crate::bench::world::{Asked, BOT, World};

const CANDIDATES: u64 = 30;
const OVERLAP: f64 = 0.98;
/// Below this a run fails: an index that is built by chance is better and worse
/// by a percent.
const LEAST_OVERLAP: f64 = 0.95;

/// Compares the arm with a scan of the whole table, in every scope of a database.
pub fn arm(report: &mut Report, world: &World<'_>, questions: u64) {
    let ours = world.connect();
    let recall = ours.prepare(&format!(
        "SELECT content FROM muninn.recall('{BOT}', $1, $2, k => 30, fusion => 'vector', embedding => $3, min_relevance => 0)"
    ));
    let nearest = nearest("p.content", "");
    let plain = |settings: &str| {
        let client = world.connect();
        client.run(settings);
        let statement = client.prepare(&nearest);
        (client, statement)
    };
    // Exact: every row is read and compared.
    let (exact, exact_nearest) = plain(
        "SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off",
    );
    let (floor, floor_nearest) = plain(Baseline::Floor.settings());
    for audience in world.layout.scopes() {
        let size = world.layout.audiences[audience].size;
        let wanted = CANDIDATES.min(size);
        let (mut found, mut same, mut same_floor, mut full, mut asked) = (0, 0, 0, 0, 0);
        let mut times = Times::default();
        for number in 0..questions.min(if size >= 100_000 { 40 } else { 100 }) {
            let Asked { person, audiences, text, vector } = world.question(audience, number);
            let contents = |rows: Vec<tokio_postgres::Row>| -> HashSet<String> {
                rows.into_iter().map(|row| row.get(0)).collect()
            };
            let truth = contents(exact.rows(&exact_nearest, &[&audiences, &vector]));
            assert_eq!(truth.len() as u64, wanted, "what the whole table has");
            let (time, rows) = ours.timed(&recall, &[&person, &text, &vector]);
            times.push(time);
            let ours = contents(rows);
            let other = contents(floor.rows(&floor_nearest, &[&audiences, &vector]));
            asked += wanted;
            found += ours.len() as u64;
            full += u64::from(ours.len() as u64 == wanted);
            same += ours.intersection(&truth).count() as u64;
            same_floor += other.intersection(&truth).count() as u64;
        }
        let share = |count: u64| count as f64 / asked as f64;
        let case = format!("vector arm, {} of {}", commas(size), commas(world.layout.rows()));
        say(&format!("{case}: {full} full of {}", times.count()));
        report.target(
            &case,
            &format!(
                "{:.1} of {wanted}, overlap {:.4}; {}",
                found as f64 / times.count() as f64,
                share(same),
                times.shown()
            ),
            &format!("pgvector's plan {:.4}", share(same_floor)),
            "all, overlap ≥ .98",
            if found == asked { share(same) } else { 0.0 },
            &Bound::AtLeast(OVERLAP),
        );
        report.check(found == asked, &format!("{case}: {found} of {asked} candidates"));
        report.check(share(same) >= LEAST_OVERLAP, &format!("{case}: overlap {:.4}", share(same)));
    }
}
