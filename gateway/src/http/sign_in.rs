//! Signing in with a browser.

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::caller::{Caller, cookie_name, set_cookie};
use super::problem::Problem;
use crate::db::sign_in;
use crate::serve::App;

/// Days that a browser stays signed in, where nothing is said.
const DAYS: f64 = 30.0;

/// `/sign-in` by a one-time link, `/sign-out`.
pub fn routes() -> Router<App> {
    Router::new().route("/sign-in", get(by_link)).route("/sign-out", post(out))
}

#[derive(Deserialize)]
struct Link {
    code: Option<String>,
}

/// How many days a browser stays signed in.
pub(super) fn days(app: &App) -> f64 {
    app.config.sign_in.days.unwrap_or(DAYS)
}

/// To the pages, with the cookie of a session.
pub(super) fn welcome(app: &App, secret: &str) -> Response {
    let config = &app.config;
    let name = cookie_name(config.is_secure());
    let mut response = Redirect::to("/").into_response();
    if let Some(cookie) = set_cookie(config, name, secret, "/", days(app) * 86_400.0) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn by_link(State(app): State<App>, Query(link): Query<Link>) -> Result<Response, Problem> {
    let Some(code) = link.code else {
        return Err(Problem::unauthorized().hint(
            "The gateway printed a link when it was started; `muninn link` prints another.",
        ));
    };
    let client = app.db.client().await?;
    let secret =
        sign_in::use_link(&client, &code, days(&app)).await.map_err(|error| {
            match error.code() {
                Some("22023") => {
                    Problem::new(StatusCode::UNAUTHORIZED, "the link is not valid any more")
                        .hint("It works once, within 15 minutes: `muninn link` prints another.")
                }
                _ => error.into(),
            }
        })?;
    Ok(welcome(&app, &secret))
}

async fn out(State(app): State<App>, caller: Caller) -> Result<Response, Problem> {
    if let Some(secret) = &caller.session {
        let client = app.db.client().await?;
        sign_in::sign_out(&client, secret).await?;
    }
    let mut response = Redirect::to("/").into_response();
    let name = cookie_name(app.config.is_secure());
    if let Some(gone) = set_cookie(&app.config, name, "", "/", 0.0) {
        response.headers_mut().insert(header::SET_COOKIE, gone);
    }
    Ok(response)
}
