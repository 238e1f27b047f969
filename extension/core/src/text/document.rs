//! Documents: which terms a text is found by.

use std::collections::HashMap;

use super::cjk;
use super::compound::Atom;
use super::fold::{cut, fold, prepare};
use super::language::Language;
use super::segment::{Token, segment};
use super::stem::document_terms;
use super::stopwords::is_stop_word;

/// A term of a document and how often the document has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The term, at most 64 characters.
    pub text: String,
    /// At least 1.
    pub frequency: u32,
}

/// What the index keeps of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Distinct, sorted by text (by code point).
    pub terms: Vec<Term>,
    /// The length for BM25 in words that say something. A pair of ideographs
    /// counts as one, a compound as its parts. At least 1 if there are terms.
    pub length: u32,
}

/// The terms of a text in a language, or in one that is not known.
///
/// ```
/// use muninn_core::text::{Language, analyse_document};
///
/// let document = analyse_document("The dogs were running, and ran.", Some(Language::English));
/// let run = document.terms.iter().find(|term| term.text == "run").map(|term| term.frequency);
/// assert_eq!(run, Some(2));
/// assert_eq!(document.length, 3); // dogs, running, ran
/// ```
#[must_use]
pub fn analyse_document(text: &str, language: Option<Language>) -> Document {
    let prepared = prepare(text);
    let mut counts = Counts::default();
    let mut length: u32 = 0;
    segment(&prepared, |token| match token {
        Token::Atom(Atom::Literal(literal)) => {
            counts.add(literal);
            length = length.saturating_add(1);
        }
        Token::Atom(Atom::Word(word)) => {
            if !is_stop_word(&word, language) {
                length = length.saturating_add(1);
            }
            document_terms(&word, language, |term| counts.add(term));
        }
        Token::Compound(compound) => {
            length = length.saturating_add(compound.words);
            for atom in std::iter::once(compound.whole).chain(compound.parts) {
                match atom {
                    Atom::Word(word) => document_terms(&word, language, |term| counts.add(term)),
                    Atom::Literal(literal) => counts.add(literal),
                }
            }
        }
        Token::Grouped(number) => counts.add(number),
        Token::Run(run) => {
            let folded = fold(run);
            let letters = cjk::letters(&folded);
            let pairs = letters.len().saturating_sub(1).max(1);
            length = length.saturating_add(u32::try_from(pairs).unwrap_or(u32::MAX));
            cjk::pairs(&letters, |pair| counts.add(pair));
            // Each ideograph may be asked for by itself.
            if letters.len() > 1 {
                cjk::ideographs(&letters).for_each(|letter| counts.add(letter.to_owned()));
            }
        }
        Token::Hangul(word) => {
            length = length.saturating_add(1);
            if let Some(bare) = cjk::without_particle(word) {
                counts.add(bare.to_owned());
            }
            counts.add(word.to_owned());
            let letters = cjk::letters(word);
            if letters.len() > 2 {
                let bare = cjk::without_particle(word).unwrap_or_default();
                // The bare word of two syllables is a pair as well.
                cjk::pairs(&letters, |pair| {
                    if pair != bare {
                        counts.add(pair);
                    }
                });
            }
        }
    });
    let terms = counts.into_terms();
    let length = length.max(u32::from(!terms.is_empty()));
    Document { terms, length }
}

/// Terms with their frequencies; sorted only once, at the end.
#[derive(Default)]
struct Counts(HashMap<String, u32>);

impl Counts {
    fn add(&mut self, term: String) {
        if term.is_empty() {
            return;
        }
        let frequency = self.0.entry(cut(term)).or_insert(0);
        *frequency = frequency.saturating_add(1);
    }

    fn into_terms(self) -> Vec<Term> {
        let mut terms: Vec<Term> =
            self.0.into_iter().map(|(text, frequency)| Term { text, frequency }).collect();
        terms.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        terms
    }
}
