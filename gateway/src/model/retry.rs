//! When a failed call is made again.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;
use serde::Deserialize;

use super::provider::seconds;

/// How failed calls are made again. In all they are bounded by the provider's total time.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retry {
    /// Calls of one model in all, the first with them.
    pub attempts: u32,
    /// The wait after the first failure, in seconds; it doubles with each.
    #[serde(deserialize_with = "seconds")]
    pub first_wait: Duration,
    /// The longest wait, in seconds, unless the provider asks for a longer one.
    #[serde(deserialize_with = "seconds")]
    pub longest_wait: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(20),
        }
    }
}

impl Retry {
    /// The field that cannot be, and why.
    pub(super) fn check(&self) -> Result<(), (&'static str, &'static str)> {
        if !(1..=20).contains(&self.attempts) {
            return Err(("attempts", "is not between 1 and 20"));
        }
        if self.longest_wait < self.first_wait {
            return Err(("longest_wait", "is less than first_wait"));
        }
        Ok(())
    }

    /// The wait after so many failures. Half of it is chance, so that those who failed
    /// together do not come back together; never less than the provider asked for.
    pub(super) fn wait(&self, failures: u32, asked: Option<Duration>) -> Duration {
        let doubled = self.first_wait.saturating_mul(1 << failures.saturating_sub(1).min(20));
        let wait = doubled.min(self.longest_wait).mul_f64(0.5 + fastrand::f64() / 2.0);
        wait.max(asked.unwrap_or_default())
    }
}

/// How long the provider asks to wait: `Retry-After` as seconds or as a date, or OpenAI's
/// finer `retry-after-ms`.
pub(super) fn asked_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok();
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let text = text("retry-after")?;
    match number(text) {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => {
            let date = httpdate::parse_http_date(text).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn waits_grow_up_to_a_bound_and_vary() {
        let retry = Retry::default();
        for (failures, least, most) in
            [(1, 250, 500), (2, 500, 1000), (3, 1000, 2000), (40, 10_000, 20_000)]
        {
            let waits: Vec<u128> =
                (0..50).map(|_| retry.wait(failures, None).as_millis()).collect();
            assert!(waits.iter().all(|ms| (least..=most).contains(ms)), "{failures}: {waits:?}");
            assert!(waits.iter().any(|ms| *ms != waits[0]), "no chance in {waits:?}");
        }
        assert_eq!(retry.wait(1, Some(Duration::from_secs(60))), Duration::from_secs(60));
    }

    #[test]
    fn the_wait_asked_for_is_read_in_all_its_forms() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").expect("a date");
        for (name, value, expected) in [
            ("retry-after", "7", Some(7_000)),
            ("retry-after", " 0 ", Some(0)),
            ("retry-after", "1.5", Some(1_500)),
            ("retry-after-ms", "250", Some(250)),
            ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT", Some(30_000)),
            ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("retry-after", "-1", None),
            ("retry-after", "soon", None),
            ("retry-after", "1e400", None),
            ("retry-after", "nan", None),
            ("x-other", "7", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            let wait = asked_wait(&headers, now).map(|wait| wait.as_millis());
            assert_eq!(wait, expected, "{name}: {value}");
        }
    }
}
