//! What use has taught of the memories that were found, and what the best of
//! them bring to mind.

use std::collections::{BTreeMap, HashMap};

use muninn_core::fusion::{self, Evidence, Fused};
use muninn_core::learning::activation::{base_level, temporal};
use muninn_core::learning::hebbian::{beyond_chance, weakened};
use muninn_core::learning::spread::{Link, NODES, SEEDS, hop, kind_weight};
use muninn_core::learning::{Learned, score};

use super::{Allowed, Search};
use crate::error::Error;
use crate::store::facts::{Fact, Facts, Use};
use crate::store::learning;
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

impl Linked {
    /// One hop along links from what is `active`; returns what it reaches.
    fn spread(&mut self, active: &BTreeMap<i64, f64>, links: &[Link]) -> BTreeMap<i64, f64> {
        for link in links {
            let from = self.from.entry(link.to).or_default();
            if !from.contains(&link.from) {
                from.push(link.from);
            }
        }
        let reached = hop(active, links);
        for (&id, &activation) in &reached {
            let before = self.reached.entry(id).or_insert(0.0);
            *before = 1.0 - (1.0 - *before) * (1.0 - activation);
        }
        reached
    }
}

impl Search<'_> {
    /// Follows the links of the best, two hops at most, and adds what they lead to:
    /// a memory is at least as relevant as what reaches it.
    pub(super) fn follow_links(
        &self,
        allowed: &Allowed,
        facts: &mut Facts,
        fused: &mut Vec<Fused>,
    ) -> Result<Linked, Error> {
        let settings = &self.scope.settings;
        let mut linked = Linked::default();
        if settings.weights.association == 0.0 {
            return Ok(linked);
        }
        let seeds: BTreeMap<i64, f64> =
            fused.iter().take(SEEDS).map(|fused| (fused.id, fused.relevance)).collect();
        let mut links = self.links(allowed, facts, &seeds)?;
        let near = linked.spread(&seeds, &links);
        // On from what it leads to, and from a seed that others make more of.
        let mut next: Vec<(i64, f64)> = near
            .iter()
            .map(|(&id, &activation)| (id, activation))
            .filter(|(id, activation)| seeds.get(id).is_none_or(|own| own < activation))
            .collect();
        next.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        next.truncate(NODES);
        if !next.is_empty() {
            let next = next.into_iter().collect();
            links = self.links(allowed, facts, &next)?;
            // Downhill: nothing goes back to where it came from.
            links.retain(|link| seeds.get(&link.to).is_none_or(|own| *own < next[&link.from]));
            linked.spread(&next, &links);
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

    /// The links from these memories to others of the scope that are believed, as
    /// they count now.
    fn links(
        &self,
        allowed: &Allowed,
        facts: &mut Facts,
        from: &BTreeMap<i64, f64>,
    ) -> Result<Vec<Link>, Error> {
        let Scope { bot, audiences, settings, .. } = self.scope;
        let links = learning::links(*bot, from.keys().copied().collect())?;
        if links.is_empty() {
            return Ok(Vec::new());
        }
        facts.add(links.iter().flat_map(|link| [link.from, link.to]))?;
        let recalls = learning::recalls(*bot, audiences)?;
        let recalls = |fact: &Fact| recalls.get(&fact.audience).copied();
        let mut counted = Vec::new();
        for link in links {
            let (Some(one), Some(other)) = (facts.get(link.from), facts.get(link.to)) else {
                continue;
            };
            let readable = audiences.contains(&other.audience) && other.believed;
            if !readable || !allowed.contains(link.to) {
                continue;
            }
            let mut weight = link.weight * kind_weight(&link.kind).unwrap_or_default();
            if link.kind == "learned" {
                let days = facts.days_since(link.used_at)?;
                let both = recalls(&one).zip(recalls(&other)).map_or(0, |(a, b)| a.min(b));
                weight = weakened(weight, days, settings.half_life_days)
                    * beyond_chance(link.together, one.used.accesses, other.used.accesses, both);
            }
            if weight > 0.0 {
                counted.push(Link { from: link.from, to: link.to, weight });
            }
        }
        Ok(counted)
    }

    /// The factors of everything found.
    pub(super) fn factors(
        &self,
        fused: &[Fused],
        linked: &Linked,
        facts: &mut Facts,
    ) -> Result<HashMap<i64, Factors>, Error> {
        let settings = &self.scope.settings;
        facts.add(fused.iter().map(|fused| fused.id))?;
        let factors = fused.iter().filter_map(|&Fused { id, .. }| {
            let used = facts.get(id)?.used;
            let learned = Learned {
                temporal: temporal(base_level(used.accesses, used.age_days, settings.forgetting)),
                association: linked.reached.get(&id).copied().unwrap_or(0.0),
                confidence: used.confidence,
                retention: used.retention.filter(|_| settings.decay).unwrap_or(1.0),
            };
            let linked_from = linked.from.get(&id).cloned().unwrap_or_default();
            Some((id, Factors { learned, used, linked_from }))
        });
        Ok(factors.collect())
    }

    /// The score that follows from a relevance and the factors.
    pub(super) fn modulated(&self, relevance: f64, factors: Option<&Factors>) -> f64 {
        factors.map_or(relevance, |factors| {
            score(relevance, &factors.learned, self.scope.settings.weights)
        })
    }
}
