//! The figures of one question.
//!
//! recall@k: the share of the right documents within the first k returned.
//! hit@k: whether there is at least one. MRR: 1/rank of the first right one among
//! all that were returned, 0 if there is none. nDCG@10: true nDCG, normalised by
//! the best order that all right documents of the question allow, each with gain 1.

use std::collections::HashSet;

/// A document that answers a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    /// Its key.
    pub key: String,
    /// How well it does, at least 1; always 1 where the set has no grades.
    pub grade: u32,
}

impl Gold {
    /// Documents without grades; each is taken once.
    pub fn plain(keys: impl IntoIterator<Item = String>) -> Vec<Self> {
        let mut seen = HashSet::new();
        keys.into_iter()
            .filter(|key| seen.insert(key.clone()))
            .map(|key| Self { key, grade: 1 })
            .collect()
    }
}

/// The figures of one question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Share of the right documents within the first 5.
    pub recall_5: f64,
    /// Share of the right documents within the first 10.
    pub recall_10: f64,
    /// 1 if a right document is within the first 5.
    pub hit_5: f64,
    /// 1 if a right document is within the first 10.
    pub hit_10: f64,
    /// 1/rank of the first right document.
    pub mrr: f64,
    /// nDCG of the first 10, a right document counting 1.
    pub ndcg_10: f64,
    /// nDCG of the first 10, a right document counting its grade.
    pub ndcg_10_graded: f64,
}

