//! The figures of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bootstrap::{Mean, percentile};
use super::figures::Figures;
use super::separation::Separation;

/// The name under which all unanswerable questions are taken together.
pub const ALL: &str = "all";

/// What one question adds to a summary.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// Its figures; none for a question that nothing answers.
    pub figures: Option<Figures>,
    /// Relevance of the first result, without any threshold; 0 where there was none.
    pub relevance: f64,
    /// Whether anything was returned.
    pub answered: bool,
    /// Its time.
    pub milliseconds: f64,
    /// Its category.
    pub category: Option<&'a str>,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many questions that have an answer were asked.
    pub questions: usize,
    /// How many that have none.
    #[serde(default, skip_serializing_if = "is_none")]
    pub negatives: usize,
    /// The means over those that have an answer, by name.
    pub means: BTreeMap<String, Mean>,
    /// The share of those without an answer to which nothing was returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<Mean>,
    /// How well relevance tells them apart: all of them, and by their category.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub separation: BTreeMap<String, Separation>,
    /// Median time of a question in milliseconds.
    pub p50_ms: f64,
    /// Time within which 95 of 100 questions were answered.
    pub p95_ms: f64,
    /// Number of questions and plain means of each category, where there are any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub categories: BTreeMap<String, Category>,
}

