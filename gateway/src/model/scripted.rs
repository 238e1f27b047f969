//! A model server that does what a script says, for tests: it speaks both protocols over real
//! HTTP, and fails in all the ways in which providers fail.
//!
//! A script is a list of steps, each for the first request that has a text in its body, or for
//! the next one. As JSON, for programs:
//!
//! ```json
//! {"steps": [
//!   {"do": {"status": {"status": 429, "retry_after": "1"}}},
//!   {"when": "statements", "times": 0, "do": {"answer": {"text": "{\"statements\": []}"}}},
//!   {"do": {"answer": {"text": "Let me look.", "calls": [{"name": "find", "arguments": {"q": "cat"}}]}}},
//!   {"do": {"stall": {"text": "I was about to", "after": 2}}}],
//!  "otherwise": {"answer": {"text": "Hello."}}}
//! ```

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What the server does, request by request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// In their order.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// For requests that no step is for.
    #[serde(default)]
    pub otherwise: Behaviour,
}

impl Default for Script {
    fn default() -> Self {
        Self { steps: Vec::new(), otherwise: Behaviour::Echo }
    }
}

impl Script {
    /// These behaviours, one a request; after them the last message comes back as an echo.
    pub fn of(behaviours: impl IntoIterator<Item = Behaviour>) -> Self {
        let steps = behaviours.into_iter().map(Step::from).collect();
        Self { steps, ..Self::default() }
    }
}

/// What is done with some requests.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Only for requests with this text in their body.
    #[serde(default)]
    pub when: Option<String>,
    /// For so many requests; 0: for all of them.
    #[serde(default = "once")]
    pub times: usize,
    /// What.
    #[serde(rename = "do")]
    pub behaviour: Behaviour,
}

fn once() -> usize {
    1
}

impl From<Behaviour> for Step {
    fn from(behaviour: Behaviour) -> Self {
        Self { when: None, times: 1, behaviour }
    }
}

/// What a server can do with a request.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Behaviour {
    /// Answers.
    Answer(Answer),
    /// Answers with the text of the last message.
    #[default]
    Echo,
    /// Answers with a status and an error.
    Status {
        /// Such as 429.
        status: u16,
        /// The header `Retry-After`.
        #[serde(default)]
        retry_after: Option<String>,
        /// The body, instead of a usual error.
        #[serde(default)]
        body: Option<String>,
    },
    /// Sends so many pieces of a text, and then nothing more until the client leaves.
    Stall {
        /// The text.
        text: String,
        /// How many of its pieces.
        after: usize,
    },
    /// Accepts the request, and does not answer.
    Hang,
    /// Sends so many pieces of a text, and then ends as if that were all.
    Truncate {
        /// The text.
        text: String,
        /// How many of its pieces.
        after: usize,
    },
    /// Sends so many pieces of a text, and then breaks the connection.
    Reset {
        /// The text.
        text: String,
        /// How many of its pieces.
        after: usize,
    },
    /// Sends so many pieces of a text, and then an error within the stream.
    Error {
        /// The text.
        text: String,
        /// How many of its pieces.
        after: usize,
        /// Such as `overloaded_error`.
        kind: String,
        /// Its words.
        message: String,
    },
    /// Sends an event stream of something else.
    Garbage,
    /// Answers as if it were some web page.
    Html,
    /// Ends the answer by the content filter.
    Filtered,
    /// Fails in one of the ways above, in so many of 100 requests; otherwise answers with an
    /// echo. The same seed makes the same failures in the same order of requests.
    Random {
        /// Whatever.
        seed: u64,
        /// Of 100.
        failures: u8,
    },
}

/// An answer without a fault.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Answer {
    /// Its text, sent word by word.
    pub text: String,
    /// Tools that it calls, their arguments sent in pieces.
    pub calls: Vec<ScriptedCall>,
    /// Before each piece.
    pub pause_ms: u64,
    /// Input, output and cached tokens; nothing is said of them if they are not given.
    pub usage: Option<[u64; 3]>,
    /// Whether it is cut at the bound of tokens.
    pub short: bool,
    /// Whether the last mark of the stream is left out, as some servers do.
    pub without_done: bool,
    /// Sent in parts of so many bytes, wherever they end; 0: in whole events.
    pub part_bytes: usize,
}

