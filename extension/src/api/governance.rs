//! Rules of governance that need no rows, for functions in SQL.

use muninn_core::governance::{self, Change, Status, Verb};
use muninn_core::settings::Claims;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use crate::error::Error;
use crate::store::relocate;
use crate::store::scope::bot_settings;

/// What a verb makes of a memory in a state: the state afterwards, which is the
/// same where nothing changes; NULL if it cannot be done.
///
/// Errors: 22023 for an unknown verb or state.
#[pg_extern(immutable, parallel_safe, strict)]
fn next_status(verb: &str, status: &str) -> Result<Option<String>, ErrorReport> {
    let unknown = |name: &str| Error::UnknownWord(name.to_owned());
    let status: Status = status.parse().map_err(|()| unknown(status))?;
    let verb: Verb = verb.parse().map_err(|()| unknown(verb))?;
    Ok(verb.on(status).map(|change| match change {
        Change::To(next) => next.name().to_owned(),
        Change::Stays | Change::Already => status.name().to_owned(),
    }))
}

/// A text without what does not change what it says: case, white space, the
/// full stop at its end.
#[pg_extern(immutable, parallel_safe, strict)]
fn normalised(content: &str) -> String {
    governance::normalised(content)
}

/// HMAC-SHA-256 of a text under a key.
#[pg_extern(immutable, parallel_safe)]
fn keyed_hash(key: Option<&[u8]>, content: Option<&str>) -> Option<Vec<u8>> {
    Some(governance::keyed_hash(key?, content?))
}

/// Moves a memory to another audience, with all of its index; to its own, it is
/// indexed anew.
///
/// Errors: 22004 where an argument is NULL, 42704 where there is no such memory.
#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn reindex(
    bot_id: Option<i64>,
    memory: Option<i64>,
    audience_id: Option<i64>,
) -> Result<(), ErrorReport> {
    let bot = bot_id.ok_or(Error::Null("bot_id"))?;
    let memory = memory.ok_or(Error::Null("memory"))?;
    let audience = audience_id.ok_or(Error::Null("audience_id"))?;
    Ok(relocate::memory(bot, memory, audience)?)
}

/// Whether a new value of a single-valued claim ends the old one, by a bot's
/// settings.
///
/// Errors: 22023 for settings that cannot be taken.
#[pg_extern(immutable, parallel_safe, strict)]
fn closes_claims(settings: &str) -> Result<bool, ErrorReport> {
    Ok(bot_settings(settings)?.claims == Claims::Close)
}
