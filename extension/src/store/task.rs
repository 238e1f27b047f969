//! When tasks are due, and what became of their runs.

use pgrx::datum::TimestampWithTimeZone;

use super::spi::{execute, must, read_newest, write};
use crate::error::Error;

/// A task that should run now.
pub struct Due {
    pub name: String,
    /// By the clock, not whenever there is something to do.
    pub scheduled: bool,
    /// Whether its last run failed.
    pub failing: bool,
}

/// The tasks that should run now.
pub fn due() -> Result<Vec<Due>, Error> {
    read_newest("SELECT d.name, d.scheduled, d.failing FROM muninn.due_tasks() d", &[], |row| {
        Ok(Due {
            name: must(row, 1, "name")?,
            scheduled: must(row, 2, "schedule")?,
            failing: must(row, 3, "state")?,
        })
    })
}

/// Notes that a run begins; `false` where somebody else is at it.
pub fn begin(name: &str) -> Result<bool, Error> {
    let rows =
        write("SELECT muninn.begin_run($1)", &[name.into()], |row| must::<bool>(row, 1, "answer"))?;
    Ok(rows.contains(&true))
}

/// Keeps what became of a run.
pub fn record(
    name: &str,
    started: TimestampWithTimeZone,
    rows: i64,
    error: Option<&str>,
    ran_by: &str,
) -> Result<(), Error> {
    // Of one that failed it is not known how many rows it handled.
    let rows = error.is_none().then_some(rows);
    execute(
        "SELECT muninn.record_run($1, $2, $3, $4, $5)",
        &[name.into(), started.into(), rows.into(), error.into(), ran_by.into()],
    )
}

/// Keeps that the calling role has run a task.
pub fn record_call(name: &str, started: TimestampWithTimeZone, rows: i64) -> Result<(), Error> {
    execute(
        "SELECT muninn.record_run($1, $2, $3, NULL, muninn.caller_name())",
        &[name.into(), started.into(), rows.into()],
    )
}

/// Keeps that a run ended with its turn, before it had done all.
pub fn unfinished(name: &str) -> Result<(), Error> {
    execute("UPDATE muninn.task t SET unfinished = true WHERE t.name = $1", &[name.into()])
}

/// Lets tasks that fail be tried at once.
pub fn retry() -> Result<(), Error> {
    execute("SELECT muninn.retry_tasks()", &[])
}

/// Drops link codes and records of runs that have had their time; returns how many.
pub fn drop_expired() -> Result<i64, Error> {
    write("SELECT muninn.drop_expired()", &[], |row| must(row, 1, "count"))?
        .pop()
        .ok_or(Error::Missing("count"))
}
