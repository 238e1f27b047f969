//! The launcher: keeps a worker in each database, and a collector where recalls
//! wait to be stored.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use pgrx::bgworkers::{BackgroundWorker, BackgroundWorkerBuilder, DynamicBackgroundWorker};
use pgrx::prelude::*;
use pgrx::{IntoDatum, pg_sys};

use crate::{pg, shmem};

/// How often the launcher looks for databases and for workers that have ended.
const LOOK: Duration = Duration::from_secs(5);
/// A database without the extension, or whose worker has failed, is tried again
/// after this time.
const RETRY: Duration = Duration::from_secs(15);
/// A collector that could not begin is tried again after this time.
const SOON: Duration = Duration::from_secs(2);

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
    // Recalls that nobody collects wake it.
    shmem::launch();
    let mut collectors: HashMap<pg_sys::Oid, Started> = HashMap::new();
    let mut workers: HashMap<pg_sys::Oid, Started> = HashMap::new();
    while BackgroundWorker::wait_latch(Some(LOOK)) {
        pg::reload_settings();
        let Ok(databases) = pg::transaction(pg::connectable_databases) else { continue };
        workers.retain(|database, _| databases.contains(database));
        collectors.retain(|database, _| databases.contains(database));
        for database in databases {
            let resting = workers.get(&database).is_some_and(|started| {
                started.worker.pid().is_ok() || started.at.elapsed() < RETRY
            });
            if !resting && let Some(worker) = start("worker", database) {
                workers.insert(database, Started { worker, at: Instant::now() });
            }
            let starting = collectors
                .get(&database)
                .is_some_and(|started| started.worker.pid().is_ok() || started.at.elapsed() < SOON);
            if !starting
                && shmem::needs_collector(database.to_u32())
                && let Some(worker) = start("collector", database)
            {
                collectors.insert(database, Started { worker, at: Instant::now() });
            }
        }
    }
}

/// Starts a worker; `None` if the server has no slot left, which the next look
/// tries again.
fn start(what: &str, database: pg_sys::Oid) -> Option<DynamicBackgroundWorker> {
    BackgroundWorkerBuilder::new(&format!("muninn {what}"))
        .set_library("muninn")
        .set_function(&format!("muninn_{what}_main"))
        .set_argument(database.into_datum())
        .enable_spi_access()
        .set_notify_pid(std::process::id() as i32)
        .load_dynamic()
        .ok()
}
