//! Statements in other words or another order: only a denial of what the other
//! says, or a number that is said to have changed.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::aligned::is_news;
use super::clause::Clause;
use super::lists::{CHANGED, Change, is_copula, is_light, is_preposition};
use super::token::{Kind, Token, listed};
use super::verdict::{Level, Relation, Verdict};

static CHANGED_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(CHANGED));

/// What follows is not denied.
const REASONS: &[&str] = &["because", "when", "if", "while", "since", "until", "although", "weil", "wenn"];
/// Of what one denies the other has to say at least this share.
const COVERED: f64 = 0.66;

pub(super) fn compare(a: &Clause, b: &Clause) -> Option<Verdict> {
    if a.open || b.open || a.exists || b.exists || a.speaks != b.speaks {
        return None;
    }
    if a.denies != b.denies {
        return if a.denies { denial(a, b).map(turned) } else { denial(b, a) };
    }
    if a.denies { None } else { number(a, b) }
}

fn turned(found: Verdict) -> Verdict {
    let [a, b] = found.words;
    Verdict { words: [b, a], ..found }
}

/// Words that are about something.
fn content(words: &[Token]) -> HashSet<&str> {
    let says = |word: &&Token| {
        matches!(word.kind, Kind::Word | Kind::Code)
            && !is_light(&word.root)
            && !is_copula(&word.key)
            && !is_preposition(&word.key)
            && !word.stop
            && !word.is_time()
    };
    words.iter().filter(says).map(|word| word.root.as_str()).collect()
}

/// `denier` denies what the other says.
fn denial(denier: &Clause, other: &Clause) -> Option<Verdict> {
    let (denial, at) = denier.denial.as_ref()?;
    let said = content(&other.words);
    let times = |clause: &Clause| {
        clause.words.iter().filter(|word| word.is_time()).map(|word| word.root.clone()).collect::<HashSet<_>>()
    };
    // What is denied for a time is denied for that time.
    if !times(denier).is_subset(&times(other)) {
        return None;
    }
    let amounts = |clause: &Clause| {
        clause.words.iter().filter(|word| word.is_value()).map(|word| word.root.clone()).collect::<HashSet<_>>()
    };
    if !amounts(denier).is_subset(&amounts(other)) {
        return None;
    }
    // Who, before the denial, has to be the same; of what is joined by `or` one is enough.
    let (who, what) = denier.words.split_at((*at).min(denier.words.len()));
    if !content(who).is_subset(&said) {
        return None;
    }
    let end = what.iter().position(|word| REASONS.contains(&word.key.as_str()));
    let what = &what[..end.unwrap_or(what.len())];
    if what.iter().any(|word| word.is("without")) {
        return None;
    }
    let best = what.split(|word| word.is("or") || word.is("and")).map(|part| {
        let denied = content(part);
        let met = denied.intersection(&said).count();
        (met, denied.len(), part)
    });
    let (met, of, part) = best.max_by_key(|(met, of, _)| (*met * 100 / (*of).max(1), *met))?;
    let strong = denial == "never" || denier.change.is_some();
    let names = part.iter().filter(|word| word.capital).all(|word| said.contains(word.root.as_str()));
    if met + content(who).len() < 2 || (met as f64) < COVERED * of as f64 || !names || (!strong && met < of) {
        return None;
    }
    let words: Vec<&str> = part.iter().filter(|w| said.contains(w.root.as_str())).map(|w| w.key.as_str()).collect();
    let common = words.join(" ");
    let relation = if denier.change == Some(Change::Ended) { Relation::Update } else { Relation::Contradiction };
    Some(Verdict {
        relation,
        level: Some(Level::Structural),
        score: 0.7 * (0.5 + 0.5 * met as f64 / of.max(1) as f64),
        words: [common.clone(), format!("{denial} {common}")],
        changes: true,
    })
}

/// Both count one thing, and one of them says that the number has changed.
fn number(a: &Clause, b: &Clause) -> Option<Verdict> {
    let news = |clause: &Clause| {
        is_news(clause) || clause.words.iter().any(|word| word.among(&CHANGED_ROOTS) && word.key.ends_with("ed") || word.is("grown"))
    };
    if news(a) == news(b) {
        return None;
    }
    let (said, said_too) = (content(&a.words), content(&b.words));
    let shared = said.intersection(&said_too).count();
    if shared < 2 || (shared as f64) < 0.4 * said.len().min(said_too.len()) as f64 {
        return None;
    }
    let (x, y) = amounts(a)
        .into_iter()
        .find_map(|x| amounts(b).into_iter().find(|y| y.unit == x.unit).map(|y| (x, y)))
        .or_else(|| Some((date(a)?, date(b)?)))?;
    if x.value == y.value {
        return None;
    }
    Some(Verdict {
        relation: Relation::Update,
        level: Some(Level::Structural),
        score: 0.6 + 0.05 * shared.min(4) as f64,
        words: [x.value, y.value],
        changes: true,
    })
}

struct Counted {
    value: String,
    unit: String,
}

/// What is counted: the word after a number. Of one that went from one number to
/// another, the last.
fn amounts(clause: &Clause) -> Vec<Counted> {
    let mut found: Vec<Counted> = Vec::new();
    for pair in clause.words.windows(2) {
        if pair[0].is_amount() && pair[1].kind == Kind::Word && !pair[1].stop {
            found.retain(|counted| counted.unit != pair[1].root);
            found.push(Counted { value: pair[0].key.clone(), unit: pair[1].root.clone() });
        }
    }
    found
}

/// The only date, with the hour, if there is one.
fn date(clause: &Clause) -> Option<Counted> {
    let words: Vec<&str> = clause
        .words
        .iter()
        .filter(|word| matches!(word.kind, Kind::Date | Kind::Clock(..)))
        .map(|word| word.key.as_str())
        .collect();
    let months = clause.words.iter().filter(|word| word.kind == Kind::Date && !word.key.starts_with(|c: char| c.is_ascii_digit())).count();
    (!words.is_empty() && months <= 1).then(|| Counted { value: words.join(" "), unit: String::new() })
}
