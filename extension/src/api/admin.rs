//! Schema `muninn_admin`: what works across people.

use pgrx::prelude::*;

#[pg_schema]
mod muninn_admin {
    use pgrx::pg_sys::panic::ErrorReport;
    use pgrx::prelude::*;

    use crate::error::Error;
    use crate::worker;

    /// Runs a task of the worker now, in this transaction, until it has nothing
    /// left to do; returns the rows it handled. Tasks: audit, contradiction, embedding, index,
    /// review.
    ///
    /// Errors: 22023 for an unknown task; 55000 without the model's files.
    #[pg_extern]
    #[search_path(pg_catalog, pg_temp)]
    fn run_worker(task: Option<&str>) -> Result<i64, ErrorReport> {
        let task = task.ok_or(Error::Null("task"))?;
        Ok(worker::run_task(task)?)
    }
}
