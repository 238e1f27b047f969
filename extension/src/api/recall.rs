//! `muninn.recall`.

use std::collections::{BTreeMap, HashMap};

use muninn_core::calibrate;
use muninn_core::fusion::{self, Evidence, Fusion};
use muninn_core::lexical::Question;
use muninn_core::text;
use pgrx::datum::TimestampWithTimeZone;
use pgrx::iter::TableIterator;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use super::remember::check_embedding;
use crate::error::Error;
use crate::pg::Overrides;
use crate::store::memory::{self, Detail};
use crate::store::scope::{self, Scope};
use crate::store::search::{self, Conditions, VectorSearch};
use crate::{config, embedding};

/// How many candidates each arm brings.
const CANDIDATES: usize = 30;
/// The longest question, in bytes.
const QUESTION_LIMIT: usize = 100_000;

/// The `k` memories in the person's scope that answer the question best, by
/// words and by meaning. Writes nothing: works in a read-only transaction and
/// on a standby.
///
/// `fusion`: convex (default), rrf, lexical, vector. `embedding`: the
/// question's vector, if the caller has it. `since`, `until`: bounds on
/// valid_from. `as_of`, `known_at`: instants of valid and of record time.
/// `explain`: fill the columns with the parts of the score.
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
        ),
    >,
    ErrorReport,
> {
    let bot = bot.ok_or(Error::Null("bot"))?;
    let person = person.ok_or(Error::Null("person"))?;
    let scope = scope::scope(bot, person)?;
    let query = check_query(query)?;
    let k = k.unwrap_or(10);
    if !(1..=1000).contains(&k) {
        return Err(Error::BadK(k).into());
    }
    if let Some(value) = min_relevance.filter(|m| !(0.0..=1.0).contains(m)) {
        return Err(Error::NotAShare { name: "min_relevance", value }.into());
    }
    let fusion = match fusion {
        Some(name) => name.parse().map_err(|_| Error::UnknownFusion(name.to_owned()))?,
        None => scope.settings.fusion,
    };
    let vector = check_embedding(embedding, &scope)?;
    let conditions = Conditions { tags, kinds, since, until, as_of, known_at, statuses };
    let explain = explain.unwrap_or(false);

    let found = Search { scope: &scope, query, fusion, limit: CANDIDATES.max(k as usize) }
        .run(vector, &conditions)?;
    let best: Vec<fusion::Fused> = found
        .into_iter()
        .filter(|fused| fused.relevance >= min_relevance.unwrap_or(0.0))
        .take(k as usize)
        .collect();
    let ids = best.iter().map(|fused| fused.id).collect();
    let mut details: HashMap<i64, Detail> = memory::details(scope.bot, &scope.audiences, ids)?
        .into_iter()
        .map(|detail| (detail.id, detail))
        .collect();
    let rows: Vec<_> = best
        .into_iter()
        .filter_map(|fused| details.remove(&fused.id).map(|detail| (fused, detail)))
        .map(move |(fused, detail)| {
            let part = |value: Option<f64>| value.filter(|_| explain);
            let rank = |value: Option<u32>| value.filter(|_| explain).map(|rank| rank as i32);
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
                None,
                None,
                rank(fused.evidence.lexical_rank),
                rank(fused.evidence.vector_rank),
                detail.created_at,
                detail.valid_from,
                detail.valid_to,
                detail.superseded_by,
                Vec::new(),
            )
        })
        .collect();
    Ok(TableIterator::new(rows))
}

fn check_query(query: Option<&str>) -> Result<&str, Error> {
    let query = query.ok_or(Error::Null("query"))?;
    if query.len() > QUESTION_LIMIT {
        return Err(Error::TooLong { what: "query", bytes: query.len(), limit: QUESTION_LIMIT });
    }
    if query.trim().is_empty() { Err(Error::EmptyQuestion) } else { Ok(query) }
}

/// Which memories of the scope a search may return; ids in order.
enum Allowed {
    Only(Vec<i64>),
    AllBut(Vec<i64>),
}

impl Allowed {
    fn contains(&self, id: i64) -> bool {
        match self {
            Self::Only(ids) => ids.binary_search(&id).is_ok(),
            Self::AllBut(ids) => ids.binary_search(&id).is_err(),
        }
    }
}

/// One search of one scope.
struct Search<'a> {
    scope: &'a Scope,
    query: &'a str,
    fusion: Fusion,
    /// Candidates of each arm.
    limit: usize,
}

