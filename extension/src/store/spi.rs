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
    static PLANS: RefCell<HashMap<String, Plan>> = RefCell::new(HashMap::new());
}

fn plan(sql: &str, args: &[DatumWithOid<'_>]) -> Result<Plan, Error> {
    if let Some(plan) = PLANS.with_borrow(|plans| plans.get(sql).copied()) {
        return Ok(plan);
    }
    let plan = pg::prepare(sql, args).ok_or(Error::Spi("prepare"))?;
    PLANS.with_borrow_mut(|plans| plans.insert(sql.to_owned(), plan));
    Ok(plan)
}

/// Runs a statement that sees what is told, and hands each row to `row`.
pub fn run<R>(
    sql: &str,
    args: &[DatumWithOid<'_>],
    sees: Sees,
    mut row: impl FnMut(&Row<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    Spi::connect(|_| {
        let plan = plan(sql, args)?;
        let mut rows = Ok(Vec::new());
        let code = pg::run(plan, args, sees, &mut |next| {
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
