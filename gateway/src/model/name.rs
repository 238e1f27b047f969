//! Names of models, as settings and bots give them: `provider/model`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Longest name that is taken: no provider has longer ones.
const LONGEST: usize = 200;

/// A model of a provider. The model may have slashes in it, the provider none:
/// `router/meta/llama` is the model `meta/llama` of `router`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelName {
    provider: String,
    model: String,
}

impl ModelName {
    /// The built-in model that answers from memory alone, without any language model.
    pub fn offline() -> Self {
        Self { provider: "offline".into(), model: "memory".into() }
    }

    /// Who serves it.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// What the provider calls it.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl FromStr for ModelName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = |problem: &str| Error::Setting {
            setting: "model".into(),
            problem: format!("{:?} {problem}", text.chars().take(LONGEST).collect::<String>()),
            remedy: "Write provider/model, such as openai/gpt-5-mini or offline/memory.".into(),
        };
        let (provider, model) = text.split_once('/').ok_or_else(|| refused("names no provider"))?;
        if !is_provider_name(provider) {
            return Err(refused("does not begin with the name of a provider"));
        }
        if model.is_empty() {
            return Err(refused("names no model"));
        }
        if text.len() > LONGEST {
            return Err(refused("is too long"));
        }
        if model.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(refused("has blanks in it"));
        }
        Ok(Self { provider: provider.to_owned(), model: model.to_owned() })
    }
}

/// Whether a provider may be called so: it must be told apart from the model after it.
pub(super) fn is_provider_name(name: &str) -> bool {
    (1..=40).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b))
}

impl TryFrom<String> for ModelName {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_provider_and_a_model() {
        let name: ModelName = "router/meta/llama:8b".parse().expect("valid");
        assert_eq!((name.provider(), name.model()), ("router", "meta/llama:8b"));
        assert_eq!(name.to_string(), "router/meta/llama:8b");
        assert_eq!("offline/memory".parse::<ModelName>().expect("valid"), ModelName::offline());
    }

    #[test]
    fn other_names_are_refused_with_a_remedy() {
        let long = format!("a/{}", "x".repeat(300));
        for text in ["", "gpt", "/gpt", "openai/", "Open AI/gpt", "a/b c", "a/b\n", &long] {
            let error = text.parse::<ModelName>().expect_err(text);
            assert!(error.hint().expect("a remedy").contains("provider/model"), "{error}");
            assert!(error.to_string().len() < 300, "{error}");
        }
    }
}
