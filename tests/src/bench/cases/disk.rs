//! Bytes of a memory on disk, everything counted.

use crate::bench::report::{Bound, Report};
use crate::bench::world::World;

/// Adds up all tables and indexes of schema muninn, by the catalogue.
pub fn disk(report: &mut Report, world: &World<'_>) {
    let client = world.connect();
    client.run("VACUUM");
    let sizes = |schemas: &str| -> Vec<(String, i64)> {
        let rows = client.ask(
            &format!(
                "SELECT c.relname::text, CASE c.relkind WHEN 'i' THEN pg_relation_size(c.oid)
                                                     ELSE pg_table_size(c.oid) END
                 FROM pg_class c WHERE c.relnamespace = '{schemas}'::regnamespace
                   AND c.relkind IN ('r', 'm', 'i') ORDER BY 2 DESC, 1"
            ),
            &[],
        );
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    };
    let each = |bytes: i64| bytes as f64 / world.loaded.rows as f64;
    let total = |sizes: &[(String, i64)]| sizes.iter().map(|(_, bytes)| bytes).sum::<i64>();
    let (ours, plain) = (sizes("muninn"), sizes("bench"));
    report.target(
        "disk, a memory of 40 words",
        &format!("{:.0} bytes", each(total(&ours))),
        &format!("plain table with its indexes {:.0}", each(total(&plain))),
        "≤ 3,072 bytes",
        each(total(&ours)),
        &Bound::AtMost(3072.0),
    );
    let parts: Vec<String> = ours
        .iter()
        .filter(|(_, bytes)| *bytes > total(&ours) / 200)
        .map(|(name, bytes)| format!("{name} {:.0}", each(*bytes)))
        .collect();
    report.note(format!("bytes a memory, parts of more than .5 %: {}", parts.join(", ")));
}
