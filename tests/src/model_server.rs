//! A model server that says what a test wants, in the protocols that real ones speak.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::routing::post;
use futures::stream;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// What the server answers.
#[derive(Debug, Clone)]
pub enum Reply {
    /// This text, in pieces.
    Text(String),
    /// This text, slowly: so many milliseconds between its words.
    Slowly(String, u64),
    /// Calls of tools: name and arguments.
    Calls(Vec<(String, Value)>),
    /// An error of this status, to be tried again after so many seconds.
    Status(u16, Option<u64>),
    /// Nothing, for ever.
    Stall,
    /// The beginning of an answer, and then the end of the connection.
    Truncated,
    /// Bytes that are no answer.
    Garbage,
    /// An answer without text.
    Empty,
    /// An error in the middle of an answer.
    Breaks,
}

type Script = dyn Fn(&Value) -> Reply + Send + Sync;

/// A running model server.
pub struct ModelServer {
    /// Its address, with `/v1`.
    pub url: String,
    _runtime: Runtime,
}

impl ModelServer {
    /// Starts one that answers each request as the script says.
    pub fn start(script: impl Fn(&Value) -> Reply + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let script: Arc<Script> = Arc::new(script);
        let routes = Router::new()
            .route("/v1/chat/completions", post(openai))
            .route("/v1/messages", post(anthropic))
            .with_state(script);
        let listener =
            runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Self { url: format!("http://{address}/v1"), _runtime: runtime }
    }
}

fn plain(status: u16, kind: &str, text: String) -> Response<Body> {
    Response::builder()
        .status(StatusCode::from_u16(status).expect("a status"))
        .header(header::CONTENT_TYPE, kind)
        .body(Body::from(text))
        .expect("a response")
}

/// Events, so many milliseconds apart; `broken`: the connection ends without its end.
fn events(lines: Vec<String>, pause: u64, broken: bool) -> Response<Body> {
    let mut items: Vec<Result<Bytes, std::io::Error>> =
        lines.into_iter().map(|line| Ok(Bytes::from(line))).collect();
    if broken {
        items.push(Err(std::io::Error::other("cut")));
    }
    let stream = stream::unfold(items.into_iter(), move |mut items| async move {
        let item = items.next()?;
        tokio::time::sleep(Duration::from_millis(pause)).await;
        Some((item, items))
    });
    Response::builder()
        .header(header::CONTENT_TYPE, "text/event-stream")
        .body(Body::from_stream(stream))
        .expect("a response")
}

/// What all protocols have in common.
async fn common(reply: &Reply) -> Option<Response<Body>> {
    match reply {
        Reply::Status(status, after) => {
            let body = json!({"error": {"message": "as the test wants", "type": "error"}});
            let mut response = plain(*status, "application/json", body.to_string());
            if let Some(seconds) = after {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, seconds.to_string().parse().expect("a header"));
            }
            Some(response)
        }
        Reply::Stall => {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            None
        }
        Reply::Garbage => Some(plain(200, "text/event-stream", "data: {not json\n\n".into())),
        _ => None,
    }
}

/// A text in pieces that keep its white space.
fn pieces(text: &str) -> Vec<String> {
    text.split_inclusive(' ').map(str::to_owned).collect()
}

