//! Two runs side by side, and lists of runs.

use serde::Serialize;

use super::table::{aligned, share};
use crate::db::evaluation::{Difference, Listed, Moved};

/// What two runs differ in.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The first run.
    pub run_a: i64,
    /// The second run.
    pub run_b: i64,
    /// Metric by metric.
    pub metrics: Vec<Difference>,
    /// The questions that moved, worse first.
    pub moved: Vec<Moved>,
}

/// The comparison as text, with at most so many of the questions that moved.
pub fn text(comparison: &Comparison, most: usize) -> String {
    let (a, b) = (comparison.run_a, comparison.run_b);
    let header = ["metric", "questions"].map(str::to_owned).into_iter();
    let header = header.chain([format!("run {a}"), format!("run {b}")]);
    let header = header.chain(["difference", "95 % interval", ""].map(str::to_owned));
    let mut rows = vec![header.collect::<Vec<_>>()];
    for one in &comparison.metrics {
        // Times are no shares.
        let number = |value: f64| match one.metric.as_str() {
            "milliseconds" => format!("{value:.1}"),
            _ => share(value),
        };
        let sure = one.low > 0.0 || one.high < 0.0;
        rows.push(vec![
            one.metric.clone(),
            one.questions.to_string(),
            number(one.a),
            number(one.b),
            number(one.difference),
            format!("{} to {}", number(one.low), number(one.high)),
            if sure { "*".to_owned() } else { String::new() },
        ]);
    }
    let mut text = aligned(&rows, 1);
    text.push_str("* the interval does not hold 0\n");
    let moved = &comparison.moved;
    text.push_str(&format!("\n{} questions moved, worse first\n", moved.len()));
    // Both ends: what has become worse is first, what has become better last.
    let shown = moved
        .iter()
        .take(most.div_ceil(2))
        .chain(moved.iter().skip(most.div_ceil(2).max(moved.len().saturating_sub(most / 2))));
    for (at, one) in shown.enumerate() {
        if at == most.div_ceil(2) && moved.len() > most {
            text.push_str(&format!("… {} more\n", moved.len() - most));
        }
        text.push_str(&line(one));
    }
    text
}

fn line(one: &Moved) -> String {
    let rank = |rank: Option<i32>, returned: &[String]| match (one.negative, rank) {
        (true, _) if returned.is_empty() => "unanswered".to_owned(),
        (true, _) => "answered".to_owned(),
        (false, Some(rank)) => rank.to_string(),
        (false, None) => "-".to_owned(),
    };
    let first = |returned: &[String]| {
        let shown = returned.iter().take(3).cloned().collect::<Vec<_>>().join(" ");
        if returned.len() > 3 { format!("{shown} …") } else { shown }
    };
    format!(
        "{} -> {}  {}\n    {}; expected {}; {} | {}\n",
        rank(one.rank_a, &one.returned_a),
        rank(one.rank_b, &one.returned_b),
        one.query.split_whitespace().collect::<Vec<_>>().join(" "),
        one.query_key,
        if one.negative { "nothing".to_owned() } else { first(&one.expected) },
        first(&one.returned_a),
        first(&one.returned_b),
    )
}

/// The runs as a table.
pub fn list(runs: &[Listed]) -> String {
    let header = ["target", "fusion", "started (UTC)", "run", "questions"];
    let means = ["recall_10", "hit_5", "mrr", "ndcg_10"];
    let header: Vec<String> =
        header.iter().chain(&means).chain(&["auroc"]).map(|name| (*name).to_owned()).collect();
    let mut rows = vec![header];
    for run in runs {
        let metrics = run.metrics.as_ref();
        let shown = |pointer: String| {
            let value = metrics.and_then(|metrics| metrics.pointer(&pointer)?.as_f64());
            value.map_or("-".to_owned(), share)
        };
        let mut row = vec![
            run.target.clone(),
            run.fusion.clone(),
            run.started_at.clone(),
            run.run.to_string(),
            run.queries.map_or("unfinished".to_owned(), |count| count.to_string()),
        ];
        row.extend(means.map(|name| shown(format!("/means/{name}/mean"))));
        row.push(shown("/separation/all/auroc".into()));
        rows.push(row);
    }
    aligned(&rows, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(number: i32, rank_a: Option<i32>, rank_b: Option<i32>) -> Moved {
        Moved {
            query_key: format!("q{number}"),
            query: format!("question\n{number}?"),
            negative: false,
            rank_a,
            rank_b,
            expected: vec!["7".into()],
            returned_a: ["7", "8", "9", "10"].map(str::to_owned).to_vec(),
            returned_b: vec!["8".into()],
        }
    }

    #[test]
    fn both_ends_of_what_moved_are_shown() {
        let comparison = Comparison {
            run_a: 3,
            run_b: 4,
            metrics: vec![Difference {
                metric: "mrr".into(),
                questions: 9,
                a: 0.5,
                b: 0.4,
                difference: -0.1,
                low: -0.2,
                high: -0.05,
            }],
            moved: (0..9).map(|number| moved(number, Some(1), None)).collect(),
        };
        let text = text(&comparison, 4);
        assert!(
            text.contains("mrr             9   .500   .400       -.100  -.200 to -.050  *"),
            "{text}"
        );
        assert!(text.contains("1 -> -  question 0?\n    q0; expected 7; 7 8 9 … | 8\n"), "{text}");
        let shown: Vec<&str> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix('q')?.split(';').next())
            .collect();
        assert_eq!(shown, ["0", "1", "7", "8"]);
        assert!(text.contains("… 5 more"));
    }

    #[test]
    fn few_are_shown_once_each() {
        for count in 0..5 {
            let moved = (0..count).map(|number| moved(number, None, Some(2))).collect();
            let comparison = Comparison { run_a: 1, run_b: 2, metrics: Vec::new(), moved };
            let text = text(&comparison, 4);
            assert_eq!(text.matches("- -> 2").count(), count as usize, "{text}");
            assert!(!text.contains("more"));
        }
    }

    #[test]
    fn a_run_without_figures_is_listed() {
        let run = |metrics| Listed {
            run: 5,
            target: "golden:x".into(),
            fusion: "rrf".into(),
            queries: None,
            metrics,
            settings: serde_json::Value::Null,
            version: "1".into(),
            started_at: "2026-03-02 10:00".into(),
        };
        let metrics = serde_json::json!({"means": {"mrr": {"mean": 0.5}}, "separation": {"all": {"auroc": 0.75}}});
        let text = list(&[run(None), run(Some(metrics))]);
        assert!(text.contains("unfinished"));
        assert!(text.ends_with(".500        -   .750\n"), "{text}");
    }
}
