//! The packed form of the lexical index.
//!
//! What a memory is found by is stored twice in its life. First as one **fresh
//! document**, its terms in a row: cheap to write, and few enough of them in an
//! audience that a search reads all. Later, together with its neighbours, in a
//! **segment**: the postings of many memories, sorted by term and cut into
//! **pages** of a few kilobytes, of which a search reads the ones that hold its
//! terms. A segment is never added to; segments of like size are merged into a
//! larger one, so that there are few.
//!
//! | part | holds |
//! |---|---|
//! | fresh document | terms of one memory, each sharing its beginning with the one before |
//! | page | a run of terms with their lists, or a piece of the list of one frequent term |
//! | list | postings by memory: distance to the one before, length, frequency |
//!
//! Numbers are little-endian base 128 ("varints"), so a posting of a short
//! memory takes two to four bytes. Bytes that do not decode are [`Corrupt`],
//! never a panic.

pub(crate) mod bytes;
mod fresh;
mod list;
mod merge;
mod page;
mod tier;

pub use bytes::Corrupt;
pub use fresh::{decode_terms, encode_terms};
pub use list::{Posting, Postings};
pub use merge::{Entry, merge, page_entries};
pub use page::{Page, PageBuilder, erase, find, terms};
pub use tier::due;
