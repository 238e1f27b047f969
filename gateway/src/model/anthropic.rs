//! Messages, the protocol of Anthropic.

use serde::Deserialize;
use serde_json::{Value, json};

use super::assembly::Assembly;
use super::completion::Stop;
use super::failure::{Failure, FailureKind};
use super::json::instruct;
use super::refusal;
use super::request::{Message, Request};

/// Below the base address, which has the version in it.
pub(super) const PATH: &[&str] = &["messages"];

/// The version of the protocol, a header.
pub(super) const VERSION: &str = "2023-06-01";

/// The protocol wants a bound; this one is for requests that have none.
const MAX_TOKENS: u32 = 8192;

/// The body of a request.
pub(super) fn body(model: &str, request: &Request) -> Value {
    let mut system = request.system.clone();
    if let Some(answer) = &request.answer {
        instruct(&mut system, answer);
    }
    let mut body = json!({
        "model": model,
        "stream": true,
        "max_tokens": request.max_tokens.unwrap_or(MAX_TOKENS),
        "messages": messages(&request.messages),
    });
    if !system.is_empty() {
        body["system"] = system.into();
    }
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "description": tool.description,
                    "input_schema": tool.parameters,
                })
            })
            .collect();
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

/// The protocol refuses empty texts, and wants the results of all calls of an answer in the
/// one message after it: neighbours of one side become one message of several blocks.
fn messages(thread: &[Message]) -> Value {
    let mut merged: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in thread {
        let (role, blocks) = blocks(message);
        match merged.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => merged.push((role, blocks)),
        }
    }
    merged.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

fn blocks(message: &Message) -> (&'static str, Vec<Value>) {
    let text_block =
        |text: &str| (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}));
    match message {
        Message::User { text } => ("user", text_block(text).into_iter().collect()),
        Message::Assistant { text, tool_calls } => {
            let calls = tool_calls.iter().map(|call| {
                json!({
                    "type": "tool_use",
                    "id": call.id,
                    "name": call.name,
                    "input": call.arguments,
                })
            });
            ("assistant", text_block(text).into_iter().chain(calls).collect())
        }
        Message::Tool { tool_call_id, text, failed } => (
            "user",
            vec![json!({
                "type": "tool_result",
                "tool_use_id": tool_call_id,
                "content": text,
                "is_error": failed,
            })],
        ),
    }
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        index: u64,
        content_block: Block,
    },
    ContentBlockDelta {
        index: u64,
        delta: BlockDelta,
    },
    MessageDelta {
        delta: End,
        usage: Option<Tokens>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    /// `ping`, `content_block_stop`, and what may be added to the protocol.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Start {
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
    },
    /// Thoughts, which are not shown.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "the names are the protocol's")]
enum BlockDelta {
    TextDelta {
        text: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    #[serde(other)]
    OtherDelta,
}

#[derive(Deserialize)]
struct End {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Tokens {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

/// Takes one event of the stream.
pub(super) fn read(assembly: &mut Assembly, data: &str) -> Result<(), Failure> {
    let event: Event = serde_json::from_str(data).map_err(|error| {
        Failure::new(
            FailureKind::Malformed,
            format!("an event of the answer is not readable: {error}"),
        )
    })?;
    match event {
        Event::MessageStart { message } => {
            if let Some(tokens) = message.usage {
                read_tokens(assembly, &tokens);
            }
        }
        Event::ContentBlockStart { index, content_block } => match content_block {
            Block::Text { text } => assembly.add_text(&text),
            Block::ToolUse { id, name } => {
                assembly.add_call(Some(index), Some(&id), Some(&name), "")?;
            }
            Block::Other => assembly.progressed = true,
        },
        Event::ContentBlockDelta { index, delta } => match delta {
            BlockDelta::TextDelta { text } => assembly.add_text(&text),
            BlockDelta::InputJsonDelta { partial_json } => {
                assembly.add_call(Some(index), None, None, &partial_json)?;
            }
            BlockDelta::OtherDelta => assembly.progressed = true,
        },
        Event::MessageDelta { delta, usage } => {
            if let Some(tokens) = usage {
                read_tokens(assembly, &tokens);
                // What the start says about the output is no more than a beginning.
                assembly.usage.output_tokens = tokens.output_tokens;
            }
            match delta.stop_reason.as_deref() {
                None => {}
                Some("refusal") => {
                    return Err(Failure::new(
                        FailureKind::ContentFilter,
                        "the provider's content filter ended the answer",
                    ));
                }
                Some("max_tokens" | "model_context_window_exceeded") => {
                    assembly.stop = Some(Stop::MaxTokens);
                }
                Some("tool_use") => assembly.stop = Some(Stop::ToolCalls),
                Some(_) => assembly.stop = Some(Stop::End),
            }
        }
        Event::MessageStop => {
            assembly.whole = true;
            assembly.ended = true;
        }
        Event::Error { error } => return Err(refusal::in_stream(&error)),
        Event::Other => {}
    }
    Ok(())
}

/// The protocol counts what came from the cache, what went into it and the rest apart.
fn read_tokens(assembly: &mut Assembly, tokens: &Tokens) {
    if let Some(rest) = tokens.input_tokens {
        assembly.usage.input_tokens = Some(
            rest + tokens.cache_read_input_tokens.unwrap_or_default()
                + tokens.cache_creation_input_tokens.unwrap_or_default(),
        );
    }
    if tokens.cache_read_input_tokens.is_some() {
        assembly.usage.cached_tokens = tokens.cache_read_input_tokens;
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::ToolCall;
    use super::*;

    #[test]
    fn neighbours_become_one_message_and_empty_texts_are_left_out() {
        let call = |id: &str| ToolCall { id: id.into(), name: "find".into(), arguments: json!({}) };
        let result =
            |id: &str| Message::Tool { tool_call_id: id.into(), text: "x".into(), failed: false };
        let request = Request {
            messages: vec![
                Message::user("a"),
                Message::user("b"),
                Message::Assistant { text: String::new(), tool_calls: vec![call("1"), call("2")] },
                result("1"),
                result("2"),
            ],
            ..Request::default()
        };
        let body = body("small", &request);
        let roles: Vec<_> = body["messages"]
            .as_array()
            .expect("messages")
            .iter()
            .map(|m| {
                (m["role"].as_str().unwrap_or(""), m["content"].as_array().map_or(0, Vec::len))
            })
            .collect();
        assert_eq!(roles, [("user", 2), ("assistant", 2), ("user", 2)]);
        assert_eq!(body["max_tokens"], MAX_TOKENS);
        assert!(body.get("system").is_none() && body.get("tools").is_none());
    }

    #[test]
    fn tokens_of_the_cache_count_as_read() {
        let mut assembly = Assembly::default();
        let start = r#"{"type":"message_start","message":{"usage":{"input_tokens":3,
            "cache_read_input_tokens":100,"cache_creation_input_tokens":20,"output_tokens":1}}}"#;
        read(&mut assembly, start).expect("read");
        let usage = assembly.usage;
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.cached_tokens),
            (Some(123), None, Some(100))
        );
        let end = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},
            "usage":{"output_tokens":9}}"#;
        read(&mut assembly, end).expect("read");
        assert_eq!(assembly.usage.output_tokens, Some(9));
        assert!(!assembly.whole, "only message_stop ends it");
    }
}
