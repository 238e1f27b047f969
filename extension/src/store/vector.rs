//! Comparing vectors, by pgvector.

use muninn_core::vector;

use super::spi::{must, read};
use crate::error::Error;
use crate::pg::Row;

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

/// A column of type `halfvec` that is never NULL, read where it lies: an array of
/// Postgres, or the form of the wire, costs several times as much.
pub fn must_vector(row: &Row<'_>, ordinal: usize) -> Result<Vec<f32>, Error> {
    row.stored(ordinal).and_then(vector::from_halfvec).ok_or(Error::Missing("vector"))
}

/// Where the vector arm looks.
pub struct VectorSearch<'a> {
    pub bot: i64,
    pub audiences: &'a [i64],
    pub model: i32,
    /// What [`vector_schema`] returns.
    pub schema: String,
    /// The question, of unit length.
    pub vector: Vec<f32>,
}

impl VectorSearch<'_> {
    /// The nearest memories of the scope, by comparing with every one of them
    /// or, where `only` is given, with every one of those.
    pub fn nearest_exact(&self, only: Option<&[i64]>, limit: i64) -> Result<Vec<i64>, Error> {
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
                 SELECT s.memory_id FROM scope s
                 ORDER BY s.distance, s.memory_id LIMIT $5"
            ),
            &args,
            |row| must(row, 1, "memory"),
        )
    }

    /// The vectors of these memories, as far as they have one.
    pub fn vectors(&self, ids: Vec<i64>) -> Result<Vec<(i64, Vec<f32>)>, Error> {
        read(
            "SELECT e.memory_id, e.vector FROM muninn.embedding e
             WHERE e.bot_id = $1 AND e.audience_id = ANY ($2) AND e.model_id = $3
               AND e.memory_id = ANY ($4)",
            &[self.bot.into(), self.audiences.to_vec().into(), self.model.into(), ids.into()],
            |row| Ok((must(row, 1, "memory")?, must_vector(row, 2)?)),
        )
    }
}
