//! Memories: recall, remember, list, look, correct, decide, share, forget.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{IdempotencyKey, Limit, Page};
use crate::db::verbs::{self, Decision, Listing, Memory, NewMemory, Question, Recalled, Step, Why};
use crate::http::caller::{Of, Scope};
use crate::http::input::{Asked, At, Body};
use crate::http::problem::Problem;
use crate::serve::App;

/// The routes of memories.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, remember))
        .routes(routes!(recall))
        .routes(routes!(look, forget))
        .routes(routes!(history))
        .routes(routes!(why))
        .routes(routes!(correct))
        .routes(routes!(decide))
        .routes(routes!(share))
}

/// Which memory.
#[derive(Deserialize)]
struct MemoryAt {
    memory: i64,
}

/// The memories that answer a question, the best first.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/recall", tag = "memories", request_body = Question,
    params(("bot" = String, Path, description = "Name of the bot")),
    responses((status = 200, body = Vec<Recalled>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn recall(
    State(app): State<App>,
    of: Of,
    Body(question): Body<Question>,
) -> Result<Json<Vec<Recalled>>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    Ok(Json(verbs::recall(&client, &of.bot, person, &question).await?))
}

/// A memory that was stored.
#[derive(Debug, Serialize, ToSchema)]
struct Stored {
    /// Its id.
    memory_id: i64,
}

/// Remembers a statement or a text.
///
/// With an `Idempotency-Key` that was used before, nothing is stored and the first id is
/// returned. The same statement for the same audience strengthens the one that is there.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/memories", tag = "memories", request_body = NewMemory,
    params(("bot" = String, Path),
           IdempotencyKey),
    responses((status = 201, body = Stored),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn remember(
    State(app): State<App>,
    of: Of,
    IdempotencyKey { key }: IdempotencyKey,
    Body(new): Body<NewMemory>,
) -> Result<(StatusCode, Json<Stored>), Problem> {
    let person = of.person(&app, Scope::Write)?;
    let client = app.db.client().await?;
    let memory_id = verbs::remember(&client, &of.bot, person, &new, key.as_deref()).await?;
    Ok((StatusCode::CREATED, Json(Stored { memory_id })))
}

/// Which memories are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// How many at most.
    #[param(value_type = Option<i32>, minimum = 1, maximum = 1000, default = 50)]
    #[serde(default)]
    limit: Limit,
    /// Where the page before ended.
    cursor: Option<i64>,
    /// With this tag.
    tag: Option<String>,
    /// In this state.
    #[param(pattern = "^(candidate|verified|rejected|superseded|retracted)$")]
    status: Option<String>,
    /// personal, shared or group:KEY.
    #[param(pattern = "^(personal|shared|group:.+)$")]
    audience: Option<String>,
}

/// The memories that the person may read, newest first.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/memories", tag = "memories",
    params(("bot" = String, Path), Wanted),
    responses((status = 200, body = Page<Memory>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn list(
    State(app): State<App>,
    of: Of,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<Page<Memory>>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    let listing = Listing {
        k: wanted.limit.0,
        before: wanted.cursor,
        tags: wanted.tag.map(|tag| vec![tag]),
        statuses: wanted.status.map(|status| vec![status]),
        audience: wanted.audience,
    };
    let items = verbs::memories(&client, &of.bot, person, &listing).await?;
    Ok(wanted.limit.page(items, |items| items.last().map(|last| last.memory_id.to_string())))
}

/// A memory with all that belongs to it, in any state.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/memories/{memory}", tag = "memories",
    params(("bot" = String, Path), ("memory" = i64, Path)),
    responses((status = 200, body = Memory),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn look(
    State(app): State<App>,
    of: Of,
    At(at): At<MemoryAt>,
) -> Result<Json<Memory>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    let found = verbs::memory(&client, &of.bot, person, at.memory).await?;
    found.map(Json).ok_or_else(|| Problem::not_found("memory"))
}

/// A receipt, which the audit chain confirms.
#[derive(Debug, Serialize, ToSchema)]
struct Receipt {
    /// Its number.
    receipt: i64,
}

/// Erases a memory with everything of it.
#[utoipa::path(
    delete, path = "/v1/bots/{bot}/memories/{memory}", tag = "memories",
    params(("bot" = String, Path), ("memory" = i64, Path)),
    responses((status = 200, body = Receipt),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn forget(
    State(app): State<App>,
    of: Of,
    At(at): At<MemoryAt>,
) -> Result<Json<Receipt>, Problem> {
    let person = of.person(&app, Scope::Write)?;
    let client = app.db.client().await?;
    let receipt = verbs::forget(&client, &of.bot, person, at.memory, None).await?;
    receipt.map(|receipt| Json(Receipt { receipt })).ok_or_else(|| Problem::not_found("memory"))
}

/// What was believed over time about a memory and those in whose line it stands.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/memories/{memory}/history", tag = "memories",
    params(("bot" = String, Path), ("memory" = i64, Path)),
    responses((status = 200, body = Vec<Step>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn history(
    State(app): State<App>,
    of: Of,
    At(at): At<MemoryAt>,
) -> Result<Json<Vec<Step>>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    let steps = verbs::history(&client, &of.bot, person, at.memory).await?;
    if steps.is_empty() { Err(Problem::not_found("memory")) } else { Ok(Json(steps)) }
}

/// For which question.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct WhyFor {
    /// The question.
    #[param(min_length = 1, max_length = 2000)]
    query: String,
}

/// Why a memory is among the answers to a question, or is not.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/memories/{memory}/why", tag = "memories",
    params(("bot" = String, Path), ("memory" = i64, Path), WhyFor),
    responses((status = 200, body = Why),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn why(
    State(app): State<App>,
    of: Of,
    At(at): At<MemoryAt>,
    Asked(asked): Asked<WhyFor>,
) -> Result<Json<Why>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    // It stands in an address.
    if asked.query.chars().count() > 2000 {
        return Err(Problem::invalid("the question has more than 2,000 characters"));
    }
    let client = app.db.client().await?;
    let found = verbs::why(&client, &of.bot, person, &asked.query, at.memory).await?;
    found.map(Json).ok_or_else(|| Problem::not_found("memory"))
}

/// How a memory is right.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Right {
    /// The whole statement as it is right.
    #[schema(min_length = 1)]
    content: String,
    /// The version that was looked at: refused with 409 if it is another now.
    version: Option<i32>,
    /// Why.
    reason: Option<String>,
}

/// Puts a right version in the place of a memory that never was so; the old one stays in
/// its history.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/memories/{memory}/correct", tag = "memories", request_body = Right,
    params(("bot" = String, Path), ("memory" = i64, Path)),
    responses((status = 201, body = Stored),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn correct(
    State(app): State<App>,
    of: Of,
    At(at): At<MemoryAt>,
    Body(right): Body<Right>,
) -> Result<Response, Problem> {
    let person = of.person(&app, Scope::Write)?;
    let client = app.db.client().await?;
    let reason = right.reason.as_deref();
    let memory_id =
        verbs::correct(&client, &of.bot, person, at.memory, &right.content, right.version, reason)
            .await?;
    Ok((StatusCode::CREATED, Json(Stored { memory_id })).into_response())
}

/// A decision about a memory.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Decided {
    /// confirm, reject or retract.
    decision: Decision,
    /// The version that was looked at: refused with 409 if it is another now.
    version: Option<i32>,
    /// Why.
    reason: Option<String>,
}

/// A memory that was changed.
#[derive(Debug, Serialize, ToSchema)]
struct Changed {
    /// Its version now.
    version: i32,
}

/// Confirms or rejects a candidate, or takes back what was believed.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/memories/{memory}/decide", tag = "memories", request_body = Decided,
    params(("bot" = String, Path), ("memory" = i64, Path)),
    responses((status = 200, body = Changed),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn decide(
    State(app): State<App>,
    of: Of,
    At(at): At<MemoryAt>,
    Body(decided): Body<Decided>,
) -> Result<Json<Changed>, Problem> {
    let person = of.person(&app, Scope::Write)?;
    let client = app.db.client().await?;
    let Decided { decision, version, reason } = decided;
    let version =
        verbs::decide(&client, &of.bot, person, at.memory, decision, version, reason.as_deref())
            .await?;
    Ok(Json(Changed { version }))
}

/// Who is to read a memory.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ShareWith {
    /// shared, group:KEY, or personal to take it back.
    audience: String,
    /// The version that was looked at: refused with 409 if it is another now.
    version: Option<i32>,
}

/// Lets others read a memory, or takes it back.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/memories/{memory}/share", tag = "memories", request_body = ShareWith,
    params(("bot" = String, Path), ("memory" = i64, Path)),
    responses((status = 200, body = Changed),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn share(
    State(app): State<App>,
    of: Of,
    At(at): At<MemoryAt>,
    Body(with): Body<ShareWith>,
) -> Result<Json<Changed>, Problem> {
    let person = of.person(&app, Scope::Write)?;
    let client = app.db.client().await?;
    let version =
        verbs::share(&client, &of.bot, person, at.memory, &with.audience, with.version).await?;
    Ok(Json(Changed { version }))
}
