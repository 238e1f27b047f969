//! Why a model gave no answer, told apart by what can be done about it.

use std::time::{Duration, SystemTime};

use genai::Error as Genai;
use genai::webc::Error as Web;
use rand::Rng;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

/// What a provider says is cut there.
const LONGEST_DETAIL: usize = 300;

/// Why there is no answer.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What kind of reason.
    pub kind: Kind,
    /// In words, for people.
    pub detail: String,
    /// Not before this long.
    pub retry_after: Option<Duration>,
}

/// What kind of reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Too many calls: later.
    RateLimited,
    /// It fails by itself: perhaps not the next time.
    Unavailable,
    /// It did not answer, or fell silent.
    TimedOut,
    /// The answer ended before its end.
    Truncated,
    /// The answer makes no sense.
    Malformed,
    /// There was no answer in the answer.
    Empty,
    /// The provider refuses the subject.
    Filtered,
    /// More text than the model can read.
    TooLong,
    /// The key or the account is not accepted.
    Denied,
    /// The request is not understood; the model may not exist.
    Refused,
    /// Somebody stopped it.
    Cancelled,
    /// There is no such model here.
    Unknown,
}

impl Kind {
    /// Whether the same may succeed a moment later.
    pub fn is_passing(self) -> bool {
        matches!(
            self,
            Self::RateLimited
                | Self::Unavailable
                | Self::TimedOut
                | Self::Truncated
                | Self::Malformed
                | Self::Empty
        )
    }

    fn words(self) -> &'static str {
        match self {
            Self::RateLimited => "the model has too much to do",
            Self::Unavailable => "the model is not available",
            Self::TimedOut => "the model did not answer in time",
            Self::Truncated => "the model's answer broke off",
            Self::Malformed => "the model's answer was not understood",
            Self::Empty => "the model's answer was empty",
            Self::Filtered => "the model's provider refused the subject",
            Self::TooLong => "the conversation is longer than the model can read",
            Self::Denied => "the model's provider did not accept the key",
            Self::Refused => "the model's provider did not accept the request",
            Self::Cancelled => "the answer was stopped",
            Self::Unknown => "there is no model to ask",
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.kind.words())?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

impl Failure {
    /// Of this kind, with what is known about it.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        let detail: String = detail.into();
        let detail = detail.chars().take(LONGEST_DETAIL).collect();
        Self { kind, detail, retry_after: None }
    }

    /// How long to wait before the next attempt: as long as the provider asks, else twice
    /// as long each time; never quite the same, so that many do not come back at once.
    pub(super) fn pause(&self, attempt: u32) -> Duration {
        let backoff = Duration::from_millis(400) * 2u32.pow(attempt.min(6) - 1);
        let jitter = rand::rng().random_range(0.5..1.5);
        self.retry_after.unwrap_or_default().max(backoff.mul_f64(jitter))
    }

    /// From what the library reports; the key never gets into the words.
    pub(super) fn from_genai(error: &Genai, secret: Option<&str>) -> Self {
        let mut failure = Self::classify(error);
        if let Some(secret) = secret {
            failure.detail = failure.detail.replace(secret, "…");
        }
        failure
    }

    fn classify(error: &Genai) -> Self {
        match error {
            Genai::HttpError { status, body, headers, .. } => {
                Self::from_status(*status, body, headers)
            }
            Genai::WebModelCall { webc_error, .. } | Genai::WebAdapterCall { webc_error, .. } => {
                Self::from_web(webc_error)
            }
            Genai::WebStream { cause, error, .. } => {
                if let Some(inner) = error.downcast_ref::<Genai>() {
                    return Self::classify(inner);
                }
                let text = format!("{cause} {error:?}").to_lowercase();
                if text.contains("timed out") || text.contains("timeout") {
                    Self::new(Kind::TimedOut, "")
                } else if text.contains("connect") {
                    Self::new(Kind::Unavailable, "no connection")
                } else {
                    Self::new(Kind::Truncated, "the connection was lost")
                }
            }
            Genai::StreamParse { .. }
            | Genai::InvalidJsonResponseElement { .. }
            | Genai::ChatResponseGeneration { .. } => Self::new(Kind::Malformed, ""),
            Genai::NoChatResponse { .. } => Self::new(Kind::Empty, ""),
            Genai::ChatResponse { body, .. } => {
                let text = body.to_string();
                let lower = text.to_lowercase();
                let kind = if lower.contains("overloaded") || lower.contains("rate") {
                    Kind::RateLimited
                } else if lower.contains("filter") {
                    Kind::Filtered
                } else {
                    Kind::Unavailable
                };
                Self::new(kind, text)
            }
            Genai::RequiresApiKey { .. }
            | Genai::NoAuthResolver { .. }
            | Genai::NoAuthData { .. } => Self::new(Kind::Denied, "no key is set"),
            other => Self::new(Kind::Refused, first_line(&other.to_string())),
        }
    }

