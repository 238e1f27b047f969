//! Whether the relevance of the first result tells questions that have an
//! answer from questions that have none.

use serde::{Deserialize, Serialize};

use super::bootstrap::{RESAMPLES, Random, SEED, interval};

/// The share of the unanswerable questions that the threshold drops.
pub const DROPPED: f64 = 0.8;
/// A threshold is given in steps of this: as a person would write it down.
const STEP: f64 = 1e-4;

/// How well the first results of answerable and unanswerable questions separate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Separation {
    /// How many unanswerable questions it is about.
    pub negatives: usize,
    /// The chance that an answerable question has the more relevant first
    /// result of the two; 0.5 is none, equal ones count half.
    pub auroc: f64,
    /// Lower end of its 95 % bootstrap interval, both kinds drawn anew.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
    /// The `min_relevance` that leaves at least [`DROPPED`] of the unanswerable
    /// ones without an answer.
    pub threshold: f64,
    /// The share of them that it does leave without one.
    pub dropped: f64,
    /// The share of the good answers that it costs; none where there are none.
    pub lost: Option<f64>,
}

impl Separation {
    /// Compares the relevance of the first result (0 where there was none) of
    /// `answerable` questions and of `unanswerable` ones; `good`: those of the
    /// answerable ones whose right document was found. `None` if either kind
    /// is missing.
    ///
    /// ```
    /// use muninn_core::evaluation::separation::Separation;
    /// let found = Separation::of(&[0.9, 0.2], &[0.9], &[0.1, 0.2]).unwrap();
    /// assert_eq!(found.auroc, 0.875); // of four pairs three are in order, one is equal
    /// assert_eq!((found.threshold, found.dropped, found.lost), (0.2001, 1.0, Some(0.0)));
    /// ```
    #[must_use]
    pub fn of(answerable: &[f64], good: &[f64], unanswerable: &[f64]) -> Option<Self> {
        if answerable.is_empty() || unanswerable.is_empty() {
            return None;
        }
        let mut levels: Vec<f64> = answerable.iter().chain(unanswerable).copied().collect();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        let at = |value: &f64| levels.partition_point(|level| level.total_cmp(value).is_lt());
        let places = |values: &[f64]| values.iter().map(at).collect::<Vec<_>>();
        let (yes, no) = (places(answerable), places(unanswerable));
        let mut random = Random::new(SEED);
        let mut draw = |places: &[usize]| -> Vec<u64> {
            counts(places.iter().map(|_| places[random.below(places.len())]), levels.len())
        };
        let drawn = (0..RESAMPLES).map(|_| area(&draw(&yes), &draw(&no))).collect();
        let (low, high) = interval(drawn);
        let threshold = threshold(unanswerable);
        let below = |values: &[f64]| {
            values.iter().filter(|value| **value < threshold).count() as f64 / values.len() as f64
        };
        Some(Self {
            negatives: unanswerable.len(),
            auroc: area(
                &counts(yes.iter().copied(), levels.len()),
                &counts(no.iter().copied(), levels.len()),
            ),
            low,
            high,
            threshold,
            dropped: below(unanswerable),
            lost: (!good.is_empty()).then(|| below(good)),
        })
    }
}

fn counts(places: impl Iterator<Item = usize>, levels: usize) -> Vec<u64> {
    let mut counts = vec![0; levels];
    places.for_each(|place| counts[place] += 1);
    counts
}

/// Of all pairs, the share in which the first kind stands higher; by level, ascending.
fn area(yes: &[u64], no: &[u64]) -> f64 {
    let mut below = 0;
    let mut twice = 0;
    for (yes, no) in yes.iter().zip(no) {
        twice += yes * (2 * below + no);
        below += no;
    }
    twice as f64 / (2 * below * yes.iter().sum::<u64>()).max(1) as f64
}

/// The lowest step that lies above enough of the values.
fn threshold(unanswerable: &[f64]) -> f64 {
    let mut sorted = unanswerable.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = (DROPPED * sorted.len() as f64).ceil() as usize;
    let last = sorted[count.clamp(1, sorted.len()) - 1];
    // Divided, not multiplied: 2001 / 10000 is the number that 0.2001 is.
    let steps = 1.0 / STEP;
    let mut step = (last * steps).floor();
    while step / steps <= last {
        step += 1.0;
    }
    step / steps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn apart_alike_and_the_wrong_way_round() {
        let area = |yes: &[f64], no: &[f64]| Separation::of(yes, yes, no).map(|s| s.auroc);
        assert_eq!(area(&[0.8, 0.9], &[0.1, 0.2]), Some(1.0));
        assert_eq!(area(&[0.1, 0.2], &[0.8, 0.9]), Some(0.0));
        assert_eq!(area(&[0.5, 0.5], &[0.5]), Some(0.5));
        // Pairs in order: .9 over all three, .4 over .3 and .1: 5 of 6.
        assert_eq!(area(&[0.9, 0.4], &[0.5, 0.3, 0.1]), Some(5.0 / 6.0));
        assert_eq!(area(&[], &[0.5]), None);
        assert_eq!(area(&[0.5], &[]), None);
    }

    #[test]
    fn the_threshold_drops_enough_and_says_what_it_costs() {
        let unanswerable: Vec<f64> = (1..=10).map(|n| f64::from(n) / 10.0).collect();
        let good = [0.15, 0.8, 0.85, 0.95];
        let found = Separation::of(&good, &good, &unanswerable).expect("both kinds");
        // Eight of ten lie at .8 or below; so do two of the four good answers.
        assert_eq!((found.threshold, found.dropped, found.lost), (0.8001, 0.8, Some(0.5)));
        let none = Separation::of(&[0.5], &[], &unanswerable).expect("both kinds");
        assert_eq!(none.lost, None);
    }

    #[test]
    fn no_result_is_the_least_relevant() {
        let found = Separation::of(&[0.3, 0.0], &[0.3], &[0.0, 0.0]).expect("both kinds");
        assert_eq!((found.threshold, found.dropped, found.lost), (0.0001, 1.0, Some(0.0)));
        assert_eq!(found.auroc, 0.75);
    }

    proptest! {
        #[test]
        fn it_is_the_share_of_pairs_in_order(
            yes in prop::collection::vec((0_u32..20).prop_map(|n| f64::from(n) / 20.0), 1..30),
            no in prop::collection::vec((0_u32..20).prop_map(|n| f64::from(n) / 20.0), 1..30),
        ) {
            let pairs = yes.iter().flat_map(|y| no.iter().map(move |n| (y, n)));
            let in_order: f64 = pairs
                .map(|(y, n)| if y > n { 1.0 } else if y == n { 0.5 } else { 0.0 })
                .sum();
            let found = Separation::of(&yes, &yes, &no).expect("both kinds");
            prop_assert!((found.auroc - in_order / (yes.len() * no.len()) as f64).abs() < 1e-12);
            prop_assert!(found.low <= found.high);
            prop_assert!(found.dropped >= DROPPED);
            let lower = no.iter().filter(|n| **n < found.threshold - 1.01 * STEP).count() as f64;
            let enough = DROPPED * no.len() as f64;
            prop_assert!(lower < enough, "no lower threshold would do");
        }
    }
}
