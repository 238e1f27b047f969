//! Task `embedding`: makes the embeddings that are owed.

use crate::embedding;
use crate::error::Error;
use crate::store::backlog::{self, Owed};

/// Memories taken at once.
const BATCH: i64 = 16;
/// Bytes taken at once: about a second of work.
const BATCH_BYTES: i64 = 16_384;

/// Takes a batch from the backlog. The worker commits this before it starts, so
/// that a text which brings it down is not the first one again.
pub fn claim() -> Result<Vec<Owed>, Error> {
    // Without a model nothing is claimed: attempts are for texts that fail.
    embedding::model()?;
    backlog::claim(BATCH, BATCH_BYTES)
}

/// Embeds one memory and stores the vector.
pub fn pay(owed: &Owed) -> Result<(), Error> {
    backlog::settle(owed, &embedding::embed_memory(&owed.content, owed.summary.as_deref())?)
}

/// Works the whole backlog off in one transaction; returns how many were embedded.
pub fn run_all() -> Result<i64, Error> {
    let mut done = 0;
    while backlog::any_due()? {
        let batch = claim()?;
        if batch.is_empty() {
            break; // the rest is held by somebody else
        }
        for owed in &batch {
            pay(owed)?;
            done += 1;
        }
    }
    Ok(done)
}
