//! The lexical index: what a search reads of it, and how a memory gets in.

use muninn_core::bm25::Corpus;
use muninn_core::posting::{self, Posting, decode_terms, encode_terms, find};
use muninn_core::text::Document;
use pgrx::datum::DatumWithOid;

use super::spi::{execute, must, read};
use crate::error::Error;

/// What a search needs of a scope.
pub struct Found {
    /// How large the scope is.
    pub corpus: Corpus,
    /// The postings of each term that was asked for.
    pub lists: Vec<Vec<Posting>>,
}

/// Everything that the scope has of these terms, which are distinct and in
/// order. One statement, so that nobody can pack a fresh document between two
/// looks.
pub fn look_up(bot: i64, audiences: &[i64], terms: &[String]) -> Result<Found, Error> {
    look(bot, audiences, terms, true)
}

/// The same without the terms that many memories have, whose postings fill pages of
/// their own: a page a term and segment, however large the audience is.
pub fn look_up_rare(bot: i64, audiences: &[i64], terms: &[String]) -> Result<Found, Error> {
    look(bot, audiences, terms, false)
}

fn look(bot: i64, audiences: &[i64], terms: &[String], all: bool) -> Result<Found, Error> {
    let mut found =
        Found { corpus: Corpus { memories: 0, terms: 0 }, lists: vec![Vec::new(); terms.len()] };
    read(
        // A page may hold a term if it begins with the greatest first term up to
        // it; pages of one long list concern nobody else. LIMIT and OFFSET bind
        // the planner, whatever it believes of the table: a look into the index
        // for each term, never all pages for each.
        "WITH segment AS MATERIALIZED (
             SELECT s.audience_id, s.segment, s.memories, s.terms FROM muninn.posting_segment s
             WHERE s.bot_id = $1 AND s.audience_id = ANY ($2))
         SELECT NULL::integer, s.memories, s.terms, NULL::bytea FROM segment s
         UNION ALL
         SELECT 0, f.memory_id, f.length::bigint, f.terms FROM muninn.fresh_document f
         WHERE f.bot_id = $1 AND f.audience_id = ANY ($2)
         UNION ALL
         SELECT asked.place::integer, 0, 0, p.page
         FROM segment s
         CROSS JOIN unnest($3::text[]) WITH ORDINALITY AS asked (term, place)
         CROSS JOIN LATERAL (
             SELECT x.first_term FROM muninn.posting_page x
             WHERE x.bot_id = $1 AND x.audience_id = s.audience_id AND x.segment = s.segment
               AND x.first_term <= asked.term COLLATE \"C\"
             ORDER BY x.first_term DESC LIMIT 1) start
         CROSS JOIN LATERAL (
             SELECT x.page FROM muninn.posting_page x
             WHERE x.bot_id = $1 AND x.audience_id = s.audience_id AND x.segment = s.segment
               AND x.first_term = start.first_term
               AND (x.part = 0 OR ($4 AND x.first_term = asked.term COLLATE \"C\"))
             OFFSET 0) p",
        &[bot.into(), audiences.to_vec().into(), terms.to_vec().into(), all.into()],
        |row| {
            let place = row.get::<i32>(1);
            let (id, length) = (must::<i64>(row, 2, "memory")?, must::<i64>(row, 3, "length")?);
            match (place, row.bytes(4)) {
                (Some(0), Some(packed)) => {
                    found.corpus.memories += 1;
                    found.corpus.terms += length as u64;
                    add_fresh(&mut found.lists, terms, packed, id, length as u32)?;
                }
                (Some(place), Some(page)) => {
                    let at = place as usize - 1;
                    if let Some(list) = find(page, &terms[at])? {
                        for posting in list {
                            found.lists[at].push(posting?);
                        }
                    }
                }
                _ => {
                    found.corpus.memories += id as u64;
                    found.corpus.terms += length as u64;
                }
            }
            Ok(())
        },
    )?;
    Ok(found)
}

/// Adds what a fresh document has of the terms.
fn add_fresh(
    lists: &mut [Vec<Posting>],
    terms: &[String],
    packed: &[u8],
    memory: i64,
    length: u32,
) -> Result<(), Error> {
    let mut asked = (0..).zip(terms).peekable();
    decode_terms(packed, |term, frequency| {
        while asked.next_if(|(_, wanted)| wanted.as_bytes() < term).is_some() {}
        if let Some((at, _)) = asked.next_if(|(_, wanted): &(usize, _)| wanted.as_bytes() == term) {
            lists[at].push(Posting { memory, frequency, length });
        }
    })?;
    Ok(())
}

/// Makes a memory findable by its words.
pub fn insert(bot: i64, audience: i64, memory: i64, document: &Document) -> Result<(), Error> {
    // Without words it can be found by its meaning alone.
    if document.terms.is_empty() {
        return Ok(());
    }
    let length = i32::try_from(document.length).unwrap_or(i32::MAX);
    execute(
        "INSERT INTO muninn.fresh_document (bot_id, audience_id, memory_id, length, terms)
         VALUES ($1, $2, $3, $4, $5)",
        &[
            bot.into(),
            audience.into(),
            memory.into(),
            length.into(),
            encode_terms(&document.terms).into(),
        ],
    )
}

/// Index terms of a scope, maybe some of them several times.
#[derive(Default)]
pub struct Lexicon {
    text: String,
    ends: Vec<usize>,
}

impl Lexicon {
    fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.ends.push(self.text.len());
    }

    /// The terms.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }
}

