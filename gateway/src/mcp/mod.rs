//! The Model Context Protocol: memory as tools for any assistant, over HTTP at `/mcp` and
//! over standard input and output. A token says whose memory; no argument of a tool does.

mod server;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::error::Error;
use crate::http::caller::{Caller, Scope};
use crate::http::problem::Problem;
use crate::serve::App;
use server::Server;

/// Whose memory it is, and how far the one who asks may go.
#[derive(Debug, Clone)]
pub struct Principal {
    /// Of which bot.
    pub bot: String,
    /// Of which person.
    pub person: i64,
    /// Whether memories may be read.
    pub reads: bool,
    /// Whether they may be changed.
    pub writes: bool,
}

/// `/mcp`: one request at a time, without sessions, so that any gateway answers any request.
pub fn routes(app: &App) -> Router<App> {
    let mut hosts: Vec<String> =
        ["localhost", "127.0.0.1", "[::1]"].into_iter().map(str::to_owned).collect();
    let public = app.config.public_url();
    if let Some(host) = public.split("://").nth(1).and_then(|rest| rest.split('/').next()) {
        hosts.push(host.to_owned());
    }
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_cancellation_token(app.ending.child_token());
    config.legacy_session_mode = false;
    config.json_response = true;
    let serving = app.clone();
    let service = StreamableHttpService::new(
        move || Ok(Server::new(serving.clone(), None)),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    Router::new().nest_service("/mcp", service).layer(from_fn_with_state(app.clone(), authenticate))
}

/// Only by a token, as that names the bot; a browser's cookie is not enough.
async fn authenticate(
    State(app): State<App>,
    caller: Caller,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(bot) = caller.bot().map(str::to_owned) else {
        return Problem::unauthorized()
            .hint("Make a token (POST /v1/bots/{bot}/tokens) and send it as Authorization: Bearer.")
            .into_response();
    };
    let reads = caller.may(&app, &bot, Scope::Read).is_ok();
    let writes = caller.may(&app, &bot, Scope::Write).is_ok();
    if !reads && !writes {
        return Problem::new(
            axum::http::StatusCode::FORBIDDEN,
            "the token is neither for read nor for write",
        )
        .into_response();
    }
    request.extensions_mut().insert(Principal { bot, person: caller.person, reads, writes });
    next.run(request).await
}

/// Serves on standard input and output until the input ends.
///
/// # Errors
/// [`Error::Task`] where the other side does not speak the protocol.
pub async fn serve_stdio(app: App, principal: Principal) -> Result<(), Error> {
    let failed = |error: &dyn std::error::Error| Error::Task(crate::error::with_causes(error));
    let running =
        Server::new(app, Some(principal)).serve(stdio()).await.map_err(|error| failed(&error))?;
    running.waiting().await.map_err(|error| failed(&error))?;
    Ok(())
}
