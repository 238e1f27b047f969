//! The postings of one term.

use super::bytes::{Corrupt, put, take};

/// That a memory has a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// The memory.
    pub memory: i64,
    /// How often it has the term, at least 1.
    pub frequency: u32,
    /// How many terms it has in all, at least 1.
    pub length: u32,
}

/// Appends a posting to a list whose last memory is `before`.
pub fn put_posting(bytes: &mut Vec<u8>, before: i64, posting: &Posting) {
    put(bytes, posting.memory.wrapping_sub(before) as u64);
    // Most terms stand once in a memory: one bit says so.
    let often = posting.frequency > 1;
    put(bytes, u64::from(posting.length) << 1 | u64::from(often));
    if often {
        put(bytes, u64::from(posting.frequency));
    }
}

/// Appends a list: postings by memory, the first counted from `base`.
pub fn put_postings(bytes: &mut Vec<u8>, base: i64, postings: &[Posting]) {
    let mut before = base;
    for posting in postings {
        put_posting(bytes, before, posting);
        before = posting.memory;
    }
}

/// Reads a list: postings in the order of their memories.
#[derive(Debug, Clone)]
pub struct Postings<'a> {
    bytes: &'a [u8],
    memory: i64,
}

impl<'a> Postings<'a> {
    /// `base` is what the first memory is counted from.
    pub(super) fn new(bytes: &'a [u8], base: i64) -> Self {
        Self { bytes, memory: base }
    }

    #[inline]
    fn decode(&mut self) -> Result<Posting, Corrupt> {
        self.memory = self.memory.wrapping_add(take(&mut self.bytes)? as i64);
        let code = take(&mut self.bytes)?;
        let frequency = if code & 1 == 1 { take(&mut self.bytes)? } else { 1 };
        let narrow = |number: u64| u32::try_from(number).map_err(|_| Corrupt);
        Ok(Posting {
            memory: self.memory,
            frequency: narrow(frequency)?,
            length: narrow(code >> 1)?,
        })
    }
}

impl Iterator for Postings<'_> {
    type Item = Result<Posting, Corrupt>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        let posting = self.decode();
        if posting.is_err() {
            self.bytes = &[];
        }
        Some(posting)
    }
}
