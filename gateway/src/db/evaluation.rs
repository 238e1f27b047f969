//! Evaluation runs, their results, and their comparison.

use muninn_core::evaluation::figures::Figures;
use serde::Serialize;
use serde_json::Value;
use tokio_postgres::Row;

use super::Client;
use crate::error::Error;

/// Refuses a database that is not for tests.
///
/// # Errors
/// [`Error::Database`] (55000) unless its name ends in `_test`.
pub async fn require_test_database(client: &Client) -> Result<(), Error> {
    client
        .execute("SELECT muninn.require_test_database()", &[])
        .await
        .map_err(|e| Error::database("making sure that the database is for tests", &e))?;
    Ok(())
}

/// A run that was started.
#[derive(Debug, Clone, Copy)]
pub struct RunId {
    /// The bot that is asked.
    pub bot: i64,
    /// The run's own id.
    pub run: i64,
}

/// Starts a run of a person and returns its id. It has no figures until it is finished.
///
/// # Errors
/// [`Error::Database`].
pub async fn start_run(
    client: &Client,
    bot: &str,
    person: i64,
    target: &str,
    fusion: &str,
    version: &str,
    settings: &Value,
) -> Result<RunId, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("starting an evaluation run", &e);
    let row = client
        .query_one(
            "INSERT INTO muninn.eval_run (bot_id, person_id, target, fusion, version, settings)
             VALUES (muninn.require_bot($1), $2, $3, $4, $5, $6) RETURNING bot_id, id",
            &[&bot, &person, &target, &fusion, &version, settings],
        )
        .await
        .map_err(failed)?;
    Ok(RunId { bot: row.try_get(0).map_err(failed)?, run: row.try_get(1).map_err(failed)? })
}

/// What one question returned, and its figures.
#[derive(Debug)]
pub struct ResultRow<'a> {
    /// The question's key, unique in its set.
    pub query_key: &'a str,
    /// The question.
    pub query: &'a str,
    /// Its kind, where the set has kinds.
    pub category: Option<&'a str>,
    /// Keys of the right documents.
    pub expected: Vec<&'a str>,
    /// Keys of the documents returned, the best first.
    pub returned: &'a [String],
    /// Relevance of the first of them.
    pub relevance: Option<f64>,
    /// Its figures; none for a question that nothing answers.
    pub figures: Option<Figures>,
    /// Time of the call.
    pub milliseconds: f64,
}

/// Stores the results of a run and its figures, in one transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn finish_run(
    client: &mut Client,
    RunId { bot, run }: RunId,
    results: &[ResultRow<'_>],
    graded: bool,
    metrics: &Value,
) -> Result<(), Error> {
    let failed = |e: tokio_postgres::Error| Error::database("storing evaluation results", &e);
    let transaction = client.transaction().await.map_err(failed)?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO muninn.eval_result (bot_id, run_id, query_key, query, category, expected,
                 returned, relevance, milliseconds, negative, recall_5, recall_10, hit_5, hit_10,
                 mrr, ndcg_10, ndcg_10_graded)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        )
        .await
        .map_err(failed)?;
    for row in results {
        let figure = |at: usize| row.figures.map(|figures| figures.values()[at]);
        let graded = figure(6).filter(|_| graded);
        transaction
            .execute(
                &insert,
                &[
                    &bot,
                    &run,
                    &row.query_key,
                    &row.query,
                    &row.category,
                    &row.expected,
                    &row.returned,
                    &row.relevance,
                    &row.milliseconds,
                    &row.figures.is_none(),
                    &figure(0),
                    &figure(1),
                    &figure(2),
                    &figure(3),
                    &figure(4),
                    &figure(5),
                    &graded,
                ],
            )
            .await
            .map_err(failed)?;
    }
    transaction
        .execute(
            "UPDATE muninn.eval_run SET queries = $3, metrics = $4,
                 finished_at = pg_catalog.clock_timestamp() WHERE bot_id = $1 AND id = $2",
            &[&bot, &run, &(results.len() as i32), metrics],
        )
        .await
        .map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// Asks the questions of a person's own set and returns the id of the run.
///
/// # Errors
/// [`Error::Database`].
pub async fn run_golden(
    client: &Client,
    owner: &Owner,
    set: &str,
    k: i32,
    fusion: &str,
    settings: &Value,
) -> Result<i64, Error> {
    let Owner { bot, person } = owner;
    client
        .query_one(
            "SELECT muninn.eval_run($1, $2, $3, k => $4, fusion => $5, settings => $6)",
            &[bot, person, &set, &k, &fusion, settings],
        )
        .await
        .and_then(|row| row.try_get(0))
        .map_err(|e| Error::database("running a golden set", &e))
}

/// Whose runs they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The bot that is asked.
    pub bot: String,
    /// Who ran them.
    pub person: i64,
}

/// The bots with runs of this person.
///
/// # Errors
/// [`Error::Database`].
pub async fn bots_with_runs(client: &Client, person: i64) -> Result<Vec<String>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("looking for runs", &e);
    let rows = client
        .query(
            "SELECT b.name FROM muninn.bot b WHERE EXISTS (SELECT FROM muninn.eval_run r
                 WHERE r.bot_id = b.id AND r.person_id = $1) ORDER BY b.name",
            &[&person],
        )
        .await
        .map_err(failed)?;
    rows.iter().map(|row| row.try_get(0).map_err(failed)).collect()
}

