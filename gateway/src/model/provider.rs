//! Where models are, and how long to wait for them.

use std::path::PathBuf;
use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::resolver::{AuthData, Endpoint, ServiceTargetResolver};
use genai::{Client, ModelIden, ServiceTarget, WebConfig};
use serde::Deserialize;

use crate::error::Error;

/// A provider as the settings describe it. Keys come from the environment or a file of
/// their own, so that settings can be shown and kept in a repository.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Which protocol it speaks.
    pub kind: ProviderKind,
    /// Its address, with `/v1` where it has that.
    pub base_url: String,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// File that holds the key.
    pub api_key_file: Option<PathBuf>,
    /// Seconds until an answer must have begun.
    #[serde(default = "begin_seconds")]
    pub begin_seconds: u64,
    /// Seconds that it may pause within an answer.
    #[serde(default = "pause_seconds")]
    pub pause_seconds: u64,
    /// Seconds for an answer in all.
    #[serde(default = "answer_seconds")]
    pub answer_seconds: u64,
    /// Whether answers by a JSON schema are understood; without it they are asked for in
    /// words.
    #[serde(default)]
    pub json_schema: bool,
}

fn begin_seconds() -> u64 {
    60
}

fn pause_seconds() -> u64 {
    30
}

fn answer_seconds() -> u64 {
    300
}

/// Which protocol a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// Chat completions as OpenAI has them: also Ollama, vLLM, llama.cpp.
    Openai,
    /// Messages as Anthropic has them.
    Anthropic,
}

/// A provider that can be asked.
pub struct Remote {
    pub(super) client: Client,
    pub(super) settings: Provider,
    /// The key, so that it can be kept out of what a provider says back.
    pub(super) secret: Option<String>,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Provider {
    /// Makes it ready to be asked; nothing is sent yet.
    ///
    /// # Errors
    /// An address or a key that cannot be taken.
    pub fn connect(self, name: &str) -> Result<Remote, Error> {
        let refuse = |why: String| Err(Error::Argument(format!("providers.{name}: {why}")));
        if !(self.base_url.starts_with("http://") || self.base_url.starts_with("https://")) {
            return refuse("base_url must begin with http:// or https://".into());
        }
        if self.begin_seconds == 0 || self.pause_seconds == 0 || self.answer_seconds == 0 {
            return refuse("the seconds must be at least 1".into());
        }
        let secret = match (&self.api_key_env, &self.api_key_file) {
            (Some(_), Some(_)) => {
                return refuse("give api_key_env or api_key_file, not both".into());
            }
            (Some(variable), None) => match std::env::var(variable) {
                Ok(key) if !key.trim().is_empty() => Some(key.trim().to_owned()),
                _ => return refuse(format!("the environment variable {variable} is not set")),
            },
            (None, Some(path)) => match std::fs::read_to_string(path) {
                Ok(key) if !key.trim().is_empty() => Some(key.trim().to_owned()),
                Ok(_) => return refuse(format!("{} is empty", path.display())),
                Err(source) => return Err(Error::File { path: path.clone(), source }),
            },
            (None, None) => None,
        };
        let kind = match self.kind {
            ProviderKind::Openai => AdapterKind::OpenAI,
            ProviderKind::Anthropic => AdapterKind::Anthropic,
        };
        let base = format!("{}/", self.base_url.trim_end_matches('/'));
        // A server without keys gets one that says nothing.
        let key = secret.clone().unwrap_or_else(|| "none".into());
        let target = ServiceTargetResolver::from_resolver_fn(move |asked: ServiceTarget| {
            Ok(ServiceTarget {
                endpoint: Endpoint::from_owned(base.clone()),
                auth: AuthData::from_single(key.clone()),
                model: ModelIden::new(kind, asked.model.model_name),
            })
        });
        let web = WebConfig::default()
            .with_connect_timeout(Duration::from_secs(10))
            .with_timeout(Duration::from_secs(self.answer_seconds));
        let client = Client::builder()
            .with_service_target_resolver(target)
            .with_web_config(web)
            .build()
            .map_err(|error| Error::Argument(format!("providers.{name}: {error}")))?;
        Ok(Remote { client, settings: self, secret })
    }
}
