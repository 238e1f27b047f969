//! One way to call a SQL function: a prepared statement, and errors that say what was done.

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_postgres::types::{FromSql, ToSql};

use super::Client;
use crate::error::Error;

/// The rows of a query whose only column is a JSON object.
pub async fn rows<T: DeserializeOwned>(
    client: &Client,
    action: &'static str,
    query: &str,
    arguments: &[&(dyn ToSql + Sync)],
) -> Result<Vec<T>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database(action, &e);
    let statement = client.prepare_cached(query).await.map_err(failed)?;
    let rows = client.query(&statement, arguments).await.map_err(failed)?;
    rows.iter().map(|row| read(action, row.try_get(0).map_err(failed)?)).collect()
}

/// The one row of a query whose only column is a JSON object.
pub async fn row<T: DeserializeOwned>(
    client: &Client,
    action: &'static str,
    query: &str,
    arguments: &[&(dyn ToSql + Sync)],
) -> Result<T, Error> {
    read(action, one(client, action, query, arguments).await?)
}

/// The one value of a query.
pub async fn one<T>(
    client: &Client,
    action: &'static str,
    query: &str,
    arguments: &[&(dyn ToSql + Sync)],
) -> Result<T, Error>
where
    T: for<'a> FromSql<'a>,
{
    let failed = |e: tokio_postgres::Error| Error::database(action, &e);
    let statement = client.prepare_cached(query).await.map_err(failed)?;
    client.query_one(&statement, arguments).await.and_then(|row| row.try_get(0)).map_err(failed)
}

/// A query for its effect.
pub async fn execute(
    client: &Client,
    action: &'static str,
    query: &str,
    arguments: &[&(dyn ToSql + Sync)],
) -> Result<(), Error> {
    let failed = |e: tokio_postgres::Error| Error::database(action, &e);
    let statement = client.prepare_cached(query).await.map_err(failed)?;
    client.execute(&statement, arguments).await.map_err(failed)?;
    Ok(())
}

fn read<T: DeserializeOwned>(action: &'static str, value: Value) -> Result<T, Error> {
    serde_json::from_value(value)
        .map_err(|error| Error::Task(format!("{action}: a row cannot be read: {error}")))
}
