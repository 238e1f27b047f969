//! REST: a file per resource. All of it acts as the caller's person.

mod desk;
mod memories;
mod threads;
mod turns;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
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

/// How many rows a page has at most: 1 to 1000.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "i32")]
struct Limit(i32);

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

impl TryFrom<i32> for Limit {
    type Error = &'static str;

    fn try_from(limit: i32) -> Result<Self, Self::Error> {
        (1..=1000).contains(&limit).then_some(Self(limit)).ok_or("it must be 1 to 1000")
    }
}

impl Limit {
    /// A page of these, which were asked for with this limit; `cursor` is where the next begins.
    fn page<T>(self, items: Vec<T>, cursor: impl FnOnce(&[T]) -> Option<String>) -> Json<Page<T>> {
        let full = items.len() == usize::try_from(self.0).unwrap_or_default();
        let next = if full { cursor(&items) } else { None };
        Json(Page { items, next })
    }
}

/// The `Idempotency-Key` of a request: what was sent with it once is not done again.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
struct IdempotencyKey {
    /// 1 to 255 characters of your choice.
    #[param(rename = "Idempotency-Key", pattern = "^[!-~]([ -~]{0,253}[!-~])?$")]
    key: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get("idempotency-key") else {
            return Ok(Self { key: None });
        };
        match value.to_str() {
            Ok(key) if (1..=255).contains(&key.trim().len()) => {
                Ok(Self { key: Some(key.trim().to_owned()) })
            }
            _ => Err(Problem::invalid("Idempotency-Key must be 1 to 255 visible ASCII characters")),
        }
    }
}

/// What a change that returns nothing answers: 204, or 404 if there was no such thing.
fn done(found: bool, what: &str) -> Result<StatusCode, Problem> {
    if found { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found(what)) }
}
