//! What people do with memories: the rows that the functions return, as REST and MCP show
//! them, and a typed call per function.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Client;
use super::query::{one, row, rows};
use crate::error::Error;

/// A memory that answers a question.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Recalled {
    /// Its id.
    pub memory_id: i64,
    /// What it says.
    pub content: String,
    /// The part of a long one that answers.
    pub passage: Option<String>,
    /// Its short form.
    pub summary: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Who may read it.
    pub audience: String,
    /// candidate, verified, rejected, superseded or retracted.
    pub status: String,
    /// How far it is believed, from 0 to 1; null: nobody has said.
    pub confidence: Option<f64>,
    /// What it is ordered by.
    pub score: f64,
    /// How well it answers, from 0 to 1, whatever else was found.
    pub relevance: f64,
    /// Its likeness by words.
    pub lexical: Option<f64>,
    /// Its likeness by meaning.
    pub semantic: Option<f64>,
    /// How present it is by use and age.
    pub temporal: Option<f64>,
    /// What reaches it along links.
    pub association: Option<f64>,
    /// When it was stored.
    pub created_at: String,
    /// Since when it holds.
    pub valid_from: String,
    /// Until when it held.
    pub valid_to: Option<String>,
    /// What took its place.
    pub superseded_by: Option<i64>,
    /// Those that say otherwise.
    pub contradicted_by: Vec<i64>,
}

/// A question.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What is asked, in ordinary words.
    #[schema(min_length = 1, max_length = 100_000)]
    pub query: String,
    /// How many answers at most.
    #[schema(minimum = 1, maximum = 1000, default = 10)]
    pub k: Option<i32>,
    /// Only memories with one of these tags.
    pub tags: Option<Vec<String>>,
    /// Only memories of these kinds.
    pub kinds: Option<Vec<String>>,
    /// Only what holds since then, RFC 3339.
    pub since: Option<chrono::DateTime<chrono::Utc>>,
    /// Only what holds since before then, RFC 3339.
    pub until: Option<chrono::DateTime<chrono::Utc>>,
    /// What was true at that instant.
    pub as_of: Option<chrono::DateTime<chrono::Utc>>,
    /// What was believed at that instant.
    pub known_at: Option<chrono::DateTime<chrono::Utc>>,
    /// Only what answers at least so well, from 0 to 1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub min_relevance: Option<f64>,
}

/// The memories that answer a question, the best first.
///
/// # Errors
/// [`Error::Database`].
pub async fn recall(
    client: &Client,
    bot: &str,
    person: i64,
    asked: &Question,
) -> Result<Vec<Recalled>, Error> {
    rows(
        client,
        "recalling",
        "SELECT pg_catalog.to_jsonb(r) FROM muninn.recall($1, $2, $3, k => $4, tags => $5,
           kinds => $6, since => $7, until => $8, as_of => $9, known_at => $10,
           min_relevance => $11) r ORDER BY r.score DESC, r.memory_id",
        &[
            &bot,
            &person,
            &asked.query,
            &asked.k.unwrap_or(10),
            &asked.tags,
            &asked.kinds,
            &asked.since,
            &asked.until,
            &asked.as_of,
            &asked.known_at,
            &asked.min_relevance,
        ],
    )
    .await
}

/// A memory with all that belongs to it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Memory {
    /// Its id.
    pub memory_id: i64,
    /// What it says.
    pub content: String,
    /// Its short form.
    pub summary: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What kind of statement.
    pub kind: String,
    /// Who may read it.
    pub audience: String,
    /// candidate, verified, rejected, superseded or retracted.
    pub status: String,
    /// How far it is believed, from 0 to 1; null: nobody has said.
    pub confidence: Option<f64>,
    /// Its structured form.
    pub claim: Option<Value>,
    /// When it was stored.
    pub created_at: String,
    /// Since when it is believed no more.
    pub ended_at: Option<String>,
    /// Since when it holds.
    pub valid_from: String,
    /// Until when it held.
    pub valid_to: Option<String>,
    /// What took its place.
    pub superseded_by: Option<i64>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The conversation that it belongs to.
    pub thread: Option<String>,
    /// Counts its changes: pass it with a change, which is refused if somebody was faster.
    pub version: i32,
}

