//! One call of a model elsewhere.

use std::time::Duration;

use futures::StreamExt;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, JsonSpec, StopReason, StreamEnd,
    Tool as GenaiTool, ToolCall as GenaiToolCall, ToolResponse,
};

use super::failure::{Failure, Kind};
use super::name::ModelName;
use super::provider::Remote;
use super::request::{Completion, Message, Request, ToolCall, Usage};

/// More text than this is no answer any more.
const LONGEST_ANSWER: usize = 190_000;

/// Asks once. Only a stream that says its end is an answer: one that just stops was cut.
pub async fn ask(
    remote: &Remote,
    model: &ModelName,
    request: &Request,
    piece: &mut (dyn FnMut(&str) + Send),
) -> Result<Completion, Failure> {
    let limit = Duration::from_secs(remote.settings.answer_seconds);
    let failed = |error: &genai::Error| Failure::from_genai(error, remote.secret.as_deref());
    let asking = async {
        let mut options = ChatOptions::default()
            .with_capture_usage(true)
            .with_capture_content(true)
            .with_capture_tool_calls(true)
            .with_stream_header_timeout(Duration::from_secs(remote.settings.begin_seconds))
            .with_stream_read_timeout(Duration::from_secs(
                remote.settings.pause_seconds.max(remote.settings.begin_seconds),
            ));
        if let Some(schema) = &request.schema
            && remote.settings.json_schema
        {
            options = options.with_response_format(JsonSpec::new("answer", schema.clone()));
        }
        let mut stream = remote
            .client
            .exec_chat_stream(model.model(), translate(request), Some(&options))
            .await
            .map_err(|error| failed(&error))?
            .stream;
        let mut length = 0;
        while let Some(event) = stream.next().await {
            match event.map_err(|error| failed(&error))? {
                ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => {
                    length += chunk.content.len();
                    if length > LONGEST_ANSWER {
                        return Err(Failure::new(Kind::Malformed, "the answer does not end"));
                    }
                    piece(&chunk.content);
                }
                ChatStreamEvent::End(end) => return completed(model, &end),
                _ => {}
            }
        }
        Err(Failure::new(Kind::Truncated, ""))
    };
    match tokio::time::timeout(limit, asking).await {
        Ok(result) => result,
        Err(_) => Err(Failure::new(Kind::TimedOut, format!("no end after {} s", limit.as_secs()))),
    }
}

fn translate(request: &Request) -> ChatRequest {
    let mut asked = ChatRequest::from_system(&request.system);
    for message in &request.messages {
        asked = match message {
            Message::User(text) => asked.append_message(ChatMessage::user(text)),
            Message::Assistant(text) => asked.append_message(ChatMessage::assistant(text)),
            Message::Calls(said, calls) => {
                if !said.is_empty() {
                    asked = asked.append_message(ChatMessage::assistant(said));
                }
                let calls: Vec<GenaiToolCall> = calls
                    .iter()
                    .map(|call| GenaiToolCall {
                        call_id: call.id.clone(),
                        fn_name: call.name.clone(),
                        fn_arguments: call.arguments.clone(),
                        thought_signatures: None,
                    })
                    .collect();
                asked.append_message(calls)
            }
            Message::Result { id, content } => {
                asked.append_message(ToolResponse::new(id.clone(), content.clone()))
            }
        };
    }
    if request.tools.is_empty() {
        return asked;
    }
    asked.with_tools(request.tools.iter().map(|tool| {
        GenaiTool::new(tool.name.clone())
            .with_description(tool.description.clone())
            .with_schema(tool.schema.clone())
    }))
}

fn completed(model: &ModelName, end: &StreamEnd) -> Result<Completion, Failure> {
    let text = end.captured_texts().unwrap_or_default().concat();
    let tool_calls: Vec<ToolCall> = end
        .captured_tool_calls()
        .unwrap_or_default()
        .into_iter()
        .map(|call| ToolCall {
            id: call.call_id.clone(),
            name: call.fn_name.clone(),
            arguments: call.fn_arguments.clone(),
        })
        .collect();
    let cut_short = match &end.captured_stop_reason {
        Some(StopReason::ContentFilter(_)) => return Err(Failure::new(Kind::Filtered, "")),
        Some(StopReason::MaxTokens(_)) => true,
        Some(_) => false,
        // The end mark of the stream came, but the model never said that it was done.
        None => return Err(Failure::new(Kind::Truncated, "")),
    };
    if text.trim().is_empty() && tool_calls.is_empty() {
        return Err(Failure::new(Kind::Empty, ""));
    }
    let count = |n: Option<i32>| n.and_then(|n| u64::try_from(n).ok());
    let usage = end.captured_usage.as_ref().map_or_else(Usage::default, |usage| Usage {
        input: count(usage.prompt_tokens),
        cached: count(usage.prompt_tokens_details.as_ref().and_then(|d| d.cached_tokens)),
        output: count(usage.completion_tokens),
    });
    Ok(Completion { model: model.clone(), text, tool_calls, cut_short, usage })
}
