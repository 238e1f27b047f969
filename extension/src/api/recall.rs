//! `muninn.recall`.

use std::collections::HashMap;

use muninn_core::fusion::{self, Fusion};
use muninn_core::learning::ring::{Entry, KEPT};
use muninn_core::time::{self, Period};
use pgrx::datum::{Range, RangeBound, TimestampWithTimeZone};
use pgrx::iter::TableIterator;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use super::remember::check_embedding;
use crate::error::Error;
use crate::search::{Factors, Search};
use crate::store::memory::{self, Detail};
use crate::store::scope::{self, Scope};
use crate::store::search::Conditions;
use crate::{config, shmem};

/// How many candidates each arm brings.
pub(super) const CANDIDATES: usize = 30;
/// The longest question, in bytes.
const QUESTION_LIMIT: usize = 100_000;

/// The `k` memories in the person's scope that answer the question best, by
/// words and by meaning. Writes to no table: works in a read-only transaction and
/// on a standby.
///
/// `fusion`: convex (default), rrf, lexical, vector. `embedding`: the
/// question's vector, if the caller has it. `since`, `until`: bounds on
/// valid_from. `as_of`, `known_at`: instants of valid and of record time.
/// `explain`: fill the columns with the parts of the score. `audiences`: only what is
/// in these (personal, shared, group:KEY), where the answer is for others to read.
///
/// Errors: 22004, 22023, 42704, 54000, 22000 as in `remember`.
#[pg_extern(stable)]
#[search_path(pg_catalog, pg_temp)]
#[expect(clippy::too_many_arguments, reason = "the arguments are named in SQL")]
#[expect(clippy::type_complexity, reason = "the columns are named in SQL")]
fn recall(
    bot: Option<&str>,
    person: Option<i64>,
    query: Option<&str>,
    k: default!(Option<i32>, "10"),
    tags: default!(Option<Vec<Option<String>>>, "NULL"),
    kinds: default!(Option<Vec<Option<String>>>, "NULL"),
    since: default!(Option<TimestampWithTimeZone>, "NULL"),
    until: default!(Option<TimestampWithTimeZone>, "NULL"),
    as_of: default!(Option<TimestampWithTimeZone>, "NULL"),
    known_at: default!(Option<TimestampWithTimeZone>, "NULL"),
    min_relevance: default!(Option<f64>, "NULL"),
    statuses: default!(Option<Vec<Option<String>>>, "NULL"),
    fusion: default!(Option<&str>, "NULL"),
    embedding: default!(Option<Vec<Option<f32>>>, "NULL"),
    explain: default!(Option<bool>, "false"),
    audiences: default!(Option<Vec<Option<String>>>, "NULL"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(memory_id, i64),
            name!(content, String),
            name!(summary, Option<String>),
            name!(tags, Vec<String>),
            name!(audience, String),
            name!(status, String),
            name!(confidence, Option<f64>),
            name!(score, f64),
            name!(relevance, f64),
            name!(lexical, Option<f64>),
            name!(semantic, Option<f64>),
            name!(temporal, Option<f64>),
            name!(association, Option<f64>),
            name!(lexical_rank, Option<i32>),
            name!(vector_rank, Option<i32>),
            name!(created_at, TimestampWithTimeZone),
            name!(valid_from, TimestampWithTimeZone),
            name!(valid_to, Option<TimestampWithTimeZone>),
            name!(superseded_by, Option<i64>),
            name!(contradicted_by, Vec<i64>),
            name!(passage, Option<String>),
            name!(period, Option<Range<TimestampWithTimeZone>>),
            name!(accesses, Option<i64>),
            name!(age_days, Option<f64>),
            name!(linked_from, Option<Vec<i64>>),
            name!(retention, Option<f64>),
        ),
    >,
    ErrorReport,
> {
    let bot = bot.ok_or(Error::Null("bot"))?;
    let person = person.ok_or(Error::Null("person"))?;
    let mut scope = scope::scope(bot, person)?;
    if let Some(names) = audiences {
        scope.audiences = scope::among(&scope, names)?;
    }
    let statuses = statuses.or_else(|| usual_statuses(&scope));
    let conditions = Conditions { tags, kinds, since, until, as_of, known_at, statuses };
    let explain = explain.unwrap_or(false);
    let request = Request { query, k, fusion, min_relevance, embedding };
    let Answers { found, passages, period, mut factors, now } =
        answers(&scope, request, &conditions)?;
    if config::RECORD_ACTIVATIONS.get() {
        let returned: Vec<i64> = found.iter().take(KEPT).map(|(fused, _)| fused.id).collect();
        if !returned.is_empty() {
            shmem::note(&Entry::new(scope.bot, person, now, &returned));
        }
    }
    let period = period.filter(|_| explain).map(range_of).transpose()?;
    let rows: Vec<_> = found
        .into_iter()
        .map(move |(fused, detail)| {
            let passage = passages.get(&detail.id).and_then(|range| {
                detail.content.get(range.clone()).map(|text| text.trim().to_owned())
            });
            let part = |value: Option<f64>| value.filter(|_| explain);
            let rank = |value: Option<u32>| value.filter(|_| explain).map(|rank| rank as i32);
            let factors = factors.remove(&detail.id).filter(|_| explain);
            let learned = factors.as_ref().map(|factors| factors.learned);
            let used = factors.as_ref().map(|factors| factors.used);
            (
                detail.id,
                detail.content,
                detail.summary,
                detail.tags,
                detail.audience,
                detail.status,
                detail.confidence,
                fused.score,
                fused.relevance,
                part(fused.evidence.lexical),
                part(fused.evidence.semantic),
                learned.map(|learned| learned.temporal),
                learned.map(|learned| learned.association),
                rank(fused.evidence.lexical_rank),
                rank(fused.evidence.vector_rank),
                detail.created_at,
                detail.valid_from,
                detail.valid_to,
                detail.superseded_by,
                detail.contradicted_by,
                passage,
                period.clone(),
                used.map(|used| used.accesses.cast_signed()),
                used.map(|used| used.age_days),
                factors.map(|factors| factors.linked_from),
                learned.map(|learned| learned.retention),
            )
        })
        .collect();
    Ok(TableIterator::new(rows))
}

/// Which memories are recalled unless a call says otherwise: where candidates are
/// not, only who asks for them gets them.
pub(super) fn usual_statuses(scope: &Scope) -> Option<Vec<Option<String>>> {
    (!scope.settings.candidates).then(|| vec![Some("verified".to_owned())])
}

/// What is asked of a scope; `None` stands for the default.
pub(super) struct Request<'a> {
    pub query: Option<&'a str>,
    pub k: Option<i32>,
    pub fusion: Option<&'a str>,
    pub min_relevance: Option<f64>,
    pub embedding: Option<Vec<Option<f32>>>,
}

