//! Conversations.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Limit, Page, done};
use crate::db::turn::{self, Message, Thread};
use crate::http::caller::{Of, Scope};
use crate::http::input::{Asked, At, Body};
use crate::http::problem::Problem;
use crate::serve::App;

/// The routes of conversations.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(messages))
        .routes(routes!(rename, forget))
}

/// Which conversation.
#[derive(Deserialize)]
struct ThreadAt {
    thread: String,
}

/// Which conversations.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Threads {
    /// How many at most.
    #[param(value_type = Option<i32>, minimum = 1, maximum = 1000, default = 50)]
    #[serde(default)]
    limit: Limit,
    /// Where the page before ended.
    cursor: Option<DateTime<Utc>>,
}

/// The person's conversations, the latest first.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/threads", tag = "threads", params(("bot" = String, Path), Threads),
    responses((status = 200, body = Page<Thread>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn list(
    State(app): State<App>,
    of: Of,
    Asked(asked): Asked<Threads>,
) -> Result<Json<Page<Thread>>, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    let items = turn::threads(&client, &of.bot, person, asked.limit.0, asked.cursor).await?;
    Ok(asked.limit.page(items, |items| {
        items.last().map(|last| last.last_at.to_rfc3339_opts(SecondsFormat::Micros, true))
    }))
}

/// Which messages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Messages {
    /// How many at most, the latest.
    #[param(value_type = Option<i32>, minimum = 1, maximum = 1000, default = 50)]
    #[serde(default)]
    limit: Limit,
    /// Where the page after began.
    cursor: Option<i32>,
}

/// The last messages of a conversation in their order, without what was replaced. The
/// cursor leads to earlier ones.
#[utoipa::path(
    get, path = "/v1/bots/{bot}/threads/{thread}/messages", tag = "threads",
    params(("bot" = String, Path), ("thread" = String, Path), Messages),
    responses((status = 200, body = Page<Message>),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn messages(
    State(app): State<App>,
    of: Of,
    At(at): At<ThreadAt>,
    Asked(asked): Asked<Messages>,
) -> Result<Json<Page<Message>>, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    let k = asked.limit.0;
    let items = turn::messages(&client, &of.bot, person, &at.thread, k, asked.cursor).await?;
    // A conversation has a message at least.
    if items.is_empty()
        && (asked.cursor.is_none()
            || turn::messages(&client, &of.bot, person, &at.thread, 1, None).await?.is_empty())
    {
        return Err(Problem::not_found("conversation"));
    }
    Ok(asked.limit.page(items, |items| items.first().map(|first| first.place.to_string())))
}

/// How a conversation is called.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Name {
    /// Its name.
    #[schema(min_length = 1, max_length = 200)]
    title: String,
}

/// Names a conversation.
#[utoipa::path(
    patch, path = "/v1/bots/{bot}/threads/{thread}", tag = "threads", request_body = Name,
    params(("bot" = String, Path), ("thread" = String, Path)),
    responses((status = 204),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn rename(
    State(app): State<App>,
    of: Of,
    At(at): At<ThreadAt>,
    Body(name): Body<Name>,
) -> Result<StatusCode, Problem> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    let found = turn::rename_thread(&client, &of.bot, person, &at.thread, &name.title).await?;
    done(found, "conversation")
}

/// What happens to the memories of a conversation that is erased.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Disposal {
    Keep,
    Forget,
}

/// What happens to what was learned.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Learned {
    /// keep, or forget what is the person's own.
    #[param(inline)]
    memories: Disposal,
}

/// A receipt, which the audit chain confirms.
#[derive(Debug, Serialize, ToSchema)]
struct ThreadReceipt {
    /// Its number.
    receipt: i64,
}

/// Erases a conversation of the person alone.
#[utoipa::path(
    delete, path = "/v1/bots/{bot}/threads/{thread}", tag = "threads",
    params(("bot" = String, Path), ("thread" = String, Path), Learned),
    responses((status = 200, body = ThreadReceipt),
              (status = "4XX", body = Problem, content_type = "application/problem+json")),
    security(("token" = [])))]
async fn forget(
    State(app): State<App>,
    of: Of,
    At(at): At<ThreadAt>,
    Asked(learned): Asked<Learned>,
) -> Result<Json<ThreadReceipt>, Problem> {
    // Memories may go with it.
    of.person(&app, Scope::Chat)?;
    let person = of.person(&app, Scope::Write)?;
    let memories = match learned.memories {
        Disposal::Keep => "keep",
        Disposal::Forget => "forget",
    };
    let client = app.db.client().await?;
    let receipt = turn::forget_thread(&client, &of.bot, person, &at.thread, Some(memories)).await?;
    receipt
        .map(|receipt| Json(ThreadReceipt { receipt }))
        .ok_or_else(|| Problem::not_found("conversation"))
}
