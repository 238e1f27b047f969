//! Turns of one conversation support each other.
//!
//! What answers a question is often said beside the words that were asked for:
//! one turn asks, the next one tells. The relevance of a memory that belongs to
//! a thread is therefore raised by that of its neighbours there, as independent
//! reasons are joined: `1 − ∏ (1 − wᵢ·rᵢ)`. It stays in [0, 1], rises with each
//! part, and a memory without neighbours keeps its own.

use std::collections::{BTreeMap, HashMap};

/// How far neighbours reach, in turns.
pub const REACH: i32 = 2;
/// How far the subject of a conversation reaches.
pub const WIDE_REACH: i32 = 8;
/// Share of the mean relevance around it that a turn takes over: what is said
/// where the conversation is about the question is likelier to answer it.
const WIDE: f64 = 0.3;
/// Share of the relevance that a turn takes over from the turn beside it.
const BESIDE: f64 = 0.2;
/// From the turn after next and before last.
const BEYOND: f64 = 0.1;
/// In addition from the turn before, if that one asked: this one answers it.
const ANSWERS: f64 = 0.3;
/// What a turn that asks keeps of its own relevance: it has the words of the
/// question, but not what is looked for.
const ASKS: f64 = 0.8;

/// The place of a memory in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The memory.
    pub id: i64,
    /// Its thread.
    pub thread: i64,
    /// Its order there.
    pub position: i32,
    /// Whether it asks something, see [`asks`].
    pub asks: bool,
}

/// Whether a text ends with a question.
///
/// ```
/// use muninn_core::context::asks;
/// assert!(asks("Where is it? ") && asks("真的吗？") && !asks("Really? Yes."));
/// ```
pub fn asks(text: &str) -> bool {
    text.trim_end_matches(|c: char| c.is_whitespace() || "\"'”’)]»".contains(c))
        .ends_with(['?', '？', '؟'])
}

/// The relevance of each turn with the support of its neighbours, from the own
/// relevance of all that are known; what is not known counts as 0. `strength`,
/// in [0, 1], scales what is taken over.
pub fn supported(turns: &[Turn], own: &HashMap<i64, f64>, strength: f64) -> BTreeMap<i64, f64> {
    let places: HashMap<(i64, i32), &Turn> =
        turns.iter().map(|turn| ((turn.thread, turn.position), turn)).collect();
    let relevance = |id: i64| own.get(&id).copied().unwrap_or(0.0);
    turns
        .iter()
        .map(|turn| {
            let keeps = if turn.asks { 1.0 - strength * (1.0 - ASKS) } else { 1.0 };
            let own = keeps * relevance(turn.id);
            // The share that no neighbour gives a reason for.
            let mut unsupported = 1.0;
            for distance in -REACH..=REACH {
                if distance == 0 {
                    continue;
                }
                let Some(neighbour) = places.get(&(turn.thread, turn.position + distance)) else {
                    continue;
                };
                let mut weight = if distance.abs() == 1 { BESIDE } else { BEYOND };
                if distance == -1 && neighbour.asks {
                    weight += ANSWERS;
                }
                unsupported *= 1.0 - strength * weight * relevance(neighbour.id);
            }
            let around = (-WIDE_REACH..=WIDE_REACH)
                .filter(|&distance| distance != 0)
                .filter_map(|by| places.get(&(turn.thread, turn.position + by)));
            let (count, sum) = around.fold((0u32, 0.0), |(count, sum), neighbour| {
                (count + 1, sum + relevance(neighbour.id))
            });
            if count > 0 {
                unsupported *= 1.0 - strength * WIDE * sum / f64::from(count);
            }
            (turn.id, (own + (1.0 - own) * (1.0 - unsupported)).clamp(0.0, 1.0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn turn(id: i64, position: i32, asks: bool) -> Turn {
        Turn { id, thread: 1, position, asks }
    }

    #[test]
    fn the_answer_is_lifted_above_the_question_it_answers() {
        let turns = [turn(1, 1, true), turn(2, 2, false), turn(3, 3, false)];
        let own = HashMap::from([(1, 0.5), (2, 0.3), (3, 0.1)]);
        let found = supported(&turns, &own, 1.0);
        assert!(found[&2] > found[&1], "{found:?}");
        // 1 − (1 − 0.3)(1 − 0.5·0.5)(1 − 0.2·0.1)(1 − 0.3·(0.5 + 0.1)/2)
        assert!((found[&2] - (1.0 - 0.7 * 0.75 * 0.98 * 0.91)).abs() < 1e-12);
    }

    #[test]
    fn no_strength_changes_nothing() {
        let turns = [turn(1, 1, true), turn(2, 2, false)];
        let own = HashMap::from([(1, 0.5), (2, 0.25)]);
        let found = supported(&turns, &own, 0.0);
        assert_eq!((found[&1], found[&2]), (0.5, 0.25));
    }

    #[test]
    fn another_thread_is_no_neighbour() {
        let turns = [turn(1, 1, false), Turn { thread: 2, ..turn(2, 2, false) }];
        let own = HashMap::from([(1, 0.9), (2, 0.2)]);
        assert_eq!(supported(&turns, &own, 1.0)[&2], 0.2);
    }

    #[test]
    fn recognises_questions() {
        for text in ["Why?", "Wirklich? ", "\"Who?\"", "هل أنت بخير؟"] {
            assert!(asks(text), "{text}");
        }
        for text in ["", "Yes.", "a; b;", "I wonder what"] {
            assert!(!asks(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn stays_in_bounds_and_rises_with_every_part(
            own in prop::collection::vec(0.0f64..=1.0, 8), asks in prop::collection::vec(any::<bool>(), 8),
            raise in 0usize..8, by in 0.0f64..=1.0,
        ) {
            let turns: Vec<Turn> =
                (0..8).map(|i| turn(i as i64, i as i32, asks[i])).collect();
            let mut known: HashMap<i64, f64> =
                own.iter().enumerate().map(|(i, &r)| (i as i64, r)).collect();
            let before = supported(&turns, &known, 0.7);
            let raised = (own[raise] + by).min(1.0);
            known.insert(raise as i64, raised);
            let after = supported(&turns, &known, 0.7);
            for id in 0..8 {
                prop_assert!((0.0..=1.0).contains(&after[&id]));
                prop_assert!(after[&id] >= before[&id]);
            }
        }
    }
}
