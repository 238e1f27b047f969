//! From two ranked arms to one order.
//!
//! Every score here is absolute: it depends on the question and the memory,
//! never on what else was found, so a threshold on relevance means the same
//! for every question.

use std::collections::BTreeMap;
use std::str::FromStr;

/// The rank constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
pub const RRF_K: f64 = 60.0;

/// How the arms are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fusion {
    /// Weighted sum of the calibrated scores of both arms.
    #[default]
    Convex,
    /// Reciprocal ranks, summed.
    Rrf,
    /// The lexical arm alone.
    Lexical,
    /// The vector arm alone.
    Vector,
}

impl Fusion {
    /// The names that [`FromStr`] takes, for messages.
    pub const NAMES: &'static str = "convex, rrf, lexical, vector";

    /// Whether the lexical arm has to run.
    pub fn uses_words(self) -> bool {
        self != Self::Vector
    }

    /// Whether the vector arm has to run.
    pub fn uses_meaning(self) -> bool {
        self != Self::Lexical
    }
}

/// The text names no fusion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFusion;

impl FromStr for Fusion {
    type Err = UnknownFusion;

    fn from_str(text: &str) -> Result<Self, UnknownFusion> {
        match text {
            "convex" => Ok(Self::Convex),
            "rrf" => Ok(Self::Rrf),
            "lexical" => Ok(Self::Lexical),
            "vector" => Ok(Self::Vector),
            _ => Err(UnknownFusion),
        }
    }
}

/// What the arms know of one memory.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// Calibrated score of the words, in [0, 1]; `None` where no word matched
    /// or the arm did not run.
    pub lexical: Option<f64>,
    /// Calibrated likeness of meaning, in [0, 1]; `None` where the memory or
    /// the question has no vector.
    pub semantic: Option<f64>,
    /// Place among the candidates of the lexical arm, from 1.
    pub lexical_rank: Option<u32>,
    /// Place among the candidates of the vector arm, from 1.
    pub vector_rank: Option<u32>,
    /// It is a candidate because it is of the time that the question asks for.
    pub in_period: bool,
}

/// One memory in the final order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fused {
    /// The memory.
    pub id: i64,
    /// What the order follows.
    pub score: f64,
    /// How well the memory answers the question, in [0, 1], whatever else was found.
    pub relevance: f64,
    /// What led to it.
    pub evidence: Evidence,
}

/// Absolute relevance of one memory: the weighted sum of both calibrated
/// scores, `semantic_weight` in [0, 1] on the meaning. Where one arm has no
/// say at all (no vectors), the other one counts alone.
pub fn relevance(
    evidence: &Evidence,
    semantic_weight: f64,
    with_words: bool,
    with_meaning: bool,
) -> f64 {
    let weight = match (with_words, with_meaning) {
        (true, true) => semantic_weight,
        (true, false) => 0.0,
        _ => 1.0,
    };
    (weight * evidence.semantic.unwrap_or(0.0) + (1.0 - weight) * evidence.lexical.unwrap_or(0.0))
        .clamp(0.0, 1.0)
}

/// Textbook reciprocal rank fusion: `Σ 1/(60 + rank)` over the arms that
/// returned the memory.
pub fn reciprocal_rank(evidence: &Evidence) -> f64 {
    [evidence.lexical_rank, evidence.vector_rank]
        .into_iter()
        .flatten()
        .map(|rank| 1.0 / (RRF_K + f64::from(rank)))
        .sum()
}

/// Orders the candidates: highest score first, ties by id. `relevance` is what
/// [`relevance`] gives for each of them, changed by its context or not.
pub fn fuse(
    candidates: &BTreeMap<i64, Evidence>,
    fusion: Fusion,
    relevance: impl Fn(i64, &Evidence) -> f64,
) -> Vec<Fused> {
    let mut fused: Vec<Fused> = candidates
        .iter()
        .map(|(&id, evidence)| {
            let relevance = relevance(id, evidence);
            let score = match fusion {
                Fusion::Rrf => reciprocal_rank(evidence),
                Fusion::Convex | Fusion::Lexical | Fusion::Vector => relevance,
            };
            Fused { id, score, relevance, evidence: *evidence }
        })
        .collect();
    sort(&mut fused);
    fused
}

/// The final order: highest score first, ties by id.
pub fn sort(fused: &mut [Fused]) {
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn both(lexical: f64, semantic: f64, ranks: (u32, u32)) -> Evidence {
        Evidence {
            lexical: Some(lexical),
            semantic: Some(semantic),
            lexical_rank: Some(ranks.0),
            vector_rank: Some(ranks.1),
            in_period: false,
        }
    }

    #[test]
    fn rrf_is_the_textbook_sum() {
        let evidence = both(0.0, 0.0, (1, 3));
        assert_eq!(reciprocal_rank(&evidence), 1.0 / 61.0 + 1.0 / 63.0);
        let one = Evidence { lexical_rank: None, ..evidence };
        assert_eq!(reciprocal_rank(&one), 1.0 / 63.0);
    }

    #[test]
    fn the_fusions_disagree_where_they_should() {
        // 1 is first by words and last by meaning with a wide margin in words.
        let candidates = BTreeMap::from([
            (1, both(0.9, 0.1, (1, 3))),
            (2, both(0.2, 0.3, (2, 2))),
            (3, both(0.1, 0.4, (3, 1))),
        ]);
        let order = |fusion: Fusion| -> Vec<i64> {
            let own =
                |_, e: &Evidence| relevance(e, 0.5, fusion.uses_words(), fusion.uses_meaning());
            fuse(&candidates, fusion, own).iter().map(|f| f.id).collect()
        };
        assert_eq!(order(Fusion::Convex), [1, 2, 3]);
        assert_eq!(order(Fusion::Vector), [3, 2, 1]);
        assert_eq!(order(Fusion::Lexical), [1, 2, 3]);
        // 1/61 + 1/63 > 2/62, and the tie of 1 and 3 goes to the lower id.
        assert_eq!(order(Fusion::Rrf), [1, 3, 2]);
    }

    #[test]
    fn the_weight_moves_the_order() {
        let candidates = BTreeMap::from([(1, both(0.9, 0.2, (1, 2))), (2, both(0.3, 0.6, (2, 1)))]);
        let first = |weight| {
            fuse(&candidates, Fusion::Convex, |_, e| relevance(e, weight, true, true))[0].id
        };
        assert_eq!(first(0.2), 1);
        assert_eq!(first(0.8), 2);
    }

    #[test]
    fn without_vectors_words_are_not_halved() {
        let evidence = Evidence { lexical: Some(0.6), ..Evidence::default() };
        assert_eq!(relevance(&evidence, 0.5, true, false), 0.6);
    }

    proptest! {
        #[test]
        fn relevance_stays_in_bounds_and_rises_with_each_part(
            l in 0.0f64..=1.0, s in 0.0f64..=1.0, d in 0.0f64..=1.0, w in 0.0f64..=1.0,
        ) {
            let of = |l, s| relevance(&both(l, s, (1, 1)), w, true, true);
            let base = of(l, s);
            prop_assert!((0.0..=1.0).contains(&base));
            prop_assert!(of((l + d).min(1.0), s) >= base);
            prop_assert!(of(l, (s + d).min(1.0)) >= base);
        }
    }
}
