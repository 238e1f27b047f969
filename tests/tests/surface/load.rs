//! Much at once, where the planner knows nothing of it yet.

use muninn_tests::{Database, shared};

#[test]
fn a_load_into_what_was_empty_reads_each_row_a_few_times() {
    const ROWS: i64 = 1500;
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // Statistics that say: nothing is here.
    s.run("VACUUM ANALYZE");
    s.run("BEGIN");
    s.run(&format!(
        "SELECT count(muninn.remember('assistant', {anna}, 'Entry ' || n || ' of the log is ' || md5(n::text) || '.',
                embedding => ARRAY(SELECT sin(n * d)::real FROM generate_series(1, 384) d)))
         FROM generate_series(1, {ROWS}) n"
    ));
    // Whatever way it is read: by the keys of foreign rows, by what says the same.
    let rows = s.rows(
        "SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables
         WHERE schemaname = 'muninn' ORDER BY 2 DESC",
    );
    for row in rows {
        let (table, read) = (row[0].as_deref().unwrap(), row[1].as_deref().unwrap());
        let read: i64 = read.parse().unwrap();
        assert!(read <= 40 * ROWS, "{table}: {read} rows read for {ROWS} that were stored");
    }
    s.run("COMMIT");
}
