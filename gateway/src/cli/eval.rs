//! `muninn eval`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, value_parser};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Connection;
use crate::db::evaluation::{self, Owner};
use crate::db::{Client, Db};
use crate::error::Error;
use crate::eval::compare::{self, Comparison};
use crate::eval::dataset::Set;
use crate::eval::gate::{self, Verdict};
use crate::eval::report;
use crate::eval::run::{self, Fusion, Options};
use crate::eval::usage;

/// Arguments of `muninn eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    #[command(subcommand)]
    pub(super) command: Option<EvalCommand>,
    #[command(flatten)]
    connection: Connection,
    /// Folder with the sets: locomo, beam-100k, cranfield, memdaily-zh
    #[arg(long, env = "MUNINN_EVAL_DATA")]
    data: Option<PathBuf>,
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
    /// Write the figures into the file of --gate, as those that must be held
    #[arg(long, requires = "gate", conflicts_with_all = ["limit", "settings", "k"])]
    record: bool,
}

/// What can be done with runs and golden sets.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// List the runs: of the public sets, or of a person's own sets
    List(ListArgs),
    /// Compare two runs: figures, differences with their intervals, and what moved
    Compare(CompareArgs),
    /// Run a person's golden set (see muninn.eval_create_set)
    Golden(GoldenArgs),
    /// Measure what learning from use adds: on worlds that are made for it, each
    /// mechanism alone and all, and on the public sets once they have been used
    Use(UseArgs),
}

/// Arguments of `muninn eval use`.
#[derive(Debug, Args)]
pub struct UseArgs {
    /// Folder with the public sets; without it, only the worlds are asked about
    #[arg(long, env = "MUNINN_EVAL_DATA")]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `muninn eval list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    whose: Whose,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `muninn eval compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Id of the first run
    a: i64,
    /// Id of the second run
    b: i64,
    #[command(flatten)]
    whose: Whose,
    /// How many of the questions that moved to show
    #[arg(long, default_value_t = 20)]
    moved: usize,
    /// Print JSON, with all that moved
    #[arg(long)]
    json: bool,
}

/// Arguments of `muninn eval golden`.
#[derive(Debug, Args)]
pub struct GoldenArgs {
    /// Name of the set
    set: String,
    /// The bot that is asked
    #[arg(long)]
    bot: String,
    /// Id of the person whose set it is, and in whose scope it is asked
    #[arg(long)]
    person: i64,
    /// Fusions to evaluate, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "convex")]
    fusion: Vec<Fusion>,
    /// How many answers to ask for
    #[arg(long, default_value_t = 10, value_parser = value_parser!(i32).range(10..=1000))]
    k: i32,
    /// Settings over those of the bot, for this run alone
    #[arg(long, value_name = "JSON", value_parser = object)]
    settings: Option<Map<String, Value>>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Whose runs; those of the public sets unless a person is named.
#[derive(Debug, Args)]
struct Whose {
    /// The bot that was asked
    #[arg(long, requires = "person")]
    bot: Option<String>,
    /// Id of the person who ran them
    #[arg(long, requires = "bot")]
    person: Option<i64>,
}

impl Whose {
    fn named(self) -> Option<Owner> {
        self.bot.zip(self.person).map(|(bot, person)| Owner { bot, person })
    }
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("not an object of JSON: {error}"))
}

/// Evaluates, prints the table, and compares with the gate; or does what the
/// command says.
pub async fn run(args: EvalArgs) -> Result<ExitCode, Error> {
    match args.command {
        None => evaluate(args).await,
        Some(command) => {
            let db = args.connection.pool(4)?;
            match command {
                EvalCommand::List(args) => list(&db.client().await?, args).await,
                EvalCommand::Compare(args) => compare(&db.client().await?, args).await,
                EvalCommand::Golden(args) => golden(&db.client().await?, args).await,
                EvalCommand::Use(args) => use_it(&db, args).await,
            }
        }
    }
}

