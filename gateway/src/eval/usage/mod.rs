//! Does it help to learn from use? Worlds are made from a fixed seed, lived
//! through with a clock of their own, and then asked about with each mechanism
//! alone, all, and none. Plain sets are used, too, and must not get worse.

mod plain;
mod report;
mod world;
mod worlds;

use serde::Serialize;
use serde_json::{Value, json};

use muninn_core::evaluation::bootstrap::Mean;
use muninn_core::evaluation::figures::{Figures, Gold};

pub use report::table;

use super::progress::Progress;
use crate::db::usage as db;
use crate::db::{Client, Db, evaluation, memory, server};
use crate::error::Error;
use world::{Event, World};

/// Where the identities of the people come from who live in the worlds.
const PROVIDER: &str = "muninn-eval-use";
/// The bot of the worlds.
const BOT: &str = "eval-use";
/// When the questions are asked, whatever the clock says.
const NOW: &str = "2026-01-01 12:00:00Z";
/// What a mechanism must add to recall@5 on the set that is made for it.
pub const GAIN: f64 = 0.05;
/// What a figure of a plain set may lose.
pub const LOSS: f64 = 0.002;

/// A way of scoring: what is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Nothing that is learned.
    Without,
    /// Base-level activation alone.
    Temporal,
    /// Links alone.
    Association,
    /// Confidence alone.
    Confidence,
    /// Decay alone.
    Decay,
    /// What is on by default.
    All,
}

impl Variant {
    /// All, in the order of the table.
    pub const ALL: [Self; 6] = [
        Self::Without,
        Self::Temporal,
        Self::Association,
        Self::Confidence,
        Self::Decay,
        Self::All,
    ];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Without => "without",
            Self::Temporal => "temporal",
            Self::Association => "association",
            Self::Confidence => "confidence",
            Self::Decay => "decay",
            Self::All => "all",
        }
    }

    fn settings(self) -> Value {
        let mut settings = json!({"language": "en"});
        if self != Self::All {
            for part in [Self::Temporal, Self::Association, Self::Confidence] {
                if part != self {
                    settings[part.name()] = json!(0);
                }
            }
        }
        if self == Self::Decay {
            settings["decay"] = json!(true);
        }
        settings
    }
}

/// A figure of a set with a variant.
#[derive(Debug, Serialize)]
pub struct Figure {
    /// Of which variant.
    pub variant: Variant,
    /// recall@5, over the questions.
    pub recall_5: f64,
    /// How much that is above `without`, paired, with its 95 % interval.
    pub gain: [f64; 3],
}

/// A set that is made for a mechanism.
#[derive(Debug, Serialize)]
pub struct Used {
    /// Its name.
    pub set: &'static str,
    /// The mechanisms that it is made for.
    pub made_for: &'static [Variant],
    /// How many questions it has.
    pub questions: usize,
    /// A figure a variant.
    pub figures: Vec<Figure>,
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The sets that are made.
    pub used: Vec<Used>,
    /// The plain sets, before and after use.
    pub plain: Vec<plain::Plain>,
}

impl Report {
    /// What is not as it must be, a line each.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for used in &self.used {
            let figures = used.figures.iter().filter(|f| used.made_for.contains(&f.variant));
            for figure in figures.filter(|figure| figure.gain[0] < GAIN) {
                failures.push(format!(
                    "{}: {} adds {:+.3} to recall@5, less than {GAIN}",
                    used.set,
                    figure.variant.name(),
                    figure.gain[0]
                ));
            }
        }
        for plain in &self.plain {
            for (metric, figures) in &plain.figures {
                let before = figures[0];
                let after = figures[figures.len() - 1];
                if after - before < -LOSS {
                    failures.push(format!(
                        "{}: {metric} falls from {before:.4} to {after:.4}",
                        plain.set
                    ));
                }
            }
        }
        failures
    }
}

