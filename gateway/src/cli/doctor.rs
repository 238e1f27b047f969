//! `muninn doctor`: is everything there that is needed, and what to do if not.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::Connection;
use crate::config::{Config, Hidden};
use crate::db::{Client, server};
use crate::error::{Error, with_causes};
use crate::model::Provider;
use crate::serve::App;

/// The oldest server that the extension supports.
const OLDEST_SERVER: i32 = 150_000;
/// The first pgvector with halfvec and, from 0.8.0, iterative scans.
const OLDEST_PGVECTOR: (u32, u32) = (0, 8);
/// An embedding that takes longer makes itself felt in every question.
const SLOW_EMBEDDING_MS: f64 = 200.0;

/// Arguments of `muninn doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    connection: Connection,
    /// File with the settings of a gateway: whether they hold, and whether its models answer
    #[arg(long, env = "MUNINN_CONFIG")]
    config: Option<PathBuf>,
    /// Print the checks as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warn,
    Fail,
}

#[derive(Debug, Serialize)]
struct Check {
    name: String,
    state: State,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Check {
    fn ok(name: &str, detail: impl Into<String>) -> Self {
        Self { name: name.into(), state: State::Ok, detail: detail.into(), advice: None }
    }

    fn warn(name: &str, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { name: name.into(), state: State::Warn, detail: detail.into(), advice }
    }

    fn fail(name: &str, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { state: State::Fail, ..Self::warn(name, detail, advice) }
    }

    /// A check that could not be made.
    fn failed(name: &str, error: &Error) -> Self {
        let advice = error.hint();
        Self { name: name.into(), state: State::Fail, detail: error.to_string(), advice }
    }
}

/// Makes the checks and prints them; fails if one of them does.
pub async fn run(args: DoctorArgs) -> Result<ExitCode, Error> {
    let db = args.connection.pool(1)?;
    let mut checks = match db.client().await {
        Ok(client) => {
            let mut checks = vec![Check::ok("connection", db.target())];
            checks.extend(examine(&client).await);
            checks
        }
        Err(error) => vec![Check::failed("connection", &error)],
    };
    if let Some(file) = &args.config {
        checks.extend(examine_gateway(file, &args.connection).await);
    }
    let healthy = checks.iter().all(|check| check.state != State::Fail);
    if args.json {
        let report = serde_json::json!({"healthy": healthy, "checks": checks});
        println!("{report:#}");
    } else {
        checks.iter().for_each(print);
    }
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(check: &Check) {
    let state = match check.state {
        State::Ok => "ok",
        State::Warn => "warn",
        State::Fail => "FAIL",
    };
    let advice = check.advice.as_ref().map(|text| format!(" -> {text}")).unwrap_or_default();
    println!("{state:4}  {}: {}{advice}", check.name, check.detail);
}

/// All checks of a database that can be reached.
async fn examine(client: &Client) -> Vec<Check> {
    let mut checks = Vec::new();
    match server::server(client).await {
        Ok(server) => checks.extend(check_server(&server)),
        Err(error) => checks.push(Check::failed("server", &error)),
    }
    match server::extension(client, "vector").await {
        Ok(extension) => checks.push(check_pgvector(&extension)),
        Err(error) => checks.push(Check::failed("pgvector", &error)),
    }
    match server::preloaded(client).await {
        Ok(libraries) => checks.push(check_preloaded(libraries.as_deref())),
        Err(error) => checks.push(Check::failed("preloaded", &error)),
    }
    match server::extension(client, "muninn").await {
        Ok(extension) => checks.extend(examine_muninn(client, &extension).await),
        Err(error) => checks.push(Check::failed("extension", &error)),
    }
    checks
}

/// The checks of the extension; without rights, there is nothing else to see.
async fn examine_muninn(client: &Client, extension: &server::Extension) -> Vec<Check> {
    if extension.installed.is_none() {
        return vec![check_muninn(extension, Ok(None))];
    }
    let mut checks = Vec::new();
    match server::rights(client).await {
        Ok(rights) => {
            checks.push(check_rights(&rights));
            if !rights.usable {
                return checks;
            }
        }
        Err(error) => checks.push(Check::failed("rights", &error)),
    }
    checks.push(check_muninn(extension, server::library_version(client).await.map(Some)));
    match server::status(client).await {
        Ok(rows) => checks.extend(rows.into_iter().map(check_status)),
        Err(error) => checks.push(Check::failed("status", &error)),
    }
    checks.push(check_embedding(client).await);
    checks
}

/// The checks of a gateway's settings.
async fn examine_gateway(file: &Path, connection: &Connection) -> Vec<Check> {
    let app = Config::read(Some(file)).and_then(|mut config| {
        config.database.url = Some(Hidden(connection.url.clone()));
        App::new(config)
    });
    let app = match app {
        Ok(app) => app,
        Err(error) => return vec![Check::failed("settings", &error)],
    };
    let mut checks = vec![Check::ok("settings", file.display().to_string())];
    checks.push(match app.bots().await {
        Ok(bots) if bots.is_empty() => Check::fail(
            "bots",
            "there is none that this gateway may serve",
            "Run SELECT muninn_admin.grant_bot(bot, role), and look at serve.bots.",
        ),
        Ok(bots) => Check::ok("bots", bots.join(", ")),
        Err(error) => Check::failed("bots", &error),
    });
    for provider in app.models.providers() {
        if let Some(check) = check_provider(provider).await {
            checks.push(check);
        }
    }
    checks
}

/// Whether a provider of models answers at all; asking a model would cost something.
async fn check_provider(provider: &Provider) -> Option<Check> {
    let base = provider.base_url.as_ref()?;
    let name = format!("provider {}", provider.name);
    let asked = async {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(10)).build()?;
        client.get(format!("{}/models", base.as_str().trim_end_matches('/'))).send().await
    };
    Some(match asked.await {
        Ok(answer) => Check::ok(&name, format!("answers (status {})", answer.status().as_u16())),
        Err(error) => Check::warn(
            &name,
            with_causes(&error.without_url()),
            "Check its base_url, and whether it can be reached from here.",
        ),
    })
}

fn check_server(server: &server::Server) -> Vec<Check> {
    let version = if server.version_number >= OLDEST_SERVER {
        Check::ok("server", format!("PostgreSQL {}", server.version))
    } else {
        let detail = format!("PostgreSQL {}", server.version);
        Check::fail("server", detail, "Use PostgreSQL 15 or later.")
    };
    let encoding = if server.encoding == "UTF8" {
        Check::ok("encoding", "UTF8")
    } else {
        let advice = "Use a database with ENCODING 'UTF8': others cannot hold every text.";
        Check::fail("encoding", server.encoding.clone(), advice)
    };
    vec![version, encoding]
}

fn check_pgvector(extension: &server::Extension) -> Check {
    const NAME: &str = "pgvector";
    match (&extension.installed, &extension.available) {
        (Some(version), _) if at_least(version, OLDEST_PGVECTOR) => Check::ok(NAME, version),
        (Some(version), _) => Check::fail(
            NAME,
            format!("{version} is too old"),
            "Install pgvector 0.8 or later, then run ALTER EXTENSION vector UPDATE.",
        ),
        (None, Some(version)) => Check::fail(
            NAME,
            format!("{version} is there but not installed in this database"),
            "Run CREATE EXTENSION muninn CASCADE.",
        ),
        (None, None) => Check::fail(
            NAME,
            "the server has no pgvector",
            "Install it: package postgresql-NN-pgvector, or https://github.com/pgvector/pgvector.",
        ),
    }
}

fn at_least(version: &str, (major, minor): (u32, u32)) -> bool {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default()) >= (major, minor)
}

