//! Whether two statements can both be true.
//!
//! Mere difference is no contradiction: who likes figs may like plums. What counts
//! is listed: one of the two denies what the other says; a number, a date or an hour
//! stands in the place of another; a word in the place of its opposite; or one value
//! in the place of another where a thing has one (`lives in`, `is called`). The rest
//! of the two has to be about the same person, thing and time, and has to be said,
//! not asked, planned or reported.
//!
//! Two ways are tried. [`aligned`](self) statements have nearly the same words in
//! the same order, and what stands between the common words is judged. Otherwise the
//! words are compared as a set, and only a denial or a number that is said to have
//! changed counts.
//!
//! `tests/cases/contradictions.tsv` has the labelled pairs, and
//! `tests/contradictions.rs` measures on them.

mod aligned;
mod alignment;
mod claim;
mod clause;
mod difference;
mod lists;
mod loose;
mod number;
mod token;
mod verdict;

pub use claim::Claim;
pub use clause::Reading;
pub use verdict::{Level, Relation, Verdict};

use crate::text::{Language, says_the_same};

/// A memory with what is known of it beside its text.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its text, read.
    pub reading: &'a Reading,
    /// Its structured form.
    pub claim: Option<&'a Claim>,
    /// When it was true: seconds since 1970, half-open. `None` is not known, or open.
    pub from: Option<i64>,
    /// The end of that.
    pub to: Option<i64>,
    /// How much it is believed.
    pub confidence: Option<f64>,
    /// Who said it: `I` is then somebody.
    pub speaker: Option<i64>,
}

impl<'a> Side<'a> {
    /// A text of which nothing else is known.
    #[must_use]
    pub const fn of(reading: &'a Reading) -> Self {
        Self { reading, claim: None, from: None, to: None, confidence: None, speaker: None }
    }
}

/// A later statement about what may change is taken for news from this distance on.
const NEWS: i64 = 86_400;
/// Two that are as like as this are about one subject.
const ONE_SUBJECT: f64 = 0.8;
/// Confidences that are as far apart as this cannot both be deserved.
const FAR_APART: f64 = 0.5;

/// What two texts of which nothing else is known are to each other.
///
/// ```
/// use muninn_core::contradiction::{Relation, compare_texts};
/// let relation = |a, b| compare_texts(a, b, None).relation;
/// assert_eq!(relation("Anna likes figs.", "Anna doesn't like figs."), Relation::Contradiction);
/// assert_eq!(relation("Anna lives in Turin.", "Anna lives in Ghent now."), Relation::Update);
/// assert_eq!(relation("The door is not open.", "The door is closed."), Relation::Agreement);
/// assert_eq!(relation("Anna likes figs.", "Anna likes plums."), Relation::Unrelated);
/// ```
#[must_use]
pub fn compare_texts(a: &str, b: &str, language: Option<Language>) -> Verdict {
    let (one, other) = (Reading::of(a, language), Reading::of(b, language));
    compare(&Side::of(&one), &Side::of(&other), None)
}

/// What two memories are to each other, and the words by which they are that. `cosine`
/// is the likeness of their meanings, where it is known.
///
/// ```
/// use muninn_core::contradiction::{Level, Reading, Relation, Side, compare};
/// let (a, b) = (Reading::of("Ben has two cats.", None), Reading::of("Ben has 3 cats.", None));
/// let found = compare(&Side::of(&a), &Side::of(&b), None);
/// assert_eq!((found.relation, found.level), (Relation::Contradiction, Some(Level::Structural)));
/// assert_eq!((found.words[0].as_str(), found.words[1].as_str()), ("two", "3"));
/// // What was true at another time contradicts nothing.
/// let (then, now) = (Side { to: Some(10), ..Side::of(&a) }, Side { from: Some(10), ..Side::of(&b) });
/// assert_eq!(compare(&then, &now, None).relation, Relation::Unrelated);
/// ```
#[must_use]
pub fn compare(a: &Side<'_>, b: &Side<'_>, cosine: Option<f64>) -> Verdict {
    // In one order, so that the answer does not depend on it.
    if a.reading.text() > b.reading.text() {
        let found = in_order(b, a, cosine);
        let [one, other] = found.words;
        return Verdict { words: [other, one], ..found };
    }
    in_order(a, b, cosine)
}

fn in_order(a: &Side<'_>, b: &Side<'_>, cosine: Option<f64>) -> Verdict {
    if !at_one_time(a, b) {
        return Verdict::UNRELATED;
    }
    if let (Some(one), Some(other)) = (a.claim, b.claim)
        && let Some(found) = claim::compare(one, other)
    {
        return dated(found, a, b);
    }
    let found = texts(a, b);
    if found.conflicts() {
        return dated(found, a, b);
    }
    if found.relation == Relation::Unrelated {
        return cluster(a, b, cosine).unwrap_or(found);
    }
    found
}

/// Whether there is an instant for which both are said.
fn at_one_time(a: &Side<'_>, b: &Side<'_>) -> bool {
    let starts_before = |start: Option<i64>, end: Option<i64>| {
        start.zip(end).is_none_or(|(start, end)| start < end)
    };
    starts_before(a.from, b.to) && starts_before(b.from, a.to)
}

/// The strongest that a sentence of the one is to a sentence of the other.
fn texts(a: &Side<'_>, b: &Side<'_>) -> Verdict {
    let strangers = a.speaker.zip(b.speaker).is_some_and(|(a, b)| a != b);
    let mut best = Verdict::UNRELATED;
    for one in a.reading.clauses() {
        for other in b.reading.clauses() {
            if strangers && (one.speaks || other.speaks) {
                continue; // two persons are each `I`
            }
            let found = aligned::compare(one, other)
                .or_else(|| loose::compare(one, other))
                .unwrap_or(Verdict::UNRELATED);
            if found.rank() > best.rank() {
                best = found;
            }
        }
    }
    best
}

/// A contradiction of one that came later is news, unless such a thing never changes.
fn dated(found: Verdict, a: &Side<'_>, b: &Side<'_>) -> Verdict {
    let later = a.from.zip(b.from).is_some_and(|(a, b)| (a - b).abs() >= NEWS);
    if found.relation == Relation::Contradiction && later && found.changes {
        return Verdict { relation: Relation::Update, ..found };
    }
    found
}

/// Of two that mean almost the same one is believed and the other hardly.
fn cluster(a: &Side<'_>, b: &Side<'_>, cosine: Option<f64>) -> Option<Verdict> {
    let likeness = cosine.filter(|cosine| *cosine >= ONE_SUBJECT)?;
    let apart = (a.confidence? - b.confidence?).abs();
    let same = says_the_same(a.reading.text(), b.reading.text(), a.reading.language());
    (apart >= FAR_APART && !same && !a.reading.asks() && !b.reading.asks()).then(|| Verdict {
        relation: Relation::Contradiction,
        level: Some(Level::Cluster),
        score: likeness * apart,
        words: [
            format!("{:.2}", a.confidence.unwrap_or(0.0)),
            format!("{:.2}", b.confidence.unwrap_or(0.0)),
        ],
        changes: false,
    })
}
