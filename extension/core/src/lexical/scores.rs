//! Sums of scores by memory, and the best of them.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use super::Worth;
use crate::bm25::Corpus;
use crate::calibrate;
use crate::posting::Posting;

/// An array may have so many places a posting before a table is better.
const SPARSE: u64 = 8;

/// Scores while they are summed up.
#[derive(Debug)]
pub(super) enum Sums {
    /// A place for each id from the first one on: the ids of a large scope lie close.
    Dense {
        first: i64,
        sums: Vec<f64>,
    },
    Sparse(HashMap<i64, f64, BuildHasherDefault<IdHasher>>),
}

impl Sums {
    /// For the memories of these lists.
    pub(super) fn new(lists: &[Vec<Posting>]) -> Self {
        let postings: usize = lists.iter().map(Vec::len).sum();
        let ids = || lists.iter().flatten().map(|posting| posting.memory);
        if let (Some(first), Some(last)) = (ids().min(), ids().max())
            && last.abs_diff(first) < SPARSE * postings as u64
        {
            return Self::Dense { first, sums: vec![0.0; last.abs_diff(first) as usize + 1] };
        }
        Self::Sparse(HashMap::with_capacity_and_hasher(postings, BuildHasherDefault::default()))
    }

    #[inline]
    pub(super) fn add(&mut self, memory: i64, earned: f64) {
        match self {
            Self::Dense { first, sums } => sums[memory.abs_diff(*first) as usize] += earned,
            Self::Sparse(sums) => *sums.entry(memory).or_default() += earned,
        }
    }

    fn get(&self, memory: i64) -> f64 {
        match self {
            Self::Dense { first, sums } => {
                let place = memory.checked_sub(*first).and_then(|at| usize::try_from(at).ok());
                place.and_then(|at| sums.get(at)).copied().unwrap_or(0.0)
            }
            Self::Sparse(sums) => sums.get(&memory).copied().unwrap_or(0.0),
        }
    }

    fn each(&self, mut each: impl FnMut(i64, f64)) {
        match self {
            Self::Dense { first, sums } => {
                let placed = (*first..).zip(sums);
                placed.filter(|&(_, &sum)| sum > 0.0).for_each(|(memory, &sum)| each(memory, sum));
            }
            Self::Sparse(sums) => sums.iter().for_each(|(&memory, &sum)| each(memory, sum)),
        }
    }
}

/// The scores of all memories that have a word of the question.
#[derive(Debug)]
pub struct Scores {
    sums: Sums,
    /// What each word of the question can earn.
    pub(super) worths: Vec<Worth>,
    pub(super) corpus: Corpus,
}

impl Scores {
    pub(super) fn new(sums: Sums, worths: Vec<Worth>, corpus: Corpus) -> Self {
        Self { sums, worths, corpus }
    }

    /// The score of a memory, in (0, 1]; `None` where it has no word.
    pub fn get(&self, memory: i64) -> Option<f64> {
        Some(self.sums.get(memory)).filter(|&sum| sum > 0.0).map(|sum| self.calibrated(sum))
    }

    /// The best `limit` of the memories that are `allowed`: highest first, ties by id.
    pub fn best(&self, limit: usize, allowed: impl Fn(i64) -> bool) -> Vec<(i64, f64)> {
        // The worst of what is kept stands on top.
        let mut kept: BinaryHeap<Reverse<Ranked>> = BinaryHeap::with_capacity(limit + 1);
        self.sums.each(|memory, sum| {
            let ranked = Ranked { sum, memory };
            let full = kept.len() >= limit;
            if sum > 0.0
                && (!full || kept.peek().is_some_and(|worst| ranked > worst.0))
                && allowed(memory)
            {
                kept.push(Reverse(ranked));
                if full {
                    kept.pop();
                }
            }
        });
        let best = kept.into_sorted_vec();
        best.into_iter().map(|r| (r.0.memory, self.calibrated(r.0.sum))).collect()
    }

    pub(super) fn calibrated(&self, sum: f64) -> f64 {
        let attainable = self.worths.iter().map(|worth| worth.itself).sum();
        calibrate::lexical(sum, attainable)
    }
}

/// A memory by its sum: the greater is the better, of equals the lower id.
#[derive(Debug, PartialEq)]
struct Ranked {
    sum: f64,
    memory: i64,
}

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sum.total_cmp(&other.sum).then(other.memory.cmp(&self.memory))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Mixes the bits of an id; ids come from a sequence, so nobody can choose them.
#[derive(Debug, Default)]
pub(super) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 ^ u64::from(byte));
        }
    }
    fn write_u64(&mut self, number: u64) {
        // Fibonacci hashing; the table looks at the high and at the low bits.
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn posting(memory: i64) -> Posting {
        Posting { memory, frequency: 1, length: 1 }
    }

    proptest! {
        #[test]
        fn an_array_and_a_table_agree(
            earned in prop::collection::vec((0i64..40, 0u32..4), 1..80), limit in 0usize..50,
        ) {
            let list: Vec<Posting> = earned.iter().map(|&(memory, _)| posting(memory)).collect();
            let dense = Sums::new(&[list]);
            let far = Sums::new(&[vec![posting(0), posting(i64::MAX)]]);
            prop_assert!(matches!(far, Sums::Sparse(_)));
            let scores = [dense, far].map(|mut sums| {
                earned.iter().for_each(|&(memory, n)| sums.add(memory, f64::from(n)));
                Scores::new(sums, vec![Worth { itself: 200.0, found: 0.0 }], Corpus { memories: 1, terms: 1 })
            });
            let allowed = |memory| memory % 5 != 0;
            let best = scores[0].best(limit, allowed);
            prop_assert_eq!(&best, &scores[1].best(limit, allowed));
            // The same by sorting all.
            let mut all: Vec<(i64, f64)> = (0..40)
                .filter(|&memory| allowed(memory))
                .filter_map(|memory| Some((memory, scores[1].get(memory)?)))
                .collect();
            all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            all.truncate(limit);
            prop_assert_eq!(best, all);
            prop_assert_eq!(scores[0].get(-1), None);
            prop_assert_eq!(scores[0].get(41), None);
        }
    }
}
