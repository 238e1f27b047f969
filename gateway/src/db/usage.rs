//! What the evaluation of learning does to a database for tests.

use super::Client;
use super::query::execute;
use crate::error::Error;

/// Questions of this connection teach nothing.
///
/// # Errors
/// [`Error::Database`].
pub async fn do_not_record(client: &Client) -> Result<(), Error> {
    execute(client, "switching recording off", "SET muninn.record_activations = off", &[]).await
}

/// Lets this connection take so many days before an instant for now; `None`: the clock.
///
/// # Errors
/// [`Error::Database`].
pub async fn set_now(
    client: &Client,
    instant: Option<&str>,
    days_before: f64,
) -> Result<(), Error> {
    execute(
        client,
        "setting the clock",
        "SELECT pg_catalog.set_config('muninn.now',
           coalesce(($1::text::timestamptz - $2::double precision * interval '1 day')::text, ''), false)",
        &[&instant, &days_before],
    )
    .await
}

/// Erases a bot with all that it knows, if there is one.
///
/// # Errors
/// [`Error::Database`].
pub async fn erase_bot(client: &Client, bot: &str) -> Result<(), Error> {
    execute(
        client,
        "erasing a bot",
        "SELECT muninn_admin.delete_bot($1, $1) WHERE EXISTS (SELECT FROM muninn.bot b WHERE b.name = $1)",
        &[&bot],
    )
    .await
}

/// Takes back all that a bot has learned from use.
///
/// # Errors
/// [`Error::Database`].
pub async fn unlearn(client: &Client, bot: &str) -> Result<(), Error> {
    for table in ["activation", "activation_count", "association", "recall_count"] {
        let sql = format!("DELETE FROM muninn.{table} WHERE bot_id = muninn.require_bot($1)");
        execute(client, "unlearning", &sql, &[&bot]).await?;
    }
    Ok(())
}

/// Remembers a statement.
///
/// # Errors
/// [`Error::Database`].
pub async fn remember(client: &Client, bot: &str, person: i64, text: &str) -> Result<i64, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("remembering", &e);
    let statement =
        client.prepare_cached("SELECT muninn.remember($1, $2, $3)").await.map_err(failed)?;
    let row = client.query_one(&statement, &[&bot, &person, &text]).await.map_err(failed)?;
    row.try_get(0).map_err(failed)
}

/// The ids of what a bot with these settings would answer.
///
/// # Errors
/// [`Error::Database`].
pub async fn ask(
    client: &Client,
    bot: &str,
    person: i64,
    question: &str,
    k: i32,
    settings: &str,
) -> Result<Vec<i64>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("asking", &e);
    let statement = client
        .prepare_cached("SELECT r.memory_id FROM muninn.eval_recall($1, $2, $3, $4, $5) r")
        .await
        .map_err(failed)?;
    let rows = client
        .query(&statement, &[&bot, &person, &question, &k, &settings])
        .await
        .map_err(failed)?;
    rows.iter().map(|row| row.try_get(0).map_err(failed)).collect()
}

/// Notes what a recall returned.
///
/// # Errors
/// [`Error::Database`].
pub async fn record(
    client: &Client,
    bot: &str,
    person: i64,
    memories: &[i64],
) -> Result<(), Error> {
    let sql = "SELECT muninn.record_activation($1, $2, $3)";
    execute(client, "noting a recall", sql, &[&bot, &person, &memories]).await
}

/// Runs a task of the worker.
///
/// # Errors
/// [`Error::Database`].
pub async fn run_task(client: &Client, task: &str) -> Result<(), Error> {
    execute(client, "running a task", "SELECT muninn_admin.run_worker($1)", &[&task]).await
}

/// Links two memories.
///
/// # Errors
/// [`Error::Database`].
pub async fn associate(
    client: &Client,
    bot: &str,
    person: i64,
    a: i64,
    b: i64,
) -> Result<(), Error> {
    let sql = "SELECT muninn.associate($1, $2, $3, $4)";
    execute(client, "linking memories", sql, &[&bot, &person, &a, &b]).await
}

/// Adds what speaks for a memory (`reinforce`) or against it (`contradict`).
///
/// # Errors
/// [`Error::Database`].
pub async fn evidence(
    client: &Client,
    bot: &str,
    person: i64,
    memory: i64,
    verb: &str,
    source: &str,
) -> Result<(), Error> {
    let sql = match verb {
        "reinforce" => "SELECT muninn.reinforce($1, $2, $3, 0.8, $4)",
        _ => "SELECT muninn.contradict($1, $2, $3, 0.8, $4)",
    };
    execute(client, "adding evidence", sql, &[&bot, &person, &memory, &source]).await
}
