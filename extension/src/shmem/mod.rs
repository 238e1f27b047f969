//! What processes share without a table: the recalls that nobody has stored yet.

use muninn_core::learning::ring::{self, Entry, Rings, State};

use crate::{config, pg};

/// Asks for the memory, in a server that is starting.
pub fn share() {
    let words = ring::words(
        config::ACTIVATION_DATABASES.get() as usize,
        config::ACTIVATION_RING.get() as usize,
    );
    pg::share(words, |words| {
        Rings::make(
            words,
            config::ACTIVATION_DATABASES.get() as usize,
            config::ACTIVATION_RING.get() as usize,
        );
    });
}

/// Notes a recall. Where nothing is preloaded, nothing is noted.
pub fn note(entry: &Entry) {
    let database = pg::own_database();
    let wake = pg::with_shared(|words| Rings::of(words).push(database, entry)).flatten();
    if let Some(latch) = wake {
        pg::wake(latch);
    }
}

/// The recalls of this database that wait, oldest first, and up to which number
/// they go.
pub fn waiting() -> (Vec<Entry>, u64) {
    let database = pg::own_database();
    let mut entries = vec![Entry::default(); config::ACTIVATION_RING.get() as usize];
    let (count, up_to) =
        pg::with_shared(|words| Rings::of(words).copy(database, &mut entries)).unwrap_or_default();
    entries.truncate(count);
    (entries, up_to)
}

/// Gives free what [`waiting`] returned and is stored.
pub fn stored(up_to: u64) {
    let database = pg::own_database();
    pg::with_shared(|words| Rings::of(words).taken(database, up_to));
}

/// How the ring of this database is doing; `None` where nothing is preloaded.
pub fn state() -> Option<State> {
    let database = pg::own_database();
    pg::with_shared(|words| Rings::of(words).state(database))
}

/// Whether half of this database's ring waits.
pub fn is_half_full() -> bool {
    state().is_some_and(|state| 2 * state.waiting >= config::ACTIVATION_RING.get() as u64)
}

/// Whether recalls wait in a database that nobody collects from.
pub fn needs_collector(database: u32) -> bool {
    pg::with_shared(|words| Rings::of(words).needs_collector(database)).unwrap_or(false)
}

/// Makes this process the one that is woken for its database, or nobody.
pub fn collect(begins: bool) {
    let (database, latch) = (pg::own_database(), if begins { pg::own_latch() } else { 0 });
    pg::with_shared(|words| Rings::of(words).set_collector(database, latch));
}

/// Makes this process the one that is woken where nobody collects.
pub fn launch() {
    let latch = pg::own_latch();
    pg::with_shared(|words| Rings::of(words).set_launcher(latch));
}
