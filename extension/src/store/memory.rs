//! Writing and reading memories.

use muninn_core::text::Language;
use pgrx::datum::TimestampWithTimeZone;

use super::spi::{execute, must, read, read_newest, write};
use crate::error::Error;
use crate::pg::Jsonb;

/// A memory to be stored, checked.
pub struct NewMemory<'a> {
    pub bot: i64,
    pub audience: i64,
    pub author: i64,
    pub content: &'a str,
    pub summary: Option<&'a str>,
    pub tags: Vec<String>,
    pub kind: Option<&'a str>,
    pub language: Option<&'static str>,
    pub asks: bool,
    pub claim: Option<Jsonb>,
    pub confidence: Option<f64>,
    pub valid_from: Option<TimestampWithTimeZone>,
    pub valid_to: Option<TimestampWithTimeZone>,
    pub source: Option<&'a str>,
    pub key: Option<&'a str>,
    pub digest: Option<Vec<u8>>,
    pub status: &'a str,
}

/// The memory that this author stored under this key before.
pub fn with_key(bot: i64, author: i64, key: &str) -> Result<Option<i64>, Error> {
    let mut rows = read_newest(
        "SELECT k.memory_id FROM muninn.memory_key k
         WHERE k.bot_id = $1 AND k.author_id = $2 AND k.key = $3",
        &[bot.into(), author.into(), key.into()],
        |row| must(row, 1, "memory"),
    )?;
    Ok(rows.pop())
}

/// The believed memory of an audience that says the same.
pub fn same(bot: i64, audience: i64, digest: &[u8]) -> Result<Option<i64>, Error> {
    let mut rows = read_newest(
        // Not by an index of audiences: without statistics, as while much is loaded, the
        // planner takes one for as good as that of digests.
        "SELECT m.id FROM muninn.memory m WHERE m.bot_id = $1 AND m.audience_id + 0 = $2
           AND m.digest = $3 AND m.status IN ('candidate', 'verified')",
        &[bot.into(), audience.into(), digest.into()],
        |row| must(row, 1, "memory"),
    )?;
    Ok(rows.pop())
}

/// A new id that a key stands for; `None` if the key is taken.
pub fn reserve(bot: i64, author: i64, key: &str) -> Result<Option<i64>, Error> {
    let mut rows = write(
        "INSERT INTO muninn.memory_key AS k (bot_id, author_id, key, memory_id)
         VALUES ($1, $2, $3, nextval('muninn.memory_id'))
         ON CONFLICT DO NOTHING RETURNING k.memory_id",
        &[bot.into(), author.into(), key.into()],
        |row| must(row, 1, "memory"),
    )?;
    Ok(rows.pop())
}

/// Lets a key stand for a memory that says the same already; returns the memory
/// that it stands for, another one if it was taken meanwhile.
pub fn give_key(bot: i64, author: i64, key: &str, memory: i64) -> Result<i64, Error> {
    execute(
        "INSERT INTO muninn.memory_key AS k (bot_id, author_id, key, memory_id)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (bot_id, author_id, key) DO UPDATE SET memory_id = excluded.memory_id
         WHERE NOT EXISTS (SELECT FROM muninn.memory m
                           WHERE m.bot_id = k.bot_id AND m.id = k.memory_id)",
        &[bot.into(), author.into(), key.into(), memory.into()],
    )?;
    with_key(bot, author, key)?.ok_or(Error::KeyRace)
}

/// Stores the row, under the id that was reserved for it if one was, and that it
/// was stored; `None` if the same is there.
pub fn insert(reserved: Option<i64>, memory: &NewMemory<'_>) -> Result<Option<i64>, Error> {
    let mut rows = write(
        "WITH made AS (
             INSERT INTO muninn.memory AS m (bot_id, audience_id, author_id, content, summary, tags,
                 kind, language, claim, confidence, prior, valid_from, valid_to, source, key, asks, digest,
                 status, id, created_at, believed_from)
             VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, 'statement'), $8, $9, $10, $10,
                 coalesce($11, muninn.now()), $12, $13, $14, $15, $16, $17,
                 coalesce($18, nextval('muninn.memory_id')), muninn.now(), muninn.now())
             ON CONFLICT DO NOTHING
             RETURNING m.id),
         due AS (
             INSERT INTO muninn.contradiction_due (bot_id, memory_id) SELECT $1, made.id FROM made)
         INSERT INTO muninn.audit_pending AS p (bot_id, person_id, role, action, memory_id)
         SELECT $1, $3, muninn.caller_name(), 'remember', made.id FROM made
         RETURNING p.memory_id",
        &[
            memory.bot.into(),
            memory.audience.into(),
            memory.author.into(),
            memory.content.into(),
            memory.summary.into(),
            memory.tags.clone().into(),
            memory.kind.into(),
            memory.language.into(),
            memory.claim.into(),
            memory.confidence.into(),
            memory.valid_from.into(),
            memory.valid_to.into(),
            memory.source.into(),
            memory.key.into(),
            memory.asks.into(),
            memory.digest.clone().into(),
            memory.status.into(),
            reserved.into(),
        ],
        |row| must(row, 1, "memory"),
    )?;
    Ok(rows.pop())
}

