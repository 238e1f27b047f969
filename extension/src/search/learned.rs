//! What use has taught of the memories that were found, and what the best of
//! them bring to mind.

use std::collections::{BTreeMap, HashMap};

use muninn_core::fusion::{self, Evidence, Fused};
use muninn_core::learning::activation::{base_level, temporal};
use muninn_core::learning::spread::{NODES, SEEDS, hop};
use muninn_core::learning::{Learned, score};

use super::{Allowed, Search};
use crate::error::Error;
use crate::store::learning::{self, Use};
use crate::store::scope::Scope;

/// What was learned of one memory, and from what.
#[derive(Debug, Clone)]
pub struct Factors {
    pub learned: Learned,
    pub used: Use,
    /// The memories that brought it to mind.
    pub linked_from: Vec<i64>,
}

/// What came along links.
#[derive(Default)]
pub(super) struct Linked {
    /// How much reached each memory, in [0, 1].
    reached: BTreeMap<i64, f64>,
    /// From which memories.
    from: HashMap<i64, Vec<i64>>,
}

impl Search<'_> {
    /// Follows the links of the best, two hops at most, and adds what they lead to:
    /// a memory is at least as relevant as what reaches it.
    pub(super) fn follow_links(
        &self,
        allowed: &Allowed,
        fused: &mut Vec<Fused>,
    ) -> Result<Linked, Error> {
        let settings = &self.scope.settings;
        let mut linked = Linked::default();
        if settings.weights.association == 0.0 {
            return Ok(linked);
        }
        let seeds: BTreeMap<i64, f64> =
            fused.iter().take(SEEDS).map(|fused| (fused.id, fused.relevance)).collect();
        let near = self.hop(allowed, &seeds, &BTreeMap::new(), &mut linked)?;
        // On from what it leads to, and from a seed that others make more of.
        let mut next: Vec<(i64, f64)> = near
            .iter()
            .map(|(&id, &activation)| (id, activation))
            .filter(|(id, activation)| seeds.get(id).is_none_or(|own| own < activation))
            .collect();
        next.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        next.truncate(NODES);
        if !next.is_empty() {
            self.hop(allowed, &next.into_iter().collect(), &seeds, &mut linked)?;
        }
        let mut unseen = linked.reached.clone();
        for fused in &mut *fused {
            if let Some(activation) = unseen.remove(&fused.id) {
                fused.relevance = fused.relevance.max(activation);
                fused.score = fused.relevance;
            }
        }
        fused.extend(unseen.into_iter().map(|(id, activation)| Fused {
            id,
            score: activation,
            relevance: activation,
            evidence: Evidence::default(),
        }));
        fusion::sort(fused);
        Ok(linked)
    }

    /// One hop from what is `active`, downhill where something `was` active before:
    /// nothing goes back to where it came from.
    fn hop(
        &self,
        allowed: &Allowed,
        active: &BTreeMap<i64, f64>,
        was: &BTreeMap<i64, f64>,
        linked: &mut Linked,
    ) -> Result<BTreeMap<i64, f64>, Error> {
        let ids = active.keys().copied().collect();
        let Scope { bot, audiences, settings, .. } = self.scope;
        let mut links = learning::links(*bot, audiences, ids, settings)?;
        links.retain(|link| {
            let downhill = was.get(&link.to).is_none_or(|before| *before < active[&link.from]);
            link.weight > 0.0 && allowed.contains(link.to) && downhill
        });
        for link in &links {
            let from = linked.from.entry(link.to).or_default();
            if !from.contains(&link.from) {
                from.push(link.from);
            }
        }
        let reached = hop(active, &links);
        for (&id, &activation) in &reached {
            let before = linked.reached.entry(id).or_insert(0.0);
            *before = 1.0 - (1.0 - *before) * (1.0 - activation);
        }
        Ok(reached)
    }

    /// The factors of everything found, and what time it is.
    pub(super) fn factors(
        &self,
        fused: &[Fused],
        linked: &Linked,
    ) -> Result<(HashMap<i64, Factors>, i64), Error> {
        let settings = &self.scope.settings;
        let ids = fused.iter().map(|fused| fused.id).collect();
        let (used, now) = learning::of_memories(self.scope.bot, ids)?;
        let factors = used.into_iter().map(|(id, used)| {
            let learned = Learned {
                temporal: temporal(base_level(used.accesses, used.age_days, settings.forgetting)),
                association: linked.reached.get(&id).copied().unwrap_or(0.0),
                confidence: used.confidence,
                retention: used.retention.filter(|_| settings.decay).unwrap_or(1.0),
            };
            let linked_from = linked.from.get(&id).cloned().unwrap_or_default();
            (id, Factors { learned, used, linked_from })
        });
        Ok((factors.collect(), now))
    }

    /// The score that follows from a relevance and the factors.
    pub(super) fn modulated(&self, relevance: f64, factors: Option<&Factors>) -> f64 {
        factors.map_or(relevance, |factors| {
            score(relevance, &factors.learned, self.scope.settings.weights)
        })
    }
}
