//! One search: both arms, the context of what they find, one order.

use std::collections::{BTreeMap, HashMap, HashSet};

use muninn_core::context::{self, Turn};
use muninn_core::fusion::{self, Evidence, Fused, Fusion};
use muninn_core::lexical::{Question, Scores};
use muninn_core::{calibrate, text};

use crate::error::Error;
use crate::pg::Overrides;
use crate::store::posting;
use crate::store::scope::Scope;
use crate::store::search::{self, Conditions};
use crate::store::sketch::{self, SketchSearch};
use crate::store::vector::{self, VectorSearch};
use crate::{config, embedding};

/// So many sketches for each vector that is wanted: measured, the nearest 30 of
/// real sentences are among the nearest 300 sketches to 99.9 %.
const SKETCHES: usize = 10;

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
        let _indexes = Overrides::set(&[(c"enable_seqscan", c"off")]);
        let allowed = if conditions.any() {
            Allowed::Only(search::eligible(*bot, audiences, conditions)?)
        } else {
            Allowed::AllBut(search::dormant(*bot, audiences)?)
        };
        let mut found: BTreeMap<i64, Evidence> = BTreeMap::new();

        let by_words = if self.fusion.uses_words() { Some(self.by_words()?) } else { None };
        let candidates =
            by_words.iter().flat_map(|scores| scores.best(self.limit, |id| allowed.contains(id)));
        for (rank, (id, _)) in candidates.enumerate() {
            found.entry(id).or_default().lexical_rank = Some(rank as u32 + 1);
        }
        let by_meaning = self.by_meaning(vector)?;
        if let Some(arm) = &by_meaning {
            let nearest = self.nearest(arm, &allowed)?;
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
        for (id, evidence) in &mut found {
            evidence.lexical = by_words.as_ref().and_then(|scores| scores.get(*id));
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

    /// The lexical arm over the whole scope.
    fn by_words(&self) -> Result<Scores, Error> {
        let Scope { bot, audiences, settings, .. } = self.scope;
        let languages: Vec<text::Language> =
            text::detect(self.query).into_iter().chain(settings.language).collect();
        let question = Question::new(text::analyse_query(self.query, &languages));
        let found = posting::look_up(*bot, audiences, question.terms())?;
        Ok(question.score(&found.lists, found.corpus))
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
            schema: vector::vector_schema()?,
            vector,
        }))
    }

    /// The candidates of the vector arm, nearest first. What is allowed is asked
    /// while sketches are compared, not afterwards: the arm never comes back short.
    fn nearest(&self, arm: &VectorSearch<'_>, allowed: &Allowed) -> Result<Vec<(i64, f64)>, Error> {
        let exact = i64::from(config::EXACT_SCAN_LIMIT.get());
        let limit = self.limit as i64;
        let packed = sketch::packed(arm.bot, arm.audiences, arm.model)?;
        let few = match allowed {
            Allowed::Only(ids) => ids.len() as i64 <= exact,
            Allowed::AllBut(_) => false,
        };
        let nearest = if few || packed <= exact {
            match allowed {
                Allowed::Only(ids) => arm.nearest_exact(Some(ids), limit)?,
                // As many more as may have to be left out.
                Allowed::AllBut(ids) => arm.nearest_exact(None, limit + ids.len() as i64)?,
            }
        } else {
            let sketches = SketchSearch {
                bot: arm.bot,
                audiences: arm.audiences,
                model: arm.model,
                vector: &arm.vector,
                most: i64::from(config::SKETCH_SCAN_LIMIT.get()),
            };
            let worth_a_look =
                sketches.nearest(SKETCHES * self.limit, packed, |id| allowed.contains(id))?;
            arm.nearest_exact(Some(&worth_a_look), limit)?
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
