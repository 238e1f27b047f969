//! The worker of one database.

use std::time::Duration;

use pgrx::bgworkers::BackgroundWorker;
use pgrx::pg_sys;
use pgrx::prelude::*;

use super::{audit, contradiction, embedding, index};
use crate::error::Error;
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
            Ok(Ok(true)) => run_tasks(),
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
        pg::reload_settings();
    }
}

/// One round of all tasks; `true` if there may be more to do at once.
fn run_tasks() -> bool {
    // An audience a transaction: the large ones take seconds.
    let tidied = matches!(in_transaction(index::run_one), Ok(Some(_)));
    let sealed = in_transaction(audit::run_one).unwrap_or(0) > 0;
    in_transaction(audit::expire).ok();
    let compared = in_transaction(contradiction::run_one).unwrap_or(0) > 0;
    let batch = in_transaction(|| {
        if store::backlog::any_due()? { embedding::claim() } else { Ok(Vec::new()) }
    })
    .unwrap_or_default();
    for owed in &batch {
        // A transaction each: one bad text costs no other its embedding.
        if let Err(message) = in_transaction(|| embedding::pay(owed)) {
            in_transaction(|| store::backlog::failed(owed, &message)).ok();
        }
    }
    tidied || sealed || compared || !batch.is_empty()
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
