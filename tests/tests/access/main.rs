//! Who may see what: persons, bots and groups through the functions, roles
//! through what is granted.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

mod governance;
mod groups;
mod influence;
mod isolation;
mod roles;
mod search_path;
mod shared;
mod sign_in;
