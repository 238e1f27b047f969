//! Who is signed in.

use serde_json::Value;

use super::Client;
use super::query::{execute, one};
use crate::error::Error;

/// An identity that somebody has vouched for.
#[derive(Debug, Clone, Copy)]
pub struct Identity<'a> {
    /// Who vouches: local, oidc.
    pub provider: &'a str,
    /// The id that never changes there.
    pub subject: &'a str,
    /// Within which the subject is unique.
    pub tenant: &'a str,
    /// What the person is called.
    pub name: Option<&'a str>,
}

/// Begins a session; the secret for the cookie.
///
/// # Errors
/// [`Error::Database`].
pub async fn sign_in(client: &Client, who: Identity<'_>, days: f64) -> Result<String, Error> {
    one(
        client,
        "signing in",
        "SELECT s.secret FROM muninn.sign_in($1, $2, tenant => $3, name => $4, days => $5) s",
        &[&who.provider, &who.subject, &who.tenant, &who.name, &days],
    )
    .await
}

/// A person who is signed in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// Who.
    pub person: i64,
    /// What the person is called.
    pub name: Option<String>,
}

/// The person of a session, if there is one of that secret.
///
/// # Errors
/// [`Error::Database`].
pub async fn signed_in(client: &Client, secret: &str) -> Result<Option<SignedIn>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("looking for a session", &e);
    let statement = client
        .prepare_cached("SELECT s.person, s.name FROM muninn.signed_in($1) s")
        .await
        .map_err(failed)?;
    let row = client.query_one(&statement, &[&secret]).await.map_err(failed)?;
    let person: Option<i64> = row.try_get(0).map_err(failed)?;
    let name = row.try_get(1).map_err(failed)?;
    Ok(person.map(|person| SignedIn { person, name }))
}

/// Ends a session.
///
/// # Errors
/// [`Error::Database`].
pub async fn sign_out(client: &Client, secret: &str) -> Result<(), Error> {
    execute(client, "signing out", "SELECT muninn.sign_out($1)", &[&secret]).await
}

/// The secret of a one-time link for an identity.
///
/// # Errors
/// [`Error::Database`].
pub async fn link(client: &Client, who: Identity<'_>) -> Result<String, Error> {
    one(
        client,
        "making a link",
        "SELECT muninn.sign_in_link($1, $2, tenant => $3, name => $4)",
        &[&who.provider, &who.subject, &who.tenant, &who.name],
    )
    .await
}

/// Turns a link's secret into a session's.
///
/// # Errors
/// [`Error::Database`]; 22023 if the link is not valid.
pub async fn use_link(client: &Client, secret: &str, days: f64) -> Result<String, Error> {
    one(
        client,
        "using a link",
        "SELECT l.session FROM muninn.use_sign_in_link($1, $2) l",
        &[&secret, &days],
    )
    .await
}

/// Keeps what is needed when a browser returns with this state.
///
/// # Errors
/// [`Error::Database`].
pub async fn keep(client: &Client, state: &str, kept: &Value) -> Result<(), Error> {
    execute(client, "keeping a sign-in", "SELECT muninn.keep_sign_in($1, $2)", &[&state, kept])
        .await
}

/// What was kept for a state, once.
///
/// # Errors
/// [`Error::Database`].
pub async fn take(client: &Client, state: &str) -> Result<Option<Value>, Error> {
    one(client, "finishing a sign-in", "SELECT muninn.take_sign_in($1)", &[&state]).await
}

/// Whom a token lets act.
#[derive(Debug, Clone)]
pub struct Bearer {
    /// In which bot.
    pub bot: String,
    /// As whom.
    pub person: i64,
    /// How far.
    pub scopes: Vec<String>,
}

/// Whom a token lets act, if it is one.
///
/// # Errors
/// [`Error::Database`].
pub async fn bearer(client: &Client, token: &str) -> Result<Option<Bearer>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("looking for a token", &e);
    let statement = client
        .prepare_cached("SELECT b.bot, b.person, b.scopes FROM muninn.token_bearer($1) b")
        .await
        .map_err(failed)?;
    let row = client.query_one(&statement, &[&token]).await.map_err(failed)?;
    let bot: Option<String> = row.try_get(0).map_err(failed)?;
    let Some(bot) = bot else { return Ok(None) };
    Ok(Some(Bearer {
        bot,
        person: row.try_get(1).map_err(failed)?,
        scopes: row.try_get(2).map_err(failed)?,
    }))
}

/// The names of the bots for whose persons this gateway may act.
///
/// # Errors
/// [`Error::Database`].
pub async fn served_bots(client: &Client) -> Result<Vec<String>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("listing the bots", &e);
    let rows =
        client.query("SELECT b.bot FROM muninn.served_bots() b", &[]).await.map_err(failed)?;
    rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(failed)
}
