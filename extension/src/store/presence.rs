//! Whether the extension is in this database, and that one worker is.

use super::spi::{execute, must, read, read_newest};
use crate::error::Error;
use crate::pg;

/// Whether the extension is in this database.
pub fn installed() -> Result<bool, Error> {
    let rows =
        read("SELECT FROM pg_catalog.pg_extension WHERE extname = 'muninn'", &[], |_| Ok(()))?;
    Ok(!rows.is_empty())
}

/// Makes this process the worker of its database; `false` where the extension
/// is absent or another worker is there.
pub fn enter() -> Result<bool, Error> {
    Ok(prepare()? && pg::take_worker_lock())
}

/// Makes ready a process that works by itself; `false` where the extension is absent.
pub fn prepare() -> Result<bool, Error> {
    if !installed()? {
        return Ok(false);
    }
    // Everything else that a session of this library runs has this path pinned.
    execute("SET search_path = pg_catalog, pg_temp", &[])?;
    // What is lost in a crash is owed again, so no commit has to wait for the disk.
    execute("SET synchronous_commit = off", &[])?;
    // What a database sets for its sessions is not meant for this one.
    execute("SET default_transaction_read_only = off", &[])?;
    execute("SET default_transaction_isolation = 'read committed'", &[])?;
    execute("SET statement_timeout = 0", &[])?;
    Ok(true)
}

/// Whether there is any memory at all.
pub fn any_memory() -> Result<bool, Error> {
    let rows = read_newest("SELECT EXISTS (SELECT FROM muninn.memory)", &[], |row| {
        must::<bool>(row, 1, "answer")
    })?;
    Ok(rows.contains(&true))
}

/// Lets a task of the worker begin, whose transaction then touches several
/// tables; `false` while the extension is being dropped.
pub fn begin_task() -> Result<bool, Error> {
    let rows = read_newest("SELECT pg_try_advisory_xact_lock_shared(1836412526, 2)", &[], |row| {
        must::<bool>(row, 1, "answer")
    })?;
    Ok(rows.contains(&true))
}

/// Waits until no task of the worker is under way, and lets none begin before
/// this transaction has ended: a drop locks all tables, in an order of its own.
pub fn stop_tasks() -> Result<(), Error> {
    execute("SELECT pg_advisory_xact_lock(1836412526, 2)", &[])
}
