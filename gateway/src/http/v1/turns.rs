//! Turns: say something, get the answer, follow it, stop it, have it again.

use std::convert::Infallible;
use std::time::Duration;

use super::IdempotencyKey;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::db::turn::{self, Said, TurnMemory, TurnState};
use crate::http::caller::{Of, Scope};
use crate::http::input::{At, Body};
use crate::http::problem::Problem;
use crate::serve::App;
use crate::turn::{Turn, begin, follow, wait_for};

/// How long a request waits for its answer.
const WAIT: Duration = Duration::from_secs(120);

/// The routes of turns.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(say))
        .routes(routes!(look))
        .routes(routes!(events))
        .routes(routes!(stop))
        .routes(routes!(again))
        .routes(routes!(edit))
        .routes(routes!(memories))
}

/// Something that the person says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewTurn {
    /// What is said; Markdown is kept as it is.
    #[schema(min_length = 1, max_length = 200_000)]
    content: String,
    /// The conversation; it is made at first use.
    #[serde(default = "main_thread")]
    #[schema(default = "main", min_length = 1, max_length = 1000)]
    thread: String,
    /// Whether memories may be proposed from it.
    #[serde(default = "yes")]
    #[schema(default = true)]
    keeps: bool,
    /// Whether to wait for the answer; else the turn is returned at once, with 202.
    #[serde(default = "yes")]
    #[schema(default = true)]
    wait: bool,
}

fn main_thread() -> String {
    "main".into()
}

fn yes() -> bool {
    true
}

/// Which turn.
#[derive(Debug, Deserialize)]
struct TurnAt {
    turn: i64,
}

/// A turn.
#[derive(Debug, Serialize, ToSchema)]
struct TurnView {
    /// Its id.
    turn_id: i64,
    /// How it stands.
    #[serde(flatten)]
    state: TurnState,
}

/// Says something to the bot, and waits for the answer.
///
/// With an `Idempotency-Key` it is said once, however often it is sent.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/turns", tag = "turns", request_body = NewTurn,
    params(("bot" = String, Path, description = "Name of the bot"),
           IdempotencyKey),
    responses((status = 200, body = TurnView, description = "The answer"),
              (status = 202, body = TurnView, description = "It is being answered: look again"),
              (status = "4XX", body = Problem, content_type = "application/problem+json", description = "Refused"),
              (status = 503, body = Problem, content_type = "application/problem+json", description = "The database is away")),
    security(("token" = [])))]
async fn say(
    State(app): State<App>,
    of: Of,
    IdempotencyKey { key }: IdempotencyKey,
    Body(new): Body<NewTurn>,
) -> Result<Response, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    // Of this person: another's key is another key.
    let external = key.map(|key| format!("{person}:{key}"));
    let said = Said {
        content: &new.content,
        thread: &new.thread,
        channel: if of.caller.is_browser() { "web" } else { "api" },
        external_id: external.as_deref(),
        keeps: new.keeps,
        lease_seconds: None,
    };
    let turn = begin(&app, &of.bot, person, said).await?;
    answer(&app, turn, new.wait).await
}

async fn answer(app: &App, turn: Turn, wait: bool) -> Result<Response, Problem> {
    let limit = if wait { WAIT } else { Duration::ZERO };
    let state = wait_for(app, &turn, limit).await?;
    let done = !matches!(state.status.as_str(), "waiting" | "running");
    let status = if done { StatusCode::OK } else { StatusCode::ACCEPTED };
    let place = format!("/v1/bots/{}/turns/{}", turn.bot, turn.id);
    let view = TurnView { turn_id: turn.id, state };
    Ok((status, [(header::LOCATION, place)], Json(view)).into_response())
}

fn turn_of(of: Of, id: i64) -> Turn {
    Turn { bot: of.bot, person: of.caller.person, id }
}

