//! Settings of Postgres itself, changed for the length of a scope.

use std::ffi::CStr;

use pgrx::pg_sys;

/// Keeps others from making settings named `muninn.…`, so that a misspelt one
/// is an error.
pub fn reserve_prefix() {
    // SAFETY: a constant, NUL-terminated name; Postgres copies it.
    unsafe { pg_sys::MarkGUCPrefixReserved(c"muninn".as_ptr()) }
}

/// Settings that hold until this value is dropped; an error restores them too,
/// since Postgres unwinds its stack of settings with the transaction.
pub struct Overrides {
    level: i32,
}

impl Overrides {
    /// Sets each name to its value, as the calling function's `SET` clause would.
    pub fn set(settings: &[(&CStr, &CStr)]) -> Self {
        // SAFETY: opens a nest level that `drop` closes, in stack order because
        // the value is owned by one scope.
        let level = unsafe { pg_sys::NewGUCNestLevel() };
        for (name, value) in settings {
            // SAFETY: both are NUL-terminated and copied by Postgres.
            unsafe {
                pg_sys::set_config_option(
                    name.as_ptr(),
                    value.as_ptr(),
                    pg_sys::GucContext::PGC_USERSET,
                    pg_sys::GucSource::PGC_S_SESSION,
                    pg_sys::GucAction::GUC_ACTION_SAVE,
                    true,
                    0,
                    false,
                );
            }
        }
        Self { level }
    }
}

/// Has plans read by indexes while the value lives; nothing where that holds already,
/// which spares the statements of a search the way there and back.
pub fn by_indexes() -> Option<Overrides> {
    // SAFETY: the value of a setting, which only this process changes.
    let reads_whole_tables = unsafe { pg_sys::enable_seqscan };
    reads_whole_tables.then(|| Overrides::set(&[(c"enable_seqscan", c"off")]))
}

impl Drop for Overrides {
    fn drop(&mut self) {
        // While an error unwinds, the abort of the (sub)transaction does this,
        // and its settings must not be touched before.
        if !std::thread::panicking() {
            // SAFETY: closes the level that `set` opened.
            unsafe { pg_sys::AtEOXact_GUC(true, self.level) }
        }
    }
}
