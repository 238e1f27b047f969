//! Statements, prepared once a session and kept.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pgrx::datum::DatumWithOid;
use pgrx::pg_sys::PgOid;
use pgrx::spi::{OwnedPreparedStatement, Spi, SpiClient, SpiTupleTable};
use pgrx::{FromDatum, IntoDatum};

use crate::error::Error;
use crate::pg;

thread_local! {
    static PLANS: RefCell<HashMap<String, Rc<OwnedPreparedStatement>>> = RefCell::new(HashMap::new());
}

/// The plan of `sql` for arguments of these types. Postgres itself plans anew
/// when a table it uses changes.
fn plan(
    client: &SpiClient<'_>,
    sql: &str,
    args: &[DatumWithOid<'_>],
    writes: bool,
) -> Result<Rc<OwnedPreparedStatement>, Error> {
    if let Some(plan) = PLANS.with_borrow(|plans| plans.get(sql).cloned()) {
        return Ok(plan);
    }
    let types: Vec<PgOid> = args.iter().map(|arg| PgOid::from(arg.oid())).collect();
    let prepared =
        if writes { client.prepare_mut(sql, &types)? } else { client.prepare(sql, &types)? };
    let plan = Rc::new(prepared.keep());
    PLANS.with_borrow_mut(|plans| plans.insert(sql.to_owned(), Rc::clone(&plan)));
    Ok(plan)
}

/// Runs a query that writes nothing, so that it also works on a standby, and
/// hands each row to `row`.
pub fn read<'a, R>(
    sql: &str,
    args: &[DatumWithOid<'a>],
    mut row: impl FnMut(&SpiTupleTable<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    Spi::connect(|client| {
        let plan = plan(client, sql, args, false)?;
        collect(client.select(plan.as_ref(), None, args)?, &mut row)
    })
}

/// Runs a statement that may write and hands each row to `row`.
pub fn write<'a, R>(
    sql: &str,
    args: &[DatumWithOid<'a>],
    mut row: impl FnMut(&SpiTupleTable<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    // Asked here, as the first thing that a write does is to take a transaction
    // id, which fails on a standby as an internal error.
    if pg::in_recovery() {
        return Err(Error::ReadOnly);
    }
    Spi::connect_mut(|client| {
        let plan = plan(client, sql, args, true)?;
        collect(client.update(plan.as_ref(), None, args)?, &mut row)
    })
}

/// Runs a statement whose rows, if any, do not matter.
pub fn execute(sql: &str, args: &[DatumWithOid<'_>]) -> Result<(), Error> {
    write(sql, args, |_| Ok(())).map(drop)
}

fn collect<R>(
    mut table: SpiTupleTable<'_>,
    row: &mut impl FnMut(&SpiTupleTable<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    let mut rows = Vec::with_capacity(table.len());
    while table.next().is_some() {
        rows.push(row(&table)?);
    }
    Ok(rows)
}

/// A column that is never NULL.
pub fn must<T: IntoDatum + FromDatum>(
    row: &SpiTupleTable<'_>,
    ordinal: usize,
    name: &'static str,
) -> Result<T, Error> {
    row.get::<T>(ordinal)?.ok_or(Error::Missing(name))
}
