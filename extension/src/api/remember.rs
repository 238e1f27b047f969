//! `muninn.remember`.

use muninn_core::audience::Audience;
use muninn_core::context;
use muninn_core::governance;
use muninn_core::text;
use muninn_core::vector;
use pgrx::datum::TimestampWithTimeZone;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use crate::embedding::Meaning;
use crate::error::Error;
use crate::pg::Jsonb;
use crate::store::governance::{Repetition, apply_claim, check_claim, is_forgotten, repeat};
use crate::store::memory::{self, NewMemory};
use crate::store::relocate::{self, index_text};
use crate::store::scope::{self, Scope};
use crate::store::{backlog, passage, posting, tidy};
use crate::{config, embedding};

/// Stores a statement and makes it findable by its words and its meaning in
/// this transaction; returns the memory's id. With a `key` that the person has
/// used before, returns the first id and stores nothing.
///
/// Errors: 22004 bot, person or content missing; 22023 empty content or a
/// value out of bounds; 42704 unknown bot, person or group; 54000 too long;
/// 22000 an unusable embedding.
#[pg_extern]
#[search_path(pg_catalog, pg_temp)]
#[expect(clippy::too_many_arguments, reason = "the arguments are named in SQL")]
fn remember(
    bot: Option<&str>,
    person: Option<i64>,
    content: Option<&str>,
    summary: default!(Option<&str>, "NULL"),
    tags: default!(Option<Vec<Option<String>>>, "NULL"),
    kind: default!(Option<&str>, "NULL"),
    audience: default!(Option<&str>, "'personal'"),
    claim: default!(Option<Jsonb>, "NULL"),
    confidence: default!(Option<f64>, "NULL"),
    valid_from: default!(Option<TimestampWithTimeZone>, "NULL"),
    valid_to: default!(Option<TimestampWithTimeZone>, "NULL"),
    source: default!(Option<&str>, "NULL"),
    thread: default!(Option<&str>, "NULL"),
    embedding: default!(Option<Vec<Option<f32>>>, "NULL"),
    key: default!(Option<&str>, "NULL"),
    status: default!(Option<&str>, "'verified'"),
) -> Result<i64, ErrorReport> {
    let bot = bot.ok_or(Error::Null("bot"))?;
    let person = person.ok_or(Error::Null("person"))?;
    let scope = scope::scope_to_write(bot, person)?;

    if let Some(key) = key {
        check_short("key", key)?;
        if let Some(first) = memory::with_key(scope.bot, person, key)? {
            return Ok(first);
        }
    }
    let content = check_content(content)?;
    let summary = summary.filter(|text| !text.trim().is_empty());
    check_length("summary", summary)?;
    for (name, text) in [("kind", kind), ("thread", thread), ("source", source)] {
        if let Some(text) = text {
            check_short(name, text)?;
        }
    }
    let tags = check_tags(tags)?;
    if let Some(value) = confidence.filter(|c| !(0.0..=1.0).contains(c)) {
        return Err(Error::NotAShare { name: "confidence", value }.into());
    }
    check_validity(valid_from, valid_to)?;
    let vector = check_embedding(embedding, &scope)?;
    let audience_name = audience.unwrap_or("personal");
    let audience: Audience =
        audience_name.parse().map_err(|_| Error::UnknownAudience(audience_name.to_owned()))?;
    let audience = scope::writable_audience(scope.bot, person, &audience)?;
    let status = status.unwrap_or("verified");
    if !matches!(status, "verified" | "candidate") {
        return Err(Error::BadStatus(status.to_owned()).into());
    }
    check_claim(claim.as_ref())?;
    if is_forgotten(scope.bot, audience, content)? {
        return Err(Error::Forgotten.into());
    }
    // A turn has a place in its conversation, and what was true for a time may
    // be true again.
    let digest = (thread.is_none() && valid_to.is_none()).then(|| governance::digest(content));
    let again = |memory: i64| -> Result<i64, Error> {
        if let Some(key) = key {
            let first = memory::give_key(scope.bot, person, key, memory)?;
            if first != memory {
                return Ok(first);
            }
        }
        let source = source.or(key).map_or_else(|| format!("person:{person}"), str::to_owned);
        let verified = status == "verified";
        let bot = scope.bot;
        let said =
            Repetition { bot, person, memory, source, tags: &tags, verified, summary, kind, claim };
        if repeat(&said)? {
            relocate::with_summary(bot, memory, scope.model, embed_now)?;
        }
        Ok(memory)
    };
    if let Some(digest) = &digest
        && let Some(same) = memory::same(scope.bot, audience, digest)?
    {
        return Ok(again(same)?);
    }

    let has_claim = claim.is_some();
    let language = text::detect(content).or(scope.settings.language);
    // Embedded before anything is written, so that no row is locked meanwhile.
    let meaning = match vector {
        None if scope.model.is_some_and(|model| model.builtin) => embed_now(content, summary),
        given => given.map(|whole| Meaning { whole, passages: Vec::new() }),
    };
    let reserved = match key {
        None => None,
        Some(key) => match memory::reserve(scope.bot, person, key)? {
            // The key was taken since the look above.
            None => return Ok(memory::with_key(scope.bot, person, key)?.ok_or(Error::KeyRace)?),
            fresh => fresh,
        },
    };
    let made = NewMemory {
        bot: scope.bot,
        audience,
        author: person,
        content,
        summary,
        tags: tags.clone(),
        kind,
        language: language.map(text::Language::code),
        asks: context::asks(content),
        claim,
        confidence,
        valid_from,
        valid_to,
        source,
        key,
        digest: digest.clone(),
        status,
    };
    let Some(id) = memory::insert(reserved, &made)? else {
        // The same was said since the look above.
        let digest = digest.ok_or(Error::SameRace)?;
        let same = memory::same(scope.bot, audience, &digest)?.ok_or(Error::SameRace)?;
        return Ok(again(same)?);
    };
    if let Some(thread) = thread {
        memory::append_to_thread(scope.bot, audience, thread, id)?;
    }
    let document = text::analyse_document(&index_text(content, summary, &tags), language);
    posting::insert(scope.bot, audience, id, &document)?;
    passage::insert(scope.bot, audience, id, content, language)?;
    match (scope.model, meaning) {
        (Some(model), Some(meaning)) => {
            backlog::store_embedding(scope.bot, id, model.id, &meaning)?;
        }
        (Some(model), None) => {
            let bytes = content.len() + summary.map_or(0, str::len);
            backlog::enqueue(scope.bot, id, model.id, bytes)?;
        }
        (None, _) => {}
    }
    if has_claim {
        apply_claim(scope.bot, person, id)?;
    }
    tidy::after(scope.bot, audience, id)?;
    Ok(id)
}

