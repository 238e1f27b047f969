//! Who serves models, as the settings say it and as it is after checking.

use std::path::PathBuf;
use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use url::Url;

use super::name::is_provider_name;
use super::retry::Retry;
use super::secret::Secret;
use crate::error::Error;

/// The longest time limit that is taken.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Which protocol a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Chat completions, as OpenAI has them; Ollama, vLLM and llama.cpp speak it too.
    Openai,
    /// Anthropic's messages.
    Anthropic,
    /// No language model: answers from memory alone.
    Offline,
}

/// A provider as it stands in the settings, in a table `[[providers]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSettings {
    /// What names of models begin with.
    pub name: String,
    /// What it speaks.
    pub kind: Kind,
    /// Where it is; the provider's own address if it is not given.
    pub base_url: Option<String>,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// File that holds the key.
    pub api_key_file: Option<PathBuf>,
    /// Refused: it is here so that a key that was written into the settings is named as such,
    /// and not shown in the error about an unknown setting.
    #[serde(alias = "apikey", alias = "key", alias = "token", alias = "secret")]
    api_key: Option<IgnoredAny>,
    /// Time limits.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// How failed calls are made again.
    #[serde(default)]
    pub retry: Retry,
    /// Whether it takes a JSON schema for its answers; otherwise it is told in words.
    #[serde(default)]
    pub json_schema: bool,
}

/// Time limits of a provider, in seconds in the settings.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// Until there is a connection.
    #[serde(deserialize_with = "seconds")]
    pub connect: Duration,
    /// From the request to the first piece of the answer; a local model may be loaded first.
    #[serde(deserialize_with = "seconds")]
    pub first_token: Duration,
    /// From one piece to the next.
    #[serde(deserialize_with = "seconds")]
    pub between_tokens: Duration,
    /// For all calls of a model together, with the waits between them.
    #[serde(deserialize_with = "seconds")]
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_token: Duration::from_secs(90),
            between_tokens: Duration::from_secs(60),
            total: Duration::from_secs(600),
        }
    }
}

/// A time limit: a number of seconds that is more than nothing.
pub(super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let seconds = f64::deserialize(from)?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or_else(|| {
            serde::de::Error::custom("a time is a number of seconds, above 0 and at most a day")
        })
}

/// A provider that was checked.
#[derive(Debug, Clone)]
pub struct Provider {
    /// What names of models begin with.
    pub name: String,
    /// What it speaks.
    pub kind: Kind,
    /// Where it is; the offline provider is nowhere.
    pub base_url: Option<Url>,
    /// Its key; local servers need none.
    pub api_key: Option<Secret>,
    /// Time limits.
    pub timeouts: Timeouts,
    /// How failed calls are made again.
    pub retry: Retry,
    /// Whether it takes a JSON schema for its answers.
    pub json_schema: bool,
}

impl Provider {
    /// The built-in one, which is always there.
    pub fn offline() -> Self {
        Self {
            name: "offline".into(),
            kind: Kind::Offline,
            base_url: None,
            api_key: None,
            timeouts: Timeouts::default(),
            retry: Retry::default(),
            json_schema: true,
        }
    }

    /// Checks the settings of a provider, and reads its key from where they say.
    pub fn new(settings: ProviderSettings) -> Result<Self, Error> {
        Self::with_environment(settings, |name| std::env::var(name).ok())
    }

