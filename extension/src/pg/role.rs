//! Who calls.

use pgrx::pg_sys;

/// The role that the session acts as: who connected, or what `SET ROLE` made of
/// it. A function that runs as its owner does not change it, and no setting does.
pub fn caller() -> pg_sys::Oid {
    // SAFETY: reads a variable of the process, which is set before any SQL runs.
    unsafe { pg_sys::GetOuterUserId() }
}

/// Whether that is a superuser.
pub fn caller_is_superuser() -> bool {
    // SAFETY: looks the role up in the catalogue, in the transaction that calls.
    unsafe { pg_sys::superuser_arg(caller()) }
}
