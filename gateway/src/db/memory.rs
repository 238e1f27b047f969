//! Bots, persons and what they remember.

use serde_json::Value;

use super::Client;
use crate::error::Error;

/// Makes a bot if there is none of that name.
///
/// # Errors
/// [`Error::Database`].
pub async fn ensure_bot(client: &Client, bot: &str) -> Result<(), Error> {
    client
        .execute(
            "SELECT muninn.create_bot($1)
             WHERE NOT EXISTS (SELECT FROM muninn.bot b WHERE b.name = $1)",
            &[&bot],
        )
        .await
        .map_err(|e| Error::database("making a bot", &e))?;
    Ok(())
}

/// Changes the named settings of a bot (null removes one); returns all that are set.
///
/// # Errors
/// [`Error::Database`].
pub async fn configure_bot(client: &Client, bot: &str, settings: &Value) -> Result<Value, Error> {
    client
        .query_one("SELECT muninn.configure_bot($1, $2)", &[&bot, settings])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(|e| Error::database("configuring a bot", &e))
}

/// The id of the person with this identity, who is made if new.
///
/// # Errors
/// [`Error::Database`].
pub async fn person(client: &Client, provider: &str, subject: &str) -> Result<i64, Error> {
    client
        .query_one("SELECT muninn.person($1, $2)", &[&provider, &subject])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(|e| Error::database("finding a person", &e))
}

/// The id of the person with this identity, if there is one.
///
/// # Errors
/// [`Error::Database`].
pub async fn known_person(
    client: &Client,
    provider: &str,
    subject: &str,
) -> Result<Option<i64>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("looking for a person", &e);
    let row = client
        .query_opt(
            "SELECT i.person_id FROM muninn.identity i
             WHERE i.provider = $1 AND i.tenant = '' AND i.subject = $2",
            &[&provider, &subject],
        )
        .await
        .map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

/// Statements to remember, column by column; all columns have the same length.
#[derive(Debug, Default)]
pub struct Statements<'a> {
    /// Their texts.
    pub contents: Vec<&'a str>,
    /// Their keys: a key that the person has used before stores nothing.
    pub keys: Vec<&'a str>,
    /// The conversation that each belongs to, in its order.
    pub threads: Vec<Option<&'a str>>,
    /// Since when each holds, in ISO 8601.
    pub valid_from: Vec<Option<&'a str>>,
}

/// Remembers the statements in their order, in one transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn remember_all(
    client: &Client,
    bot: &str,
    person: i64,
    statements: &Statements<'_>,
) -> Result<(), Error> {
    let failed = |e: tokio_postgres::Error| Error::database("remembering", &e);
    let statement = client
        .prepare_cached(
            "SELECT muninn.remember($1, $2, d.content, valid_from => d.valid_from::timestamptz,
                                    thread => d.thread, key => d.key)
             FROM ROWS FROM (pg_catalog.unnest($3::text[]), pg_catalog.unnest($4::text[]),
                             pg_catalog.unnest($5::text[]), pg_catalog.unnest($6::text[]))
                  WITH ORDINALITY AS d (content, key, thread, valid_from, position)
             ORDER BY d.position",
        )
        .await
        .map_err(failed)?;
    client
        .execute(
            &statement,
            &[
                &bot,
                &person,
                &statements.contents,
                &statements.keys,
                &statements.threads,
                &statements.valid_from,
            ],
        )
        .await
        .map_err(failed)?;
    Ok(())
}

/// One memory of a listing.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its id.
    pub id: i64,
    /// Its key, if it was given one.
    pub key: Option<String>,
    /// Its text.
    pub content: String,
    /// The conversation that it belongs to.
    pub thread: Option<String>,
    /// Whether its meaning can be found.
    pub embedded: bool,
}

/// All memories that a person wrote and may read, newest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn all_memories(client: &Client, bot: &str, person: i64) -> Result<Vec<Listed>, Error> {
    const PAGE: i32 = 1000;
    let failed = |e: tokio_postgres::Error| Error::database("listing memories", &e);
    let statement = client
        .prepare_cached(
            "SELECT m.memory_id, m.key, m.content, m.thread, m.embedded
             FROM muninn.memories($1, $2, k => $3, before => $4, audience => 'personal') m",
        )
        .await
        .map_err(failed)?;
    let mut all: Vec<Listed> = Vec::new();
    loop {
        let before = all.last().map(|memory| memory.id);
        let rows =
            client.query(&statement, &[&bot, &person, &PAGE, &before]).await.map_err(failed)?;
        let full = rows.len() == PAGE as usize;
        for row in rows {
            all.push(Listed {
                id: row.try_get(0).map_err(failed)?,
                key: row.try_get(1).map_err(failed)?,
                content: row.try_get(2).map_err(failed)?,
                thread: row.try_get(3).map_err(failed)?,
                embedded: row.try_get(4).map_err(failed)?,
            });
        }
        if !full {
            return Ok(all);
        }
    }
}

/// Which memory each key of a person stands for: statements that say the same are
/// one memory with several keys.
///
/// # Errors
/// [`Error::Database`].
pub async fn keys(client: &Client, bot: &str, person: i64) -> Result<Vec<(i64, String)>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("listing keys", &e);
    let rows = client
        .query(
            "SELECT k.memory_id, k.key FROM muninn.memory_key k
             WHERE k.bot_id = muninn.require_bot($1) AND k.author_id = $2 ORDER BY k.memory_id, k.key",
            &[&bot, &person],
        )
        .await
        .map_err(failed)?;
    rows.iter()
        .map(|row| Ok((row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?)))
        .collect()
}

/// Erases these memories of a person, in one transaction. The same may be
/// remembered again: it is no wish of a person that they go.
///
/// # Errors
/// [`Error::Database`].
pub async fn erase_all(client: &Client, bot: &str, memories: &[i64]) -> Result<(), Error> {
    client
        .execute(
            "SELECT muninn.erase(muninn.require_bot($1), $2, bury => false)",
            &[&bot, &memories],
        )
        .await
        .map_err(|e| Error::database("erasing", &e))?;
    Ok(())
}

/// A question.
#[derive(Debug, Clone, Copy)]
pub struct Recall<'a> {
    /// Whose memory.
    pub bot: &'a str,
    /// Who asks.
    pub person: i64,
    /// What is asked.
    pub query: &'a str,
    /// How many answers at most.
    pub k: i32,
    /// How words and meaning are joined.
    pub fusion: &'a str,
}

/// The ids of the memories that answer a question best, the best first, each with
/// its relevance.
///
/// # Errors
/// [`Error::Database`].
pub async fn recall(client: &Client, question: Recall<'_>) -> Result<Vec<(i64, f64)>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("recalling", &e);
    let statement = client
        .prepare_cached(
            "SELECT r.memory_id, r.relevance FROM muninn.recall($1, $2, $3, k => $4, fusion => $5) r",
        )
        .await
        .map_err(failed)?;
    let Recall { bot, person, query, k, fusion } = question;
    let rows =
        client.query(&statement, &[&bot, &person, &query, &k, &fusion]).await.map_err(failed)?;
    rows.iter()
        .map(|row| Ok((row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?)))
        .collect()
}
