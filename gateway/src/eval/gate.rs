//! What an evaluation must reach, kept in a file of JSON: a list of
//! `{"set": …, "fusion": …, "metric": …, "at_least": …, "above": [other fusions]}`.
//! Where more is wished for than is reached, `target` says what and `why` the reason.

use std::fmt;
use std::path::Path;

use serde::Deserialize;

use super::dataset::read_json;
use super::metrics::Figures;
use super::run::Report;
use crate::error::Error;

/// One demand.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// Of which set.
    pub set: String,
    /// With which fusion.
    pub fusion: String,
    /// Which mean.
    pub metric: String,
    /// What it must reach.
    pub at_least: Option<f64>,
    /// Fusions that it must surpass.
    #[serde(default)]
    pub above: Vec<String>,
    /// What is wished for, where that is not reached; shown, not judged.
    pub target: Option<f64>,
    /// Why it is not reached.
    pub why: Option<String>,
}

/// How a demand fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is met.
    Pass,
    /// It is not met.
    Fail,
    /// What it speaks of was not run.
    Skipped,
}

/// A demand, or one comparison of it, and how it fared.
#[derive(Debug)]
pub struct Judged {
    /// How it fared.
    pub verdict: Verdict,
    text: String,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
            Verdict::Skipped => "skipped",
        };
        write!(f, "{verdict:7}  {}", self.text)
    }
}

/// Reads the demands of a file.
///
/// # Errors
/// [`Error::File`], or [`Error::Format`] for a demand that could never fail.
pub fn read(path: &Path) -> Result<Vec<Demand>, Error> {
    let demands: Vec<Demand> = read_json(path)?;
    for demand in &demands {
        let problem = if !Figures::NAMES.contains(&demand.metric.as_str()) {
            format!("{:?} is no metric; there are {}", demand.metric, Figures::NAMES.join(", "))
        } else if demand.at_least.is_none() && demand.above.is_empty() {
            format!("the demand on {} {} has neither at_least nor above", demand.set, demand.fusion)
        } else {
            continue;
        };
        return Err(Error::Format { path: path.to_owned(), problem });
    }
    Ok(demands)
}

/// Compares a report with what is demanded.
pub fn judge(demands: &[Demand], report: &Report) -> Vec<Judged> {
    let mean = |set: &str, fusion: &str, metric: &str| {
        let run = report.runs.iter().find(|run| run.set == set && run.fusion == fusion)?;
        run.summary.mean(metric)
    };
    let mut judged = Vec::new();
    for demand in demands {
        let Demand { set, fusion, metric, at_least, above, target, why } = demand;
        let value = mean(set, fusion, metric);
        let mut add = |relation: String, met: Option<bool>| {
            let value = value.map_or_else(|| "not measured".to_owned(), |v| format!("{v:.3}"));
            judged.push(Judged {
                verdict: match met {
                    Some(true) => Verdict::Pass,
                    Some(false) => Verdict::Fail,
                    None => Verdict::Skipped,
                },
                text: format!("{set} {fusion} {metric}: {value}, {relation}"),
            });
        };
        if let Some(least) = at_least {
            let wish = target.map_or_else(String::new, |target| {
                format!(" (target {target:.3}: {})", why.as_deref().unwrap_or("not reached"))
            });
            add(format!("at least {least:.3}{wish}"), value.map(|value| value >= *least));
        }
        for other in above {
            let bar = mean(set, other, metric);
            let shown = bar.map_or_else(String::new, |bar| format!(" {bar:.3}"));
            add(format!("above {other}{shown}"), value.zip(bar).map(|(value, bar)| value > bar));
        }
    }
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::dataset::Gold;
    use crate::eval::metrics::{Scored, Summary};
    use crate::eval::run::Run;

    fn report() -> Report {
        let run = |fusion, returned: &[&str]| {
            let returned: Vec<String> = returned.iter().map(|key| (*key).to_owned()).collect();
            let gold = Gold::plain(["a", "b"].map(str::to_owned));
            let figures = Figures::of(&returned, &gold);
            Run {
                run: 1,
                set: "beam",
                fusion,
                summary: Summary::of(
                    &[Scored { figures, milliseconds: 1.0, category: None }],
                    false,
                ),
                settings: serde_json::Value::Null,
            }
        };
        Report {
            version: "1".into(),
            database: "x_test".into(),
            skipped: Vec::new(),
            runs: vec![run("convex", &["a"]), run("vector", &["x"]), run("lexical", &["a", "b"])],
        }
    }

    fn verdicts(demands: serde_json::Value) -> Vec<Verdict> {
        let demands: Vec<Demand> = serde_json::from_value(demands).expect("demands");
        judge(&demands, &report()).iter().map(|judged| judged.verdict).collect()
    }

    #[test]
    fn demands_are_met_or_not() {
        let demand = |least: f64| {
            serde_json::json!([
                {"set": "beam", "fusion": "convex", "metric": "recall_10", "at_least": least},
            ])
        };
        assert_eq!(verdicts(demand(0.5)), [Verdict::Pass]);
        assert_eq!(verdicts(demand(0.51)), [Verdict::Fail]);
    }

    #[test]
    fn fusions_are_compared_and_what_was_not_run_is_skipped() {
        let demands = serde_json::json!([
            {"set": "beam", "fusion": "convex", "metric": "recall_10", "above": ["vector", "lexical", "rrf"]},
            {"set": "cranfield", "fusion": "convex", "metric": "ndcg_10", "at_least": 0.55},
        ]);
        assert_eq!(
            verdicts(demands),
            [Verdict::Pass, Verdict::Fail, Verdict::Skipped, Verdict::Skipped]
        );
    }

    #[test]
    fn the_file_of_the_project_can_be_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval-gate.json");
        assert!(!read(&path).expect("demands").is_empty());
    }
}
