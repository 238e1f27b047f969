//! Waits that end.

use std::time::{Duration, Instant};

/// The longest that anything here waits unless it says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// A point in time that must not be passed.
#[derive(Clone, Copy)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// Whether it is passed.
    pub fn passed(self) -> bool {
        Instant::now() > self.0
    }
}

/// Waits until something holds, and panics if that takes too long.
#[track_caller]
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Deadline::after(PATIENCE);
    while !holds() {
        assert!(!deadline.passed(), "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