impl Search<'_> {
    fn run(
        &self,
        vector: Option<Vec<f32>>,
        conditions: &Conditions,
    ) -> Result<Vec<fusion::Fused>, Error> {
        let scope = self.scope;
        // The indexes lead with the scope: reading them is right at any size,
        // also where a table has grown since its statistics were taken.
        let _indexes = Overrides::set(&[
            (c"enable_seqscan", c"off"),
            (c"hnsw.iterative_scan", c"strict_order"),
            (c"hnsw.ef_search", c"100"),
        ]);
        let allowed = if conditions.any() {
            Allowed::Only(search::eligible(scope.bot, &scope.audiences, conditions)?)
        } else {
            Allowed::AllBut(search::dormant(scope.bot, &scope.audiences)?)
        };
        let corpus = search::corpus(scope.bot, &scope.audiences)?;
        let mut candidates: BTreeMap<i64, Evidence> = BTreeMap::new();

        let mut by_words = Vec::new();
        if self.fusion.uses_words() {
            let languages: Vec<text::Language> =
                text::detect(self.query).into_iter().chain(scope.settings.language).collect();
            let question = Question::new(text::analyse_query(self.query, &languages));
            let postings = search::postings(scope.bot, &scope.audiences, &question)?;
            by_words = question.score(&postings, corpus);
            by_words.retain(|(id, _)| allowed.contains(*id));
            for (rank, (id, score)) in by_words.iter().take(self.limit).enumerate() {
                let evidence = candidates.entry(*id).or_default();
                evidence.lexical = Some(*score);
                evidence.lexical_rank = Some(rank as u32 + 1);
            }
        }
        let with_meaning = self.fusion.uses_meaning()
            && self.add_meaning(vector, corpus.memories, &allowed, &mut candidates)?;
        if self.fusion.uses_words() {
            // What only its meaning brought may have some of the words, too.
            let scores: HashMap<i64, f64> = by_words.into_iter().collect();
            for (id, evidence) in &mut candidates {
                evidence.lexical = evidence.lexical.or_else(|| scores.get(id).copied());
            }
        }
        Ok(fusion::fuse(&candidates, self.fusion, scope.settings.semantic_weight, with_meaning))
    }

    /// Runs the vector arm and gives every candidate its likeness of meaning.
    /// `false` where there is no vector for the question.
    fn add_meaning(
        &self,
        vector: Option<Vec<f32>>,
        memories: u64,
        allowed: &Allowed,
        candidates: &mut BTreeMap<i64, Evidence>,
    ) -> Result<bool, Error> {
        let Some(model) = self.scope.model else { return Ok(false) };
        let vector = match vector {
            None if model.builtin => embedding::embed_if_possible(self.query),
            given => given,
        };
        let Some(vector) = vector else { return Ok(false) };
        let arm = VectorSearch {
            bot: self.scope.bot,
            audiences: &self.scope.audiences,
            model: model.id,
            dimensions: model.dimensions,
            schema: search::vector_schema()?,
            vector: &vector,
        };
        let small = memories <= config::EXACT_SCAN_LIMIT.get() as u64;
        let nearest = match allowed {
            Allowed::Only(ids) => arm.nearest_exact(Some(ids), self.limit as i64)?,
            Allowed::AllBut(ids) => {
                // As many more as may have to be left out.
                let limit = self.limit + ids.len();
                let found = if small { Vec::new() } else { arm.nearest_approximate(limit as i64)? };
                // An index scan that gave up early is no answer.
                if found.len() < limit { arm.nearest_exact(None, limit as i64)? } else { found }
            }
        };
        let nearest = nearest.into_iter().filter(|(id, _)| allowed.contains(*id)).take(self.limit);
        for (rank, (id, cosine)) in nearest.enumerate() {
            let evidence = candidates.entry(id).or_default();
            evidence.semantic = Some(calibrate::semantic(cosine));
            evidence.vector_rank = Some(rank as u32 + 1);
        }
        let missing: Vec<i64> = candidates
            .iter()
            .filter(|(_, evidence)| evidence.semantic.is_none())
            .map(|(&id, _)| id)
            .collect();
        if !missing.is_empty() {
            for (id, cosine) in arm.cosines(missing)? {
                if let Some(evidence) = candidates.get_mut(&id) {
                    evidence.semantic = Some(calibrate::semantic(cosine));
                }
            }
        }
        Ok(true)
    }
}
