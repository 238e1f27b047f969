//! Words that are written together: German, Dutch and the Scandinavian
//! languages make one word of several.
//!
//! There is no dictionary but the lexicon of the memories that are searched. A
//! long word that they do not have is split where both sides are words that
//! they have; a word of the question is looked for at the end and at the
//! beginning of their longer words. Between the parts may stand what joins them
//! (`Wohnung-s-miete`).

use std::collections::HashMap;

use super::language::{Language, Script};

/// Fewest letters of a part by which a memory is found.
const MIN_PART: usize = 4;

/// The same where the language is not known to make compounds.
const MIN_SURE_PART: usize = 5;

/// Fewest letters of what stands beside it.
const MIN_REST: usize = 3;

/// Longest word that is split: the ways to do so grow with the length.
const MAX_CHARS: usize = 40;

/// Letters that join two parts; the empty one first.
const LINKS: [&str; 7] = ["", "s", "es", "n", "en", "er", "e"];

/// What a compound weighs by its last part, which says what kind of thing it
/// is: where all of it is known, and where the rest is not.
const HEAD_WEIGHTS: [f32; 2] = [0.6, 0.45];

/// The same by its first part, which only says more about it.
const MODIFIER_WEIGHTS: [f32; 2] = [0.4, 0.25];

/// At most so many compounds are taken for one word.
const COMPOUNDS: usize = 12;

/// At most so many are weighed, the shortest: what a short word stands in by
/// chance grows with the lexicon.
const CANDIDATES: usize = 128;

/// How far the language of a question lets compounds be presumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compounding {
    /// It has them.
    Usual,
    /// It is not known, but memories are in a language that has them: presumed
    /// for a word that they do not have otherwise.
    Likely,
    /// It is not known: both parts have to be words of the lexicon.
    Unclear,
    /// It has none, or writes them apart.
    Unusual,
}

impl Compounding {
    /// For a question that may be in any of `languages`, about memories of
    /// which some are in each of `spoken`.
    pub(crate) fn of(languages: &[Language], spoken: &[Language]) -> Self {
        let usual = |language: &Language| {
            matches!(
                language,
                Language::German
                    | Language::Dutch
                    | Language::Danish
                    | Language::Norwegian
                    | Language::Swedish
            )
        };
        if languages.is_empty() {
            return if spoken.iter().any(usual) { Self::Likely } else { Self::Unclear };
        }
        match languages.iter().filter(|language| usual(language)).count() {
            0 => Self::Unusual,
            count if count == languages.len() => Self::Usual,
            _ => Self::Unclear,
        }
    }

    /// Whether one part may be taken for a word that no memory has.
    fn is_presumed(self) -> bool {
        matches!(self, Self::Usual | Self::Likely)
    }
}

/// A set of short keys that may say yes too often, but never no: most terms are
/// passed over by it without being hashed or compared.
struct Sieve(Box<[u64; 256]>);

impl Sieve {
    fn new() -> Self {
        Self(Box::new([0; 256]))
    }

    fn add(&mut self, key: usize) {
        self.0[key / 64 % 256] |= 1 << (key % 64);
    }

    fn may_have(&self, key: usize) -> bool {
        self.0[key / 64 % 256] & (1 << (key % 64)) != 0
    }
}

/// Mixes two bytes into a key of a [`Sieve`].
fn key(a: u8, b: u8) -> usize {
    usize::from(a) * 149 + usize::from(b)
}

/// Terms of which it has to be known whether the lexicon has them.
pub(crate) struct Wanted {
    terms: HashMap<String, bool>,
    sieve: Sieve,
}

impl Wanted {
    pub(crate) fn new() -> Self {
        Self { terms: HashMap::new(), sieve: Sieve::new() }
    }

    /// A key of the length, the first and last byte and two in between.
    fn key(term: &[u8]) -> Option<usize> {
        let (first, last) = (*term.first()?, *term.last()?);
        let inner = key(term[term.len() / 2], term[term.len() / 3]);
        Some((key(first, last) * 31 + inner) * 7 + term.len())
    }

