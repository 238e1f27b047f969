//! What runs by itself: a launcher for the cluster, a worker in each database
//! that has the extension, and its tasks. Every task can also be called by hand.

mod audit;
mod collector;
mod contradiction;
mod database;
mod embedding;
mod index;
mod launcher;
mod learning;
mod run;
mod task;

pub use launcher::register as register_launcher;
pub use task::{TASKS, names as task_names};

use pgrx::prelude::*;

use crate::error::Error;
use crate::store;

/// Runs a task until it has nothing left to do, in the transaction of the caller,
/// and keeps that it did; returns the rows it handled, `None` where somebody else
/// is at it.
pub fn run_task(name: &str) -> Result<Option<i64>, Error> {
    let started = clock_timestamp();
    let rows = task::named(name)?.run_by_hand()?;
    if let Some(rows) = rows {
        store::task::record_call(name, started, rows)?;
    }
    Ok(rows)
}
