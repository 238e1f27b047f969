//! How good answers are: the figures of a question, of a run and of two runs,
//! and questions made from what is remembered.
//!
//! Everything that draws at random does so from a fixed seed: the same results
//! have the same intervals on every machine.

pub mod bootstrap;
pub mod figures;
pub mod separation;
pub mod summary;
pub mod wording;