/// Lives through all worlds and asks.
///
/// # Errors
/// [`Error::NoExtension`], [`Error::Database`] where the database is not for tests.
pub async fn evaluate(db: &Db, data: Option<&std::path::Path>) -> Result<Report, Error> {
    let client = db.client().await?;
    let database = server::server(&client).await?.database;
    if server::extension(&client, "muninn").await?.installed.is_none() {
        return Err(Error::NoExtension(database));
    }
    evaluation::require_test_database(&client).await?;
    db::do_not_record(&client).await?;
    let mut used = Vec::new();
    for (set, made_for, make) in worlds::SETS {
        let worlds: Vec<World> = (0..worlds::WORLDS).map(make).collect();
        used.push(evaluate_set(&client, set, made_for, &worlds).await?);
    }
    let plain = match data {
        Some(data) => plain::evaluate(db, &client, data).await?,
        None => Vec::new(),
    };
    Ok(Report { used, plain })
}

async fn evaluate_set(
    client: &Client,
    set: &'static str,
    made_for: &'static [Variant],
    worlds: &[World],
) -> Result<Used, Error> {
    // From nothing, each time: what was learned is a part of the state.
    db::erase_bot(client, BOT).await?;
    memory::ensure_bot(client, BOT).await?;
    let questions: usize = worlds.iter().map(|world| world.questions.len()).sum();
    let progress = Progress::new(format!("use-{set}"), worlds.len());
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); Variant::ALL.len()];
    for (number, world) in worlds.iter().enumerate() {
        let person = memory::person(client, PROVIDER, &format!("{set}/{number}")).await?;
        let ids = live(client, person, world).await?;
        db::set_now(client, Some(NOW), 0.0).await?;
        for (variant, scores) in Variant::ALL.iter().zip(&mut scores) {
            for question in &world.questions {
                let settings = variant.settings().to_string();
                let found = db::ask(client, BOT, person, &question.text, 10, &settings).await?;
                let returned: Vec<String> = found.iter().map(i64::to_string).collect();
                let gold = Gold::plain(question.gold.iter().map(|&at| ids[at].to_string()));
                scores.push(Figures::of(&returned, &gold).recall_5);
            }
        }
        progress.add(1);
    }
    progress.finish(&format!("use-{set}: {questions} questions"));
    let without = scores[0].clone();
    let figures = Variant::ALL
        .into_iter()
        .zip(scores)
        .map(|(variant, scores)| {
            let gains: Vec<f64> = scores.iter().zip(&without).map(|(a, b)| a - b).collect();
            let gain = Mean::of(&gains).map_or([0.0; 3], |m| [m.mean, m.low, m.high]);
            let recall_5 = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
            Figure { variant, recall_5, gain }
        })
        .collect();
    Ok(Used { set, made_for, questions, figures })
}

/// Lives through a world; returns the ids of its statements.
async fn live(client: &Client, person: i64, world: &World) -> Result<Vec<i64>, Error> {
    let mut ids = Vec::with_capacity(world.statements.len());
    for statement in &world.statements {
        db::set_now(client, Some(NOW), statement.days_ago).await?;
        ids.push(db::remember(client, BOT, person, &statement.text).await?);
    }
    for event in &world.events {
        match event {
            Event::Recall { text, k, days_ago } => {
                db::set_now(client, Some(NOW), *days_ago).await?;
                let settings = Variant::All.settings().to_string();
                let found = db::ask(client, BOT, person, text, *k, &settings).await?;
                db::record(client, BOT, person, &found).await?;
                db::run_task(client, "hebbian").await?;
            }
            Event::Link { a, b } => db::associate(client, BOT, person, ids[*a], ids[*b]).await?,
            Event::Evidence { of, verb, source } => {
                db::evidence(client, BOT, person, ids[*of], verb, source).await?;
            }
        }
    }
    db::set_now(client, Some(NOW), 0.0).await?;
    db::run_task(client, "confidence").await?;
    memory::configure_bot(client, BOT, &json!({"decay": true})).await?;
    db::run_task(client, "decay").await?;
    memory::configure_bot(client, BOT, &json!({"decay": null})).await?;
    Ok(ids)
}
