//! Evaluation runs and their results.

use serde_json::Value;

use super::Client;
use crate::error::Error;

/// Starts a run and returns its id. It has no figures until it is finished.
///
/// # Errors
/// [`Error::Database`].
pub async fn start_run(
    client: &Client,
    target: &str,
    fusion: &str,
    version: &str,
    settings: &Value,
) -> Result<i64, Error> {
    client
        .query_one(
            "INSERT INTO muninn.eval_run (target, fusion, version, settings)
             VALUES ($1, $2, $3, $4) RETURNING id",
            &[&target, &fusion, &version, settings],
        )
        .await
        .and_then(|row| row.try_get(0))
        .map_err(|e| Error::database("starting an evaluation run", &e))
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
    /// recall@5, recall@10, hit@5, hit@10, MRR and nDCG@10.
    pub figures: [f64; 6],
    /// Time of the call.
    pub milliseconds: f64,
}

/// Stores the results of a run and its figures, in one transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn finish_run(
    client: &mut Client,
    run: i64,
    results: &[ResultRow<'_>],
    metrics: &Value,
) -> Result<(), Error> {
    let failed = |e: tokio_postgres::Error| Error::database("storing evaluation results", &e);
    let transaction = client.transaction().await.map_err(failed)?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO muninn.eval_result (run_id, query_key, query, category, expected, returned,
                 recall_5, recall_10, hit_5, hit_10, mrr, ndcg_10, milliseconds)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        )
        .await
        .map_err(failed)?;
    for row in results {
        let [recall_5, recall_10, hit_5, hit_10, mrr, ndcg_10] = &row.figures;
        transaction
            .execute(
                &insert,
                &[
                    &run,
                    &row.query_key,
                    &row.query,
                    &row.category,
                    &row.expected,
                    &row.returned,
                    recall_5,
                    recall_10,
                    hit_5,
                    hit_10,
                    mrr,
                    ndcg_10,
                    &row.milliseconds,
                ],
            )
            .await
            .map_err(failed)?;
    }
    transaction
        .execute(
            "UPDATE muninn.eval_run SET queries = $2, metrics = $3,
                 finished_at = pg_catalog.clock_timestamp() WHERE id = $1",
            &[&run, &(results.len() as i32), metrics],
        )
        .await
        .map_err(failed)?;
    transaction.commit().await.map_err(failed)
}