/// The figures of one category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Category {
    /// How many of its questions were asked.
    pub questions: usize,
    /// The means, by name.
    pub means: BTreeMap<String, f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes what it asks about so")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Summary {
    /// Sums up the questions of a run. Grades get a figure of their own only
    /// where the set has them.
    #[must_use]
    pub fn of(scored: &[Scored<'_>], graded: bool) -> Self {
        let rows: Vec<(Figures, &Scored<'_>)> =
            scored.iter().filter_map(|one| Some((one.figures?, one))).collect();
        let negatives: Vec<&Scored<'_>> =
            scored.iter().filter(|one| one.figures.is_none()).collect();
        let mut times: Vec<f64> = scored.iter().map(|one| one.milliseconds).collect();
        times.sort_by(f64::total_cmp);
        let mut groups: BTreeMap<&str, Vec<[f64; 7]>> = BTreeMap::new();
        for (figures, one) in &rows {
            if let Some(category) = one.category {
                groups.entry(category).or_default().push(figures.values());
            }
        }
        let categories = groups.into_iter().map(|(name, rows)| {
            let mean = |at| Mean::of(&column(&rows, at)).map(|mean| mean.mean);
            (name.to_owned(), Category { questions: rows.len(), means: named(mean, graded) })
        });
        let values: Vec<[f64; 7]> = rows.iter().map(|(figures, _)| figures.values()).collect();
        let silent: Vec<f64> =
            negatives.iter().map(|one| f64::from(u8::from(!one.answered))).collect();
        Self {
            questions: rows.len(),
            negatives: negatives.len(),
            means: named(|at| Mean::of(&column(&values, at)), graded),
            unanswered: Mean::of(&silent),
            separation: separation(&rows, &negatives),
            p50_ms: percentile(&times, 0.50),
            p95_ms: percentile(&times, 0.95),
            categories: categories.collect(),
        }
    }

    /// A mean by its name; `auroc` is that of all unanswerable questions.
    #[must_use]
    pub fn mean(&self, name: &str) -> Option<f64> {
        match name {
            "auroc" => self.separation.get(ALL).map(|found| found.auroc),
            "unanswered" => self.unanswered.map(|mean| mean.mean),
            name => self.means.get(name).map(|mean| mean.mean),
        }
    }
}

fn separation(
    rows: &[(Figures, &Scored<'_>)],
    negatives: &[&Scored<'_>],
) -> BTreeMap<String, Separation> {
    let answerable: Vec<f64> = rows.iter().map(|(_, one)| one.relevance).collect();
    let good: Vec<f64> =
        rows.iter().filter(|(f, _)| f.hit_10 > 0.0).map(|(_, one)| one.relevance).collect();
    let mut kinds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for one in negatives {
        kinds.entry(one.category.unwrap_or_default()).or_default().push(one.relevance);
    }
    // One kind alone is all of them.
    if kinds.len() < 2 {
        kinds.clear();
    }
    kinds.insert(ALL, negatives.iter().map(|one| one.relevance).collect());
    kinds
        .into_iter()
        .filter_map(|(kind, relevance)| {
            Some((kind.to_owned(), Separation::of(&answerable, &good, &relevance)?))
        })
        .collect()
}

fn column(rows: &[[f64; 7]], at: usize) -> Vec<f64> {
    rows.iter().map(|row| row[at]).collect()
}

fn named<T>(value: impl Fn(usize) -> Option<T>, graded: bool) -> BTreeMap<String, T> {
    let kept = if graded { 7 } else { 6 };
    let names = Figures::NAMES.into_iter().enumerate().take(kept);
    names.filter_map(|(at, name)| Some((name.to_owned(), value(at)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(values: &[(&'static str, f64)]) -> Vec<Scored<'static>> {
        values
            .iter()
            .map(|&(category, value)| Scored {
                figures: Some(Figures::from_values([value; 7])),
                relevance: value,
                answered: true,
                milliseconds: value * 10.0,
                category: Some(category),
            })
            .collect()
    }

    fn negative(category: &'static str, relevance: f64, answered: bool) -> Scored<'static> {
        let category = Some(category);
        Scored { figures: None, relevance, answered, milliseconds: 1.0, category }
    }

    #[test]
    fn a_summary_has_means_and_categories() {
        let summary = Summary::of(&scored(&[("1", 0.0), ("1", 1.0), ("2", 0.5)]), false);
        assert_eq!(summary.mean("recall_10"), Some(0.5));
        assert_eq!(summary.mean("ndcg_10_graded"), None);
        assert_eq!((summary.p50_ms, summary.p95_ms), (5.0, 10.0));
        assert_eq!(summary.categories["1"].questions, 2);
        assert_eq!(summary.categories["2"].means["mrr"], 0.5);
        assert_eq!((summary.negatives, summary.unanswered), (0, None));
        assert!(summary.separation.is_empty());
    }

    #[test]
    fn what_was_not_asked_has_no_figure() {
        let summary = Summary::of(&[], true);
        assert_eq!(
            (summary.questions, summary.mean("mrr"), summary.mean("auroc")),
            (0, None, None)
        );
    }

    #[test]
    fn what_nothing_answers_counts_for_itself() {
        let mut all = scored(&[("1", 1.0), ("1", 0.0)]);
        all.push(negative("premise", 0.5, true));
        all.push(negative("other", 0.0, false));
        let summary = Summary::of(&all, false);
        assert_eq!((summary.questions, summary.negatives), (2, 2));
        assert_eq!(summary.mean("hit_10"), Some(0.5), "the others are no misses");
        assert_eq!(summary.mean("unanswered"), Some(0.5));
        // .0 against .5 and .0: one in the wrong order, one equal.
        assert_eq!(summary.mean("auroc"), Some(2.5 / 4.0));
        assert_eq!(summary.separation["premise"].auroc, 0.5);
        assert_eq!(summary.separation["other"].auroc, 0.75);
        // The right document of the first was found, that of the second was not.
        assert_eq!(summary.separation["premise"].lost, Some(0.0));
        assert!(!summary.categories.contains_key("premise"));
    }

    #[test]
    fn a_summary_survives_being_written_and_read() {
        let mut all = scored(&[("1", 1.0), ("1", 0.25)]);
        for negatives in 0..2 {
            let summary = Summary::of(&all, negatives == 1);
            let text = serde_json::to_string(&summary).expect("JSON");
            assert_eq!(serde_json::from_str::<Summary>(&text).expect("a summary"), summary);
            all.push(negative("x", 0.5, true));
        }
    }
}
