//! Tells apart why a provider did not answer, by its status and the body of its error.

use serde_json::Value;

use super::failure::{Failure, FailureKind, bounded};

/// An answer whose status is not a success.
pub(super) fn of_status(status: u16, body: &str) -> Failure {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(&value);
    let said = if value.is_null() { bounded(body) } else { said(error) };
    let kind = kind(Some(status), error, &said);
    let mut message = format!("the provider answered with status {status}");
    // A page of HTML is some proxy's and says nothing.
    if !said.is_empty() && !said.starts_with('<') {
        message.push_str(": ");
        message.push_str(&said);
    }
    Failure { kind, message, status: Some(status), retry_after: None }
}

/// An error within a stream that began well.
pub(super) fn in_stream(error: &Value) -> Failure {
    let said = said(error);
    Failure::new(kind(None, error, &said), format!("the provider broke off with an error: {said}"))
}

/// What the provider said, whichever of the usual fields it is in.
fn said(error: &Value) -> String {
    let text = match error {
        Value::String(text) => Some(text.as_str()),
        _ => ["message", "detail", "error", "type", "code"]
            .iter()
            .find_map(|field| error.get(field)?.as_str()),
    };
    bounded(text.unwrap_or("no reason given"))
}

fn kind(status: Option<u16>, error: &Value, said: &str) -> FailureKind {
    let named = |field: &str| error.get(field).and_then(Value::as_str).unwrap_or_default();
    let (code, kind, said) = (named("code"), named("type"), said.to_lowercase());
    let is = |word: &str| code == word || kind == word;
    // Only OpenAI has a code for it; the others are known by their words.
    let too_long = is("context_length_exceeded")
        || is("exceed_context_size_error")
        || [
            "context length",
            "context window",
            "context size",
            "prompt is too long",
            "too many tokens",
        ]
        .iter()
        .any(|words| said.contains(words));
    if is("insufficient_quota") || is("billing_error") || status == Some(402) {
        FailureKind::Quota
    } else if is("content_filter") || is("content_policy_violation") {
        FailureKind::ContentFilter
    } else if too_long && !matches!(status, Some(429 | 500..)) {
        FailureKind::ContextLength
    } else {
        match status {
            Some(401 | 403) => FailureKind::Unauthorized,
            Some(404 | 405) => FailureKind::UnknownModel,
            Some(413) => FailureKind::ContextLength,
            Some(429) => FailureKind::RateLimited,
            Some(408 | 500..) => FailureKind::Server,
            Some(_) => FailureKind::Rejected,
            None if is("rate_limit_error") || is("rate_limit_exceeded") => FailureKind::RateLimited,
            None if is("invalid_request_error") => FailureKind::Rejected,
            None if is("authentication_error") || is("permission_error") => {
                FailureKind::Unauthorized
            }
            None if is("not_found_error") => FailureKind::UnknownModel,
            None if is("request_too_large") => FailureKind::ContextLength,
            None => FailureKind::Server,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn failures_are_told_apart() {
        for (status, body, expected) in [
            (
                400,
                r#"{"error":{"message":"x","code":"context_length_exceeded"}}"#,
                FailureKind::ContextLength,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}"#,
                FailureKind::ContextLength,
            ),
            (
                400,
                r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"x"}}"#,
                FailureKind::ContextLength,
            ),
            (413, "", FailureKind::ContextLength),
            (
                400,
                r#"{"error":{"code":"content_filter","message":"x"}}"#,
                FailureKind::ContentFilter,
            ),
            (400, r#"{"error":{"message":"bad"}}"#, FailureKind::Rejected),
            (401, r#"{"error":{"message":"bad key"}}"#, FailureKind::Unauthorized),
            (404, r#"{"error":"model 'x' not found"}"#, FailureKind::UnknownModel),
            (
                429,
                r#"{"error":{"code":"rate_limit_exceeded","message":"x"}}"#,
                FailureKind::RateLimited,
            ),
            (429, r#"{"error":{"code":"insufficient_quota","message":"x"}}"#, FailureKind::Quota),
            (500, "<html>", FailureKind::Server),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                FailureKind::Server,
            ),
            (307, "", FailureKind::Rejected),
        ] {
            let failure = of_status(status, body);
            assert_eq!(failure.kind, expected, "{status} {body}");
            assert!(!failure.message.contains('<'), "{}", failure.message);
        }
        assert!(of_status(404, r#"{"error":"no model x"}"#).message.ends_with("no model x"));
    }

    #[test]
    fn an_error_in_a_stream_is_told_apart_too() {
        for (error, expected) in [
            (json!({"type": "overloaded_error", "message": "Overloaded"}), FailureKind::Server),
            (json!({"type": "rate_limit_error", "message": "slow"}), FailureKind::RateLimited),
            (json!({"message": "maximum context length is 8"}), FailureKind::ContextLength),
            (json!("broken"), FailureKind::Server),
        ] {
            assert_eq!(in_stream(&error).kind, expected, "{error}");
        }
    }
}
