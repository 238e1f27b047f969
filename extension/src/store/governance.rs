//! What `remember` has to ask about what is there already.

use super::spi::{execute, must, read_newest, write};
use crate::error::Error;
use crate::pg::Jsonb;

/// Whether this statement was forgotten in an audience.
pub fn is_forgotten(bot: i64, audience: i64, content: &str) -> Result<bool, Error> {
    let rows = read_newest(
        "SELECT muninn.is_forgotten($1, $2, $3)",
        &[bot.into(), audience.into(), content.into()],
        |row| must(row, 1, "answer"),
    )?;
    Ok(rows.contains(&true))
}

/// Refuses a claim that is not whole.
pub fn check_claim(claim: Option<&Jsonb>) -> Result<(), Error> {
    match claim {
        Some(claim) => execute("SELECT muninn.check_claim($1)", &[(*claim).into()]),
        None => Ok(()),
    }
}

/// Lets a claim do to others what it has to.
pub fn apply_claim(bot: i64, person: i64, memory: i64) -> Result<(), Error> {
    execute("SELECT muninn.apply_claim($1, $2, $3)", &[bot.into(), person.into(), memory.into()])
}

/// A statement that is said again.
pub struct Repetition<'a> {
    pub bot: i64,
    pub person: i64,
    pub memory: i64,
    /// Where it comes from: counted once.
    pub source: String,
    pub tags: &'a [String],
    /// Whether a person says so, not only a model.
    pub verified: bool,
    pub summary: Option<&'a str>,
    pub kind: Option<&'a str>,
    pub claim: Option<Jsonb>,
}

/// Strengthens the memory that says so already; whether it has a new summary, with
/// which it has to be indexed anew.
pub fn repeat(repetition: &Repetition<'_>) -> Result<bool, Error> {
    let rows = write(
        "SELECT muninn.repeat($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            repetition.bot.into(),
            repetition.person.into(),
            repetition.memory.into(),
            repetition.source.clone().into(),
            repetition.tags.to_vec().into(),
            repetition.verified.into(),
            repetition.summary.into(),
            repetition.kind.into(),
            repetition.claim.into(),
        ],
        |row| must::<bool>(row, 1, "answer"),
    )?;
    Ok(rows.contains(&true))
}

/// Seals audit events into their chains; returns how many.
pub fn seal() -> Result<i64, Error> {
    count("SELECT muninn.seal_all_audit()")
}

/// Rejects candidates whose time is over; returns how many.
pub fn expire() -> Result<i64, Error> {
    count("SELECT muninn.expire_candidates()")
}

fn count(sql: &str) -> Result<i64, Error> {
    write(sql, &[], |row| must(row, 1, "count"))?.pop().ok_or(Error::Missing("count"))
}