/// How a turn stands.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/turns/{turn}", tag = "turns",
    params(("bot" = String, Path), ("turn" = i64, Path)),
    responses((status = 200, body = TurnView),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn look(
    State(app): State<App>,
    of: Of,
    At(at): At<TurnAt>,
) -> Result<Json<TurnView>, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    let state = turn::turn_state(&client, &of.bot, person, at.turn, -1).await?;
    Ok(Json(TurnView { turn_id: at.turn, state }))
}

/// An event of a stream, as it is described; it is written by axum.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
struct StreamEvent {
    /// piece, reset or state.
    event: String,
    /// A piece of text, or the state as JSON.
    data: String,
}

/// What is said of a turn's answer, piece by piece, as server-sent events.
///
/// `piece` is text to add, `reset` says that the answer begins anew, `state` how the turn
/// stands; after the last `state` (done, stopped or failed) the stream ends. The id of an
/// event, sent as `Last-Event-ID`, goes on where it was lost.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/turns/{turn}/events", tag = "turns",
    params(("bot" = String, Path), ("turn" = i64, Path)),
    responses((status = 200, content_type = "text/event-stream", body = StreamEvent),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn events(
    State(app): State<App>,
    of: Of,
    At(at): At<TurnAt>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Problem> {
    of.person(&app, Scope::Chat)?;
    let after = headers
        .get("last-event-id")
        .and_then(|v| v.to_str().ok())
        .and_then(|v| v.parse().ok())
        .unwrap_or(-1);
    let turn = turn_of(of, at.turn);
    // Refused now, and not within the stream.
    let client = app.db.client().await?;
    turn::turn_state(&client, &turn.bot, turn.person, turn.id, i32::MAX).await?;
    drop(client);
    Ok(Sse::new(follow(app, turn, after))
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// Stops an answer that is being given; what was said so far stays.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/turns/{turn}/stop", tag = "turns",
    params(("bot" = String, Path), ("turn" = i64, Path)),
    responses((status = 200, body = TurnView),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn stop(
    State(app): State<App>,
    of: Of,
    At(at): At<TurnAt>,
) -> Result<Json<TurnView>, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    turn::stop_turn(&client, &of.bot, person, at.turn).await?;
    let state = turn::turn_state(&client, &of.bot, person, at.turn, -1).await?;
    Ok(Json(TurnView { turn_id: at.turn, state }))
}

/// Has a message answered anew; the old answer and what followed are put aside.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/turns/{turn}/again", tag = "turns",
    params(("bot" = String, Path), ("turn" = i64, Path)),
    responses((status = 202, body = TurnView),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn again(State(app): State<App>, of: Of, At(at): At<TurnAt>) -> Result<Response, Problem> {
    of.person(&app, Scope::Chat)?;
    let turn = crate::turn::again(&app, &turn_of(of, at.turn)).await?;
    answer(&app, turn, false).await
}

/// A message in other words.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Edited {
    /// What is said instead.
    #[schema(min_length = 1, max_length = 200_000)]
    content: String,
}

/// Says a turn's message differently; the old one and what followed are put aside.
#[utoipa::path(
    put, path = "/v1/bots/{bot}/turns/{turn}/message", tag = "turns", request_body = Edited,
    params(("bot" = String, Path), ("turn" = i64, Path)),
    responses((status = 202, body = TurnView),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn edit(
    State(app): State<App>,
    of: Of,
    At(at): At<TurnAt>,
    Body(edited): Body<Edited>,
) -> Result<Response, Problem> {
    of.person(&app, Scope::Chat)?;
    let turn = crate::turn::edit(&app, &turn_of(of, at.turn), &edited.content).await?;
    answer(&app, turn, false).await
}

/// The memories that a turn used, then those that were proposed from it.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/turns/{turn}/memories", tag = "turns",
    params(("bot" = String, Path), ("turn" = i64, Path)),
    responses((status = 200, body = Vec<TurnMemory>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn memories(
    State(app): State<App>,
    of: Of,
    At(at): At<TurnAt>,
) -> Result<Json<Vec<TurnMemory>>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    Ok(Json(turn::turn_memories(&client, &of.bot, person, at.turn).await?))
}
