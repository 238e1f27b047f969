//! Words that the detector knows, in lower case with umlauts spelt out, as the
//! comparison of statements writes them. A Chinese word is its characters.

mod antonyms;
mod attitude;
mod changes;
mod classes;
mod frames;
mod negations;
mod places;

pub(super) use antonyms::opposite;
pub(super) use attitude::{OPEN_VERBS, OPEN_WORDS};
pub(super) use changes::{CHANGED, CHANGES, Change};
pub(super) use classes::{
    EXISTENTIAL, IDENTIFIED, LITTLE, ORDINAL_PLACES, REPEATED, SCHEDULED, SPEAKERS, canonical,
    exclude, is_copula, is_light, is_preposition, is_time_word,
};
pub(super) use frames::{ATTRIBUTES, FRAMES};
pub(super) use negations::{DENIALS, ENGLISH_DENIALS, NOT_DENIALS};
pub(super) use places::is_country;
