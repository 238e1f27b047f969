//! The tasks: what each is called, when it runs, and what it does.

use super::run::Run;
use super::{audit, contradiction, embedding, index, learning};
use crate::error::Error;
use crate::pg;
use crate::store::task::drop_expired;

/// Every task, in the order in which one look of the worker takes them. A new one
/// is a line here.
pub static TASKS: &[Task] = &[
    Task { name: "index", every: None, shared: true, work: Work::Steps(index::run_one) },
    Task { name: "audit", every: None, shared: true, work: Work::Steps(audit::seal) },
    Task {
        name: "review",
        every: Some("1 minute"),
        shared: true,
        work: Work::Steps(audit::expire),
    },
    Task { name: "expiry", every: Some("1 hour"), shared: false, work: Work::Once(drop_expired) },
    Task {
        name: "embedding",
        every: None,
        shared: true,
        work: Work::Own { by_hand: embedding::run_all, by_itself: embedding::run },
    },
    // Has a lock of its own, as the collector does the same.
    Task {
        name: "activation",
        every: Some("1 minute"),
        shared: true,
        work: Work::Steps(learning::collect),
    },
    Task {
        name: "hebbian",
        every: Some("1 minute"),
        shared: true,
        work: Work::Steps(learning::learn),
    },
    Task {
        name: "confidence",
        every: Some("10 minutes"),
        shared: true,
        work: Work::Steps(learning::weigh),
    },
    // Two who find the same pairs in another order would wait for each other crosswise.
    Task {
        name: "contradiction",
        every: Some("30 minutes"),
        shared: false,
        work: Work::Own { by_hand: contradiction::run_all, by_itself: contradiction::run },
    },
    Task {
        name: "decay",
        every: Some("1 hour"),
        shared: false,
        work: Work::Own { by_hand: learning::fade_all, by_itself: learning::fade },
    },
];

/// What the worker does from time to time.
pub struct Task {
    pub name: &'static str,
    /// How often, as Postgres writes an interval, unless an operator says
    /// otherwise; `None`: at every look, which has to be cheap where there is
    /// nothing to do.
    pub every: Option<&'static str>,
    /// Whether two can be at it at once, each doing a part.
    pub shared: bool,
    pub work: Work,
}

/// What there is to do, in rows that were handled.
#[derive(Clone, Copy)]
pub enum Work {
    /// Done by one call, in one transaction.
    Once(fn() -> Result<i64, Error>),
    /// Called until it returns `None`, as nothing is left that nobody else is at;
    /// by the worker in a transaction each time.
    Steps(fn() -> Result<Option<i64>, Error>),
    /// Cuts its work into transactions itself where the worker does it.
    Own { by_hand: fn() -> Result<i64, Error>, by_itself: fn(&mut Run) -> Result<(), String> },
}

/// The task of this name.
pub fn named(name: &str) -> Result<&'static Task, Error> {
    TASKS.iter().find(|task| task.name == name).ok_or_else(|| Error::UnknownTask(name.to_owned()))
}

/// The names of all, for messages.
pub fn names() -> String {
    let mut names: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
    names.sort_unstable();
    names.join(", ")
}

impl Task {
    /// Whether this transaction may do it: where two cannot be at it at once, it
    /// keeps others away until it ends.
    pub fn enter(&self) -> bool {
        self.shared || pg::take_task_lock(self.name)
    }

    /// Does all that there is to do, in the transaction of the caller; returns the
    /// rows it handled, `None` where somebody else is at it.
    pub fn run_by_hand(&self) -> Result<Option<i64>, Error> {
        if !self.enter() {
            return Ok(None);
        }
        match self.work {
            Work::Once(work) => work(),
            Work::Own { by_hand, .. } => by_hand(),
            Work::Steps(step) => {
                let mut rows = 0;
                while let Some(more) = step()? {
                    rows += more;
                }
                Ok(rows)
            }
        }
        .map(Some)
    }
}
