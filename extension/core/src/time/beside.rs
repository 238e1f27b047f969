//! What a question says beside its times.

use super::Expression;
use super::chinese;
use crate::text::{Language, fold, is_question_stop_word};

/// Words that say no more than that something was, in a question for a time.
const VAGUE: &[&str] = &[
    "happen",
    "happened",
    "happening",
    "happens",
    "go",
    "going",
    "went",
    "event",
    "events",
    "thing",
    "things",
    "anything",
    "everything",
    "something",
    "tell",
    "know",
    "remember",
    "say",
    "said",
    "passiert",
    "passierte",
    "geschah",
    "geschehen",
    "ereignet",
    "los",
    "gemacht",
    "machte",
    "machten",
    "tat",
    "taten",
    "getan",
    "unternommen",
    "alles",
    "etwas",
    "ereignisse",
    "passe",
    "arrive",
    "fait",
    "faite",
    "evenements",
    "pasado",
    "paso",
    "ocurrio",
    "sucedio",
    "hice",
    "hicimos",
    "hizo",
    "hicieron",
    "hecho",
    "eventos",
];

/// How many words a question has beside its times that say what is looked for.
/// Of "what happened in March 2024?" there are none: it asks for the time alone.
///
/// ```
/// use muninn_core::time::{Moment, expressions, words_beside};
/// let now = Moment { unix: 1_715_774_400, offset: 0 };
/// let beside = |question| words_beside(question, &expressions(question, now), &[]);
/// assert_eq!(beside("What happened in March 2024?"), 0);
/// assert_eq!(beside("What did Anna do last week?"), 1);
/// assert_eq!(beside("Which roof did Anna repair last week?"), 3);
/// ```
#[must_use]
pub fn words_beside(question: &str, times: &[Expression], languages: &[Language]) -> usize {
    let said = |at: usize| times.iter().any(|time| time.phrase.contains(&at));
    let rest: String =
        question.char_indices().map(|(at, letter)| if said(at) { ' ' } else { letter }).collect();
    let words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| {
            if word.chars().any(chinese::is_ideograph) {
                return chinese::letters_that_say_something(word).div_ceil(2);
            }
            let word = fold(word);
            let vague = is_question_stop_word(&word, languages) || VAGUE.contains(&word.as_str());
            usize::from(!vague)
        })
        .sum()
}
