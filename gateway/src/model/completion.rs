//! What comes back from a model: pieces on the way, an answer, and every call that was made.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::name::ModelName;
use super::request::ToolCall;

/// A piece of an answer, as it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// The model begins to call this tool; the whole call is in the completion.
    ToolCall {
        /// Which.
        name: String,
    },
}

/// Takes the pieces; `Break` says that nobody wants more of them, and ends the call.
pub(super) type Sink<'a> = dyn FnMut(Delta) -> ControlFlow<()> + Send + 'a;

/// An answer that is whole.
#[derive(Debug, Clone)]
pub struct Completion {
    /// Who answered.
    pub model: ModelName,
    /// The text; empty where tools are called.
    pub text: String,
    /// The tools to call, in the order in which the model named them.
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended.
    pub stop: Stop,
    /// What it used; what failed calls used is in `calls`.
    pub usage: Usage,
    /// Every call that was made for it, the last of which answered.
    pub calls: Vec<Call>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was complete.
    End,
    /// It reached the bound of tokens, and is short.
    MaxTokens,
    /// Tools are to be called.
    ToolCalls,
}

/// Tokens, as the provider counts them. What it does not say is not known, which is not zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All that was read, whether from the cache or not.
    pub input_tokens: Option<u64>,
    /// All that was written, what a model thought to itself with it.
    pub output_tokens: Option<u64>,
    /// Of what was read, the part that came from the provider's cache.
    pub cached_tokens: Option<u64>,
}

/// One call of a provider, for the trace of a turn and for what it costs.
#[derive(Debug, Clone, Serialize)]
pub struct Call {
    /// Who was called.
    pub provider: String,
    /// With which model.
    pub model: String,
    /// How long it took.
    pub duration_ms: u64,
    /// Until the first piece of the answer came, if one did.
    pub first_token_ms: Option<u64>,
    /// What it used, as far as it was said.
    pub usage: Usage,
    /// Why it failed, if it did.
    pub error: Option<Failure>,
}
