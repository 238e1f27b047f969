//! The gateway as its users meet it: the program, a database, browsers, models.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

mod chaos;
mod encrypted;
mod injection;
mod mcp;
mod models;
mod oidc;
mod operation;
mod rest;
mod toolbox;
mod web;
