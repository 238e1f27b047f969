//! What a model may do within a turn. Whose memory it is says the turn; no argument of
//! the model can name another person, bot or audience.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use muninn_core::settings::GatewaySettings;

use super::Turn;
use crate::db::{acts, verbs};
use crate::error::Error;
use crate::model::extraction::memory_id;
use crate::model::{Tool, ToolCall};
use crate::serve::App;
use crate::toolbox::{External, cut};

/// The longest result that a model gets to read, in bytes.
const LONGEST: usize = 20_000;

/// The tools of one turn.
pub struct Tools<'a> {
    app: &'a App,
    turn: &'a Turn,
    external: Vec<External>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recall {
    query: String,
    k: Option<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remember {
    content: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Correct {
    #[serde(deserialize_with = "memory_id")]
    memory: i64,
    content: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forget {
    #[serde(deserialize_with = "memory_id")]
    memory: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhyAsked {
    query: String,
    #[serde(deserialize_with = "memory_id")]
    memory: i64,
}

impl<'a> Tools<'a> {
    /// The tools that the bot of a turn may use.
    pub async fn new(app: &'a App, turn: &'a Turn, settings: &GatewaySettings) -> Self {
        let external = app.toolbox.allowed(&settings.tools).await;
        Self { app, turn, external }
    }

    /// What the model is offered.
    pub fn offered(&self) -> Vec<Tool> {
        let id = json!({"type": "string", "description": "Id of a memory, such as m42"});
        let tool = |name: &str, description: &str, properties: Value, required: Value| Tool {
            name: name.into(),
            description: description.into(),
            parameters: json!({"type": "object", "properties": properties, "required": required,
                           "additionalProperties": false}),
        };
        let own = [
            tool(
                "recall",
                "Searches the memory by words and meaning. Use it when the memories that you were given do not answer.",
                json!({"query": {"type": "string", "description": "What to look for, in ordinary words"},
                       "k": {"type": "integer", "minimum": 1, "maximum": 20, "description": "How many, 8 if not said"}}),
                json!(["query"]),
            ),
            tool(
                "remember",
                "Keeps one statement about the person, for the person alone; it counts as unconfirmed. Only for what the person has just said, in a sentence that can be understood by itself.",
                json!({"content": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}),
                json!(["content"]),
            ),
            tool(
                "correct",
                "Puts what is right in the place of a memory that the person says is wrong.",
                json!({"memory": id, "content": {"type": "string", "description": "The whole statement as it is right"}}),
                json!(["memory", "content"]),
            ),
            tool(
                "forget",
                "Asks the person to confirm that a memory is to be forgotten. Nothing is forgotten until the person has confirmed it.",
                json!({"memory": id}),
                json!(["memory"]),
            ),
            tool(
                "why",
                "Says why a memory was found for a question, or was not.",
                json!({"query": {"type": "string"}, "memory": id}),
                json!(["query", "memory"]),
            ),
        ];
        own.into_iter().chain(self.external.iter().map(|one| one.tool.clone())).collect()
    }

    /// What comes back from a call, as text for the model: also what went wrong, and whether
    /// something did.
    pub async fn call(&self, call: &ToolCall) -> (String, bool) {
        let result = match call.name.as_str() {
            "recall" => self.recall(&call.arguments).await,
            "remember" => self.remember(&call.arguments).await,
            "correct" => self.correct(&call.arguments).await,
            "forget" => self.forget(&call.arguments).await,
            "why" => self.why(&call.arguments).await,
            other => match self.external.iter().find(|one| one.tool.name == other) {
                Some(external) => {
                    return match self.app.toolbox.call(external, &call.arguments).await {
                        Ok(text) => (text, false),
                        Err(problem) => (problem, true),
                    };
                }
                None => Err(format!("there is no tool {other:?}")),
            },
        };
        match result {
            Ok(value) => (cut(value.to_string(), LONGEST), false),
            Err(problem) => (cut(json!({ "error": problem }).to_string(), LONGEST), true),
        }
    }

    async fn recall(&self, arguments: &Value) -> Result<Value, String> {
        let asked: Recall = read(arguments)?;
        let question = verbs::Question {
            query: asked.query,
            k: Some(asked.k.unwrap_or(8).clamp(1, 20)),
            ..Default::default()
        };
        let client = self.app.db.client().await.map_err(|e| said(&e))?;
        let found = verbs::recall(&client, &self.turn.bot, self.turn.person, &question)
            .await
            .map_err(|e| said(&e))?;
        let memories: Vec<Value> = found
            .iter()
            .map(|m| {
                json!({"id": format!("m{}", m.memory_id), "says": m.passage.as_ref().unwrap_or(&m.content),
                       "status": m.status, "since": m.valid_from.get(..10), "relevance": m.relevance})
            })
            .collect();
        Ok(json!({ "memories": memories }))
    }

    async fn remember(&self, arguments: &Value) -> Result<Value, String> {
        let new: Remember = read(arguments)?;
        let client = self.app.db.client().await.map_err(|e| said(&e))?;
        let Turn { bot, person, id } = self.turn;
        let made = acts::propose_memory(&client, bot, *person, *id, &new.content, &new.tags)
            .await
            .map_err(|e| said(&e))?;
        Ok(match made {
            Some(memory) => json!({"kept": format!("m{memory}"), "status": "candidate"}),
            None => json!({"kept": null, "why": "it is in the memory already"}),
        })
    }

    async fn correct(&self, arguments: &Value) -> Result<Value, String> {
        let right: Correct = read(arguments)?;
        let client = self.app.db.client().await.map_err(|e| said(&e))?;
        let Turn { bot, person, id } = self.turn;
        let made =
            acts::propose_correction(&client, bot, *person, *id, right.memory, &right.content)
                .await
                .map_err(|e| said(&e))?;
        Ok(json!({"corrected": format!("m{made}")}))
    }

    async fn forget(&self, arguments: &Value) -> Result<Value, String> {
        let named: Forget = read(arguments)?;
        let client = self.app.db.client().await.map_err(|e| said(&e))?;
        let Turn { bot, person, id } = self.turn;
        acts::request_forget(&client, bot, *person, *id, named.memory)
            .await
            .map_err(|e| said(&e))?;
        Ok(
            json!({"asked": true, "note": "Nothing is forgotten yet: the person is asked to confirm it."}),
        )
    }

    async fn why(&self, arguments: &Value) -> Result<Value, String> {
        let asked: WhyAsked = read(arguments)?;
        let client = self.app.db.client().await.map_err(|e| said(&e))?;
        let found =
            verbs::why(&client, &self.turn.bot, self.turn.person, &asked.query, asked.memory)
                .await
                .map_err(|e| said(&e))?;
        Ok(json!(found))
    }
}

fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, String> {
    T::deserialize(arguments).map_err(|error| format!("the arguments do not fit: {error}"))
}

/// What a model may know of an error.
fn said(error: &Error) -> String {
    error.refusal().unwrap_or_else(|| "that did not work".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_models_write_it() {
        for (written, id) in [(json!(42), 42), (json!("42"), 42), (json!("m42"), 42)] {
            let named: Forget = read(&json!({ "memory": written })).expect("an id");
            assert_eq!(named.memory, id);
        }
        assert!(read::<Forget>(&json!({"memory": "the cat"})).is_err());
        assert!(read::<Forget>(&json!({"memory": 1, "person": 2})).is_err(), "no other argument");
    }
}
