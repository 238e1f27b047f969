//! One run of a task by the worker.

use std::time::{Duration, Instant};

use pgrx::pg_sys;
use pgrx::prelude::*;

use super::task::{Task, Work};
use crate::error::Error;
use crate::store::task::{self, Due};
use crate::{pg, store};

/// After so long the other tasks have their turn; what is left is the next run's.
const TURN: Duration = Duration::from_secs(10);
/// Who runs it, for its record.
const WORKER: &str = "worker";

/// A run that is under way.
pub struct Run {
    task: &'static Task,
    began: Instant,
    rows: i64,
    more: bool,
}

impl Run {
    /// Runs a task that is due and keeps what became of it; `true` if there may be
    /// more to do at once.
    pub fn of(task: &'static Task, due: &Due) -> bool {
        // Only what runs by the clock: the others look every few seconds, and a look
        // that finds nothing should write nothing.
        if due.scheduled && !matches!(in_transaction(|| task::begin(task.name)), Ok(true)) {
            return false;
        }
        let started = clock_timestamp();
        let mut run = Self { task, began: Instant::now(), rows: 0, more: false };
        let result = run.work();
        if due.scheduled || due.failing || run.rows > 0 || result.is_err() {
            let (rows, error) = (run.rows, result.as_ref().err().map(String::as_str));
            in_transaction(|| task::record(task.name, started, rows, error, WORKER)).ok();
        }
        let more = run.more && result.is_ok();
        if more && due.scheduled {
            in_transaction(|| task::unfinished(task.name)).ok();
        }
        more
    }

    fn work(&mut self) -> Result<(), String> {
        match self.task.work {
            Work::Once(work) => {
                let rows = self.step(work)?;
                self.add(rows.unwrap_or(0));
                Ok(())
            }
            Work::Own { by_itself, .. } => by_itself(self),
            Work::Steps(step) => {
                while self.goes_on() {
                    match self.step(step)?.flatten() {
                        Some(rows) => self.add(rows),
                        None => break,
                    }
                }
                Ok(())
            }
        }
    }

    /// Does a part of the work in a transaction of its own; `None` where somebody
    /// else is at this task. What goes wrong is logged and rolled back.
    pub fn step<R>(
        &mut self,
        part: impl FnOnce() -> Result<R, Error>,
    ) -> Result<Option<R>, String> {
        let task = self.task;
        in_transaction(|| if task.enter() { part().map(Some) } else { Ok(None) })
    }

    /// Counts rows that were handled.
    pub fn add(&mut self, rows: i64) {
        self.rows += rows;
    }

    /// Whether there is time for another part; if not, there may be more to do.
    pub fn goes_on(&mut self) -> bool {
        self.more = self.began.elapsed() >= TURN;
        !self.more
    }
}

/// Runs a step in a transaction of its own; what goes wrong is logged and
/// rolled back.
pub fn in_transaction<R>(step: impl FnOnce() -> Result<R, Error>) -> Result<R, String> {
    let begun = || match store::presence::begin_task() {
        Ok(true) => step(),
        Ok(false) => Err(Error::Dropping),
        Err(error) => Err(error),
    };
    pg::transaction(|| match begun() {
        Ok(result) => result,
        Err(error) => std::panic::panic_any(pg_sys::panic::ErrorReport::from(error)),
    })
}
