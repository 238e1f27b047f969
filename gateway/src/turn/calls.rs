//! Calls of models, as the database keeps them.

use serde_json::{Value, json};

use crate::db::job;
use crate::model::{Call, ModelError};

/// As `muninn.record_calls` takes them.
pub fn recorded(calls: &[Call]) -> Value {
    calls
        .iter()
        .map(|call| {
            json!({
                "provider": call.provider, "model": call.model, "duration_ms": call.duration_ms,
                "input_tokens": call.usage.input_tokens, "cached_tokens": call.usage.cached_tokens,
                "output_tokens": call.usage.output_tokens,
                "error": call.error.as_ref().map(|failure| failure.kind.as_str()),
            })
        })
        .collect()
}

/// A failure of all models, as a job is given back with it. What may pass is tried again
/// later; what the models or their settings refuse is not.
pub fn failed(error: &ModelError, calls: Value) -> job::Failure {
    let failure = &error.failure;
    job::Failure {
        error: error.to_string(),
        retry_after: failure.retry_after.map(|wait| wait.as_secs().min(3600) as i32),
        permanent: failure.kind.is_lasting(),
        calls,
    }
}