/// The meaning of a memory, if it is to be made at once and there is a model.
fn embed_now(content: &str, summary: Option<&str>) -> Option<Meaning> {
    if !config::EMBED_ON_WRITE.get() {
        return None;
    }
    embedding::if_possible(embedding::embed_memory(content, summary))
}

fn check_content(content: Option<&str>) -> Result<&str, Error> {
    let content = content.ok_or(Error::Null("content"))?;
    check_length("content", Some(content))?;
    if content.trim().is_empty() {
        return Err(Error::EmptyContent);
    }
    Ok(content)
}

fn check_length(what: &'static str, text: Option<&str>) -> Result<(), Error> {
    let limit = config::MAX_CONTENT_BYTES.get() as usize;
    match text {
        Some(text) if text.len() > limit => Err(Error::TooLong { what, bytes: text.len(), limit }),
        _ => Ok(()),
    }
}

/// A text that is or may become part of an index key.
fn check_short(what: &'static str, text: &str) -> Result<(), Error> {
    const LIMIT: usize = 1_000;
    if text.len() > LIMIT {
        return Err(Error::TooLong { what, bytes: text.len(), limit: LIMIT });
    }
    if text.is_empty() { Err(Error::Empty(what)) } else { Ok(()) }
}

fn check_tags(tags: Option<Vec<Option<String>>>) -> Result<Vec<String>, Error> {
    let tags = tags.unwrap_or_default();
    if tags.len() > 100 {
        return Err(Error::TooMany("tags", tags.len()));
    }
    tags.into_iter()
        .map(|tag| {
            tag.filter(|tag| !tag.trim().is_empty() && tag.chars().count() <= 200)
                .ok_or(Error::BadTag)
        })
        .collect()
}

fn check_validity(
    from: Option<TimestampWithTimeZone>,
    to: Option<TimestampWithTimeZone>,
) -> Result<(), Error> {
    let from = from.unwrap_or_else(transaction_timestamp);
    match to {
        Some(to) if from >= to => Err(Error::EmptyValidity),
        _ => Ok(()),
    }
}

/// The vector that the caller passed, of unit length.
pub(super) fn check_embedding(
    embedding: Option<Vec<Option<f32>>>,
    scope: &Scope,
) -> Result<Option<Vec<f32>>, Error> {
    let (Some(embedding), Some(model)) = (embedding, scope.model) else { return Ok(None) };
    let vector: Vec<f32> = embedding.into_iter().map(|x| x.unwrap_or(f32::NAN)).collect();
    vector::unit(&vector, model.dimensions).map(Some).map_err(Error::Vector)
}
