//! One evaluation: every set is loaded, every question asked, every run stored.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use muninn_core::evaluation::figures::Figures;
use muninn_core::evaluation::summary::{Scored, Summary};
use serde::Serialize;
use serde_json::{Value, json};

use super::dataset::{Dataset, Question, Set};
use super::load::{self, How, Loaded};
use super::progress::Progress;
use crate::db::evaluation::{self, Owner, ResultRow, RunId};
use crate::db::memory::{self, Recall};
use crate::db::{Client, Db, server, usage};
use crate::error::Error;

/// How the arms of a search are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fusion {
    /// By words alone
    Lexical,
    /// By meaning alone
    Vector,
    /// Reciprocal ranks of both
    Rrf,
    /// Weighted sum of both
    Convex,
}

impl Fusion {
    /// Its name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Vector => "vector",
            Self::Rrf => "rrf",
            Self::Convex => "convex",
        }
    }
}

/// What to evaluate.
#[derive(Debug)]
pub struct Options {
    /// The folder of the sets.
    pub data: PathBuf,
    /// Which sets.
    pub sets: Vec<Set>,
    /// Which fusions.
    pub fusions: Vec<Fusion>,
    /// How many questions of each set at most.
    pub limit: Option<usize>,
    /// How many answers to ask for.
    pub k: i32,
    /// How many connections load side by side.
    pub jobs: usize,
    /// Whether to forget and load again what is there.
    pub fresh: bool,
    /// Settings of the bots over those of the set.
    pub settings: serde_json::Map<String, Value>,
}

/// One set with one fusion.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Its id in `muninn.eval_run`.
    pub run: i64,
    /// The set.
    pub set: String,
    /// The fusion.
    pub fusion: &'static str,
    /// Its figures.
    #[serde(flatten)]
    pub summary: Summary,
    /// What it was run with.
    pub settings: Value,
}

/// What an evaluation found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Version of the extension.
    pub version: String,
    /// The database.
    pub database: String,
    /// Sets that were not in the folder.
    pub skipped: Vec<&'static str>,
    /// The runs, in their order.
    pub runs: Vec<Run>,
}

/// Who owns the runs of public sets.
const RUNNER: &str = "runner";

/// The person who owns the runs of public sets, if there is any yet.
///
/// # Errors
/// [`Error::Database`].
pub async fn runner(client: &Client) -> Result<Option<i64>, Error> {
    memory::known_person(client, load::PROVIDER, RUNNER).await
}

/// Evaluates. Nothing is written unless the name of the database ends in `_test`.
///
/// # Errors
/// [`Error::NoExtension`], [`Error::Database`] where the database is not for tests,
/// and those of reading and loading the sets.
pub async fn evaluate(db: &Db, options: &Options) -> Result<Report, Error> {
    let mut client = db.client().await?;
    let database = server::server(&client).await?.database;
    if server::extension(&client, "muninn").await?.installed.is_none() {
        return Err(Error::NoExtension(database));
    }
    evaluation::require_test_database(&client).await?;
    usage::do_not_record(&client).await?;
    let version = server::library_version(&client).await?;
    let mut report = Report { version, database, skipped: Vec::new(), runs: Vec::new() };
    let mut reloaded = HashSet::new();
    for &set in &options.sets {
        let Some(mut dataset) = set.read(&options.data)? else {
            let folder = options.data.join(set.folder());
            eprintln!("{}: skipped, it is not in {}", set.name(), folder.display());
            report.skipped.push(set.name());
            continue;
        };
        if let Some(limit) = options.limit {
            dataset.limit(limit);
        }
        // What two sets ask about is loaded once.
        let fresh = options.fresh && reloaded.insert(set.stored_as().name());
        let version = &report.version;
        let runs = evaluate_set(db, &mut client, &dataset, options, fresh, version).await?;
        report.runs.extend(runs);
    }
    Ok(report)
}

/// Runs a golden set of a person with each fusion; nothing else is written.
///
/// # Errors
/// [`Error::NoExtension`], [`Error::Database`].
pub async fn evaluate_golden(
    client: &Client,
    owner: &Owner,
    set: &str,
    fusions: &[Fusion],
    k: i32,
    settings: &Value,
) -> Result<Report, Error> {
    let database = server::server(client).await?.database;
    if server::extension(client, "muninn").await?.installed.is_none() {
        return Err(Error::NoExtension(database));
    }
    let version = server::library_version(client).await?;
    let mut report = Report { version, database, skipped: Vec::new(), runs: Vec::new() };
    for fusion in fusions {
        let fusion = fusion.name();
        let run = evaluation::run_golden(client, owner, set, k, fusion, settings).await?;
        let listed = evaluation::runs(client, owner).await?.into_iter().find(|r| r.run == run);
        let Some((target, Some(metrics), settings)) =
            listed.map(|listed| (listed.target, listed.metrics, listed.settings))
        else {
            return Err(Error::Task(format!("run {run} is gone")));
        };
        let summary =
            serde_json::from_value(metrics).map_err(|error| Error::Task(error.to_string()))?;
        report.runs.push(Run { run, set: target, fusion, summary, settings });
    }
    Ok(report)
}

