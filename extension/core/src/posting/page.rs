//! Pages: a segment, cut into rows.

use super::bytes::{Corrupt, put, put_text, take, take_slice, take_text};
use super::list::{Posting, Postings, put_posting, put_postings};

/// The most bytes of a page: two of them fill a block of Postgres.
const PAGE_BYTES: usize = 3_960;
/// A list of more bytes has pages of its own, so that nobody reads it who asks
/// for the term beside it.
const LONG_LIST: usize = PAGE_BYTES / 2;

/// A page to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its first term.
    pub first_term: String,
    /// 0: a run of terms; from 1: a piece of the list of this one term.
    pub part: i32,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Cuts a sorted run of terms into pages.
#[derive(Debug)]
pub struct PageBuilder {
    base: i64,
    open: Option<Page>,
    last_term: String,
    list: Vec<u8>,
    done: Vec<Page>,
}

impl PageBuilder {
    /// For lists whose memories are all at least `base`.
    pub fn new(base: i64) -> Self {
        Self { base, open: None, last_term: String::new(), list: Vec::new(), done: Vec::new() }
    }

    /// Adds a term, greater than the one before, with its postings by memory.
    pub fn push(&mut self, term: &str, postings: &[Posting]) {
        self.list.clear();
        put_postings(&mut self.list, self.base, postings);
        if self.list.len() > LONG_LIST {
            self.close();
            self.push_long(term, postings);
            return;
        }
        let room = PAGE_BYTES.saturating_sub(self.list.len() + term.len() + 8);
        if self.open.as_ref().is_some_and(|page| page.bytes.len() > room) {
            self.close();
        }
        let base = self.base;
        let page = self.open.get_or_insert_with(|| {
            self.last_term.clear();
            start(term, 0, base)
        });
        put_entry(&mut page.bytes, &self.last_term, term, &self.list);
        term.clone_into(&mut self.last_term);
    }

    fn push_long(&mut self, term: &str, postings: &[Posting]) {
        let room = PAGE_BYTES - term.len() - 16;
        let mut rest = postings;
        let mut part = 0;
        while !rest.is_empty() {
            self.list.clear();
            let mut before = self.base;
            let mut taken = 0;
            for posting in rest {
                let length = self.list.len();
                put_posting(&mut self.list, before, posting);
                if self.list.len() > room && taken > 0 {
                    self.list.truncate(length);
                    break;
                }
                before = posting.memory;
                taken += 1;
            }
            rest = &rest[taken..];
            part += 1;
            let mut page = start(term, part, self.base);
            put_entry(&mut page.bytes, "", term, &self.list);
            self.done.push(page);
        }
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
    }

    /// The pages that are full by now.
    pub fn take_full(&mut self) -> Vec<Page> {
        std::mem::take(&mut self.done)
    }

    /// All pages that have not been taken.
    pub fn finish(mut self) -> Vec<Page> {
        self.close();
        self.done
    }
}

fn start(term: &str, part: i32, base: i64) -> Page {
    let mut bytes = Vec::with_capacity(PAGE_BYTES);
    put(&mut bytes, base as u64);
    Page { first_term: term.to_owned(), part, bytes }
}

fn put_entry(bytes: &mut Vec<u8>, before: &str, term: &str, list: &[u8]) {
    put_text(bytes, before, term);
    put(bytes, list.len() as u64);
    bytes.extend_from_slice(list);
}

/// Hands each term of a page and its list to `each`, until that says `false`.
pub(super) fn entries<'a>(
    mut bytes: &'a [u8],
    mut each: impl FnMut(&[u8], Postings<'a>) -> Result<bool, Corrupt>,
) -> Result<(), Corrupt> {
    let base = take(&mut bytes)? as i64;
    let mut term = Vec::with_capacity(64);
    while !bytes.is_empty() {
        take_text(&mut bytes, &mut term)?;
        let length = take(&mut bytes)?;
        let list = take_slice(&mut bytes, length)?;
        if !each(&term, Postings::new(list, base))? {
            break;
        }
    }
    Ok(())
}

/// The list of a term in a page that may have it.
///
/// # Errors
/// [`Corrupt`] where the bytes are no page.
///
/// ```
/// use muninn_core::posting::{PageBuilder, Posting, find};
/// let mut builder = PageBuilder::new(40);
/// builder.push("cat", &[Posting { memory: 42, frequency: 1, length: 9 }]);
/// builder.push("dog", &[Posting { memory: 40, frequency: 2, length: 7 }]);
/// let page = builder.finish().pop().unwrap();
/// let list = find(&page.bytes, "dog").unwrap().unwrap();
/// assert_eq!(list.map(|p| p.unwrap().memory).collect::<Vec<_>>(), [40]);
/// assert!(find(&page.bytes, "cow").unwrap().is_none());
/// ```
pub fn find<'a>(bytes: &'a [u8], term: &str) -> Result<Option<Postings<'a>>, Corrupt> {
    let mut found = None;
    entries(bytes, |text, list| {
        let order = text.cmp(term.as_bytes());
        if order.is_eq() {
            found = Some(list);
        }
        Ok(order.is_lt())
    })?;
    Ok(found)
}

/// The terms of a page, in order.
///
/// # Errors
/// [`Corrupt`] where the bytes are no page.
pub fn terms(bytes: &[u8], mut each: impl FnMut(&str)) -> Result<(), Corrupt> {
    entries(bytes, |text, _| {
        each(str::from_utf8(text).map_err(|_| Corrupt)?);
        Ok(true)
    })
}

/// A page without some memories (their ids in order): `None` if it has none of
/// them, else what takes its place, if anything is left. `removed` is told each
/// posting that is gone.
///
/// # Errors
/// [`Corrupt`] where the bytes are no page.
pub fn erase(
    bytes: &[u8],
    part: i32,
    memories: &[i64],
    mut removed: impl FnMut(Posting),
) -> Result<Option<Option<Page>>, Corrupt> {
    let mut changed = false;
    let mut kept: Vec<(String, Vec<Posting>)> = Vec::new();
    let base = take(&mut &*bytes)? as i64;
    entries(bytes, |text, list| {
        let mut postings = Vec::new();
        for posting in list {
            let posting = posting?;
            if memories.binary_search(&posting.memory).is_ok() {
                changed = true;
                removed(posting);
            } else {
                postings.push(posting);
            }
        }
        if !postings.is_empty() {
            let text = str::from_utf8(text).map_err(|_| Corrupt)?;
            kept.push((text.to_owned(), postings));
        }
        Ok(true)
    })?;
    if !changed {
        return Ok(None);
    }
    let mut page: Option<Page> = None;
    let mut before = "";
    for (term, postings) in &kept {
        let mut list = Vec::new();
        put_postings(&mut list, base, postings);
        let page = page.get_or_insert_with(|| start(term, part, base));
        put_entry(&mut page.bytes, before, term, &list);
        before = term;
    }
    Ok(Some(page))
}
