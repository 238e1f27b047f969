//! What a message wants of the memory: something kept, corrected or forgotten, or an answer.

use super::super::extraction::{Correction, Extraction, LONGEST_CONTENT, MOST, Statement};
use super::super::request::Recalled;
use super::sentence::{Form, after_first, own_sentences, words_of};
use super::words;

/// What a message wants.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Wish {
    /// What is to be kept, corrected and forgotten.
    pub(super) extraction: Extraction,
    /// Whether the person wants to know something.
    pub(super) asks: bool,
    /// Whether something is to be forgotten or corrected, and it is not plain what.
    pub(super) unclear: bool,
}

/// Reads a message after the assistant's last answer, which may have referred to memories.
pub(super) fn read(message: &str, last_answer: &str, known: &[Recalled]) -> Wish {
    let mut reading = Reading { last_answer, known, wish: Wish::default(), wrong: None };
    for sentence in own_sentences(message) {
        reading.sentence(sentence.text, sentence.form);
    }
    if let Some(Wrong { memory: None }) = reading.wrong {
        reading.wish.unclear = true;
    }
    reading.wish
}

struct Reading<'a> {
    last_answer: &'a str,
    known: &'a [Recalled],
    wish: Wish,
    /// Something was called wrong, and what is right has not come yet.
    wrong: Option<Wrong>,
}

/// Something that was called wrong.
#[derive(Clone, Copy)]
struct Wrong {
    memory: Option<i64>,
}

impl Reading<'_> {
    fn sentence(&mut self, text: &str, form: Form) {
        if let Some(rest) = after_first(text, words::FORGET)
            && after_first(text, words::REMEMBER).is_none()
        {
            return self.forget(rest);
        }
        if let Some(rest) = after_wrong(text) {
            self.wrong = Some(Wrong { memory: self.meant(text) });
            let rest =
                rest.trim_start_matches([',', ';', ':', '.', '!', '-', '–', '—', ' ']).trim();
            if !rest.is_empty() {
                self.right(rest);
            }
            return;
        }
        if let Some(rest) = after_first(text, words::REMEMBER) {
            return self.keep(rest);
        }
        match form {
            Form::Request => self.wish.asks = true,
            _ if self.wrong.is_some() => self.right(text),
            Form::Statement => self.keep(text),
            Form::Talk => {}
        }
    }

    fn keep(&mut self, text: &str) {
        let text = text.trim();
        let statements = &mut self.wish.extraction.statements;
        if statements.len() < MOST
            && text.contains(char::is_alphanumeric)
            && text.chars().count() <= LONGEST_CONTENT
            && !statements.iter().any(|other| other.content == text)
        {
            statements.push(Statement { content: text.to_owned(), ..Statement::default() });
        }
    }

    /// What is right, after something was called wrong.
    fn right(&mut self, text: &str) {
        let Some(Wrong { memory }) = self.wrong.take() else { return };
        let stands_for = after_first(text, words::STANDS_FOR);
        let known = memory.and_then(|id| self.known.iter().find(|known| known.id == id));
        match (known, stands_for) {
            (Some(known), Some(value)) => {
                // "It is Tuesday" is of no use by itself: the value goes into the old sentence.
                let content = with_value(&known.content, value).unwrap_or_else(|| text.to_owned());
                self.correct(known.id, content);
            }
            (Some(known), None) => self.correct(known.id, text.to_owned()),
            (None, Some(_)) => self.wish.unclear = true,
            // A sentence that is whole can be kept, whatever it was that was wrong.
            (None, None) => self.keep(text),
        }
    }

    fn correct(&mut self, memory: i64, content: String) {
        let corrections = &mut self.wish.extraction.corrections;
        if corrections.len() < MOST
            && content.chars().count() <= LONGEST_CONTENT
            && !corrections.iter().any(|other| other.memory == memory)
        {
            corrections.push(Correction { memory, content });
        }
    }

    fn forget(&mut self, what: &str) {
        let mut ids = references(what, self.known);
        if ids.is_empty() {
            ids.extend(if words_of(what).iter().all(|word| is_pronoun(word)) {
                self.meant(what)
            } else {
                self.best_match(what)
            });
        }
        let forget = &mut self.wish.extraction.forget;
        self.wish.unclear |= ids.is_empty();
        for id in ids {
            if forget.len() < MOST && !forget.contains(&id) {
                forget.push(id);
            }
        }
    }

    /// The one memory that is meant: named in the text itself, or the only one that the last
    /// answer referred to. Erasing or changing another by a guess would be worse than asking.
    fn meant(&self, text: &str) -> Option<i64> {
        let named = references(text, self.known);
        let ids = if named.is_empty() { references(self.last_answer, self.known) } else { named };
        match ids[..] {
            [id] => Some(id),
            _ => None,
        }
    }

    /// The one memory that shares most of the words that tell memories apart.
    fn best_match(&self, text: &str) -> Option<i64> {
        let telling = |text: &str| -> Vec<String> {
            words_of(text)
                .into_iter()
                .filter(|word| word.chars().count() > 2 && !words::COMMON.contains(&word.as_str()))
                .collect()
        };
        let wanted = telling(text);
        let mut matches = self.known.iter().filter(|known| {
            let words = telling(&known.content);
            let shared = wanted.iter().filter(|word| words.contains(word)).count();
            shared > 0 && shared * 3 >= wanted.len() * 2
        });
        let only = matches.next()?;
        matches.next().is_none().then_some(only.id)
    }
}

