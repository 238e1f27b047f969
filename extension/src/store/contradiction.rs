//! Contradictions and near-duplicates: what is still to be compared, with what, and
//! what was found.

use muninn_core::contradiction::{Claim, Relation, Verdict};
use muninn_core::text::Language;

use super::spi::{execute, must, read_newest, write};
use crate::error::Error;

/// Owes a memory its comparison.
pub fn enqueue(bot: i64, memory: i64) -> Result<(), Error> {
    execute(
        "INSERT INTO muninn.contradiction_due (bot_id, memory_id) VALUES ($1, $2)",
        &[bot.into(), memory.into()],
    )
}

/// Whether nobody else compares memories in this database, and until this transaction
/// ends nobody can: two who find the same pairs in another order would wait for each
/// other crosswise.
pub fn try_alone() -> Result<bool, Error> {
    let rows = write("SELECT pg_try_advisory_xact_lock(1836412526, 27)", &[], |row| {
        must::<bool>(row, 1, "answer")
    })?;
    Ok(rows.contains(&true))
}

/// Waits until that is so.
pub fn alone() -> Result<(), Error> {
    execute("SELECT pg_advisory_xact_lock(1836412526, 27)", &[])
}

/// Takes up to `limit` memories that wait and that nobody else is at: bot and id.
/// Those behind `after`, so that one transaction which takes all does not go again
/// and again through what it has taken.
pub fn claim(after: (i64, i64), limit: i64) -> Result<Vec<(i64, i64)>, Error> {
    write(
        "WITH taken AS (
             SELECT d.bot_id, d.memory_id FROM muninn.contradiction_due d
             WHERE (d.bot_id, d.memory_id) > ($2, $3)
             ORDER BY d.bot_id, d.memory_id LIMIT $1 FOR UPDATE SKIP LOCKED),
         gone AS (
             DELETE FROM muninn.contradiction_due d USING (SELECT DISTINCT t.* FROM taken t) t
             WHERE d.bot_id = t.bot_id AND d.memory_id = t.memory_id)
         SELECT DISTINCT t.bot_id, t.memory_id FROM taken t ORDER BY 1, 2",
        &[limit.into(), after.0.into(), after.1.into()],
        |row| Ok((must(row, 1, "bot")?, must(row, 2, "memory")?)),
    )
}

/// The embedding model whose vectors are compared, if there is one.
pub fn model() -> Result<Option<i32>, Error> {
    let mut rows = read_newest("SELECT muninn.active_model()", &[], |row| Ok(row.get::<i32>(1)))?;
    Ok(rows.pop().flatten())
}

/// What is compared of a memory.
pub struct Compared {
    pub id: i64,
    pub audience: i64,
    pub author: i64,
    pub content: String,
    pub language: Option<Language>,
    pub believed: bool,
    pub claim: Option<Claim>,
    pub from: i64,
    pub to: Option<i64>,
    pub confidence: Option<f64>,
    pub superseded_by: Option<i64>,
}

/// These memories, as far as they are there.
pub fn load(bot: i64, ids: Vec<i64>) -> Result<Vec<Compared>, Error> {
    read_newest(
        "SELECT m.id, m.audience_id, m.author_id, left(m.content, 4000), m.language,
                m.status IN ('candidate', 'verified'), muninn.claim_key(m.claim),
                (m.claim -> 'value')::text, coalesce(m.claim -> 'single_valued' = 'true', false),
                extract(epoch FROM least(greatest(m.valid_from, '0001-01-01Z'), '9999-12-31Z'))::bigint,
                -- greatest() of NULL and an instant is the instant.
                CASE WHEN m.valid_to IS NOT NULL THEN
                    extract(epoch FROM least(greatest(m.valid_to, '0001-01-01Z'), '9999-12-31Z'))::bigint END,
                m.confidence, m.superseded_by
         FROM muninn.memory m WHERE m.bot_id = $1 AND m.id = ANY ($2) ORDER BY m.id",
        &[bot.into(), ids.into()],
        |row| {
            let claim = match (row.get(7), row.get(8)) {
                (Some(key), Some(value)) => {
                    Some(Claim { key, value, single_valued: must(row, 9, "claim")? })
                }
                _ => None,
            };
            Ok(Compared {
                id: must(row, 1, "memory")?,
                audience: must(row, 2, "audience")?,
                author: must(row, 3, "author")?,
                content: must(row, 4, "content")?,
                language: row.get::<String>(5).and_then(|code| Language::from_code(&code)),
                believed: must(row, 6, "status")?,
                claim,
                from: must(row, 10, "time")?,
                to: row.get(11),
                confidence: row.get(12),
                superseded_by: row.get(13),
            })
        },
    )
}

