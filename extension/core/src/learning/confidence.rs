//! How probably a memory is true, after what speaks for it and against it.

/// Where nothing is known of a memory, evidence begins here.
pub const UNKNOWN: f64 = 0.5;
/// Pieces of imagined evidence that keep a confidence away from 0 and 1.
const IMAGINED: f64 = 100.0;

/// Bayes' rule for one piece of evidence: `p·s / (p·s + (1−p)(1−s))`, `prior` p,
/// `strength` s the probability of such a piece if the memory is true.
///
/// ```
/// use muninn_core::learning::confidence::updated;
/// assert!((updated(0.5, 0.9) - 0.9).abs() < 1e-12);
/// assert!(updated(0.9, 0.3) < 0.9);
/// ```
#[must_use]
pub fn updated(prior: f64, strength: f64) -> f64 {
    let (for_it, against) = (prior * strength, (1.0 - prior) * (1.0 - strength));
    if for_it + against == 0.0 { prior } else { for_it / (for_it + against) }
}

/// Laplace's rule of succession: keeps `p` away from 0 and 1, and what is above
/// another above it.
///
/// ```
/// use muninn_core::learning::confidence::smoothed;
/// assert_eq!(smoothed(0.5), 0.5);
/// assert!(smoothed(1.0) < 1.0 && smoothed(0.0) > 0.0);
/// ```
#[must_use]
pub fn smoothed(p: f64) -> f64 {
    (p * (IMAGINED - 2.0) + 1.0) / IMAGINED
}

/// The confidence after all evidence, in whatever order it came: as sums of log
/// odds of `prior` and of each strength, both smoothed. `None` for a memory that
/// nothing is known of and nothing speaks for or against; a given `prior` alone
/// stays as it is.
///
/// ```
/// use muninn_core::learning::confidence::after;
/// assert_eq!(after(None, &[]), None);
/// assert_eq!(after(Some(0.8), &[]), Some(0.8));
/// assert!(after(Some(0.8), &[0.9, 0.7]) > Some(0.9));
/// assert_eq!(after(None, &[0.9, 0.3, 0.7]), after(None, &[0.7, 0.9, 0.3]));
/// ```
#[must_use]
pub fn after(prior: Option<f64>, strengths: &[f64]) -> Option<f64> {
    if strengths.is_empty() {
        return prior;
    }
    let odds = |p: f64| (smoothed(p) / (1.0 - smoothed(p))).ln();
    let mut each: Vec<f64> = strengths.iter().map(|&s| odds(s)).collect();
    // In one order, so that the sum is the same to the bit.
    each.sort_by(f64::total_cmp);
    let sum = odds(prior.unwrap_or(UNKNOWN)) + each.iter().sum::<f64>();
    Some(smoothed(1.0 / (1.0 + (-sum).exp())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn many_pieces_are_one_after_another() {
        let step = updated(updated(updated(0.6, 0.9), 0.3), 0.7);
        let at_once = after(Some(0.6), &[0.9, 0.3, 0.7]).expect("known");
        assert!((step - at_once).abs() < 0.03, "{step} {at_once}");
    }

    proptest! {
        #[test]
        fn stays_within_bounds_and_goes_where_the_evidence_points(
            prior in 0.0f64..=1.0, strengths in prop::collection::vec(0.0f64..=1.0, 0..50),
        ) {
            let before = after(Some(prior), &strengths).expect("known");
            prop_assert!((0.0..=1.0).contains(&before));
            let with = |strength: f64| {
                let mut all = strengths.clone();
                all.push(strength);
                after(Some(prior), &all).expect("known")
            };
            if !strengths.is_empty() {
                prop_assert!(with(0.9) >= before && with(0.1) <= before);
                prop_assert!(with(0.1) > 0.0 && with(0.9) < 1.0);
            }
        }

        #[test]
        fn order_makes_no_difference(mut strengths in prop::collection::vec(0.01f64..0.99, 1..50)) {
            let one = after(None, &strengths);
            strengths.reverse();
            prop_assert_eq!(one, after(None, &strengths));
        }
    }
}
