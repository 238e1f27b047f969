//! Every error that a request can end in, as `application/problem+json` (RFC 9457).

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tracing::error;
use utoipa::ToSchema;

use crate::error::Error;

/// What went wrong with a request, and what to do.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// What kind of problem.
    pub title: String,
    /// What happened.
    pub detail: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The SQLSTATE, where the database refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Seconds before which it makes no sense to try again, as a header.
    #[serde(skip)]
    retry_after: Option<u64>,
}

impl Problem {
    /// A problem of this status.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            status: status.as_u16(),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            detail: detail.into(),
            hint: None,
            code: None,
            retry_after: None,
        }
    }

    /// Not before so many seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// With what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Nobody is signed in.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "nobody is signed in")
            .hint("Send a token as Authorization: Bearer …, or sign in with a browser.")
    }

    /// There is no such thing, or not for this person.
    pub fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }

    /// A value that cannot be taken.
    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }
}

/// The status that a SQLSTATE stands for.
fn status_of(error: &Error) -> StatusCode {
    if error.is_away() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    match error.code() {
        Some("42501") => StatusCode::FORBIDDEN,
        Some("42704" | "P0002") => StatusCode::NOT_FOUND,
        Some("54000") => StatusCode::PAYLOAD_TOO_LARGE,
        Some("40001" | "40P01" | "55000" | "55006" | "23505" | "23503" | "55P03") => {
            StatusCode::CONFLICT
        }
        Some(code) if code.starts_with("22") => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let status = status_of(&error);
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            // What is inside is for the log alone.
            error!(%error, "a request failed");
            return Self::new(status, "the gateway failed").hint("Its log says why.");
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            error!(%error, "the database is away");
            return Self::new(status, "the database cannot be reached")
                .hint("Try again in a moment.")
                .retry_after(2);
        }
        let code = error.code().map(str::to_owned);
        let (detail, hint) = match error {
            Error::Database { reason, hint, .. } => (reason, hint),
            other => (other.to_string(), other.hint()),
        };
        Self { hint, code, ..Self::new(status, detail) }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(code: Option<&str>) -> Error {
        Error::Database {
            action: "testing",
            reason: "it is so".into(),
            hint: Some("do".into()),
            code: code.map(str::to_owned),
        }
    }

    #[test]
    fn each_sqlstate_has_its_status() {
        for (code, status) in [
            (Some("22023"), 400),
            (Some("22004"), 400),
            (Some("42501"), 403),
            (Some("42704"), 404),
            (Some("40001"), 409),
            (Some("55000"), 409),
            (Some("54000"), 413),
            (Some("XX000"), 500),
            (Some("57P01"), 503),
            (Some("53300"), 503),
            (None, 503),
        ] {
            assert_eq!(Problem::from(database(code)).status, status, "{code:?}");
        }
    }

    #[test]
    fn what_is_inside_stays_there() {
        assert!(!Problem::from(database(Some("XX000"))).detail.contains("it is so"));
        assert_eq!(Problem::from(database(Some("22023"))).detail, "it is so");
    }
}
