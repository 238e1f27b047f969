//! What is measured, a file a subject.

pub mod arm;
pub mod checks;
pub mod clients;
pub mod disk;
pub mod embedder;
pub mod latency;
pub mod writes;
