//! Tasks `activation`, `hebbian`, `confidence` and `decay`: from recalls that
//! happened to what they teach.

use super::run::Run;
use crate::error::Error;
use crate::store::learning;
use crate::{pg, shmem};

/// Recalls that are learned from in one transaction.
const RECALLS: i64 = 500;
/// Memories whose evidence is weighed in one transaction.
const MEMORIES: i64 = 500;
/// Memories that fade in one transaction.
const FADING: i64 = 5_000;

/// Stores recalls that wait in shared memory; returns how many. What is stored
/// leaves the ring when the transaction commits, so that nothing is lost, or
/// stored twice.
pub fn collect() -> Result<Option<i64>, Error> {
    // Once a transaction: what it has stored is still in the ring.
    if !pg::take_task_lock_once("activation") {
        return Ok(None);
    }
    let (entries, up_to) = shmem::waiting();
    if entries.is_empty() {
        return Ok(None);
    }
    learning::store(&entries)?;
    pg::when_committed(move || shmem::stored(up_to));
    Ok(Some(entries.len() as i64))
}

/// Learns from some of the recalls that are stored; returns from how many.
pub fn learn() -> Result<Option<i64>, Error> {
    learning::learn(RECALLS).map(some)
}

/// Weighs the evidence of some memories for which it has changed.
pub fn weigh() -> Result<Option<i64>, Error> {
    learning::weigh_evidence(MEMORIES).map(some)
}

/// Lets the memories of all bots fade that ask for it; returns how many were
/// looked at.
pub fn fade_all() -> Result<i64, Error> {
    let mut looked_at = 0;
    for bot in learning::fading_bots()? {
        let mut after = 0;
        while let Some((last, count)) = learning::fade(bot, after, FADING)? {
            looked_at += count;
            after = last;
        }
    }
    Ok(looked_at)
}

/// The same by the worker, some memories a transaction.
pub fn fade(run: &mut Run) -> Result<(), String> {
    for bot in run.step(learning::fading_bots)?.unwrap_or_default() {
        let mut after = 0;
        while let Some((last, count)) = run.step(|| learning::fade(bot, after, FADING))?.flatten() {
            run.add(count);
            after = last;
        }
    }
    Ok(())
}

fn some(rows: i64) -> Option<i64> {
    (rows > 0).then_some(rows)
}
