//! The launcher: keeps a worker in each database.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use pgrx::bgworkers::{BackgroundWorker, BackgroundWorkerBuilder, DynamicBackgroundWorker};
use pgrx::prelude::*;
use pgrx::{IntoDatum, pg_sys};

use crate::pg;

/// How often the launcher looks for databases and for workers that have ended.
const LOOK: Duration = Duration::from_secs(5);
/// A database without the extension, or whose worker has failed, is tried again
/// after this time.
const RETRY: Duration = Duration::from_secs(15);

/// Registers the launcher with the server that is starting.
pub fn register() {
    BackgroundWorkerBuilder::new("muninn launcher")
        .set_library("muninn")
        .set_function("muninn_launcher_main")
        .set_restart_time(Some(Duration::from_secs(5)))
        .enable_spi_access()
        .load();
}

/// A worker, and when its database may be tried again.
struct Started {
    worker: DynamicBackgroundWorker,
    at: Instant,
}

/// Entry point of the launcher.
#[pg_guard]
#[expect(unsafe_code, reason = "Postgres finds the entry point by its name")]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn muninn_launcher_main(_argument: pg_sys::Datum) {
    pg::handle_signals();
    pg::connect_to_shared_catalogs();
    let mut workers: HashMap<pg_sys::Oid, Started> = HashMap::new();
    while BackgroundWorker::wait_latch(Some(LOOK)) {
        pg::reload_settings();
        let Ok(databases) = pg::transaction(pg::connectable_databases) else { continue };
        workers.retain(|database, _| databases.contains(database));
        for database in databases {
            let resting = workers.get(&database).is_some_and(|started| {
                started.worker.pid().is_ok() || started.at.elapsed() < RETRY
            });
            if !resting && let Some(worker) = start(database) {
                workers.insert(database, Started { worker, at: Instant::now() });
            }
        }
    }
}

/// Starts a worker; `None` if the server has no slot left, which the next look
/// tries again.
fn start(database: pg_sys::Oid) -> Option<DynamicBackgroundWorker> {
    BackgroundWorkerBuilder::new("muninn worker")
        .set_library("muninn")
        .set_function("muninn_worker_main")
        .set_argument(database.into_datum())
        .enable_spi_access()
        .set_notify_pid(std::process::id() as i32)
        .load_dynamic()
        .ok()
}
