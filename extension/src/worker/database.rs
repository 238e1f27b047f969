//! The worker of one database.

use std::time::Duration;

use pgrx::bgworkers::BackgroundWorker;
use pgrx::pg_sys;
use pgrx::prelude::*;

use super::run::{Run, in_transaction};
use super::task::TASKS;
use crate::{config, pg, store};

/// Entry point of a worker; the argument is the oid of its database. It ends
/// where the extension is not, or is not any more; the launcher comes back.
#[pg_guard]
#[expect(unsafe_code, reason = "Postgres finds the entry point by its name")]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn muninn_worker_main(argument: pg_sys::Datum) {
    pg::handle_signals();
    pg::connect_to_database(pg::oid_argument(argument));
    if !matches!(pg::transaction(store::presence::enter), Ok(Ok(true))) {
        return;
    }
    loop {
        let busy = match pg::transaction(store::presence::installed) {
            Ok(Ok(true)) => look(),
            _ => return,
        };
        // A look for interrupts even when there is more to do.
        let pause = if busy {
            Duration::ZERO
        } else {
            Duration::from_secs(config::WORKER_INTERVAL.get() as u64)
        };
        if !BackgroundWorker::wait_latch(Some(pause)) {
            return;
        }
        if pg::reload_settings() {
            // What was wrong may have been put right by that.
            in_transaction(store::task::retry).ok();
        }
    }
}

/// Runs each task that is due, one after the other; `true` if there may be more
/// to do at once. Which are due is asked each time: schedules are rows.
fn look() -> bool {
    let Ok(due) = in_transaction(store::task::due) else { return false };
    let mut more = false;
    for task in TASKS {
        if let Some(due) = due.iter().find(|due| due.name == task.name) {
            more |= Run::of(task, due);
        }
    }
    more
}
