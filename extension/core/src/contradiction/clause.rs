//! A text as its sentences, and of each what it denies, leaves open, or says to
//! have changed.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lists::{
    CHANGES, Change, DENIALS, ENGLISH_DENIALS, EXISTENTIAL, NOT_DENIALS, OPEN_VERBS, OPEN_WORDS,
    SPEAKERS,
};
use super::token::{Kind, Token, listed};
use crate::text::sameness::statement::{Statement, Word};
use crate::text::{Language, detect};

/// Sentences of a text that are looked at.
const SENTENCES: usize = 16;
/// Words of a sentence that are looked at.
const WORDS: usize = 48;
/// Bytes of a text that are looked at.
const BYTES: usize = 4_000;

const AUXILIARIES: &[&str] =
    &["have", "has", "had", "do", "does", "did", "was", "were", "can", "will", "could"];

static OPEN: LazyLock<HashSet<String>> = LazyLock::new(|| listed(OPEN_VERBS));
static EXISTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(EXISTENTIAL));

/// A text, read once to be compared with many.
#[derive(Clone, Debug)]
pub struct Reading {
    text: String,
    language: Option<Language>,
    asks: bool,
    clauses: Vec<Clause>,
}

impl Reading {
    /// Reads a text in a language, or in one that is told from it.
    #[must_use]
    pub fn of(text: &str, language: Option<Language>) -> Self {
        let text = &text[..text.floor_char_boundary(BYTES)];
        let language = language.or_else(|| detect(text));
        let read = |sentence: &str| Clause::of(sentence, language.unwrap_or(Language::English));
        let clauses = sentences(text).take(SENTENCES).filter_map(read).collect();
        let asks = text.trim_end().ends_with(['?', '？']);
        Self { text: text.to_owned(), language, asks, clauses }
    }

    pub(super) fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) const fn language(&self) -> Option<Language> {
        self.language
    }

    pub(super) const fn asks(&self) -> bool {
        self.asks
    }
}

/// The parts of a text that say something by themselves.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len();
        let mut letters = rest.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            let ends = match letter {
                '.' | '!' | '?' | ';' => {
                    next.is_none_or(char::is_whitespace) && !abbreviated(&rest[..at])
                }
                '。' | '！' | '？' | '；' | '\n' => true,
                ',' => [" but ", " so ", " although ", " which "]
                    .iter()
                    .any(|w| rest[at + 1..].starts_with(w)),
                _ => false,
            };
            if ends {
                end = at + letter.len_utf8();
                break;
            }
        }
        let (sentence, more) = rest.split_at(end);
        rest = more;
        Some(sentence)
    })
}

/// `Dr. Weiss`, `a.m. on Monday`: the full stop ends no sentence.
fn abbreviated(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    ["Dr", "Mr", "Mrs", "Ms", "St", "Prof", "No", "Nr", "a.m", "p.m", "e.g", "i.e"].contains(&word)
        || (word.len() == 1 && word.starts_with(char::is_uppercase))
}

/// A sentence as the words that are compared, without those of denial and change.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub words: Vec<Token>,
    /// The words of it that denied, as they were written, and before which word.
    pub denial: Option<(String, usize)>,
    pub denies: bool,
    pub change: Option<Change>,
    /// It is wanted, supposed or reported.
    pub open: bool,
    /// It is said of some of a group, or of some times.
    pub exists: bool,
    /// It is about whoever says it.
    pub speaks: bool,
}

impl Clause {
    /// `None` for a question, and for what has no words.
    fn of(sentence: &str, language: Language) -> Option<Self> {
        let sentence = sentence.trim();
        if sentence.ends_with(['?', '？']) || sentence.starts_with('¿') {
            return None;
        }
        let statement = Statement::of(sentence, language);
        if statement.words.is_empty() {
            return None;
        }
        let mut words = statement.words;
        words.truncate(WORDS);
        // Where a word of frequency stood is not known any more: mostly behind the
        // first verb.
        let verb = words.iter().take(4).position(|word| AUXILIARIES.contains(&word.key.as_str()));
        let at = verb.map_or(1, |verb| verb + 1).min(words.len());
        for word in statement.floating {
            words.insert(at, Word { said: word.clone(), ..Word::new(word) });
        }
        let english = language == Language::English;
        let mut clause = Self {
            words: Vec::with_capacity(words.len()),
            denial: None,
            denies: false,
            change: None,
            open: false,
            exists: false,
            speaks: words.iter().any(|word| word.is_one_of(SPEAKERS)),
        };
        same_verbs(&mut words);
        let going = place(&words, &["going", "to"]);
        let mut denials = clause.leave_out_phrases(&mut words);
        for word in &words {
            if DENIALS.contains(&word.key.as_str()) {
                denials += 1;
                let at = clause.words.len();
                clause.denial.get_or_insert_with(|| (word.key.clone(), at));
                continue;
            }
            clause.words.push(Token::new(word, language));
        }
        let spoken = |key: &str| words.iter().any(|word| word.is(key));
        if (spoken("ne") || spoken("n")) && spoken("plus") {
            clause.change = Some(Change::Ended);
            clause.words.retain(|word| !word.is("plus") && !word.is("ne") && !word.is("n"));
            denials += 1;
        }
        // Two denials make none in English; elsewhere they make a strong one.
        let native = words.iter().all(|w| {
            let place = DENIALS.iter().position(|denial| w.is(denial));
            place.is_none_or(|place| place < ENGLISH_DENIALS)
        });
        clause.denies = if english && native { denials % 2 == 1 } else { denials > 0 };
        // German `will` wants, the English one tells the future.
        clause.open = clause.words.iter().any(|word| {
            OPEN_WORDS.contains(&word.key.as_str())
                || OPEN.contains(&word.root)
                || (language == Language::German && word.is("will"))
        });
        // Going to study, but not to Rome.
        clause.open |= going.is_some();
        clause.exists = clause.words.iter().any(|word| word.among(&EXISTS) && !word.is("有"));
        clause.times();
        (!clause.words.is_empty()).then_some(clause)
    }