/// Believed memories of an audience with a claim about the same, the newest first.
pub fn with_claim(bot: i64, audience: i64, key: &str, limit: i64) -> Result<Vec<i64>, Error> {
    read_newest(
        "SELECT m.id FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.audience_id = $2 AND muninn.claim_key(m.claim) = $3
           AND m.claim IS NOT NULL AND m.status IN ('candidate', 'verified')
         ORDER BY m.id DESC LIMIT $4",
        &[bot.into(), audience.into(), key.into(), limit.into()],
        |row| must(row, 1, "memory"),
    )
}

/// The memories that this one is suspected to contradict.
pub fn suspects(bot: i64, memory: i64) -> Result<Vec<i64>, Error> {
    read_newest(
        "SELECT c.b FROM muninn.contradiction c
         WHERE c.bot_id = $1 AND c.a = $2 AND c.state = 'suspected'
         UNION ALL
         SELECT c.a FROM muninn.contradiction c
         WHERE c.bot_id = $1 AND c.b = $2 AND c.state = 'suspected'",
        &[bot.into(), memory.into()],
        |row| must(row, 1, "memory"),
    )
}

/// What was found between two memories; `memory` is the one that was looked at.
pub struct Found {
    pub memory: i64,
    pub other: i64,
    pub what: What,
}

/// What two memories are.
pub enum What {
    /// They conflict; the words are those of `memory` and of `other`.
    Conflict(Verdict),
    /// They conflict no more.
    Nothing,
    /// They say the same.
    Same,
    /// `other` was put in the place of `memory`.
    Successor,
}

/// Locks memories so that nobody can erase or move them before what was found is
/// stored, and returns those that could be locked, with their audiences. Not waited
/// for: who erases waits for others in an order of its own.
fn lock(bot: i64, ids: Vec<i64>) -> Result<Vec<(i64, i64)>, Error> {
    write(
        "SELECT m.id, m.audience_id FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.id = ANY ($2) ORDER BY m.id FOR KEY SHARE SKIP LOCKED",
        &[bot.into(), ids.into()],
        |row| Ok((must(row, 1, "memory")?, must(row, 2, "audience")?)),
    )
}

/// Stores what was found between memories of a bot. What somebody else is just
/// erasing or moving is left for another time.
pub fn save(bot: i64, found: &[Found]) -> Result<(), Error> {
    let mut ids: Vec<i64> = found.iter().flat_map(|f| [f.memory, f.other]).collect();
    ids.sort_unstable();
    ids.dedup();
    let locked = lock(bot, ids)?;
    let audience =
        |id: i64| locked.binary_search_by_key(&id, |(id, _)| *id).ok().map(|at| locked[at].1);
    for found in found {
        match (audience(found.memory), audience(found.other)) {
            (Some(one), Some(other)) if one == other => store(bot, one, found)?,
            (Some(_), Some(_)) => {}
            // Its own change, if it is not erased, puts the other one in line.
            (Some(_), None) | (None, _) => enqueue(bot, found.memory)?,
        }
    }
    Ok(())
}

fn store(bot: i64, audience: i64, found: &Found) -> Result<(), Error> {
    let (a, b) = (found.memory.min(found.other), found.memory.max(found.other));
    match &found.what {
        What::Conflict(verdict) => {
            let turned = usize::from(found.memory != a);
            let relation = match verdict.relation {
                Relation::Update => "update",
                _ => "contradiction",
            };
            execute(
                "INSERT INTO muninn.contradiction AS c (bot_id, audience_id, a, b, relation, level,
                     score, a_words, b_words)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                 ON CONFLICT (bot_id, a, b) DO UPDATE
                 SET relation = excluded.relation, level = excluded.level, score = excluded.score,
                     a_words = excluded.a_words, b_words = excluded.b_words
                 WHERE c.state = 'suspected'",
                &[
                    bot.into(),
                    audience.into(),
                    a.into(),
                    b.into(),
                    relation.into(),
                    verdict.level.map(|level| level.name()).into(),
                    verdict.score.into(),
                    verdict.words[turned].as_str().into(),
                    verdict.words[1 - turned].as_str().into(),
                ],
            )
        }
        What::Nothing => execute(
            "DELETE FROM muninn.contradiction c
             WHERE c.bot_id = $1 AND c.a = $2 AND c.b = $3 AND c.state = 'suspected'",
            &[bot.into(), a.into(), b.into()],
        ),
        What::Same => execute(
            "INSERT INTO muninn.near_duplicate (bot_id, audience_id, a, b)
             VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            &[bot.into(), audience.into(), a.into(), b.into()],
        ),
        What::Successor => execute(
            "INSERT INTO muninn.contradiction AS c (bot_id, audience_id, a, b, relation, level, state,
                 score, a_words, b_words, winner, decided_at)
             VALUES ($1, $2, $3, $4, 'update', 'supersession', 'resolved', 1, '', '', $5,
                 clock_timestamp())
             ON CONFLICT (bot_id, a, b) DO UPDATE
             SET state = 'resolved', winner = excluded.winner, decided_at = excluded.decided_at
             WHERE c.state IN ('suspected', 'confirmed')",
            &[bot.into(), audience.into(), a.into(), b.into(), found.other.into()],
        ),
    }
}
