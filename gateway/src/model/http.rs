//! One call of a provider over HTTP: sends the request, reads the stream, keeps the time limits.
//!
//! The protocols are written here and in [`super::openai`] and [`super::anthropic`] rather than
//! taken from a client library. `genai` 0.7, the best kept of them, comes close: it has status
//! and headers of a failed call, and usage within streams. But it cuts endings such as `-max`
//! and `-high` off the names of models of other servers, cannot tell a whole answer whose
//! server leaves out `[DONE]` from one that was cut off, nor a page of HTML from an empty
//! stream, makes a known zero of cached tokens an unknown one, reads errors and events of any
//! length (and reserves as many tool calls as an index in the stream says), and switches
//! `serde_json` to ordered maps for every crate that is built with it.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use eventsource_stream::{EventStreamError, Eventsource};
use futures_util::StreamExt;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, redirect};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use super::assembly::Assembly;
use super::completion::Sink;
use super::failure::{Failure, FailureKind, bounded};
use super::provider::{Kind, Provider};
use super::request::Request;
use super::retry::asked_wait;
use super::{anthropic, openai, refusal};
use crate::error::{Error, with_causes};

/// Most bytes of an answer that are read: some million words.
const LONGEST_ANSWER: usize = 8 << 20;
/// Most bytes of a line of it. The reader of event streams looks at a line from its beginning
/// whenever more of it comes, so that a long one costs the square of its length.
const LONGEST_LINE: usize = 1 << 20;
/// Most bytes of an error that are read, and how long.
const LONGEST_ERROR: usize = 64 << 10;
const ERROR_TIME: Duration = Duration::from_secs(5);
/// How long a whole answer is kept open for the usage that may follow.
const AFTER_THE_END: Duration = Duration::from_secs(3);

/// The client for a provider, with a pool of connections of its own.
pub(super) fn client(provider: &Provider) -> Result<Client, Error> {
    let mut builder = Client::builder()
        .connect_timeout(provider.timeouts.connect)
        // An API does not move; elsewhere the key would go along.
        .redirect(redirect::Policy::none())
        .user_agent(concat!("muninn/", env!("CARGO_PKG_VERSION")));
    if let Some(url) = &provider.base_url {
        if url.scheme() == "http" {
            // Without this, a machine that has no certificates could not even reach a local server.
            builder = builder.tls_certs_only([]);
        }
        if is_this_machine(url) {
            // A proxy would look for the server on its own machine.
            builder = builder.no_proxy();
        }
    }
    builder.build().map_err(|error| Error::Setting {
        setting: format!("provider {:?}", provider.name),
        problem: with_causes(&error),
        remedy: "For https the system's certificates are needed (package ca-certificates).".into(),
    })
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// Calls the provider once. What came is in the assembly, however it ends: dropping this
/// closes the connection.
pub(super) async fn call(
    client: &Client,
    provider: &Provider,
    model: &str,
    request: &Request,
    deadline: Instant,
    assembly: &mut Assembly,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let limits = Limits { provider, deadline };
    let first = limits.until(provider.timeouts.first_token, FailureKind::FirstTokenTimeout);
    let response = first.wait(send(client, &limits, model, request)).await??;
    read(response, &limits, first, assembly, sink).await
}

/// The provider of a call, and its time.
struct Limits<'a> {
    provider: &'a Provider,
    deadline: Instant,
}

/// An instant, and what it means to miss it.
#[derive(Clone, Copy)]
struct Until {
    at: Instant,
    kind: FailureKind,
}

impl Limits<'_> {
    /// What a provider sent, without the key, before any of it is cut short: half a key
    /// would not be known as one.
    fn without_key(&self, text: String) -> String {
        match &self.provider.api_key {
            Some(key) if text.contains(key.expose()) => key.hide_in(&text),
            _ => text,
        }
    }

    /// So long from now, but not beyond the time for all.
    fn until(&self, time: Duration, kind: FailureKind) -> Until {
        let at = Instant::now() + time;
        if at <= self.deadline {
            Until { at, kind }
        } else {
            Until { at: self.deadline, kind: FailureKind::TotalTimeout }
        }
    }
}

impl Until {
    async fn wait<T>(self, work: impl Future<Output = T>) -> Result<T, Failure> {
        timeout_at(self.at, work).await.map_err(|_| {
            Failure::new(
                self.kind,
                match self.kind {
                    FailureKind::FirstTokenTimeout => "the answer did not begin in time",
                    FailureKind::BetweenTokensTimeout => "the answer stood still for too long",
                    _ => "the answer took too long in all",
                },
            )
        })
    }
}

/// Sends the request; a status that is no success is a failure.
async fn send(
    client: &Client,
    limits: &Limits<'_>,
    model: &str,
    request: &Request,
) -> Result<Response, Failure> {
    let provider = limits.provider;
    let (path, body) = match provider.kind {
        Kind::Anthropic => (anthropic::PATH, anthropic::body(model, request)),
        _ => (openai::PATH, openai::body(provider, model, request)),
    };
    let url = address(provider, path)
        .ok_or_else(|| Failure::new(FailureKind::NotConfigured, "the provider has no address"))?;
    let response = client
        .post(url)
        .headers(headers(provider))
        .body(body.to_string())
        .send()
        .await
        .map_err(|error| of_transport(&error, FailureKind::Connect, "no answer"))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let wait = asked_wait(response.headers(), SystemTime::now());
    let body = limits.without_key(error_text(response).await);
    Err(Failure { retry_after: wait, ..refusal::of_status(status.as_u16(), &body) })
}

/// The address with the path after it; a query of the address stays.
fn address(provider: &Provider, path: &[&str]) -> Option<Url> {
    let mut url = provider.base_url.clone()?;
    url.path_segments_mut().ok()?.pop_if_empty().extend(path);
    Some(url)
}

