//! What the tests across processes share: a private cluster with the installed
//! extension, databases of their own for tests, sessions, and checks of what
//! must always hold.
//!
//! `MUNINN_PG_CONFIG` names the Postgres to test with; the default is the one
//! that `docker/setup.sh` fetches.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

pub mod bench;
mod cluster;
mod collector;
mod database;
mod dice;
mod fixture;
mod gateway;
mod identity_provider;
mod invariants;
mod model_server;
mod postgres;
mod session;
mod tls_server;
mod wait;
mod watchdog;

pub use cluster::{Cluster, Options, Shutdown, shared};
pub use collector::Collector;
pub use database::Database;
pub use dice::Dice;
pub use fixture::{Begun, Hit, finish, ids, sentence};
pub use gateway::{Client, Gateway, program, token};
pub use identity_provider::{Account, IdentityProvider};
pub use invariants::{check_invariants, check_refused, fingerprint};
pub use model_server::{ModelServer, Reply};
pub use postgres::{Postgres, project, runs_as, runs_to_its_end};
pub use session::{Refusal, Row, Session, quote};
pub use tls_server::TlsServer;
pub use wait::{Deadline, eventually};
