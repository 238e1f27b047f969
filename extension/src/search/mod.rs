//! One search: both arms, what stands around what they find, one order.

mod learned;
mod meaning;
mod order;
mod period;
mod words;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use muninn_core::calibrate;
use muninn_core::context::{self, Turn};
use muninn_core::fusion::{self, Evidence, Fused, Fusion};
use muninn_core::time::Period;
use muninn_core::vector;

use crate::error::Error;
use crate::pg;
use crate::store::facts::Facts;
use crate::store::passage;
use crate::store::scope::Scope;
use crate::store::search::{self, Conditions};
use crate::store::vector::VectorSearch;
pub use learned::Factors;
use learned::Linked;
use words::Words;

/// So far around a candidate the turns of its thread are compared as candidates
/// are: far enough that also its direct neighbours have all of their own.
const NEAR: i32 = context::REACH + 1;
/// A question that names somebody whom the scope does not know is answered by
/// it with less certainty: by this share, if it knows none of the names.
const UNKNOWN_NAMES: f64 = 0.5;

/// A search of one scope.
pub struct Search<'a> {
    pub scope: &'a Scope,
    pub query: &'a str,
    pub fusion: Fusion,
    /// Candidates of each arm.
    pub limit: usize,
}

/// What a search returns.
pub struct Found {
    /// Everything found, best first.
    pub fused: Vec<Fused>,
    /// The passage of a long memory that answers best, as bytes of its content.
    pub passages: HashMap<i64, Range<usize>>,
    /// The time that the question names.
    pub period: Option<Period>,
    /// What use has taught of each.
    pub factors: HashMap<i64, Factors>,
    /// Which of them says the same as which better one.
    pub repeats: HashMap<i64, i64>,
    /// What time it is, in microseconds since 2000.
    pub now: i64,
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

/// What the arms know, and how it is weighed.
struct Arms<'a> {
    words: Option<Words>,
    meaning: Option<VectorSearch<'a>>,
    /// How well the model tells texts like the question apart, from 0 to 1: those
    /// in scripts that it has learned no words of are all alike to it.
    tells_apart: f64,
    semantic_weight: f64,
}

impl Arms<'_> {
    /// The relevance of one memory or passage by itself.
    fn own(&self, evidence: &Evidence) -> f64 {
        fusion::relevance(
            evidence,
            self.semantic_weight,
            self.words.is_some(),
            self.meaning.is_some(),
        )
    }
}

