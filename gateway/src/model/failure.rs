//! How a call of a model fails.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::completion::Call;
use super::name::ModelName;

/// Longest text of a provider that is repeated, in characters.
const LONGEST_TEXT: usize = 300;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// No connection, or it broke before there was an answer.
    Connect,
    /// No connection within the time for it.
    ConnectTimeout,
    /// Nothing of the answer within the time for its first piece.
    FirstTokenTimeout,
    /// The answer stood still.
    BetweenTokensTimeout,
    /// The answer took too long in all.
    TotalTimeout,
    /// Too many calls for now.
    RateLimited,
    /// Nothing is left of what was paid for.
    Quota,
    /// The provider broke down or has too much to do.
    Server,
    /// The key is missing or not taken.
    Unauthorized,
    /// The provider has no such model or address.
    UnknownModel,
    /// The provider does not take the request.
    Rejected,
    /// The thread is longer than the model can read.
    ContextLength,
    /// The provider's filter does not let it pass.
    ContentFilter,
    /// The answer ended without its end mark: a part of it is missing.
    Truncated,
    /// What came is not what the protocol says.
    Malformed,
    /// A whole answer with nothing in it.
    Empty,
    /// The answer is longer than this program reads.
    TooLarge,
    /// This provider cannot do that.
    Unsupported,
    /// The settings have no such provider, or none for it.
    NotConfigured,
    /// The caller did not want it any more.
    Cancelled,
}

impl FailureKind {
    /// The word for it in traces.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::ConnectTimeout => "connect_timeout",
            Self::FirstTokenTimeout => "first_token_timeout",
            Self::BetweenTokensTimeout => "between_tokens_timeout",
            Self::TotalTimeout => "total_timeout",
            Self::RateLimited => "rate_limited",
            Self::Quota => "quota",
            Self::Server => "server",
            Self::Unauthorized => "unauthorized",
            Self::UnknownModel => "unknown_model",
            Self::Rejected => "rejected",
            Self::ContextLength => "context_length",
            Self::ContentFilter => "content_filter",
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::Unsupported => "unsupported",
            Self::NotConfigured => "not_configured",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the same call may well succeed a moment later. A model that did not begin in
    /// its time is not asked again: the next one is likely faster than a second wait.
    pub(super) fn is_passing(self) -> bool {
        matches!(
            self,
            Self::Connect
                | Self::ConnectTimeout
                | Self::RateLimited
                | Self::Server
                | Self::Truncated
        )
    }

    /// Whether it makes no sense to ask again later, either: somebody has to change something.
    pub fn is_lasting(self) -> bool {
        matches!(
            self,
            Self::Unauthorized
                | Self::UnknownModel
                | Self::Rejected
                | Self::ContextLength
                | Self::ContentFilter
                | Self::TooLarge
                | Self::Unsupported
                | Self::NotConfigured
                | Self::Quota
        )
    }

    /// Whether no other model is to be asked: the caller wants no answer, or a filter has
    /// decided about the content, and another model would be a way around it.
    pub(super) fn is_final(self) -> bool {
        matches!(self, Self::Cancelled | Self::ContentFilter)
    }

    /// What the operator or the person can do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Connect | Self::ConnectTimeout => {
                "Check base_url of the provider, and whether it can be reached from here."
            }
            Self::FirstTokenTimeout | Self::BetweenTokensTimeout | Self::TotalTimeout => {
                "Ask again; for a slow model raise the provider's timeouts."
            }
            Self::RateLimited | Self::Server | Self::Truncated => {
                "Ask again in a moment; a second model in the role's list would answer meanwhile."
            }
            Self::Quota => "Look at the plan and the bill of the account at the provider.",
            Self::Unauthorized => {
                "Check the key that api_key_env or api_key_file of the provider names."
            }
            Self::UnknownModel => {
                "Check the name of the model, and base_url (for most servers it ends in /v1)."
            }
            Self::Rejected | Self::Malformed => {
                "Check that kind and base_url of the provider fit what is served there."
            }
            Self::ContextLength => "Begin a new thread, or choose a model that reads more.",
            Self::ContentFilter => "Put it in other words.",
            Self::Empty => "Ask again, or raise the bound of tokens.",
            Self::TooLarge => "Ask for less at once.",
            Self::Unsupported => "Name a language model for this role.",
            Self::NotConfigured => "Name a configured provider in the role's list of models.",
            Self::Cancelled => "Ask again.",
        }
    }
}

impl Serialize for FailureKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Why one call failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// What happened; text of a provider in it is bounded, and without the key.
    pub message: String,
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// How long the provider asks to wait.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// A failure that no HTTP status says more about.
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None, retry_after: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// No model of the chain answered.
#[derive(Debug, Clone)]
pub struct ModelError {
    /// The last model that was asked; none if the chain was empty.
    pub model: Option<ModelName>,
    /// Why that one failed.
    pub failure: Failure,
    /// What had been handed on by then: an answer that is not whole.
    pub text: String,
    /// Every call that was made.
    pub calls: Vec<Call>,
}

impl ModelError {
    /// What kind of failure it was in the end.
    pub fn kind(&self) -> FailureKind {
        self.failure.kind
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        self.kind().hint()
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.model {
            Some(model) => write!(f, "{model}: {}", self.failure),
            None => write!(f, "{}", self.failure),
        }
    }
}

impl std::error::Error for ModelError {}

/// Foreign text as it may be shown: one line, bounded.
pub(super) fn bounded(text: &str) -> String {
    let mut shown = String::new();
    let mut blank = false;
    for (index, c) in text
        .trim()
        .chars()
        .map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c })
        .filter(|c| {
            let again = *c == ' ' && blank;
            blank = *c == ' ';
            !again
        })
        .enumerate()
    {
        if index == LONGEST_TEXT {
            shown.push('…');
            break;
        }
        shown.push(c);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_becomes_one_bounded_line() {
        assert_eq!(bounded("  a\r\n\tb\u{1b}[31m  "), "a b [31m");
        assert_eq!(bounded(&"é".repeat(10_000)).chars().count(), LONGEST_TEXT + 1);
    }
}
