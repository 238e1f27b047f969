//! Medians of times.

use std::time::Duration;

/// Times of one thing.
#[derive(Clone, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// One more.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them together.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// The time that this share of them does not exceed (nearest rank), in milliseconds.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort();
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.max(1) - 1).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    }

    /// The median in milliseconds.
    pub fn p50(&self) -> f64 {
        self.quantile(0.5)
    }

    /// `p50 1.23 ms (p5 1.11, p95 2.34)`: where others use the machine, the
    /// fastest times tell what the work itself takes.
    pub fn shown(&self) -> String {
        let [p5, p50, p95] = [0.05, 0.5, 0.95].map(|share| short(self.quantile(share)));
        format!("p50 {p50} ms (p5 {p5}, p95 {p95})")
    }
}

/// A number in three figures.
pub fn short(number: f64) -> String {
    match number {
        x if x >= 100.0 => format!("{x:.0}"),
        x if x >= 10.0 => format!("{x:.1}"),
        x if x >= 1.0 => format!("{x:.2}"),
        x => format!("{x:.3}"),
    }
}

/// A count with commas.
pub fn commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_nearest_ranks() {
        let mut times = Times::default();
        for ms in (1..=20).rev() {
            times.push(Duration::from_millis(ms));
        }
        assert_eq!(times.p50(), 10.0);
        assert_eq!(times.quantile(0.95), 19.0);
        assert_eq!(times.quantile(1.0), 20.0);
        assert_eq!(times.shown(), "p50 10.0 ms (p5 1.00, p95 19.0)");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [short(0.1234), short(1.234), short(12.34), short(1234.4)].join(" "),
            "0.123 1.23 12.3 1234"
        );
        assert_eq!([commas(7), commas(1_000), commas(1_234_567)].join(" "), "7 1,000 1,234,567");
    }
}