impl Figures {
    /// Names of the figures, in the order of [`Figures::values`].
    pub const NAMES: [&'static str; 7] =
        ["recall_5", "recall_10", "hit_5", "hit_10", "mrr", "ndcg_10", "ndcg_10_graded"];

    /// Compares what was returned, the best first, with what is right.
    ///
    /// ```
    /// use muninn_core::evaluation::figures::{Figures, Gold};
    /// let gold = Gold::plain(["a".to_owned()]);
    /// let figures = Figures::of(&["x".to_owned(), "a".to_owned()], &gold);
    /// assert_eq!((figures.hit_5, figures.mrr), (1.0, 0.5));
    /// ```
    #[must_use]
    pub fn of(returned: &[String], gold: &[Gold]) -> Self {
        let grade = |key: &String| gold.iter().find(|g| g.key == *key).map_or(0, |g| g.grade);
        let grades: Vec<u32> = returned.iter().map(grade).collect();
        let within = |k: usize| grades.iter().take(k).filter(|grade| **grade > 0).count();
        let recall = |k| within(k) as f64 / gold.len().max(1) as f64;
        let hit = |k| f64::from(u8::from(within(k) > 0));
        let first = grades.iter().position(|grade| *grade > 0);
        Self {
            recall_5: recall(5),
            recall_10: recall(10),
            hit_5: hit(5),
            hit_10: hit(10),
            mrr: first.map_or(0.0, |at| 1.0 / (at + 1) as f64),
            ndcg_10: ndcg(&grades, gold, 10, |grade| f64::from(grade.min(1))),
            ndcg_10_graded: ndcg(&grades, gold, 10, f64::from),
        }
    }

    /// The figures in the order of [`Figures::NAMES`].
    #[must_use]
    pub fn values(&self) -> [f64; 7] {
        [
            self.recall_5,
            self.recall_10,
            self.hit_5,
            self.hit_10,
            self.mrr,
            self.ndcg_10,
            self.ndcg_10_graded,
        ]
    }

    /// The figures from values in the order of [`Figures::NAMES`].
    #[must_use]
    pub fn from_values(values: [f64; 7]) -> Self {
        let [recall_5, recall_10, hit_5, hit_10, mrr, ndcg_10, ndcg_10_graded] = values;
        Self { recall_5, recall_10, hit_5, hit_10, mrr, ndcg_10, ndcg_10_graded }
    }
}

fn ndcg(grades: &[u32], gold: &[Gold], k: usize, gain: impl Fn(u32) -> f64) -> f64 {
    let dcg = |grades: &mut dyn Iterator<Item = u32>| -> f64 {
        grades.take(k).enumerate().map(|(at, g)| gain(g) / ((at + 2) as f64).log2()).sum()
    };
    let mut best: Vec<u32> = gold.iter().map(|g| g.grade).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal = dcg(&mut best.into_iter());
    if ideal > 0.0 { dcg(&mut grades.iter().copied()) / ideal } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::bootstrap::Random;
    use super::*;

    fn keys(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn a_case_worked_by_hand() {
        // Right: a, b, c. Returned: x a y z w b.
        let gold = Gold::plain(keys(&["a", "b", "c"]));
        let figures = Figures::of(&keys(&["x", "a", "y", "z", "w", "b"]), &gold);
        assert!(close(figures.recall_5, 1.0 / 3.0));
        assert!(close(figures.recall_10, 2.0 / 3.0));
        assert!(close(figures.hit_5, 1.0) && close(figures.hit_10, 1.0));
        assert!(close(figures.mrr, 0.5));
        // (1/log2 3 + 1/log2 7) / (1 + 1/log2 3 + 1/2)
        let expected =
            (0.630_929_753_571_457_4 + 0.356_207_187_108_022_2) / 2.130_929_753_571_457_4;
        assert!(close(figures.ndcg_10, expected), "{figures:?}");
        assert_eq!(Figures::from_values(figures.values()), figures);
    }

    #[test]
    fn grades_count_only_in_their_own_figure() {
        let gold = vec![Gold { key: "a".into(), grade: 1 }, Gold { key: "b".into(), grade: 3 }];
        let figures = Figures::of(&keys(&["a", "b"]), &gold);
        assert!(close(figures.ndcg_10, 1.0));
        // (1 + 3/log2 3) / (3 + 1/log2 3)
        let half = 0.630_929_753_571_457_4;
        assert!(close(figures.ndcg_10_graded, (1.0 + 3.0 * half) / (3.0 + half)));
    }

    #[test]
    fn the_ideal_order_has_ten_places() {
        let names: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        let figures = Figures::of(&names[..10], &Gold::plain(names.clone()));
        assert!(close(figures.recall_10, 0.5) && close(figures.recall_5, 0.25));
        assert!(close(figures.ndcg_10, 1.0));
    }

    #[test]
    fn nothing_found_is_zero() {
        let figures = Figures::of(&[], &Gold::plain(keys(&["a"])));
        assert_eq!(figures.values(), [0.0; 7]);
        assert_eq!(Figures::of(&keys(&["x"]), &Gold::plain(keys(&["a"]))).values(), [0.0; 7]);
    }

    #[test]
    fn a_first_hit_beyond_ten_counts_for_mrr_alone() {
        let mut returned: Vec<String> = (0..11).map(|n| format!("x{n}")).collect();
        returned.push("a".into());
        let figures = Figures::of(&returned, &Gold::plain(keys(&["a"])));
        assert!(close(figures.mrr, 1.0 / 12.0));
        assert_eq!(figures.hit_10, 0.0);
    }

    #[test]
    fn gold_is_taken_once() {
        let gold = Gold::plain(["a", "b", "a"].map(str::to_owned));
        assert_eq!(gold.iter().map(|g| g.key.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }

    prop_compose! {
        /// Right documents with grades, and a ranking of them and others.
        fn case()(
            grades in prop::collection::vec(1_u32..5, 1..15),
            others in 0_usize..15,
            seed in any::<u64>(),
        ) -> (Vec<Gold>, Vec<String>) {
            let gold: Vec<Gold> = grades
                .into_iter()
                .enumerate()
                .map(|(at, grade)| Gold { key: format!("g{at}"), grade })
                .collect();
            let mut ranking: Vec<String> = gold
                .iter()
                .map(|g| g.key.clone())
                .chain((0..others).map(|at| format!("x{at}")))
                .collect();
            Random::new(seed).shuffle(&mut ranking);
            (gold, ranking)
        }
    }

    proptest! {
        #[test]
        fn figures_lie_between_zero_and_one((gold, ranking) in case()) {
            let figures = Figures::of(&ranking, &gold);
            for value in figures.values() {
                prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{:?}", figures);
            }
            prop_assert!(figures.recall_5 <= figures.recall_10);
            prop_assert!(figures.hit_5 <= figures.hit_10);
            prop_assert!(figures.recall_10 <= figures.hit_10);
        }

        #[test]
        fn a_perfect_ranking_has_one((gold, _) in case()) {
            let mut best = gold.clone();
            best.sort_by_key(|g| std::cmp::Reverse(g.grade));
            let ranking: Vec<String> = best.into_iter().map(|g| g.key).collect();
            let figures = Figures::of(&ranking, &gold);
            prop_assert!(close(figures.ndcg_10, 1.0) && close(figures.ndcg_10_graded, 1.0));
            prop_assert!(close(figures.mrr, 1.0) && close(figures.hit_5, 1.0));
            if gold.len() <= 10 {
                prop_assert!(close(figures.recall_10, 1.0));
            }
        }

        #[test]
        fn moving_a_right_one_up_never_lowers_a_figure((gold, ranking) in case(), at in 1_usize..30) {
            let at = at % ranking.len();
            if at > 0 && gold.iter().any(|g| g.key == ranking[at])
                && !gold.iter().any(|g| g.key == ranking[at - 1]) {
                let mut better = ranking.clone();
                better.swap(at, at - 1);
                let before = Figures::of(&ranking, &gold).values();
                for (before, after) in before.into_iter().zip(Figures::of(&better, &gold).values()) {
                    prop_assert!(after >= before - 1e-12);
                }
            }
        }
    }
}