/// The most pages of an audience that are read for a lexicon.
const LEXICON_PAGES: i64 = 4_000;

/// The lexicon of a scope.
pub fn lexicon(bot: i64, audiences: &[i64]) -> Result<Lexicon, Error> {
    read_lexicon(
        // A long list has its term beside each of its pages, of which the first
        // may be gone, and is left where it is.
        "SELECT NULL::text, p.page FROM unnest($2::bigint[]) AS a (id)
         CROSS JOIN LATERAL (
             SELECT x.page FROM muninn.posting_page x
             WHERE x.bot_id = $1 AND x.audience_id = a.id AND x.part = 0
             ORDER BY x.segment, x.first_term LIMIT $3) p
         UNION ALL
         SELECT p.first_term, NULL::bytea FROM unnest($2::bigint[]) AS a (id)
         CROSS JOIN LATERAL (
             SELECT DISTINCT x.first_term FROM muninn.posting_page x
             WHERE x.bot_id = $1 AND x.audience_id = a.id AND x.part > 0
             ORDER BY x.first_term LIMIT $3) p
         UNION ALL
         SELECT '', f.terms FROM muninn.fresh_document f
         WHERE f.bot_id = $1 AND f.audience_id = ANY ($2)",
        &[bot.into(), audiences.to_vec().into(), LEXICON_PAGES.into()],
    )
}

/// Of the lexicon of a scope the terms that begin with one of these, and some
/// others.
pub fn lexicon_of(bot: i64, audiences: &[i64], beginnings: &[String]) -> Result<Lexicon, Error> {
    read_lexicon(
        // The first of them may stand in the page before; behind the greatest
        // letter there is none. Bound as in look_up.
        "WITH part AS MATERIALIZED (
             SELECT s.audience_id, s.segment, b.begins COLLATE \"C\" AS begins,
                    (b.begins || U&'\\+10FFFF') COLLATE \"C\" AS ends
             FROM muninn.posting_segment s CROSS JOIN unnest($3::text[]) AS b (begins)
             WHERE s.bot_id = $1 AND s.audience_id = ANY ($2))
         SELECT NULL::text, p.page FROM part
         CROSS JOIN LATERAL (
             SELECT coalesce((
                 SELECT x.first_term FROM muninn.posting_page x
                 WHERE x.bot_id = $1 AND x.audience_id = part.audience_id
                   AND x.segment = part.segment AND x.part = 0 AND x.first_term <= part.begins
                 ORDER BY x.first_term DESC LIMIT 1), part.begins) AS first_term OFFSET 0) start
         CROSS JOIN LATERAL (
             SELECT x.page FROM muninn.posting_page x
             WHERE x.bot_id = $1 AND x.audience_id = part.audience_id AND x.segment = part.segment
               AND x.part = 0 AND x.first_term >= start.first_term AND x.first_term <= part.ends
             ORDER BY x.first_term LIMIT $4) p
         UNION ALL
         SELECT p.first_term, NULL::bytea FROM part
         CROSS JOIN LATERAL (
             SELECT DISTINCT x.first_term FROM muninn.posting_page x
             WHERE x.bot_id = $1 AND x.audience_id = part.audience_id AND x.segment = part.segment
               AND x.part > 0 AND x.first_term >= part.begins AND x.first_term <= part.ends
             ORDER BY x.first_term LIMIT $4) p
         UNION ALL
         SELECT '', f.terms FROM muninn.fresh_document f
         WHERE f.bot_id = $1 AND f.audience_id = ANY ($2)",
        &[bot.into(), audiences.to_vec().into(), beginnings.to_vec().into(), LEXICON_PAGES.into()],
    )
}

/// Rows of a term, of a page, or of a fresh document's terms beside ''.
fn read_lexicon(sql: &str, args: &[DatumWithOid<'_>]) -> Result<Lexicon, Error> {
    let mut found = Lexicon::default();
    read(sql, args, |row| {
        match (row.get::<String>(1), row.bytes(2)) {
            (None, Some(page)) => posting::terms(page, |term| found.push(term))?,
            (Some(_), Some(fresh)) => {
                let mut readable = true;
                decode_terms(fresh, |term, _| match str::from_utf8(term) {
                    Ok(term) => found.push(term),
                    Err(_) => readable = false,
                })?;
                if !readable {
                    return Err(Error::Corrupt);
                }
            }
            (Some(term), None) => found.push(&term),
            (None, None) => {}
        }
        Ok(())
    })?;
    Ok(found)
}
