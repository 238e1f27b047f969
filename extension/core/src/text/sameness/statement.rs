//! A statement as the words that count in it.

use super::english;
use super::lists::{FILLERS, NEGATIONS, PHRASES, german_article, is_article};
use super::numerals::{ideograph, is_digits, literal, number};
use super::spelling::{letters, without_accents};
use crate::text::fold::{is_emoji, prepare};
use crate::text::language::{Language, Script};

/// A word with the little words before it that may be missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    pub(crate) key: String,
    /// As it was written, where it is one word between two spaces.
    pub(crate) said: String,
    /// Without the ending of the plural or the third person, in English.
    pub(crate) stem: String,
    pub(crate) capital: bool,
    /// The first of a sentence has a capital whatever it is.
    pub(crate) opens: bool,
    /// It was written with a hyphen, and may be written as two words.
    pub(crate) hyphen: bool,
    pub(crate) comma: bool,
    /// `is` stood before it.
    pub(crate) copula: bool,
    /// It has a possessive `'s`, or is contracted with `is`.
    pub(crate) apostrophe: bool,
    /// It belongs to somebody: one daughter or several is then a difference.
    pub(crate) owned: bool,
    pub(crate) article: Option<String>,
    pub(crate) whose: Option<String>,
}

impl Word {
    pub(crate) fn new(key: impl Into<String>) -> Self {
        let key = key.into();
        Self { stem: key.clone(), key, ..Self::default() }
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.key == word
    }

    pub(crate) fn is_one_of(&self, words: &[&str]) -> bool {
        words.contains(&self.key.as_str())
    }
}

/// A statement, read to be compared with others.
#[derive(Clone, Debug)]
pub struct Statement {
    pub(crate) words: Vec<Word>,
    /// Words of frequency, wherever they stand.
    pub(crate) floating: Vec<String>,
    pub(crate) asks: bool,
    /// Whether it was written by somebody who has accents.
    pub(crate) accents: bool,
    pub(crate) language: Language,
}

impl Statement {
    /// Reads a text in a language.
    #[must_use]
    pub fn of(text: &str, language: Language) -> Self {
        let text = polite(prepare(text).replace('–', "-").trim()).into_owned();
        let english = language == Language::English;
        let shouts = !text.chars().any(char::is_lowercase);
        let mut words = Vec::new();
        let mut opens = true;
        for chunk in text.split_whitespace() {
            let before = words.len();
            read(chunk, language, &mut words);
            let single = words.len() == before + 1;
            for word in &mut words[before..] {
                if single {
                    core(chunk).clone_into(&mut word.said);
                }
                word.capital &= !shouts;
                word.opens = std::mem::take(&mut opens);
            }
            let end = chunk.trim_end_matches(['"', '\'', ')', '”', '»']);
            opens = end.ends_with(['.', '!', '?', ':']);
            if let Some(word) = words.last_mut() {
                word.comma = end.ends_with([',', ';', ':']);
            }
        }
        let asks = text.trim_end().ends_with('?');
        let mut statement = Self { words, floating: Vec::new(), asks, accents: false, language };
        statement.accents = statement.words.iter().any(|w| without_accents(&w.key) != w.key);
        statement.leave_out_phrases();
        statement.numbers();
        if english {
            english::dates(&mut statement.words);
        }
        statement.little_words(language);
        if english {
            english::finish(&mut statement);
        }
        statement
    }

    fn leave_out_phrases(&mut self) {
        for phrase in PHRASES {
            let mut at = 0;
            while at + phrase.len() <= self.words.len() {
                let end = at + phrase.len();
                let stands = self.words[at..end].iter().zip(*phrase).all(|(word, w)| word.is(w));
                // It is one at the beginning, or between commas.
                let apart = |at: usize| at == 0 || self.words[at - 1].comma;
                let whole = end == self.words.len() || self.words[end - 1].comma;
                let leads = at == 0 && phrase.last() == Some(&"that");
                if stands && (leads || (apart(at) && whole)) && end - at < self.words.len() {
                    self.words.drain(at..end);
                    if let Some(previous) = at.checked_sub(1) {
                        self.words[previous].comma = false;
                    }
                    if let Some(word) = self.words.get_mut(at) {
                        word.opens |= at == 0;
                    }
                } else {
                    at += 1;
                }
            }
        }
    }

    /// Number words become digits, and groups of digits one number where they
    /// are too long for anything but a number that one calls or pays to.
    fn numbers(&mut self) {
        let words = std::mem::take(&mut self.words);
        let mut group: Vec<Word> = Vec::new();
        let flush = |group: &mut Vec<Word>, out: &mut Vec<Word>| {
            if group.len() > 1 && group.iter().map(|w| w.key.len()).sum::<usize>() >= 7 {
                let comma = group.last().is_some_and(|w| w.comma);
                let whole: String = group.drain(..).map(|w| w.key).collect();
                out.push(Word { comma, ..Word::new(whole) });
            } else {
                out.append(group);
            }
        };
        for mut word in words {
            if is_digits(&word.key) {
                let comma = word.comma;
                group.push(word);
                if comma {
                    flush(&mut group, &mut self.words);
                }
                continue;
            }
            flush(&mut group, &mut self.words);
            if let Some(number) = number(&word.key) {
                word = Word {
                    comma: word.comma,
                    opens: word.opens,
                    said: word.said,
                    ..Word::new(number)
                };
            }
            self.words.push(word);
        }
        flush(&mut group, &mut self.words);
    }

