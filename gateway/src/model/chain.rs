//! Asks the models of a chain in their order until one answers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use reqwest::Client;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::assembly::Assembly;
use super::completion::{Call, Completion, Delta, Sink};
use super::failure::{Failure, FailureKind, ModelError};
use super::name::ModelName;
use super::provider::{Kind, Provider};
use super::request::Request;
use super::{http, offline};
use crate::error::Error;

/// All providers, and how to reach them.
#[derive(Debug)]
pub struct Models {
    backends: BTreeMap<String, Backend>,
}

#[derive(Debug)]
struct Backend {
    provider: Provider,
    /// The offline provider needs none.
    client: Option<Client>,
}

impl Models {
    /// These providers, and the offline one, which is always there.
    pub fn new(providers: Vec<Provider>) -> Result<Self, Error> {
        let mut backends = BTreeMap::new();
        for provider in providers {
            let client = match provider.kind {
                Kind::Offline => None,
                Kind::Openai | Kind::Anthropic => Some(http::client(&provider)?),
            };
            let name = provider.name.clone();
            if backends.insert(name.clone(), Backend { provider, client }).is_some() {
                return Err(Error::Setting {
                    setting: format!("provider {name:?}"),
                    problem: "there are two of this name".into(),
                    remedy: "Call one of them differently.".into(),
                });
            }
        }
        let offline = Provider::offline();
        backends.entry(offline.name.clone()).or_insert(Backend { provider: offline, client: None });
        Ok(Self { backends })
    }

    /// The providers by their names.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.backends.values().map(|backend| &backend.provider)
    }

    /// Whether every model of a chain has a provider: what is wrong is better said when a
    /// setting is read than when a person waits.
    pub fn check(&self, chain: &[ModelName]) -> Result<(), Error> {
        for name in chain {
            let refused = |problem: &str, remedy: String| Error::Setting {
                setting: format!("model {:?}", name.to_string()),
                problem: problem.into(),
                remedy,
            };
            if !self.backends.contains_key(name.provider()) {
                let known: Vec<_> = self.backends.keys().map(String::as_str).collect();
                let known = format!("Configured are: {}.", known.join(", "));
                return Err(refused("there is no such provider", known));
            }
            let offline = ModelName::offline();
            if name.provider() == offline.provider() && *name != offline {
                let only = format!("The provider has one model: {offline}.");
                return Err(refused("there is no such model", only));
            }
        }
        Ok(())
    }

    /// Asks for an answer and hands its pieces on as they come. A failed call is made again,
    /// and then the next model asked, until the first piece has been handed on: from there on
    /// a failure is final, as two beginnings would make no answer.
    ///
    /// The sink's `Break` and the token both end the call at once, and the connection with it.
    pub async fn chat(
        &self,
        chain: &[ModelName],
        request: &Request,
        mut sink: impl FnMut(Delta) -> ControlFlow<()> + Send,
        cancel: &CancellationToken,
    ) -> Result<Completion, Box<ModelError>> {
        self.ask(chain, request, Some(&mut sink), cancel).await
    }

    /// Asks for an answer that is wanted whole or not at all. As nothing is handed on, a
    /// failure in the middle of an answer is no hindrance to another call.
    pub async fn complete(
        &self,
        chain: &[ModelName],
        request: &Request,
        cancel: &CancellationToken,
    ) -> Result<Completion, Box<ModelError>> {
        self.ask(chain, request, None, cancel).await
    }

    async fn ask(
        &self,
        chain: &[ModelName],
        request: &Request,
        mut sink: Option<&mut Sink<'_>>,
        cancel: &CancellationToken,
    ) -> Result<Completion, Box<ModelError>> {
        let mut asked = Asked::default();
        for name in chain {
            asked.model = Some(name.clone());
            let Some(backend) = self.backends.get(name.provider()) else {
                let message = format!("there is no provider {:?}", name.provider());
                asked.failure = Failure::new(FailureKind::NotConfigured, message);
                continue;
            };
            if let Some(completion) =
                asked.ask_model(backend, name, request, &mut sink, cancel).await
            {
                return Ok(completion);
            }
            if asked.handed_on || asked.failure.kind.is_final() {
                break;
            }
        }
        Err(Box::new(ModelError {
            model: asked.model,
            failure: asked.failure,
            text: asked.text,
            calls: asked.calls,
        }))
    }
}

