//! Whether the extension is in this database, and that one worker is.

use super::spi::{execute, must, read};
use crate::error::Error;

/// Names the lock that the worker of a database holds for as long as it lives:
/// (class, object) of `pg_locks`, also read by `muninn.status()`.
const WORKER_LOCK: (i32, i32) = (1_836_412_526, 1);

/// Whether the extension is in this database.
pub fn installed() -> Result<bool, Error> {
    let rows =
        read("SELECT FROM pg_catalog.pg_extension WHERE extname = 'muninn'", &[], |_| Ok(()))?;
    Ok(!rows.is_empty())
}

/// Makes this process the worker of its database; `false` where the extension
/// is absent or another worker is there.
pub fn enter() -> Result<bool, Error> {
    if !installed()? {
        return Ok(false);
    }
    // Everything else that a session of this library runs has this path pinned.
    execute("SET search_path = pg_catalog, pg_temp", &[])?;
    // What is lost in a crash is owed again, so no commit has to wait for the disk.
    execute("SET synchronous_commit = off", &[])?;
    let (class, object) = WORKER_LOCK;
    let got: Vec<bool> = read(
        "SELECT pg_catalog.pg_try_advisory_lock($1, $2)",
        &[class.into(), object.into()],
        |row| must(row, 1, "lock"),
    )?;
    Ok(got == [true])
}