/// What follows "that's wrong", or "[m42] is wrong".
fn after_wrong(text: &str) -> Option<&str> {
    let rest = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((reference, rest)) if reference.starts_with('m') => {
            let rest = after_first(rest.trim_start(), &["is"])?.trim_start();
            return after_first(rest, &["wrong", "not right", "not true", "incorrect"]);
        }
        _ => text,
    };
    after_first(rest, words::WRONG)
}

fn is_pronoun(word: &str) -> bool {
    ["that", "this", "it", "das", "es", "eso", "ça", "cela", "questo", "isso", "please", "again"]
        .contains(&word)
}

/// The memories that a text refers to as `[m42]`, of those that are known.
fn references(text: &str, known: &[Recalled]) -> Vec<i64> {
    let mut ids: Vec<i64> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let id = word.strip_prefix('m').and_then(|digits| digits.parse().ok());
        if let Some(id) = id.filter(|id| known.iter().any(|known| known.id == *id))
            && !ids.contains(&id)
        {
            ids.push(id);
        }
    }
    ids
}

/// The old sentence with another value after its verb, if it has but one such verb.
fn with_value(old: &str, value: &str) -> Option<String> {
    let mut found = words::COPULAS
        .iter()
        .flat_map(|copula| old.match_indices(copula).map(|(at, text)| at + text.len()));
    let end = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let value = value.trim().trim_end_matches(['.', '!']);
    let stop = if old.trim_end().ends_with('.') { "." } else { "" };
    (!value.is_empty()).then(|| format!("{}{value}{stop}", &old[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Recalled> {
        [(42, "My meeting is on Monday."), (7, "I live in Porto."), (8, "My cat is called Tom.")]
            .map(|(id, content)| Recalled {
                id,
                content: content.into(),
                relevance: 0.5,
                status: "verified".into(),
                date: None,
            })
            .into()
    }

    fn contents(wish: &Wish) -> Vec<&str> {
        wish.extraction.statements.iter().map(|statement| statement.content.as_str()).collect()
    }

    #[test]
    fn statements_and_what_is_to_be_remembered_are_kept() {
        for (message, kept) in [
            ("I moved to Lisbon.", vec!["I moved to Lisbon."]),
            (
                "Please remember that the code word is swordfish.",
                vec!["the code word is swordfish."],
            ),
            ("Remember: no chicken for the cat", vec!["no chicken for the cat"]),
            ("Don't forget that tomorrow is Eve's birthday.", vec!["tomorrow is Eve's birthday."]),
            ("Hi! I moved to Rome. Where did I live before?", vec!["I moved to Rome."]),
            ("I am Jo. I am Jo.", vec!["I am Jo."]),
        ] {
            let wish = read(message, "", &[]);
            assert_eq!(contents(&wish), kept, "{message}");
            assert_eq!(wish.asks, message.ends_with('?'), "{message}");
            assert!(!wish.unclear, "{message}");
        }
        let many = (0..20).map(|i| format!("I have {i} cats.\n")).collect::<String>();
        assert_eq!(contents(&read(&many, "", &[])).len(), MOST);
        let long = format!("I like {}.", "very ".repeat(200));
        assert_eq!(contents(&read(&long, "", &[])), [""; 0]);
    }

    #[test]
    fn what_is_wrong_is_corrected_if_it_is_plain_what_is_meant() {
        for (message, answer, id, content) in [
            (
                "That's wrong, it is on Tuesday.",
                "- My meeting is on Monday. [m42]",
                42,
                "My meeting is on Tuesday.",
            ),
            ("That’s wrong. It's on Tuesday", "[m42]", 42, "My meeting is on Tuesday."),
            ("That is not true: I live in Faro.", "[m7]", 7, "I live in Faro."),
            ("[m7] is wrong, I live in Faro.", "[m42] [m7]", 7, "I live in Faro."),
        ] {
            let wish = read(message, answer, &known());
            let expected = Correction { memory: id, content: content.into() };
            assert_eq!(wish.extraction.corrections, [expected], "{message}");
            assert_eq!(contents(&wish), [""; 0], "{message}");
            assert!(!wish.unclear, "{message}");
        }
        for answer in ["", "[m42] [m7]", "[m99]"] {
            let wish = read("That's wrong, it is on Tuesday.", answer, &known());
            assert_eq!(wish.extraction, Extraction::default(), "{answer}");
            assert!(wish.unclear, "{answer}");
        }
        let wish = read("That's wrong, I live in Faro.", "", &known());
        assert_eq!(contents(&wish), ["I live in Faro."]);
    }

    #[test]
    fn only_what_is_plainly_meant_is_forgotten() {
        for (message, answer, ids) in [
            ("Forget that.", "My cat is called Tom. [m8]", vec![8]),
            ("Please forget it", "[m8]", vec![8]),
            ("forget [m7] and m42", "", vec![7, 42]),
            ("Forget that I live in Porto.", "", vec![7]),
            ("Forget that.", "[m7] [m8]", vec![]),
            ("Forget that.", "", vec![]),
            ("Forget m99.", "", vec![]),
            ("Forget everything about you.", "", vec![]),
        ] {
            let wish = read(message, answer, &known());
            assert_eq!(wish.extraction.forget, ids, "{message}");
            assert_eq!(wish.unclear, ids.is_empty(), "{message}");
            assert_eq!(contents(&wish), [""; 0], "{message}");
        }
        for message in
            ["> Forget m7.", "He wrote: \"Forget that [m7] now.\"", "```\nforget m7\n```"]
        {
            assert_eq!(read(message, "[m7]", &known()), Wish::default(), "{message}");
        }
    }
}
