//! What an evaluation must reach, kept in a file of JSON:
//!
//! - `recorded`: the figures of an earlier evaluation, by set and fusion; none may
//!   have fallen by more than `tolerance`. `muninn eval --record` writes them.
//! - `demands`: a list of `{"set": …, "fusion": …, "metric": …, "at_least": …,
//!   "above": [other fusions]}`. Where more is wished for than is reached, `target`
//!   says what and `why` the reason; `short_by` is how far a fusion may stay
//!   behind those of `above`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use muninn_core::evaluation::figures::Figures;
use serde::{Deserialize, Serialize};

use super::dataset::read_json;
use super::run::{Report, Run};
use crate::error::Error;

/// Figures beside those of [`Figures::NAMES`].
const OTHERS: [&str; 1] = ["auroc"];

/// What the file holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// By how much a recorded figure may fall.
    pub tolerance: f64,
    /// What does not follow from what is recorded.
    pub demands: Vec<Demand>,
    /// Earlier figures, by set and fusion.
    pub recorded: BTreeMap<String, BTreeMap<String, Recorded>>,
}

/// The figures of an earlier run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// How many questions were asked: figures of others are not comparable.
    pub questions: usize,
    /// Figures by name.
    pub figures: BTreeMap<String, f64>,
}

/// One demand.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// Of which set.
    pub set: String,
    /// With which fusion.
    pub fusion: String,
    /// Which figure.
    pub metric: String,
    /// What it must reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// Fusions that it must not fall behind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<String>,
    /// How far it may stay behind them for now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_by: Option<f64>,
    /// What is wished for, where that is not reached; shown, not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
    /// Why it is not reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

/// Reads the file.
///
/// # Errors
/// [`Error::File`], or [`Error::Format`] for a demand that could never fail.
pub fn read(path: &Path) -> Result<Gate, Error> {
    let gate: Gate = read_json(path)?;
    let known = |name: &str| Figures::NAMES.contains(&name) || OTHERS.contains(&name);
    let names = || Figures::NAMES.into_iter().chain(OTHERS).collect::<Vec<_>>().join(", ");
    let recorded = gate.recorded.values().flat_map(BTreeMap::values);
    let mut problem = recorded
        .flat_map(|recorded| recorded.figures.keys())
        .find(|name| !known(name))
        .map(|name| format!("{name:?} is no figure; there are {}", names()));
    for demand in &gate.demands {
        if !known(&demand.metric) {
            problem = Some(format!("{:?} is no figure; there are {}", demand.metric, names()));
        } else if demand.at_least.is_none() && demand.above.is_empty() {
            problem = Some(format!(
                "the demand on {} {} has neither at_least nor above",
                demand.set, demand.fusion
            ));
        }
    }
    match problem {
        Some(problem) => Err(Error::Format { path: path.to_owned(), problem }),
        None => Ok(gate),
    }
}

impl Gate {
    /// Takes the figures of a report as those that must be held.
    pub fn record(&mut self, report: &Report) {
        for run in &report.runs {
            let figures = Figures::NAMES.into_iter().chain(OTHERS).filter_map(|name| {
                // Four digits: what lies below is nobody's business.
                Some((name.to_owned(), (run.summary.mean(name)? * 1e4).round() / 1e4))
            });
            let recorded = Recorded { questions: asked(run), figures: figures.collect() };
            let set = self.recorded.entry(run.set.clone()).or_default();
            set.insert(run.fusion.to_owned(), recorded);
        }
    }

    /// Writes the file anew.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Error::Task(error.to_string()))?;
        std::fs::write(path, text + "\n")
            .map_err(|source| Error::File { path: path.to_owned(), source })
    }

    /// Compares a report with what is demanded and with what is recorded.
    pub fn judge(&self, report: &Report) -> Vec<Judged> {
        let mut judged: Vec<Judged> =
            self.demands.iter().flat_map(|demand| meets(demand, report)).collect();
        for run in &report.runs {
            if let Some(recorded) = self.recorded.get(&run.set).and_then(|set| set.get(run.fusion))
            {
                judged.extend(self.holds(run, recorded));
            }
        }
        judged
    }

    /// One line for a run that holds all its figures; else one for each that it does not.
    fn holds(&self, run: &Run, recorded: &Recorded) -> Vec<Judged> {
        let name = format!("{} {}", run.set, run.fusion);
        let asked = asked(run);
        if asked != recorded.questions {
            let text = format!("{name}: {asked} questions, recorded are {}", recorded.questions);
            return vec![Judged { verdict: Verdict::Skipped, text }];
        }
        let fallen: Vec<Judged> = recorded
            .figures
            .iter()
            .filter_map(|(metric, before)| {
                let now = run.summary.mean(metric);
                if now.is_some_and(|now| now >= before - self.tolerance) {
                    return None;
                }
                let now = now.map_or_else(|| "not measured".to_owned(), |now| format!("{now:.3}"));
                let text = format!("{name} {metric}: {now}, recorded is {before:.3}");
                Some(Judged { verdict: Verdict::Fail, text })
            })
            .collect();
        if fallen.is_empty() {
            let text = format!("{name}: no figure fell by more than {:.3}", self.tolerance);
            return vec![Judged { verdict: Verdict::Pass, text }];
        }
        fallen
    }
}

