//! The command line.

mod doctor;
mod eval;
mod serve;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::db::Db;
use crate::error::Error;

/// Memory for AI assistants in Postgres.
#[derive(Debug, Parser)]
#[command(name = "muninn", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check the database, the extension and the rights, and say what to do
    Doctor(doctor::DoctorArgs),
    /// Measure recall on question sets, and compare runs
    Eval(Box<eval::EvalArgs>),
    /// Connect people and models to the database: web chat, REST, MCP
    Serve(serve::ServeArgs),
    /// Print a one-time link to sign in with, for a gateway on this machine
    Link(serve::LinkArgs),
    /// Serve memory as tools of the Model Context Protocol on standard input and output
    Mcp(serve::McpArgs),
}

/// Which database.
#[derive(Debug, Args)]
struct Connection {
    /// Connection string: postgresql://user:password@host:port/database, or key=value pairs.
    /// Other users of this machine can read arguments: put a password into DATABASE_URL
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    url: String,
}

impl Connection {
    /// A pool of at most so many connections; none is opened yet.
    fn pool(&self, size: usize) -> Result<Db, Error> {
        Db::new(&self.url, size)
    }
}

/// Reads the arguments, does what they say, and reports an error with its remedy.
pub async fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            // It repeats what was not expected, which may be a connection string.
            eprint!("{}", without_passwords(&error.render().to_string()));
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    let result = match cli.command {
        Command::Doctor(args) => doctor::run(args).await,
        Command::Eval(args) => eval::run(*args).await,
        Command::Serve(args) => serve::run(args).await,
        Command::Link(args) => serve::print_link(args).await,
        Command::Mcp(args) => serve::serve_mcp(args).await,
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        if let Some(hint) = error.hint() {
            eprintln!("hint: {hint}");
        }
        ExitCode::FAILURE
    })
}

/// The text with the passwords of connection strings in it left out.
fn without_passwords(text: &str) -> String {
    let secret_ends = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '&');
    let mut shown = String::new();
    let mut rest = text;
    while let Some(start) =
        ["://", "password="].iter().filter_map(|m| rest.find(m).map(|i| i + m.len())).min()
    {
        shown.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(secret_ends).unwrap_or(rest.len());
        let secret = &rest[..end];
        let hidden = if shown.ends_with('=') {
            "…".to_owned()
        } else {
            match secret.rsplit_once('@') {
                Some((user, place)) => {
                    format!("{}:…@{place}", user.split(':').next().unwrap_or_default())
                }
                None => secret.to_owned(),
            }
        };
        shown.push_str(&hidden);
        rest = &rest[end..];
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lists_are_separated_by_commas() {
        let cli = Cli::try_parse_from([
            "muninn",
            "eval",
            "--url",
            "postgresql:///x_test",
            "--data",
            "d",
            "--set",
            "beam,cranfield",
            "--fusion",
            "rrf,convex",
        ])
        .expect("valid");
        let Command::Eval(args) = cli.command else { panic!("another command") };
        assert_eq!(format!("{:?} {:?}", args.set, args.fusion), "[Beam, Cranfield] [Rrf, Convex]");
    }

    #[test]
    fn what_was_not_expected_is_repeated_without_its_password() {
        for (text, shown) in [
            (
                "unexpected 'postgresql://u:p@ss@h:1/d' found",
                "unexpected 'postgresql://u:…@h:1/d' found",
            ),
            ("'host=h password=secret user=u'", "'host=h password=… user=u'"),
            ("nothing to hide: http://h/d", "nothing to hide: http://h/d"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }
}
