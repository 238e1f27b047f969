//! Tools of external servers of the Model Context Protocol: connected to when a bot may use
//! them, each call bounded in time and in what comes back. Which tools a bot may call is its
//! setting `tools`; whatever else a server offers does not exist for it.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde::Deserialize;
use serde_json::Value;
use tokio::process::Command;
use tokio::sync::Mutex;
use tracing::warn;

use crate::error::Error;
use crate::model::Tool;

/// Between the name of a server and that of its tool.
const JOINT: &str = "__";
/// How long a server may take until it is connected and has named its tools.
const TO_BEGIN: Duration = Duration::from_secs(10);
/// A server that failed is left alone for so long, as each turn would wait for it.
const REST: Duration = Duration::from_secs(30);

/// An external server as the settings describe it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolServer {
    /// What bots call it in their setting `tools`.
    pub name: String,
    /// The program to start, and its arguments: it speaks on standard input and output.
    pub command: Option<Vec<String>>,
    /// Or its address (streamable HTTP).
    pub url: Option<String>,
    /// Environment variable that holds its token (by address), or variables that are passed
    /// on to the program; it gets no others.
    #[serde(default)]
    pub token_env: Option<String>,
    /// Names of environment variables that the program gets.
    #[serde(default)]
    pub env: Vec<String>,
    /// Seconds that a call may take.
    #[serde(default = "half_a_minute")]
    pub seconds: u64,
    /// Bytes of a result that a model gets to read.
    #[serde(default = "twenty_thousand")]
    pub result_bytes: usize,
}

fn half_a_minute() -> u64 {
    30
}

fn twenty_thousand() -> usize {
    20_000
}

type Session = Arc<RunningService<RoleClient, ()>>;

/// What is known of a server.
enum State {
    /// Connected, with its tools.
    Here(Session, Vec<Tool>),
    /// It failed then.
    Away(Instant),
}

/// All external servers of a gateway.
#[derive(Default)]
pub struct Toolbox {
    servers: BTreeMap<String, (ToolServer, Mutex<Option<State>>)>,
}

/// A tool that a bot may call.
pub struct External {
    /// As the model knows it.
    pub tool: Tool,
    server: String,
    name: String,
}

impl Toolbox {
    /// The servers of the settings; none is connected to yet.
    ///
    /// # Errors
    /// A server that cannot be.
    pub fn new(settings: &[ToolServer]) -> Result<Self, Error> {
        let mut servers = BTreeMap::new();
        for server in settings {
            let refuse = |problem: &str, remedy: &str| {
                Err(Error::Setting {
                    setting: format!("tools {:?}", server.name),
                    problem: problem.into(),
                    remedy: remedy.into(),
                })
            };
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if server.name.is_empty() || server.name.len() > 30 || !server.name.chars().all(fits) {
                return refuse("is no name for a server", "Use 1 to 30 letters, digits and '-'.");
            }
            match (&server.command, &server.url) {
                (Some(command), None) if !command.is_empty() => {}
                (None, Some(url)) if url.starts_with("http://") || url.starts_with("https://") => {}
                _ => return refuse("has no way to it", "Give either command or url."),
            }
            if server.seconds == 0 || server.result_bytes < 100 {
                return refuse(
                    "is too narrow",
                    "seconds is at least 1, result_bytes at least 100.",
                );
            }
            let made = (server.clone(), Mutex::new(None));
            if servers.insert(server.name.clone(), made).is_some() {
                return refuse("is there twice", "Call one of them differently.");
            }
        }
        Ok(Self { servers })
    }

    /// The tools that a bot with this setting may call: those of its list that the servers
    /// have. A server that is away has none for now.
    pub async fn allowed(&self, setting: &BTreeMap<String, Vec<String>>) -> Vec<External> {
        let mut allowed = Vec::new();
        for (name, wanted) in setting {
            let Some((server, state)) = self.servers.get(name) else {
                warn!(server = name, "a bot names a tool server that this gateway does not have");
                continue;
            };
            let Some((_, tools)) = session(server, state).await else { continue };
            for tool in tools {
                if wanted.iter().any(|w| w == "*" || *w == tool.name) {
                    let known_as = format!("{name}{JOINT}{}", tool.name);
                    if known_as.len() <= 64 {
                        let own = tool.name.clone();
                        let tool = Tool { name: known_as, ..tool };
                        allowed.push(External { tool, server: name.clone(), name: own });
                    }
                }
            }
        }
        allowed
    }

