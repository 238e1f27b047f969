//! What a model is asked, and what it answers.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Failure, ModelName};

/// What a model is asked.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Who it is to be and what it knows.
    pub system: String,
    /// The conversation, the latest last.
    pub messages: Vec<Message>,
    /// What it may call.
    pub tools: Vec<Tool>,
    /// A JSON schema of the answer, where one is wanted.
    pub schema: Option<Value>,
    /// What memory found, for the built-in answerer.
    pub memories: Vec<Recalled>,
}

/// A message of the conversation.
#[derive(Debug, Clone)]
pub enum Message {
    /// What a person said.
    User(String),
    /// What the model said.
    Assistant(String),
    /// What the model called, with what it said before.
    Calls(String, Vec<ToolCall>),
    /// What came back from a call.
    Result {
        /// Which call.
        id: String,
        /// What came back.
        content: String,
    },
}

/// Something that a model may call.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// When and how to use it.
    pub description: String,
    /// A JSON schema of its arguments.
    pub schema: Value,
}

/// A call that a model wants made.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// What the model calls it.
    pub id: String,
    /// Of which tool.
    pub name: String,
    /// With what; not an object where the model wrote no JSON.
    pub arguments: Value,
}

/// A memory, as far as a prompt needs it.
#[derive(Debug, Clone, Deserialize)]
pub struct Recalled {
    /// Its id.
    pub id: i64,
    /// What it says.
    pub content: String,
    /// Its state.
    pub status: String,
    /// Who may read it.
    pub audience: String,
    /// How relevant it is, from 0 to 1.
    pub relevance: Option<f64>,
    /// Since when it holds.
    pub valid_from: Option<String>,
    /// Until when it held.
    #[serde(default)]
    pub valid_to: Option<String>,
    /// Those that say otherwise.
    #[serde(default)]
    pub contradicted_by: Vec<i64>,
    /// What took its place.
    #[serde(default)]
    pub superseded_by: Option<i64>,
}

/// A model's answer.
#[derive(Debug, Clone)]
pub struct Completion {
    /// Who answered.
    pub model: ModelName,
    /// Its text.
    pub text: String,
    /// What it wants called before it goes on.
    pub tool_calls: Vec<ToolCall>,
    /// Whether it ended because it was long enough.
    pub cut_short: bool,
    /// What it used.
    pub usage: Usage,
}

/// What an answer used. Unknown is not zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens read.
    pub input: Option<u64>,
    /// Those of them that came from a cache.
    pub cached: Option<u64>,
    /// Tokens written.
    pub output: Option<u64>,
}

/// One call of a model, as `muninn.record_calls` takes it.
#[derive(Debug, Clone, Serialize)]
pub struct Call {
    provider: String,
    model: String,
    input_tokens: Option<u64>,
    cached_tokens: Option<u64>,
    output_tokens: Option<u64>,
    duration_ms: u64,
    error: Option<String>,
}

impl Call {
    pub(super) fn new(
        model: &ModelName,
        took: Duration,
        result: &Result<Completion, Failure>,
    ) -> Self {
        let usage = result.as_ref().map(|c| c.usage).unwrap_or_default();
        Self {
            provider: model.provider().into(),
            model: model.model().into(),
            input_tokens: usage.input,
            cached_tokens: usage.cached,
            output_tokens: usage.output,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            error: result.as_ref().err().map(|failure| format!("{:?}", failure.kind)),
        }
    }
}