async fn evaluate_set(
    db: &Db,
    client: &mut Client,
    dataset: &Dataset,
    options: &Options,
    fresh: bool,
    version: &str,
) -> Result<Vec<Run>, Error> {
    let name = dataset.set.name();
    let bot = format!("eval-{}", dataset.set.stored_as().name());
    // All that can be set, so that no earlier run shows through.
    let mut settings = json!({
        "language": dataset.set.language(), "fusion": null, "semantic_weight": null,
        "context": null, "passages": null, "kin": null, "time": null,
        "answerable": null, "temporal": null, "association": null, "confidence": null,
        "decay": null,
    });
    if let Some(object) = settings.as_object_mut() {
        object.extend(options.settings.clone());
    }
    memory::ensure_bot(client, &bot).await?;
    let bot_settings = memory::configure_bot(client, &bot, &settings).await?;
    let how = How {
        jobs: options.jobs,
        fresh,
        with_meaning: options.fusions.iter().any(|fusion| *fusion != Fusion::Lexical),
    };
    let corpora = load::load(db, &bot, dataset, how).await?;
    let settings = json!({
        "bot": bot_settings,
        "k": options.k,
        "limit": options.limit,
        "corpora": dataset.corpora.len(),
        "documents": dataset.documents(),
        "skipped_questions": dataset.skipped,
    });
    let runner = memory::person(client, load::PROVIDER, RUNNER).await?;
    let mut runs = Vec::new();
    for fusion in &options.fusions {
        let fusion = fusion.name();
        let run =
            evaluation::start_run(client, &bot, runner, name, fusion, version, &settings).await?;
        let answers = ask_all(client, &bot, dataset, &corpora, fusion, options.k).await?;
        let summary = finish(client, run, dataset, &answers).await?;
        let set = name.to_owned();
        runs.push(Run { run: run.run, set, fusion, summary, settings: settings.clone() });
    }
    Ok(runs)
}

struct Answer {
    returned: Vec<String>,
    /// Of the first result.
    relevance: Option<f64>,
    figures: Option<Figures>,
    milliseconds: f64,
}

/// Asks one question after the other, so that their times are those of a server at rest.
async fn ask_all(
    client: &Client,
    bot: &str,
    dataset: &Dataset,
    corpora: &[Loaded],
    fusion: &str,
    k: i32,
) -> Result<Vec<Answer>, Error> {
    let what = format!("{}: asking, {fusion}", dataset.set.name());
    let progress = Progress::new(what.clone(), dataset.questions.len());
    // A session's first question also reads the model; that is no part of a question's time.
    if let Some(first) = dataset.questions.first() {
        ask(client, bot, first, corpora, fusion, k).await?;
    }
    let mut answers = Vec::with_capacity(dataset.questions.len());
    for question in &dataset.questions {
        answers.push(ask(client, bot, question, corpora, fusion, k).await?);
        progress.add(1);
    }
    progress.finish(&format!("{what}: {} questions", answers.len()));
    Ok(answers)
}

async fn ask(
    client: &Client,
    bot: &str,
    question: &Question,
    corpora: &[Loaded],
    fusion: &str,
    k: i32,
) -> Result<Answer, Error> {
    let corpus = &corpora[question.corpus];
    let call = Recall { bot, person: corpus.person, query: &question.text, k, fusion };
    let started = Instant::now();
    let found = memory::recall(client, call).await?;
    let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
    let returned = corpus.keys_of(found.iter().map(|(id, _)| *id), &question.gold);
    let figures = (!question.negative).then(|| Figures::of(&returned, &question.gold));
    let relevance = found.first().map(|(_, relevance)| *relevance);
    Ok(Answer { figures, returned, relevance, milliseconds })
}

async fn finish(
    client: &mut Client,
    run: RunId,
    dataset: &Dataset,
    answers: &[Answer],
) -> Result<Summary, Error> {
    let graded = dataset.questions.iter().flat_map(|q| &q.gold).any(|gold| gold.grade != 1);
    let pairs = || dataset.questions.iter().zip(answers);
    let scored: Vec<Scored<'_>> = pairs()
        .map(|(question, answer)| Scored {
            figures: answer.figures,
            relevance: answer.relevance.unwrap_or_default(),
            answered: !answer.returned.is_empty(),
            milliseconds: answer.milliseconds,
            category: question.category.as_deref(),
        })
        .collect();
    let summary = Summary::of(&scored, graded);
    let results: Vec<ResultRow<'_>> = pairs()
        .map(|(question, answer)| ResultRow {
            query_key: &question.key,
            query: &question.text,
            category: question.category.as_deref(),
            expected: question.gold.iter().map(|gold| gold.key.as_str()).collect(),
            returned: &answer.returned,
            relevance: answer.relevance,
            figures: answer.figures,
            milliseconds: answer.milliseconds,
        })
        .collect();
    let metrics = serde_json::to_value(&summary).map_err(|error| Error::Task(error.to_string()))?;
    evaluation::finish_run(client, run, &results, graded, &metrics).await?;
    Ok(summary)
}
