//! The database: a pool, and one typed function per SQL function. The only SQL
//! text of the program is here.

pub mod acts;
mod connect;
pub mod evaluation;
pub mod job;
mod listen;
pub mod memory;
mod query;
pub mod server;
pub mod sign_in;
mod tls;
pub mod turn;
pub mod usage;
pub mod verbs;

pub use connect::Db;
/// A connection of the pool; it goes back when dropped.
pub use deadpool_postgres::Client;
pub use listen::Happened;