    pub(crate) fn add(&mut self, term: &str) {
        let Some(key) = Self::key(term.as_bytes()) else { return };
        if !self.terms.contains_key(term) {
            self.sieve.add(key);
            self.terms.insert(term.to_owned(), false);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Looks at one term of the lexicon.
    pub(crate) fn see(&mut self, term: &str) {
        if let Some(key) = Self::key(term.as_bytes())
            && self.sieve.may_have(key)
            && let Some(seen) = self.terms.get_mut(term)
        {
            *seen = true;
        }
    }

    pub(crate) fn has(&self, term: &str) -> bool {
        self.terms.get(term).copied().unwrap_or(false)
    }
}

/// A part of a compound without its joint: the words that it may be.
fn without_link(part: &str) -> impl Iterator<Item = &str> {
    LINKS.iter().filter_map(|link| part.strip_suffix(link)).filter(|part| chars(part) >= MIN_REST)
}

/// The same, and with an `e` that falls away inside a compound (Schule,
/// Schulhof).
fn modifiers(part: &str) -> impl Iterator<Item = String> {
    without_link(part).map(str::to_owned).chain([format!("{part}e")])
}

fn chars(term: &str) -> usize {
    term.chars().count()
}

/// Whether a term is a word in Latin letters.
pub(crate) fn is_latin(term: &str) -> bool {
    term.chars().all(|c| Script::of(c) == Script::Latin)
}

/// A word of a question that may be a compound of words of the lexicon.
pub(crate) struct Splits {
    /// Its forms.
    forms: Vec<String>,
    compounding: Compounding,
    min_part: usize,
}

impl Splits {
    /// `None` if the word is too short, too long or not of this kind.
    pub(crate) fn new<'a>(
        forms: impl IntoIterator<Item = &'a str>,
        compounding: Compounding,
    ) -> Option<Self> {
        let min_part = if compounding.is_presumed() { MIN_REST } else { MIN_PART };
        let fits = |form: &&str| {
            is_latin(form) && (min_part + MIN_PART..=MAX_CHARS).contains(&chars(form))
        };
        let forms: Vec<String> = forms.into_iter().filter(fits).map(str::to_owned).collect();
        (!forms.is_empty()).then_some(Self { forms, compounding, min_part })
    }

    /// Every way to divide a term, in the order of the first part's length.
    fn ways<'a>(&self, term: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let (min_part, count) = (self.min_part, chars(term));
        term.char_indices()
            .enumerate()
            .filter(move |(before, _)| *before >= min_part && count - before >= MIN_PART)
            .map(|(_, (at, _))| term.split_at(at))
    }

    /// Names what has to be known.
    pub(crate) fn ask(&self, wanted: &mut Wanted) {
        for form in &self.forms {
            for (left, right) in self.ways(form) {
                modifiers(left).for_each(|left| wanted.add(&left));
                wanted.add(right);
                if self.compounding.is_presumed() {
                    // Three parts: the first two are divided alike.
                    for (_, middle) in self.ways(left) {
                        modifiers(middle).for_each(|middle| wanted.add(&middle));
                    }
                }
            }
        }
    }

    /// The parts of the word that the lexicon has, in two or three; empty if
    /// there is no way to divide it into such.
    pub(crate) fn parts(&self, wanted: &Wanted) -> Vec<String> {
        let known = |part: &str| modifiers(part).find(|part| wanted.has(part));
        let mut best: Option<(usize, Vec<String>)> = None;
        for form in &self.forms {
            for (left, right) in self.ways(form).filter(|(_, right)| wanted.has(right)) {
                let mut take = |parts: Vec<String>| {
                    // Few and even parts are more likely meant than chance syllables.
                    let shortest = parts.iter().map(|part| chars(part)).min().unwrap_or(0);
                    let worth = (4 - parts.len()) * MAX_CHARS + shortest;
                    if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                        best = Some((worth, parts));
                    }
                };
                if let Some(left) = known(left) {
                    take(vec![left, right.to_owned()]);
                } else if self.compounding.is_presumed() {
                    for (first, middle) in self.ways(left) {
                        // By three syllables almost any word can be made.
                        let syllables = chars(first) < MIN_PART;
                        let known = |part: &str| known(part).filter(|part| chars(part) >= MIN_PART);
                        if !syllables
                            && let (Some(first), Some(middle)) = (known(first), known(middle))
                        {
                            take(vec![first, middle, right.to_owned()]);
                        }
                    }
                }
            }
        }
        best.map(|(_, parts)| parts).unwrap_or_default()
    }

    /// The last part of the word, if the lexicon has it and the language makes
    /// compounds: a kind of what is asked for.
    pub(crate) fn head(&self, wanted: &Wanted) -> Option<(String, f32)> {
        if !self.compounding.is_presumed() {
            return None;
        }
        let mut heads = self.forms.iter().flat_map(|form| self.ways(form));
        let (_, head) = heads.find(|(left, right)| {
            chars(right) >= MIN_SURE_PART && wanted.has(right) && is_a_rest(left, right)
        })?;
        Some((head.to_owned(), MODIFIER_WEIGHTS[0]))
    }
}

/// Whether what stands before a last part may be a part itself though no
/// memory has it: it can be spoken, and is no mere prefix; and the last part is
/// no ending of borrowed words (Kombi-nation).
fn is_a_rest(rest: &str, head: &str) -> bool {
    const PREFIXES: [&str; 14] = [
        "ver", "ent", "zer", "emp", "miss", "uber", "unter", "wider", "hinter", "ont", "over",
        "fore", "for", "und",
    ];
    const BORROWED: [&str; 7] = ["tion", "sion", "itat", "ment", "ismus", "ieren", "logie"];
    rest.contains(['a', 'e', 'i', 'o', 'u', 'y'])
        && chars(rest) >= MIN_REST
        && (chars(rest) > MIN_REST || chars(head) > MIN_SURE_PART)
        && !PREFIXES.contains(&rest)
        && !BORROWED.iter().any(|ending| head.ends_with(ending))
}

/// A compound of the lexicon that has a word of the question in it.
struct Found {
    term: String,
    /// How many of its bytes are the rest, and whether the rest stands first.
    rest: usize,
    at_end: bool,
    needle: usize,
}

