//! Turns, jobs and conversations.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Client;
use super::query::{one, row, rows};
use crate::error::Error;

/// Something that a person says to a bot.
#[derive(Debug, Clone)]
pub struct Said<'a> {
    /// Its text.
    pub content: &'a str,
    /// The key of the conversation.
    pub thread: &'a str,
    /// Where it was said.
    pub channel: &'a str,
    /// What the channel calls it: it is taken once.
    pub external_id: Option<&'a str>,
    /// Whether memories may be proposed from it.
    pub keeps: bool,
    /// The caller answers it itself, within so many seconds or renewals of them.
    pub lease_seconds: Option<i32>,
}

/// A turn that was begun, and whose job the caller may hold.
#[derive(Debug, Clone, Deserialize)]
pub struct Begun {
    /// The turn.
    pub turn_id: i64,
    /// The job that answers it.
    pub job_id: Option<i64>,
    /// The caller's lease of the job.
    pub lease: Option<Uuid>,
}

/// Stores what a person says, and makes the turn.
///
/// # Errors
/// [`Error::Database`].
pub async fn receive(
    client: &Client,
    bot: &str,
    person: i64,
    said: &Said<'_>,
) -> Result<Begun, Error> {
    row(
        client,
        "receiving a message",
        "SELECT pg_catalog.to_jsonb(r)
         FROM muninn.receive($1, $2, $3, thread => $4, channel => $5, external_id => $6,
                             keeps => $7, lease_seconds => $8) r",
        &[
            &bot,
            &person,
            &said.content,
            &said.thread,
            &said.channel,
            &said.external_id,
            &said.keeps,
            &said.lease_seconds,
        ],
    )
    .await
}

/// Has a turn's message answered anew.
///
/// # Errors
/// [`Error::Database`].
pub async fn answer_again(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    lease_seconds: Option<i32>,
) -> Result<Begun, Error> {
    row(
        client,
        "having a turn answered anew",
        "SELECT pg_catalog.to_jsonb(a) FROM muninn.answer_again($1, $2, $3, lease_seconds => $4) a",
        &[&bot, &person, &turn, &lease_seconds],
    )
    .await
}

/// Says a turn's message differently.
///
/// # Errors
/// [`Error::Database`].
pub async fn edit_message(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    content: &str,
    lease_seconds: Option<i32>,
) -> Result<Begun, Error> {
    row(
        client,
        "editing a message",
        "SELECT pg_catalog.to_jsonb(e) FROM muninn.edit_message($1, $2, $3, $4, lease_seconds => $5) e",
        &[&bot, &person, &turn, &content, &lease_seconds],
    )
    .await
}

/// All that a prompt needs, as `muninn.context` returns it.
///
/// # Errors
/// [`Error::Database`].
pub async fn context(client: &Client, bot: &str, person: i64, turn: i64) -> Result<Value, Error> {
    one(
        client,
        "reading a turn's context",
        "SELECT muninn.context($1, $2, $3)",
        &[&bot, &person, &turn],
    )
    .await
}

/// Adds a piece to an answer and renews the lease; false if the turn is no longer the
/// caller's, who has to end then.
///
/// # Errors
/// [`Error::Database`].
pub async fn progress(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    lease: Uuid,
    piece: &str,
    seconds: i32,
) -> Result<bool, Error> {
    one(
        client,
        "keeping a piece of an answer",
        "SELECT muninn.progress($1, $2, $3, $4, $5, $6)",
        &[&bot, &person, &turn, &lease, &piece, &seconds],
    )
    .await
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer<'a> {
    /// Its text.
    pub content: &'a str,
    /// Who gave it, `provider/model`.
    pub model: &'a str,
    /// The calls of models that were made.
    pub calls: &'a Value,
    /// The memories that were in the prompt.
    pub memories: &'a Value,
    /// Milliseconds of each part.
    pub trace: &'a Value,
}

/// Stores the answer of a turn, once.
///
/// # Errors
/// [`Error::Database`]; a conflict where the lease is another's.
pub async fn finish_turn(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    lease: Uuid,
    answer: &Answer<'_>,
) -> Result<i64, Error> {
    one(
        client,
        "storing an answer",
        "SELECT muninn.finish_turn($1, $2, $3, $4, $5, model => $6, calls => $7,
                                       memories => $8, trace => $9)",
        &[
            &bot,
            &person,
            &turn,
            &lease,
            &answer.content,
            &answer.model,
            answer.calls,
            answer.memories,
            answer.trace,
        ],
    )
    .await
}

/// Ends a turn that is being answered.
///
/// # Errors
/// [`Error::Database`].
pub async fn stop_turn(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
) -> Result<Option<i64>, Error> {
    one(client, "stopping a turn", "SELECT muninn.stop_turn($1, $2, $3)", &[&bot, &person, &turn])
        .await
}