async fn openai(
    State(script): State<Arc<Script>>,
    _headers: HeaderMap,
    axum::Json(request): axum::Json<Value>,
) -> Result<Response<Body>, Infallible> {
    let reply = script(&request);
    if let Some(response) = common(&reply).await {
        return Ok(response);
    }
    let line = |value: Value| format!("data: {value}\n\n");
    let delta = |delta: Value, finish: Value| {
        line(
            json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
                    "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}),
        )
    };
    let mut lines = vec![delta(json!({"role": "assistant", "content": ""}), Value::Null)];
    let (mut pause, mut broken, mut ends) = (0, false, true);
    let mut finish = "stop";
    match reply {
        Reply::Text(text) => {
            lines.extend(
                pieces(&text).into_iter().map(|p| delta(json!({"content": p}), Value::Null)),
            );
        }
        Reply::Slowly(text, milliseconds) => {
            pause = milliseconds;
            lines.extend(
                pieces(&text).into_iter().map(|p| delta(json!({"content": p}), Value::Null)),
            );
        }
        Reply::Calls(calls) => {
            finish = "tool_calls";
            for (index, (name, arguments)) in calls.into_iter().enumerate() {
                let arguments = arguments.to_string();
                let middle =
                    (0..=arguments.len() / 2).rev().find(|at| arguments.is_char_boundary(*at));
                let (head, tail) = arguments.split_at(middle.unwrap_or(0));
                lines.push(delta(
                    json!({"tool_calls": [{"index": index, "id": format!("call_{index}"), "type": "function",
                                           "function": {"name": name, "arguments": head}}]}),
                    Value::Null,
                ));
                lines.push(delta(
                    json!({"tool_calls": [{"index": index, "function": {"arguments": tail}}]}),
                    Value::Null,
                ));
            }
        }
        Reply::Truncated => {
            (broken, ends) = (true, false);
            lines.push(delta(json!({"content": "It begins and"}), Value::Null));
        }
        Reply::Breaks => {
            ends = false;
            lines.push(delta(json!({"content": "It begins and"}), Value::Null));
            lines.push(line(json!({"error": {"message": "overloaded", "type": "server_error"}})));
        }
        _ => {}
    }
    if ends {
        lines.push(delta(json!({}), json!(finish)));
        lines.push(line(json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
            "choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}})));
        lines.push("data: [DONE]\n\n".into());
    }
    Ok(events(lines, pause, broken))
}

async fn anthropic(
    State(script): State<Arc<Script>>,
    axum::Json(request): axum::Json<Value>,
) -> Result<Response<Body>, Infallible> {
    let reply = script(&request);
    if let Some(response) = common(&reply).await {
        return Ok(response);
    }
    let line = |kind: &str, mut value: Value| {
        value["type"] = json!(kind);
        format!("event: {kind}\ndata: {value}\n\n")
    };
    let mut lines = vec![line(
        "message_start",
        json!({"message": {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "scripted",
               "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 100, "output_tokens": 1}}}),
    )];
    let text_block = |lines: &mut Vec<String>, text: &str| {
        lines.push(line(
            "content_block_start",
            json!({"index": 0, "content_block": {"type": "text", "text": ""}}),
        ));
        for piece in pieces(text) {
            lines.push(line(
                "content_block_delta",
                json!({"index": 0, "delta": {"type": "text_delta", "text": piece}}),
            ));
        }
    };
    let (mut pause, mut broken, mut ends) = (0, false, true);
    let mut stop = "end_turn";
    match reply {
        Reply::Text(text) => {
            text_block(&mut lines, &text);
            lines.push(line("content_block_stop", json!({"index": 0})));
        }
        Reply::Slowly(text, milliseconds) => {
            pause = milliseconds;
            text_block(&mut lines, &text);
            lines.push(line("content_block_stop", json!({"index": 0})));
        }
        Reply::Calls(calls) => {
            stop = "tool_use";
            for (index, (name, arguments)) in calls.into_iter().enumerate() {
                lines.push(line(
                    "content_block_start",
                    json!({"index": index, "content_block": {"type": "tool_use", "id": format!("call_{index}"), "name": name, "input": {}}}),
                ));
                lines.push(line(
                    "content_block_delta",
                    json!({"index": index, "delta": {"type": "input_json_delta", "partial_json": arguments.to_string()}}),
                ));
                lines.push(line("content_block_stop", json!({"index": index})));
            }
        }
        Reply::Truncated => {
            (broken, ends) = (true, false);
            text_block(&mut lines, "It begins and");
        }
        Reply::Breaks => {
            ends = false;
            text_block(&mut lines, "It begins and");
            lines.push(line(
                "error",
                json!({"error": {"type": "overloaded_error", "message": "overloaded"}}),
            ));
        }
        _ => {}
    }
    if ends {
        lines.push(line("message_delta", json!({"delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 20}})));
        lines.push(line("message_stop", json!({})));
    }
    Ok(events(lines, pause, broken))
}
