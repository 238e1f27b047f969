//! What can be asked about a server and the extensions in a database.

use super::Client;
use crate::error::Error;

fn failed(e: tokio_postgres::Error) -> Error {
    Error::database("asking the server", &e)
}

/// The server and the database of a connection.
#[derive(Debug)]
pub struct Server {
    /// Its version as a number, such as 180003.
    pub version_number: i32,
    /// Its version as text.
    pub version: String,
    /// Name of the database.
    pub database: String,
    /// Encoding of the database.
    pub encoding: String,
}

/// What a connection leads to.
///
/// # Errors
/// [`Error::Database`].
pub async fn server(client: &Client) -> Result<Server, Error> {
    let row = client
        .query_one(
            "SELECT pg_catalog.current_setting('server_version_num')::integer,
                    pg_catalog.current_setting('server_version'), pg_catalog.current_database()::text,
                    pg_catalog.current_setting('server_encoding')",
            &[],
        )
        .await
        .map_err(failed)?;
    Ok(Server {
        version_number: row.try_get(0).map_err(failed)?,
        version: row.try_get(1).map_err(failed)?,
        database: row.try_get(2).map_err(failed)?,
        encoding: row.try_get(3).map_err(failed)?,
    })
}

/// An extension, as far as the server has it.
#[derive(Debug)]
pub struct Extension {
    /// Version in this database, if it is installed here.
    pub installed: Option<String>,
    /// Version that CREATE EXTENSION would install, if the server has its files.
    pub available: Option<String>,
}

/// Looks for an extension in this database and among the server's files.
///
/// # Errors
/// [`Error::Database`].
pub async fn extension(client: &Client, name: &str) -> Result<Extension, Error> {
    let row = client
        .query_one(
            "SELECT (SELECT e.extversion FROM pg_catalog.pg_extension e WHERE e.extname = $1),
                    (SELECT a.default_version FROM pg_catalog.pg_available_extensions a
                     WHERE a.name = $1)",
            &[&name],
        )
        .await
        .map_err(failed)?;
    Ok(Extension {
        installed: row.try_get(0).map_err(failed)?,
        available: row.try_get(1).map_err(failed)?,
    })
}

/// Version of the library that the server has loaded.
///
/// # Errors
/// [`Error::Database`].
pub async fn library_version(client: &Client) -> Result<String, Error> {
    client
        .query_one("SELECT muninn.library_version()", &[])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(failed)
}

/// Libraries loaded at server start; `None` where the role may not know.
///
/// # Errors
/// [`Error::Database`].
pub async fn preloaded(client: &Client) -> Result<Option<String>, Error> {
    let row = client
        .query_opt(
            "SELECT s.setting FROM pg_catalog.pg_settings s
             WHERE s.name = 'shared_preload_libraries'",
            &[],
        )
        .await
        .map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

/// One line of what the extension says about itself.
#[derive(Debug)]
pub struct StatusRow {
    /// The subject.
    pub name: String,
    /// Its figure or name.
    pub value: Option<String>,
    /// ok or warn.
    pub state: String,
    /// What to do.
    pub advice: Option<String>,
}

/// What the extension says about itself.
///
/// # Errors
/// [`Error::Database`].
pub async fn status(client: &Client) -> Result<Vec<StatusRow>, Error> {
    let rows = client
        .query("SELECT s.name, s.value, s.state, s.advice FROM muninn.status() s", &[])
        .await
        .map_err(failed)?;
    rows.iter()
        .map(|row| {
            Ok(StatusRow {
                name: row.try_get(0).map_err(failed)?,
                value: row.try_get(1).map_err(failed)?,
                state: row.try_get(2).map_err(failed)?,
                advice: row.try_get(3).map_err(failed)?,
            })
        })
        .collect()
}

/// The number of elements of a text's embedding, computed now.
///
/// # Errors
/// [`Error::Database`].
pub async fn embed(client: &Client, text: &str) -> Result<usize, Error> {
    let vector: String = client
        .query_one("SELECT muninn.embed($1)::text", &[&text])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(|e| Error::database("embedding a text", &e))?;
    Ok(vector.split(',').count())
}

/// What the role of a connection may do.
#[derive(Debug)]
pub struct Rights {
    /// Its name.
    pub role: String,
    /// Whether nothing is checked for it.
    pub superuser: bool,
    /// Whether it has the rights of muninn_gateway.
    pub gateway: bool,
    /// Whether it has the rights of muninn_operator.
    pub operator: bool,
    /// Whether it may use schema muninn and call recall and remember.
    pub usable: bool,
}

/// What the role of this connection may do.
///
/// # Errors
/// [`Error::Database`].
pub async fn rights(client: &Client) -> Result<Rights, Error> {
    let row = client
        .query_one(
            "SELECT current_user::text, r.rolsuper,
                    coalesce((SELECT pg_catalog.pg_has_role(g.oid, 'USAGE')
                              FROM pg_catalog.pg_roles g WHERE g.rolname = 'muninn_gateway'), false),
                    coalesce((SELECT pg_catalog.pg_has_role(g.oid, 'USAGE')
                              FROM pg_catalog.pg_roles g WHERE g.rolname = 'muninn_operator'), false),
                    pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND
                      (SELECT pg_catalog.count(DISTINCT p.proname) = 2 FROM pg_catalog.pg_proc p
                       WHERE p.pronamespace = n.oid AND p.proname IN ('recall', 'remember')
                         AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))
             FROM pg_catalog.pg_roles r, pg_catalog.pg_namespace n
             WHERE r.rolname = current_user AND n.nspname = 'muninn'",
            &[],
        )
        .await
        .map_err(failed)?;
    Ok(Rights {
        role: row.try_get(0).map_err(failed)?,
        superuser: row.try_get(1).map_err(failed)?,
        gateway: row.try_get(2).map_err(failed)?,
        operator: row.try_get(3).map_err(failed)?,
        usable: row.try_get(4).map_err(failed)?,
    })
}