fn check_muninn(extension: &server::Extension, library: Result<Option<String>, Error>) -> Check {
    const NAME: &str = "extension";
    let installed = match (&extension.installed, &extension.available) {
        (Some(installed), _) => installed,
        (None, Some(_)) => {
            let advice = "Run CREATE EXTENSION muninn CASCADE.";
            return Check::fail(NAME, "muninn is not installed in this database", advice);
        }
        (None, None) => {
            let advice = "Run make install with the PG_CONFIG of this server.";
            return Check::fail(NAME, "the server has no extension muninn", advice);
        }
    };
    match library {
        Err(error) => Check::failed(NAME, &error),
        Ok(Some(library)) if library != *installed => Check::warn(
            NAME,
            format!("the schema is of version {installed}, the library of {library}"),
            "Run ALTER EXTENSION muninn UPDATE; if the library is the older one, restart the server.",
        ),
        Ok(_) => match &extension.available {
            Some(available) if available != installed => Check::warn(
                NAME,
                format!("muninn {installed}, and {available} could be installed"),
                "Run ALTER EXTENSION muninn UPDATE.",
            ),
            _ => Check::ok(NAME, format!("muninn {installed}")),
        },
    }
}

fn check_preloaded(libraries: Option<&str>) -> Check {
    const NAME: &str = "preloaded";
    let Some(libraries) = libraries else {
        return Check::ok(NAME, "this role may not see it; the line worker tells");
    };
    let found = libraries.split(',').map(|name| name.trim().trim_matches('"')).any(|name| {
        name.rsplit('/').next().is_some_and(|file| file.trim_end_matches(".so") == "muninn")
    });
    if found {
        Check::ok(NAME, "yes")
    } else {
        let advice = "Add muninn to shared_preload_libraries and restart the server; without, call muninn_admin.run_due_tasks() from time to time.";
        Check::warn(NAME, "no, so no worker runs", advice)
    }
}

