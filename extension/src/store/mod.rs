//! The only callers of SQL: typed rows in and out.

pub mod backlog;
pub mod contradiction;
pub mod evaluation;
pub mod facts;
pub mod governance;
pub mod learning;
pub mod memory;
pub mod passage;
pub mod period;
pub mod posting;
mod posting_segment;
pub mod presence;
pub mod rebuild;
pub mod relocate;
pub mod scope;
pub mod search;
pub mod sketch;
mod sketch_segment;
mod spi;
pub mod task;
pub mod tidy;
pub mod vector;
