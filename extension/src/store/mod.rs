//! The only callers of SQL: typed rows in and out.

pub mod backlog;
pub mod evaluation;
pub mod memory;
pub mod presence;
pub mod scope;
pub mod search;
mod spi;
pub mod statistics;