    /// Articles go to the word that they stand before; what only strengthens,
    /// and the smile, go.
    fn little_words(&mut self, language: Language) {
        let denies = self.words.iter().any(|word| word.is_one_of(NEGATIONS));
        let words = std::mem::take(&mut self.words);
        let mut words = words.into_iter().peekable();
        let mut article = None;
        let mut opens = false;
        while let Some(mut word) = words.next() {
            word.opens |= std::mem::take(&mut opens);
            let next = words.peek();
            let filler = word.is_one_of(FILLERS) && !denies;
            let smile = word.key.chars().all(|c| matches!(c, '\u{1f600}'..='\u{1f64f}'));
            if (filler || smile) && !(self.words.is_empty() && next.is_none()) {
                opens = word.opens;
                continue;
            }
            // `blood group A`, `a few`
            let stands_for_itself = next.is_none_or(|next| next.is_one_of(&["few", "little"]))
                || (word.capital && !word.opens)
                || word.comma;
            if is_article(&word.key, language) && !stands_for_itself {
                opens = word.opens;
                article = Some(word.key);
                continue;
            }
            word.article = article.take();
            self.words.push(word);
        }
    }
}

/// Japanese without the endings that are only polite.
fn polite(text: &str) -> std::borrow::Cow<'_, str> {
    let bare = text.trim_end_matches(['。', '！', '!', '.']);
    if let Some(rest) = bare.strip_suffix("です").or_else(|| bare.strip_suffix("だ")) {
        return rest.into();
    }
    match bare.strip_suffix("います") {
        Some(rest) if rest.ends_with(['て', 'で']) => format!("{rest}いる").into(),
        _ => text.into(),
    }
}

/// The words of what stands between two spaces.
fn read(chunk: &str, language: Language, words: &mut Vec<Word>) {
    let core = core(chunk);
    let digit = core.contains(|c: char| c.is_ascii_digit());
    if let Some(run) = core.find(is_spaceless) {
        // What stands in it in another script is read as elsewhere.
        let (before, rest) = core.split_at(run);
        let end = rest.find(|c| !is_spaceless(c) && !is_mark(c)).unwrap_or(rest.len());
        read(before, language, words);
        words.extend(
            rest[..end]
                .chars()
                .map(|c| Word::new(ideograph(c).map_or_else(|| c.to_string(), str::to_owned))),
        );
        return read(&rest[end..], language, words);
    }
    if core.is_empty() {
        return;
    }
    if core.contains('@') || core.contains("://") {
        return words.push(Word::new(core.to_lowercase()));
    }
    if core.ends_with(['+', '#']) && core.len() <= 12 {
        return words.push(Word::new(letters(core)));
    }
    if digit && !core.contains('\'') {
        return words.extend(literal(core).into_iter().map(Word::new));
    }
    // a.m., U.S.
    if core.contains('.') && core.split('.').all(|part| part.chars().nth(1).is_none()) {
        return words.push(Word::new(letters(&core.replace('.', ""))));
    }
    let parts = core.split(|c: char| {
        !(c.is_alphanumeric() || matches!(c, '\'' | '-') || is_mark(c) || is_emoji(c))
    });
    for part in parts {
        let part = part.trim_matches(['\'', '-']);
        if !part.is_empty() {
            word(part, language, words);
        }
    }
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn is_spaceless(c: char) -> bool {
    matches!(Script::of(c), Script::Ideographic | Script::Spaceless)
}

/// Without the punctuation around it, but with the signs that belong to it.
fn core(chunk: &str) -> &str {
    let keeps = |c: char| c.is_alphanumeric() || is_mark(c) || is_emoji(c);
    let chunk = chunk.trim_matches(|c| !(keeps(c) || "+#$€£%-@".contains(c)));
    let start = match chunk.chars().next() {
        Some(sign) if "-+$€£@".contains(sign) => {
            let rest = &chunk[sign.len_utf8()..];
            if rest.starts_with(|c: char| c.is_ascii_digit()) || sign == '@' { chunk } else { rest }
        }
        _ => chunk,
    };
    let start = start.trim_start_matches(['#', '%']);
    start.trim_end_matches('-')
}

fn word(part: &str, language: Language, words: &mut Vec<Word>) {
    let capital = part.starts_with(char::is_uppercase);
    if language == Language::English
        && let Some(found) = english::contraction(part)
    {
        return words.extend(found.into_iter().map(|word| Word { capital, ..word }));
    }
    let key = letters(part);
    if number(&key).is_some() {
        return words.push(Word::new(key));
    }
    if let Some((elided, rest)) = key.split_once('\'')
        && elided.chars().nth(2).is_none()
        && rest.chars().nth(1).is_some()
    {
        // l'anniversaire, n'aime; an article says as little before a vowel.
        if elided != "l" {
            words.push(Word::new(elided));
        }
        return words.push(Word { capital, ..Word::new(rest) });
    }
    if language == Language::German
        && let Some((preposition, article)) = german_article(&key)
    {
        return words.extend([Word::new(preposition), Word::new(article)]);
    }
    // To re-sign is not to resign.
    let hyphen = key.contains('-') && !key.starts_with("re-");
    let key = if hyphen { key.replace('-', "") } else { key };
    words.push(Word { capital, hyphen, ..Word::new(key.replace('\'', "")) });
}
