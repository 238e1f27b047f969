//! Questions: which words are looked for, and how much each counts.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::cjk;
use super::compound::Atom;
use super::fold::{cut, fold, prepare};
use super::language::Language;
use super::segment::{Token, segment};
use super::stem::query_forms;
use super::stopwords::is_question_stop_word;

/// Weight of a part of something that is also asked for as a whole.
const PART_WEIGHT: f32 = 0.5;

/// A run of more ideographs than this is a sentence rather than a word. A word
/// must be found as it is; in a sentence related words show themselves by an
/// ideograph that they share (school and schooling, work and workplace).
const WORD_LETTERS: usize = 4;

/// Weight of such an ideograph: much below that of a pair.
const IDEOGRAPH_WEIGHT: f32 = 0.25;

/// One way in which a document may have a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The index term.
    pub term: String,
    /// What it is worth: 1 for the word itself however it is inflected, less,
    /// but above 0, for a term that was found for it, see [`super::expand`].
    pub weight: f32,
}

/// One word of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryWord {
    /// Alternatives, of distinct terms, the plain form first: a document has
    /// the word if it has any of them, and as well as it has the best of them.
    pub forms: Vec<Form>,
    /// What the word's contribution to the score is multiplied with; above 0.
    pub weight: f32,
}

impl QueryWord {
    /// A word with its own forms, distinct and the plain one first.
    ///
    /// ```
    /// use muninn_core::text::QueryWord;
    /// let word = QueryWord::new(["running", "run"].map(str::to_owned), 1.0);
    /// assert_eq!(word.terms().collect::<Vec<_>>(), ["running", "run"]);
    /// assert!(word.forms.iter().all(|form| form.weight == 1.0));
    /// ```
    pub fn new(forms: impl IntoIterator<Item = String>, weight: f32) -> Self {
        let forms = forms.into_iter().map(|term| Form { term, weight: 1.0 }).collect();
        Self { forms, weight }
    }

    /// The terms of all forms.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().map(|form| form.term.as_str())
    }
}

/// The words of a question that may be in the given languages, distinct and in
/// the order in which they first appear.
///
/// Stop words of the languages (of English, if none is given) are left out,
/// unless the question has no other words.
///
/// ```
/// use muninn_core::text::analyse_query;
///
/// let words = analyse_query("Where did Anna buy it?", &[]);
/// let forms: Vec<&str> = words.iter().map(|word| word.forms[0].term.as_str()).collect();
/// assert_eq!(forms, ["anna", "buy"]);
///
/// let words = analyse_query("The Who", &[]);
/// assert_eq!(words.len(), 2);
/// ```
#[must_use]
pub fn analyse_query(text: &str, languages: &[Language]) -> Vec<QueryWord> {
    let prepared = prepare(text);
    let mut content = Words::default();
    let mut stop_words = Words::default();
    segment(&prepared, |token| match token {
        Token::Atom(Atom::Word(word)) => {
            let forms = query_forms(&word, languages);
            if is_question_stop_word(&word, languages) {
                stop_words.add(forms, 1.0);
            } else {
                content.add(forms, 1.0);
            }
        }
        Token::Atom(Atom::Literal(literal)) => content.add(vec![literal], 1.0),
        Token::Compound(compound) => {
            content.atom(compound.whole, 1.0, languages);
            for part in compound.parts {
                let stops = match &part {
                    Atom::Word(word) => is_question_stop_word(word, languages),
                    Atom::Literal(_) => false,
                };
                if !stops {
                    content.atom(part, PART_WEIGHT, languages);
                }
            }
        }
        Token::Grouped(number) => content.add(vec![number], 1.0),
        Token::Run(run) => {
            let folded = fold(run);
            let before = content.words.len();
            for part in cjk::without_question_words(&folded) {
                let letters = cjk::letters(part);
                // A document has no single kana of a longer run.
                if letters.len() == 1
                    && part.len() < folded.len()
                    && cjk::ideographs(&letters).next().is_none()
                {
                    continue;
                }
                cjk::pairs(&letters, |pair| {
                    let weight = if letters.len() == 1 { 1.0 } else { cjk::pair_weight(&pair) };
                    content.add(vec![pair], weight);
                });
                if letters.len() <= WORD_LETTERS {
                    cjk::lone_ideographs(&letters)
                        .for_each(|letter| content.add(vec![letter.to_owned()], 1.0));
                } else {
                    cjk::ideographs(&letters)
                        .filter(|letter| cjk::pair_weight(letter) == 1.0)
                        .for_each(|letter| content.add(vec![letter.to_owned()], IDEOGRAPH_WEIGHT));
                }
            }
            if content.words.len() == before {
                cjk::pairs(&cjk::letters(&folded), |pair| stop_words.add(vec![pair], 1.0));
            }
        }
        Token::Hangul(word) => {
            let mut forms = vec![word.to_owned()];
            forms.extend(cjk::without_particle(word).map(str::to_owned));
            if forms.iter().any(|form| is_question_stop_word(form, &[Language::Korean])) {
                return stop_words.add(forms, 1.0);
            }
            let letters = cjk::letters(word);
            let bare = forms.get(1).cloned().unwrap_or_default();
            content.add(forms, 1.0);
            if letters.len() > 2 {
                cjk::pairs(&letters, |pair| {
                    if pair != bare {
                        content.add(vec![pair], PART_WEIGHT * PART_WEIGHT);
                    }
                });
            }
        }
    });
    if content.words.is_empty() { stop_words.words } else { content.words }
}

/// Distinct words in the order of their first appearance.
#[derive(Default)]
struct Words {
    words: Vec<QueryWord>,
    /// The forms, and where their word stands in `words`.
    seen: HashMap<String, usize>,
}

impl Words {
    fn atom(&mut self, atom: Atom<'_>, weight: f32, languages: &[Language]) {
        match atom {
            Atom::Word(word) => self.add(query_forms(&word, languages), weight),
            Atom::Literal(literal) => self.add(vec![literal], weight),
        }
    }

    fn add(&mut self, forms: Vec<String>, weight: f32) {
        let mut distinct: Vec<String> = Vec::with_capacity(forms.len());
        for form in forms.into_iter().map(cut) {
            if !form.is_empty() && !distinct.contains(&form) {
                distinct.push(form);
            }
        }
        if distinct.is_empty() {
            return;
        }
        // `run` and `running` are one word; asked twice it would count twice.
        if let Some(index) = distinct.iter().find_map(|form| self.seen.get(form)).copied() {
            let word = &mut self.words[index];
            word.weight = word.weight.max(weight);
            for form in distinct {
                if let Entry::Vacant(vacant) = self.seen.entry(form) {
                    word.forms.push(Form { term: vacant.key().clone(), weight: 1.0 });
                    vacant.insert(index);
                }
            }
            return;
        }
        self.seen.extend(distinct.iter().map(|form| (form.clone(), self.words.len())));
        self.words.push(QueryWord::new(distinct, weight));
    }
}