/// Puts a memory at the end of the thread with this key, which is made if new.
pub fn append_to_thread(bot: i64, audience: i64, thread: &str, memory: i64) -> Result<(), Error> {
    execute(
        "WITH turn AS (
             INSERT INTO muninn.thread AS t (bot_id, audience_id, key, next_position)
             VALUES ($1, $2, $3, 2)
             ON CONFLICT (bot_id, audience_id, key)
             DO UPDATE SET next_position = t.next_position + 1
             RETURNING t.id, t.next_position - 1 AS position)
         UPDATE muninn.memory m SET thread_id = turn.id, thread_position = turn.position
         FROM turn WHERE m.bot_id = $1 AND m.id = $4",
        &[bot.into(), audience.into(), thread.into(), memory.into()],
    )
}

/// What recall returns of a memory beside its score.
pub struct Detail {
    pub id: i64,
    pub content: String,
    pub summary: Option<String>,
    pub tags: Vec<String>,
    pub audience: String,
    pub status: String,
    pub confidence: Option<f64>,
    pub created_at: TimestampWithTimeZone,
    pub valid_from: TimestampWithTimeZone,
    pub valid_to: Option<TimestampWithTimeZone>,
    pub superseded_by: Option<i64>,
    pub contradicted_by: Vec<i64>,
}

/// The memories with these ids, as far as they are in the scope; status and
/// validity as they were believed at `known_at`.
pub fn details(
    bot: i64,
    audiences: &[i64],
    ids: Vec<i64>,
    known_at: Option<TimestampWithTimeZone>,
) -> Result<Vec<Detail>, Error> {
    read(
        // A join would be free to read all audiences of the bot.
        "SELECT m.id, m.content, m.summary, m.tags,
                (SELECT muninn.audience_name(a.kind, a.key) FROM muninn.audience a
                 WHERE a.bot_id = m.bot_id AND a.id = m.audience_id),
                coalesce(b.status, m.status), m.confidence, m.created_at,
                coalesce(b.valid_from, m.valid_from),
                CASE WHEN b.memory_id IS NULL THEN m.valid_to ELSE b.valid_to END,
                CASE WHEN b.memory_id IS NULL THEN m.superseded_by END,
                CASE WHEN EXISTS (SELECT FROM muninn.evidence e WHERE e.bot_id = m.bot_id
                                  AND e.memory_id = m.id AND e.kind = 'contradiction')
                       OR EXISTS (SELECT FROM muninn.contradiction c
                                  WHERE c.bot_id = m.bot_id AND c.a = m.id)
                       OR EXISTS (SELECT FROM muninn.contradiction c
                                  WHERE c.bot_id = m.bot_id AND c.b = m.id)
                     THEN muninn.contradicted_by(m.bot_id, m.id) ELSE '{}' END
         FROM muninn.memory m
         LEFT JOIN LATERAL (
             SELECT b.memory_id, b.status, b.valid_from, b.valid_to FROM muninn.memory_belief b
             WHERE m.believed_from > $4 AND b.bot_id = m.bot_id AND b.memory_id = m.id
               AND b.known_from <= $4 AND b.known_to > $4 LIMIT 1) b ON true
         WHERE m.bot_id = $1 AND m.audience_id = ANY ($2) AND m.id = ANY ($3)",
        &[bot.into(), audiences.to_vec().into(), ids.into(), known_at.into()],
        |row| {
            Ok(Detail {
                id: must(row, 1, "memory")?,
                content: must(row, 2, "content")?,
                summary: row.get(3),
                tags: must(row, 4, "tags")?,
                audience: must(row, 5, "audience")?,
                status: must(row, 6, "status")?,
                confidence: row.get(7),
                created_at: must(row, 8, "time")?,
                valid_from: must(row, 9, "time")?,
                valid_to: row.get(10),
                superseded_by: row.get(11),
                contradicted_by: must(row, 12, "contradictions")?,
            })
        },
    )
}

/// When these memories are valid, as far as they are in the scope: from, and
/// to, in seconds since 1970.
#[expect(clippy::type_complexity, reason = "a pair a memory")]
pub fn validity(
    bot: i64,
    audiences: &[i64],
    ids: Vec<i64>,
) -> Result<Vec<(i64, (i64, Option<i64>))>, Error> {
    read(
        "SELECT m.id,
                extract(epoch FROM least(greatest(m.valid_from, '0001-01-01Z'), '9999-12-31Z'))::bigint,
                extract(epoch FROM least(greatest(m.valid_to, '0001-01-01Z'), '9999-12-31Z'))::bigint
         FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.audience_id = ANY ($2) AND m.id = ANY ($3)",
        &[bot.into(), audiences.to_vec().into(), ids.into()],
        |row| Ok((must(row, 1, "memory")?, (must(row, 2, "time")?, row.get(3)))),
    )
}

/// What these memories say and in which language, as far as they are in the scope.
#[expect(clippy::type_complexity, reason = "a pair a memory")]
pub fn contents(
    bot: i64,
    audiences: &[i64],
    ids: Vec<i64>,
) -> Result<Vec<(i64, (String, Option<Language>))>, Error> {
    read(
        "SELECT m.id, left(m.content, 10000), m.language FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.audience_id = ANY ($2) AND m.id = ANY ($3)",
        &[bot.into(), audiences.to_vec().into(), ids.into()],
        |row| {
            let language = row.get::<String>(3).and_then(|code| Language::from_code(&code));
            Ok((must(row, 1, "memory")?, (must(row, 2, "content")?, language)))
        },
    )
}