impl Answer {
    /// An answer of this text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), usage: Some([11, 7, 3]), ..Self::default() }
    }
}

impl From<Answer> for Behaviour {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

/// A call of a tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// Which tool.
    pub name: String,
    /// With what.
    pub arguments: Value,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Received {
    /// Its path and query.
    pub path: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Value,
}

/// A running server; it ends when this is dropped.
#[derive(Debug)]
pub struct ScriptedServer {
    address: std::net::SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Debug)]
struct Shared {
    script: Mutex<Script>,
    received: Mutex<Vec<Received>>,
    /// Streams that are being sent.
    open: AtomicUsize,
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn received(&self) -> MutexGuard<'_, Vec<Received>> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done with a request.
    fn next(&self, body: &str) -> Behaviour {
        let mut script = self.script();
        let fits = |step: &Step| step.when.as_ref().is_none_or(|text| body.contains(text));
        let Some(place) = script.steps.iter().position(fits) else {
            return script.otherwise.clone();
        };
        let step = &mut script.steps[place];
        if step.times != 1 {
            step.times = step.times.saturating_sub(1);
            return step.behaviour.clone();
        }
        script.steps.remove(place).behaviour
    }
}

impl ScriptedServer {
    /// Starts on a port that the system chooses.
    pub async fn start(script: Script) -> io::Result<Self> {
        Self::on(TcpListener::bind(("127.0.0.1", 0)).await?, script)
    }

    /// Starts on a listener of the caller's.
    pub fn on(listener: TcpListener, script: Script) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(script),
            received: Mutex::default(),
            open: AtomicUsize::new(0),
        });
        let router = Router::new()
            .route("/v1/chat/completions", post(respond))
            .route("/v1/messages", post(respond))
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                eprintln!("the scripted model server ended: {error}");
            }
        });
        Ok(Self { address, shared, task })
    }

    /// The address for the settings of a provider of either kind.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Adds a step after those that are left.
    pub fn push(&self, step: impl Into<Step>) {
        self.shared.script().steps.push(step.into());
    }

    /// What has come so far.
    pub fn received(&self) -> Vec<Received> {
        self.shared.received().clone()
    }

    /// Streams that are being sent at present: none after a client has left.
    pub fn open_streams(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }
}

/// The protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Openai,
    Anthropic,
}

async fn respond(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    text: String,
) -> Response {
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let protocol = match uri.path() {
        "/v1/messages" => Protocol::Anthropic,
        _ => Protocol::Openai,
    };
    let behaviour = shared.next(&text);
    let path = uri.to_string();
    let number = {
        let mut received = shared.received();
        received.push(Received { path, headers, body: body.clone() });
        received.len() as u64
    };
    if body["stream"] != true || !body["messages"].is_array() {
        return error(protocol, 400, "invalid_request_error", "this server only streams");
    }
    let behaviour = match behaviour {
        Behaviour::Random { seed, failures } => random(seed.wrapping_add(number), failures),
        behaviour => behaviour,
    };
    let whole = |answer: Answer| (pieces(protocol, &answer), answer.pause_ms, Ending::Close);
    let part = |text: String, after: usize, ending: Ending| {
        let mut pieces = pieces(protocol, &Answer::text(text));
        let opening = match protocol {
            Protocol::Openai => 1,
            Protocol::Anthropic => 2,
        };
        pieces.truncate(opening + after);
        (pieces, 0, ending)
    };
    let (pieces, pause_ms, ending) = match behaviour {
        Behaviour::Answer(answer) => whole(answer),
        Behaviour::Echo => whole(Answer::text(last_text(&body))),
        Behaviour::Status { status, retry_after, body } => {
            let mut response = match body {
                Some(body) => (status_code(status), body).into_response(),
                None => error(protocol, status, kind_of(status), "the script says so"),
            };
            if let Some(value) = retry_after.and_then(|value| value.parse().ok()) {
                response.headers_mut().insert(header::RETRY_AFTER, value);
            }
            return response;
        }
        Behaviour::Stall { text, after } => part(text, after, Ending::Stall),
        Behaviour::Truncate { text, after } => part(text, after, Ending::Close),
        Behaviour::Reset { text, after } => part(text, after, Ending::Reset),
        Behaviour::Error { text, after, kind, message } => {
            let (mut pieces, pause, ending) = part(text, after, Ending::Close);
            let error = match protocol {
                Protocol::Openai => data(&json!({"error": {"type": kind, "message": message}})),
                Protocol::Anthropic => event(
                    "error",
                    json!({"type": "error", "error": {"type": kind, "message": message}}),
                ),
            };
            pieces.push(error.into());
            (pieces, pause, ending)
        }
        Behaviour::Garbage => (vec!["data: {\"choices\": [\n\n".into()], 0, Ending::Close),
        Behaviour::Html => {
            return ([(header::CONTENT_TYPE, "text/html")], "<h1>Welcome</h1>").into_response();
        }
        Behaviour::Filtered => (vec![filtered(protocol).into()], 0, Ending::Close),
        Behaviour::Hang | Behaviour::Random { .. } => {
            let _open = Open::new(&shared);
            return std::future::pending().await;
        }
    };
    let stream = send(pieces, Duration::from_millis(pause_ms), ending, Open::new(&shared));
    ([(header::CONTENT_TYPE, "text/event-stream")], stream).into_response()
}

