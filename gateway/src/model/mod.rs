//! Language models behind one interface: a list of models, of which the first that works
//! answers, piece by piece.

pub mod extraction;
mod failure;
mod name;
mod offline;
pub mod provider;
mod remote;
pub mod request;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use tracing::warn;

pub use failure::{Failure, Kind};
pub use name::ModelName;

use crate::config::Config;
use crate::error::Error;
use provider::{Provider, Remote};
use request::{Call, Completion, Request};

/// The model that is always there: it is none, and answers from memory alone.
pub const OFFLINE: &str = "offline/memory";
/// How often one model is tried before the next one is.
const ATTEMPTS: u32 = 3;
/// How long to wait for one model's recovery in all; what takes longer is left to the
/// next model, or to a later attempt at the turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// All models that the settings name.
#[derive(Debug)]
pub struct Models {
    remotes: BTreeMap<String, Remote>,
    defaults: BTreeMap<String, Vec<ModelName>>,
}

/// What was said of an answer, and all calls that were made for it.
#[derive(Debug)]
pub struct Outcome {
    /// The answer, or why there is none.
    pub result: Result<Completion, Failure>,
    /// The calls, in their order.
    pub calls: Vec<Call>,
}

impl Models {
    /// The providers and default models of the settings.
    ///
    /// # Errors
    /// A provider or a name of a model that cannot be taken.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        let mut remotes = BTreeMap::new();
        for (name, settings) in &config.providers {
            if name == "offline" {
                return Err(Error::Argument(
                    "providers.offline: that name is taken by the built-in one".into(),
                ));
            }
            let provider: Provider = settings.deserialize().map_err(|error| {
                Error::Argument(format!(
                    "providers.{name}: {}",
                    error.to_string().replace('\n', " ")
                ))
            })?;
            remotes.insert(name.clone(), provider.connect(name)?);
        }
        let defaults = chains(&config.models)?;
        let models = Self { remotes, defaults };
        for chain in models.defaults.values() {
            for model in chain {
                if !models.has(model) {
                    return Err(Error::Argument(format!(
                        "models: there is no provider for {model}; add [providers.{}]",
                        model.provider()
                    )));
                }
            }
        }
        Ok(models)
    }

    fn has(&self, model: &ModelName) -> bool {
        model.provider() == "offline" || self.remotes.contains_key(model.provider())
    }

    /// The models for a role: the bot's own, else the defaults, else the built-in one.
    pub fn chain(&self, own: &BTreeMap<String, Vec<String>>, role: &str) -> Vec<ModelName> {
        let parsed: Vec<ModelName> =
            own.get(role).into_iter().flatten().filter_map(|name| name.parse().ok()).collect();
        let chain = if parsed.is_empty() {
            self.defaults
                .get(role)
                .or_else(|| self.defaults.get("chat"))
                .cloned()
                .unwrap_or_default()
        } else {
            parsed
        };
        if chain.is_empty() { vec![ModelName::offline()] } else { chain }
    }

    /// The answer of the first model of the list that gives one. `piece` gets the text as
    /// it comes; once it has got some, no other model is asked, as half an answer was read.
    pub async fn chat(
        &self,
        chain: &[ModelName],
        request: &Request,
        cancel: &CancellationToken,
        piece: &mut (dyn FnMut(&str) + Send),
    ) -> Outcome {
        let mut calls = Vec::new();
        let mut last = Failure::new(Kind::Unknown, "no model is named");
        for model in chain {
            let until = Instant::now() + PATIENCE;
            for attempt in 1..=ATTEMPTS {
                let began = Instant::now();
                let mut begun = false;
                let result = {
                    let mut piece = |text: &str| {
                        begun = true;
                        piece(text);
                    };
                    tokio::select! {
                        result = self.ask(model, request, &mut piece) => result,
                        () = cancel.cancelled() => Err(Failure::new(Kind::Cancelled, "it was stopped")),
                    }
                };
                calls.push(Call::new(model, began.elapsed(), &result));
                let failure = match result {
                    Ok(completion) => return Outcome { result: Ok(completion), calls },
                    Err(failure) => failure,
                };
                if failure.kind == Kind::Cancelled {
                    return Outcome { result: Err(failure), calls };
                }
                warn!(%model, attempt, kind = ?failure.kind, "a model failed");
                let pause = failure.pause(attempt);
                let again = failure.kind.is_passing() && attempt < ATTEMPTS;
                last = failure;
                if begun {
                    return Outcome { result: Err(last), calls };
                }
                if !again || Instant::now() + pause > until {
                    break;
                }
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = cancel.cancelled() => {
                        let stopped = Failure::new(Kind::Cancelled, "it was stopped");
                        return Outcome { result: Err(stopped), calls };
                    }
                }
            }
        }
        Outcome { result: Err(last), calls }
    }

    async fn ask(
        &self,
        model: &ModelName,
        request: &Request,
        piece: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Completion, Failure> {
        if model.provider() == "offline" {
            let completion = offline::answer(request);
            piece(&completion.text);
            return Ok(completion);
        }
        let remote = self.remotes.get(model.provider()).ok_or_else(|| {
            Failure::new(
                Kind::Unknown,
                format!("this gateway has no provider {:?}", model.provider()),
            )
        })?;
        remote::ask(remote, model, request, piece).await
    }
}

fn chains(
    named: &BTreeMap<String, Vec<String>>,
) -> Result<BTreeMap<String, Vec<ModelName>>, Error> {
    let mut chains = BTreeMap::new();
    for (role, names) in named {
        if !muninn_core::settings::GatewaySettings::ROLES.contains(&role.as_str()) {
            return Err(Error::Argument(format!(
                "models.{role}: the roles are chat, extract, draft and judge"
            )));
        }
        let chain = names.iter().map(|name| name.parse()).collect::<Result<Vec<ModelName>, _>>();
        chains.insert(role.clone(), chain.map_err(Error::Argument)?);
    }
    Ok(chains)
}
