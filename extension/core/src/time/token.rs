//! The words and numbers of a question, and what stands between them.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::text::fold;

/// What follows the digits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nothing: `3`.
    Plain,
    /// `3rd`, `1er`.
    Ordinal,
    /// `1990s`.
    Decade,
}

/// A number that was written in digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: i64,
    /// How many digits it has.
    pub(super) digits: usize,
    pub(super) ending: Ending,
}

/// A word or a number.
#[derive(Debug)]
pub(super) struct Token<'a> {
    /// In lower case, without diacritics.
    pub(super) word: String,
    pub(super) range: Range<usize>,
    pub(super) number: Option<Number>,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
    /// What stands before it, back to the word before.
    pub(super) gap: &'a str,
}

/// Longest word that is looked at; no longer one says anything about time.
const LONGEST: usize = 40;

/// The words and numbers of a text in order.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let inside = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let (mut last, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let Some(start) = rest.find(inside).map(|start| at + start) else { break };
        let end = text[start..].find(|c| !inside(c)).map_or(text.len(), |end| start + end);
        at = end;
        let (written, gap) = (&text[start..end], &text[last..start]);
        last = end;
        let word = if written.len() > LONGEST { String::new() } else { fold(written) };
        // Last year's: the year is meant.
        if word == "s" && matches!(gap, "'" | "’") {
            continue;
        }
        let capital = written.chars().next().is_some_and(char::is_uppercase);
        let number = number(&word);
        tokens.push(Token { word, range: start..end, number, capital, gap });
    }
    tokens
}

/// A number of at most nine digits.
fn number(word: &str) -> Option<Number> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let ending = match &word[digits..] {
        "" => Ending::Plain,
        "st" | "nd" | "rd" | "th" | "er" | "ere" => Ending::Ordinal,
        "s" => Ending::Decade,
        _ => return None,
    };
    if !(1..=9).contains(&digits) {
        return None;
    }
    Some(Number { value: word[..digits].parse().ok()?, digits, ending })
}

impl Token<'_> {
    /// Whether a sentence, or a part of one, ends before the token.
    pub(super) fn starts_anew(&self) -> bool {
        self.gap.contains(['?', '!', ';', ':', '(', ')', '"', '\n']) || self.gap.contains(". ")
    }

    /// A number without an ending in a range.
    pub(super) fn plain(&self, range: Range<i64>) -> Option<i64> {
        let number = self.number.filter(|number| number.ending == Ending::Plain)?;
        range.contains(&number.value).then_some(number.value)
    }
}
