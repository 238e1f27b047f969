//! Is it alive, can it work, what has it done.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

use crate::serve::App;

/// `/healthz`: the process answers. `/readyz`: it can work. `/metrics`: figures.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

async fn ready(State(app): State<App>) -> Response {
    let not = |why: &str| {
        (StatusCode::SERVICE_UNAVAILABLE, Json(json!({"ready": false, "why": why}))).into_response()
    };
    if app.ending.is_cancelled() {
        return not("the gateway is ending");
    }
    match app.bots().await {
        Ok(bots) if bots.is_empty() => {
            not("there is no bot that this gateway may serve: muninn_admin.grant_bot(bot, role)")
        }
        Ok(_) => Json(json!({"ready": true})).into_response(),
        Err(_) => not("the database cannot be reached"),
    }
}

async fn metrics(State(app): State<App>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.text())
        .into_response()
}
