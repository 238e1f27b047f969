//! Locks by which processes tell one another what they are, and which they hear
//! of each other by. `muninn.status()` looks for them in `pg_locks`.

use pgrx::pg_sys;

/// What the locks of this extension are told from others by.
const OURS: u32 = 1_836_412_526;
/// One that no SQL function can lock, so that nobody else can keep a worker out.
const KIND: u16 = 7;

/// What a process says of itself, or of a database, for as long as it lives.
#[derive(Clone, Copy)]
pub enum Mark {
    /// This process is the worker of the database.
    Worker = 1,
    /// This process is the launcher; of no database.
    Launcher = 3,
    /// The database's worker waits for a slot.
    WaitsForSlot = 4,
}

fn ours(database: pg_sys::Oid, class: u32, object: u32) -> pg_sys::LOCKTAG {
    pg_sys::LOCKTAG {
        locktag_field1: database.to_u32(),
        locktag_field2: class,
        locktag_field3: object,
        locktag_field4: KIND,
        locktag_type: pg_sys::LockTagType::LOCKTAG_ADVISORY as u8,
        locktag_lockmethodid: pg_sys::USER_LOCKMETHOD as u8,
    }
}

/// Locks without waiting; for the life of the process, or of the transaction.
fn take(tag: &pg_sys::LOCKTAG, mode: u32, session: bool) -> bool {
    acquire(tag, mode, session) != pg_sys::LockAcquireResult::LOCKACQUIRE_NOT_AVAIL
}

fn acquire(tag: &pg_sys::LOCKTAG, mode: u32, session: bool) -> pg_sys::LockAcquireResult::Type {
    // SAFETY: the tag is copied; called in a transaction, and the lock ends with
    // that or with the process.
    unsafe { pg_sys::LockAcquire(tag, mode as pg_sys::LOCKMODE, session, true) }
}

fn release(tag: &pg_sys::LOCKTAG, mode: u32) {
    // SAFETY: the tag is only read; a lock that is not held is a warning.
    unsafe { pg_sys::LockRelease(tag, mode as pg_sys::LOCKMODE, true) };
}

/// Says something of a database; `false` where another process says so.
pub fn mark(what: Mark, database: pg_sys::Oid) -> bool {
    take(&ours(database, OURS, what as u32), pg_sys::ExclusiveLock, true)
}

/// Takes back what [`mark`] said.
pub fn unmark(what: Mark, database: pg_sys::Oid) {
    release(&ours(database, OURS, what as u32), pg_sys::ExclusiveLock);
}

/// Makes this process the worker of its database; `false` if there is one.
pub fn take_worker_lock() -> bool {
    // SAFETY: a plain number, set when the process connected.
    mark(Mark::Worker, unsafe { pg_sys::MyDatabaseId })
}

/// Keeps others from a task until this transaction ends; `false` where somebody
/// else is at it.
pub fn take_task_lock(task: &str) -> bool {
    take(&task_lock(task), pg_sys::ExclusiveLock, false)
}

fn task_lock(task: &str) -> pg_sys::LOCKTAG {
    // FNV-1a: two tasks of the same hash would only wait for each other.
    let hash = task
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    // SAFETY: a plain number, set when the process connected.
    let database = unsafe { pg_sys::MyDatabaseId };
    ours(database, OURS + 1, hash)
}

/// The same, but `false` also where this transaction has it already.
pub fn take_task_lock_once(task: &str) -> bool {
    acquire(&task_lock(task), pg_sys::ExclusiveLock, false)
        == pg_sys::LockAcquireResult::LOCKACQUIRE_OK
}

/// Whether somebody wants a database for themselves, to drop, rename, move or copy
/// it. Such a command locks the database against new sessions and then waits five
/// seconds for those that are there to leave.
pub fn is_wanted(database: pg_sys::Oid) -> bool {
    let tag = pg_sys::LOCKTAG {
        locktag_field1: 0,
        locktag_field2: pg_sys::DatabaseRelationId.to_u32(),
        locktag_field3: database.to_u32(),
        locktag_field4: 0,
        locktag_type: pg_sys::LockTagType::LOCKTAG_OBJECT as u8,
        locktag_lockmethodid: pg_sys::DEFAULT_LOCKMETHOD as u8,
    };
    // As a new session would, for a moment.
    let free = take(&tag, pg_sys::RowExclusiveLock, true);
    if free {
        release(&tag, pg_sys::RowExclusiveLock);
    }
    !free
}
