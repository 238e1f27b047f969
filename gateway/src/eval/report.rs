//! The table at the end.

use super::run::Report;

const HEADER: [&str; 11] = [
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
];
/// The columns of means, by their names in the summary.
const MEANS: [&str; 6] = ["recall_5", "recall_10", "hit_5", "hit_10", "mrr", "ndcg_10"];

/// A line a run, and what cannot be seen in it below.
pub fn table(report: &Report) -> String {
    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    for run in &report.runs {
        let summary = &run.summary;
        let mut row =
            vec![run.set.to_owned(), run.fusion.to_owned(), summary.questions.to_string()];
        row.extend(MEANS.map(|name| share(summary.mean(name).unwrap_or_default())));
        row.extend([summary.p50_ms, summary.p95_ms].map(|time| format!("{time:.1}")));
        rows.push(row);
    }
    let mut text = aligned(&rows);
    for run in &report.runs {
        if let Some(graded) = run.summary.mean("ndcg_10_graded") {
            let value = share(graded);
            text.push_str(&format!("{} {}: nDCG@10 with grades {value}\n", run.set, run.fusion));
        }
    }
    for set in &report.skipped {
        text.push_str(&format!("{set}: skipped, it is not there\n"));
    }
    text
}

/// `.634`; `1.000` only if it is.
fn share(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').map(str::to_owned).unwrap_or(text)
}

fn aligned(rows: &[Vec<String>]) -> String {
    let width = |at: usize| rows.iter().map(|row| row[at].len()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..HEADER.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, &width))| {
            // Names to the left, figures to the right.
            if at < 2 { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::dataset::Gold;
    use crate::eval::metrics::{Figures, Scored, Summary};
    use crate::eval::run::Run;

    #[test]
    fn columns_are_aligned_and_skipped_sets_named() {
        let gold = vec![Gold { key: "a".into(), grade: 3 }];
        let scored = Scored {
            figures: Figures::of(&["x".to_owned(), "a".to_owned()], &gold),
            milliseconds: 12.34,
            category: None,
        };
        let run = |fusion| Run {
            run: 1,
            set: "cranfield",
            fusion,
            summary: Summary::of(&[scored], true),
            settings: serde_json::Value::Null,
        };
        let report = Report {
            version: "1".into(),
            database: "x_test".into(),
            skipped: vec!["beam"],
            runs: vec![run("rrf"), run("convex")],
        };
        let text = table(&report);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "set        fusion  questions  recall@5  recall@10  hit@5  hit@10   MRR  nDCG@10  p50 ms  p95 ms"
        );
        assert_eq!(
            lines[1],
            "cranfield  rrf             1     1.000      1.000  1.000   1.000  .500     .631    12.3    12.3"
        );
        assert_eq!(lines[3], "cranfield rrf: nDCG@10 with grades .631");
        assert_eq!(lines[5], "beam: skipped, it is not there");
    }
}