/// How a turn stands.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TurnState {
    /// waiting, running, done, stopped or failed.
    pub status: String,
    /// The message that it answers.
    pub message_id: i64,
    /// The answer's message.
    pub reply_id: Option<i64>,
    /// The answer, or what was said of it since the last look.
    pub content: Option<String>,
    /// The last piece of an answer that is being given.
    #[serde(skip_serializing)]
    #[schema(ignore)]
    pub seq: Option<i32>,
    /// Who answered, `provider/model`.
    pub model: Option<String>,
    /// How many memories were proposed from it; null: nobody has looked yet.
    pub kept: Option<i32>,
    /// Why it failed, or is tried again.
    pub error: Option<String>,
}

/// How a turn stands, with what was said after the piece `after`.
///
/// # Errors
/// [`Error::Database`].
pub async fn turn_state(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    after: i32,
) -> Result<TurnState, Error> {
    row(
        client,
        "looking at a turn",
        "SELECT pg_catalog.to_jsonb(s) FROM muninn.turn_state($1, $2, $3, after => $4) s",
        &[&bot, &person, &turn, &after],
    )
    .await
}

/// A memory that a turn used, or that was proposed from it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TurnMemory {
    /// The memory.
    pub memory_id: i64,
    /// What it says.
    pub content: String,
    /// Who may read it.
    pub audience: String,
    /// Its state.
    pub status: String,
    /// Whether it was in the prompt; else it was proposed from the turn.
    pub used: bool,
    /// How relevant it was, from 0 to 1.
    pub relevance: Option<f64>,
    /// Its version.
    pub version: i32,
}

/// The memories that a turn used, then those that were proposed from it.
///
/// # Errors
/// [`Error::Database`].
pub async fn turn_memories(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
) -> Result<Vec<TurnMemory>, Error> {
    rows(
        client,
        "listing a turn's memories",
        "SELECT pg_catalog.to_jsonb(m) FROM muninn.turn_memories($1, $2, $3) m",
        &[&bot, &person, &turn],
    )
    .await
}

/// A conversation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Thread {
    /// Its key.
    pub thread: String,
    /// Its name.
    pub title: Option<String>,
    /// Where it is held.
    pub channel: Option<String>,
    /// Who may read it.
    pub audience: String,
    /// When something was last said in it.
    pub last_at: DateTime<Utc>,
    /// When it began.
    pub created_at: DateTime<Utc>,
}

/// The conversations of a person, the latest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn threads(
    client: &Client,
    bot: &str,
    person: i64,
    k: i32,
    before: Option<DateTime<Utc>>,
) -> Result<Vec<Thread>, Error> {
    rows(
        client,
        "listing conversations",
        "SELECT pg_catalog.to_jsonb(t) FROM muninn.threads($1, $2, k => $3, before => $4) t",
        &[&bot, &person, &k, &before],
    )
    .await
}

/// A message of a conversation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Message {
    /// Its id.
    pub message_id: i64,
    /// Its place in the conversation.
    pub place: i32,
    /// user, assistant or system.
    pub role: String,
    /// What was said.
    pub content: String,
    /// Who said it.
    pub name: Option<String>,
    /// Whether the person who reads said it.
    pub own: Option<bool>,
    /// When.
    pub created_at: DateTime<Utc>,
    /// The turn that a question began, or that an answer ended.
    pub turn_id: Option<i64>,
    /// How that turn stands.
    pub turn_status: Option<String>,
    /// Who answered.
    pub model: Option<String>,
    /// How many memories were proposed from it.
    pub kept: Option<i32>,
    /// Why the turn failed.
    pub error: Option<String>,
}

/// The last messages of a conversation, in their order.
///
/// # Errors
/// [`Error::Database`].
pub async fn messages(
    client: &Client,
    bot: &str,
    person: i64,
    thread: &str,
    k: i32,
    before: Option<i32>,
) -> Result<Vec<Message>, Error> {
    rows(
        client,
        "reading a conversation",
        "SELECT pg_catalog.to_jsonb(m) FROM muninn.messages($1, $2, $3, k => $4, before => $5) m",
        &[&bot, &person, &thread, &k, &before],
    )
    .await
}

/// Names a conversation; false if there is none.
///
/// # Errors
/// [`Error::Database`].
pub async fn rename_thread(
    client: &Client,
    bot: &str,
    person: i64,
    thread: &str,
    title: &str,
) -> Result<bool, Error> {
    one(
        client,
        "naming a conversation",
        "SELECT muninn.rename_thread($1, $2, $3, $4)",
        &[&bot, &person, &thread, &title],
    )
    .await
}

/// Erases a conversation; the receipt, `None` if there is none. `memories`: keep or forget.
///
/// # Errors
/// [`Error::Database`].
pub async fn forget_thread(
    client: &Client,
    bot: &str,
    person: i64,
    thread: &str,
    memories: Option<&str>,
) -> Result<Option<i64>, Error> {
    one(
        client,
        "erasing a conversation",
        "SELECT muninn.forget_thread($1, $2, $3, memories => $4)",
        &[&bot, &person, &thread, &memories],
    )
    .await
}
