//! One search: both arms, the context of what they find, one order.

use std::collections::{BTreeMap, HashMap, HashSet};

use muninn_core::bm25::Corpus;
use muninn_core::context::{self, Turn};
use muninn_core::fusion::{self, Evidence, Fused, Fusion};
use muninn_core::lexical::Question;
use muninn_core::{calibrate, text};

use crate::error::Error;
use crate::pg::Overrides;
use crate::store::scope::Scope;
use crate::store::search::{self, Conditions, VectorSearch};
use crate::{config, embedding};

/// A search of one scope.
pub struct Search<'a> {
    pub scope: &'a Scope,
    pub query: &'a str,
    pub fusion: Fusion,
    /// Candidates of each arm.
    pub limit: usize,
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

impl Search<'_> {
    /// Everything found, best first. `vector` is the question's, if the caller has it.
    pub fn run(
        &self,
        vector: Option<Vec<f32>>,
        conditions: &Conditions,
    ) -> Result<Vec<Fused>, Error> {
        let Scope { bot, audiences, settings, .. } = self.scope;
        // The indexes lead with the scope: reading them is right at any size,
        // also where a table has grown since its statistics were taken.
        let _indexes = Overrides::set(&[
            (c"enable_seqscan", c"off"),
            (c"hnsw.iterative_scan", c"strict_order"),
            (c"hnsw.ef_search", c"100"),
        ]);
        let allowed = if conditions.any() {
            Allowed::Only(search::eligible(*bot, audiences, conditions)?)
        } else {
            Allowed::AllBut(search::dormant(*bot, audiences)?)
        };
        let corpus = search::corpus(*bot, audiences)?;
        let mut found: BTreeMap<i64, Evidence> = BTreeMap::new();

        let by_words = if self.fusion.uses_words() { self.by_words(corpus)? } else { Vec::new() };
        let candidates = by_words.iter().filter(|(id, _)| allowed.contains(*id)).take(self.limit);
        for (rank, (id, _)) in candidates.enumerate() {
            found.entry(*id).or_default().lexical_rank = Some(rank as u32 + 1);
        }
        let by_meaning = self.by_meaning(vector)?;
        if let Some(arm) = &by_meaning {
            let nearest = self.nearest(arm, corpus.memories, &allowed)?;
            for (rank, (id, cosine)) in nearest.into_iter().enumerate() {
                let evidence = found.entry(id).or_default();
                evidence.semantic = Some(calibrate::semantic(cosine));
                evidence.vector_rank = Some(rank as u32 + 1);
            }
        }
        let turns = self.turns(&found)?;
        for turn in &turns {
            found.entry(turn.id).or_default();
        }
        // What one arm brought, or the context, has a score in the other arm, too.
        let scores: HashMap<i64, f64> = by_words.into_iter().collect();
        for (id, evidence) in &mut found {
            evidence.lexical = scores.get(id).copied();
        }
        if let Some(arm) = &by_meaning {
            add_cosines(arm, &mut found)?;
        }

        let own = |evidence: &Evidence| {
            fusion::relevance(
                evidence,
                settings.semantic_weight,
                self.fusion.uses_words(),
                by_meaning.is_some(),
            )
        };
        let known: HashMap<i64, f64> = found.iter().map(|(&id, e)| (id, own(e))).collect();
        let supported = context::supported(&turns, &known, settings.context);
        self.keep_near(&mut found, &turns, &allowed);
        let relevance =
            |id, evidence: &Evidence| supported.get(&id).copied().unwrap_or_else(|| own(evidence));
        Ok(fusion::fuse(&found, self.fusion, relevance))
    }

    /// The lexical arm over the whole scope, best first.
    fn by_words(&self, corpus: Corpus) -> Result<Vec<(i64, f64)>, Error> {
        let Scope { bot, audiences, settings, .. } = self.scope;
        let languages: Vec<text::Language> =
            text::detect(self.query).into_iter().chain(settings.language).collect();
        let question = Question::new(text::analyse_query(self.query, &languages));
        let postings = search::postings(*bot, audiences, &question)?;
        Ok(question.score(&postings, corpus))
    }

    /// The vector arm, if it is asked for and the question has a vector.
    fn by_meaning(&self, vector: Option<Vec<f32>>) -> Result<Option<VectorSearch<'_>>, Error> {
        let Some(model) = self.scope.model.filter(|_| self.fusion.uses_meaning()) else {
            return Ok(None);
        };
        let vector = match vector {
            // Asked for meaning alone, nothing would be a wrong answer.
            None if model.builtin && self.fusion == Fusion::Vector => {
                Some(embedding::embed(self.query)?)
            }
            None if model.builtin => embedding::embed_if_possible(self.query),
            given => given,
        };
        let Some(vector) = vector else { return Ok(None) };
        Ok(Some(VectorSearch {
            bot: self.scope.bot,
            audiences: &self.scope.audiences,
            model: model.id,
            dimensions: model.dimensions,
            schema: search::vector_schema()?,
            vector,
        }))
    }

    /// The candidates of the vector arm, nearest first.
    fn nearest(
        &self,
        arm: &VectorSearch<'_>,
        memories: u64,
        allowed: &Allowed,
    ) -> Result<Vec<(i64, f64)>, Error> {
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
        Ok(nearest.into_iter().filter(|(id, _)| allowed.contains(*id)).take(self.limit).collect())
    }

    /// The turns around what was found, far enough that also the direct
    /// neighbours of a candidate have all of their own.
    fn turns(&self, found: &BTreeMap<i64, Evidence>) -> Result<Vec<Turn>, Error> {
        if self.fusion != Fusion::Convex || self.scope.settings.context == 0.0 {
            return Ok(Vec::new());
        }
        let ids = found.keys().copied().collect();
        search::turns(self.scope.bot, &self.scope.audiences, ids, context::REACH + 1)
    }

    /// Leaves of the context only what may be returned: candidates and the turns
    /// beside them, as an answer may have nothing of the question but its place.
    fn keep_near(&self, found: &mut BTreeMap<i64, Evidence>, turns: &[Turn], allowed: &Allowed) {
        let candidate = |e: &Evidence| e.lexical_rank.is_some() || e.vector_rank.is_some();
        let places: HashSet<(i64, i32)> = turns
            .iter()
            .filter(|turn| found.get(&turn.id).is_some_and(candidate))
            .flat_map(|turn| (-1..=1).map(|by| (turn.thread, turn.position + by)))
            .collect();
        let near: HashSet<i64> = turns
            .iter()
            .filter(|turn| places.contains(&(turn.thread, turn.position)))
            .map(|turn| turn.id)
            .collect();
        found.retain(|id, e| candidate(e) || (near.contains(id) && allowed.contains(*id)));
    }
}

/// Gives everything found its likeness of meaning, as far as it has a vector.
fn add_cosines(arm: &VectorSearch<'_>, found: &mut BTreeMap<i64, Evidence>) -> Result<(), Error> {
    let missing: Vec<i64> =
        found.iter().filter(|(_, e)| e.semantic.is_none()).map(|(&id, _)| id).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for (id, cosine) in arm.cosines(missing)? {
        if let Some(evidence) = found.get_mut(&id) {
            evidence.semantic = Some(calibrate::semantic(cosine));
        }
    }
    Ok(())
}
