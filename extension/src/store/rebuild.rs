//! Building the index of an audience anew, from its memories and their vectors.

use std::collections::BTreeMap;

use muninn_core::text::{self, Language};

use super::posting_segment::{self as postings, Pack};
use super::relocate::index_text;
use super::sketch_segment::Sketches;
use super::spi::{execute, must, read_newest, write};
use crate::error::Error;

/// Memories that are read, and packed, at once.
const AT_ONCE: usize = 2_000;

/// Builds it anew; nothing of what is there is read. Returns how many memories
/// are found by their words. Those that somebody else is just storing stay in the
/// rows that they come with: what is taken away and what is built again are of
/// one state of the database.
pub fn audience(bot: i64, audience: i64) -> Result<i64, Error> {
    postings::lock(bot, audience)?;
    let by_words = words(bot, audience)?;
    vectors(bot, audience)?;
    Ok(by_words)
}

fn words(bot: i64, audience: i64) -> Result<i64, Error> {
    drop_all(bot, audience, &["posting_page", "posting_segment"])?;
    let memories = write(
        "WITH fresh AS (
             DELETE FROM muninn.fresh_document f WHERE f.bot_id = $1 AND f.audience_id = $2)
         SELECT m.id FROM muninn.memory m WHERE m.bot_id = $1 AND m.audience_id = $2
         ORDER BY m.id",
        &[bot.into(), audience.into()],
        |row| must::<i64>(row, 1, "memory"),
    )?;
    let mut packed = 0;
    for some in memories.chunks(AT_ONCE) {
        pgrx::check_for_interrupts!();
        let mut pack = Pack::default();
        read_newest(
            "SELECT m.id, m.content, m.summary, m.tags, m.language FROM muninn.memory m
             WHERE m.bot_id = $1 AND m.id = ANY ($2)",
            &[bot.into(), some.to_vec().into()],
            |row| {
                let (content, summary) = (must::<String>(row, 2, "content")?, row.get::<String>(3));
                let tags: Vec<String> = must(row, 4, "tags")?;
                let language = row.get::<String>(5).and_then(|code| Language::from_code(&code));
                let text = index_text(&content, summary.as_deref(), &tags);
                pack.push(must(row, 1, "memory")?, &text::analyse_document(&text, language));
                Ok(())
            },
        )?;
        packed += pack.store(bot, audience)?;
    }
    postings::merge_segments(bot, audience, i64::MAX)?;
    Ok(packed)
}

fn vectors(bot: i64, audience: i64) -> Result<(), Error> {
    drop_all(bot, audience, &["sketch_centroids", "sketch_block", "sketch_segment"])?;
    let mut of_model: BTreeMap<(i32, usize), Vec<i64>> = BTreeMap::new();
    write(
        "WITH fresh AS (
             DELETE FROM muninn.fresh_sketch f WHERE f.bot_id = $1 AND f.audience_id = $2)
         SELECT e.memory_id, m.id, m.dimensions
         FROM muninn.embedding e JOIN muninn.embedding_model m ON m.id = e.model_id
         WHERE e.bot_id = $1 AND e.audience_id = $2",
        &[bot.into(), audience.into()],
        |row| {
            let dimensions = must::<i32>(row, 3, "dimensions")? as usize;
            let memories = of_model.entry((must(row, 2, "model")?, dimensions)).or_default();
            memories.push(must(row, 1, "memory")?);
            Ok(())
        },
    )?;
    for ((model, dimensions), memories) in of_model {
        Sketches { bot, audience, model, dimensions }.store(memories)?;
    }
    Ok(())
}

fn drop_all(bot: i64, audience: i64, tables: &[&str]) -> Result<(), Error> {
    for table in tables {
        execute(
            &format!("DELETE FROM muninn.{table} t WHERE t.bot_id = $1 AND t.audience_id = $2"),
            &[bot.into(), audience.into()],
        )?;
    }
    Ok(())
}
