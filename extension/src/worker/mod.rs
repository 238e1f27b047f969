//! What runs by itself: a launcher for the cluster, a worker in each database
//! that has the extension, and its tasks. Every task can also be called by hand.

mod audit;
mod contradiction;
mod database;
mod embedding;
mod index;
mod launcher;

pub use launcher::register as register_launcher;

use crate::error::Error;

/// The names that [`run_task`] takes, for messages.
pub const TASK_NAMES: &str = "audit, contradiction, embedding, index, review";

/// Runs a task until it has nothing left to do, in the transaction of the
/// caller; returns the rows it handled.
pub fn run_task(name: &str) -> Result<i64, Error> {
    match name {
        "audit" => audit::run_all(),
        "contradiction" => contradiction::run_all(),
        "review" => audit::expire(),
        "embedding" => embedding::run_all(),
        "index" => index::run_all(),
        _ => Err(Error::UnknownTask(name.to_owned())),
    }
}
