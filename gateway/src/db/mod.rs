//! The database: a pool, and one typed function per SQL function. The only SQL
//! text of the program is here.

mod connect;
pub mod evaluation;
pub mod memory;
pub mod server;
pub mod usage;

pub use connect::Db;
/// A connection of the pool; it goes back when dropped.
pub use deadpool_postgres::Client;