/// Counts a stream while it is there.
struct Open(Arc<Shared>);

impl Open {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(shared))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// How a stream ends after its last piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Close,
    Stall,
    Reset,
}

fn send(pieces: Vec<Bytes>, pause: Duration, ending: Ending, open: Open) -> Body {
    let state = (pieces.into_iter(), ending, open);
    Body::from_stream(stream::unfold(state, move |(mut pieces, ending, open)| async move {
        if let Some(piece) = pieces.next() {
            if pause.is_zero() {
                // Also without a pause each piece is to be one of its own.
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(pause).await;
            }
            return Some((Ok(piece), (pieces, ending, open)));
        }
        match ending {
            Ending::Close => None,
            Ending::Stall => std::future::pending::<Option<_>>().await,
            Ending::Reset => {
                // What was sent is to arrive before the connection breaks.
                tokio::time::sleep(Duration::from_millis(20)).await;
                let error = io::Error::other("the script says so");
                Some((Err(error), (pieces, Ending::Close, open)))
            }
        }
    }))
}

/// The events of a whole answer, as they are sent.
fn pieces(protocol: Protocol, answer: &Answer) -> Vec<Bytes> {
    let mut events = match protocol {
        Protocol::Openai => openai(answer),
        Protocol::Anthropic => anthropic(answer),
    };
    if answer.without_done {
        events.pop();
    }
    let events = events.into_iter().map(Bytes::from);
    match answer.part_bytes {
        0 => events.collect(),
        bytes => {
            let all = events.flatten().collect::<Vec<u8>>();
            all.chunks(bytes).map(Bytes::copy_from_slice).collect()
        }
    }
}

/// A text in pieces of a word each, which put together are the text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ')
}

/// The arguments of a call in pieces of a few characters.
fn fragments(call: &ScriptedCall) -> Vec<String> {
    let text: Vec<char> = call.arguments.to_string().chars().collect();
    text.chunks(5).map(|part| part.iter().collect()).collect()
}

