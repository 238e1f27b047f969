//! What was measured, as one table, and what did not hold.

use std::fmt::Write;

use super::statistics::short;

struct Line {
    case: String,
    measured: String,
    beside: String,
    target: String,
    verdict: &'static str,
}

/// The table, and the checks that failed.
#[derive(Default)]
pub struct Report {
    lines: Vec<Line>,
    notes: Vec<String>,
    checks: usize,
    failures: Vec<String>,
}

/// The bound of a figure.
pub enum Bound {
    /// It must not exceed this.
    AtMost(f64),
    /// It must reach this.
    AtLeast(f64),
}

impl Bound {
    fn verdict(&self, figure: f64) -> &'static str {
        let met = match *self {
            Self::AtMost(limit) => figure <= limit,
            Self::AtLeast(limit) => figure >= limit,
        };
        if met { "met" } else { "missed" }
    }
}

impl Report {
    /// A figure that has a target.
    pub fn target(
        &mut self,
        case: &str,
        measured: &str,
        beside: &str,
        target: &str,
        figure: f64,
        bound: &Bound,
    ) {
        self.line(case, measured, beside, target, bound.verdict(figure));
    }

    /// A ratio that has a target.
    pub fn ratio(&mut self, case: &str, what: &str, ratio: f64, bound: &Bound) {
        let target = match bound {
            Bound::AtMost(limit) => format!("≤ {limit} × {what}"),
            Bound::AtLeast(limit) => format!("≥ {limit} × {what}"),
        };
        self.target(case, &format!("{} × {what}", short(ratio)), "", &target, ratio, bound);
    }

    /// A figure without a target.
    pub fn figure(&mut self, case: &str, measured: &str, beside: &str) {
        self.line(case, measured, beside, "", "");
    }

    fn line(
        &mut self,
        case: &str,
        measured: &str,
        beside: &str,
        target: &str,
        verdict: &'static str,
    ) {
        say(&format!("{case}: {measured}; {beside} {target} {verdict}"));
        self.lines.push(Line {
            case: case.to_owned(),
            measured: measured.to_owned(),
            beside: beside.to_owned(),
            target: target.to_owned(),
            verdict,
        });
    }

    /// Something to stand below the table.
    pub fn note(&mut self, note: String) {
        say(&note);
        self.notes.push(note);
    }

    /// Something that must hold on every machine.
    pub fn check(&mut self, holds: bool, what: &str) {
        self.checks += 1;
        if !holds {
            say(&format!("FAILED: {what}"));
            self.failures.push(what.to_owned());
        }
    }

    /// Whether all checks held.
    pub fn sound(&self) -> bool {
        self.failures.is_empty()
    }

    /// The table as Markdown, with what stands above it.
    pub fn markdown(&self, above: &str) -> String {
        let mut text = format!(
            "{above}\n\n| case | muninn | in the same run | target | |\n|---|---|---|---|---|\n"
        );
        for Line { case, measured, beside, target, verdict } in &self.lines {
            let _ = writeln!(text, "| {case} | {measured} | {beside} | {target} | {verdict} |");
        }
        text.push('\n');
        for note in &self.notes {
            let _ = writeln!(text, "- {note}");
        }
        let _ = writeln!(text, "- {} checks, {} failed", self.checks, self.failures.len());
        for failure in &self.failures {
            let _ = writeln!(text, "  - FAILED: {failure}");
        }
        text
    }
}

/// Tells how far it is.
pub fn say(text: &str) {
    eprintln!("    {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_met_from_its_own_side() {
        assert_eq!(Bound::AtMost(2.0).verdict(2.0), "met");
        assert_eq!(Bound::AtMost(2.0).verdict(2.1), "missed");
        assert_eq!(Bound::AtLeast(2.0).verdict(1.9), "missed");
        assert_eq!(Bound::AtMost(2.0).verdict(f64::NAN), "missed");
    }

    #[test]
    fn a_failed_check_makes_the_run_unsound() {
        let mut report = Report::default();
        report.ratio("a case", "B", 0.1, &Bound::AtMost(0.15));
        report.check(true, "one");
        assert!(report.sound());
        report.check(false, "two");
        assert!(!report.sound());
        let text = report.markdown("above");
        assert!(text.contains("| a case | 0.100 × B |  | ≤ 0.15 × B | met |"), "{text}");
        assert!(text.contains("FAILED: two"));
    }
}
