//! The launcher: keeps a worker in each database, and a collector where recalls
//! wait to be stored.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use pgrx::bgworkers::{BackgroundWorker, BackgroundWorkerBuilder, DynamicBackgroundWorker};
use pgrx::prelude::*;
use pgrx::{IntoDatum, pg_sys};

use crate::pg::{self, Mark};
use crate::shmem;

/// How often the launcher looks for databases, for workers that have ended, and for
/// who wants a database for themselves: they wait five seconds.
const LOOK: Duration = Duration::from_secs(1);
/// A database without the extension, or whose worker has failed, is tried again
/// after this time, and twice that after each further one, up to the longest.
const RETRY: Duration = Duration::from_secs(15);
const LONGEST: Duration = Duration::from_secs(60);
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

/// A worker, and when its database may be tried again if it has ended.
struct Started {
    worker: DynamicBackgroundWorker,
    at: Instant,
    pause: Duration,
}

impl Started {
    fn runs(&self) -> bool {
        self.worker.pid().is_ok()
    }
}

/// What the launcher knows of the databases.
#[derive(Default)]
struct Databases {
    workers: HashMap<pg_sys::Oid, Started>,
    collectors: HashMap<pg_sys::Oid, Started>,
    without_slot: HashSet<pg_sys::Oid>,
}

/// Entry point of the launcher.
#[pg_guard]
#[expect(unsafe_code, reason = "Postgres finds the entry point by its name")]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn muninn_launcher_main(_argument: pg_sys::Datum) {
    pg::handle_signals();
    pg::connect_to_shared_catalogs();
    pg::transaction(|| pg::mark(Mark::Launcher, pg_sys::InvalidOid)).ok();
    // Recalls that nobody collects wake it.
    shmem::launch();
    let mut known = Databases::default();
    while BackgroundWorker::wait_latch(Some(LOOK)) {
        pg::reload_settings();
        let looked = pg::transaction(|| {
            let databases = pg::connectable_databases();
            databases.into_iter().map(|oid| (oid, pg::is_wanted(oid))).collect::<Vec<_>>()
        });
        let Ok(databases) = looked else { continue };
        known.keep(&databases);
        for (database, wanted) in databases {
            if wanted {
                known.leave(database);
            } else {
                known.enter(database);
                known.collect(database);
            }
        }
    }
}

impl Databases {
    /// Drops what is known of databases that are gone.
    fn keep(&mut self, there: &[(pg_sys::Oid, bool)]) {
        let there: HashSet<pg_sys::Oid> = there.iter().map(|(database, _)| *database).collect();
        self.workers.retain(|database, _| there.contains(database));
        self.collectors.retain(|database, _| there.contains(database));
        let gone: Vec<_> = self.without_slot.difference(&there).copied().collect();
        for database in gone {
            self.has_slot(database);
        }
    }

    /// Ends the worker of a database that somebody wants for themselves, whatever it
    /// is doing: that is rolled back, and done by the next one.
    fn leave(&mut self, database: pg_sys::Oid) {
        if let Some(started) = self.collectors.remove(&database)
            && started.runs()
        {
            started.worker.terminate();
        }
        if let Some(started) = self.workers.remove(&database)
            && started.runs()
        {
            log!(
                "muninn: the worker of database {database} makes room for who wants it for themselves"
            );
            started.worker.terminate();
        }
    }

    /// Starts the worker of a database, unless it runs or has just ended.
    fn enter(&mut self, database: pg_sys::Oid) {
        let mut pause = RETRY;
        if let Some(started) = self.workers.get(&database) {
            let age = started.at.elapsed();
            if started.runs() || age < started.pause {
                return;
            }
            // One that ran for long has not failed to start.
            if age < started.pause * 2 {
                pause = (started.pause * 2).min(LONGEST);
            }
        }
        match start("worker", database) {
            Some(worker) => {
                self.workers.insert(database, Started { worker, at: Instant::now(), pause });
                self.has_slot(database);
            }
            None => self.lacks_slot(database),
        }
    }

    /// Starts the collector of a database where recalls wait and there is none. Without
    /// a slot the worker collects, once a minute.
    fn collect(&mut self, database: pg_sys::Oid) {
        let resting = self
            .collectors
            .get(&database)
            .is_some_and(|started| started.runs() || started.at.elapsed() < started.pause);
        if !resting
            && shmem::needs_collector(database.to_u32())
            && let Some(worker) = start("collector", database)
        {
            self.collectors.insert(database, Started { worker, at: Instant::now(), pause: SOON });
        }
    }

    /// Says where a worker waits for a slot, for `muninn.status()` and the log.
    fn lacks_slot(&mut self, database: pg_sys::Oid) {
        if self.without_slot.insert(database) {
            pg::transaction(|| pg::mark(Mark::WaitsForSlot, database)).ok();
            log!(
                "muninn: no worker slot is free for database {database}; raise max_worker_processes"
            );
        }
    }

    fn has_slot(&mut self, database: pg_sys::Oid) {
        if self.without_slot.remove(&database) {
            pg::transaction(|| pg::unmark(Mark::WaitsForSlot, database)).ok();
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
