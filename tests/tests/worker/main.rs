//! What runs by itself, and the embedding model: there, missing and broken.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

mod backlog;
mod collector;
mod concurrency;
mod databases;
mod index;
mod interrupts;
mod launcher;
mod model;
mod tasks;
mod without_preload;
