//! The settings of a gateway: defaults, then a file, then the environment.

use std::net::SocketAddr;
use std::path::Path;

use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::model::{ProviderSettings, Roles};
use crate::toolbox::ToolServer;

/// All settings. A name that is none is refused, so that a typing error is no silence.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Where memory is.
    pub database: Database,
    /// How people and programs reach the gateway.
    pub serve: Serve,
    /// Who people are.
    pub sign_in: SignIn,
    /// How much of it one may use.
    pub limits: Limits,
    /// What is written about what happens.
    pub log: Log,
    /// The models of bots that name none, lists of `provider/model` by role.
    #[serde(skip_serializing)]
    pub models: Roles,
    /// Where models are.
    #[serde(skip_serializing)]
    pub providers: Vec<ProviderSettings>,
    /// External servers whose tools bots may be allowed to call.
    #[serde(skip_serializing)]
    pub tools: Vec<ToolServer>,
}

/// Where memory is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Database {
    /// Connection string; better in the environment variable `DATABASE_URL`.
    pub url: Option<Hidden>,
    /// At most so many connections.
    pub connections: usize,
}

impl Default for Database {
    fn default() -> Self {
        Self { url: None, connections: 16 }
    }
}

/// How people and programs reach the gateway.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Serve {
    /// Address and port that it listens at.
    pub listen: SocketAddr,
    /// The address that browsers use, such as `https://muninn.example`; `http://` and
    /// `listen` where nothing is said.
    pub public_url: Option<String>,
    /// The bots that it serves; all that its role may act for where nothing is said.
    pub bots: Option<Vec<String>>,
    /// At most so many turns are answered at once.
    pub turns_at_once: usize,
    /// At most so many turns are read for memories at once.
    pub extractions_at_once: usize,
    /// After so many seconds without a sign of life another gateway takes over a turn.
    pub lease_seconds: i32,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8787)),
            public_url: None,
            bots: None,
            turns_at_once: 64,
            extractions_at_once: 4,
            lease_seconds: 60,
        }
    }
}

/// Who people are.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SignIn {
    /// An identity provider that speaks OpenID Connect. Without one the gateway is for
    /// one person on this machine: it listens on loopback alone and prints a link.
    pub oidc: Option<Oidc>,
    /// Days that a browser stays signed in; 30 where nothing is said.
    pub days: Option<f64>,
}

/// An identity provider.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oidc {
    /// Its issuer URL, without `/.well-known/openid-configuration`.
    pub issuer: String,
    /// What it calls this gateway.
    pub client_id: String,
    /// Environment variable that holds the client secret; none for a public client.
    pub client_secret_env: Option<String>,
    /// Scopes beside `openid`.
    #[serde(default = "usual_scopes")]
    pub scopes: Vec<String>,
    /// Only people whose `email` (verified) ends with one of these; all where empty.
    #[serde(default)]
    pub email_domains: Vec<String>,
}

fn usual_scopes() -> Vec<String> {
    vec!["profile".into(), "email".into()]
}

/// How much of it one may use.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Requests a minute of one person; 0: no limit.
    pub person_per_minute: u32,
    /// Requests a minute of one address before it has signed in; 0: no limit.
    pub address_per_minute: u32,
    /// Bytes of a request's body at most.
    pub body_bytes: usize,
    /// Whether the address is the last one in `X-Forwarded-For`: only behind a proxy
    /// that sets it.
    pub behind_proxy: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            person_per_minute: 1200,
            address_per_minute: 120,
            body_bytes: 1 << 20,
            behind_proxy: false,
        }
    }
}

/// What is written about what happens. Never what people or models said.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// `text` or `json`.
    pub format: LogFormat,
    /// What is written, as in `muninn_gateway=info,warn`.
    pub filter: String,
    /// Where OpenTelemetry traces go (OTLP over HTTP): nowhere without it.
    pub traces: Option<String>,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Text, filter: "info".into(), traces: None }
    }
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// An object a line, for programs.
    Json,
}

/// A text that is never shown.
#[derive(Clone, Serialize, Deserialize)]
pub struct Hidden(pub String);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