fn asked(run: &Run) -> usize {
    run.summary.questions + run.summary.negatives
}

fn meets(demand: &Demand, report: &Report) -> Vec<Judged> {
    let Demand { set, fusion, metric, at_least, above, short_by, target, why } = demand;
    let mean = |fusion: &str| {
        let run = report.runs.iter().find(|run| run.set == *set && run.fusion == fusion)?;
        run.summary.mean(metric)
    };
    let value = mean(fusion);
    let mut judged = Vec::new();
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
    let why = why.as_deref().unwrap_or("not reached");
    if let Some(least) = at_least {
        let wish =
            target.map_or_else(String::new, |target| format!(" (target {target:.3}: {why})"));
        add(format!("at least {least:.3}{wish}"), value.map(|value| value >= *least));
    }
    for other in above {
        let bar = mean(other);
        let shown = bar.map_or_else(String::new, |bar| format!(" {bar:.3}"));
        let short = short_by.unwrap_or_default();
        let wish =
            short_by.map_or_else(String::new, |short| format!(" less {short:.3} for now: {why}"));
        // As good is good enough: a set that is answered in full has no better.
        let met = value.zip(bar).map(|(value, bar)| value >= bar - short);
        add(format!("not behind {other}{shown}{wish}"), met);
    }
    judged
}

#[cfg(test)]
mod tests {
    use muninn_core::evaluation::figures::Gold;
    use muninn_core::evaluation::summary::{Scored, Summary};

    use super::*;

    fn report() -> Report {
        let run = |fusion, returned: &[&str]| {
            let returned: Vec<String> = returned.iter().map(|key| (*key).to_owned()).collect();
            let gold = Gold::plain(["a", "b"].map(str::to_owned));
            let scored = Scored {
                figures: Some(Figures::of(&returned, &gold)),
                relevance: 0.5,
                answered: true,
                milliseconds: 1.0,
                category: None,
            };
            let summary = Summary::of(&[scored], false);
            let settings = serde_json::Value::Null;
            Run { run: 1, set: "beam".into(), fusion, summary, settings }
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
        let gate = Gate { demands, ..Gate::default() };
        gate.judge(&report()).iter().map(|judged| judged.verdict).collect()
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
            {"set": "beam", "fusion": "convex", "metric": "recall_10", "above": ["lexical"], "short_by": 0.5},
            {"set": "beam", "fusion": "convex", "metric": "recall_10", "above": ["lexical"], "short_by": 0.49},
        ]);
        assert_eq!(
            verdicts(demands),
            [
                Verdict::Pass,
                Verdict::Fail,
                Verdict::Skipped,
                Verdict::Skipped,
                Verdict::Pass,
                Verdict::Fail
            ]
        );
    }

    /// Verdicts where the first run's recall@10, which is .5, was recorded as so much.
    fn against(recorded: f64, questions: usize) -> Vec<Verdict> {
        let mut gate = Gate { tolerance: 0.02, ..Gate::default() };
        gate.record(&report());
        let set = gate.recorded.get_mut("beam").expect("recorded");
        let convex = set.get_mut("convex").expect("recorded");
        convex.questions = questions;
        convex.figures.insert("recall_10".into(), recorded);
        gate.judge(&report()).iter().map(|judged| judged.verdict).collect()
    }

    #[test]
    fn what_was_recorded_is_held_within_the_tolerance() {
        assert_eq!(against(0.5, 1), [Verdict::Pass; 3]);
        assert_eq!(against(0.515, 1), [Verdict::Pass; 3]);
        assert_eq!(against(0.525, 1), [Verdict::Fail, Verdict::Pass, Verdict::Pass]);
        assert_eq!(against(0.9, 2), [Verdict::Skipped, Verdict::Pass, Verdict::Pass]);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut gate = Gate { tolerance: 0.02, ..Gate::default() };
        gate.record(&report());
        let path = std::env::temp_dir().join(format!("muninn-gate-{}.json", std::process::id()));
        gate.write(&path).expect("written");
        let again = read(&path).expect("read");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(again.recorded, gate.recorded);
        assert_eq!(again.recorded["beam"]["convex"].figures["recall_10"], 0.5);
    }

    #[test]
    fn the_file_of_the_project_can_be_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval-gate.json");
        let gate = read(&path).expect("demands");
        assert!(!gate.demands.is_empty() && !gate.recorded.is_empty());
        assert!(gate.tolerance > 0.0 && gate.tolerance < 0.1);
    }
}
