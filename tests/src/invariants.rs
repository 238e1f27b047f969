//! What must hold in a database at any moment.

use std::collections::BTreeMap;

use crate::session::{Refusal, Session};

/// What is wrong, counted: each name is what would be broken.
const BROKEN: &str = "
    SELECT 'fresh document of no memory' AS what, count(*) FROM muninn.fresh_document f
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id, m.audience_id) = (f.bot_id, f.memory_id, f.audience_id)
      WHERE m.id IS NULL
    UNION ALL SELECT 'embedding of no memory', count(*) FROM muninn.embedding e
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id, m.audience_id) = (e.bot_id, e.memory_id, e.audience_id)
      WHERE m.id IS NULL
    UNION ALL SELECT 'fresh sketch of no embedding', count(*) FROM muninn.fresh_sketch f
      LEFT JOIN muninn.embedding e USING (bot_id, audience_id, memory_id, model_id) WHERE e.memory_id IS NULL
    UNION ALL SELECT 'backlog of no memory', count(*) FROM muninn.embedding_backlog b
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id) = (b.bot_id, b.memory_id) WHERE m.id IS NULL
    UNION ALL SELECT 'activation of no memory', count(*) FROM muninn.activation_count c
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id) = (c.bot_id, c.memory_id) WHERE m.id IS NULL
    UNION ALL SELECT 'link of no memory', count(*) FROM muninn.association l
      WHERE NOT EXISTS (SELECT FROM muninn.memory m WHERE (m.bot_id, m.id) = (l.bot_id, l.a))
         OR NOT EXISTS (SELECT FROM muninn.memory m WHERE (m.bot_id, m.id) = (l.bot_id, l.b))
    UNION ALL SELECT 'evidence to be weighed of no memory', count(*) FROM muninn.confidence_due d
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id) = (d.bot_id, d.memory_id) WHERE m.id IS NULL
    UNION ALL SELECT 'memory neither embedded nor waiting, or both', count(*) FROM muninn.memory m
      WHERE EXISTS (SELECT FROM muninn.embedding e WHERE (e.bot_id, e.memory_id) = (m.bot_id, m.id))
          = EXISTS (SELECT FROM muninn.embedding_backlog b WHERE (b.bot_id, b.memory_id) = (m.bot_id, m.id))
    UNION ALL SELECT 'audience with more or fewer memories than are indexed', count(*) FROM muninn.audience a
      WHERE (SELECT count(*) FROM muninn.memory m WHERE (m.bot_id, m.audience_id) = (a.bot_id, a.id))
         <> (SELECT count(*) FROM muninn.fresh_document f WHERE (f.bot_id, f.audience_id) = (a.bot_id, a.id))
          + (SELECT coalesce(sum(s.memories), 0) FROM muninn.posting_segment s WHERE (s.bot_id, s.audience_id) = (a.bot_id, a.id))
    UNION ALL SELECT 'audience with more or fewer vectors than sketches', count(*) FROM muninn.audience a
      CROSS JOIN muninn.embedding_model o
      WHERE (SELECT count(*) FROM muninn.embedding e WHERE (e.bot_id, e.audience_id, e.model_id) = (a.bot_id, a.id, o.id))
         <> (SELECT count(*) FROM muninn.fresh_sketch f WHERE (f.bot_id, f.audience_id, f.model_id) = (a.bot_id, a.id, o.id))
          + (SELECT coalesce(sum(s.memories), 0) FROM muninn.sketch_segment s WHERE (s.bot_id, s.audience_id, s.model_id) = (a.bot_id, a.id, o.id))
    UNION ALL SELECT 'passage of no memory', count(*) FROM muninn.passage p
      LEFT JOIN muninn.memory m ON (m.bot_id, m.id, m.audience_id) = (p.bot_id, p.memory_id, p.audience_id)
      WHERE m.id IS NULL
    UNION ALL SELECT 'vector of no passage', count(*) FROM muninn.passage_embedding e
      LEFT JOIN muninn.passage p USING (bot_id, audience_id, memory_id, passage) WHERE p.memory_id IS NULL
    UNION ALL SELECT 'page of no segment', count(*) FROM muninn.posting_page p
      LEFT JOIN muninn.posting_segment s USING (bot_id, audience_id, segment) WHERE s.memories IS NULL
    UNION ALL SELECT 'block of no segment', count(*) FROM muninn.sketch_block b
      LEFT JOIN muninn.sketch_segment s USING (bot_id, audience_id, model_id, segment) WHERE s.memories IS NULL
    UNION ALL SELECT 'centroids of no segment', count(*) FROM muninn.sketch_centroids c
      LEFT JOIN muninn.sketch_segment s USING (bot_id, audience_id, model_id, segment) WHERE s.memories IS NULL";

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

/// A digest of every row of every table of the extension, by table.
#[track_caller]
pub fn fingerprint(session: &Session) -> BTreeMap<String, String> {
    let tables = session.column(
        // Whether an event is sealed already is no difference in what was done, nor is
        // which task of the worker has run, or what it finds by itself.
        "SELECT c.oid::regclass::text FROM pg_class c
         WHERE c.relname NOT LIKE 'audit\\_%' AND c.relname NOT IN ('task', 'task_run',
             'contradiction_due', 'contradiction', 'near_duplicate')
           AND c.relnamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace)
           AND c.relkind = 'r' ORDER BY 1",
    );
    assert!(tables.len() > 10, "tables: {tables:?}");
    let each = tables.iter().map(|table| {
        format!(
            "SELECT '{table}' AS name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '|'
             ORDER BY t::text COLLATE \"C\"), '')) AS digest FROM {table} t"
        )
    });
    let events = "SELECT 'events' AS name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '|'
         ORDER BY t.bot_id, t.id), '')) FROM (
           SELECT bot_id, id, at, person_id, role, action, memory_id, details FROM muninn.audit_event
           UNION ALL SELECT bot_id, id, at, person_id, role, action, memory_id, details
           FROM muninn.audit_pending) t";
    session
        .rows(&each.chain([events.to_owned()]).collect::<Vec<_>>().join(" UNION ALL "))
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