/// The answers to a question.
pub(super) struct Answers {
    /// Best first.
    pub found: Vec<(fusion::Fused, Detail)>,
    /// Where in the content of a long memory its best passage is.
    pub passages: HashMap<i64, std::ops::Range<usize>>,
    /// The time that the question names.
    pub period: Option<Period>,
    /// What use has taught of them.
    pub factors: HashMap<i64, Factors>,
    /// What time it is, in microseconds since 2000.
    pub now: i64,
}

/// A period as Postgres has it; its ends are open where it has none.
fn range_of(period: Period) -> Result<Range<TimestampWithTimeZone>, Error> {
    let instant = |seconds: i64, open: i64| -> Result<Option<TimestampWithTimeZone>, Error> {
        if seconds == open {
            return Ok(None);
        }
        // Postgres counts microseconds from the year 2000.
        let since = (seconds - 946_684_800) * 1_000_000;
        since.try_into().map(Some).map_err(|_| Error::Missing("period"))
    };
    let from = instant(period.from, time::BEGINNING)?;
    let to = instant(period.to, time::END)?;
    Ok(Range::new(
        from.map_or(RangeBound::Infinite, RangeBound::Inclusive),
        to.map_or(RangeBound::Infinite, RangeBound::Exclusive),
    ))
}

/// Answers a question.
pub(super) fn answers(
    scope: &Scope,
    request: Request<'_>,
    conditions: &Conditions,
) -> Result<Answers, Error> {
    let query = check_query(request.query)?;
    let k = check_k(request.k)?;
    if let Some(value) = request.min_relevance.filter(|m| !(0.0..=1.0).contains(m)) {
        return Err(Error::NotAShare { name: "min_relevance", value });
    }
    let fusion = match request.fusion {
        Some(name) => name.parse().map_err(|_| Error::UnknownFusion(name.to_owned()))?,
        None => scope.settings.fusion,
    };
    let vector = check_embedding(request.embedding, scope)?;
    let found = Search { scope, query, fusion, limit: CANDIDATES.max(k as usize) }
        .run(vector, conditions)?;
    // An arm alone, or ranks, are asked for as they are.
    let answerable = if fusion == Fusion::Convex { scope.settings.answerable } else { 0.0 };
    let most = found.fused.iter().map(|fused| fused.relevance).fold(0.0, f64::max);
    let least = match request.min_relevance {
        Some(least) => least,
        None if most < answerable => f64::INFINITY,
        None => 0.0,
    };
    let best: Vec<fusion::Fused> =
        found.fused.into_iter().filter(|fused| fused.relevance >= least).take(k as usize).collect();
    let ids = best.iter().map(|fused| fused.id).collect();
    let mut details: HashMap<i64, Detail> =
        memory::details(scope.bot, &scope.audiences, ids, conditions.known_at)?
            .into_iter()
            .map(|detail| (detail.id, detail))
            .collect();
    let best = best
        .into_iter()
        .filter_map(|fused| details.remove(&fused.id).map(|detail| (fused, detail)))
        .collect();
    Ok(Answers {
        found: best,
        passages: found.passages,
        period: found.period,
        factors: found.factors,
        now: found.now,
    })
}

pub(super) fn check_k(k: Option<i32>) -> Result<i32, Error> {
    let k = k.unwrap_or(10);
    if (1..=1000).contains(&k) { Ok(k) } else { Err(Error::BadK(k)) }
}

pub(super) fn check_query(query: Option<&str>) -> Result<&str, Error> {
    let query = query.ok_or(Error::Null("query"))?;
    if query.len() > QUESTION_LIMIT {
        return Err(Error::TooLong { what: "query", bytes: query.len(), limit: QUESTION_LIMIT });
    }
    if query.trim().is_empty() { Err(Error::EmptyQuestion) } else { Ok(query) }
}
