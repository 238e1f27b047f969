//! What is recalled together is linked: the weights of learned links.

/// The weight of a link after the first time: of ten memories that a question
/// finds, most have nothing to do with one another, and once is no sign.
pub const FIRST: f64 = 0.02;
/// Each further time multiplies a weight by two and a quarter: after five it is
/// .51, after six 1.
pub const BOOST: f64 = 1.25;
/// Days in which the weight of an unused link halves.
pub const HALF_LIFE: f64 = 30.0;
/// Recalls that are imagined beside those of an audience, none of which has the
/// two in it: what is seen a few times is not yet taken for a rule.
const IMAGINED: f64 = 20.0;

/// `w·2^(−days/half_life)`: a weight after `days` without use.
///
/// ```
/// use muninn_core::learning::hebbian::weakened;
/// assert_eq!(weakened(0.8, 30.0, 30.0), 0.4);
/// ```
#[must_use]
pub fn weakened(weight: f64, days: f64, half_life: f64) -> f64 {
    weight * (-days.max(0.0) / half_life).exp2()
}

/// A weight after `times` further recalls together: `w' = w·(1+boost)` for each,
/// at most 1; a link that is new, or has all but faded, begins at [`FIRST`].
///
/// ```
/// use muninn_core::learning::hebbian::strengthened;
/// let five = (0..5).fold(0.0, |weight, _| strengthened(weight, 1));
/// assert!((five - 0.5126).abs() < 1e-4);
/// assert!((strengthened(0.0, 5) - five).abs() < 1e-9);
/// assert_eq!(strengthened(0.9, 100), 1.0);
/// ```
#[must_use]
pub fn strengthened(weight: f64, times: u32) -> f64 {
    let times = times.min(100) as i32;
    (weight.max(FIRST / (1.0 + BOOST)) * (1.0 + BOOST).powi(times)).min(1.0)
}

/// The share of `together` recalls that chance does not explain, in [0, 1]: two
/// memories that were recalled `a` and `b` times in `recalls` of their audience
/// would have met `a·b/recalls` times had neither to do with the other, and a count
/// is as uncertain as its square root. What is recalled always meets everything, and
/// is linked to nothing by that; having met once is no sign yet.
///
/// ```
/// use muninn_core::learning::hebbian::beyond_chance;
/// assert!(beyond_chance(1000, 1000, 1000, 1000) < 0.02);
/// assert!(beyond_chance(5, 6, 5, 1000) > 0.5);
/// assert_eq!(beyond_chance(1, 1, 1, 1000), 0.0);
/// assert_eq!(beyond_chance(0, 5, 5, 10), 0.0);
/// ```
#[must_use]
pub fn beyond_chance(together: u64, a: u64, b: u64, recalls: u64) -> f64 {
    if together == 0 {
        return 0.0;
    }
    // Counted at different times, one may lag behind the other.
    let (a, b) = (a.max(together) as f64, b.max(together) as f64);
    let recalls = (recalls as f64).max(a).max(b) + IMAGINED;
    let together = together as f64;
    (1.0 - (a * b / recalls + together.sqrt()) / together).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_always_recalled_gains_nothing_and_what_belongs_together_does() {
        // A hub that is in each of 10,000 recalls, and a pair of five.
        assert!(beyond_chance(5, 10_000, 5, 10_000) < 0.01);
        assert!(beyond_chance(5, 5, 5, 10_000) > 0.5);
        assert!(beyond_chance(500, 500, 500, 10_000) > 0.9);
        // Five recalls in all are enough to begin with.
        assert!(beyond_chance(5, 5, 5, 5) > 0.3);
    }

    proptest! {
        #[test]
        fn weights_stay_within_bounds(
            weight in 0.0f64..=1.0, times in 0u32..10_000, days in 0.0f64..10_000.0,
        ) {
            let stronger = strengthened(weight, times);
            prop_assert!((0.0..=1.0).contains(&stronger) && (times == 0 || stronger >= FIRST));
            prop_assert!(strengthened(weight, times + 1) >= stronger);
            prop_assert!((0.0..=weight).contains(&weakened(weight, days, HALF_LIFE)));
        }

        #[test]
        fn batches_make_no_difference(weight in 0.0f64..=1.0, a in 1u32..10, b in 1u32..10) {
            let parts = strengthened(strengthened(weight, a), b);
            prop_assert!((parts - strengthened(weight, a + b)).abs() < 1e-9);
        }

        #[test]
        fn chance_is_a_share(
            together in 0u64..1_000, a in 0u64..10_000, b in 0u64..10_000, recalls in 0u64..100_000,
        ) {
            prop_assert!((0.0..=1.0).contains(&beyond_chance(together, a, b, recalls)));
        }
    }
}
