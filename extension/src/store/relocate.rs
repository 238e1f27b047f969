//! Moving a memory to another audience, or indexing it anew where it is.

use muninn_core::sketch::sketch;
use muninn_core::text::{self, Language};

use super::scope::ActiveModel;
use super::spi::{execute, must, read_newest, write};
use super::vector::must_vector;
use super::{backlog, posting, tidy};
use crate::embedding::Meaning;
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

/// Indexes a memory anew that has got a summary: its words, and its meaning by the
/// model that the database computes; a vector of the caller's stays.
pub fn with_summary(
    bot: i64,
    id: i64,
    model: Option<ActiveModel>,
    embed: impl FnOnce(&str, Option<&str>) -> Option<Meaning>,
) -> Result<(), Error> {
    let found = write(
        "SELECT m.audience_id, m.content, m.summary FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.id = $2 FOR UPDATE",
        &[bot.into(), id.into()],
        |row| {
            let content: String = must(row, 2, "content")?;
            Ok((must::<i64>(row, 1, "audience")?, content, row.get::<String>(3)))
        },
    )?
    .pop();
    let Some((audience, content, summary)) = found else { return Err(Error::Missing("memory")) };
    let mut owed = None;
    if let Some(model) = model.filter(|model| model.builtin) {
        for table in ["passage_embedding", "embedding"] {
            let gone = write(
                &format!(
                    "DELETE FROM muninn.{table} e WHERE e.bot_id = $1 AND e.audience_id = $2
                       AND e.memory_id = $3 AND e.model_id = $4 RETURNING 1"
                ),
                &[bot.into(), audience.into(), id.into(), model.id.into()],
                |_| Ok(()),
            )?;
            // What still waits for its vector goes on waiting.
            owed = (!gone.is_empty()).then_some(model.id);
        }
    }
    memory(bot, id, audience)?;
    let Some(model) = owed else { return Ok(()) };
    match embed(&content, summary.as_deref()) {
        Some(meaning) => backlog::store_embedding(bot, id, model, &meaning),
        None => {
            let bytes = content.len() + summary.map_or(0, |summary| summary.len());
            backlog::enqueue(bot, id, model, bytes)
        }
    }
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
    let vectors = read_newest(
        "SELECT e.model_id, e.vector FROM muninn.embedding e
         WHERE e.bot_id = $1 AND e.memory_id = $2",
        &[bot.into(), memory.into()],
        |row| Ok((must::<i32>(row, 1, "model")?, sketch(&must_vector(row, 2)?))),
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
