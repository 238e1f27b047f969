//! Packing the lexical index: fresh documents into segments, segments into
//! larger ones, and taking a memory out again.
//!
//! Whoever packs or takes out holds the audience's row (`FOR NO KEY UPDATE`),
//! which neither readers nor those who remember wait for.

use std::collections::VecDeque;

use muninn_core::posting::{Entry, Page, Posting, decode_terms, due, erase, merge, page_entries};
use muninn_core::text::Document;

use super::spi::{execute, must, must_bytes, read_newest, write};
use crate::config;
use crate::error::Error;

/// Pages that a merge reads at once.
const READ_PAGES: i64 = 64;

/// Waits until nobody else changes the index of the audience.
pub fn lock(bot: i64, audience: i64) -> Result<(), Error> {
    execute(
        "SELECT FROM muninn.audience a WHERE a.bot_id = $1 AND a.id = $2 FOR NO KEY UPDATE",
        &[bot.into(), audience.into()],
    )
}

/// Whether nobody else changes it, and from now on nobody can.
pub fn try_lock(bot: i64, audience: i64) -> Result<bool, Error> {
    let locked = write(
        "SELECT FROM muninn.audience a WHERE a.bot_id = $1 AND a.id = $2
         FOR NO KEY UPDATE SKIP LOCKED",
        &[bot.into(), audience.into()],
        |_| Ok(()),
    )?;
    Ok(!locked.is_empty())
}

/// Terms that a memory has on average when it is a long one: so many more count
/// as another memory.
const TERMS: i64 = 128;

/// Whether the audience has so many fresh documents that they should be packed.
pub fn fresh_is_full(bot: i64, audience: i64) -> Result<bool, Error> {
    let most = i64::from(config::FRESH_LIMIT.get());
    let rows = read_newest(
        "SELECT count(*) >= $3 OR sum(f.length) >= $4 FROM muninn.fresh_document f
         WHERE f.bot_id = $1 AND f.audience_id = $2",
        &[bot.into(), audience.into(), most.into(), (most * TERMS).into()],
        |row| Ok(row.get::<bool>(1).unwrap_or(false)),
    )?;
    Ok(rows.contains(&true))
}

/// Packs the fresh documents of an audience, which is locked, into a segment.
/// Returns how many there were.
pub fn pack_fresh(bot: i64, audience: i64) -> Result<i64, Error> {
    let mut pack = Pack::default();
    write(
        "DELETE FROM muninn.fresh_document f WHERE f.bot_id = $1 AND f.audience_id = $2
         RETURNING f.memory_id, f.length, f.terms",
        &[bot.into(), audience.into()],
        |row| {
            let memory = must::<i64>(row, 1, "memory")?;
            let length = must::<i32>(row, 2, "length")? as u32;
            pack.begin(memory, length);
            decode_terms(must_bytes(row, 3, "terms")?, |term, frequency| {
                pack.entries.push((term.to_vec(), Posting { memory, frequency, length }));
            })?;
            Ok(())
        },
    )?;
    pack.store(bot, audience)
}

/// Documents that become a segment.
#[derive(Default)]
pub struct Pack {
    entries: Vec<(Vec<u8>, Posting)>,
    size: Option<Size>,
}

impl Pack {
    fn begin(&mut self, memory: i64, length: u32) {
        let one = Size::of_document(memory, length);
        self.size = Some(self.size.map_or(one, |size| size.and(one)));
    }

    /// Adds a document, if it has words.
    pub fn push(&mut self, memory: i64, document: &Document) {
        if document.terms.is_empty() {
            return;
        }
        let length = document.length;
        self.begin(memory, length);
        self.entries.extend(document.terms.iter().map(|term| {
            let posting = Posting { memory, frequency: term.frequency, length };
            (term.text.clone().into_bytes(), posting)
        }));
    }

    /// Stores them as a segment of an audience, which is locked. Returns how many
    /// they are.
    pub fn store(mut self, bot: i64, audience: i64) -> Result<i64, Error> {
        let Some(size) = self.size else { return Ok(0) };
        self.entries.sort_unstable();
        let lists = self.entries.chunk_by(|a, b| a.0 == b.0).map(|same| {
            Ok(Entry {
                term: String::from_utf8(same[0].0.clone()).map_err(|_| Error::Corrupt)?,
                postings: same.iter().map(|(_, posting)| *posting).collect(),
            })
        });
        store(bot, audience, size, vec![lists])?;
        Ok(size.memories)
    }
}

/// What a segment holds.
#[derive(Debug, Clone, Copy)]
struct Size {
    memories: i64,
    terms: i64,
    first: i64,
    last: i64,
}

