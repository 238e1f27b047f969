//! Task `embedding`: makes the embeddings that are owed.

use super::run::Run;
use crate::embedding;
use crate::error::Error;
use crate::store::backlog::{self, Owed};

/// Memories taken at once.
const BATCH: i64 = 16;
/// Bytes taken at once: about a second of work.
const BATCH_BYTES: i64 = 16_384;

/// Takes a batch from the backlog.
fn claim() -> Result<Vec<Owed>, Error> {
    if !backlog::any_due()? {
        return Ok(Vec::new());
    }
    // Without a model nothing is claimed: attempts are for texts that fail.
    embedding::model()?;
    backlog::claim(BATCH, BATCH_BYTES)
}

/// Embeds one memory and stores the vector.
fn pay(owed: &Owed) -> Result<(), Error> {
    backlog::settle(owed, &embedding::embed_memory(&owed.content, owed.summary.as_deref())?)
}

/// Works the backlog off for the worker. A batch is committed as taken before
/// anything is made of it, so that a text which brings the worker down is not the
/// first one again.
pub fn run(run: &mut Run) -> Result<(), String> {
    while run.goes_on() {
        let batch = run.step(claim)?.unwrap_or_default();
        if batch.is_empty() {
            break;
        }
        for owed in &batch {
            // A transaction each: one bad text costs no other its embedding.
            match run.step(|| pay(owed)) {
                Ok(_) => run.add(1),
                Err(message) => {
                    run.step(|| backlog::failed(owed, &message)).ok();
                }
            }
        }
    }
    Ok(())
}

/// Works the whole backlog off in one transaction; returns how many were embedded.
pub fn run_all() -> Result<i64, Error> {
    let mut done = 0;
    loop {
        // Empty, too, where the rest is held by somebody else.
        let batch = claim()?;
        if batch.is_empty() {
            return Ok(done);
        }
        for owed in &batch {
            pay(owed)?;
            done += 1;
        }
    }
}
