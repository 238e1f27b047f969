//! Work that waits for a gateway.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Client;
use super::query::{one, rows};
use crate::error::Error;

/// A job that this gateway has claimed.
#[derive(Debug, Clone, Deserialize)]
pub struct Job {
    /// Whose.
    pub bot: String,
    /// Its id.
    #[serde(rename = "job_id")]
    pub id: i64,
    /// For whom.
    pub person: i64,
    /// Of which turn.
    #[serde(rename = "turn_id")]
    pub turn: Option<i64>,
    /// Shows that it is this gateway's.
    pub lease: Uuid,
}

/// Claims at most `k` jobs of a kind, for so many seconds.
///
/// # Errors
/// [`Error::Database`].
pub async fn claim(
    client: &Client,
    kind: &str,
    k: i32,
    lease_seconds: i32,
    bots: Option<&[String]>,
) -> Result<Vec<Job>, Error> {
    rows(
        client,
        "claiming jobs",
        "SELECT pg_catalog.to_jsonb(j) FROM muninn.claim_jobs(ARRAY[$1], $2, $3, bots => $4) j",
        &[&kind, &k, &lease_seconds, &bots],
    )
    .await
}

/// Why a job failed.
#[derive(Debug, Clone)]
pub struct Failure {
    /// For people to read.
    pub error: String,
    /// Seconds before which it makes no sense to try again.
    pub retry_after: Option<i32>,
    /// Whether it makes no sense at all.
    pub permanent: bool,
    /// The calls of models that were made.
    pub calls: Value,
}

/// Says that a job failed; whether it will be tried again.
///
/// # Errors
/// [`Error::Database`]; a conflict where the lease is another's.
pub async fn fail(
    client: &Client,
    bot: &str,
    person: i64,
    job: i64,
    lease: Uuid,
    failure: &Failure,
) -> Result<bool, Error> {
    let status: String = one(client, "giving back a job", "SELECT muninn.fail_job($1, $2, $3, $4, $5, retry_after => $6, permanent => $7, calls => $8)", &[
                &bot,
                &person,
                &job,
                &lease,
                &failure.error,
                &failure.retry_after,
                &failure.permanent,
                &failure.calls,
            ]).await?;
    Ok(status == "waiting")
}

/// What the extraction of a turn needs to know, as `muninn.extraction` returns it.
///
/// # Errors
/// [`Error::Database`].
pub async fn extraction(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
) -> Result<Value, Error> {
    one(client, "reading a turn", "SELECT muninn.extraction($1, $2, $3)", &[&bot, &person, &turn])
        .await
}

/// Applies what a model took from a turn, and ends the job.
///
/// # Errors
/// [`Error::Database`]; a conflict where the lease is another's.
pub async fn apply_extraction(
    client: &Client,
    job: &Job,
    result: &Value,
    calls: &Value,
) -> Result<Value, Error> {
    one(
        client,
        "keeping what was learned",
        "SELECT muninn.apply_extraction($1, $2, $3, $4, $5, calls => $6)",
        &[&job.bot, &job.person, &job.id, &job.lease, result, calls],
    )
    .await
}

/// Something that was given up.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Letter {
    /// reply, extract or delivery.
    pub kind: String,
    /// Its id, within its kind.
    pub id: i64,
    /// The turn that it belongs to.
    pub turn_id: Option<i64>,
    /// The conversation.
    pub thread: String,
    /// The beginning of what was said.
    pub said: String,
    /// Why it was given up.
    pub error: Option<String>,
    /// After how many attempts.
    pub attempts: i32,
}

/// What was given up for a person, the latest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn dead_letters(client: &Client, bot: &str, person: i64) -> Result<Vec<Letter>, Error> {
    rows(
        client,
        "listing what was given up",
        "SELECT pg_catalog.to_jsonb(l) FROM muninn.dead_letters($1, $2) l",
        &[&bot, &person],
    )
    .await
}

/// Lets what was given up be tried again; false if there is no such thing.
///
/// # Errors
/// [`Error::Database`].
pub async fn retry_letter(
    client: &Client,
    bot: &str,
    person: i64,
    kind: &str,
    id: i64,
) -> Result<bool, Error> {
    one(
        client,
        "trying again",
        "SELECT muninn.retry_letter($1, $2, $3, $4)",
        &[&bot, &person, &kind, &id],
    )
    .await
}

/// Takes what was given up off the list; false if there is no such thing.
///
/// # Errors
/// [`Error::Database`].
pub async fn discard_letter(
    client: &Client,
    bot: &str,
    person: i64,
    kind: &str,
    id: i64,
) -> Result<bool, Error> {
    one(
        client,
        "discarding",
        "SELECT muninn.discard_letter($1, $2, $3, $4)",
        &[&bot, &person, &kind, &id],
    )
    .await
}