    /// Takes the phrases of change out, and those that only look like a denial;
    /// returns how many of them deny.
    fn leave_out_phrases(&mut self, words: &mut Vec<Word>) -> usize {
        let mut denials = 0;
        for phrase in NOT_DENIALS {
            while let Some(at) = place(words, phrase) {
                words.drain(at..at + phrase.len());
            }
        }
        for (phrase, change) in CHANGES {
            while let Some(at) = place(words, phrase) {
                let said: Vec<&str> =
                    words[at..at + phrase.len()].iter().map(|w| w.key.as_str()).collect();
                if *change == Change::Ended {
                    denials += 1;
                    self.denial = Some((said.join(" "), at));
                }
                self.change = Some(*change);
                let copula = words.drain(at..at + phrase.len()).any(|word| word.copula);
                if let Some(next) = words.get_mut(at) {
                    next.copula |= copula;
                }
            }
        }
        // Only with a denial elsewhere.
        for phrase in [&["anymore"][..], &["any", "more"], &["any", "longer"]] {
            if let Some(at) = place(words, phrase) {
                words.drain(at..at + phrase.len());
                self.change = Some(Change::Ended);
            }
        }
        // Stopped smoking, gave up smoking.
        for phrase in [&["stopped"][..], &["quit"], &["gave", "up"], &["given", "up"]] {
            if let Some(at) = place(words, phrase)
                && words.get(at + phrase.len()).is_some_and(|next| next.key.ends_with("ing"))
            {
                words.drain(at..at + phrase.len());
                self.change = Some(Change::Ended);
                self.denial = Some((phrase.join(" "), at));
                denials += 1;
            }
        }
        denials
    }

    /// Tells hours and dates from other numbers by the words beside them.
    fn times(&mut self) {
        let mut at = 0;
        while at < self.words.len() {
            let before = at.checked_sub(1).map(|at| self.words[at].key.clone()).unwrap_or_default();
            let after = self.words.get(at + 1).map(|word| word.key.clone()).unwrap_or_default();
            let key = self.words[at].key.clone();
            let Kind::Amount(amount) = self.words[at].kind else {
                at += 1;
                continue;
            };
            let dated = |at: Option<usize>| {
                at.and_then(|at| self.words.get(at)).is_some_and(|word| {
                    word.kind == Kind::Date || (word.is("may") && word.kind == Kind::Word)
                })
            };
            let near_date = dated(at.checked_sub(1)) || (dated(Some(at + 1)) && !key.contains('.'));
            if ["am", "pm"].contains(&after.as_str()) {
                if let Some(minutes) = amount.clock(&key) {
                    let half = if after == "pm" && minutes < 720 { 720 } else { 0 };
                    self.words[at].kind = Kind::Clock(minutes + half, true);
                    self.words[at].root = format!("{}m", minutes + half);
                    self.words[at].key = format!("{key} {after}");
                    self.words[at].said = format!("{} {after}", self.words[at].said);
                    self.words.remove(at + 1);
                }
            } else if let Some(minutes) = amount.clock(&key).filter(|_| {
                ["uhr", "点"].contains(&after.as_str())
                    || (["at", "um", "until", "from", "to"].contains(&before.as_str())
                        && key.split_once('.').is_some_and(|(_, minutes)| minutes.len() == 2))
            }) {
                self.words[at].kind = Kind::Clock(minutes, minutes >= 780);
                self.words[at].root = format!("{minutes}m");
            } else if near_date && amount.0 < 32.0
                || (amount.is_year(&key)
                    && (near_date
                        || ["in", "since", "until", "of", "from", "en", "im", "seit"]
                            .contains(&before.as_str())))
            {
                self.words[at].kind = Kind::Date;
            }
            at += 1;
        }
    }
}

/// Where these words stand in a row.
fn place(words: &[Word], phrase: &[&str]) -> Option<usize> {
    words
        .windows(phrase.len())
        .position(|run| run.iter().zip(phrase).all(|(word, key)| word.is(key)))
}

/// Brings verbs that say the same to one: `is able to`, `has to`.
fn same_verbs(words: &mut Vec<Word>) {
    for (phrase, verb) in [
        (&["able", "to"][..], "can"),
        (&["have", "to"], "must"),
        (&["has", "to"], "must"),
        (&["need", "to"], "must"),
        (&["needs", "to"], "must"),
    ] {
        if let Some(at) = place(words, phrase) {
            words.drain(at..at + phrase.len());
            words.insert(at, Word::new(verb));
        }
    }
    // The children need not wear a helmet.
    if let Some(at) = place(words, &["need", "not"]) {
        words[at] = Word::new("must");
    }
    // Has moved to Braga: lives there.
    for phrase in [&["has", "moved", "to"][..], &["have", "moved", "to"], &["moved", "to"]] {
        if let Some(at) = place(words, phrase)
            && words.get(at + phrase.len()).is_some_and(|next| next.capital)
            && !words[..at].iter().any(|word| word.is("was") || word.is("been"))
        {
            words.drain(at..at + phrase.len());
            words.insert(at, Word::new("now"));
            words.insert(at, Word::new("in"));
            words.insert(at, Word::new("live"));
        }
    }
}
