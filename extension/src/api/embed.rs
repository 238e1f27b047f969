//! Embeddings and what can be said about the library.

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use crate::pg::Vector;
use crate::{embedding, store};

/// The embedding of a text by the built-in model: a unit vector of 384 elements.
///
/// Errors: 55000 without the model's files.
#[pg_extern(immutable, strict, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
fn embed(text: &str) -> Result<Vector, ErrorReport> {
    Ok(Vector(embedding::embed(text)?))
}

/// Why the built-in model cannot be used; NULL if it can.
#[pg_extern(stable)]
#[search_path(pg_catalog, pg_temp)]
fn model_problem() -> Option<String> {
    embedding::model().err().map(|error| error.to_string())
}

/// Version of the loaded library.
#[pg_extern(immutable, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
fn library_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Refuses settings of a bot that cannot be taken.
///
/// Errors: 22023 for an unknown name or a value that does not fit.
#[pg_extern(immutable, strict, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
fn check_bot_settings(settings: &str) -> Result<(), ErrorReport> {
    store::scope::bot_settings(settings)?;
    Ok(())
}
