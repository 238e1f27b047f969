//! Statements, prepared once a session and kept.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;

use pgrx::datum::DatumWithOid;
use pgrx::prelude::PgSqlErrorCode;
use pgrx::spi::Spi;
use pgrx::{FromDatum, IntoDatum, PgTryBuilder};

use crate::error::Error;
use crate::pg::{self, Plan, Row, Sees};

thread_local! {
    static PLANS: RefCell<HashMap<String, Kept>> = RefCell::new(HashMap::new());
}

/// A plan that is kept.
struct Kept {
    plan: Plan,
    /// How often it was asked for.
    uses: u32,
    /// How many runs of it are under way.
    running: u32,
}

impl Kept {
    /// Whether it is time to plan anew: at 8 uses, 32, 128 and so on. What was planned
    /// for an empty table would read by an index that is wrong for a large one, and that
    /// it has grown is known from statistics only once the load is committed.
    fn is_old(&self) -> bool {
        self.uses >= 8 && self.uses.is_power_of_two() && self.uses.trailing_zeros() % 2 == 1
    }
}

/// A plan that is being run.
struct InUse<'a> {
    sql: &'a str,
    plan: Plan,
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        PLANS.with_borrow_mut(|plans| {
            if let Some(kept) = plans.get_mut(self.sql) {
                kept.running -= 1;
            }
        });
    }
}

fn plan<'a>(sql: &'a str, args: &[DatumWithOid<'_>]) -> Result<InUse<'a>, Error> {
    let known = PLANS.with_borrow_mut(|plans| {
        let kept = plans.get_mut(sql)?;
        kept.uses = kept.uses.saturating_add(1);
        if kept.is_old() && kept.running == 0 {
            return None;
        }
        kept.running += 1;
        Some(kept.plan)
    });
    if let Some(plan) = known {
        return Ok(InUse { sql, plan });
    }
    let plan = pg::prepare(sql, args).ok_or(Error::Spi("prepare"))?;
    PLANS.with_borrow_mut(|plans| match plans.get_mut(sql) {
        Some(kept) => {
            pg::forget(std::mem::replace(&mut kept.plan, plan));
            kept.running += 1;
        }
        None => {
            plans.insert(sql.to_owned(), Kept { plan, uses: 1, running: 1 });
        }
    });
    Ok(InUse { sql, plan })
}

/// Runs a statement that sees what is told, and hands each row to `row`.
///
/// By indexes, whatever the planner believes: all lead with the scope, which is right
/// at any size, also where a table has grown since its statistics were taken. A plan is
/// made once (see [`pg::prepare`]), and so are those of foreign keys: from statistics of
/// an empty table each row of a large load would read all those before it.
pub fn run<R>(
    sql: &str,
    args: &[DatumWithOid<'_>],
    sees: Sees,
    mut row: impl FnMut(&Row<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    let _indexes = pg::by_indexes();
    Spi::connect(|_| {
        let used = plan(sql, args)?;
        let mut rows = Ok(Vec::new());
        let code = pg::run(used.plan, args, sees, &mut |next| {
            let Ok(found) = &mut rows else { return false };
            match row(next) {
                Ok(value) => found.push(value),
                Err(error) => rows = Err(error),
            }
            rows.is_ok()
        });
        if code < 0 { Err(Error::Spi("run")) } else { rows }
    })
}

/// Runs a query that writes nothing, so that it also works on a standby, and
/// hands each row to `row`. It sees what the statement sees that called: all
/// queries of one search see the same.
pub fn read<R>(
    sql: &str,
    args: &[DatumWithOid<'_>],
    row: impl FnMut(&Row<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    run(sql, args, Sees::WhatTheCallerSees, row)
}

/// Like [`read`], but sees what [`write`] sees: for what is read to be changed.
pub fn read_newest<R>(
    sql: &str,
    args: &[DatumWithOid<'_>],
    row: impl FnMut(&Row<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    run(sql, args, Sees::Newest, row)
}

/// Runs a statement that may write and hands each row to `row`. It sees what
/// was committed before it began, and what the transaction itself has written.
pub fn write<R>(
    sql: &str,
    args: &[DatumWithOid<'_>],
    row: impl FnMut(&Row<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    // Asked here, as the first thing that a write does is to take a transaction
    // id, which fails on a standby as an internal error.
    if pg::in_recovery() {
        return Err(Error::ReadOnly);
    }
    // What a row of ours refers to was there when this call began.
    PgTryBuilder::new(AssertUnwindSafe(|| run(sql, args, Sees::Newest, row)))
        .catch_when(PgSqlErrorCode::ERRCODE_FOREIGN_KEY_VIOLATION, |_| Err(Error::Gone))
        .execute()
}

/// Runs a statement whose rows, if any, do not matter.
pub fn execute(sql: &str, args: &[DatumWithOid<'_>]) -> Result<(), Error> {
    write(sql, args, |_| Ok(())).map(drop)
}

/// A column that is never NULL.
pub fn must<T: IntoDatum + FromDatum + 'static>(
    row: &Row<'_>,
    ordinal: usize,
    name: &'static str,
) -> Result<T, Error> {
    row.get(ordinal).ok_or(Error::Missing(name))
}

/// A column of bytes that is never NULL.
pub fn must_bytes<'a>(
    row: &'a Row<'_>,
    ordinal: usize,
    name: &'static str,
) -> Result<&'a [u8], Error> {
    row.bytes(ordinal).ok_or(Error::Missing(name))
}
