//! `muninn serve`, `muninn link` and `muninn mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tracing::{info, warn};

use crate::config::{Config, Hidden};
use crate::db::memory;
use crate::db::sign_in::{self, Identity};
use crate::error::Error;
use crate::log;
use crate::mcp::{self, Principal};
use crate::serve::{App, Running, told_to_end};

/// Who uses a gateway on their own machine.
const OWNER: Identity<'static> =
    Identity { provider: "local", subject: "owner", tenant: "", name: None };

/// Arguments of `muninn serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    #[command(flatten)]
    settings: Settings,
    /// Address and port to listen at
    #[arg(long)]
    listen: Option<SocketAddr>,
}

/// Arguments of `muninn link`.
#[derive(Debug, Args)]
pub struct LinkArgs {
    #[command(flatten)]
    settings: Settings,
}

/// Arguments of `muninn mcp`.
#[derive(Debug, Args)]
pub struct McpArgs {
    #[command(flatten)]
    settings: Settings,
    /// The bot whose memory it is, as the owner of this machine; without it the environment
    /// variable MUNINN_TOKEN says bot and person
    #[arg(long)]
    bot: Option<String>,
}

/// Where the settings are.
#[derive(Debug, Args)]
struct Settings {
    /// File with settings; muninn.example.toml explains each
    #[arg(long, env = "MUNINN_CONFIG")]
    config: Option<PathBuf>,
    /// Connection string, over the one of the settings. Other users of this machine can
    /// read arguments: put a password into DATABASE_URL
    #[arg(long)]
    url: Option<String>,
}

impl Settings {
    fn read(self) -> Result<Config, Error> {
        let mut config = Config::read(self.config.as_deref())?;
        if let Some(url) = self.url {
            config.database.url = Some(Hidden(url));
        }
        Ok(config)
    }
}

/// Serves until told to end.
pub async fn run(args: ServeArgs) -> Result<ExitCode, Error> {
    let mut config = args.settings.read()?;
    if let Some(listen) = args.listen {
        config.serve.listen = listen;
        config = config.checked()?;
    }
    let _logging = log::begin(&config.log)?;
    let running = Running::bind(config).await?;
    let app = running.app();
    info!(address = %app.config.serve.listen, "listening");
    if app.config.sign_in.oidc.is_none() {
        match link(app).await {
            Ok(link) => println!("Open {link} in a browser (once, within 15 minutes)."),
            // It serves as soon as the database is there; `muninn link` prints one then.
            Err(error) => {
                warn!(%error, hint = error.hint(), "no link to sign in with yet: muninn link prints one")
            }
        }
    }
    running.serve(told_to_end()).await?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a one-time link for the owner of this machine.
pub async fn print_link(args: LinkArgs) -> Result<ExitCode, Error> {
    let config = args.settings.read()?;
    if config.sign_in.oidc.is_some() {
        return Err(Error::Argument(
            "people sign in at the identity provider; a link is for a gateway without one".into(),
        ));
    }
    let app = App::new(config)?;
    println!("{}", link(&app).await?);
    Ok(ExitCode::SUCCESS)
}

/// Serves the Model Context Protocol on standard input and output.
pub async fn serve_mcp(args: McpArgs) -> Result<ExitCode, Error> {
    let config = args.settings.read()?;
    let _logging = log::begin(&config.log)?;
    let app = App::new(config)?;
    let client = app.db.client().await?;
    let principal = match (args.bot, std::env::var("MUNINN_TOKEN")) {
        (Some(bot), _) => {
            let person = memory::person(&client, OWNER.provider, OWNER.subject).await?;
            Principal { bot, person, reads: true, writes: true }
        }
        (None, Ok(token)) => {
            let bearer = sign_in::bearer(&client, &token).await?.ok_or_else(|| {
                Error::Argument(
                    "MUNINN_TOKEN is not valid: it may have expired or been revoked".into(),
                )
            })?;
            let may = |scope: &str| bearer.scopes.iter().any(|s| s == scope);
            let (reads, writes) = (may("read"), may("write"));
            Principal { bot: bearer.bot, person: bearer.person, reads, writes }
        }
        (None, Err(_)) => {
            return Err(Error::Argument("whose memory? Pass --bot, or set MUNINN_TOKEN".into()));
        }
    };
    drop(client);
    mcp::serve_stdio(app, principal).await?;
    Ok(ExitCode::SUCCESS)
}

async fn link(app: &App) -> Result<String, Error> {
    let base = app.config.public_url();
    let client = app.db.client().await?;
    let code = sign_in::link(&client, OWNER).await?;
    Ok(format!("{base}/sign-in?code={code}"))
}
