//! Keeping the index of an audience packed.

use super::posting_segment as postings;
use super::sketch_segment as sketches;
use super::spi::{execute, must, write};
use crate::error::Error;
use crate::pg;

/// A look every so many memories: counting what is fresh costs a little, too.
const EVERY: i64 = 16;
/// What one call of `remember` may have to merge: some 20 ms of work, seldom.
const AT_ONCE: i64 = 5_000;

/// To be called after a memory was stored: now and then tidies its audience.
pub fn after(bot: i64, audience: i64, memory: i64) -> Result<(), Error> {
    if memory % EVERY == 0 { audience_now(bot, audience) } else { Ok(()) }
}

/// Packs what is fresh in an audience, if that is much, and merges what is
/// small. Larger merges, and all if somebody else is at it, are left to the worker.
fn audience_now(bot: i64, audience: i64) -> Result<(), Error> {
    let vectors = sketches::of_audience(bot, audience)?;
    let words = postings::fresh_is_full(bot, audience)?;
    let mut full = Vec::new();
    for vectors in vectors {
        if vectors.fresh_is_full()? {
            full.push(vectors);
        }
    }
    if !words && full.is_empty() {
        return Ok(());
    }
    // A transaction that looks at an older state could only fail here.
    if pg::keeps_one_snapshot() || !postings::try_lock(bot, audience)? {
        return enqueue(bot, audience);
    }
    let mut left = false;
    if words {
        postings::pack_fresh(bot, audience)?;
        left |= postings::merge_segments(bot, audience, AT_ONCE)?.0;
    }
    for vectors in full {
        vectors.pack_fresh()?;
        left |= vectors.merge_segments(AT_ONCE)?.0;
    }
    if left { enqueue(bot, audience) } else { Ok(()) }
}

fn enqueue(bot: i64, audience: i64) -> Result<(), Error> {
    execute(
        "INSERT INTO muninn.index_due (bot_id, audience_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        &[bot.into(), audience.into()],
    )
}

/// Takes one audience that waits and does all that there is to do; `None` if
/// none waits that nobody else is at. Returns how many rows were moved.
pub fn next_due() -> Result<Option<i64>, Error> {
    let taken = write(
        "DELETE FROM muninn.index_due d USING (
             SELECT w.bot_id, w.audience_id FROM muninn.index_due w
             JOIN muninn.audience a ON a.bot_id = w.bot_id AND a.id = w.audience_id
             ORDER BY 1, 2 LIMIT 1
             FOR UPDATE OF w SKIP LOCKED FOR NO KEY UPDATE OF a SKIP LOCKED) n
         WHERE d.bot_id = n.bot_id AND d.audience_id = n.audience_id
         RETURNING d.bot_id, d.audience_id",
        &[],
        |row| Ok((must(row, 1, "bot")?, must(row, 2, "audience")?)),
    )?;
    let Some(&(bot, audience)) = taken.first() else { return Ok(None) };
    let mut moved = 0;
    if postings::fresh_is_full(bot, audience)? {
        moved += postings::pack_fresh(bot, audience)?;
    }
    moved += postings::merge_segments(bot, audience, i64::MAX)?.1;
    for vectors in sketches::of_audience(bot, audience)? {
        if vectors.fresh_is_full()? {
            moved += vectors.pack_fresh()?;
        }
        moved += vectors.merge_segments(i64::MAX)?.1;
    }
    Ok(Some(moved))
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
