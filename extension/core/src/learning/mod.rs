//! What use teaches: how often something was recalled, what was recalled
//! together, what speaks for and against it, what fades.
//!
//! Each is a formula over stored numbers and two instants, so that a missed run
//! of a worker changes nothing, and the same numbers give the same answer.

pub mod activation;
pub mod batch;
pub mod confidence;
pub mod fading;
pub mod hebbian;
pub mod ring;
pub mod spread;

/// How a score follows from a relevance and what use has taught of a memory:
/// `relevance · (1 + a·temporal + h·association) · (2p)^c · retention`, each
/// factor bounded. A confidence p that is not known counts as ½, which makes its
/// factor 1.
///
/// ```
/// use muninn_core::learning::{Learned, Weights, score};
/// let weights = Weights { temporal: 0.1, association: 0.5, confidence: 0.25 };
/// let learned = Learned { temporal: 0.5, association: 0.2, confidence: None, retention: 1.0 };
/// assert!((score(0.6, &learned, weights) - 0.6 * 1.15).abs() < 1e-12);
/// ```
#[must_use]
pub fn score(relevance: f64, learned: &Learned, weights: Weights) -> f64 {
    let use_of_it =
        1.0 + weights.temporal * learned.temporal + weights.association * learned.association;
    let belief = (2.0 * learned.confidence.unwrap_or(0.5)).powf(weights.confidence);
    relevance * use_of_it * belief * learned.retention
}

/// What use has taught of one memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Learned {
    /// From [`activation::temporal`], in (0, 1).
    pub temporal: f64,
    /// What reaches it from the best answers along links, in [0, 1].
    pub association: f64,
    /// How probably it is true, in (0, 1); `None` where nobody knows.
    pub confidence: Option<f64>,
    /// From [`fading::retention`], in [0, 1]; 1 where decay is off.
    pub retention: f64,
}

/// How much each of them counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of the base-level activation, in [0, 1].
    pub temporal: f64,
    /// Of links, in [0, 1].
    pub association: f64,
    /// Of the confidence, as its exponent, in [0, 1].
    pub confidence: f64,
}

#[cfg(test)]
mod tests {
    use super::activation::{base_level, temporal};
    use super::*;
    use crate::settings::BotSettings;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_exact_match_of_any_age_stays_above_an_unrelated_fresh_memory(
            accesses in 0u64..1_000_000, age in 0.0f64..40_000.0,
            strong in 0.0f64..=spread::DAMPING, p in 0.01f64..0.99,
        ) {
            let weights = BotSettings::default().weights;
            let old = Learned {
                temporal: temporal(base_level(0, age, 0.5)), association: 0.0, confidence: None, retention: 1.0,
            };
            let fresh = Learned {
                temporal: temporal(base_level(accesses, 0.0, 0.5)), association: strong,
                confidence: Some(p), retention: 1.0,
            };
            prop_assert!(score(0.7, &old, weights) > score(0.3, &fresh, weights));
        }

        #[test]
        fn each_part_raises_a_score_and_never_lowers_it(
            t in 0.0f64..0.9, a in 0.0f64..0.9, p in 0.01f64..0.9, r in 0.0f64..0.9, d in 0.0f64..0.1,
        ) {
            let weights = Weights { temporal: 0.3, association: 0.3, confidence: 0.3 };
            let base = Learned { temporal: t, association: a, confidence: Some(p), retention: r };
            let of = |learned: Learned| score(0.5, &learned, weights);
            let more = [
                Learned { temporal: t + d, ..base },
                Learned { association: a + d, ..base },
                Learned { confidence: Some(p + d), ..base },
                Learned { retention: r + d, ..base },
            ];
            prop_assert!(more.into_iter().all(|learned| of(learned) >= of(base)));
        }
    }
}
