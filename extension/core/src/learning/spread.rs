//! Spreading activation: what the best answers bring to mind along links
//! (Collins and Loftus 1975; the fan effect, Anderson 1974).

use std::collections::BTreeMap;

/// What is left of an activation after each hop.
pub const DAMPING: f64 = 0.7;
/// So many of the best answers bring something to mind.
pub const SEEDS: usize = 5;
/// So many memories that one hop has reached are gone on from.
pub const NODES: usize = 10;

/// A link as it counts now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Where it is gone from.
    pub from: i64,
    /// Where it leads to.
    pub to: i64,
    /// How strongly, in [0, 1].
    pub weight: f64,
}

/// How much a kind of link counts; `None` for a word that is no kind. Learned
/// links count by what was learned; stated ones say how two statements belong
/// together, most where one is needed to understand the other.
///
/// ```
/// use muninn_core::learning::spread::kind_weight;
/// assert_eq!(kind_weight("learned"), Some(1.0));
/// assert_eq!(kind_weight("likes"), None);
/// ```
#[must_use]
pub fn kind_weight(kind: &str) -> Option<f64> {
    Some(match kind {
        "learned" => 1.0,
        "supports" | "refines" | "causes" => 0.9,
        "part_of" => 0.8,
        "relates_to" => 0.7,
        "contradicts" | "supersedes" => 0.5,
        _ => return None,
    })
}

/// What reaches the memories at the other end of `links` from those in `active`
/// (each in [0, 1]). Out of one memory goes no more than it has: its links share
/// it, so that a hub with many floods nothing. What comes from several adds up as
/// independent reasons do, `1 − Π(1 − x)`.
///
/// ```
/// use std::collections::BTreeMap;
/// use muninn_core::learning::spread::{DAMPING, Link, hop};
/// let links = [Link { from: 1, to: 2, weight: 0.5 }];
/// let reached = hop(&BTreeMap::from([(1, 0.8)]), &links);
/// assert!((reached[&2] - 0.8 * DAMPING * 0.5).abs() < 1e-12);
/// ```
#[must_use]
pub fn hop(active: &BTreeMap<i64, f64>, links: &[Link]) -> BTreeMap<i64, f64> {
    let mut out: BTreeMap<i64, f64> = BTreeMap::new();
    for link in links {
        *out.entry(link.from).or_default() += link.weight;
    }
    let mut missed: BTreeMap<i64, f64> = BTreeMap::new();
    for link in links {
        let Some(&has) = active.get(&link.from) else { continue };
        let share = link.weight / out.get(&link.from).copied().unwrap_or(1.0).max(1.0);
        *missed.entry(link.to).or_insert(1.0) *= 1.0 - (has * DAMPING * share).clamp(0.0, 1.0);
    }
    missed.into_iter().map(|(id, missed)| (id, 1.0 - missed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn link(from: i64, to: i64, weight: f64) -> Link {
        Link { from, to, weight }
    }

    #[test]
    fn a_hub_does_not_flood() {
        let hub: Vec<Link> = (1..=100).map(|to| link(0, to, 1.0)).collect();
        let reached = hop(&BTreeMap::from([(0, 1.0)]), &hub);
        assert!(reached.values().all(|&x| x <= 0.01));
        let alone = hop(&BTreeMap::from([(0, 1.0)]), &hub[..1]);
        assert_eq!(alone[&1], DAMPING);
    }

    #[test]
    fn two_reasons_are_more_than_one() {
        let active = BTreeMap::from([(1, 0.8), (2, 0.8)]);
        let one = hop(&active, &[link(1, 3, 0.5)])[&3];
        let two = hop(&active, &[link(1, 3, 0.5), link(2, 3, 0.5)])[&3];
        assert!(two > one && two < 2.0 * one);
    }

    proptest! {
        #[test]
        fn no_more_comes_out_than_went_in(
            weights in prop::collection::vec(0.0f64..=1.0, 1..60), has in 0.0f64..=1.0,
        ) {
            let links: Vec<Link> =
                (1..).zip(&weights).map(|(to, &weight)| link(0, to, weight)).collect();
            let reached = hop(&BTreeMap::from([(0, has)]), &links);
            prop_assert!(reached.values().all(|x| (0.0..=1.0).contains(x)));
            prop_assert!(reached.values().sum::<f64>() <= has * DAMPING + 1e-9);
        }
    }
}
