//! What is stored stays: through restarts, crashes and on a standby. Each test
//! has a cluster of its own, as it stops or breaks it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

mod crash;
mod governance;
mod restart;
mod standby;
mod turns;
mod worker_killed;