fn openai(answer: &Answer) -> Vec<String> {
    let chunk = |delta: Value, finish: Value| {
        data(&json!({
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
            "usage": null,
        }))
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    events.extend(words(&answer.text).map(|word| chunk(json!({"content": word}), Value::Null)));
    for (index, call) in answer.calls.iter().enumerate() {
        let piece =
            |function: Value| json!({"tool_calls": [{"index": index, "function": function}]});
        let mut first = piece(json!({"name": call.name, "arguments": ""}));
        first["tool_calls"][0]["id"] = format!("call_{index}").into();
        events.push(chunk(first, Value::Null));
        events.extend(
            fragments(call)
                .iter()
                .map(|part| chunk(piece(json!({"arguments": part})), Value::Null)),
        );
    }
    let reason = match (answer.short, answer.calls.is_empty()) {
        (true, _) => "length",
        (false, false) => "tool_calls",
        (false, true) => "stop",
    };
    events.push(chunk(json!({}), reason.into()));
    if let Some([input, output, cached]) = answer.usage {
        events.push(data(&json!({"choices": [], "usage": {
            "prompt_tokens": input,
            "completion_tokens": output,
            "prompt_tokens_details": {"cached_tokens": cached},
        }})));
    }
    events.push("data: [DONE]\n\n".into());
    events
}

fn anthropic(answer: &Answer) -> Vec<String> {
    let mut start = json!({"type": "message_start", "message": {"role": "assistant"}});
    if let Some([input, _, cached]) = answer.usage {
        start["message"]["usage"] = json!({
            "input_tokens": input.saturating_sub(cached),
            "cache_read_input_tokens": cached,
            "output_tokens": 1,
        });
    }
    let mut events = vec![event("message_start", start)];
    let mut block = |index: usize, content: Value, deltas: Vec<Value>| {
        events.push(event(
            "content_block_start",
            json!({"type": "content_block_start", "index": index, "content_block": content}),
        ));
        events.extend(deltas.into_iter().map(|delta| {
            event(
                "content_block_delta",
                json!({"type": "content_block_delta", "index": index, "delta": delta}),
            )
        }));
        events.push(event(
            "content_block_stop",
            json!({"type": "content_block_stop", "index": index}),
        ));
    };
    let deltas = words(&answer.text).map(|word| json!({"type": "text_delta", "text": word}));
    block(0, json!({"type": "text", "text": ""}), deltas.collect());
    for (index, call) in answer.calls.iter().enumerate() {
        let id = format!("toolu_{index}");
        block(
            index + 1,
            json!({"type": "tool_use", "id": id, "name": call.name, "input": {}}),
            fragments(call)
                .iter()
                .map(|part| json!({"type": "input_json_delta", "partial_json": part}))
                .collect(),
        );
    }
    let reason = match (answer.short, answer.calls.is_empty()) {
        (true, _) => "max_tokens",
        (false, false) => "tool_use",
        (false, true) => "end_turn",
    };
    let mut end = json!({"type": "message_delta", "delta": {"stop_reason": reason}});
    if let Some([_, output, _]) = answer.usage {
        end["usage"] = json!({"output_tokens": output});
    }
    events.push(event("ping", json!({"type": "ping"})));
    events.push(event("message_delta", end));
    events.push(event("message_stop", json!({"type": "message_stop"})));
    events
}

fn filtered(protocol: Protocol) -> String {
    match protocol {
        Protocol::Openai => data(&json!({"choices": [
            {"index": 0, "delta": {}, "finish_reason": "content_filter"},
        ]})),
        Protocol::Anthropic => event(
            "message_delta",
            json!({"type": "message_delta", "delta": {"stop_reason": "refusal"}}),
        ),
    }
}

fn random(seed: u64, failures: u8) -> Behaviour {
    let mut random = fastrand::Rng::with_seed(seed);
    if random.u8(0..100) >= failures {
        return Behaviour::Echo;
    }
    let text = String::from("This answer will not be whole");
    let after = random.usize(0..4);
    match random.u8(0..8) {
        0 => Behaviour::Status { status: 429, retry_after: Some("0".into()), body: None },
        1 => Behaviour::Status { status: 500, retry_after: None, body: None },
        2 => Behaviour::Status { status: 503, retry_after: None, body: Some("<html>".into()) },
        3 => Behaviour::Stall { text, after },
        4 => Behaviour::Truncate { text, after },
        5 => Behaviour::Reset { text, after },
        6 => Behaviour::Error {
            text,
            after,
            kind: "overloaded_error".into(),
            message: "Overloaded".into(),
        },
        _ => Behaviour::Garbage,
    }
}

/// The text of the last message, in the form of either protocol.
fn last_text(body: &Value) -> String {
    let content =
        &body["messages"].as_array().and_then(|m| m.last()).unwrap_or(&Value::Null)["content"];
    let last_block = || content.as_array()?.last()?.get("text")?.as_str();
    let text = content.as_str().or_else(last_block).unwrap_or_default();
    if text.is_empty() { "…".to_owned() } else { text.to_owned() }
}

fn kind_of(status: u16) -> &'static str {
    match status {
        401 | 403 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        400..=499 => "invalid_request_error",
        _ => "api_error",
    }
}

fn status_code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn error(protocol: Protocol, status: u16, kind: &str, message: &str) -> Response {
    let error = json!({"type": kind, "message": message});
    let body = match protocol {
        Protocol::Openai => json!({"error": error}),
        Protocol::Anthropic => json!({"type": "error", "error": error}),
    };
    (status_code(status), axum::Json(body)).into_response()
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn event(name: &str, value: Value) -> String {
    format!("event: {name}\ndata: {value}\n\n")
}
