//! Memory that all processes of the server share: one stretch of words behind
//! one lock.

use std::ffi::CStr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use pgrx::{pg_guard, pg_sys};

const NAME: &CStr = c"muninn";

/// The words, once this process knows where they are; the same in all, as each
/// is a fork of the one that made them.
static WORDS: AtomicPtr<u64> = AtomicPtr::new(std::ptr::null_mut());
static LOCK: AtomicPtr<pg_sys::LWLock> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Makes new memory ready for use.
static mut PREPARE: fn(&mut [u64]) = |_| ();
static mut BEFORE_REQUEST: pg_sys::shmem_request_hook_type = None;
static mut BEFORE_STARTUP: pg_sys::shmem_startup_hook_type = None;

/// Asks for so many words of shared memory, which a server that is starting
/// grants later; `prepare` then makes the zeroed words ready.
pub fn share(words: usize, prepare: fn(&mut [u64])) {
    COUNT.store(words, Ordering::Relaxed);
    // SAFETY: called while the server preloads libraries, in its only thread; the
    // hooks of libraries before are kept and called.
    unsafe {
        PREPARE = prepare;
        BEFORE_REQUEST = pg_sys::shmem_request_hook;
        pg_sys::shmem_request_hook = Some(request);
        BEFORE_STARTUP = pg_sys::shmem_startup_hook;
        pg_sys::shmem_startup_hook = Some(startup);
    }
}

#[pg_guard]
extern "C-unwind" fn request() {
    // SAFETY: the server calls it at the one time when memory can be asked for.
    unsafe {
        if let Some(before) = BEFORE_REQUEST {
            before();
        }
        pg_sys::RequestAddinShmemSpace(COUNT.load(Ordering::Relaxed) * size_of::<u64>());
        pg_sys::RequestNamedLWLockTranche(NAME.as_ptr(), 1);
    }
}

#[pg_guard]
extern "C-unwind" fn startup() {
    let count = COUNT.load(Ordering::Relaxed);
    let mut found = false;
    // SAFETY: the server calls it once its shared memory is there, and again after
    // a crash; the area has as many words as were asked for, aligned as any type.
    unsafe {
        if let Some(before) = BEFORE_STARTUP {
            before();
        }
        let words = pg_sys::ShmemInitStruct(NAME.as_ptr(), count * size_of::<u64>(), &mut found)
            .cast::<u64>();
        if !found {
            let words = std::slice::from_raw_parts_mut(words, count);
            words.fill(0);
            PREPARE(words);
        }
        LOCK.store(
            &raw mut (*pg_sys::GetNamedLWLockTranche(NAME.as_ptr())).lock,
            Ordering::Relaxed,
        );
        WORDS.store(words, Ordering::Relaxed);
    }
}

/// Runs `body` with the shared words while nobody else has them; `None` where the
/// library was not preloaded. `body` allocates nothing, raises nothing and waits
/// for nothing.
pub fn with_shared<R>(body: impl FnOnce(&mut [u64]) -> R) -> Option<R> {
    let (words, lock) = (WORDS.load(Ordering::Relaxed), LOCK.load(Ordering::Relaxed));
    if words.is_null() || lock.is_null() {
        return None;
    }
    // SAFETY: both were set by `startup` and live as long as the server; the lock
    // gives this process the words alone. An error would release it with the
    // transaction.
    unsafe {
        pg_sys::LWLockAcquire(lock, pg_sys::LWLockMode::LW_EXCLUSIVE);
        let result = body(std::slice::from_raw_parts_mut(words, COUNT.load(Ordering::Relaxed)));
        pg_sys::LWLockRelease(lock);
        Some(result)
    }
}

/// The latch of this process, as a word that others can wake it by.
pub fn own_latch() -> u64 {
    // SAFETY: set when the process attached to shared memory, where the latch is.
    unsafe { pg_sys::MyLatch as usize as u64 }
}

/// Wakes the process whose latch this is. Of one that has ended, the latch is
/// nobody's or that of another process, which looks and finds nothing.
pub fn wake(latch: u64) {
    // SAFETY: latches that are given out by `own_latch` are in shared memory, which
    // stays where it is for as long as the server lives.
    unsafe { pg_sys::SetLatch(latch as usize as *mut pg_sys::Latch) }
}

/// The database of this process.
pub fn own_database() -> u32 {
    // SAFETY: a plain number, set when the process connected.
    unsafe { pg_sys::MyDatabaseId }.to_u32()
}

/// What [`at_exit`] was given; a worker gives one thing.
static mut AT_EXIT: fn() = || ();

/// Runs `body` when this process ends, however it does, while it still has its
/// shared memory.
pub fn at_exit(body: fn()) {
    // SAFETY: by a worker in its only thread.
    unsafe {
        AT_EXIT = body;
        pg_sys::before_shmem_exit(Some(run_at_exit), pg_sys::Datum::from(0));
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn run_at_exit(_code: i32, _argument: pg_sys::Datum) {
    // SAFETY: in the only thread.
    unsafe { AT_EXIT() }
}
