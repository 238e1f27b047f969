//! When to merge which segments.

use std::collections::BTreeMap;

/// A segment of four times as many memories belongs to the second tier.
const LOWEST: i64 = 32;
/// So many segments of one tier become one of the next.
const FAN_IN: usize = 4;

/// The tier of a segment of so many memories: each is [`FAN_IN`] times the one before.
fn tier(memories: i64) -> u32 {
    let packs = (memories / LOWEST).max(1) as u64;
    packs.ilog2() / FAN_IN.ilog2()
}

/// Which segments, by their number of memories, to merge into one: those of the
/// lowest tier that has become full. `None` if none has. So an audience of n
/// memories has at most three segments in each of its log₄(n/32) tiers, and a
/// posting is written once in each.
///
/// ```
/// use muninn_core::posting::due;
/// assert_eq!(due(&[32, 900, 70, 32]), None);
/// assert_eq!(due(&[32, 900, 70, 32, 33]), Some(vec![0, 2, 3, 4]));
/// ```
pub fn due(memories: &[i64]) -> Option<Vec<usize>> {
    let mut by_tier: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, &memories) in memories.iter().enumerate() {
        by_tier.entry(tier(memories)).or_default().push(at);
    }
    by_tier.into_values().find(|members| members.len() >= FAN_IN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn few_segments_are_left_and_nothing_is_lost(packs in prop::collection::vec(1i64..200, 1..300)) {
            let mut segments: Vec<i64> = Vec::new();
            for &pack in &packs {
                segments.push(pack);
                while let Some(which) = due(&segments) {
                    let merged = which.iter().map(|&at| segments[at]).sum();
                    for &at in which.iter().rev() {
                        segments.remove(at);
                    }
                    segments.push(merged);
                }
            }
            let total: i64 = packs.iter().sum();
            prop_assert_eq!(segments.iter().sum::<i64>(), total);
            prop_assert!(segments.len() <= 3 * (tier(total) as usize + 1));
        }
    }
}
