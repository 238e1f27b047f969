//! Schema `muninn_admin`: what works across people.

use pgrx::prelude::*;

use crate::worker;

/// The tasks that this library knows, and how often each runs by default; NULL is
/// whenever there is something to do.
#[pg_extern(stable)]
fn known_tasks()
-> TableIterator<'static, (name!(name, &'static str), name!(every, Option<&'static str>))> {
    TableIterator::new(worker::TASKS.iter().map(|task| (task.name, task.every)))
}

#[pg_schema]
mod muninn_admin {
    use pgrx::pg_sys::panic::ErrorReport;
    use pgrx::prelude::*;

    use crate::error::Error;
    use crate::worker;

    /// Runs a task of the worker now, in this transaction, until it has nothing
    /// left to do; returns the rows it handled.
    ///
    /// Errors: 22023 for an unknown task; 55000 without the model's files.
    #[pg_extern]
    #[search_path(pg_catalog, pg_temp)]
    fn run_worker(task: Option<&str>) -> Result<i64, ErrorReport> {
        let task = task.ok_or(Error::Null("task"))?;
        Ok(worker::run_task(task)?.unwrap_or_else(|| {
            notice!("somebody else is running the task {task} at this moment");
            0
        }))
    }
}
