//! The name of a model: `provider/model`.

use std::fmt;
use std::str::FromStr;

/// A provider of the settings and what it calls the model, which may hold slashes itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    provider: String,
    model: String,
}

impl ModelName {
    /// The built-in one.
    pub fn offline() -> Self {
        Self { provider: "offline".into(), model: "memory".into() }
    }

    /// The provider.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// What the provider calls it.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl FromStr for ModelName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name.split_once('/') {
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                Ok(Self { provider: provider.into(), model: model.into() })
            }
            _ => Err(format!("{name:?} is no model: write provider/model, such as openai/gpt-5")),
        }
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
    fn a_model_may_hold_slashes() {
        let name: ModelName = "router/meta/llama".parse().expect("a model");
        assert_eq!((name.provider(), name.model()), ("router", "meta/llama"));
        assert_eq!(name.to_string(), "router/meta/llama");
        for bad in ["", "gpt", "/x", "x/"] {
            assert!(bad.parse::<ModelName>().is_err(), "{bad}");
        }
    }
}
