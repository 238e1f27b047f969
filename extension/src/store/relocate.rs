//! Moving a memory to another audience, or indexing it anew where it is.

use muninn_core::sketch::sketch;
use muninn_core::text::{self, Language};
use muninn_core::vector;

use super::spi::{execute, must, must_bytes, read_newest, write};
use super::vector::vector_schema;
use super::{posting, tidy};
use crate::error::Error;

/// What is indexed of a memory: its content, summary and tags.
pub fn index_text(content: &str, summary: Option<&str>, tags: &[String]) -> String {
    let mut text = content.to_owned();
    for part in summary.into_iter().chain(tags.iter().map(String::as_str)) {
        text.push('\n');
        text.push_str(part);
    }
    text
}

/// Moves a memory with all of its index. Locked for more than a change of its row:
/// whoever is just storing its vector holds the key, and what is stored must move too.
pub fn memory(bot: i64, memory: i64, audience: i64) -> Result<(), Error> {
    let found = write(
        "SELECT m.audience_id, m.content, m.summary, m.tags, m.language FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.id = $2 FOR UPDATE",
        &[bot.into(), memory.into()],
        |row| {
            let (content, summary) = (must::<String>(row, 2, "content")?, row.get::<String>(3));
            let tags: Vec<String> = must(row, 4, "tags")?;
            let language = row.get::<String>(5).and_then(|code| Language::from_code(&code));
            let text = index_text(&content, summary.as_deref(), &tags);
            Ok((must::<i64>(row, 1, "audience")?, text::analyse_document(&text, language)))
        },
    )?
    .pop();
    let Some((from, document)) = found else { return Err(Error::Missing("memory")) };
    // Both in the order of their ids, as whoever moves something back does.
    execute(
        "SELECT FROM muninn.audience a WHERE a.bot_id = $1 AND a.id = ANY ($2)
         ORDER BY a.id FOR NO KEY UPDATE",
        &[bot.into(), vec![from, audience].into()],
    )?;
    tidy::remove(bot, from, &[memory])?;
    if from != audience {
        for table in ["embedding", "passage", "passage_embedding"] {
            execute(
                &format!(
                    "UPDATE muninn.{table} t SET audience_id = $3
                     WHERE t.bot_id = $1 AND t.memory_id = $2 AND t.audience_id = $4"
                ),
                &[bot.into(), memory.into(), audience.into(), from.into()],
            )?;
        }
        execute(
            "UPDATE muninn.memory m SET audience_id = $3, version = m.version + 1
             WHERE m.bot_id = $1 AND m.id = $2",
            &[bot.into(), memory.into(), audience.into()],
        )?;
    }
    posting::insert(bot, audience, memory, &document)?;
    let v = vector_schema()?;
    let vectors = read_newest(
        &format!(
            "SELECT e.model_id, {v}.halfvec_send(e.vector) FROM muninn.embedding e
             WHERE e.bot_id = $1 AND e.memory_id = $2"
        ),
        &[bot.into(), memory.into()],
        |row| {
            let wire = must_bytes(row, 2, "vector")?;
            let vector = vector::from_halfvec(wire).ok_or(Error::Missing("vector"))?;
            Ok((must::<i32>(row, 1, "model")?, sketch(&vector)))
        },
    )?;
    for (model, sketch) in vectors {
        execute(
            "INSERT INTO muninn.fresh_sketch (bot_id, audience_id, memory_id, model_id, sketch)
             VALUES ($1, $2, $3, $4, $5)",
            &[bot.into(), audience.into(), memory.into(), model.into(), sketch.into()],
        )?;
    }
    tidy::after(bot, audience, memory)
}
