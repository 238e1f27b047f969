//! What the gateway answers over HTTP: REST under `/v1`, the pages, health, figures.

pub mod caller;
mod health;
mod input;
pub mod limit;
mod oidc;
mod pages;
pub mod problem;
mod sign_in;
#[expect(unused_qualifications, reason = "the macros that describe routes write them")]
mod v1;

use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;
use tracing::debug;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use crate::serve::App;
use problem::Problem;

/// Longer than the longest wait for an answer.
const LONGEST_REQUEST: Duration = Duration::from_secs(180);

#[derive(OpenApi)]
#[openapi(info(
    title = "muninn",
    description = "Memory for AI assistants. Whoever calls acts as one person; what others keep for themselves does not exist for that person. Errors are application/problem+json.",
    license(name = "Apache-2.0", identifier = "Apache-2.0")
))]
struct Description;

/// All routes, and the description of those under `/v1`.
pub fn router(app: App) -> Router {
    let (rest, mut description) =
        OpenApiRouter::with_openapi(Description::openapi()).merge(v1::routes()).split_for_parts();
    if let Some(components) = &mut description.components {
        components.add_security_scheme(
            "token",
            SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build()),
        );
    }
    let described = description.clone();
    let body_bytes = app.config.limits.body_bytes;
    let rest = rest
        .route("/v1/openapi.json", axum::routing::get(|| async move { Json(described) }))
        .merge(sign_in::routes())
        .merge(oidc::routes())
        .merge(pages::routes())
        .merge(crate::mcp::routes(&app))
        .layer(from_fn_with_state(app.clone(), limit::strangers))
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, LONGEST_REQUEST));
    rest.merge(health::routes())
        .fallback(|| async { Problem::not_found("page") })
        .method_not_allowed_fallback(|| async {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "this cannot be done here")
        })
        .layer(DefaultBodyLimit::max(body_bytes))
        .layer(from_fn_with_state(app.clone(), count))
        .layer(from_fn(headers))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the gateway failed").into_response()
        }))
        .with_state(app)
}

/// Counts and logs requests: method, route, status and time, never what was said.
async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    app.metrics.status(status);
    app.metrics.request.record(began.elapsed());
    debug!(%method, path, status, ms = began.elapsed().as_secs_f64() * 1000.0, "request");
    response
}

/// Headers that keep other sites and injected text from doing anything with a page.
async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
