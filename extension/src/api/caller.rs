//! Who calls, for functions in SQL.

use pgrx::pg_sys;
use pgrx::prelude::*;

use crate::pg;

/// Oid of the role that the session acts as: who connected, or what `SET ROLE`
/// made of it; not the owner of a function that runs as its owner.
#[pg_extern(stable, parallel_restricted)]
fn caller() -> pg_sys::Oid {
    pg::caller()
}

/// Whether the calling role is a superuser.
#[pg_extern(stable, parallel_restricted)]
fn caller_is_superuser() -> bool {
    pg::caller_is_superuser()
}
