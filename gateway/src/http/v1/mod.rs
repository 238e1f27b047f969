//! REST: a file per resource. All of it acts as the caller's person.

mod desk;
mod memories;
mod threads;
mod turns;

use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::problem::Problem;
use crate::serve::App;

/// All routes under `/v1`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(turns::routes())
        .merge(threads::routes())
        .merge(memories::routes())
        .merge(desk::routes())
}

/// A page of a listing.
#[derive(Debug, Serialize, ToSchema)]
struct Page<T> {
    /// What is on it.
    items: Vec<T>,
    /// The cursor of the next page; null: this is the last.
    next: Option<String>,
}

/// The `Idempotency-Key` of a request: what was sent with it once is not done again.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    match value.to_str() {
        Ok(key) if (1..=255).contains(&key.trim().len()) => Ok(Some(key.trim().to_owned())),
        _ => Err(Problem::invalid("Idempotency-Key must be 1 to 255 visible ASCII characters")),
    }
}

/// What a change that returns nothing answers: 204, or 404 if there was no such thing.
fn done(found: bool, what: &str) -> Result<StatusCode, Problem> {
    if found { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found(what)) }
}
