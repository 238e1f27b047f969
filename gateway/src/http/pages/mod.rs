//! The pages: rendered here, with a little script where something moves.

mod assets;
mod chat;
mod layout;
mod markdown;
mod memories;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::html;

use super::caller::Caller;
use super::problem::Problem;
use crate::serve::App;

/// The routes of pages.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/", get(start))
        .merge(assets::routes())
        .merge(chat::routes())
        .merge(memories::routes())
}

/// To the first bot's chat; who is not signed in is told how.
async fn start(State(app): State<App>, caller: Option<Caller>) -> Result<Response, PageError> {
    if caller.is_none() {
        return Ok(stranger(&app).into_response());
    }
    let bots = app.bots().await?;
    Ok(match bots.first() {
        Some(bot) => Redirect::to(&layout::chat_url(bot, None)).into_response(),
        None => layout::plain(
            "No bot yet",
            html! {
                h1 { "There is no bot yet" }
                p { "Make one in the database, and let this gateway serve it:" }
                pre { "SELECT muninn.create_bot('assistant', 'You are helpful.');\nSELECT muninn_admin.grant_bot('assistant', 'ROLE OF THE GATEWAY');" }
            },
        )
        .into_response(),
    })
}

fn stranger(app: &App) -> (StatusCode, maud::Markup) {
    let body = html! {
        h1 { "Muninn" }
        @if app.config.sign_in.oidc.is_some() {
            p { a.button href="/sign-in/oidc" { "Sign in" } }
        } @else {
            p { "This gateway is for one person on this machine. It printed a link to sign in with when it was started; this prints another:" }
            pre { "muninn link" }
        }
    };
    (StatusCode::UNAUTHORIZED, layout::plain("Sign in", body))
}

/// A problem as a page.
pub struct PageError(Problem);

impl<E: Into<Problem>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        if self.0.status == StatusCode::UNAUTHORIZED.as_u16() {
            return Redirect::to("/").into_response();
        }
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let page = layout::plain(
            &self.0.title,
            html! {
                h1 { (self.0.title) }
                p { (self.0.detail) "." }
                @if let Some(hint) = &self.0.hint { p { (hint) } }
                p { a href="/" { "Back" } }
            },
        );
        (status, page).into_response()
    }
}
