//! The fence around unsafe code: whatever follows a Postgres pointer is here,
//! and nothing above it needs `unsafe`.
#![expect(unsafe_code, reason = "the only module that talks to Postgres directly")]

mod databases;
mod event_trigger;
mod guc;
mod jsonb;
mod lock;
mod process;
mod query;
mod role;
mod scratch;
mod shared;
mod vector;

pub use databases::connectable_databases;
pub use event_trigger::dropped_extensions;
pub use guc::{by_indexes, reserve_prefix};
pub use jsonb::Jsonb;
pub use lock::{
    Mark, is_wanted, mark, take_task_lock, take_task_lock_once, take_worker_lock, unmark,
};
pub use process::{
    connect_to_database, connect_to_shared_catalogs, handle_signals, hide_backtraces, in_recovery,
    keeps_one_snapshot, oid_argument, preloading, reload_settings, share_folder, transaction,
    when_committed,
};
pub use query::{Plan, Row, Sees, forget, prepare, run};
pub use role::{caller, caller_is_superuser};
pub use scratch::in_scratch;
pub use shared::{at_exit, own_database, own_latch, share, wake, with_shared};
pub use vector::Vector;
