//! Whether two statements say the same in almost the same words.

use std::collections::BTreeSet;

use super::compound::Atom;
use super::fold::prepare;
use super::language::Language;
use super::segment::{Token, segment};
use super::stem::document_terms;
use super::stopwords::is_stop_word;

/// Words that turn a statement around, as they stand in a text without marks:
/// negations, and words of direction, order and amount.
const TURNING: &[&str] = &[
    "to",
    "from",
    "before",
    "after",
    "until",
    "till",
    "since",
    "under",
    "over",
    "above",
    "below",
    "off",
    "out",
    "up",
    "down",
    "with",
    "against",
    "more",
    "less",
    "few",
    "many",
    "only",
    "all",
    "some",
    "von",
    "nach",
    "vor",
    "bis",
    "seit",
    "unter",
    "uber",
    "mit",
    "gegen",
    "mehr",
    "weniger",
    "nur",
    "alle",
    "de",
    "desde",
    "hasta",
    "antes",
    "despues",
    "avant",
    "apres",
    "depuis",
    "avec",
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
/// their inflection and words that say little, in the same order; what stands
/// at the beginning of the one may stand at the end of the other. A number, a
/// name or a word that turns it around is a difference where only one has it.
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
    a.turning == b.turning && !a.content.is_empty() && a.is_turn_of(&b)
}

#[derive(Default)]
struct Words {
    /// In their order.
    content: Vec<String>,
    turning: BTreeSet<String>,
}

impl Words {
    fn of(text: &str, language: Option<Language>) -> Self {
        let mut words = Self::default();
        segment(&prepare(text), |token| match token {
            Token::Atom(Atom::Word(word)) => {
                if TURNING.contains(&word.as_ref()) {
                    words.turning.insert(word.into_owned());
                } else if !is_stop_word(&word, language) {
                    // The first of its terms is its stem.
                    let mut stem = None;
                    document_terms(&word, language, |term| {
                        stem.get_or_insert(term);
                    });
                    words.content.extend(stem);
                }
            }
            // Ideographs have no spaces: what turns is a part of the run.
            Token::Run(run) | Token::Hangul(run) => words.content.push(run.to_owned()),
            Token::Atom(Atom::Literal(literal)) => words.content.push(literal),
            Token::Grouped(number) => words.content.push(number),
            Token::Compound(compound) => words.content.push(match compound.whole {
                Atom::Word(whole) => whole.into_owned(),
                Atom::Literal(whole) => whole,
            }),
        });
        words
    }

    /// Whether the words are those of the other, begun at another place.
    fn is_turn_of(&self, other: &Self) -> bool {
        self.content.len() == other.content.len()
            && (0..self.content.len()).any(|start| {
                let (last, first) = self.content.split_at(start);
                first.iter().chain(last).eq(&other.content)
            })
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
            ("Petra owes Ivan 20 euros.", "Ivan owes Petra 20 euros."),
            ("The train to work leaves at nine.", "The train from work leaves at nine."),
            ("Call before noon.", "Call after noon."),
            ("Anna met Ben.", "Anna met Ben in Rome."),
            ("", ""),
        ] {
            assert!(!says_the_same(a, b, Some(Language::English)), "{a} / {b}");
        }
    }
}
