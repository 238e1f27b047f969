//! What runs by itself: a launcher for the cluster, a worker in each database
//! that has the extension, and its tasks. Every task can also be called by hand.

mod audit;
mod collector;
mod database;
mod embedding;
mod index;
mod launcher;
mod learning;

pub use launcher::register as register_launcher;

use pgrx::pg_sys;

use crate::error::Error;
use crate::{pg, store};

/// The names that [`run_task`] takes, for messages.
pub const TASK_NAMES: &str =
    "activation, audit, confidence, decay, embedding, hebbian, index, review";

/// Runs a task until it has nothing left to do, in the transaction of the
/// caller; returns the rows it handled.
pub fn run_task(name: &str) -> Result<i64, Error> {
    match name {
        "activation" => learning::collect(),
        "audit" => audit::run_all(),
        "confidence" => learning::weigh_all(),
        "decay" => learning::fade_all(),
        "hebbian" => learning::learn_all(),
        "review" => audit::expire(),
        "embedding" => embedding::run_all(),
        "index" => index::run_all(),
        _ => Err(Error::UnknownTask(name.to_owned())),
    }
}

/// Runs a step in a transaction of its own; what goes wrong is logged and
/// rolled back, and a later round tries again.
fn in_transaction<R>(step: impl FnOnce() -> Result<R, Error>) -> Result<R, String> {
    let begun = || match store::presence::begin_task() {
        Ok(true) => step(),
        Ok(false) => Err(Error::Dropping),
        Err(error) => Err(error),
    };
    pg::transaction(|| match begun() {
        Ok(result) => result,
        Err(error) => std::panic::panic_any(pg_sys::panic::ErrorReport::from(error)),
    })
}
