//! Tasks `activation`, `hebbian`, `confidence` and `decay`: from recalls that
//! happened to what they teach.

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
pub fn collect() -> Result<i64, Error> {
    if !pg::take_collecting_lock() {
        return Ok(0); // somebody else is at it
    }
    let (entries, up_to) = shmem::waiting(shmem::BATCH);
    if entries.is_empty() {
        return Ok(0);
    }
    learning::store(&entries)?;
    pg::when_committed(move || shmem::stored(up_to));
    Ok(entries.len() as i64)
}

/// Learns from some of the recalls that are stored; returns from how many.
pub fn learn() -> Result<i64, Error> {
    learning::learn(RECALLS)
}

/// Learns from all recalls that are stored.
pub fn learn_all() -> Result<i64, Error> {
    until_done(learn)
}

/// Weighs the evidence of some memories for which it has changed.
pub fn weigh() -> Result<i64, Error> {
    learning::weigh_evidence(MEMORIES)
}

/// Weighs the evidence of all memories for which it has changed.
pub fn weigh_all() -> Result<i64, Error> {
    until_done(weigh)
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

fn until_done(step: impl Fn() -> Result<i64, Error>) -> Result<i64, Error> {
    let mut done = 0;
    loop {
        match step()? {
            0 => return Ok(done),
            more => done += more,
        }
    }
}