impl Search<'_> {
    /// Everything found. `vector` is the question's, if the caller has it.
    pub fn run(&self, vector: Option<Vec<f32>>, conditions: &Conditions) -> Result<Found, Error> {
        let Scope { bot, audiences, settings, .. } = self.scope;
        let _indexes = pg::by_indexes();
        let allowed = if conditions.any() {
            Allowed::Only(search::eligible(*bot, audiences, conditions)?)
        } else {
            Allowed::AllBut(search::dormant(*bot, audiences)?)
        };
        let times = self.times(conditions)?;
        let words = if self.fusion.uses_words() { Some(self.by_words(&times)?) } else { None };
        let meaning = self.by_meaning(vector)?;
        let (known_share, latin_share) = self.readable(meaning.is_some());
        let semantic_weight = settings.semantic_weight * known_share;
        let tells_apart = known_share * latin_share;
        let arms = Arms { words, meaning, tells_apart, semantic_weight };

        let about = self.about(&times);
        let mut found = self.candidates(&arms, &allowed)?;
        if let Some(about) = &about {
            for id in self.of_period(about, arms.words.as_ref(), &allowed)? {
                found.entry(id).or_default().in_period = true;
            }
        }
        let mut facts = Facts::new(*bot);
        facts.add(found.keys().copied())?;
        // Most scopes have nothing around what is found, and are spared the looks.
        let turns = if facts.any(|fact| fact.in_thread) { self.turns(&found)? } else { Vec::new() };
        let near = around(&turns, &found, NEAR);
        for &id in &near {
            found.entry(id).or_default();
        }
        let vectors = complete(&arms, &mut found)?;
        let passages = if facts.any(|fact| fact.long) {
            self.passages(&arms, &found)?
        } else {
            HashMap::new()
        };
        let mut known: HashMap<i64, f64> = found
            .iter()
            .map(|(&id, evidence)| {
                let whole = arms.own(evidence);
                let best = passages.get(&id).map_or(whole, |(best, _)| *best);
                (id, whole + settings.passages / 2.0 * (best - whole))
            })
            .collect();
        // Of turns further away the words alone are known.
        for turn in &turns {
            known.entry(turn.id).or_insert_with(|| {
                let lexical = arms.words.as_ref().and_then(|words| words.score(turn.id));
                arms.own(&Evidence { lexical, ..Evidence::default() })
            });
        }
        let supported = if self.fusion == Fusion::Convex {
            context::supported(&turns, &known, settings.context)
        } else {
            BTreeMap::new()
        };
        let beside = around(&turns, &found, 1);
        found.retain(|id, evidence| {
            is_candidate(evidence) || (beside.contains(id) && allowed.contains(*id))
        });
        let certainty =
            1.0 - UNKNOWN_NAMES * arms.words.as_ref().map_or(0.0, |words| words.unknown_names);
        let relevance = |id, evidence: &Evidence| {
            let own = if self.fusion == Fusion::Convex {
                known.get(&id).copied().unwrap_or_else(|| arms.own(evidence))
            } else {
                arms.own(evidence)
            };
            certainty * supported.get(&id).copied().unwrap_or(own)
        };
        let mut fused = fusion::fuse(&found, self.fusion, relevance);
        let linked = if self.fusion == Fusion::Convex {
            self.follow_links(&allowed, &mut facts, &mut fused)?
        } else {
            Linked::default()
        };
        let factors = self.factors(&fused, &linked, &mut facts)?;
        let repeats = if self.fusion == Fusion::Convex {
            self.put_in_order(&arms, &vectors, about.as_ref(), &factors, &mut fused)?
        } else {
            HashMap::new()
        };
        let period = times.iter().find_map(|time| time.period);
        let passages = passages.into_iter().map(|(id, (_, range))| (id, range)).collect();
        Ok(Found { fused, passages, period, factors, repeats, now: facts.now()? })
    }

    /// What both arms bring.
    fn candidates(
        &self,
        arms: &Arms<'_>,
        allowed: &Allowed,
    ) -> Result<BTreeMap<i64, Evidence>, Error> {
        let mut found: BTreeMap<i64, Evidence> = BTreeMap::new();
        let by_words = arms.words.iter().flat_map(|words| words.best(self.limit, allowed));
        for (rank, id) in (1..).zip(by_words) {
            found.entry(id).or_default().lexical_rank = Some(rank);
        }
        if let Some(arm) = &arms.meaning {
            for (rank, id) in (1..).zip(self.nearest(arm, allowed)?) {
                found.entry(id).or_default().vector_rank = Some(rank);
            }
        }
        Ok(found)
    }

    /// The turns around what was found.
    fn turns(&self, found: &BTreeMap<i64, Evidence>) -> Result<Vec<Turn>, Error> {
        if self.fusion != Fusion::Convex || self.scope.settings.context == 0.0 {
            return Ok(Vec::new());
        }
        let ids = found.keys().copied().collect();
        let reach = context::WIDE_REACH + 1;
        search::turns(self.scope.bot, &self.scope.audiences, ids, reach)
    }

    /// Of each long memory the relevance of its best passage, and where that is.
    fn passages(
        &self,
        arms: &Arms<'_>,
        found: &BTreeMap<i64, Evidence>,
    ) -> Result<HashMap<i64, (f64, Range<usize>)>, Error> {
        let mut best: HashMap<i64, (f64, Range<usize>)> = HashMap::new();
        let question = arms.meaning.as_ref().map(|arm| (arm.model, arm.vector.as_slice()));
        let ids = found.keys().copied().collect();
        passage::of_memories(self.scope.bot, &self.scope.audiences, ids, question, |passage| {
            let whole = found.get(&passage.memory).and_then(|evidence| evidence.semantic);
            let evidence = Evidence {
                lexical: match &arms.words {
                    Some(words) => Some(words.score_passage(passage.terms, passage.length)?),
                    None => None,
                },
                semantic: passage.cosine.map(calibrate::semantic).or(whole),
                ..Evidence::default()
            };
            let own = arms.own(&evidence);
            let known = best.get(&passage.memory);
            if known.is_none_or(|(known, _)| own > *known) {
                best.insert(passage.memory, (own, passage.range));
            }
            Ok(())
        })?;
        Ok(best)
    }
}

fn is_candidate(evidence: &Evidence) -> bool {
    evidence.lexical_rank.is_some() || evidence.vector_rank.is_some() || evidence.in_period
}

/// The turns within `reach` of a candidate.
fn around(turns: &[Turn], found: &BTreeMap<i64, Evidence>, reach: i32) -> HashSet<i64> {
    let places: HashSet<(i64, i32)> = turns
        .iter()
        .filter(|turn| found.get(&turn.id).is_some_and(is_candidate))
        .flat_map(|turn| (-reach..=reach).map(|by| (turn.thread, turn.position + by)))
        .collect();
    let near = turns.iter().filter(|turn| places.contains(&(turn.thread, turn.position)));
    near.map(|turn| turn.id).collect()
}

/// Gives everything found its score in both arms: also what one of them brought
/// alone, or the context. Returns the vectors, as far as there are any.
fn complete(
    arms: &Arms<'_>,
    found: &mut BTreeMap<i64, Evidence>,
) -> Result<HashMap<i64, Vec<f32>>, Error> {
    for (id, evidence) in &mut *found {
        evidence.lexical = arms.words.as_ref().and_then(|words| words.score(*id));
    }
    let Some(arm) = &arms.meaning else { return Ok(HashMap::new()) };
    let vectors: HashMap<i64, Vec<f32>> =
        arm.vectors(found.keys().copied().collect())?.into_iter().collect();
    for (id, vector) in &vectors {
        if let Some(evidence) = found.get_mut(id) {
            let cosine = vector::cosine(&arm.vector, vector);
            evidence.semantic = Some(calibrate::semantic(cosine));
        }
    }
    Ok(vectors)
}
