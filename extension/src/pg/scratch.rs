//! Memory of Postgres for one step of a long call.

use pgrx::pg_sys;

/// Runs a step and gives back what Postgres allocated for it. Otherwise what is made
/// for each statement, its arguments above all, stays until the whole call ends.
pub fn in_scratch<R>(step: impl FnOnce() -> R) -> R {
    // SAFETY: the new context is a child of the current one, so that an error which
    // leaves this function frees it with that; what Rust returns owns its memory.
    unsafe {
        let scratch = pg_sys::AllocSetContextCreateInternal(
            pg_sys::CurrentMemoryContext,
            c"muninn scratch".as_ptr(),
            pg_sys::ALLOCSET_DEFAULT_MINSIZE as usize,
            pg_sys::ALLOCSET_DEFAULT_INITSIZE as usize,
            pg_sys::ALLOCSET_DEFAULT_MAXSIZE as usize,
        );
        let before = pg_sys::MemoryContextSwitchTo(scratch);
        let result = step();
        pg_sys::MemoryContextSwitchTo(before);
        pg_sys::MemoryContextDelete(scratch);
        result
    }
}