impl Size {
    fn of_document(memory: i64, length: u32) -> Self {
        Self { memories: 1, terms: i64::from(length), first: memory, last: memory }
    }

    fn and(self, other: Self) -> Self {
        Self {
            memories: self.memories + other.memories,
            terms: self.terms + other.terms,
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

fn segments(bot: i64, audience: i64) -> Result<Vec<(i32, Size)>, Error> {
    read_newest(
        "SELECT s.segment, s.memories, s.terms, s.first_memory, s.last_memory
         FROM muninn.posting_segment s WHERE s.bot_id = $1 AND s.audience_id = $2
         ORDER BY s.segment",
        &[bot.into(), audience.into()],
        |row| {
            let size = Size {
                memories: must(row, 2, "memories")?,
                terms: must(row, 3, "terms")?,
                first: must(row, 4, "memory")?,
                last: must(row, 5, "memory")?,
            };
            Ok((must(row, 1, "segment")?, size))
        },
    )
}

/// Merges segments of an audience, which is locked, until none has to be: at
/// most `most` memories at once. Returns whether larger ones are left to do,
/// and how many memories were moved.
pub fn merge_segments(bot: i64, audience: i64, most: i64) -> Result<(bool, i64), Error> {
    let mut moved = 0;
    loop {
        let segments = segments(bot, audience)?;
        let memories: Vec<i64> = segments.iter().map(|(_, size)| size.memories).collect();
        let Some(members) = due(&memories) else { return Ok((false, moved)) };
        let members: Vec<(i32, Size)> = members.into_iter().map(|at| segments[at]).collect();
        let Some(size) = members.iter().map(|(_, size)| *size).reduce(Size::and) else {
            return Ok((false, moved));
        };
        if size.memories > most {
            return Ok((true, moved));
        }
        let sources =
            members.iter().map(|&(segment, _)| Source::new(bot, audience, segment)).collect();
        store(bot, audience, size, sources)?;
        let numbers: Vec<i32> = members.iter().map(|(segment, _)| *segment).collect();
        drop_segments(bot, audience, &numbers)?;
        moved += size.memories;
    }
}

fn drop_segments(bot: i64, audience: i64, segments: &[i32]) -> Result<(), Error> {
    execute(
        "WITH pages AS (
             DELETE FROM muninn.posting_page p
             WHERE p.bot_id = $1 AND p.audience_id = $2 AND p.segment = ANY ($3))
         DELETE FROM muninn.posting_segment s
         WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.segment = ANY ($3)",
        &[bot.into(), audience.into(), segments.to_vec().into()],
    )
}

/// Stores the entries of the sources as a new segment.
fn store<S: Iterator<Item = Result<Entry, Error>>>(
    bot: i64,
    audience: i64,
    size: Size,
    sources: Vec<S>,
) -> Result<(), Error> {
    let segment = write(
        "INSERT INTO muninn.posting_segment AS s (bot_id, audience_id, segment, memories, terms,
             first_memory, last_memory)
         SELECT $1, $2, coalesce(max(o.segment), 0) + 1, $3, $4, $5, $6
         FROM muninn.posting_segment o WHERE o.bot_id = $1 AND o.audience_id = $2
         RETURNING s.segment",
        &[
            bot.into(),
            audience.into(),
            size.memories.into(),
            size.terms.into(),
            size.first.into(),
            size.last.into(),
        ],
        |row| must::<i32>(row, 1, "segment"),
    )?
    .pop()
    .ok_or(Error::Missing("segment"))?;
    merge(sources, size.first, |pages| store_pages(bot, audience, segment, &pages))
}

fn store_pages(bot: i64, audience: i64, segment: i32, pages: &[Page]) -> Result<(), Error> {
    for page in pages {
        execute(
            "INSERT INTO muninn.posting_page (bot_id, audience_id, segment, first_term, part, page)
             VALUES ($1, $2, $3, $4, $5, $6)",
            &[
                bot.into(),
                audience.into(),
                segment.into(),
                page.first_term.as_str().into(),
                page.part.into(),
                page.bytes.as_slice().into(),
            ],
        )?;
    }
    Ok(())
}

/// A page as it is stored.
struct Stored {
    first_term: String,
    part: i32,
    bytes: Vec<u8>,
}

/// Some pages of a segment, in order, after a given one.
fn pages_after(
    bot: i64,
    audience: i64,
    segment: i32,
    after: Option<(&str, i32)>,
) -> Result<Vec<Stored>, Error> {
    let (term, part) = after.unwrap_or(("", -1));
    read_newest(
        "SELECT p.first_term, p.part, p.page FROM muninn.posting_page p
         WHERE p.bot_id = $1 AND p.audience_id = $2 AND p.segment = $3
           AND (p.first_term, p.part) > ($4 COLLATE \"C\", $5)
         ORDER BY p.first_term, p.part LIMIT $6",
        &[bot.into(), audience.into(), segment.into(), term.into(), part.into(), READ_PAGES.into()],
        |row| {
            Ok(Stored {
                first_term: must(row, 1, "term")?,
                part: must(row, 2, "part")?,
                bytes: must(row, 3, "page")?,
            })
        },
    )
}

/// The entries of a segment, read a few pages at a time.
struct Source {
    bot: i64,
    audience: i64,
    segment: i32,
    last: Option<(String, i32)>,
    entries: VecDeque<Entry>,
}

impl Source {
    fn new(bot: i64, audience: i64, segment: i32) -> Self {
        Self { bot, audience, segment, last: None, entries: VecDeque::new() }
    }

    fn fill(&mut self) -> Result<(), Error> {
        pgrx::check_for_interrupts!();
        let after = self.last.as_ref().map(|(term, part)| (term.as_str(), *part));
        let pages = pages_after(self.bot, self.audience, self.segment, after)?;
        for page in &pages {
            self.entries.extend(page_entries(&page.bytes)?);
        }
        self.last = pages.into_iter().last().map(|page| (page.first_term, page.part));
        Ok(())
    }
}

impl Iterator for Source {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.entries.is_empty()
            && let Err(error) = self.fill()
        {
            return Some(Err(error));
        }
        self.entries.pop_front().map(Ok)
    }
}

/// Takes memories of an audience, which is locked, out of the index; their ids
/// in order. Those that are not in it do not matter.
pub fn remove(bot: i64, audience: i64, memories: &[i64]) -> Result<(), Error> {
    let mut fresh = write(
        "DELETE FROM muninn.fresh_document f
         WHERE f.bot_id = $1 AND f.audience_id = $2 AND f.memory_id = ANY ($3)
         RETURNING f.memory_id",
        &[bot.into(), audience.into(), memories.to_vec().into()],
        |row| must::<i64>(row, 1, "memory"),
    )?;
    fresh.sort_unstable();
    let is_packed = |memory: &i64| fresh.binary_search(memory).is_err();
    let packed: Vec<i64> = memories.iter().copied().filter(is_packed).collect();
    for (segment, size) in segments(bot, audience)? {
        if packed.iter().any(|memory| (size.first..=size.last).contains(memory)) {
            remove_from(bot, audience, segment, &packed)?;
        }
    }
    Ok(())
}

fn remove_from(bot: i64, audience: i64, segment: i32, memories: &[i64]) -> Result<(), Error> {
    let mut gone: Vec<(i64, u32)> = Vec::new();
    let mut last: Option<(String, i32)> = None;
    loop {
        pgrx::check_for_interrupts!();
        let after = last.as_ref().map(|(term, part)| (term.as_str(), *part));
        let pages = pages_after(bot, audience, segment, after)?;
        for page in &pages {
            let removed = |posting: Posting| gone.push((posting.memory, posting.length));
            let Some(rest) = erase(&page.bytes, page.part, memories, removed)? else { continue };
            execute(
                "DELETE FROM muninn.posting_page p WHERE p.bot_id = $1 AND p.audience_id = $2
                   AND p.segment = $3 AND p.first_term = $4 AND p.part = $5",
                &[
                    bot.into(),
                    audience.into(),
                    segment.into(),
                    page.first_term.as_str().into(),
                    page.part.into(),
                ],
            )?;
            store_pages(bot, audience, segment, rest.as_slice())?;
        }
        match pages.into_iter().last() {
            Some(page) => last = Some((page.first_term, page.part)),
            None => break,
        }
    }
    gone.sort_unstable();
    gone.dedup();
    if gone.is_empty() {
        return Ok(());
    }
    let terms: i64 = gone.iter().map(|&(_, length)| i64::from(length)).sum();
    execute(
        "UPDATE muninn.posting_segment s SET memories = s.memories - $4, terms = s.terms - $5
         WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.segment = $3",
        &[bot.into(), audience.into(), segment.into(), (gone.len() as i64).into(), terms.into()],
    )?;
    execute(
        "DELETE FROM muninn.posting_segment s
         WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.segment = $3 AND s.memories <= 0",
        &[bot.into(), audience.into(), segment.into()],
    )
}
