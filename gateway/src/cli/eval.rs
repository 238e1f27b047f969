//! `muninn eval`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, value_parser};
use serde_json::{Map, Value};

use super::Connection;
use crate::error::Error;
use crate::eval::dataset::Set;
use crate::eval::gate::{self, Verdict};
use crate::eval::report;
use crate::eval::run::{self, Fusion, Options};

/// Arguments of `muninn eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    #[command(flatten)]
    connection: Connection,
    /// Folder with the sets: locomo, beam-100k, cranfield, memdaily-zh
    #[arg(long, env = "MUNINN_EVAL_DATA")]
    data: PathBuf,
    /// Sets to evaluate, separated by commas [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) set: Vec<Set>,
    /// Fusions to evaluate, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "lexical,vector,rrf,convex")]
    pub(super) fusion: Vec<Fusion>,
    /// Ask only the first so many questions of each set, and load only what they need
    #[arg(long, value_parser = value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// How many answers to ask for; with more than 10, MRR looks deeper
    #[arg(long, default_value_t = 10, value_parser = value_parser!(i32).range(10..=1000))]
    k: i32,
    /// How many connections load side by side; only with 1 do equal scores have the
    /// same order after every load
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Forget what an earlier run loaded, and load it again
    #[arg(long)]
    fresh: bool,
    /// Settings of the bots, such as {"semantic_weight": 0.4}
    #[arg(long, value_name = "JSON", value_parser = object)]
    settings: Option<Map<String, Value>>,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare the figures with the demands in this file, and fail if one is not met
    #[arg(long, value_name = "FILE")]
    gate: Option<PathBuf>,
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("not an object of JSON: {error}"))
}

/// Evaluates, prints the table, and compares with the gate.
pub async fn run(args: EvalArgs) -> Result<ExitCode, Error> {
    if !args.data.is_dir() {
        let folder = args.data.display();
        return Err(Error::Argument(format!("there is no folder {folder} with evaluation sets")));
    }
    // Read first: a mistake in it should not show after an hour.
    let demands = args.gate.as_deref().map(gate::read).transpose()?.unwrap_or_default();
    // One connection more than load: the one that asks is kept.
    let db = args.connection.pool(usize::from(args.jobs) + 2)?;
    let options = Options {
        data: args.data,
        sets: if args.set.is_empty() { Set::ALL.to_vec() } else { args.set },
        fusions: args.fusion,
        limit: args.limit.map(|limit| limit as usize),
        k: args.k,
        jobs: usize::from(args.jobs),
        fresh: args.fresh,
        settings: args.settings.unwrap_or_default(),
    };
    let report = run::evaluate(&db, &options).await?;
    print!("{}", report::table(&report));
    if let Some(path) = args.json {
        let text = serde_json::to_string_pretty(&report)
            .map_err(|error| Error::Task(error.to_string()))?;
        std::fs::write(&path, text + "\n").map_err(|source| Error::File { path, source })?;
    }
    let judged = gate::judge(&demands, &report);
    judged.iter().for_each(|judged| println!("{judged}"));
    let failed = judged.iter().any(|judged| judged.verdict == Verdict::Fail);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
