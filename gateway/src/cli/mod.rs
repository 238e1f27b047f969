//! The command line.

mod doctor;
mod eval;

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
    /// Measure recall on public question sets
    Eval(eval::EvalArgs),
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
    let result = match Cli::parse().command {
        Command::Doctor(args) => doctor::run(args).await,
        Command::Eval(args) => eval::run(args).await,
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        if let Some(hint) = error.hint() {
            eprintln!("hint: {hint}");
        }
        ExitCode::FAILURE
    })
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
}