fn check_rights(rights: &server::Rights) -> Check {
    const NAME: &str = "rights";
    let role = &rights.role;
    if !rights.usable {
        let advice = format!("Run GRANT muninn_gateway TO {role:?}.");
        return Check::fail(NAME, format!("{role} may not call recall and remember"), advice);
    }
    let of = if rights.superuser {
        "a superuser: good for trying out, use a member of muninn_gateway for serving"
    } else if rights.operator {
        "has the rights of muninn_operator"
    } else if rights.gateway {
        "has the rights of muninn_gateway"
    } else {
        "may call recall and remember by its own rights"
    };
    Check::ok(NAME, format!("{role}, {of}"))
}

fn check_status(row: server::StatusRow) -> Check {
    let detail = row.value.unwrap_or_else(|| "unknown".into());
    let state = if row.state == "ok" { State::Ok } else { State::Warn };
    Check { name: row.name, state, detail, advice: row.advice }
}

/// Embeds twice: a session's first text also reads the model.
async fn check_embedding(client: &Client) -> Check {
    const NAME: &str = "embedding";
    let mut times = [0.0; 2];
    let mut dimensions = 0;
    for time in &mut times {
        let started = Instant::now();
        dimensions = match server::embed(client, "Where did we leave the boat last summer?").await {
            Ok(dimensions) => dimensions,
            Err(error) => {
                return Check { state: State::Warn, ..Check::failed(NAME, &error) };
            }
        };
        *time = started.elapsed().as_secs_f64() * 1000.0;
    }
    let [first, next] = times;
    let detail = format!("{dimensions} dimensions, {next:.0} ms a text (the first {first:.0} ms)");
    if next <= SLOW_EMBEDDING_MS {
        Check::ok(NAME, detail)
    } else {
        let advice = "The server is busy, or its library is not a release build.";
        Check::warn(NAME, detail, advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extension(installed: Option<&str>, available: Option<&str>) -> server::Extension {
        server::Extension {
            installed: installed.map(str::to_owned),
            available: available.map(str::to_owned),
        }
    }

    #[test]
    fn pgvector_must_be_there_and_new_enough() {
        assert_eq!(check_pgvector(&extension(Some("0.8.0"), None)).state, State::Ok);
        assert_eq!(check_pgvector(&extension(Some("0.10.1"), None)).state, State::Ok);
        assert_eq!(check_pgvector(&extension(Some("1.0"), None)).state, State::Ok);
        assert_eq!(check_pgvector(&extension(Some("0.7.4"), None)).state, State::Fail);
        assert_eq!(check_pgvector(&extension(None, Some("0.8.0"))).state, State::Fail);
        assert_eq!(check_pgvector(&extension(None, None)).state, State::Fail);
    }

    #[test]
    fn versions_of_schema_and_library_are_compared() {
        let check = |installed, available, library: Option<&str>| {
            check_muninn(&extension(installed, available), Ok(library.map(str::to_owned))).state
        };
        assert_eq!(check(Some("0.1.0"), Some("0.1.0"), Some("0.1.0")), State::Ok);
        assert_eq!(check(Some("0.1.0"), Some("0.1.0"), Some("0.2.0")), State::Warn);
        assert_eq!(check(Some("0.1.0"), Some("0.2.0"), Some("0.1.0")), State::Warn);
        assert_eq!(check(None, Some("0.1.0"), None), State::Fail);
        assert_eq!(check(None, None, None), State::Fail);
    }

    #[test]
    fn preloading_is_recognised_in_every_form() {
        for (libraries, state) in [
            (Some("muninn"), State::Ok),
            (Some("pg_cron, \"muninn\""), State::Ok),
            (Some("$libdir/muninn.so"), State::Ok),
            (Some("muninn2"), State::Warn),
            (Some(""), State::Warn),
            (None, State::Ok),
        ] {
            assert_eq!(check_preloaded(libraries).state, state, "{libraries:?}");
        }
    }

    #[test]
    fn a_role_without_rights_is_told_which() {
        let rights = server::Rights {
            role: "anna".into(),
            superuser: false,
            gateway: false,
            operator: false,
            usable: false,
        };
        let check = check_rights(&rights);
        assert_eq!(check.state, State::Fail);
        assert!(check.advice.expect("advice").contains("GRANT muninn_gateway"));
    }
}
