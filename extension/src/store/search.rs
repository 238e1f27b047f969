//! What the arms read. The scope is in each statement, never around it.

use muninn_core::bm25::Corpus;
use muninn_core::context::Turn;
use muninn_core::lexical::{Posting, Question};
use pgrx::datum::TimestampWithTimeZone;

use super::spi::{must, read};
use crate::error::Error;

/// Conditions on what a search may return; `None` is no condition.
#[derive(Default)]
pub struct Conditions {
    pub tags: Option<Vec<Option<String>>>,
    pub kinds: Option<Vec<Option<String>>>,
    pub since: Option<TimestampWithTimeZone>,
    pub until: Option<TimestampWithTimeZone>,
    pub as_of: Option<TimestampWithTimeZone>,
    pub known_at: Option<TimestampWithTimeZone>,
    pub statuses: Option<Vec<Option<String>>>,
}

impl Conditions {
    /// Whether there is any.
    pub fn any(&self) -> bool {
        self.tags.is_some()
            || self.kinds.is_some()
            || self.since.is_some()
            || self.until.is_some()
            || self.as_of.is_some()
            || self.known_at.is_some()
            || self.statuses.is_some()
    }
}

/// The ids that meet the conditions, in order; refuses contradictory ones.
pub fn eligible(bot: i64, audiences: &[i64], c: &Conditions) -> Result<Vec<i64>, Error> {
    let args = [
        bot.into(),
        audiences.to_vec().into(),
        c.tags.clone().into(),
        c.kinds.clone().into(),
        c.since.into(),
        c.until.into(),
        c.as_of.into(),
        c.known_at.into(),
        c.statuses.clone().into(),
    ];
    read("SELECT muninn.check_period($5, $6), muninn.check_statuses($9)", &args, |_| Ok(()))?;
    read(
        "SELECT e.id FROM muninn.eligible($1, $2, $3, $4, $5, $6, $7, $8, $9) AS e (id) ORDER BY e.id",
        &args,
        |row| must(row, 1, "memory"),
    )
}

/// The ids in the scope that only a search which asks for their status returns
/// (superseded, rejected, retracted), in order.
pub fn dormant(bot: i64, audiences: &[i64]) -> Result<Vec<i64>, Error> {
    read(
        "SELECT m.id FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.audience_id = ANY ($2)
           AND m.status NOT IN ('candidate', 'verified') ORDER BY m.id",
        &[bot.into(), audiences.to_vec().into()],
        |row| must(row, 1, "memory"),
    )
}

/// The turns of the scope that stand within `reach` of these memories in their
/// threads, themselves included.
pub fn turns(bot: i64, audiences: &[i64], ids: Vec<i64>, reach: i32) -> Result<Vec<Turn>, Error> {
    read(
        "SELECT n.id, n.thread_id, n.thread_position, n.asks
         FROM (SELECT DISTINCT m.thread_id, place
               FROM muninn.memory m,
                    generate_series(m.thread_position - $4, m.thread_position + $4) AS place
               WHERE m.bot_id = $1 AND m.id = ANY ($3) AND m.thread_id IS NOT NULL) near
         JOIN muninn.memory n ON n.bot_id = $1 AND n.thread_id = near.thread_id
                             AND n.thread_position = near.place
         WHERE n.audience_id = ANY ($2) AND n.status IN ('candidate', 'verified')
           AND n.thread_id IS NOT NULL",
        &[bot.into(), audiences.to_vec().into(), ids.into(), reach.into()],
        |row| {
            Ok(Turn {
                id: must(row, 1, "memory")?,
                thread: must(row, 2, "thread")?,
                position: must(row, 3, "position")?,
                asks: must(row, 4, "asks")?,
            })
        },
    )
}

/// How large the scope is.
pub fn corpus(bot: i64, audiences: &[i64]) -> Result<Corpus, Error> {
    let mut rows = read(
        "SELECT coalesce(sum(s.memories), 0)::bigint, coalesce(sum(s.terms), 0)::bigint
         FROM muninn.audience_size s WHERE s.bot_id = $1 AND s.audience_id = ANY ($2)",
        &[bot.into(), audiences.to_vec().into()],
        |row| {
            let count = |ordinal| -> Result<u64, Error> {
                Ok(must::<i64>(row, ordinal, "size")?.max(0) as u64)
            };
            Ok(Corpus { memories: count(1)?, terms: count(2)? })
        },
    )?;
    rows.pop().ok_or(Error::Missing("size"))
}