/// One memory; none if there is none of that id which the person may read.
///
/// # Errors
/// [`Error::Database`].
pub async fn memory(
    client: &Client,
    bot: &str,
    person: i64,
    memory: i64,
) -> Result<Option<Memory>, Error> {
    let found = rows(
        client,
        "looking at a memory",
        "SELECT pg_catalog.to_jsonb(m) FROM muninn.memory($1, $2, $3) m",
        &[&bot, &person, &memory],
    )
    .await?;
    Ok(found.into_iter().next())
}

/// Which memories are listed.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// How many at most.
    pub k: i32,
    /// Those before this id.
    pub before: Option<i64>,
    /// With one of these tags.
    pub tags: Option<Vec<String>>,
    /// In one of these states.
    pub statuses: Option<Vec<String>>,
    /// For this audience.
    pub audience: Option<String>,
}

/// The memories that a person may read, newest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn memories(
    client: &Client,
    bot: &str,
    person: i64,
    listing: &Listing,
) -> Result<Vec<Memory>, Error> {
    rows(
        client,
        "listing memories",
        "SELECT pg_catalog.to_jsonb(m) FROM muninn.memories($1, $2, k => $3, before => $4,
           tags => $5, statuses => $6, audience => $7) m",
        &[
            &bot,
            &person,
            &listing.k,
            &listing.before,
            &listing.tags,
            &listing.statuses,
            &listing.audience,
        ],
    )
    .await
}

/// Something to remember.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMemory {
    /// A statement that can be understood by itself, or a text.
    #[schema(min_length = 1)]
    pub content: String,
    /// A short form, for long ones.
    pub summary: Option<String>,
    /// Words to find it by.
    pub tags: Option<Vec<String>>,
    /// What kind of statement.
    pub kind: Option<String>,
    /// personal (the default), shared or group:KEY.
    pub audience: Option<String>,
    /// Its structure: subject, attribute, value, single.
    pub claim: Option<Value>,
    /// How far it is believed, from 0 to 1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub confidence: Option<f64>,
    /// Since when it holds, RFC 3339; now.
    pub valid_from: Option<chrono::DateTime<chrono::Utc>>,
    /// Until when it holds, RFC 3339.
    pub valid_to: Option<chrono::DateTime<chrono::Utc>>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The conversation that it is a turn of.
    pub thread: Option<String>,
}

/// Remembers; the memory's id. With a `key` that was used before: the first one's.
///
/// # Errors
/// [`Error::Database`].
pub async fn remember(
    client: &Client,
    bot: &str,
    person: i64,
    new: &NewMemory,
    key: Option<&str>,
) -> Result<i64, Error> {
    one(
        client,
        "remembering",
        "SELECT muninn.remember($1, $2, $3, summary => $4, tags => $5, kind => $6,
           audience => coalesce($7, 'personal'), claim => $8, confidence => $9, valid_from => $10,
           valid_to => $11, source => $12, thread => $13, key => $14)",
        &[
            &bot,
            &person,
            &new.content,
            &new.summary,
            &new.tags,
            &new.kind,
            &new.audience,
            &new.claim,
            &new.confidence,
            &new.valid_from,
            &new.valid_to,
            &new.source,
            &new.thread,
            &key,
        ],
    )
    .await
}

/// Puts a right version in the place of a wrong one; the new one's id.
///
/// # Errors
/// [`Error::Database`]; a conflict if somebody was faster.
pub async fn correct(
    client: &Client,
    bot: &str,
    person: i64,
    memory: i64,
    content: &str,
    version: Option<i32>,
    reason: Option<&str>,
) -> Result<i64, Error> {
    one(
        client,
        "correcting a memory",
        "SELECT muninn.correct($1, $2, $3, $4, version => $5, reason => $6)",
        &[&bot, &person, &memory, &content, &version, &reason],
    )
    .await
}

/// A decision about a memory that leaves it where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It is true.
    Confirm,
    /// A candidate is not.
    Reject,
    /// What was believed is believed no more.
    Retract,
}

