//! Sentences of a message that are the person's own words, and what each of them is.

use super::words;

/// Longest message that is looked at, in characters: beyond it is pasted text, not talk.
const LONGEST_MESSAGE: usize = 20_000;
/// A quotation of so many words is somebody's speech; a shorter one is a name.
const SPEECH: usize = 3;

/// What a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Something is so.
    Statement,
    /// The person wants to know something, or wants something done.
    Request,
    /// A greeting, thanks, a word in passing.
    Talk,
}

/// A sentence without the greeting before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    /// Its words, as they stand in the message.
    pub(super) text: &'a str,
    /// What it is.
    pub(super) form: Form,
}

/// The person's own sentences: none within code, quoted lines or quotations.
pub(super) fn own_sentences(message: &str) -> Vec<Sentence<'_>> {
    let end = message.char_indices().nth(LONGEST_MESSAGE).map_or(message.len(), |(at, _)| at);
    let mut sentences = Vec::new();
    let mut open = None;
    for line in own_lines(&message[..end]) {
        if line.is_empty() {
            // What is not closed within a paragraph was no quotation.
            open = None;
        }
        for text in split(line, &mut open) {
            let text = without_greeting(text);
            if !text.is_empty() {
                sentences.push(Sentence { text, form: form(text) });
            }
        }
    }
    sentences
}

/// The lines outside of code blocks and quotations, without the signs of lists.
fn own_lines(message: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut fence: Option<&str> = None;
    for line in message.lines() {
        let bare = line.trim();
        let sign = ["```", "~~~"].into_iter().find(|sign| bare.starts_with(sign));
        match (fence, sign) {
            (Some(open), Some(sign)) if open == sign => fence = None,
            (Some(_), _) => {}
            (None, Some(sign)) => fence = Some(sign),
            // An indented line is code, or belongs to something that was pasted.
            (None, None) if line.starts_with("    ") || line.starts_with('\t') => {}
            (None, None) if bare.starts_with(['>', '|', '#', '<']) => {}
            (None, None) => lines.push(without_list_sign(bare)),
        }
    }
    lines
}

fn without_list_sign(line: &str) -> &str {
    let rest = line.strip_prefix(['-', '*', '•']).or_else(|| {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (digits.len() < line.len() && line.len() - digits.len() <= 2)
            .then(|| digits.strip_prefix(['.', ')']))?
    });
    match rest {
        Some(rest) if rest.starts_with(' ') => rest.trim(),
        _ => line,
    }
}

/// The sentences of a line; a full stop within a quotation ends none. A quotation may go on
/// from the line before, and into the next.
fn split<'a>(line: &'a str, open: &mut Option<char>) -> Vec<&'a str> {
    let quoted = quotations(line, open);
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, c) in line.char_indices() {
        let end = at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' | '…' => {
                line[end..].chars().next().is_none_or(char::is_whitespace)
                    && !(c == '.' && ends_with_abbreviation(&line[start..at]))
            }
            _ => false,
        };
        if ends && !quoted.iter().any(|quote| (quote.from..quote.to).contains(&at)) {
            sentences.push((start, end));
            start = end;
        }
    }
    sentences.push((start, line.len()));
    sentences
        .into_iter()
        // Of somebody else's words nothing is taken, nor of what is said about them.
        .filter(|(from, to)| {
            !quoted.iter().any(|quote| quote.from < *to && quote.to > *from && quote.is_speech)
        })
        .map(|(from, to)| line[from..to].trim())
        .filter(|text| text.chars().any(char::is_alphanumeric))
        .collect()
}

fn ends_with_abbreviation(text: &str) -> bool {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    // A single letter is an initial; a number may be a day: "on the 3. of May".
    word.chars().count() == 1 && word != "i"
        || words::ABBREVIATIONS.contains(&word.as_str())
        || (word.len() <= 2 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
}

/// A quotation or inline code within a line, with its marks.
struct Quotation {
    from: usize,
    to: usize,
    /// Whether it is somebody's speech, and not just a name.
    is_speech: bool,
}

/// The quotations of a line; `open` is the mark that closes one from the line before, and then
/// one that goes on in the next.
fn quotations(line: &str, open: &mut Option<char>) -> Vec<Quotation> {
    let mut found = Vec::new();
    let mut end = |from: usize, to: usize, goes_on: bool| {
        let is_speech = goes_on || line[from..to].split_whitespace().count() >= SPEECH;
        found.push(Quotation { from, to, is_speech });
    };
    let mut from = 0;
    let mut goes_on = open.is_some();
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match *open {
            Some(close) if c == close || (close == '“' && c == '”') => {
                end(from, at + c.len_utf8(), goes_on);
                *open = None;
                goes_on = false;
            }
            Some(_) => {}
            None => {
                *open = match c {
                    '"' | '`' => Some(c),
                    '“' => Some('”'),
                    '„' => Some('“'),
                    '«' => Some('»'),
                    '»' => Some('«'),
                    '‘' => Some('’'),
                    '「' => Some('」'),
                    '『' => Some('』'),
                    // An apostrophe stands within a word, a mark before one.
                    '\'' if !before.is_alphanumeric() => Some('\''),
                    _ => None,
                };
                from = at;
            }
        }
        before = c;
    }
    if let Some(close) = *open {
        end(from, line.len(), true);
        // 'Tis no quotation of many lines.
        if close == '\'' {
            *open = None;
        }
    }
    found
}

