//! What must hold in a database at any moment.

use std::collections::BTreeMap;

use crate::session::{Refusal, Session};

/// What is wrong, counted: each name is what would be broken.
const BROKEN: &str = "
    SELECT 'posting of no memory' AS what, count(*) FROM muninn.posting p
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id, m.audience_id) = (p.bot_id, p.memory_id, p.audience_id)
      WHERE m.id IS NULL
    UNION ALL SELECT 'embedding of no memory', count(*) FROM muninn.embedding e
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id, m.audience_id) = (e.bot_id, e.memory_id, e.audience_id)
      WHERE m.id IS NULL
    UNION ALL SELECT 'backlog of no memory', count(*) FROM muninn.embedding_backlog b
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id) = (b.bot_id, b.memory_id) WHERE m.id IS NULL
    UNION ALL SELECT 'activation of no memory', count(*) FROM muninn.activation_count c
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id) = (c.bot_id, c.memory_id) WHERE m.id IS NULL
    UNION ALL SELECT 'memory without postings', count(*) FROM muninn.memory m
      WHERE NOT EXISTS (SELECT FROM muninn.posting p WHERE (p.bot_id, p.memory_id) = (m.bot_id, m.id))
    UNION ALL SELECT 'memory neither embedded nor waiting, or both', count(*) FROM muninn.memory m
      WHERE EXISTS (SELECT FROM muninn.embedding e WHERE (e.bot_id, e.memory_id) = (m.bot_id, m.id))
          = EXISTS (SELECT FROM muninn.embedding_backlog b WHERE (b.bot_id, b.memory_id) = (m.bot_id, m.id))
    UNION ALL SELECT 'memory with two lengths', count(*) FROM (
      SELECT FROM muninn.posting p GROUP BY p.bot_id, p.memory_id HAVING min(p.length) <> max(p.length)) x
    UNION ALL SELECT 'audience of the wrong size', count(*) FROM muninn.audience a
      CROSS JOIN LATERAL (SELECT coalesce(sum(s.memories), 0) AS memories, coalesce(sum(s.terms), 0) AS terms
        FROM muninn.audience_size s WHERE (s.bot_id, s.audience_id) = (a.bot_id, a.id)) said
      CROSS JOIN LATERAL (SELECT count(*) AS memories, coalesce(sum((
          SELECT p.length FROM muninn.posting p WHERE (p.bot_id, p.memory_id) = (m.bot_id, m.id) LIMIT 1)), 0) AS terms
        FROM muninn.memory m WHERE (m.bot_id, m.audience_id) = (a.bot_id, a.id)) held
      WHERE said.memories <> held.memories OR said.terms <> held.terms";

/// Checks that nothing is half done. Every memory is taken to have words.
#[track_caller]
pub fn check_invariants(session: &Session) {
    let broken: Vec<String> = session
        .rows(&format!("SELECT what, count FROM ({BROKEN}) b WHERE count > 0"))
        .into_iter()
        .map(|row| row.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>().join(": "))
        .collect();
    assert!(broken.is_empty(), "{broken:?}");
}

/// A digest of every row of every table of the extension, by table; of the
/// sizes of audiences, whose rows a worker folds at its own time, their sums.
#[track_caller]
pub fn fingerprint(session: &Session) -> BTreeMap<String, String> {
    let tables = session.column(
        "SELECT c.oid::regclass::text FROM pg_class c
         WHERE c.relnamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace)
           AND c.relkind = 'r' ORDER BY 1",
    );
    assert!(tables.len() > 10, "tables: {tables:?}");
    let each = tables.iter().map(|table| {
        let rows = match table.as_str() {
            "muninn.audience_size" => "(SELECT bot_id, audience_id, sum(memories), sum(terms)
                FROM muninn.audience_size GROUP BY 1, 2 HAVING sum(memories) <> 0 OR sum(terms) <> 0)",
            table => table,
        };
        format!(
            "SELECT '{table}' AS name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '|'
             ORDER BY t::text COLLATE \"C\"), '')) AS digest FROM {rows} t"
        )
    });
    session
        .rows(&each.collect::<Vec<_>>().join(" UNION ALL "))
        .into_iter()
        .map(|row| {
            let mut row = row.into_iter().map(Option::unwrap_or_default);
            (row.next().unwrap_or_default(), row.next().unwrap_or_default())
        })
        .collect()
}

/// Checks that a refusal is of the right kind and of use: says what happened
/// and what to do. Returns what is not as it should be.
pub fn check_refused(refusal: &Refusal, code: &str) -> Result<(), String> {
    if refusal.code != code {
        return Err(format!("SQLSTATE {} instead of {code}: {}", refusal.code, refusal.message));
    }
    if refusal.message.is_empty() {
        return Err("no message".into());
    }
    if refusal.hint.is_empty() {
        return Err(format!("no hint: {}", refusal.message));
    }
    Ok(())
}