    fn from_web(error: &Web) -> Self {
        match error {
            Web::ResponseFailedStatus { status, body, headers } => {
                Self::from_status(*status, body, headers)
            }
            Web::Reqwest(error) if error.is_timeout() => Self::new(Kind::TimedOut, ""),
            Web::Reqwest(_) => Self::new(Kind::Unavailable, "no connection"),
            _ => Self::new(Kind::Malformed, ""),
        }
    }

    fn from_status(status: StatusCode, body: &str, headers: &HeaderMap) -> Self {
        let lower = body.to_lowercase();
        let too_long = ["context_length", "context length", "too long", "maximum context"];
        let kind = match status.as_u16() {
            429 => Kind::RateLimited,
            401 | 403 => Kind::Denied,
            408 => Kind::TimedOut,
            400 | 413 | 422 if too_long.iter().any(|words| lower.contains(words)) => Kind::TooLong,
            400 if lower.contains("content_filter") || lower.contains("content management") => {
                Kind::Filtered
            }
            500.. => Kind::Unavailable,
            _ => Kind::Refused,
        };
        let mut failure = Self::new(kind, format!("{} {}", status.as_u16(), message_of(body)));
        failure.retry_after = retry_after(headers);
        failure
    }
}

/// What a provider says in its error, without the rest of its JSON.
fn message_of(body: &str) -> String {
    serde_json::from_str::<serde_json::Value>(body)
        .ok()
        .and_then(|json| {
            let message = json.pointer("/error/message").or_else(|| json.pointer("/message"))?;
            message.as_str().map(str::to_owned)
        })
        .unwrap_or_else(|| first_line(body))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// `Retry-After`, in seconds or as a date; at most an hour.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let said = headers.get("retry-after")?.to_str().ok()?.trim();
    let wait = match said.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => httpdate::parse_http_date(said)
            .ok()?
            .duration_since(SystemTime::now())
            .unwrap_or_default(),
    };
    Some(wait.min(Duration::from_secs(3600)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> Kind {
        let status = StatusCode::from_u16(status).expect("a status");
        Failure::from_status(status, body, &HeaderMap::new()).kind
    }

    #[test]
    fn statuses_are_told_apart() {
        for (status, body, kind) in [
            (429, "", Kind::RateLimited),
            (500, "", Kind::Unavailable),
            (529, "", Kind::Unavailable),
            (401, "", Kind::Denied),
            (404, "no such model", Kind::Refused),
            (400, r#"{"error":{"code":"context_length_exceeded"}}"#, Kind::TooLong),
            (400, r#"{"error":{"code":"content_filter"}}"#, Kind::Filtered),
            (400, "what?", Kind::Refused),
        ] {
            assert_eq!(of(status, body), kind, "{status} {body}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let after = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("retry-after", value.parse().expect("a header"));
            retry_after(&headers)
        };
        assert_eq!(after("7"), Some(Duration::from_secs(7)));
        let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(60));
        let wait = after(&date).expect("a date");
        assert!((50..=60).contains(&wait.as_secs()), "{wait:?}");
        assert_eq!(after("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        assert_eq!(after("soon"), None);
        assert_eq!(after("999999"), Some(Duration::from_secs(3600)));
    }

    #[test]
    fn an_error_says_what_the_provider_says_and_not_more() {
        let body = r#"{"error":{"message":"You exceeded your quota.","x":1}}"#;
        assert_eq!(message_of(body), "You exceeded your quota.");
        assert!(Failure::new(Kind::Refused, "x".repeat(10_000)).detail.len() <= LONGEST_DETAIL);
    }
}
