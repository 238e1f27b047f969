//! `DROP EXTENSION muninn` refuses while there are memories.
#![expect(unsafe_code, reason = "an event trigger is called by Postgres through a symbol")]

use pgrx::pg_sys;
use pgrx::prelude::*;

use crate::error::Error;
use crate::store::presence;
use crate::{config, pg};

/// That the function follows the usual convention: Postgres asks for it by name.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn pg_finfo_refuse_drop() -> *const pg_sys::Pg_finfo_record {
    static RECORD: pg_sys::Pg_finfo_record = pg_sys::Pg_finfo_record { api_version: 1 };
    &raw const RECORD
}

/// The event trigger: raises 55006 where a statement would drop the extension
/// with memories in it, unless `muninn.allow_drop` is on.
///
/// # Safety
/// Called by Postgres alone.
#[pg_guard]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn refuse_drop(call: pg_sys::FunctionCallInfo) -> pg_sys::Datum {
    // SAFETY: the argument is what Postgres has passed.
    let dropped = unsafe { pg::dropped_extensions(call) };
    let takes_ours = dropped.is_some_and(|dropped| {
        dropped.names.iter().any(|name| name == "muninn" || (name == "vector" && dropped.cascade))
    });
    if takes_ours && let Err(error) = prepare_drop() {
        std::panic::panic_any(pg_sys::panic::ErrorReport::from(error));
    }
    pg_sys::Datum::from(0)
}

fn prepare_drop() -> Result<(), Error> {
    if !config::ALLOW_DROP.get() && presence::any_memory()? {
        return Err(Error::HasMemories);
    }
    presence::stop_tasks()
}
