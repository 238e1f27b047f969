//! The order of the best: memories that mean alike vouch for each other, and
//! what repeats a better one steps back.

/// How many of the best are put in order anew.
pub const REFINED: usize = 30;
/// Share of a score that comes from a memory's kin.
const SHARE: f64 = 0.4;
/// How fast the say of another memory falls with its likeness: at a cosine of
/// .7 it has 6 % of a say.
const SHARPNESS: i32 = 8;
/// The say of those who are hardly alike: what has no kin but these keeps its
/// relevance. One memory at a cosine of .69 has as much.
const STRANGERS: f64 = 0.05;
/// A memory that repeats a better one keeps this share of its score.
const REPEATED: f64 = 0.5;
/// Memories below this cosine are not looked at for repeating each other.
pub const LIKE: f64 = 0.9;

/// Scores from relevances: `score = r + 0.4·Σ c⁸·(r′ − r) / (0.05 + Σ c⁸)`, summed
/// over the others, r′ their relevance, c their cosine to the memory, at least 0.
/// What is about the same as other relevant memories is likelier right than what
/// stands alone. Without any kin a score is the relevance.
///
/// ```
/// use muninn_core::kin::smoothed;
/// // 1 and 2 are alike; 3 stands alone.
/// let cosine = |a: usize, b: usize| if a != 2 && b != 2 { 0.9 } else { 0.0 };
/// let scores = smoothed(&[0.5, 0.7, 0.6], cosine);
/// assert!(scores[0] > 0.55 && scores[2] == 0.6);
/// ```
pub fn smoothed(relevance: &[f64], cosine: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..relevance.len())
        .map(|of| {
            let (mut sum, mut weights) = (0.0, 0.0);
            for other in (0..relevance.len()).filter(|&other| other != of) {
                let weight = cosine(of, other).max(0.0).powi(SHARPNESS);
                sum += weight * (relevance[other] - relevance[of]);
                weights += weight;
            }
            relevance[of] + SHARE * sum / (STRANGERS + weights)
        })
        .collect()
}

/// Halves the score of each memory that repeats one with a higher score, of
/// equals the earlier. `repeats` says whether two of them say the same. Returns
/// for each the better one that it repeats, if any.
pub fn step_back(scores: &mut [f64], repeats: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut repeated = vec![None; scores.len()];
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    let mut facts: Vec<usize> = Vec::with_capacity(order.len());
    for next in order {
        repeated[next] = facts.iter().copied().find(|&better| repeats(better, next));
        if repeated[next].is_some() {
            scores[next] *= REPEATED;
        } else {
            facts.push(next);
        }
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn five_of_a_kind_take_one_slot() {
        let mut scores = [0.9, 0.9, 0.9, 0.9, 0.9, 0.6, 0.5];
        let repeated = step_back(&mut scores, |a, b| a < 5 && b < 5);
        assert_eq!(repeated, [None, Some(0), Some(0), Some(0), Some(0), None, None]);
        assert_eq!(scores, [0.9, 0.45, 0.45, 0.45, 0.45, 0.6, 0.5]);
    }

    proptest! {
        #[test]
        fn scores_stay_among_the_relevances(
            relevance in prop::collection::vec(0.0f64..1.0, 1..30), seed in any::<u64>(),
        ) {
            let cosine = |a: usize, b: usize| {
                let mixed = (a.min(b) as u64 * 31 + a.max(b) as u64).wrapping_mul(seed | 1);
                (mixed % 1000) as f64 / 500.0 - 1.0
            };
            let scores = smoothed(&relevance, cosine);
            let low = relevance.iter().copied().fold(1.0, f64::min);
            let high = relevance.iter().copied().fold(0.0, f64::max);
            prop_assert!(scores.iter().all(|s| (low - 1e-12..=high + 1e-12).contains(s)));
        }
    }
}
