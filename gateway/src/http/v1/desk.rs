//! What waits for the person, what it cost, and who may act as the person: contradictions,
//! requests, what was given up, usage, tokens, bots.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::done;
use crate::db::job::{self, Letter};
use crate::db::verbs::{self, MadeToken, Request, Token, Usage};
use crate::http::caller::{Caller, Of, Scope};
use crate::http::input::{At, Body};
use crate::http::problem::Problem;
use crate::serve::App;

/// The routes of the desk.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(bots))
        .routes(routes!(contradictions))
        .routes(routes!(requests))
        .routes(routes!(decide_request))
        .routes(routes!(letters))
        .routes(routes!(retry, discard))
        .routes(routes!(usage))
        .routes(routes!(tokens, create_token))
        .routes(routes!(revoke_token))
}

/// A bot.
#[derive(Debug, Serialize, ToSchema)]
struct Bot {
    /// Its name.
    bot: String,
}

/// The bots that the caller may use.
#[utoipa::path(
    get, path = "/v1/bots", tag = "bots",
    responses((status = 200, body = Vec<Bot>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn bots(State(app): State<App>, caller: Caller) -> Result<Json<Vec<Bot>>, Problem> {
    let served = app.bots().await?;
    let usable = served.into_iter().filter(|bot| caller.bot().is_none_or(|of| of == bot));
    Ok(Json(usable.map(|bot| Bot { bot }).collect()))
}

/// Pairs of memories that do not agree.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/contradictions", tag = "memories",
    params(("bot" = String, Path)),
    responses((status = 200, body = Vec<Value>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn contradictions(State(app): State<App>, of: Of) -> Result<Json<Vec<Value>>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    Ok(Json(verbs::contradictions(&client, &of.bot, person, 100).await?))
}

/// What models asked to do, and the person has not decided.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/requests", tag = "memories",
    params(("bot" = String, Path)),
    responses((status = 200, body = Vec<Request>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn requests(State(app): State<App>, of: Of) -> Result<Json<Vec<Request>>, Problem> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    Ok(Json(verbs::requests(&client, &of.bot, person).await?))
}

#[derive(Deserialize)]
struct RequestAt {
    request: i64,
}

/// Yes or no.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct YesNo {
    /// Whether to do it.
    accept: bool,
}

/// What was decided.
#[derive(Debug, Serialize, ToSchema)]
struct Done {
    /// The receipt, if something was done.
    receipt: Option<i64>,
}

/// Decides what a model asked.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/requests/{request}", tag = "memories", request_body = YesNo,
    params(("bot" = String, Path), ("request" = i64, Path)),
    responses((status = 200, body = Done),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn decide_request(
    State(app): State<App>,
    of: Of,
    At(at): At<RequestAt>,
    Body(said): Body<YesNo>,
) -> Result<Json<Done>, Problem> {
    let person = of.person(&app, Scope::Write)?;
    let client = app.db.client().await?;
    let receipt = verbs::decide_request(&client, &of.bot, person, at.request, said.accept).await?;
    Ok(Json(Done { receipt }))
}

/// What was given up, the latest first.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/letters", tag = "turns",
    params(("bot" = String, Path)),
    responses((status = 200, body = Vec<Letter>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn letters(State(app): State<App>, of: Of) -> Result<Json<Vec<Letter>>, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    Ok(Json(job::dead_letters(&client, &of.bot, person).await?))
}

#[derive(Deserialize)]
struct LetterAt {
    kind: String,
    id: i64,
}

/// Tries again what was given up.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/letters/{kind}/{id}", tag = "turns",
    params(("bot" = String, Path), ("kind" = String, Path, description = "reply, extract or delivery"), ("id" = i64, Path)),
    responses((status = 204),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn retry(
    State(app): State<App>,
    of: Of,
    At(at): At<LetterAt>,
) -> Result<StatusCode, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    let found = job::retry_letter(&client, &of.bot, person, &at.kind, at.id).await?;
    done(found, "letter")
}

/// Takes what was given up off the list for good.
#[utoipa::path(
    delete, path = "/v1/bots/{bot}/letters/{kind}/{id}", tag = "turns",
    params(("bot" = String, Path), ("kind" = String, Path, description = "reply, extract or delivery"), ("id" = i64, Path)),
    responses((status = 204),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn discard(
    State(app): State<App>,
    of: Of,
    At(at): At<LetterAt>,
) -> Result<StatusCode, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    let found = job::discard_letter(&client, &of.bot, person, &at.kind, at.id).await?;
    done(found, "letter")
}

/// What the person's turns used, by day and model.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/usage", tag = "turns",
    params(("bot" = String, Path)),
    responses((status = 200, body = Vec<Usage>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn usage(State(app): State<App>, of: Of) -> Result<Json<Vec<Usage>>, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    Ok(Json(verbs::usage(&client, &of.bot, person).await?))
}

/// Tokens are made and ended by the person in a browser: one that was stolen makes no other.
fn in_person(of: &Of) -> Result<i64, Problem> {
    if of.caller.is_browser() {
        return Ok(of.caller.person);
    }
    Err(Problem::new(StatusCode::FORBIDDEN, "a token makes no tokens")
        .hint("Sign in with a browser, or use muninn.create_token in SQL."))
}

/// The person's tokens, without their secrets.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/tokens", tag = "tokens",
    params(("bot" = String, Path)),
    responses((status = 200, body = Vec<Token>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")))]
async fn tokens(State(app): State<App>, of: Of) -> Result<Json<Vec<Token>>, Problem> {
    let person = in_person(&of)?;
    let client = app.db.client().await?;
    Ok(Json(verbs::tokens(&client, &of.bot, person).await?))
}

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewToken {
    /// What it is for.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// read, write, chat.
    scopes: Vec<String>,
    /// Days that it is good for.
    #[serde(default = "ninety")]
    #[schema(default = 90.0, maximum = 3660.0)]
    days: f64,
}

fn ninety() -> f64 {
    90.0
}

/// Makes a token by which a program acts as this person of this bot.
#[utoipa::path(
    post, path = "/v1/bots/{bot}/tokens", tag = "tokens", request_body = NewToken,
    params(("bot" = String, Path)),
    responses((status = 201, body = MadeToken),
              (status = "4XX", body = Problem, content_type = "application/problem+json")))]
async fn create_token(
    State(app): State<App>,
    of: Of,
    Body(new): Body<NewToken>,
) -> Result<(StatusCode, Json<MadeToken>), Problem> {
    let person = in_person(&of)?;
    let client = app.db.client().await?;
    let made =
        verbs::create_token(&client, &of.bot, person, &new.name, &new.scopes, new.days).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

#[derive(Deserialize)]
struct TokenAt {
    token: i64,
}

/// Ends a token at once.
#[utoipa::path(
    delete, path = "/v1/bots/{bot}/tokens/{token}", tag = "tokens",
    params(("bot" = String, Path), ("token" = i64, Path)),
    responses((status = 204),
              (status = "4XX", body = Problem, content_type = "application/problem+json")))]
async fn revoke_token(
    State(app): State<App>,
    of: Of,
    At(at): At<TokenAt>,
) -> Result<StatusCode, Problem> {
    let person = in_person(&of)?;
    let client = app.db.client().await?;
    let found = verbs::revoke_token(&client, &of.bot, person, at.token).await?;
    done(found, "token")
}
