//! What a process of Postgres does for itself: signals, connections,
//! transactions that may fail.

use std::ffi::{CStr, c_int};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;

use pgrx::bgworkers::{BackgroundWorker, SignalWakeFlags};
use pgrx::prelude::*;
use pgrx::{FromDatum, PgTryBuilder, pg_sys};

/// Whether the library is being loaded by the server itself at its start.
pub fn preloading() -> bool {
    // SAFETY: a plain flag, read in the only thread.
    unsafe { pg_sys::process_shared_preload_libraries_in_progress }
}

/// Whether this server is a standby or still recovering.
pub fn in_recovery() -> bool {
    // SAFETY: reads a flag of the process or of shared memory.
    unsafe { pg_sys::RecoveryInProgress() }
}

/// Whether this transaction sees one state of the database all along
/// (repeatable read, serializable).
pub fn keeps_one_snapshot() -> bool {
    // SAFETY: a plain variable, read in the only thread.
    unsafe { pg_sys::XactIsoLevel >= pg_sys::XACT_REPEATABLE_READ as i32 }
}

/// Keeps the insides of the library out of error messages: a server that was
/// started with RUST_BACKTRACE set would add them to every error's detail.
pub fn hide_backtraces() {
    // SAFETY: called while the library is loaded, when the process has one thread.
    unsafe { std::env::set_var("RUST_LIB_BACKTRACE", "0") }
}

/// The folder of files that this installation of Postgres shares.
pub fn share_folder() -> PathBuf {
    let mut path = [0; pg_sys::MAXPGPATH as usize];
    // SAFETY: my_exec_path is set before any library is loaded; the result is
    // NUL-terminated within MAXPGPATH bytes.
    let path = unsafe {
        pg_sys::get_share_path(std::ptr::addr_of!(pg_sys::my_exec_path).cast(), path.as_mut_ptr());
        CStr::from_ptr(path.as_ptr())
    };
    PathBuf::from(path.to_string_lossy().into_owned())
}

unsafe extern "C-unwind" {
    /// Postgres's own handler of SIGTERM, as it is: a handler must not be wrapped.
    fn die(signal: c_int);
}

/// Lets a worker hear SIGHUP (a flag, see [`reload_settings`]) and end on
/// SIGTERM at its next look for interrupts, which every wait contains.
pub fn handle_signals() {
    // SAFETY: installs Postgres's own handler in the only thread, before
    // signals are unblocked.
    unsafe {
        #[cfg(not(feature = "pg18"))]
        pg_sys::pqsignal(pg_sys::SIGTERM as i32, Some(die));
        #[cfg(feature = "pg18")]
        pg_sys::pqsignal_be(pg_sys::SIGTERM as i32, Some(die));
    }
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGHUP);
}

/// Reads the configuration again if the server was told to; whether it was.
pub fn reload_settings() -> bool {
    let told = BackgroundWorker::sighup_received();
    if told {
        // SAFETY: outside a transaction, in the only thread.
        unsafe { pg_sys::ProcessConfigFile(pg_sys::GucContext::PGC_SIGHUP) }
    }
    told
}

/// Connects a worker without a database: only catalogs of the cluster can be read.
pub fn connect_to_shared_catalogs() {
    BackgroundWorker::connect_worker_to_spi(None, None);
}

/// Connects a worker to the database with this oid, as the bootstrap superuser.
pub fn connect_to_database(oid: pg_sys::Oid) {
    BackgroundWorker::connect_worker_to_spi_by_oid(Some(oid), None);
}

/// Runs `body` once this transaction has committed, while it still holds its
/// locks. `body` cannot fail.
pub fn when_committed(
    body: impl FnOnce() + Send + std::panic::UnwindSafe + std::panic::RefUnwindSafe + 'static,
) {
    pgrx::register_xact_callback(pgrx::PgXactCallbackEvent::Commit, body);
}

/// The oid that a worker was started with.
pub fn oid_argument(argument: pg_sys::Datum) -> pg_sys::Oid {
    // SAFETY: the launcher passes an oid, by value.
    unsafe { pg_sys::Oid::from_datum(argument, false) }.unwrap_or(pg_sys::InvalidOid)
}

/// Tells the statistics what the transaction did: autovacuum goes by them.
///
/// # Safety
/// Only outside a transaction.
unsafe fn report_activity() {
    // SAFETY: the caller is outside a transaction.
    unsafe {
        pg_sys::pgstat_report_stat(true);
        pg_sys::pgstat_report_activity(pg_sys::BackendState::STATE_IDLE, std::ptr::null());
    }
}

/// Runs `body` in a transaction of its own, with a snapshot, and commits it. An
/// error rolls back, goes to the server log and comes back as `Err(message)`;
/// the worker lives on.
pub fn transaction<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    // SAFETY: called by a worker outside of any transaction; each start is
    // matched by the commit here or the abort below.
    unsafe {
        pg_sys::SetCurrentStatementStartTimestamp();
        pg_sys::StartTransactionCommand();
    }
    PgTryBuilder::new(AssertUnwindSafe(|| {
        // SAFETY: inside the transaction that was started above.
        unsafe { pg_sys::PushActiveSnapshot(pg_sys::GetTransactionSnapshot()) };
        let result = body();
        // SAFETY: pops what was pushed; `body` leaves the stack as it found it.
        unsafe {
            pg_sys::PopActiveSnapshot();
            pg_sys::CommitTransactionCommand();
            report_activity();
        }
        Ok(result)
    }))
    .catch_others(|error| {
        let message = match &error {
            pg_sys::panic::CaughtError::PostgresError(report)
            | pg_sys::panic::CaughtError::ErrorReport(report)
            | pg_sys::panic::CaughtError::RustPanic { ereport: report, .. } => {
                report.message().to_owned()
            }
        };
        // SAFETY: the error has been taken; aborting puts the session in order.
        unsafe {
            pg_sys::AbortOutOfAnyTransaction();
            pg_sys::FlushErrorState();
            report_activity();
        }
        warning!("muninn worker: {message}");
        Err(message)
    })
    .execute()
}
