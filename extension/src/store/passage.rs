//! Passages of long memories.

use std::ops::Range;

use muninn_core::posting::encode_terms;
use muninn_core::text::{self, Language};

use super::spi::{execute, must, must_bytes, read};
use super::vector::vector_schema;
use crate::error::Error;

/// Stores the passages of a memory that has any: their places and their words.
pub fn insert(
    bot: i64,
    audience: i64,
    memory: i64,
    content: &str,
    language: Option<Language>,
) -> Result<(), Error> {
    for (number, range) in (1i32..).zip(text::passages(content)) {
        let document = text::analyse_document(&content[range.clone()], language);
        execute(
            "INSERT INTO muninn.passage
                 (bot_id, audience_id, memory_id, passage, first_byte, last_byte, length, terms)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            &[
                bot.into(),
                audience.into(),
                memory.into(),
                number.into(),
                (range.start as i32).into(),
                (range.end as i32).into(),
                i32::try_from(document.length).unwrap_or(i32::MAX).into(),
                encode_terms(&document.terms).into(),
            ],
        )?;
    }
    Ok(())
}

/// Stores the vectors of a memory's passages, in their order; `v` is what
/// [`vector_schema`] returns.
pub fn store_embeddings(
    v: &str,
    bot: i64,
    audience: i64,
    memory: i64,
    model: i32,
    vectors: &[Vec<f32>],
) -> Result<(), Error> {
    let sql = format!(
        "INSERT INTO muninn.passage_embedding
             (bot_id, audience_id, memory_id, passage, model_id, vector)
         VALUES ($1, $2, $3, $4, $5, $6::real[]::{v}.halfvec) ON CONFLICT DO NOTHING"
    );
    for (number, vector) in (1i32..).zip(vectors) {
        execute(
            &sql,
            &[
                bot.into(),
                audience.into(),
                memory.into(),
                number.into(),
                model.into(),
                vector.clone().into(),
            ],
        )?;
    }
    Ok(())
}

/// A passage, as a question sees it.
pub struct Passage<'a> {
    pub memory: i64,
    /// Its bytes in the content.
    pub range: Range<usize>,
    /// How many terms it has.
    pub length: u32,
    /// Them, packed.
    pub terms: &'a [u8],
    /// Its likeness to the question, if it has a vector.
    pub cosine: Option<f64>,
}

/// Hands the passages of these memories, as far as they are in the scope, to
/// `each`; `question` is a model and the question's vector.
pub fn of_memories(
    bot: i64,
    audiences: &[i64],
    memories: Vec<i64>,
    question: Option<(i32, &[f32])>,
    mut each: impl FnMut(Passage<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let v = vector_schema()?;
    let (model, vector) = question.unzip();
    read(
        &format!(
            "SELECT p.memory_id, p.first_byte, p.last_byte, p.length, p.terms,
                    e.vector OPERATOR({v}.<=>) (SELECT $5::real[]::{v}.halfvec)
             FROM unnest($2::bigint[]) AS a (id)
             CROSS JOIN unnest($3::bigint[]) AS m (id)
             JOIN muninn.passage p
               ON p.bot_id = $1 AND p.audience_id = a.id AND p.memory_id = m.id
             LEFT JOIN muninn.passage_embedding e
               ON e.bot_id = $1 AND e.audience_id = p.audience_id AND e.memory_id = p.memory_id
              AND e.passage = p.passage AND e.model_id = $4
             ORDER BY p.memory_id, p.passage"
        ),
        &[
            bot.into(),
            audiences.to_vec().into(),
            memories.into(),
            model.into(),
            vector.map(<[f32]>::to_vec).into(),
        ],
        |row| {
            let (first, last): (i32, i32) = (must(row, 2, "byte")?, must(row, 3, "byte")?);
            each(Passage {
                memory: must(row, 1, "memory")?,
                range: first as usize..last as usize,
                length: must::<i32>(row, 4, "length")? as u32,
                terms: must_bytes(row, 5, "terms")?,
                cosine: row.get::<f64>(6).map(|distance| 1.0 - distance),
            })
        },
    )?;
    Ok(())
}
