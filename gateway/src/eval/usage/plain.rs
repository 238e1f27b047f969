//! Plain sets after use: half of the questions are asked and learned from, then
//! all of them are asked, with what was learned and without.

use std::path::Path;

use muninn_core::evaluation::figures::Figures;
use serde::Serialize;

use super::{Variant, db};
use crate::db::{Client, Db, memory};
use crate::error::Error;
use crate::eval::dataset::{Dataset, Set};
use crate::eval::load::{self, How};
use crate::eval::progress::Progress;

/// The sets: those whose questions have right answers.
const SETS: [Set; 4] = [Set::LocomoTurn, Set::LocomoSession, Set::Beam, Set::Cranfield];
/// What is compared: without what was learned, parts of it, all.
pub const VARIANTS: [Variant; 4] =
    [Variant::Without, Variant::Temporal, Variant::Association, Variant::All];
/// The figures that are compared.
const METRICS: [(&str, usize); 4] = [("recall_5", 0), ("recall_10", 1), ("mrr", 4), ("ndcg_10", 5)];

/// A set before and after use.
#[derive(Debug, Serialize)]
pub struct Plain {
    /// Its name.
    pub set: &'static str,
    /// How many questions.
    pub questions: usize,
    /// Name, and the figure with each of [`VARIANTS`].
    pub figures: Vec<(&'static str, [f64; VARIANTS.len()])>,
}

/// Uses and asks each set that is there.
pub async fn evaluate(db: &Db, client: &Client, data: &Path) -> Result<Vec<Plain>, Error> {
    let mut found = Vec::new();
    for set in SETS {
        match set.read(data)? {
            Some(dataset) => found.push(evaluate_set(db, client, set, &dataset).await?),
            None => eprintln!("{}: skipped, it is not in {}", set.name(), data.display()),
        }
    }
    Ok(found)
}

async fn evaluate_set(
    db: &Db,
    client: &Client,
    set: Set,
    dataset: &Dataset,
) -> Result<Plain, Error> {
    let bot = format!("eval-{}", set.stored_as().name());
    memory::ensure_bot(client, &bot).await?;
    let how = How { jobs: 2, fresh: false, with_meaning: true };
    let corpora = load::load(db, &bot, dataset, how).await?;
    db::unlearn(client, &bot).await?;
    db::set_now(client, None, 0.0).await?;
    let progress = Progress::new(format!("{}: using", set.name()), dataset.questions.len() * 2);
    for question in dataset.questions.iter().step_by(2) {
        let person = corpora[question.corpus].person;
        let settings = Variant::All.settings().to_string();
        let found = db::ask(client, &bot, person, &question.text, 10, &settings).await?;
        db::record(client, &bot, person, &found).await?;
        progress.add(1);
    }
    db::run_task(client, "hebbian").await?;
    let mut sums = [[0.0; 7]; VARIANTS.len()];
    for question in &dataset.questions {
        for (variant, sums) in VARIANTS.into_iter().zip(&mut sums) {
            let corpus = &corpora[question.corpus];
            let settings = variant.settings().to_string();
            let found = db::ask(client, &bot, corpus.person, &question.text, 10, &settings).await?;
            let returned = corpus.keys_of(found.into_iter(), &question.gold);
            let figures = Figures::of(&returned, &question.gold).values();
            sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
        }
        progress.add(1);
    }
    db::unlearn(client, &bot).await?;
    progress.finish(&format!("{}: used", set.name()));
    let count = dataset.questions.len();
    let figures =
        METRICS.map(|(name, at)| (name, sums.map(|sums| sums[at] / count.max(1) as f64))).to_vec();
    Ok(Plain { set: set.name(), questions: count, figures })
}
