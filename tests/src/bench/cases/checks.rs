//! What must hold on every machine: indexes are used, the pages that a recall
//! touches grow with the scope and not with the table, nothing foreign is found.

use std::collections::HashSet;

use serde_json::Value;

use crate::bench::client::Client;
use crate::bench::load::audience_name;
use crate::bench::report::Report;
use crate::bench::statistics::commas;
use crate::bench::world::{Asked, BOT, World};

const QUESTIONS: u64 = 20;
/// Pages that a recall may touch whatever its scope: catalogues, and the upper
/// pages of indexes for each word.
const PAGES: u64 = 400;
/// Pages that each memory of the scope may add: two for its vector (index and
/// row), and as many for its words.
const PAGES_OF_A_MEMORY: u64 = 4;

/// Number of pages that recalls of this audience touch, in the mean.
fn pages(world: &World<'_>, audience: usize) -> u64 {
    let client = world.connect();
    let explain = client.prepare(&format!(
        "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)
         SELECT * FROM muninn.recall('{BOT}', $1, $2, embedding => $3, min_relevance => 0)"
    ));
    let mut sum = 0;
    for number in 0..QUESTIONS * 2 {
        let Asked { person, text, vector, .. } = world.question(audience, number);
        let rows = client.rows(&explain, &[&person, &text, &vector]);
        let plan: Value = rows[0].get(0);
        let count = |name: &str| plan[0]["Plan"][name].as_u64().unwrap();
        // The first half fills the session's caches.
        if number >= QUESTIONS {
            sum += count("Shared Hit Blocks") + count("Shared Read Blocks");
        }
    }
    sum / QUESTIONS
}

/// Tables of more than half a megabyte that this transaction has read from end to end.
fn scanned(client: &Client) -> Vec<String> {
    let rows = client.ask(
        "SELECT relname::text FROM pg_stat_xact_user_tables
         WHERE schemaname IN ('muninn', 'muninn_admin') AND seq_scan > 0
           AND pg_relation_size(relid) > 524288 ORDER BY 1",
        &[],
    );
    rows.iter().map(|row| row.get(0)).collect()
}

/// Index use, scope and counts in one database.
pub fn sound(report: &mut Report, world: &World<'_>) {
    let client = world.connect();
    let recall = client.prepare(&format!(
        "SELECT content FROM muninn.recall('{BOT}', $1, $2, embedding => $3, min_relevance => 0)"
    ));
    for audience in world.layout.scopes() {
        let size = world.layout.audiences[audience].size;
        let case = format!("{} of {}", commas(size), commas(world.layout.rows()));
        let own: HashSet<String> =
            if size <= 1_000 { world.texts(audience).collect() } else { HashSet::new() };
        for number in 0..QUESTIONS {
            let Asked { person, text, vector, .. } = world.question(audience, number);
            client.run("BEGIN");
            let rows = client.rows(&recall, &[&person, &text, &vector]);
            let tables = scanned(&client);
            client.run("COMMIT");
            report.check(
                tables.is_empty(),
                &format!("{case}: recall reads {tables:?} from end to end"),
            );
            report.check(
                rows.len() as u64 == size.min(10),
                &format!("{case}: {} memories instead of {}", rows.len(), size.min(10)),
            );
            let foreign = rows.iter().filter(|row| !own.contains(row.get::<_, &str>(0))).count();
            report
                .check(own.is_empty() || foreign == 0, &format!("{case}: {foreign} foreign ones"));
        }
    }
    let Asked { person, text, vector, .. } = world.question(0, 0);
    let kind = audience_name(&world.layout, 0);
    let remember = client.prepare(&format!(
        "SELECT muninn.remember('{BOT}', $1, $2, audience => $3, embedding => $4)"
    ));
    client.run("BEGIN");
    client.rows(&remember, &[&person, &text, &kind, &vector]);
    let tables = scanned(&client);
    client.run("ROLLBACK");
    let name = world.layout.name;
    report.check(tables.is_empty(), &format!("{name}: remember reads {tables:?} from end to end"));
    // A scan is seen, where there is a table that is large enough.
    if world.loaded.rows >= 5_000 {
        client.run("BEGIN; SELECT count(content) FROM muninn.memory");
        let tables = scanned(&client);
        client.run("ROLLBACK");
        report.check(!tables.is_empty(), &format!("{name}: a scan of all memories is not noticed"));
    }
    let stored = client.number("SELECT count(*) FROM muninn.memory");
    report.check(
        stored as u64 == world.loaded.rows,
        &format!("{name}: {stored} memories, {} were loaded", world.loaded.rows),
    );
}

/// The pages of one scope alone, in a table with some others, and with many.
pub fn growth(report: &mut Report, size: u64, worlds: &[&World<'_>]) {
    let counts: Vec<u64> = worlds
        .iter()
        .map(|world| pages(world, world.layout.find(size).expect("the scope is there")))
        .collect();
    let shown: Vec<String> = worlds
        .iter()
        .zip(&counts)
        .map(|(world, pages)| format!("{pages} of {} rows", commas(world.layout.rows())))
        .collect();
    let bound = PAGES + PAGES_OF_A_MEMORY * size;
    report.figure(
        &format!("pages that a recall touches, {} in scope", commas(size)),
        &shown.join(", "),
        "",
    );
    for (pages, shown) in counts.iter().zip(&shown) {
        report.check(*pages <= bound, &format!("{size} in scope: {shown}, more than {bound}"));
    }
    // From some others to many, a level of an index may be added here and there.
    if let [.., some, many] = counts[..]
        && counts.len() > 2
    {
        let limit = some + some / 4 + 40;
        report.check(
            many <= limit,
            &format!("{size} in scope: {many} pages, {some} among fewer rows"),
        );
    }
}
