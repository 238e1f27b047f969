//! Embeddings: stored at once, or owed and made later.

use muninn_core::sketch::sketch;

use super::spi::{execute, must, read_newest, write};
use super::vector::vector_schema;
use super::{contradiction, passage, tidy};
use crate::embedding::Meaning;
use crate::error::Error;

/// Stores the vectors of a memory and its sketch, unless it has one. The memory's
/// audience is read here, so that a memory which moved meanwhile gets its vector
/// where it is.
pub fn store_embedding(bot: i64, memory: i64, model: i32, meaning: &Meaning) -> Result<(), Error> {
    let v = vector_schema()?;
    let stored = write(
        &format!(
            "WITH stored AS (
                 INSERT INTO muninn.embedding AS e (bot_id, audience_id, memory_id, model_id, vector)
                 SELECT m.bot_id, m.audience_id, m.id, $3, $4::real[]::{v}.halfvec
                 FROM muninn.memory m WHERE m.bot_id = $1 AND m.id = $2
                 ON CONFLICT DO NOTHING
                 RETURNING e.bot_id, e.audience_id, e.memory_id, e.model_id)
             INSERT INTO muninn.fresh_sketch AS f (bot_id, audience_id, memory_id, model_id, sketch)
             SELECT s.*, $5 FROM stored s
             ON CONFLICT (bot_id, audience_id, model_id, memory_id)
             DO UPDATE SET sketch = excluded.sketch
             RETURNING f.audience_id"
        ),
        &[
            bot.into(),
            memory.into(),
            model.into(),
            meaning.whole.clone().into(),
            sketch(&meaning.whole).into(),
        ],
        |row| must(row, 1, "audience"),
    )?;
    for audience in stored {
        passage::store_embeddings(&v, bot, audience, memory, model, &meaning.passages)?;
    }
    Ok(())
}

/// Owes a memory its embedding.
/// `bytes` is the size of its text.
pub fn enqueue(bot: i64, memory: i64, model: i32, bytes: usize) -> Result<(), Error> {
    let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
    execute(
        "INSERT INTO muninn.embedding_backlog (bot_id, memory_id, model_id, bytes)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        &[bot.into(), memory.into(), model.into(), bytes.into()],
    )
}

/// A memory that waits for its embedding.
pub struct Owed {
    pub bot: i64,
    pub memory: i64,
    pub model: i32,
    pub content: String,
    pub summary: Option<String>,
}

/// Takes up to `limit` memories from the backlog, short texts first and no more
/// than `bytes` of them (but at least one), for a lease that suits their size:
/// whoever dies on one leaves it to be tried again, later each time. A memory that is being
/// forgotten is passed over: everybody locks the memory before what belongs to it.
pub fn claim(limit: i64, bytes: i64) -> Result<Vec<Owed>, Error> {
    write(
        "WITH due AS (
             SELECT b.bot_id, b.memory_id, b.model_id, b.bytes FROM muninn.embedding_backlog b
             JOIN muninn.memory m ON m.bot_id = b.bot_id AND m.id = b.memory_id
             JOIN muninn.embedding_model e ON e.id = b.model_id AND e.provider = 'builtin'
             WHERE b.next_attempt_at <= clock_timestamp()
             ORDER BY b.bytes, b.next_attempt_at, b.memory_id LIMIT $1
             FOR UPDATE OF b SKIP LOCKED FOR KEY SHARE OF m SKIP LOCKED),
         batch AS (
             SELECT d.*, sum(d.bytes) OVER w AS total, row_number() OVER w AS place
             FROM due d WINDOW w AS (ORDER BY d.bytes, d.memory_id, d.bot_id)),
         taken AS (
             UPDATE muninn.embedding_backlog b
             SET attempts = b.attempts + 1,
                 next_attempt_at = clock_timestamp()
                   + least(interval '1 hour', interval '1 minute' * power(2, least(b.attempts, 10)))
                   + interval '1 second' * (b.bytes / 1000)
             FROM batch d
             WHERE (d.place = 1 OR d.total <= $2) AND b.bot_id = d.bot_id AND b.memory_id = d.memory_id AND b.model_id = d.model_id
             RETURNING b.bot_id, b.memory_id, b.model_id)
         SELECT t.bot_id, t.memory_id, t.model_id, m.content, m.summary
         FROM taken t JOIN muninn.memory m ON m.bot_id = t.bot_id AND m.id = t.memory_id
         ORDER BY t.memory_id",
        &[limit.into(), bytes.into()],
        |row| {
            Ok(Owed {
                bot: must(row, 1, "bot")?,
                memory: must(row, 2, "memory")?,
                model: must(row, 3, "model")?,
                content: must(row, 4, "content")?,
                summary: row.get(5),
            })
        },
    )
}

/// Pays what was owed; where it is not owed any more, nothing is stored.
pub fn settle(owed: &Owed, meaning: &Meaning) -> Result<(), Error> {
    // In the order in which `forget` locks: the memory, then what belongs to it.
    execute(
        "SELECT FROM muninn.memory m WHERE m.bot_id = $1 AND m.id = $2 FOR KEY SHARE",
        &[owed.bot.into(), owed.memory.into()],
    )?;
    let still_owed = write(
        "DELETE FROM muninn.embedding_backlog b USING muninn.memory m
         WHERE b.bot_id = $1 AND b.memory_id = $2 AND b.model_id = $3
           AND m.bot_id = b.bot_id AND m.id = b.memory_id
         RETURNING m.audience_id",
        &[owed.bot.into(), owed.memory.into(), owed.model.into()],
        |row| must(row, 1, "audience"),
    )?;
    for audience in still_owed {
        store_embedding(owed.bot, owed.memory, owed.model, meaning)?;
        // It can be compared by its meaning from now on.
        contradiction::enqueue(owed.bot, owed.memory)?;
        tidy::after(owed.bot, audience, owed.memory)?;
    }
    Ok(())
}

/// Keeps why an embedding could not be made, for `muninn.status()`.
pub fn failed(owed: &Owed, message: &str) -> Result<(), Error> {
    execute(
        "UPDATE muninn.embedding_backlog b SET last_error = left($4, 500)
         WHERE b.bot_id = $1 AND b.memory_id = $2 AND b.model_id = $3",
        &[owed.bot.into(), owed.memory.into(), owed.model.into(), message.into()],
    )
}

/// Whether an embedding is owed that can be made now.
pub fn any_due() -> Result<bool, Error> {
    let rows = read_newest(
        "SELECT FROM muninn.embedding_backlog b
         JOIN muninn.embedding_model e ON e.id = b.model_id AND e.provider = 'builtin'
         WHERE b.next_attempt_at <= clock_timestamp() LIMIT 1",
        &[],
        |_| Ok(()),
    )?;
    Ok(!rows.is_empty())
}
