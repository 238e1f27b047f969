//! The index of an audience, for functions in SQL.

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use crate::error::Error;
use crate::store::{rebuild, tidy};

/// Takes memories of a bot's audience out of its index, in this transaction.
///
/// Errors: 22004 where an argument or an element is NULL.
#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn unindex(
    bot_id: Option<i64>,
    audience_id: Option<i64>,
    memories: Option<Vec<Option<i64>>>,
) -> Result<(), ErrorReport> {
    let bot = bot_id.ok_or(Error::Null("bot_id"))?;
    let audience = audience_id.ok_or(Error::Null("audience_id"))?;
    let memories = memories.ok_or(Error::Null("memories"))?;
    let mut memories =
        memories.into_iter().collect::<Option<Vec<i64>>>().ok_or(Error::Null("memories"))?;
    memories.sort_unstable();
    Ok(tidy::remove(bot, audience, &memories)?)
}

/// Builds the index of a bot's audience anew; returns how many memories have words
/// in it.
///
/// Errors: 22004 where an argument is NULL.
#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
fn rebuild_index(bot_id: Option<i64>, audience_id: Option<i64>) -> Result<i64, ErrorReport> {
    let bot = bot_id.ok_or(Error::Null("bot_id"))?;
    let audience = audience_id.ok_or(Error::Null("audience_id"))?;
    Ok(rebuild::audience(bot, audience)?)
}
