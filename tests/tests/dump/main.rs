//! A dump is a backup; and the sample that the repository ships.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

mod demo;
mod restore;