/// Decides about a memory; its version then.
///
/// # Errors
/// [`Error::Database`]; a conflict if somebody was faster.
pub async fn decide(
    client: &Client,
    bot: &str,
    person: i64,
    memory: i64,
    decision: Decision,
    version: Option<i32>,
    reason: Option<&str>,
) -> Result<i32, Error> {
    let query = match decision {
        Decision::Confirm => "SELECT muninn.confirm($1, $2, $3, version => $4, reason => $5)",
        Decision::Reject => "SELECT muninn.reject($1, $2, $3, version => $4, reason => $5)",
        Decision::Retract => "SELECT muninn.retract($1, $2, $3, version => $4, reason => $5)",
    };
    one(client, "deciding about a memory", query, &[&bot, &person, &memory, &version, &reason])
        .await
}

/// Erases a memory; the receipt, `None` if there is none that the person may read.
///
/// # Errors
/// [`Error::Database`].
pub async fn forget(
    client: &Client,
    bot: &str,
    person: i64,
    memory: i64,
    reason: Option<&str>,
) -> Result<Option<i64>, Error> {
    one(
        client,
        "forgetting",
        "SELECT muninn.forget($1, $2, $3, reason => $4)",
        &[&bot, &person, &memory, &reason],
    )
    .await
}

/// Lets others read a memory, or (`personal`) nobody else any more; its version then.
///
/// # Errors
/// [`Error::Database`]; a conflict if somebody was faster.
pub async fn share(
    client: &Client,
    bot: &str,
    person: i64,
    memory: i64,
    audience: &str,
    version: Option<i32>,
) -> Result<i32, Error> {
    if audience == "personal" {
        let query = "SELECT muninn.unshare($1, $2, $3, version => $4)";
        return one(client, "taking back a memory", query, &[&bot, &person, &memory, &version])
            .await;
    }
    one(
        client,
        "sharing a memory",
        "SELECT muninn.share($1, $2, $3, audience => $4, version => $5)",
        &[&bot, &person, &memory, &audience, &version],
    )
    .await
}

/// What was believed about a memory, at one point of its life.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// When.
    pub at: String,
    /// What was done.
    pub action: String,
    /// With which memory of the line.
    pub memory_id: i64,
    /// What that says.
    pub content: String,
    /// Its state from then on.
    pub status: String,
    /// Since when it holds.
    pub valid_from: String,
    /// Until when it held.
    pub valid_to: Option<String>,
    /// Who did it.
    pub by_person: Option<i64>,
    /// Why.
    pub reason: Option<String>,
}

/// What was believed over time about a memory and those in whose line it stands.
///
/// # Errors
/// [`Error::Database`].
pub async fn history(
    client: &Client,
    bot: &str,
    person: i64,
    memory: i64,
) -> Result<Vec<Step>, Error> {
    rows(
        client,
        "reading a memory's history",
        "SELECT pg_catalog.to_jsonb(h) FROM muninn.history($1, $2, $3) h",
        &[&bot, &person, &memory],
    )
    .await
}

/// Why a memory is among the answers to a question, or is not.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Why {
    /// The memory.
    pub memory_id: i64,
    /// Whether it is among the first answers.
    pub returned: bool,
    /// Its place.
    pub place: Option<i64>,
    /// In words.
    pub reason: String,
    /// What it is ordered by.
    pub score: Option<f64>,
    /// What the last answer had.
    pub least_score: Option<f64>,
    /// How well it answers.
    pub relevance: Option<f64>,
    /// By words.
    pub lexical: Option<f64>,
    /// By meaning.
    pub semantic: Option<f64>,
    /// By use and age.
    pub temporal: Option<f64>,
    /// How often it was recalled.
    pub accesses: Option<i64>,
    /// Days since then.
    pub age_days: Option<f64>,
    /// Along links.
    pub association: Option<f64>,
    /// How far it is believed.
    pub confidence: Option<f64>,
}

/// Why a memory is among the answers to a question, or is not.
///
/// # Errors
/// [`Error::Database`].
pub async fn why(
    client: &Client,
    bot: &str,
    person: i64,
    query: &str,
    memory: i64,
) -> Result<Option<Why>, Error> {
    let found = rows(
        client,
        "explaining an answer",
        "SELECT pg_catalog.to_jsonb(w) FROM muninn.why($1, $2, $3, $4) w",
        &[&bot, &person, &memory, &query],
    )
    .await?;
    Ok(found.into_iter().next())
}