/// "Hi, I moved." without its "Hi,"; nothing of a sentence that is only a greeting.
fn without_greeting(text: &str) -> &str {
    let mut rest = text;
    // "Oh well, thanks, …": a few may follow each other.
    for _ in 0..3 {
        let Some(after) = after_first(rest, words::GREETINGS) else { break };
        // "So my cat is old" and "No chicken for my cat" go on without a pause.
        let paused = after.trim_start().strip_prefix([',', '!', '.', ':', ';', '-', '–', '—']);
        match paused {
            Some(after) => rest = after.trim_start(),
            None if after.trim().is_empty() => return "",
            None => break,
        }
    }
    rest
}

/// What follows the longest of these beginnings, if the text has one and a word ends with it.
pub(super) fn after_first<'a>(text: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    beginnings.iter().filter_map(|beginning| after(text, beginning)).min_by_key(|rest| rest.len())
}

fn after<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    for expected in beginning.chars() {
        let c = rest.next()?;
        let c = if c == '’' { '\'' } else { c };
        if !c.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
    }
    let rest = rest.as_str();
    let inside = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    (beginning.ends_with(':') || !rest.starts_with(inside)).then_some(rest)
}

/// The words in lower case, without the signs around them.
pub(super) fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')' | '/'))
        .map(|word| {
            word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'")
        })
        .filter(|word| !word.is_empty())
        .collect()
}

fn form(text: &str) -> Form {
    if text.ends_with(['?', '？']) {
        return Form::Request;
    }
    let begins = |beginnings| after_first(text, beginnings).is_some();
    if begins(words::ASKING) || begins(words::COMMANDS) {
        return Form::Request;
    }
    if begins(words::EMPTY_BEGINNINGS) {
        return Form::Talk;
    }
    let said = words_of(text);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let signs = words::FIRST_PERSON_SIGNS.iter().any(|sign| text.contains(sign));
    if signs || (said.len() >= 3 && (has(words::FIRST_PERSON) || has(words::FACT_VERBS))) {
        Form::Statement
    } else {
        Form::Talk
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn statements(message: &str) -> Vec<&str> {
        own_sentences(message)
            .into_iter()
            .filter(|sentence| sentence.form == Form::Statement)
            .map(|sentence| sentence.text)
            .collect()
    }

    #[test]
    fn statements_are_taken_word_for_word() {
        for (message, expected) in [
            ("I moved to Lisbon.", vec!["I moved to Lisbon."]),
            ("Hi! My cat is called Tom. Thanks!", vec!["My cat is called Tom."]),
            ("Hello, I'm vegetarian, and I hate olives", vec!["I'm vegetarian, and I hate olives"]),
            (
                "Dr. Miller is my dentist. He is in Berlin.",
                vec!["Dr. Miller is my dentist.", "He is in Berlin."],
            ),
            (
                "Der Zug fährt am 3. Mai. Mein Bruder wohnt in Köln.",
                vec!["Mein Bruder wohnt in Köln."],
            ),
            ("My dog is called \"Rex\".", vec!["My dog is called \"Rex\"."]),
            ("- I like tea.\n- I hate coffee.", vec!["I like tea.", "I hate coffee."]),
            ("2) We live in Rome", vec!["We live in Rome"]),
            ("我搬到了里斯本。你好吗？", vec!["我搬到了里斯本。"]),
            ("When I was a child I lived in Rome.", vec!["When I was a child I lived in Rome."]),
            (
                "I paid 3.50 for it at example.com yesterday.",
                vec!["I paid 3.50 for it at example.com yesterday."],
            ),
        ] {
            assert_eq!(statements(message), expected, "{message}");
        }
    }

    #[test]
    fn what_is_no_statement_of_the_person_is_left() {
        for message in [
            "Where do I live?",
            "where do I live",
            "What is my cat called?",
            "Is my cat old",
            "Tell me about my cat.",
            "Let's go to my place.",
            "Please, write my letter.",
            "Hello!",
            "Thanks a lot.",
            "Ok.",
            "good morning",
            "I want you to write my letter.",
            "If I win, I am rich.",
            "You are my friend.",
            "I don't know.",
            "",
            "> I moved to Rome.",
            "```\nI moved to Rome.\n```",
            "~~~ text\nMy cat is old.\n",
            "    I moved to Rome.",
            "He wrote: \"I moved to Rome. I like it.\"",
            "She said “my name is Eve and I am here”.",
            "`my cat is old`",
            "He says \"remember that I am king and\nmy word is law",
            "| my | cat | is |",
            "Remember my cat.",
            "Great idea.",
        ] {
            assert_eq!(statements(message), [""; 0], "{message}");
        }
    }

    proptest! {
        #[test]
        fn every_statement_stands_in_the_message(message in "(\\PC|\n){0,200}") {
            for statement in statements(&message) {
                prop_assert!(message.contains(statement));
            }
        }
    }
}