impl Config {
    /// The settings of a file (if one is named), over which stand those of the
    /// environment: `MUNINN_SERVE__LISTEN=0.0.0.0:80`, and `DATABASE_URL`.
    ///
    /// # Errors
    /// [`Error::Format`] with the name of the setting that cannot be taken.
    pub fn read(file: Option<&Path>) -> Result<Self, Error> {
        let mut settings = Figment::from(Serialized::defaults(Self::default()));
        if let Some(path) = file {
            // A file that is named has to be there.
            let text = std::fs::read_to_string(path)
                .map_err(|source| Error::File { path: path.to_owned(), source })?;
            settings = settings.merge(Toml::string(&text));
        }
        settings = settings.merge(
            Env::prefixed("MUNINN_")
                .filter(|name| {
                    // Others of that name belong to the scripts of the project.
                    ["database__", "serve__", "sign_in__", "limits__", "log__", "models__"]
                        .iter()
                        .any(|part| name.as_str().to_ascii_lowercase().starts_with(part))
                })
                .split("__"),
        );
        if let Ok(url) = std::env::var("DATABASE_URL") {
            settings = settings.merge(("database.url", url));
        }
        let config: Self = settings.extract().map_err(|error| Error::Format {
            path: file.unwrap_or(Path::new("settings")).to_owned(),
            problem: error.to_string().replace('\n', " "),
        })?;
        config.check(file.unwrap_or(Path::new("settings")))?;
        Ok(config)
    }

    /// The settings again, after one was changed.
    ///
    /// # Errors
    /// As of [`Config::read`].
    pub fn checked(self) -> Result<Self, Error> {
        self.check(Path::new("settings"))?;
        Ok(self)
    }

    fn check(&self, path: &Path) -> Result<(), Error> {
        let refuse = |problem: String| Err(Error::Format { path: path.to_owned(), problem });
        if self.sign_in.oidc.is_none() && !self.serve.listen.ip().is_loopback() {
            return refuse(format!(
                "serve.listen is {}, which others can reach, but nobody could sign in: set up [sign_in.oidc], or listen on 127.0.0.1",
                self.serve.listen
            ));
        }
        if let Some(url) = &self.serve.public_url
            && !(url.starts_with("https://") || url.starts_with("http://"))
        {
            return refuse("serve.public_url must begin with https:// or http://".into());
        }
        if self.serve.turns_at_once == 0 || self.serve.extractions_at_once == 0 {
            return refuse(
                "serve.turns_at_once and serve.extractions_at_once must be at least 1".into(),
            );
        }
        if !(2..=3600).contains(&self.serve.lease_seconds) {
            return refuse("serve.lease_seconds must be from 2 to 3600".into());
        }
        if self.limits.body_bytes < 1024 {
            return refuse("limits.body_bytes must be at least 1024".into());
        }
        Ok(())
    }

    /// The address that browsers use, without a slash at its end.
    pub fn public_url(&self) -> String {
        match &self.serve.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.serve.listen),
        }
    }

    /// Whether browsers come by TLS, so that cookies may be marked for it.
    pub fn is_secure(&self) -> bool {
        self.public_url().starts_with("https://")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        let file = std::env::temp_dir().join(format!("muninn-{}.toml", uuid::Uuid::new_v4()));
        std::fs::write(&file, text).expect("a file");
        let read = Config::read(Some(&file)).map_err(|error| error.to_string());
        std::fs::remove_file(&file).expect("removed");
        read
    }

    #[test]
    fn the_example_is_what_is_without_a_file() {
        let example = read(include_str!("../muninn.example.toml")).expect("a valid example");
        let without = Config::read(None).expect("defaults");
        assert_eq!(format!("{example:?}"), format!("{without:?}"));
    }

    #[test]
    fn what_cannot_be_taken_is_named() {
        for (text, named) in [
            ("[serve]\nlistne = '127.0.0.1:1'", "listne"),
            ("[serve]\nlisten = 'here'", "listen"),
            ("[serve]\nlisten = '0.0.0.0:80'", "sign_in"),
            ("[limits]\nbody_bytes = 1", "body_bytes"),
            ("[log]\nformat = 'xml'", "format"),
            ("[serve]\nturns_at_once = 0", "turns_at_once"),
            ("[serve]\nlease_seconds = 1", "lease_seconds"),
            ("[serve]\npublic_url = 'muninn.example'", "public_url"),
            ("serve = [", "TOML"),
        ] {
            let problem = read(text).expect_err(text);
            assert!(problem.contains(named), "{problem}");
        }
    }

    #[test]
    fn a_connection_string_is_not_shown() {
        let config = read("[database]\nurl = 'postgresql://a:s3cret@h/d'").expect("valid");
        assert!(!format!("{config:?}").contains("s3cret"));
    }
}
