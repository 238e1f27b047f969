//! `muninn.why`: why a memory is among the answers, or is not.

use muninn_core::fusion::{Fused, Fusion};
use pgrx::iter::TableIterator;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use super::recall::{CANDIDATES, check_k, check_query, usual_statuses};
use crate::error::Error;
use crate::search::{Found, Search};
use crate::store::memory::{self, Detail};
use crate::store::scope::{self, Scope};
use crate::store::search::Conditions;

/// Why a memory is among the first `k` answers to a question, or is not, in words
/// and with every factor of its score. Writes nothing, and is not learned from.
///
/// Errors: 22004, 22023, 42704 an unknown bot or person, or no memory that the
/// person may read.
#[pg_extern(stable)]
#[search_path(pg_catalog, pg_temp)]
#[expect(clippy::type_complexity, reason = "the columns are named in SQL")]
fn why(
    bot: Option<&str>,
    person: Option<i64>,
    memory: Option<i64>,
    query: Option<&str>,
    k: default!(Option<i32>, "10"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(memory_id, i64),
            name!(returned, bool),
            name!(place, Option<i64>),
            name!(reason, String),
            name!(score, Option<f64>),
            name!(least_score, Option<f64>),
            name!(relevance, Option<f64>),
            name!(lexical, Option<f64>),
            name!(semantic, Option<f64>),
            name!(lexical_rank, Option<i32>),
            name!(vector_rank, Option<i32>),
            name!(temporal, Option<f64>),
            name!(accesses, Option<i64>),
            name!(age_days, Option<f64>),
            name!(association, Option<f64>),
            name!(linked_from, Option<Vec<i64>>),
            name!(confidence, Option<f64>),
            name!(retention, Option<f64>),
            name!(repeats, Option<i64>),
        ),
    >,
    ErrorReport,
> {
    let bot = bot.ok_or(Error::Null("bot"))?;
    let person = person.ok_or(Error::Null("person"))?;
    let memory = memory.ok_or(Error::Null("memory"))?;
    let query = check_query(query)?;
    let k = check_k(k)? as usize;
    let scope = scope::scope(bot, person)?;
    let detail = memory::details(scope.bot, &scope.audiences, vec![memory], None)?
        .pop()
        .ok_or(Error::NoMemory { memory, person })?;
    let conditions = Conditions { statuses: usual_statuses(&scope), ..Conditions::default() };
    let fusion = scope.settings.fusion;
    let search = |limit| Search { scope: &scope, query, fusion, limit }.run(None, &conditions);
    let mut found = search(CANDIDATES.max(k))?;
    let least = found.fused.get(k - 1).map(|fused| fused.score);
    let answered = is_answered(&scope, &found);
    let place = position(&found, memory);
    // What is no candidate is looked for among more of them, for its figures.
    if place.is_none() {
        found = search(1000)?;
    }
    let fused = found.fused.iter().find(|fused| fused.id == memory).copied();
    let factors = found.factors.remove(&memory);
    let repeats = found.repeats.get(&memory).copied();
    let returned = answered && place.is_some_and(|place| place <= k);
    let story = Story { place, k, least, answered, fused, repeats };
    let learned = factors.as_ref().map(|factors| factors.learned);
    let used = factors.as_ref().map(|factors| factors.used);
    let evidence = fused.map(|fused| fused.evidence);
    let rank = |rank: Option<u32>| rank.map(|rank| rank as i32);
    Ok(TableIterator::once((
        memory,
        returned,
        place.map(|place| place as i64),
        story.tell(&scope, &detail),
        fused.map(|fused| fused.score),
        least,
        fused.map(|fused| fused.relevance),
        evidence.and_then(|evidence| evidence.lexical),
        evidence.and_then(|evidence| evidence.semantic),
        evidence.and_then(|evidence| rank(evidence.lexical_rank)),
        evidence.and_then(|evidence| rank(evidence.vector_rank)),
        learned.map(|learned| learned.temporal),
        used.map(|used| used.accesses.cast_signed()),
        used.map(|used| used.age_days),
        learned.map(|learned| learned.association),
        factors.map(|factors| factors.linked_from),
        detail.confidence,
        learned.map(|learned| learned.retention),
        repeats,
    )))
}

fn position(found: &Found, memory: i64) -> Option<usize> {
    found.fused.iter().position(|fused| fused.id == memory).map(|at| at + 1)
}

fn is_answered(scope: &Scope, found: &Found) -> bool {
    let most = found.fused.iter().map(|fused| fused.relevance).fold(0.0, f64::max);
    scope.settings.fusion != Fusion::Convex || most >= scope.settings.answerable
}

/// What became of a memory in a search.
struct Story {
    /// Its place among all that was found.
    place: Option<usize>,
    k: usize,
    /// The score of the last answer.
    least: Option<f64>,
    answered: bool,
    fused: Option<Fused>,
    repeats: Option<i64>,
}

impl Story {
    fn tell(&self, scope: &Scope, detail: &Detail) -> String {
        let status = detail.status.as_str();
        if !matches!(status, "candidate" | "verified") {
            return match detail.superseded_by {
                Some(by) => format!("It is {status}: memory {by} took its place."),
                None => format!("It is {status}, and recalled only where that is asked for."),
            };
        }
        if status == "candidate" && !scope.settings.candidates {
            return "Nobody has confirmed it yet, and this bot does not recall candidates.".into();
        }
        if !self.answered {
            return "Nothing is relevant enough for this bot to answer (its setting answerable)."
                .into();
        }
        let by = self.brought_by();
        match (self.place, self.repeats) {
            (Some(place), _) if place <= self.k => {
                format!("It is number {place} of the answers{by}.")
            }
            (Some(place), Some(better)) => format!(
                "It says the same as memory {better}, which is better, and steps back to number {place}."
            ),
            (Some(place), None) => format!(
                "It is number {place}{by}; number {} has a score of {:.3}.",
                self.k,
                self.least.unwrap_or_default()
            ),
            (None, _) if self.fused.is_some() => {
                "Others have more of the question's words and are nearer to its meaning: it is no candidate.".into()
            }
            (None, _) => "It shares no word with the question, and a thousand others are nearer to its meaning.".into(),
        }
    }

    /// What made it a candidate.
    fn brought_by(&self) -> &'static str {
        let Some(evidence) = self.fused.map(|fused| fused.evidence) else { return "" };
        match (evidence.lexical_rank, evidence.vector_rank) {
            (Some(_), Some(_)) => ", by its words and its meaning",
            (Some(_), None) => ", by its words",
            (None, Some(_)) => ", by its meaning",
            (None, None) => ", by what stands beside it or is linked to it",
        }
    }
}