    /// The same with an environment of the caller's.
    pub fn with_environment(
        settings: ProviderSettings,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Error> {
        let shown_name: String = settings.name.chars().take(40).collect();
        let refused = |field: &str, problem: String, remedy: &str| Error::Setting {
            setting: format!("provider {shown_name:?}, {field}"),
            problem,
            remedy: remedy.to_owned(),
        };
        if !is_provider_name(&settings.name) {
            return Err(refused(
                "name",
                "is no name for a provider".into(),
                "Use 1 to 40 of a-z, 0-9, '-', '_' and '.'.",
            ));
        }
        if (settings.kind == Kind::Offline) != (settings.name == "offline") {
            return Err(refused(
                "kind",
                "the name and the kind \"offline\" belong together".into(),
                "The offline provider is built in: leave it out, or call the other one differently.",
            ));
        }
        if settings.api_key.is_some() {
            return Err(refused(
                "api_key",
                "a key does not belong into the settings".into(),
                "Put it into an environment variable and name that in api_key_env, or into a file and name that in api_key_file. Whoever could read the settings may know it: change it at the provider.",
            ));
        }
        let api_key = match (&settings.api_key_env, &settings.api_key_file) {
            (None, None) => None,
            (Some(_), Some(_)) => {
                return Err(refused(
                    "api_key_env",
                    "there is an api_key_file, too".into(),
                    "Keep one of the two.",
                ));
            }
            (Some(variable), None) => {
                let value = environment(variable).unwrap_or_default();
                let key = Secret::new(&value).map_err(|problem| {
                    refused(
                        "api_key_env",
                        format!("the variable {variable:?} {problem}"),
                        "Set it to the provider's key where the program is started.",
                    )
                })?;
                Some(key)
            }
            (None, Some(path)) => Some(Secret::from_file(path).map_err(|problem| {
                refused(
                    "api_key_file",
                    format!("{} {problem}", path.display()),
                    "It holds the key and nothing else, and is readable for this program.",
                )
            })?),
        };
        let base_url = match (settings.kind, &settings.base_url) {
            (Kind::Offline, None) => None,
            (Kind::Offline, Some(_)) => {
                return Err(refused(
                    "base_url",
                    "the offline provider has no address".into(),
                    "Leave it out.",
                ));
            }
            (Kind::Openai, None) => Some("https://api.openai.com/v1".to_owned()),
            (Kind::Anthropic, None) => Some("https://api.anthropic.com/v1".to_owned()),
            (_, Some(url)) => Some(url.clone()),
        };
        let base_url = base_url
            .map(|url| checked_url(&url))
            .transpose()
            .map_err(|problem| {
                refused(
                    "base_url",
                    problem.to_owned(),
                    "Write http:// or https://, the server and its path, such as http://localhost:11434/v1.",
                )
            })?;
        settings.retry.check().map_err(|(field, problem)| {
            refused(&format!("retry.{field}"), problem.into(), "Leave it out for the default.")
        })?;
        Ok(Self {
            name: settings.name,
            kind: settings.kind,
            base_url,
            api_key,
            timeouts: settings.timeouts,
            retry: settings.retry,
            json_schema: settings.json_schema,
        })
    }
}

/// The address, if requests can go there. The errors do not repeat it, as it may hold a password.
fn checked_url(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| "is no address")?;
    if !matches!(url.scheme(), "http" | "https") {
        Err("is neither http nor https")
    } else if !url.username().is_empty() || url.password().is_some() {
        Err("has a user or a password in it")
    } else if url.fragment().is_some() {
        Err("has a part after '#'")
    } else {
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ProviderSettings, toml::de::Error> {
        toml::from_str(text)
    }

    fn check(text: &str) -> Result<Provider, Error> {
        let environment = |name: &str| (name == "TEST_KEY").then(|| "sk-very-secret".to_owned());
        Provider::with_environment(read(text).expect("readable"), environment)
    }

    #[test]
    fn a_provider_is_read_and_checked() {
        let provider = check(
            "name = 'local'\nkind = 'openai'\nbase_url = 'http://localhost:11434/v1'\n\
             api_key_env = 'TEST_KEY'\njson_schema = true\n\
             timeouts = { connect = 2, first_token = 0.5 }\nretry = { attempts = 5 }",
        )
        .expect("valid");
        assert_eq!(provider.timeouts.first_token, Duration::from_millis(500));
        assert_eq!(provider.timeouts.total, Timeouts::default().total);
        assert_eq!(provider.retry.attempts, 5);
        assert_eq!(provider.api_key.as_ref().expect("a key").expose(), "sk-very-secret");
        assert!(!format!("{provider:?}").contains("very-secret"));
        let anthropic = check("name = 'claude'\nkind = 'anthropic'").expect("valid");
        assert_eq!(anthropic.base_url.expect("one").as_str(), "https://api.anthropic.com/v1");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_remedy() {
        for (text, named) in [
            ("name = 'A/b'\nkind = 'openai'", "name"),
            ("name = 'a'\nkind = 'offline'", "kind"),
            ("name = 'offline'\nkind = 'openai'", "kind"),
            ("name = 'offline'\nkind = 'offline'\nbase_url = 'http://a'", "base_url"),
            ("name = 'a'\nkind = 'openai'\nbase_url = 'ftp://a/b'", "base_url"),
            ("name = 'a'\nkind = 'openai'\nbase_url = 'http://u:sk-s3cret@a/b'", "base_url"),
            ("name = 'a'\nkind = 'openai'\nbase_url = 'localhost'", "base_url"),
            ("name = 'a'\nkind = 'openai'\napi_key_env = 'NO_SUCH'", "api_key_env"),
            ("name = 'a'\nkind = 'openai'\napi_key_file = '/nonexistent'", "api_key_file"),
            (
                "name = 'a'\nkind = 'openai'\napi_key_env = 'TEST_KEY'\napi_key_file = 'f'",
                "api_key_env",
            ),
            ("name = 'a'\nkind = 'openai'\napi_key = 'sk-s3cret'", "api_key"),
            ("name = 'a'\nkind = 'openai'\ntoken = 'sk-s3cret'", "api_key"),
            ("name = 'a'\nkind = 'openai'\nretry = { attempts = 0 }", "retry.attempts"),
        ] {
            let error = check(text).expect_err(text);
            assert!(error.to_string().contains(named), "{error}");
            assert!(error.hint().is_some(), "{error}");
            assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn unknown_settings_and_impossible_times_are_refused() {
        for text in [
            "name = 'a'\nkind = 'openai'\nbase-url = 'http://a'",
            "name = 'a'\nkind = 'gopher'",
            "name = 'a'\nkind = 'openai'\ntimeouts = { conect = 1 }",
            "name = 'a'\nkind = 'openai'\ntimeouts = { connect = 0 }",
            "name = 'a'\nkind = 'openai'\ntimeouts = { connect = -1 }",
            "name = 'a'\nkind = 'openai'\ntimeouts = { connect = nan }",
            "name = 'a'\nkind = 'openai'\ntimeouts = { connect = 1e300 }",
        ] {
            read(text).expect_err(text);
        }
    }
}
