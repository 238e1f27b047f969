//! The table at the end.

use clap::ValueEnum;
use muninn_core::evaluation::summary::Summary;

use super::dataset::Set;
use super::run::Report;
use super::table::{aligned, share};

const HEADER: [&str; 12] = [
    "set",
    "fusion",
    "questions",
    "recall@5",
    "recall@10",
    "hit@5",
    "hit@10",
    "MRR",
    "nDCG@10",
    "p50 ms",
    "p95 ms",
    "95 % interval of",
];
/// The columns of means, by their names in the summary.
const MEANS: [&str; 6] = ["recall_5", "recall_10", "hit_5", "hit_10", "mrr", "ndcg_10"];
const SEPARATION: [&str; 8] = [
    "set",
    "fusion",
    "without an answer",
    "questions",
    "AUROC",
    "95 % interval",
    "threshold",
    "good answers lost",
];

/// A line a run, and what cannot be seen in it below.
pub fn table(report: &Report) -> String {
    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    for run in &report.runs {
        let summary = &run.summary;
        let mut row = vec![run.set.clone(), run.fusion.to_owned(), summary.questions.to_string()];
        row.extend(MEANS.map(|name| summary.mean(name).map_or("-".to_owned(), share)));
        row.extend([summary.p50_ms, summary.p95_ms].map(|time| format!("{time:.1}")));
        row.push(interval(&run.set, summary));
        rows.push(row);
    }
    let mut text = aligned(&rows, 2);
    for run in &report.runs {
        if let Some(graded) = run.summary.mean("ndcg_10_graded") {
            let value = share(graded);
            text.push_str(&format!("{} {}: nDCG@10 with grades {value}\n", run.set, run.fusion));
        }
    }
    text.push_str(&separation(report));
    for set in &report.skipped {
        text.push_str(&format!("{set}: skipped, it is not there\n"));
    }
    text
}

/// The interval of the mean that says most about a set.
fn interval(set: &str, summary: &Summary) -> String {
    let main = Set::from_str(set, false).map_or("recall_10", Set::main_metric);
    // The separation has a table of its own.
    let main = if main == "auroc" { "recall_10" } else { main };
    let Some(mean) = summary.means.get(main) else { return "-".into() };
    let name = match main {
        "recall_10" => "recall@10",
        "ndcg_10" => "nDCG@10",
        "hit_5" => "hit@5",
        other => other,
    };
    format!("{name} {}-{}", share(mean.low), share(mean.high))
}

/// How well relevance tells questions without an answer apart, a line a kind.
fn separation(report: &Report) -> String {
    let mut rows = vec![SEPARATION.map(str::to_owned).to_vec()];
    for run in &report.runs {
        for (kind, found) in &run.summary.separation {
            rows.push(vec![
                run.set.clone(),
                run.fusion.to_owned(),
                kind.clone(),
                found.negatives.to_string(),
                share(found.auroc),
                format!("{}-{}", share(found.low), share(found.high)),
                format!("{:.4}", found.threshold),
                found.lost.map_or("-".to_owned(), share),
            ]);
        }
    }
    if rows.len() == 1 { String::new() } else { format!("\n{}", aligned(&rows, 3)) }
}

#[cfg(test)]
mod tests {
    use muninn_core::evaluation::figures::{Figures, Gold};
    use muninn_core::evaluation::summary::Scored;

    use super::*;
    use crate::eval::run::Run;

    #[test]
    fn columns_are_aligned_and_skipped_sets_named() {
        let gold = vec![Gold { key: "a".into(), grade: 3 }];
        let scored = Scored {
            figures: Some(Figures::of(&["x".to_owned(), "a".to_owned()], &gold)),
            relevance: 0.75,
            answered: true,
            milliseconds: 12.34,
            category: None,
        };
        let negative =
            Scored { figures: None, relevance: 0.5, category: Some("premise"), ..scored };
        let run = |fusion, all: &[Scored<'_>]| Run {
            run: 1,
            set: "cranfield".into(),
            fusion,
            summary: Summary::of(all, true),
            settings: serde_json::Value::Null,
        };
        let report = Report {
            version: "1".into(),
            database: "x_test".into(),
            skipped: vec!["beam"],
            runs: vec![run("rrf", &[scored]), run("convex", &[scored, negative])],
        };
        let text = table(&report);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "set        fusion  questions  recall@5  recall@10  hit@5  hit@10   MRR  nDCG@10  p50 ms  p95 ms   95 % interval of"
        );
        assert_eq!(
            lines[1],
            "cranfield  rrf             1     1.000      1.000  1.000   1.000  .500     .631    12.3    12.3  nDCG@10 .631-.631"
        );
        assert_eq!(lines[3], "cranfield rrf: nDCG@10 with grades .631");
        assert_eq!(
            lines[7],
            "cranfield  convex  all                        1  1.000    1.000-1.000     0.5001               .000"
        );
        assert_eq!(lines[8], "beam: skipped, it is not there");
    }

    #[test]
    fn what_was_not_measured_is_no_zero() {
        let report = Report {
            version: "1".into(),
            database: "x_test".into(),
            skipped: Vec::new(),
            runs: vec![Run {
                run: 1,
                set: "golden:x".into(),
                fusion: "rrf",
                summary: Summary::of(&[], false),
                settings: serde_json::Value::Null,
            }],
        };
        let text = table(&report);
        assert!(text.lines().nth(1).is_some_and(|line| !line.contains(".000")), "{text}");
    }
}
