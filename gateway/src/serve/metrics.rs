//! Figures for Prometheus, without a label that names a person.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// A distribution of durations.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    /// Counts a duration.
    pub fn record(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let at = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        self.buckets[at].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn write(&self, text: &mut String, name: &str, help: &str) {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram");
        let mut sum = 0;
        for (at, bucket) in self.buckets.iter().enumerate() {
            sum += bucket.load(Ordering::Relaxed);
            let bound = BOUNDS.get(at).map_or("+Inf".to_owned(), ToString::to_string);
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {sum}");
        }
        let seconds = Duration::from_micros(self.micros.load(Ordering::Relaxed)).as_secs_f64();
        let _ = writeln!(text, "{name}_sum {seconds}\n{name}_count {sum}");
    }
}

/// What a gateway counts.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Turns that were answered.
    pub answered: AtomicU64,
    /// Attempts at a turn that failed.
    pub failed: AtomicU64,
    /// Turns that somebody else finished or stopped meanwhile.
    pub lost: AtomicU64,
    /// Turns that were read for memories.
    pub extracted: AtomicU64,
    /// Attempts to read a turn for memories that failed.
    pub extraction_failed: AtomicU64,
    /// Time of a turn from claim to answer.
    pub turn: Histogram,
    /// Time of that which the gateway itself needed: neither database nor model.
    pub own: Histogram,
    /// Requests by class of status, such as 2 for 2xx.
    statuses: Mutex<[u64; 6]>,
    /// Time of requests that are no streams.
    pub request: Histogram,
}

impl Metrics {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts an answer to a request.
    pub fn status(&self, status: u16) {
        if let Ok(mut statuses) = self.statuses.lock() {
            statuses[usize::from(status / 100).min(5)] += 1;
        }
    }

    /// All figures in the text format of Prometheus.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, help, value) in [
            ("muninn_turns_answered_total", "Turns answered by this gateway.", &self.answered),
            ("muninn_turn_failures_total", "Failed attempts to answer a turn.", &self.failed),
            ("muninn_turns_lost_total", "Turns stopped or taken over meanwhile.", &self.lost),
            ("muninn_extractions_total", "Turns read for memories.", &self.extracted),
            (
                "muninn_extraction_failures_total",
                "Failed attempts to read a turn for memories.",
                &self.extraction_failed,
            ),
        ] {
            let value = value.load(Ordering::Relaxed);
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {value}");
        }
        let name = "muninn_http_requests_total";
        let _ = writeln!(text, "# HELP {name} Requests answered.\n# TYPE {name} counter");
        if let Ok(statuses) = self.statuses.lock() {
            for (class, count) in statuses.iter().enumerate().skip(1) {
                let _ = writeln!(text, "{name}{{status=\"{class}xx\"}} {count}");
            }
        }
        self.request.write(&mut text, "muninn_http_request_seconds", "Time of requests.");
        self.turn.write(&mut text, "muninn_turn_seconds", "Time of a turn from claim to answer.");
        self.own.write(
            &mut text,
            "muninn_turn_own_seconds",
            "Time of a turn in the gateway itself, without database and model.",
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_is_cumulative() {
        let metrics = Metrics::new();
        metrics.turn.record(Duration::from_millis(2));
        metrics.turn.record(Duration::from_secs(60));
        metrics.status(404);
        let text = metrics.text();
        for line in [
            "muninn_turn_seconds_bucket{le=\"0.001\"} 0",
            "muninn_turn_seconds_bucket{le=\"0.0025\"} 1",
            "muninn_turn_seconds_bucket{le=\"+Inf\"} 2",
            "muninn_turn_seconds_count 2",
            "muninn_http_requests_total{status=\"4xx\"} 1",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in {text}");
        }
    }
}
