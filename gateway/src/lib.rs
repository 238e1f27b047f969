//! What the program `muninn` is made of. It holds nothing that it cannot lose:
//! everything is a call of the extension's SQL functions.

pub mod cli;
pub mod config;
pub mod db;
pub mod error;
pub mod eval;
pub mod http;
pub mod log;
pub mod mcp;
pub mod model;
pub mod serve;
pub mod toolbox;
pub mod turn;