/// The contradictions that wait for somebody.
///
/// # Errors
/// [`Error::Database`].
pub async fn contradictions(
    client: &Client,
    bot: &str,
    person: i64,
    k: i32,
) -> Result<Vec<Value>, Error> {
    rows(
        client,
        "listing contradictions",
        "SELECT pg_catalog.to_jsonb(c) FROM muninn.contradictions($1, $2, k => $3) c",
        &[&bot, &person, &k],
    )
    .await
}

/// What a model asked to do, and the person has to decide.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Request {
    /// Its id.
    pub request_id: i64,
    /// forget.
    pub action: String,
    /// With which memory.
    pub memory_id: i64,
    /// What that says.
    pub content: String,
    /// In which turn.
    pub turn_id: i64,
    /// When.
    pub created_at: String,
}

/// What models asked to do and the person has not decided.
///
/// # Errors
/// [`Error::Database`].
pub async fn requests(client: &Client, bot: &str, person: i64) -> Result<Vec<Request>, Error> {
    rows(
        client,
        "listing requests",
        "SELECT pg_catalog.to_jsonb(r) FROM muninn.requests($1, $2) r",
        &[&bot, &person],
    )
    .await
}

/// Decides what a model asked; the receipt if it was done.
///
/// # Errors
/// [`Error::Database`].
pub async fn decide_request(
    client: &Client,
    bot: &str,
    person: i64,
    request: i64,
    accept: bool,
) -> Result<Option<i64>, Error> {
    one(
        client,
        "deciding a request",
        "SELECT muninn.decide_request($1, $2, $3, $4)",
        &[&bot, &person, &request, &accept],
    )
    .await
}

/// What a person's turns used of a model on a day.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// The day, UTC.
    pub day: String,
    /// chat, extract, draft or judge.
    pub role: String,
    /// Where the model is.
    pub provider: String,
    /// The model.
    pub model: String,
    /// How many calls.
    pub calls: i64,
    /// Those that failed.
    pub failed: i64,
    /// Tokens read; null: unknown.
    pub input_tokens: Option<i64>,
    /// Tokens written; null: unknown.
    pub output_tokens: Option<i64>,
    /// US dollars; null: unknown.
    pub cost: Option<f64>,
    /// Calls whose cost is not known and not in the sum.
    pub unknown_cost: i64,
}

/// What a person's turns used, by day and model.
///
/// # Errors
/// [`Error::Database`].
pub async fn usage(client: &Client, bot: &str, person: i64) -> Result<Vec<Usage>, Error> {
    rows(
        client,
        "adding up usage",
        "SELECT pg_catalog.to_jsonb(u) FROM muninn.usage($1, $2) u",
        &[&bot, &person],
    )
    .await
}

/// A token of a person for a program.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Token {
    /// Its id.
    pub token_id: i64,
    /// What it is for.
    pub name: String,
    /// read, write, chat.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created_at: String,
    /// When it ends.
    pub expires_at: String,
}

/// A token that was just made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MadeToken {
    /// Its id.
    pub token_id: i64,
    /// The secret: it is said this once.
    pub token: String,
    /// When it ends.
    pub expires_at: String,
}

/// The person's tokens.
///
/// # Errors
/// [`Error::Database`].
pub async fn tokens(client: &Client, bot: &str, person: i64) -> Result<Vec<Token>, Error> {
    rows(
        client,
        "listing tokens",
        "SELECT pg_catalog.to_jsonb(t) FROM muninn.tokens($1, $2) t",
        &[&bot, &person],
    )
    .await
}

/// Makes a token.
///
/// # Errors
/// [`Error::Database`].
pub async fn create_token(
    client: &Client,
    bot: &str,
    person: i64,
    name: &str,
    scopes: &[String],
    days: f64,
) -> Result<MadeToken, Error> {
    row(
        client,
        "making a token",
        "SELECT pg_catalog.to_jsonb(t) FROM muninn.create_token($1, $2, $3, $4, $5) t",
        &[&bot, &person, &name, &scopes, &days],
    )
    .await
}

/// Ends a token; false if there is none.
///
/// # Errors
/// [`Error::Database`].
pub async fn revoke_token(
    client: &Client,
    bot: &str,
    person: i64,
    token: i64,
) -> Result<bool, Error> {
    one(
        client,
        "revoking a token",
        "SELECT muninn.revoke_token($1, $2, $3)",
        &[&bot, &person, &token],
    )
    .await
}