/// How far the asking is.
struct Asked {
    model: Option<ModelName>,
    failure: Failure,
    /// Whether the caller has a piece of an answer, and what text it has.
    handed_on: bool,
    text: String,
    calls: Vec<Call>,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            model: None,
            failure: Failure::new(FailureKind::NotConfigured, "no model is named"),
            handed_on: false,
            text: String::new(),
            calls: Vec::new(),
        }
    }
}

impl Asked {
    /// Asks one model until it answers, or there is no sense in asking it again.
    async fn ask_model(
        &mut self,
        backend: &Backend,
        name: &ModelName,
        request: &Request,
        sink: &mut Option<&mut Sink<'_>>,
        cancel: &CancellationToken,
    ) -> Option<Completion> {
        let provider = &backend.provider;
        let deadline = Instant::now() + provider.timeouts.total;
        for failures in 1..=provider.retry.attempts {
            self.failure = match self.call(backend, name, request, deadline, sink, cancel).await {
                Ok(completion) => return Some(completion),
                Err(failure) => failure,
            };
            if self.handed_on || !self.failure.kind.is_passing() {
                return None;
            }
            let wait = provider.retry.wait(failures, self.failure.retry_after);
            if failures == provider.retry.attempts || Instant::now() + wait >= deadline {
                return None;
            }
            if cancel.run_until_cancelled(tokio::time::sleep(wait)).await.is_none() {
                self.failure = cancelled();
                return None;
            }
        }
        None
    }

    /// Makes one call, and keeps what it was.
    async fn call(
        &mut self,
        backend: &Backend,
        name: &ModelName,
        request: &Request,
        deadline: Instant,
        sink: &mut Option<&mut Sink<'_>>,
        cancel: &CancellationToken,
    ) -> Result<Completion, Failure> {
        let began = Instant::now();
        let mut first_token = None;
        let mut assembly = Assembly::default();
        let (handed_on, text) = (&mut self.handed_on, &mut self.text);
        let mut hand_on = |delta: Delta| {
            first_token.get_or_insert_with(|| began.elapsed());
            let Some(sink) = sink.as_mut() else { return ControlFlow::Continue(()) };
            *handed_on = true;
            if let Delta::Text(piece) = &delta {
                text.push_str(piece);
            }
            sink(delta)
        };
        let calling = async {
            match &backend.client {
                None => offline::answer(request, &mut assembly, &mut hand_on),
                Some(client) => {
                    let provider = &backend.provider;
                    let model = name.model();
                    http::call(
                        client,
                        provider,
                        model,
                        request,
                        deadline,
                        &mut assembly,
                        &mut hand_on,
                    )
                    .await
                }
            }
        };
        // Dropping the call closes its connection; what had come by then stays.
        let called = cancel.run_until_cancelled(calling).await.unwrap_or_else(|| Err(cancelled()));
        let usage = assembly.usage;
        let answer = called.and_then(|()| assembly.finish());
        self.calls.push(Call {
            provider: name.provider().to_owned(),
            model: name.model().to_owned(),
            duration_ms: milliseconds(began.elapsed()),
            first_token_ms: first_token.map(milliseconds),
            usage,
            error: answer.as_ref().err().cloned(),
        });
        let (text, tool_calls, stop) = answer?;
        let calls = std::mem::take(&mut self.calls);
        Ok(Completion { model: name.clone(), text, tool_calls, stop, usage, calls })
    }
}

fn cancelled() -> Failure {
    Failure::new(FailureKind::Cancelled, "the answer was cancelled")
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
