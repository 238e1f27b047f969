//! Intervals of means, by drawing the questions of a run anew.

use serde::{Deserialize, Serialize};

use crate::random;

/// How many times the questions are drawn anew for an interval.
pub const RESAMPLES: usize = 1000;
/// Where the drawing starts, the same in every run.
pub const SEED: u64 = 0x6d75_6e69_6e6e;

/// A mean over questions and its 95 % bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Mean {
    /// The mean of the values; `None` where there are none. Of differences
    /// between two runs, a value a question, it is the paired interval.
    ///
    /// ```
    /// use muninn_core::evaluation::bootstrap::Mean;
    /// let mean = Mean::of(&[0.0, 1.0, 1.0, 0.0]).unwrap();
    /// assert_eq!(mean.mean, 0.5);
    /// assert!(mean.low < 0.5 && mean.high > 0.5);
    /// assert_eq!(Mean::of(&[]), None);
    /// ```
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        let mut random = Random::new(SEED);
        let drawn = (0..RESAMPLES)
            .map(|_| values.iter().map(|_| values[random.below(values.len())]).sum::<f64>() / count)
            .collect();
        let mean = values.iter().sum::<f64>() / count;
        let (low, high) = interval(drawn);
        Some(Self { mean, low, high })
    }
}

/// The middle 95 % of what was drawn.
pub(super) fn interval(mut drawn: Vec<f64>) -> (f64, f64) {
    drawn.sort_by(f64::total_cmp);
    (percentile(&drawn, 0.025), percentile(&drawn, 0.975))
}

/// The smallest value that a share of all does not exceed; 0 where there is none.
#[must_use]
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// splitmix64: enough to draw questions, and the same on every machine.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Starts at a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to below the limit, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(random::STEP);
        ((u128::from(random::splitmix64(self.0)) * limit as u128) >> 64) as usize
    }

    /// Brings the items into an order that depends on the seed alone.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(percentile(&values, 0.5), 10.0);
        assert_eq!(percentile(&values, 0.95), 19.0);
        assert_eq!(percentile(&[7.0], 0.95), 7.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    #[test]
    fn an_interval_is_the_same_each_time_and_about_right() {
        let values: Vec<_> = (0..400).map(|n| f64::from(n % 2)).collect();
        let mean = Mean::of(&values).expect("values");
        assert_eq!(Some(mean), Mean::of(&values));
        // The standard error is .025, the interval some .049 to each side.
        assert!((mean.low - 0.451).abs() < 0.01 && (mean.high - 0.549).abs() < 0.01, "{mean:?}");
    }

    #[test]
    fn a_difference_that_is_the_same_everywhere_has_no_width() {
        let mean = Mean::of(&[0.25; 9]).expect("values");
        assert_eq!((mean.mean, mean.low, mean.high), (0.25, 0.25, 0.25));
    }

    #[test]
    fn shuffling_keeps_all_and_follows_the_seed() {
        let order = |seed| {
            let mut items: Vec<u32> = (0..50).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn a_mean_lies_in_its_interval(values in prop::collection::vec(-1.0_f64..=1.0, 1..60)) {
            let mean = Mean::of(&values).expect("values");
            prop_assert!(mean.low <= mean.mean + 1e-9 && mean.mean <= mean.high + 1e-9);
        }
    }
}
