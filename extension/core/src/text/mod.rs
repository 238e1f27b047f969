//! The analyser: turns documents and questions into index terms.
//!
//! One analyser serves both sides, so that a word finds itself however it was
//! written. The text is brought to NFKC, cut at Unicode word boundaries, and
//! each word becomes one or two terms:
//!
//! | a document in | has for a word |
//! |---|---|
//! | English | its stem |
//! | another language with a stemmer | its stem and its plain folded form |
//! | an unknown language, or one without a stemmer | its plain folded form |
//!
//! A question has for each word the plain form, the English stem and the
//! stems of the languages it may be in, as alternatives. So a word is found in
//! a document of any language even when the question's language was not
//! recognised, and its inflected forms when it was.
//!
//! The number of times that a document has a word of a question is the
//! **greatest** frequency among the word's forms, not their sum: a stem and a
//! plain form may come from the same place in the text.
//!
//! Stop words are indexed like all others, but a question asks for them only
//! if it has nothing else ("The Who"). They are not counted into the length,
//! so that a wordy text is not taken for a long one. The price was measured:
//! two fifths of the postings of chat turns and a quarter of those of abstracts
//! are stop words, which are read only for such questions.
//!
//! | written | terms of a document |
//! |---|---|
//! | a compound (`e-mail`, `user_id`, `a/b.c`, `v1.2`, `a@b.c`) | the whole and its parts |
//! | a run of ideographs and kana | overlapping pairs, and each ideograph |
//! | a Korean word | itself, itself without particle, its pairs |
//! | Thai, Lao, Khmer, Myanmar | overlapping pairs of letters with their marks |
//! | an emoji | the sequence without skin tones |
//!
//! A word of a question that the searched memories do not have may be misspelt,
//! or a compound of words that they have, or they may have it in compounds:
//! [`expand`] looks for that among their terms.
//!
//! In a question the whole of a compound counts more than a part, and a pair
//! more than a single ideograph, which counts only in a run that is as long as
//! a sentence, or by itself.

mod cjk;
mod compound;
mod decompound;
mod detect;
mod document;
mod expand;
mod fold;
pub(crate) mod irregular;
pub(crate) mod language;
mod light;
mod names;
mod passage;
mod query;
pub(crate) mod sameness;
mod segment;
pub(crate) mod stem;
pub(crate) mod stopwords;
mod typo;

pub use detect::detect;
pub use document::{Document, Term, analyse_document};
pub use expand::{Asked, beginnings, expand, wants_lexicon};
pub(crate) use fold::fold;
pub use fold::normalise;
pub use language::Language;
pub use names::{latin_share, names};
pub use passage::passages;
pub use query::{Form, QueryWord, analyse_query};
pub use sameness::{Statement, says_the_same};
pub(crate) use stopwords::is_question_stop_word;

/// Stored with the index. It is raised whenever the terms of a document
/// change, so that an index made by an older analyser is made again.
pub const ANALYSER_VERSION: u32 = 1;
