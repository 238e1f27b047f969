//! Many recalls counted up, so that each memory and each pair is written once.

use std::collections::{BTreeMap, BTreeSet};

use crate::random::splitmix64;

/// Memories of one recall that are linked with each other: the best.
pub const PAIRED: usize = 10;
/// Learned links that a memory keeps, the strongest.
pub const LINKS: usize = 64;

/// How often, and when last, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub times: u32,
    /// When last.
    pub last: i64,
}

/// Recalls of one bot, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// By memory.
    pub memories: BTreeMap<i64, Count>,
    /// By pair of memories, the lower first.
    pub pairs: BTreeMap<(i64, i64), Count>,
    /// By audience: recalls that returned something of it.
    pub audiences: BTreeMap<i64, u32>,
}

fn add<K: Ord>(counts: &mut BTreeMap<K, Count>, key: K, at: i64) {
    let count = counts.entry(key).or_insert(Count { times: 0, last: at });
    count.times += 1;
    count.last = count.last.max(at);
}

impl Batch {
    /// Counts a recall that returned `memories`, best first, at an instant.
    /// `audience` says to whom a memory belongs; of one that is gone, `None`.
    pub fn add(&mut self, memories: &[i64], at: i64, audience: impl Fn(i64) -> Option<i64>) {
        let mut seen = BTreeSet::new();
        let known: Vec<(i64, i64)> = memories
            .iter()
            .filter(|id| seen.insert(**id))
            .filter_map(|&id| Some((id, audience(id)?)))
            .collect();
        for (id, _) in &known {
            add(&mut self.memories, *id, at);
        }
        for audience in known.iter().map(|(_, audience)| *audience).collect::<BTreeSet<_>>() {
            *self.audiences.entry(audience).or_default() += 1;
        }
        let best = &known[..known.len().min(PAIRED)];
        for (place, (a, _)) in best.iter().enumerate() {
            for (b, _) in &best[..place] {
                add(&mut self.pairs, (*a.min(b), *a.max(b)), at);
            }
        }
    }

    /// Memories whose links are to be counted and cut to the strongest [`LINKS`]:
    /// those with many new ones at once, and by turns, `turn` by `turn`, all others.
    #[must_use]
    pub fn to_cut(&self, turn: u64) -> Vec<i64> {
        let mut links: BTreeMap<i64, usize> = BTreeMap::new();
        for (a, b) in self.pairs.keys() {
            *links.entry(*a).or_default() += 1;
            *links.entry(*b).or_default() += 1;
        }
        links
            .into_iter()
            .filter(|&(id, new)| {
                new > LINKS / 2 || splitmix64(id.cast_unsigned() ^ turn).is_multiple_of(16)
            })
            .map(|(id, _)| id)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_memory_pair_and_audience_once_a_recall() {
        let mut batch = Batch::default();
        let audience = |id: i64| (id < 100).then_some(id % 2);
        batch.add(&[3, 1, 3, 100], 5, audience);
        batch.add(&[1, 2, 3], 4, audience);
        let count = |times, last| Count { times, last };
        assert_eq!(
            batch.memories,
            BTreeMap::from([(1, count(2, 5)), (2, count(1, 4)), (3, count(2, 5))])
        );
        assert_eq!(
            batch.pairs,
            BTreeMap::from([((1, 2), count(1, 4)), ((1, 3), count(2, 5)), ((2, 3), count(1, 4))])
        );
        assert_eq!(batch.audiences, BTreeMap::from([(0, 1), (1, 2)]));
    }

    #[test]
    fn only_the_best_are_paired() {
        let mut batch = Batch::default();
        batch.add(&(0..20).collect::<Vec<_>>(), 1, Some);
        assert_eq!(batch.memories.len(), 20);
        assert_eq!(batch.pairs.len(), PAIRED * (PAIRED - 1) / 2);
    }

    #[test]
    fn whoever_has_many_new_links_is_cut_at_once_and_the_others_by_turns() {
        let mut batch = Batch::default();
        for other in 1..100 {
            batch.add(&[0, other], 1, Some);
        }
        let cut = |turn| batch.to_cut(turn);
        assert!((0..50).all(|turn| cut(turn).contains(&0)));
        let all: BTreeSet<i64> = (0..200).flat_map(cut).collect();
        assert_eq!(all.len(), 100);
        assert!(cut(1).len() < 30);
    }
}
