//! The figures of a question and of a run.
//!
//! recall@k: the share of the right documents within the first k returned.
//! hit@k: whether there is at least one. MRR: 1/rank of the first right one among
//! all that were returned, 0 if there is none. nDCG@10: true nDCG, normalised by
//! the best order that all right documents of the question allow, each with gain 1.

use std::collections::BTreeMap;

use serde::Serialize;

use super::dataset::Gold;

/// How many times a run's questions are drawn anew for its intervals.
const RESAMPLES: usize = 1000;
/// Where the drawing starts, the same in every run.
const SEED: u64 = 0x6d75_6e69_6e6e;

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

/// A mean over questions and its 95 % bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many questions were asked.
    pub questions: usize,
    /// The means, by name.
    pub means: BTreeMap<&'static str, Mean>,
    /// Median time of a question in milliseconds.
    pub p50_ms: f64,
    /// Time within which 95 of 100 questions were answered.
    pub p95_ms: f64,
    /// Number of questions and plain means of each category, where there are any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub categories: BTreeMap<String, Category>,
}

/// The figures of one category.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Category {
    /// How many of its questions were asked.
    pub questions: usize,
    /// The means, by name.
    pub means: BTreeMap<&'static str, f64>,
}

/// What one question adds to a summary.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// Its figures.
    pub figures: Figures,
    /// Its time.
    pub milliseconds: f64,
    /// Its category.
    pub category: Option<&'a str>,
}

impl Summary {
    /// Sums up the questions of a run. Grades get a figure of their own only
    /// where the set has them.
    pub fn of(scored: &[Scored<'_>], graded: bool) -> Self {
        let rows: Vec<[f64; 7]> = scored.iter().map(|s| s.figures.values()).collect();
        let mut times: Vec<f64> = scored.iter().map(|s| s.milliseconds).collect();
        times.sort_by(f64::total_cmp);
        let mut groups: BTreeMap<&str, Vec<[f64; 7]>> = BTreeMap::new();
        for one in scored {
            if let Some(category) = one.category {
                groups.entry(category).or_default().push(one.figures.values());
            }
        }
        let categories = groups.into_iter().map(|(name, rows)| {
            let category = Category { questions: rows.len(), means: named(means(&rows), graded) };
            (name.to_owned(), category)
        });
        Self {
            questions: rows.len(),
            means: named(bootstrap(&rows), graded),
            p50_ms: percentile(&times, 0.50),
            p95_ms: percentile(&times, 0.95),
            categories: categories.collect(),
        }
    }

    /// A mean by its name.
    pub fn mean(&self, name: &str) -> Option<f64> {
        self.means.get(name).map(|mean| mean.mean)
    }
}

fn named<T>(values: [T; 7], graded: bool) -> BTreeMap<&'static str, T> {
    let kept = if graded { 7 } else { 6 };
    Figures::NAMES.into_iter().zip(values).take(kept).collect()
}

fn means(rows: &[[f64; 7]]) -> [f64; 7] {
    let mut sums = [0.0; 7];
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    sums.map(|sum| sum / rows.len().max(1) as f64)
}

fn bootstrap(rows: &[[f64; 7]]) -> [Mean; 7] {
    let mut random = Random(SEED);
    let mut drawn: [Vec<f64>; 7] = Default::default();
    if !rows.is_empty() {
        for _ in 0..RESAMPLES {
            let sample: Vec<[f64; 7]> =
                rows.iter().map(|_| rows[random.below(rows.len())]).collect();
            drawn.iter_mut().zip(means(&sample)).for_each(|(all, mean)| all.push(mean));
        }
    }
    let mut values = means(rows).into_iter();
    drawn.map(|mut all| {
        all.sort_by(f64::total_cmp);
        Mean {
            mean: values.next().unwrap_or_default(),
            low: percentile(&all, 0.025),
            high: percentile(&all, 0.975),
        }
    })
}

/// The smallest value that a share of all does not exceed; 0 where there is none.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// splitmix64: enough to draw questions, and the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
    fn percentiles_are_nearest_ranks() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(percentile(&values, 0.5), 10.0);
        assert_eq!(percentile(&values, 0.95), 19.0);
        assert_eq!(percentile(&[7.0], 0.95), 7.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    fn scored(values: &[(&'static str, f64)]) -> Vec<Scored<'static>> {
        values
            .iter()
            .map(|&(category, value)| Scored {
                figures: Figures {
                    recall_5: value,
                    recall_10: value,
                    hit_5: value,
                    hit_10: value,
                    mrr: value,
                    ndcg_10: value,
                    ndcg_10_graded: value,
                },
                milliseconds: value * 10.0,
                category: Some(category),
            })
            .collect()
    }

    #[test]
    fn a_summary_has_means_and_categories() {
        let summary = Summary::of(&scored(&[("1", 0.0), ("1", 1.0), ("2", 0.5)]), false);
        assert_eq!(summary.mean("recall_10"), Some(0.5));
        assert_eq!(summary.mean("ndcg_10_graded"), None);
        assert_eq!((summary.p50_ms, summary.p95_ms), (5.0, 10.0));
        assert_eq!(summary.categories["1"].questions, 2);
        assert!(close(summary.categories["2"].means["mrr"], 0.5));
        assert!(Summary::of(&[], true).mean("ndcg_10_graded") == Some(0.0));
    }

    #[test]
    fn an_interval_is_the_same_each_time_and_about_right() {
        let values: Vec<_> = (0..400).map(|n| ("1", f64::from(n % 2))).collect();
        let mean = Summary::of(&scored(&values), false).means["hit_5"];
        assert_eq!(mean, Summary::of(&scored(&values), false).means["hit_5"]);
        // The standard error is .025, the interval some .049 to each side.
        assert!((mean.low - 0.451).abs() < 0.01 && (mean.high - 0.549).abs() < 0.01, "{mean:?}");
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
            let mut random = Random(seed);
            for at in (1..ranking.len()).rev() {
                ranking.swap(at, random.below(at + 1));
            }
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

        #[test]
        fn a_mean_lies_in_its_interval(values in prop::collection::vec(0.0_f64..=1.0, 1..60)) {
            let rows: Vec<_> = values.iter().map(|value| ("c", *value)).collect();
            for mean in Summary::of(&scored(&rows), true).means.values() {
                prop_assert!(mean.low <= mean.mean + 1e-9 && mean.mean <= mean.high + 1e-9);
            }
        }
    }
}
