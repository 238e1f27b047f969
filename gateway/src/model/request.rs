//! What a model is asked: the same for every provider.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::extraction::Conversation;

/// A question to a model.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// What is to be done; the offline provider answers by it.
    pub task: Task,
    /// Who the assistant is and what holds for it.
    pub system: String,
    /// The thread so far, oldest first.
    pub messages: Vec<Message>,
    /// What the model may call.
    pub tools: Vec<Tool>,
    /// Bound of the answer.
    pub max_tokens: Option<u32>,
    /// From 0, always the most likely word; the provider's default if it is not given.
    pub temperature: Option<f64>,
    /// Asks for an answer that is JSON of this form.
    pub answer: Option<Schema>,
    /// What was recalled for the last message. Models read of it in the system text, which
    /// the caller writes; the offline provider answers from it.
    pub memories: Vec<Recalled>,
    /// Wiki pages that were found for the last message.
    pub pages: Vec<FoundPage>,
}

/// What a model is for.
#[derive(Debug, Clone, Default)]
pub enum Task {
    /// Answers a person.
    #[default]
    Chat,
    /// Takes what is worth remembering out of a conversation.
    Extract(Box<Conversation>),
    /// Drafts a page.
    Draft,
    /// Judges an answer or a contradiction.
    Judge,
}

impl Task {
    /// The role whose models do it.
    pub fn role(&self) -> Role {
        match self {
            Self::Chat => Role::Chat,
            Self::Extract(_) => Role::Extract,
            Self::Draft => Role::Draft,
            Self::Judge => Role::Judge,
        }
    }
}

/// The roles that models are chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Answers people.
    Chat,
    /// Finds what is worth remembering.
    Extract,
    /// Drafts pages.
    Draft,
    /// Judges answers and contradictions.
    Judge,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Chat, Self::Extract, Self::Draft, Self::Judge];

    /// The word for it in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Extract => "extract",
            Self::Draft => "draft",
            Self::Judge => "judge",
        }
    }
}

/// One message of a thread.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// What a person said.
    User {
        /// The words.
        text: String,
    },
    /// What the assistant said, and which tools it called.
    Assistant {
        /// The words; may be empty where tools are called.
        text: String,
        /// The calls, each answered by a message that follows.
        tool_calls: Vec<ToolCall>,
    },
    /// What a tool gave back.
    Tool {
        /// The call that it answers.
        tool_call_id: String,
        /// What came of it.
        text: String,
        /// Whether it failed.
        failed: bool,
    },
}

impl Message {
    /// What a person said.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }

    /// What the assistant said, without a tool.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant { text: text.into(), tool_calls: Vec::new() }
    }
}

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// When and what for.
    pub description: String,
    /// JSON schema of its arguments, an object.
    pub parameters: Value,
}

/// A tool that a model wants called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names this call within the thread.
    pub id: String,
    /// Which tool; the caller checks that it offered it.
    pub name: String,
    /// A JSON object; the caller checks it against the schema.
    pub arguments: Value,
}

/// The form of an answer. Providers that take a schema take it strictly: every property of an
/// object is required, and `additionalProperties` is false.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Letters, digits, `_` and `-`.
    pub name: String,
    /// JSON schema.
    pub schema: Value,
}

/// A memory that was recalled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recalled {
    /// Its id, referred to as `[m42]`.
    pub id: i64,
    /// Its text.
    pub content: String,
    /// How well it answers, 0 to 1.
    pub relevance: f64,
    /// Its state, in the words of the database; a `candidate` nobody has confirmed yet.
    pub status: String,
    /// Since when it has been true, as it is to be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

impl Recalled {
    /// Whether nobody has confirmed it yet.
    pub fn is_unconfirmed(&self) -> bool {
        self.status == "candidate"
    }
}

/// A wiki page that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundPage {
    /// Its name in links.
    pub slug: String,
    /// Its heading.
    pub title: String,
    /// The passage that fits.
    pub excerpt: String,
    /// How well it answers, 0 to 1.
    pub relevance: f64,
}