impl Found {
    fn rest(&self) -> &str {
        if self.at_end {
            &self.term[..self.rest]
        } else {
            &self.term[self.term.len() - self.rest..]
        }
    }
}

/// The compounds with a word of the question, found while a lexicon goes by.
pub(crate) struct Within {
    needles: Vec<String>,
    compounding: Compounding,
    found: Vec<Found>,
    shortest: usize,
    /// The first two bytes of the needles, and the last two.
    starts: Sieve,
    ends: Sieve,
}

impl Within {
    /// `None` if the word is too short, or the language makes no compounds.
    pub(crate) fn new<'a>(
        forms: impl IntoIterator<Item = &'a str>,
        compounding: Compounding,
    ) -> Option<Self> {
        let least = match compounding {
            Compounding::Usual => MIN_PART,
            Compounding::Likely | Compounding::Unclear => MIN_SURE_PART,
            Compounding::Unusual => return None,
        };
        let fits = |form: &&str| is_latin(form) && (least..=MAX_CHARS).contains(&chars(form));
        let needles: Vec<String> = forms.into_iter().filter(fits).map(str::to_owned).collect();
        let shortest = needles.iter().map(String::len).min()? + MIN_REST;
        let (mut starts, mut ends) = (Sieve::new(), Sieve::new());
        for needle in &needles {
            let (start, end) = Self::keys(needle.as_bytes())?;
            starts.add(start);
            ends.add(end);
        }
        Some(Self { needles, compounding, found: Vec::new(), shortest, starts, ends })
    }

    fn keys(term: &[u8]) -> Option<(usize, usize)> {
        match term {
            [a, b, .., y, z] => Some((key(*a, *b), key(*y, *z))),
            _ => None,
        }
    }

    /// Looks at one term of the lexicon.
    pub(crate) fn see(&mut self, term: &str) {
        if term.len() < self.shortest {
            return;
        }
        let Some((start, end)) = Self::keys(term.as_bytes()) else { return };
        if !self.starts.may_have(start) && !self.ends.may_have(end) {
            return;
        }
        for (needle, text) in self.needles.iter().enumerate() {
            let rest = term.len().saturating_sub(text.len());
            let at_end = term.ends_with(text.as_str());
            if rest >= MIN_REST && (at_end || term.starts_with(text.as_str())) && is_latin(term) {
                self.found.push(Found { term: term.to_owned(), rest, at_end, needle });
                if self.found.len() >= 4 * CANDIDATES {
                    self.keep_shortest();
                }
                return;
            }
        }
    }

    /// Leaves the shortest candidates, which are the same in whatever order the
    /// lexicon went by.
    fn keep_shortest(&mut self) {
        self.found.sort_unstable_by(|a, b| (a.term.len(), &a.term).cmp(&(b.term.len(), &b.term)));
        self.found.dedup_by(|a, b| a.term == b.term);
        self.found.truncate(CANDIDATES);
    }

    /// Names what has to be known: the rests. The lexicon has gone by.
    pub(crate) fn ask(&mut self, wanted: &mut Wanted) {
        self.keep_shortest();
        for found in &self.found {
            if found.at_end {
                without_link(found.rest()).for_each(|rest| wanted.add(rest));
            } else {
                rests_behind(found.rest()).for_each(|rest| wanted.add(rest));
            }
        }
    }

    /// The compounds with their weights: the weightiest first, ties by term.
    pub(crate) fn terms(&self, wanted: &Wanted) -> Vec<(&str, f32)> {
        let mut terms: Vec<(&str, f32)> = self
            .found
            .iter()
            .filter_map(|found| Some((found.term.as_str(), self.weight(found, wanted)?)))
            .collect();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        terms.truncate(COMPOUNDS);
        terms
    }

    fn weight(&self, found: &Found, wanted: &Wanted) -> Option<f32> {
        let (rest, needle) = (found.rest(), self.needles[found.needle].as_str());
        let presumed = self.compounding.is_presumed();
        if found.at_end {
            let least = if presumed { MIN_REST } else { MIN_PART };
            let known = without_link(rest).any(|rest| chars(rest) >= least && wanted.has(rest));
            return match known {
                true => Some(HEAD_WEIGHTS[0]),
                false => (presumed && is_a_rest(rest, needle)).then_some(HEAD_WEIGHTS[1]),
            };
        }
        // A first part is followed by another word, not by an ending.
        let known = rests_behind(rest).any(|rest| chars(rest) >= MIN_PART && wanted.has(rest));
        match known {
            true => Some(MODIFIER_WEIGHTS[0]),
            false => {
                let long = chars(needle) > MIN_SURE_PART && chars(rest) > MIN_SURE_PART;
                (presumed && long).then_some(MODIFIER_WEIGHTS[1])
            }
        }
    }
}

/// What follows a first part, without the joint.
fn rests_behind(rest: &str) -> impl Iterator<Item = &str> {
    LINKS.iter().filter_map(|link| rest.strip_prefix(link)).filter(|rest| chars(rest) >= MIN_REST)
}