/// All postings of the question's terms in the scope.
pub fn postings(bot: i64, audiences: &[i64], question: &Question) -> Result<Vec<Posting>, Error> {
    // One row a term: its postings come as arrays, which cost a fraction of rows.
    let rows = read(
        "SELECT p.term, array_agg(p.memory_id), array_agg(p.frequency), array_agg(p.length)
         FROM muninn.posting p
         WHERE p.bot_id = $1 AND p.audience_id = ANY ($2) AND p.term = ANY ($3)
         GROUP BY p.term",
        &[bot.into(), audiences.to_vec().into(), question.terms().to_vec().into()],
        |row| {
            Ok((
                must::<String>(row, 1, "term")?,
                must::<Vec<i64>>(row, 2, "memories")?,
                must::<Vec<i32>>(row, 3, "frequencies")?,
                must::<Vec<i32>>(row, 4, "lengths")?,
            ))
        },
    )?;
    let mut postings = Vec::with_capacity(rows.iter().map(|row| row.1.len()).sum());
    for (term, memories, frequencies, lengths) in rows {
        let Ok(term) = question.terms().binary_search(&term) else { continue };
        for ((memory, frequency), length) in memories.into_iter().zip(frequencies).zip(lengths) {
            postings.push(Posting {
                term: term as u32,
                memory,
                frequency: frequency.max(1) as u32,
                length: length.max(1) as u32,
            });
        }
    }
    Ok(postings)
}

/// The schema that holds pgvector, quoted: the search path is pinned, so its
/// types and operators have to be named in full.
pub fn vector_schema() -> Result<String, Error> {
    read(
        "SELECT quote_ident(n.nspname) FROM pg_extension e
         JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'",
        &[],
        |row| must::<String>(row, 1, "schema"),
    )?
    .pop()
    .ok_or(Error::Missing("extension vector"))
}

/// Where the vector arm looks.
pub struct VectorSearch<'a> {
    pub bot: i64,
    pub audiences: &'a [i64],
    pub model: i32,
    pub dimensions: usize,
    /// What [`vector_schema`] returns.
    pub schema: String,
    /// The question, of unit length.
    pub vector: Vec<f32>,
}

fn id_and_cosine(row: &pgrx::spi::SpiTupleTable<'_>) -> Result<(i64, f64), Error> {
    Ok((must(row, 1, "memory")?, 1.0 - must::<f64>(row, 2, "distance")?))
}

impl VectorSearch<'_> {
    /// The nearest memories of the scope, by comparing with every one of them
    /// or, where `only` is given, with every one of those: `(memory, cosine)`.
    pub fn nearest_exact(
        &self,
        only: Option<&[i64]>,
        limit: i64,
    ) -> Result<Vec<(i64, f64)>, Error> {
        let v = &self.schema;
        let filter = if only.is_some() { "AND e.memory_id = ANY ($6)" } else { "" };
        let mut args = vec![
            self.bot.into(),
            self.audiences.to_vec().into(),
            self.model.into(),
            self.vector.clone().into(),
            limit.into(),
        ];
        args.extend(only.map(|ids| ids.to_vec().into()));
        // Materialised, so that no index on the distance can stand in for the scan;
        // the question in a sub-select, so that it is converted once, not once a row.
        read(
            &format!(
                "WITH scope AS MATERIALIZED (
                     SELECT e.memory_id, e.vector OPERATOR({v}.<=>) (SELECT $4::real[]::{v}.halfvec) AS distance
                     FROM muninn.embedding e
                     WHERE e.bot_id = $1 AND e.audience_id = ANY ($2) AND e.model_id = $3 {filter})
                 SELECT s.memory_id, s.distance FROM scope s
                 ORDER BY s.distance, s.memory_id LIMIT $5"
            ),
            &args,
            id_and_cosine,
        )
    }

    /// The nearest memories of the scope by the model's HNSW index.
    pub fn nearest_approximate(&self, limit: i64) -> Result<Vec<(i64, f64)>, Error> {
        let v = &self.schema;
        // Model and dimensions are literals, so that the planner can match the
        // model's own index.
        let (model, dimensions) = (self.model, self.dimensions);
        read(
            &format!(
                "WITH near AS MATERIALIZED (
                     SELECT e.memory_id,
                            e.vector::{v}.halfvec({dimensions})
                              OPERATOR({v}.<=>) (SELECT $3::real[]::{v}.halfvec({dimensions})) AS distance
                     FROM muninn.embedding e
                     WHERE e.bot_id = $1 AND e.audience_id = ANY ($2) AND e.model_id = {model}
                     ORDER BY 2 LIMIT $4)
                 SELECT n.memory_id, n.distance FROM near n ORDER BY n.distance, n.memory_id"
            ),
            &[
                self.bot.into(),
                self.audiences.to_vec().into(),
                self.vector.clone().into(),
                limit.into(),
            ],
            id_and_cosine,
        )
    }

    /// The cosines of these memories, as far as they have a vector.
    pub fn cosines(&self, ids: Vec<i64>) -> Result<Vec<(i64, f64)>, Error> {
        let limit = ids.len() as i64;
        self.nearest_exact(Some(&ids), limit)
    }
}
