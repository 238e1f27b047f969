//! Whether two statements say the same in almost the same words.

use std::collections::BTreeSet;

use super::compound::Atom;
use super::document::analyse_document;
use super::fold::prepare;
use super::language::Language;
use super::segment::{Token, segment};
use super::stopwords::is_stop_word;

/// Words that turn a statement around, as they stand in a text without marks.
const NEGATIONS: &[&str] = &[
    "cant",
    "couldnt",
    "wont",
    "wouldnt",
    "shouldnt",
    "dont",
    "doesnt",
    "didnt",
    "isnt",
    "arent",
    "wasnt",
    "werent",
    "hasnt",
    "havent",
    "hadnt",
    "mustnt",
    "neednt",
    "aint",
    "not",
    "no",
    "never",
    "none",
    "nothing",
    "nobody",
    "without",
    "cannot",
    "neither",
    "nor", // en
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "keinem",
    "nie",
    "niemals",
    "nichts",
    "ohne", // de
    "ne",
    "pas",
    "jamais",
    "aucun",
    "aucune",
    "sans",
    "rien",
    "non",
    "nunca",
    "nada",
    "sin",
    "nao",
    "sem",
    "mai",
    "senza",
    "niet",
    "geen",
    "nooit",
    "zonder",
    "inte",
    "ikke",
    "aldri",
    "aldrig",
    "ej",
    "ingen",
    "bez",
    "nigdy",
    "ei",
    "nem",
    "nu",
    "не",
    "нет",
    "ни",
    "никогда",
    "без",
    "ні",
    "hayir",
    "degil",
    "yok",
    "khong",
    "لا",
    "ليس",
    "لم",
    "لن",
    "नहीं",
    "不",
    "没",
    "別",
    "无",
    "ない",
    "안",
    "못",
];

/// Whether `other` adds nothing to `statement`: it has the same words up to
/// their inflection, their order and words that say little. A number, a name
/// or a negation that only one of them has is a difference.
///
/// ```
/// use muninn_core::text::says_the_same;
/// assert!(says_the_same("Anna likes the fig.", "Anna likes figs!", None));
/// assert!(!says_the_same("Anna likes figs.", "Anna does not like figs.", None));
/// assert!(!says_the_same("The bus leaves at 5.", "The bus leaves at 6.", None));
/// ```
#[must_use]
pub fn says_the_same(statement: &str, other: &str, language: Option<Language>) -> bool {
    // Short statements often show no language.
    let language = language.or(Some(Language::English));
    let (a, b) = (Words::of(statement, language), Words::of(other, language));
    a.negations == b.negations && a.content == b.content && !a.content.is_empty()
}

#[derive(Default)]
struct Words {
    content: BTreeSet<String>,
    negations: BTreeSet<String>,
}

impl Words {
    fn of(text: &str, language: Option<Language>) -> Self {
        let mut words = Self::default();
        let mut said = String::new();
        segment(&prepare(text), |token| match &token {
            Token::Atom(Atom::Word(word)) => {
                if NEGATIONS.contains(&word.as_ref()) {
                    words.negations.insert(word.to_string());
                } else if !is_stop_word(word, language) {
                    said.push_str(word);
                    said.push(' ');
                }
            }
            // Ideographs have no spaces: what negates is a part of the run.
            Token::Run(run) => {
                words.content.insert(run.to_string());
            }
            Token::Hangul(word) => {
                words.content.insert(word.to_string());
            }
            Token::Atom(Atom::Literal(literal)) => {
                words.content.insert(literal.to_string());
            }
            Token::Grouped(number) => {
                words.content.insert(number.to_string());
            }
            Token::Compound(compound) => {
                words.content.insert(match &compound.whole {
                    Atom::Word(whole) => whole.to_string(),
                    Atom::Literal(whole) => whole.clone(),
                });
            }
        });
        let stems = analyse_document(&said, language).terms.into_iter().map(|term| term.text);
        words.content.extend(stems);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_words_order_and_inflection_make_no_difference() {
        for (a, b) in [
            ("Anna likes figs", "Anna likes figs."),
            ("ANNA LIKES FIGS", "anna likes figs"),
            ("The cat is on the mat.", "Cats are on mats"),
            ("On Monday the plumber comes.", "The plumber comes on Monday."),
        ] {
            assert!(says_the_same(a, b, Some(Language::English)), "{a} / {b}");
        }
        assert!(says_the_same("我喜欢咖啡。", "我喜欢咖啡", None));
    }

    #[test]
    fn what_differs_differs() {
        for (a, b) in [
            ("My cat is purple.", "My cat is cyan."),
            ("He is 5 years old.", "He is 6 years old."),
            ("She likes tea.", "She does not like tea."),
            ("She likes tea.", "She doesn't like tea."),
            ("Call me at 0151 234", "Call me at 0151 235"),
            ("Version 1.2 is broken", "Version 1.3 is broken"),
            ("我喜欢咖啡", "我不喜欢咖啡"),
            ("Anna met Ben.", "Anna met Ben in Rome."),
            ("", ""),
        ] {
            assert!(!says_the_same(a, b, Some(Language::English)), "{a} / {b}");
        }
    }
}
