//! Who asks, and what they may read.

use muninn_core::audience::Audience;
use muninn_core::settings::{BadSetting, BotSettings};

use super::spi::{must, run, write};
use crate::error::Error;
use crate::pg::Sees;

/// The active embedding model.
#[derive(Debug, Clone, Copy)]
pub struct ActiveModel {
    /// Its id in `muninn.embedding_model`.
    pub id: i32,
    /// Whether the database computes it.
    pub builtin: bool,
    /// Length of its vectors.
    pub dimensions: usize,
}

/// The scope of one call.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The bot.
    pub bot: i64,
    /// What is set for it.
    pub settings: BotSettings,
    /// The audiences that the person may read.
    pub audiences: Vec<i64>,
    /// The active embedding model, if any.
    pub model: Option<ActiveModel>,
}

/// The scope of a person of a bot.
///
/// # Errors
/// 22004 without a bot or person, 42704 for an unknown one.
pub fn scope(bot: &str, person: i64) -> Result<Scope, Error> {
    scope_by(bot, person, Sees::WhatTheCallerSees)
}

/// The same for one who writes: a person made in the same statement counts.
///
/// # Errors
/// As [`scope`].
pub fn scope_to_write(bot: &str, person: i64) -> Result<Scope, Error> {
    scope_by(bot, person, Sees::Newest)
}

fn scope_by(bot: &str, person: i64, sees: Sees) -> Result<Scope, Error> {
    let mut rows = run(
        "SELECT s.bot_id, s.settings::text, s.audiences, m.id, m.provider, m.dimensions
         FROM muninn.scope($1, $2) s LEFT JOIN muninn.embedding_model m ON m.id = muninn.active_model()",
        &[bot.into(), person.into()],
        sees,
        |row| {
            let settings = must::<String>(row, 2, "settings")?;
            let model = match (row.get(4), row.get::<String>(5), row.get::<i32>(6)) {
                (Some(id), Some(provider), Some(dimensions)) => Some(ActiveModel {
                    id,
                    builtin: provider == "builtin",
                    dimensions: dimensions as usize,
                }),
                _ => None,
            };
            Ok(Scope {
                bot: must(row, 1, "bot")?,
                settings: bot_settings(&settings)?,
                audiences: must(row, 3, "audiences")?,
                model,
            })
        },
    )?;
    rows.pop().ok_or(Error::Missing("scope"))
}

/// Those of a scope's audiences that are named.
///
/// # Errors
/// 22023 for what is no name of an audience; one that the person may not read is none.
pub fn among(scope: &Scope, names: Vec<Option<String>>) -> Result<Vec<i64>, Error> {
    for name in &names {
        let name = name.as_deref().unwrap_or("NULL");
        name.parse::<Audience>().map_err(|_| Error::UnknownAudience(name.to_owned()))?;
    }
    run(
        "SELECT a.id FROM muninn.audience a
         WHERE a.bot_id = $1 AND a.id = ANY ($2) AND muninn.audience_name(a.kind, a.key) = ANY ($3)",
        &[scope.bot.into(), scope.audiences.clone().into(), names.into()],
        Sees::WhatTheCallerSees,
        |row| must(row, 1, "audience"),
    )
}

/// Reads the settings of a bot from the text of its JSON.
///
/// # Errors
/// [`Error::Setting`] for a name or value that cannot be taken.
pub fn bot_settings(json: &str) -> Result<BotSettings, Error> {
    let value = serde_json::from_str(json).map_err(|e| {
        Error::Setting(BadSetting { name: "settings".into(), allowed: format!("plain JSON: {e}") })
    })?;
    BotSettings::read(&value).map_err(Error::Setting)
}

/// The audience that a person writes to; one's own is made at first use.
///
/// # Errors
/// 42704 for a group that the person does not belong to, whether or not it exists.
pub fn writable_audience(bot: i64, person: i64, audience: &Audience) -> Result<i64, Error> {
    let key = match audience {
        Audience::Group(key) => Some(key.as_str()),
        Audience::Personal | Audience::Shared => None,
    };
    let kind = match audience {
        Audience::Personal => "personal",
        Audience::Shared => "shared",
        Audience::Group(_) => "group",
    };
    write(
        "SELECT muninn.writable_audience($1, $2, $3, $4)",
        &[bot.into(), person.into(), kind.into(), key.into()],
        |row| must(row, 1, "audience"),
    )?
    .pop()
    .ok_or(Error::Missing("audience"))
}