fn headers(provider: &Provider) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if provider.kind == Kind::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(anthropic::VERSION));
    }
    if let Some(key) = &provider.api_key {
        let (name, value) = match provider.kind {
            Kind::Anthropic => ("x-api-key", key.expose().to_owned()),
            _ => ("authorization", format!("Bearer {}", key.expose())),
        };
        if let Ok(mut value) = HeaderValue::from_str(&value) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
    headers
}

/// The beginning of a body that is no stream, as far as it comes soon.
async fn error_text(mut response: Response) -> String {
    let mut bytes = Vec::new();
    let reading = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes.extend_from_slice(&chunk);
            if bytes.len() >= LONGEST_ERROR {
                bytes.truncate(LONGEST_ERROR);
                break;
            }
        }
    };
    // What has come by then is enough.
    let _ = tokio::time::timeout(ERROR_TIME, reading).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Why the body of an answer ends early.
enum BodyError {
    Transport(reqwest::Error),
    TooLarge,
}

/// Reads the stream to its end mark.
async fn read(
    response: Response,
    limits: &Limits<'_>,
    first: Until,
    assembly: &mut Assembly,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if let Some(kind) = kind.filter(|kind| !kind.starts_with("text/event-stream")) {
        let kind = bounded(kind);
        let body = limits.without_key(error_text(response).await);
        let body: Value = serde_json::from_str(&body).unwrap_or_default();
        return Err(match body.get("error").filter(|error| !error.is_null()) {
            Some(error) => refusal::in_stream(error),
            None => Failure::new(
                FailureKind::Malformed,
                format!("the provider answered with {kind:?} instead of an event stream"),
            ),
        });
    }
    let (mut length, mut line) = (0, 0);
    let mut events = response
        .bytes_stream()
        .map(move |chunk| {
            let chunk = chunk.map_err(BodyError::Transport)?;
            length += chunk.len();
            line = match chunk.iter().rposition(|byte| *byte == b'\n') {
                Some(at) => chunk.len() - at,
                None => line + chunk.len(),
            };
            if length > LONGEST_ANSWER || line > LONGEST_LINE {
                Err(BodyError::TooLarge)
            } else {
                Ok(chunk)
            }
        })
        .eventsource();
    let mut until = first;
    while !assembly.ended {
        if assembly.whole {
            until = limits.until(AFTER_THE_END, FailureKind::TotalTimeout);
        }
        let event = match until.wait(events.next()).await {
            Ok(Some(Ok(event))) => event,
            Ok(None) => return Ok(()),
            // Only the usage can be missing.
            Err(_) | Ok(Some(Err(_))) if assembly.whole => return Ok(()),
            Err(late) => return Err(late),
            Ok(Some(Err(error))) => return Err(of_body(error)),
        };
        let data = limits.without_key(event.data);
        let read = match limits.provider.kind {
            Kind::Anthropic => anthropic::read(assembly, &data),
            _ => openai::read(assembly, &data),
        };
        // What came before a fault is handed on, so that the caller knows of it.
        for delta in std::mem::take(&mut assembly.fresh) {
            if sink(delta).is_break() {
                return Err(Failure::new(
                    FailureKind::Cancelled,
                    "nobody takes the answer any more",
                ));
            }
        }
        read?;
        if std::mem::take(&mut assembly.progressed) {
            let time = limits.provider.timeouts.between_tokens;
            until = limits.until(time, FailureKind::BetweenTokensTimeout);
        }
    }
    Ok(())
}

fn of_body(error: EventStreamError<BodyError>) -> Failure {
    match error {
        EventStreamError::Transport(BodyError::Transport(error)) => {
            of_transport(&error, FailureKind::Truncated, "the connection broke within the answer")
        }
        EventStreamError::Transport(BodyError::TooLarge) => {
            Failure::new(FailureKind::TooLarge, "the answer is longer than any that is read")
        }
        EventStreamError::Utf8(_) | EventStreamError::Parser(_) => {
            Failure::new(FailureKind::Malformed, "the answer is no event stream")
        }
    }
}

/// What the HTTP client says about it, without the address: that is in the settings, and may
/// have something secret in its query.
fn of_transport(error: &reqwest::Error, kind: FailureKind, what: &str) -> Failure {
    let kind = if error.is_timeout() && error.is_connect() {
        FailureKind::ConnectTimeout
    } else if error.is_builder() {
        FailureKind::Rejected
    } else {
        kind
    };
    let mut reasons = Vec::new();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        reasons.push(inner.to_string());
        cause = inner.source();
    }
    reasons.dedup();
    Failure::new(kind, bounded(&format!("{what}: {}", reasons.join(": "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_goes_after_that_of_the_address() {
        for (base, expected) in [
            ("http://h/v1", "http://h/v1/chat/completions"),
            ("http://h/v1/", "http://h/v1/chat/completions"),
            ("http://h", "http://h/chat/completions"),
            ("http://h/v1?version=2", "http://h/v1/chat/completions?version=2"),
        ] {
            let base_url = Some(Url::parse(base).expect("valid"));
            let provider = Provider { base_url, ..Provider::offline() };
            assert_eq!(address(&provider, openai::PATH).expect("one").as_str(), expected);
        }
    }

    #[test]
    fn only_this_machine_is_reached_without_a_proxy() {
        for (url, expected) in [
            ("http://localhost:1/v1", true),
            ("http://127.0.0.1/v1", true),
            ("http://[::1]/v1", true),
            ("https://api.openai.com/v1", false),
        ] {
            assert_eq!(is_this_machine(&Url::parse(url).expect("valid")), expected, "{url}");
        }
    }
}