    /// Calls a tool; what comes back, or why nothing does.
    ///
    /// # Errors
    /// In words for the model.
    pub async fn call(&self, external: &External, arguments: &Value) -> Result<String, String> {
        let away = || format!("{} is not available now", external.server);
        let (server, state) = self.servers.get(&external.server).ok_or_else(away)?;
        let (session, _) = session(server, state).await.ok_or_else(away)?;
        let arguments = arguments.as_object().cloned().ok_or("the arguments are no JSON object")?;
        let request = CallToolRequestParams::new(external.name.clone()).with_arguments(arguments);
        let limit = Duration::from_secs(server.seconds);
        let result = match tokio::time::timeout(limit, session.call_tool(request)).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => {
                warn!(server = server.name, %error, "a tool failed");
                // It may have ended: the next call connects anew.
                *state.lock().await = Some(State::Away(Instant::now()));
                return Err(away());
            }
            Err(_) => return Err(format!("no answer within {} s", server.seconds)),
        };
        let mut text: String = result
            .content
            .iter()
            .filter_map(|part| part.as_text().map(|text| text.text.as_str()))
            .collect::<Vec<_>>()
            .join("\n");
        if text.is_empty()
            && let Some(value) = &result.structured_content
        {
            text = value.to_string();
        }
        let text = cut(text, server.result_bytes);
        if result.is_error == Some(true) { Err(text) } else { Ok(text) }
    }
}

/// Not more of a result than a model should read at once, cut between letters.
pub fn cut(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
        text.push_str("… (cut)");
    }
    text
}

/// The session with a server, connected now if need be.
async fn session(
    server: &ToolServer,
    state: &Mutex<Option<State>>,
) -> Option<(Session, Vec<Tool>)> {
    let mut state = state.lock().await;
    match &*state {
        Some(State::Here(session, tools)) if !session.is_closed() => {
            return Some((Arc::clone(session), tools.clone()));
        }
        Some(State::Away(since)) if since.elapsed() < REST => return None,
        _ => {}
    }
    match tokio::time::timeout(TO_BEGIN, connect(server)).await {
        Ok(Ok((session, tools))) => {
            *state = Some(State::Here(Arc::clone(&session), tools.clone()));
            Some((session, tools))
        }
        Ok(Err(error)) => {
            warn!(server = server.name, error, "a tool server cannot be used");
            *state = Some(State::Away(Instant::now()));
            None
        }
        Err(_) => {
            warn!(server = server.name, "a tool server does not answer");
            *state = Some(State::Away(Instant::now()));
            None
        }
    }
}

async fn connect(server: &ToolServer) -> Result<(Session, Vec<Tool>), String> {
    let failed = |error: &dyn std::error::Error| crate::error::with_causes(error);
    let session = if let Some(url) = &server.url {
        let mut config = StreamableHttpClientTransportConfig::with_uri(url.clone());
        if let Some(variable) = &server.token_env {
            let token = std::env::var(variable).map_err(|_| format!("{variable} is not set"))?;
            config = config.auth_header(token);
        }
        let transport = StreamableHttpClientTransport::from_config(config);
        ().serve(transport).await.map_err(|error| failed(&error))?
    } else {
        let words = server.command.as_deref().unwrap_or_default();
        let (program, arguments) = words.split_first().ok_or("no command")?;
        let mut command = Command::new(program);
        // Nothing of this program's environment but what is named: it holds secrets.
        command.args(arguments).env_clear().stderr(Stdio::null()).kill_on_drop(true);
        for variable in server.env.iter().map(String::as_str).chain(["PATH", "HOME", "LANG"]) {
            if let Ok(value) = std::env::var(variable) {
                command.env(variable, value);
            }
        }
        let transport = TokioChildProcess::new(command).map_err(|error| failed(&error))?;
        ().serve(transport).await.map_err(|error| failed(&error))?
    };
    let tools = session.list_all_tools().await.map_err(|error| failed(&error))?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let tools = tools
        .into_iter()
        .filter(|tool| tool.name.chars().all(fits))
        .map(|tool| Tool {
            name: tool.name.to_string(),
            description: tool.description.unwrap_or_default().chars().take(2_000).collect(),
            parameters: Value::Object((*tool.input_schema).clone()),
        })
        .collect();
    Ok((Arc::new(session), tools))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_result_is_cut_between_letters() {
        const LONGEST: usize = 20_000;
        assert!(cut("ä".repeat(LONGEST), LONGEST).len() <= LONGEST + 20);
        assert!(cut("ä".repeat(LONGEST), LONGEST - 1).len() <= LONGEST + 20);
        assert_eq!(cut("short".into(), LONGEST), "short");
    }
}
