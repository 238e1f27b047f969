//! Keeping the index of an audience packed.

use super::posting_segment as postings;
use super::sketch_segment as sketches;
use super::spi::{execute, must, write};
use crate::error::Error;
use crate::pg;

/// A look every so many memories: counting what is fresh costs a little, too.
const EVERY: u64 = 16;
/// What one call of `remember` may have to merge: some 20 ms of work, seldom.
const AT_ONCE: i64 = 5_000;

/// Whether this memory is one of those after which to look. Audiences share the
/// ids, often in turns (every second one, every sixteenth): each needs its part of
/// the looks, so ids are spread by the golden ratio, which no stride agrees with.
fn is_time(memory: i64) -> bool {
    (memory as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) < u64::MAX / EVERY
}

/// To be called after a memory was stored: now and then tidies its audience.
pub fn after(bot: i64, audience: i64, memory: i64) -> Result<(), Error> {
    if !is_time(memory) {
        return Ok(());
    }
    // A transaction that looks at an older state could only fail if it packed;
    // in a serializable one even counting could let others fail.
    if pg::keeps_one_snapshot() { enqueue(bot, audience) } else { audience_now(bot, audience) }
}

/// Packs what is fresh in an audience, if that is much, and merges what is
/// small. Larger merges, and all if somebody else is at it, are left to the worker.
fn audience_now(bot: i64, audience: i64) -> Result<(), Error> {
    let mut full = postings::fresh_is_full(bot, audience)?;
    for vectors in sketches::of_audience(bot, audience)? {
        full |= vectors.fresh_is_full()?;
    }
    if !full {
        return Ok(());
    }
    if !postings::try_lock(bot, audience)? || pack(bot, audience, AT_ONCE)?.0 {
        return enqueue(bot, audience);
    }
    Ok(())
}

/// Packs what is fresh in an audience, which is locked, where that is much, and
/// merges segments: at most `most` memories at once. Returns whether larger
/// merges are left to do, and how many rows were moved.
fn pack(bot: i64, audience: i64, most: i64) -> Result<(bool, i64), Error> {
    let mut moved = 0;
    if postings::fresh_is_full(bot, audience)? {
        moved += postings::pack_fresh(bot, audience)?;
    }
    let (mut left, merged) = postings::merge_segments(bot, audience, most)?;
    moved += merged;
    for vectors in sketches::of_audience(bot, audience)? {
        if vectors.fresh_is_full()? {
            moved += vectors.pack_fresh()?;
        }
        let (more, merged) = vectors.merge_segments(most)?;
        left |= more;
        moved += merged;
    }
    Ok((left, moved))
}

/// A row each time: where one audience had one row, all who queue it would wait
/// for the transaction that did so first, or that is just taking it.
fn enqueue(bot: i64, audience: i64) -> Result<(), Error> {
    execute(
        "INSERT INTO muninn.index_due (bot_id, audience_id) VALUES ($1, $2)",
        &[bot.into(), audience.into()],
    )
}

/// Takes one audience that waits and does all that there is to do; `None` if
/// none waits that nobody else is at. Returns how many rows were moved.
pub fn next_due() -> Result<Option<i64>, Error> {
    let taken = write(
        "SELECT a.bot_id, a.id
         FROM (SELECT DISTINCT d.bot_id, d.audience_id FROM muninn.index_due d
               ORDER BY 1, 2 LIMIT 100) due
         JOIN muninn.audience a ON a.bot_id = due.bot_id AND a.id = due.audience_id
         -- At random, so that one that cannot be tidied holds up no other.
         ORDER BY random() LIMIT 1 FOR NO KEY UPDATE OF a SKIP LOCKED",
        &[],
        |row| Ok((must::<i64>(row, 1, "bot")?, must::<i64>(row, 2, "audience")?)),
    )?;
    let Some(&(bot, audience)) = taken.first() else { return Ok(None) };
    // Before anything is read: what is queued from now on is for the next look.
    execute(
        "DELETE FROM muninn.index_due d WHERE d.bot_id = $1 AND d.audience_id = $2",
        &[bot.into(), audience.into()],
    )?;
    Ok(Some(pack(bot, audience, i64::MAX)?.1))
}

/// Takes memories of an audience out of its index; their ids in order.
pub fn remove(bot: i64, audience: i64, memories: &[i64]) -> Result<(), Error> {
    postings::lock(bot, audience)?;
    postings::remove(bot, audience, memories)?;
    for vectors in sketches::of_audience(bot, audience)? {
        vectors.remove(memories)?;
    }
    Ok(())
}
