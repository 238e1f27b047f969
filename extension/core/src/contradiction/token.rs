//! A word of a statement, and what kind of word it is.

use std::collections::HashSet;

use super::lists::{canonical, is_time_word};
use super::number::Amount;
use crate::text::language::{Language, Script};
use crate::text::sameness::lists::{day, month};
use crate::text::sameness::statement::Word;
use crate::text::stem::stem;
use crate::text::stopwords::is_stop_word;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Word,
    /// How many, or how much.
    Amount(Amount),
    /// The third of its kind.
    Ordinal,
    /// Letters and digits: a code, a name.
    Code,
    /// A day, a month, a year, and the numbers in a date.
    Date,
    /// Minutes since midnight, and whether it is known which half of the day.
    Clock(u32, bool),
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub key: String,
    /// As it was written.
    pub said: String,
    pub root: String,
    pub kind: Kind,
    pub capital: bool,
    /// Says nothing by itself in the language of the statement.
    pub stop: bool,
    /// `is` stood before it.
    pub copula: bool,
    pub apostrophe: bool,
}

impl Token {
    pub fn new(word: &Word, language: Language) -> Self {
        let kind = if day(&word.key).is_some() || month(&word.key).is_some_and(|m| m != "may") {
            Kind::Date
        } else {
            Kind::of(&word.key)
        };
        let root = match kind {
            Kind::Word => root(&word.key, language),
            _ => word.key.clone(),
        };
        Self {
            root,
            kind,
            capital: word.capital && !word.opens,
            stop: is_stop_word(&word.key, Some(language)),
            copula: word.copula,
            apostrophe: word.apostrophe,
            said: if word.said.is_empty() { word.key.clone() } else { word.said.clone() },
            key: word.key.clone(),
        }
    }

    /// Whether it is one of the words of a list.
    pub fn among(&self, words: &HashSet<String>) -> bool {
        words.contains(&self.key) || words.contains(&self.root)
    }

    pub fn is(&self, word: &str) -> bool {
        self.key == word
    }

    pub fn is_time(&self) -> bool {
        matches!(self.kind, Kind::Date | Kind::Clock(..)) || is_time_word(&self.key)
    }

    pub fn is_amount(&self) -> bool {
        matches!(self.kind, Kind::Amount(_))
    }

    /// Has a value that is compared as a number is.
    pub fn is_value(&self) -> bool {
        matches!(self.kind, Kind::Amount(_) | Kind::Clock(..) | Kind::Code)
    }
}

impl Kind {
    fn of(key: &str) -> Self {
        if !key.contains(|c: char| c.is_ascii_digit()) {
            return Self::Word;
        }
        if let Some(amount) = Amount::of(key) {
            return Self::Amount(amount);
        }
        let ordinal = ["st", "nd", "rd", "th"].iter().any(|end| {
            key.strip_suffix(end).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        });
        if ordinal { Self::Ordinal } else { Self::Code }
    }
}

/// What words of one meaning have in common.
pub(super) fn root(key: &str, language: Language) -> String {
    let script = Script::of_word(key);
    let stem = stem(key, script, language).unwrap_or_else(|| key.to_owned());
    canonical(&stem).to_owned()
}

/// The words of a list with their English roots, for [`Token::among`].
pub(super) fn listed(words: &[&str]) -> HashSet<String> {
    let roots = words.iter().map(|word| root(word, Language::English));
    roots.chain(words.iter().map(|word| (*word).to_owned())).collect()
}
