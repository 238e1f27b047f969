//! Chat completions, the protocol of OpenAI that many servers speak.

use serde::Deserialize;
use serde_json::{Value, json};

use super::assembly::Assembly;
use super::completion::{Stop, Usage};
use super::failure::{Failure, FailureKind};
use super::provider::Provider;
use super::refusal;
use super::request::{Message, Request};

/// Below the base address, which has the version in it.
pub(super) const PATH: &[&str] = &["chat", "completions"];

/// The body of a request.
pub(super) fn body(provider: &Provider, model: &str, request: &Request) -> Value {
    let mut system = request.system.clone();
    let mut body = json!({
        "model": model,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if let Some(answer) = &request.answer {
        if provider.json_schema {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": {"name": answer.name, "schema": answer.schema, "strict": true},
            });
        } else {
            super::json::instruct(&mut system, answer);
        }
    }
    let mut messages = Vec::new();
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    messages.extend(request.messages.iter().map(message));
    body["messages"] = messages.into();
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                json!({"type": "function", "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                }})
            })
            .collect();
    }
    if let Some(most) = request.max_tokens {
        // OpenAI's newer models refuse the older name, other servers do not know the newer.
        let own = provider
            .base_url
            .as_ref()
            .and_then(|url| url.host_str())
            .is_some_and(|host| host == "api.openai.com");
        body[if own { "max_completion_tokens" } else { "max_tokens" }] = most.into();
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::User { text } => json!({"role": "user", "content": text}),
        Message::Assistant { text, tool_calls } if tool_calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        Message::Assistant { text, tool_calls } => json!({
            "role": "assistant",
            "content": if text.is_empty() { Value::Null } else { text.clone().into() },
            "tool_calls": tool_calls.iter().map(|call| json!({
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments.to_string()},
            })).collect::<Vec<_>>(),
        }),
        // The protocol has no field for a failure: the text says it.
        Message::Tool { tool_call_id, text, failed } => json!({
            "role": "tool",
            "tool_call_id": tool_call_id,
            "content": if *failed { format!("Error: {text}") } else { text.clone() },
        }),
    }
}

#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<Tokens>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: u64,
    delta: Option<Piece>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Piece {
    content: Option<String>,
    /// Why a model does not want to answer, in its own words.
    refusal: Option<String>,
    /// Thoughts are not shown, but are a sign of life.
    #[serde(alias = "reasoning")]
    reasoning_content: Option<Value>,
    tool_calls: Option<Vec<CallPiece>>,
}

#[derive(Deserialize)]
struct CallPiece {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionPiece>,
}

#[derive(Deserialize)]
struct FunctionPiece {
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct Tokens {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<TokenDetails>,
}

#[derive(Deserialize)]
struct TokenDetails {
    cached_tokens: Option<u64>,
}

/// Takes one event of the stream.
pub(super) fn read(assembly: &mut Assembly, data: &str) -> Result<(), Failure> {
    if data.trim() == "[DONE]" {
        assembly.whole = true;
        assembly.ended = true;
        return Ok(());
    }
    let chunk: Chunk = serde_json::from_str(data).map_err(|error| {
        Failure::new(FailureKind::Malformed, format!("a piece of the answer is no JSON: {error}"))
    })?;
    if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
        return Err(refusal::in_stream(&error));
    }
    if let Some(tokens) = chunk.usage {
        assembly.usage = Usage {
            input_tokens: tokens.prompt_tokens,
            output_tokens: tokens.completion_tokens,
            cached_tokens: tokens.prompt_tokens_details.and_then(|details| details.cached_tokens),
        };
    }
    for choice in chunk.choices.unwrap_or_default().into_iter().filter(|choice| choice.index == 0) {
        if let Some(piece) = choice.delta {
            if piece.reasoning_content.is_some_and(|thought| !thought.is_null()) {
                assembly.progressed = true;
            }
            assembly.add_text(&piece.content.unwrap_or_default());
            assembly.add_text(&piece.refusal.unwrap_or_default());
            for call in piece.tool_calls.unwrap_or_default() {
                let function = call.function.as_ref();
                assembly.add_call(
                    call.index,
                    call.id.as_deref(),
                    function.and_then(|function| function.name.as_deref()),
                    function.and_then(|function| function.arguments.as_deref()).unwrap_or_default(),
                )?;
            }
        }
        match choice.finish_reason.as_deref() {
            None | Some("") => {}
            Some("content_filter") => {
                return Err(Failure::new(
                    FailureKind::ContentFilter,
                    "the provider's content filter ended the answer",
                ));
            }
            Some(reason) => {
                // Nothing is missing from here on, but the usage comes after it.
                assembly.whole = true;
                assembly.stop = Some(match reason {
                    "length" => Stop::MaxTokens,
                    "tool_calls" | "function_call" => Stop::ToolCalls,
                    _ => Stop::End,
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::provider::Provider;
    use super::super::request::{Schema, Tool, ToolCall};
    use super::*;

    fn provider(json_schema: bool) -> Provider {
        Provider { json_schema, ..Provider::offline() }
    }

    #[test]
    fn a_request_is_written_as_the_protocol_has_it() {
        let request = Request {
            system: "Be brief.".into(),
            messages: vec![
                Message::user("hi"),
                Message::Assistant {
                    text: String::new(),
                    tool_calls: vec![ToolCall {
                        id: "c1".into(),
                        name: "find".into(),
                        arguments: json!({"q": "cat"}),
                    }],
                },
                Message::Tool { tool_call_id: "c1".into(), text: "none".into(), failed: true },
            ],
            tools: vec![Tool {
                name: "find".into(),
                description: "Finds".into(),
                parameters: json!({"type": "object"}),
            }],
            max_tokens: Some(100),
            answer: Some(Schema { name: "answer".into(), schema: json!({"type": "object"}) }),
            ..Request::default()
        };
        let body = body(&provider(true), "big", &request);
        assert_eq!(body["model"], "big");
        assert_eq!(body["max_tokens"], 100);
        assert_eq!(body["messages"][0]["content"], "Be brief.");
        assert_eq!(
            body["messages"][2]["tool_calls"][0]["function"]["arguments"],
            "{\"q\":\"cat\"}"
        );
        assert_eq!(body["messages"][3]["content"], "Error: none");
        assert_eq!(body["tools"][0]["function"]["name"], "find");
        assert_eq!(body["response_format"]["json_schema"]["name"], "answer");
        assert!(body.get("temperature").is_none());
        let told = super::body(&provider(false), "big", &request);
        assert!(told.get("response_format").is_none());
        let system = told["messages"][0]["content"].as_str().expect("text");
        assert!(system.starts_with("Be brief.") && system.contains("\"type\":\"object\""));
    }

    #[test]
    fn usage_that_is_not_said_stays_unknown() {
        let mut assembly = Assembly::default();
        read(&mut assembly, r#"{"choices":[],"usage":null}"#).expect("read");
        assert_eq!(assembly.usage, Usage::default());
        let data = r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":0,
                       "prompt_tokens_details":{"cached_tokens":0}}}"#;
        read(&mut assembly, data).expect("read");
        let expected =
            Usage { input_tokens: Some(7), output_tokens: Some(0), cached_tokens: Some(0) };
        assert_eq!(assembly.usage, expected);
    }
}