/// The bot of a run of this person.
///
/// # Errors
/// [`Error::Database`].
pub async fn bot_of_run(client: &Client, person: i64, run: i64) -> Result<Option<String>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("looking for a run", &e);
    let row = client
        .query_opt(
            "SELECT b.name FROM muninn.eval_run r JOIN muninn.bot b ON b.id = r.bot_id
             WHERE r.person_id = $1 AND r.id = $2",
            &[&person, &run],
        )
        .await
        .map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

/// A run in a list.
#[derive(Debug, Serialize)]
pub struct Listed {
    /// Its id.
    pub run: i64,
    /// The set that was run.
    pub target: String,
    /// How words and meaning were joined.
    pub fusion: String,
    /// How many questions were asked; none if it has not finished.
    pub queries: Option<i32>,
    /// Its figures.
    pub metrics: Option<Value>,
    /// What it was run with.
    pub settings: Value,
    /// Version of the extension.
    pub version: String,
    /// When it was started.
    pub started_at: String,
}

/// The runs of a person, newest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn runs(client: &Client, owner: &Owner) -> Result<Vec<Listed>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("listing runs", &e);
    let Owner { bot, person } = owner;
    let rows = client
        .query(
            "SELECT r.run, r.target, r.fusion, r.queries, r.metrics, r.settings, r.version,
                    pg_catalog.to_char(r.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')
             FROM muninn.eval_runs($1, $2) r",
            &[bot, person],
        )
        .await
        .map_err(failed)?;
    let listed = |row: &Row| -> Result<Listed, tokio_postgres::Error> {
        Ok(Listed {
            run: row.try_get(0)?,
            target: row.try_get(1)?,
            fusion: row.try_get(2)?,
            queries: row.try_get(3)?,
            metrics: row.try_get(4)?,
            settings: row.try_get(5)?,
            version: row.try_get(6)?,
            started_at: row.try_get(7)?,
        })
    };
    rows.iter().map(|row| listed(row).map_err(failed)).collect()
}

/// One metric of two runs.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// Its name.
    pub metric: String,
    /// Over how many questions that both runs asked.
    pub questions: i64,
    /// The mean of the first run.
    pub a: f64,
    /// The mean of the second run.
    pub b: f64,
    /// b - a.
    pub difference: f64,
    /// Lower end of its paired 95 % interval.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
}

/// Compares two runs of a person.
///
/// # Errors
/// [`Error::Database`].
pub async fn compare(
    client: &Client,
    owner: &Owner,
    a: i64,
    b: i64,
) -> Result<Vec<Difference>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("comparing runs", &e);
    let Owner { bot, person } = owner;
    let rows = client
        .query(
            "SELECT c.metric, c.questions, c.a, c.b, c.difference, c.low, c.high
             FROM muninn.eval_compare($1, $2, $3, $4) c",
            &[bot, person, &a, &b],
        )
        .await
        .map_err(failed)?;
    let difference = |row: &Row| -> Result<Difference, tokio_postgres::Error> {
        Ok(Difference {
            metric: row.try_get(0)?,
            questions: row.try_get(1)?,
            a: row.try_get(2)?,
            b: row.try_get(3)?,
            difference: row.try_get(4)?,
            low: row.try_get(5)?,
            high: row.try_get(6)?,
        })
    };
    rows.iter().map(|row| difference(row).map_err(failed)).collect()
}

/// A question that two runs answer differently.
#[derive(Debug, Serialize)]
pub struct Moved {
    /// Its key.
    pub query_key: String,
    /// The question.
    pub query: String,
    /// Whether nothing answers it.
    pub negative: bool,
    /// Rank of the first right document in the first run.
    pub rank_a: Option<i32>,
    /// The same in the second run.
    pub rank_b: Option<i32>,
    /// What is right.
    pub expected: Vec<String>,
    /// What the first run returned.
    pub returned_a: Vec<String>,
    /// What the second run returned.
    pub returned_b: Vec<String>,
}

/// The questions that two runs of a person answer differently, those that have
/// become worse first.
///
/// # Errors
/// [`Error::Database`].
pub async fn moved(client: &Client, owner: &Owner, a: i64, b: i64) -> Result<Vec<Moved>, Error> {
    let failed = |e: tokio_postgres::Error| Error::database("comparing runs", &e);
    let Owner { bot, person } = owner;
    let rows = client
        .query(
            "SELECT m.query_key, m.query, m.negative, m.rank_a, m.rank_b, m.expected, m.returned_a,
                    m.returned_b
             FROM muninn.eval_moved($1, $2, $3, $4) m",
            &[bot, person, &a, &b],
        )
        .await
        .map_err(failed)?;
    let moved = |row: &Row| -> Result<Moved, tokio_postgres::Error> {
        Ok(Moved {
            query_key: row.try_get(0)?,
            query: row.try_get(1)?,
            negative: row.try_get(2)?,
            rank_a: row.try_get(3)?,
            rank_b: row.try_get(4)?,
            expected: row.try_get(5)?,
            returned_a: row.try_get(6)?,
            returned_b: row.try_get(7)?,
        })
    };
    rows.iter().map(|row| moved(row).map_err(failed)).collect()
}
