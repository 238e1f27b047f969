//! The collector of a database: stores recalls that wait in shared memory. A
//! process of its own, as the worker may be busy for longer than the ring lasts.
//! It lives while there is something to collect; recalls wake the launcher, which
//! starts it.

use std::time::{Duration, Instant};

use pgrx::bgworkers::BackgroundWorker;
use pgrx::pg_sys;
use pgrx::prelude::*;

use super::learning;
use super::run::in_transaction;
use crate::{pg, shmem, store};

/// Recalls wait no longer than this.
const AT_LATEST: Duration = Duration::from_secs(60);
/// Without any recall for this long the collector ends.
const IDLE: Duration = Duration::from_secs(150);

/// Entry point of a collector; the argument is the oid of its database.
#[pg_guard]
#[expect(unsafe_code, reason = "Postgres finds the entry point by its name")]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn muninn_collector_main(argument: pg_sys::Datum) {
    pg::handle_signals();
    pg::connect_to_database(pg::oid_argument(argument));
    if !matches!(pg::transaction(store::presence::prepare), Ok(Ok(true))) {
        return;
    }
    shmem::collect(true);
    pg::at_exit(|| shmem::collect(false));
    let mut last = Instant::now();
    loop {
        match in_transaction(learning::collect) {
            Ok(None) if last.elapsed() > IDLE => return,
            Ok(None) => {}
            Ok(Some(_)) => {
                last = Instant::now();
                if shmem::is_half_full() {
                    continue;
                }
            }
            // The extension is gone, or is going; whatever else is wrong is in the log.
            Err(_) if !matches!(pg::transaction(store::presence::installed), Ok(Ok(true))) => {
                return;
            }
            Err(_) => {}
        }
        if !BackgroundWorker::wait_latch(Some(AT_LATEST)) {
            return;
        }
        pg::reload_settings();
    }
}