async fn evaluate(args: EvalArgs) -> Result<ExitCode, Error> {
    let data = args.data.ok_or_else(|| {
        Error::Argument("no folder with evaluation sets is named: --data FOLDER".into())
    })?;
    if !data.is_dir() {
        let folder = data.display();
        return Err(Error::Argument(format!("there is no folder {folder} with evaluation sets")));
    }
    // Read first: a mistake in it should not show after an hour.
    let mut gate = args.gate.as_deref().map(gate::read).transpose()?.unwrap_or_default();
    // One connection more than load: the one that asks is kept.
    let db: Db = args.connection.pool(usize::from(args.jobs) + 2)?;
    let options = Options {
        data,
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
        let text = pretty(&report)?;
        std::fs::write(&path, text + "\n").map_err(|source| Error::File { path, source })?;
    }
    // Judged by what was recorded before.
    let judged = gate.judge(&report);
    judged.iter().for_each(|judged| println!("{judged}"));
    if let Some(path) = args.gate.filter(|_| args.record) {
        gate.record(&report);
        gate.write(&path)?;
        println!("recorded in {}", path.display());
        return Ok(ExitCode::SUCCESS);
    }
    let failed = judged.iter().any(|judged| judged.verdict == Verdict::Fail);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn use_it(db: &Db, args: UseArgs) -> Result<ExitCode, Error> {
    let report = usage::evaluate(db, args.data.as_deref()).await?;
    print(args.json, &report, usage::table)?;
    let failures = report.failures();
    failures.iter().for_each(|failure| println!("FAIL  {failure}"));
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn list(client: &Client, args: ListArgs) -> Result<ExitCode, Error> {
    let owners = match args.whose.named() {
        Some(owner) => vec![owner],
        None => match run::runner(client).await? {
            Some(person) => {
                let bots = evaluation::bots_with_runs(client, person).await?;
                bots.into_iter().map(|bot| Owner { bot, person }).collect()
            }
            None => Vec::new(),
        },
    };
    let mut runs = Vec::new();
    for owner in &owners {
        runs.extend(evaluation::runs(client, owner).await?);
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.run));
    print(args.json, &runs, |runs| compare::list(runs))
}

async fn compare(client: &Client, args: CompareArgs) -> Result<ExitCode, Error> {
    let owner = match args.whose.named() {
        Some(owner) => owner,
        None => {
            let found = match run::runner(client).await? {
                Some(person) => evaluation::bot_of_run(client, person, args.a)
                    .await?
                    .map(|bot| Owner { bot, person }),
                None => None,
            };
            found.ok_or_else(|| {
                let run = args.a;
                Error::Argument(format!(
                    "run {run} is none of a public set: for a person's own runs name --bot and --person"
                ))
            })?
        }
    };
    let comparison = Comparison {
        run_a: args.a,
        run_b: args.b,
        metrics: evaluation::compare(client, &owner, args.a, args.b).await?,
        moved: evaluation::moved(client, &owner, args.a, args.b).await?,
    };
    print(args.json, &comparison, |comparison| compare::text(comparison, args.moved))
}

async fn golden(client: &Client, args: GoldenArgs) -> Result<ExitCode, Error> {
    let owner = Owner { bot: args.bot, person: args.person };
    let settings = json!(args.settings.unwrap_or_default());
    let report =
        run::evaluate_golden(client, &owner, &args.set, &args.fusion, args.k, &settings).await?;
    print(args.json, &report, report::table)
}

fn print<T: Serialize>(
    json: bool,
    value: &T,
    text: impl Fn(&T) -> String,
) -> Result<ExitCode, Error> {
    let shown = if json { pretty(value)? + "\n" } else { text(value) };
    // A reader that has gone (head, less) has seen enough.
    let _ = std::io::stdout().write_all(shown.as_bytes());
    Ok(ExitCode::SUCCESS)
}

fn pretty(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string_pretty(value).map_err(|error| Error::Task(error.to_string()))
}
