//! What a model does with memories in the turn that it answers.

use super::Client;
use super::query::one;
use crate::error::Error;

/// Keeps a statement as a candidate; `None` if it was in the prompt.
///
/// # Errors
/// [`Error::Database`].
pub async fn propose_memory(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    content: &str,
    tags: &[String],
) -> Result<Option<i64>, Error> {
    one(
        client,
        "keeping a statement",
        "SELECT muninn.propose_memory($1, $2, $3, $4, tags => $5)",
        &[&bot, &person, &turn, &content, &tags],
    )
    .await
}

/// Corrects a memory that is the person's alone; the new one's id.
///
/// # Errors
/// [`Error::Database`].
pub async fn propose_correction(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    memory: i64,
    content: &str,
) -> Result<i64, Error> {
    one(
        client,
        "correcting a memory",
        "SELECT muninn.propose_correction($1, $2, $3, $4, $5)",
        &[&bot, &person, &turn, &memory, &content],
    )
    .await
}

/// Asks the person to have a memory forgotten; the request.
///
/// # Errors
/// [`Error::Database`].
pub async fn request_forget(
    client: &Client,
    bot: &str,
    person: i64,
    turn: i64,
    memory: i64,
) -> Result<i64, Error> {
    one(
        client,
        "asking to forget",
        "SELECT muninn.request_forget($1, $2, $3, $4)",
        &[&bot, &person, &turn, &memory],
    )
    .await
}
