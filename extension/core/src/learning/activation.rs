//! Base-level activation: how likely something is needed again, from how often
//! and how lately it was (Anderson and Schooler 1991, the approximation that
//! ACT-R names optimized learning, over the time since the last access).

/// The usual exponent of forgetting in ACT-R.
pub const FORGETTING: f64 = 0.5;
/// Younger than this, in days, nothing is: a fresh memory is no infinity.
pub const YOUNGEST: f64 = 0.1;

/// `B = ln(n+1) − d·ln(ageDays/(n+1))`: `accesses` n, `age_days` since the last of
/// them (since it was stored, where there was none), at least 0.1, `d` the
/// exponent of forgetting.
///
/// ```
/// use muninn_core::learning::activation::base_level;
/// assert_eq!(base_level(0, 1.0, 0.5), 0.0);
/// assert!((base_level(3, 4.0, 0.5) - 4f64.ln()).abs() < 1e-12);
/// ```
#[must_use]
pub fn base_level(accesses: u64, age_days: f64, d: f64) -> f64 {
    let n = accesses as f64 + 1.0;
    n.ln() - d * (age_days.max(YOUNGEST) / n).ln()
}

/// The activation as a share in (0, 1), rising with it: `1/(1 + e^−B)`, the odds
/// of need that B is the logarithm of.
///
/// ```
/// use muninn_core::learning::activation::temporal;
/// assert_eq!(temporal(0.0), 0.5);
/// ```
#[must_use]
pub fn temporal(base_level: f64) -> f64 {
    1.0 / (1.0 + (-base_level).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn is_the_formula() {
        for (n, age, d) in [(0, 30.0, 0.5), (1, 2.5, 0.5), (10, 0.1, 0.5), (7, 365.0, 0.8)] {
            let by_hand = f64::from(n + 1).ln() - d * (age / f64::from(n + 1)).ln();
            assert!((base_level(n as u64, age, d) - by_hand).abs() < 1e-12);
        }
        // Nothing is younger than a tenth of a day.
        assert_eq!(base_level(2, 0.0, 0.5), base_level(2, 0.1, 0.5));
        assert_eq!(base_level(2, -5.0, 0.5), base_level(2, 0.1, 0.5));
    }

    proptest! {
        #[test]
        fn accesses_never_lower_and_age_never_raises(
            n in 0u64..1_000_000, more in 0u64..1_000, age in 0.0f64..40_000.0,
            older in 0.0f64..1_000.0, d in 0.0f64..2.0,
        ) {
            let base = temporal(base_level(n, age, d));
            prop_assert!((0.0..=1.0).contains(&base));
            prop_assert!(temporal(base_level(n + more, age, d)) >= base);
            prop_assert!(temporal(base_level(n, age + older, d)) <= base);
        }
    }
}
