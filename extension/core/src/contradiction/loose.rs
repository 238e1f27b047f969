//! Statements in other words or another order: only a denial of what the other
//! says, or a number that is said to have changed.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::aligned::is_news;
use super::clause::Clause;
use super::lists::{CHANGED, Change, is_copula, is_light, is_preposition};
use super::token::{Kind, Token, listed};
use super::verdict::{Level, Relation, Verdict};
use crate::text::irregular::base_form;

static CHANGED_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(CHANGED));

/// What follows is not denied.
const REASONS: &[&str] =
    &["because", "when", "if", "while", "since", "until", "although", "weil", "wenn"];
/// Of what one denies the other has to say at least this share.
const COVERED: f64 = 0.66;
/// Of the words of the shorter both have to have this share, to be about one thing.
const SHARED: f64 = 0.33;
/// In a longer clause numbers are of too many things.
const LONGEST: usize = 30;

pub(super) fn compare(a: &Clause, b: &Clause) -> Option<Verdict> {
    if a.open || b.open || a.exists || b.exists {
        return None;
    }
    if a.denies != b.denies {
        // Who speaks is not somebody else.
        if a.speaks != b.speaks {
            return None;
        }
        return if a.denies { denial(a, b).map(turned) } else { denial(b, a) };
    }
    if a.denies { None } else { number(a, b) }
}

/// Whether it may be what was done.
fn acts(word: &Token) -> bool {
    word.key.ends_with("ed") || base_form(&word.key).is_some()
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
            && !word.among(&CHANGED_ROOTS)
    };
    words.iter().filter(says).map(|word| word.root.as_str()).collect()
}

/// `denier` denies what the other says.
fn denial(denier: &Clause, other: &Clause) -> Option<Verdict> {
    let (denial, at) = denier.denial.as_ref()?;
    let said = content(&other.words);
    let times = |clause: &Clause| {
        clause
            .words
            .iter()
            .filter(|word| word.is_time())
            .map(|word| word.root.clone())
            .collect::<HashSet<_>>()
    };
    // What is denied for a time is denied for that time.
    if !times(denier).is_subset(&times(other)) {
        return None;
    }
    let amounts = |clause: &Clause| {
        clause
            .words
            .iter()
            .filter(|word| word.is_value())
            .map(|word| word.root.clone())
            .collect::<HashSet<_>>()
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
    let parts = what.split(|word| word.is("or") || word.is("and")).enumerate();
    // A part without a verb of its own is a part of what is before it.
    let whole = parts.filter(|(at, part)| *at == 0 || part.first().is_some_and(acts));
    let best = whole.map(|(_, part)| {
        let denied = content(part);
        let met = denied.intersection(&said).count();
        (met, denied.len(), part)
    });
    let (met, of, part) = best.max_by_key(|(met, of, _)| (*met * 100 / (*of).max(1), *met))?;
    let strong = denial == "never" || denier.change.is_some();
    let names =
        part.iter().filter(|word| word.capital).all(|word| said.contains(word.root.as_str()));
    if met + content(who).len() < 2
        || (met as f64) < COVERED * of as f64
        || !names
        || (!strong && met < of)
    {
        return None;
    }
    let words: Vec<&str> =
        part.iter().filter(|w| said.contains(w.root.as_str())).map(|w| w.said.as_str()).collect();
    let common = words.join(" ");
    let relation = if denier.change == Some(Change::Ended) {
        Relation::Update
    } else {
        Relation::Contradiction
    };
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
    if a.words.len().max(b.words.len()) > LONGEST
        || !(is_news(a) || is_news(b) || change(a).is_some() || change(b).is_some())
    {
        return None;
    }
    let (said, said_too) = (content(&a.words), content(&b.words));
    let shared = said.intersection(&said_too).count();
    if shared < 2 || (shared as f64) < SHARED * said.len().min(said_too.len()) as f64 {
        return None;
    }
    let names = |clause: &Clause| {
        let named = clause.words.iter().filter(|word| word.capital && !word.is_time());
        named.map(|word| word.root.clone()).collect::<HashSet<_>>()
    };
    let (named, named_too) = (names(a), names(b));
    if !named.is_empty() && !named_too.is_empty() && named.is_disjoint(&named_too) {
        return None;
    }
    let (x, y) = counted_alike(&amounts(a), &amounts(b)).or_else(|| Some((date(a)?, date(b)?)))?;
    // What is counted says little of what it belongs to, a share even less.
    let beside =
        shared - usize::from(said.contains(x.unit.as_str()) && said_too.contains(x.unit.as_str()));
    if x.value == y.value || beside < if x.unit == "percent" { 4 } else { 2 } {
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

#[derive(Clone)]
struct Counted {
    value: String,
    unit: String,
}

/// The first thing that both count.
fn counted_alike(a: &[Counted], b: &[Counted]) -> Option<(Counted, Counted)> {
    a.iter().find_map(|x| b.iter().find(|y| y.unit == x.unit).map(|y| (x.clone(), y.clone())))
}

/// Where a clause says that something was raised, moved, extended.
fn change(clause: &Clause) -> Option<usize> {
    clause.words.iter().position(|word| {
        word.among(&CHANGED_ROOTS)
            && (word.key.ends_with("ed") || word.key.ends_with("ing") || word.key != word.root)
            && !is_light(&word.root)
    })
}

/// What is counted: the word after a number, or of `the number of commits has grown
/// to 165` the commits. Of one that went from one number to another, the last.
fn amounts(clause: &Clause) -> Vec<Counted> {
    let mut found: Vec<Counted> = Vec::new();
    let words = &clause.words;
    for at in 0..words.len() {
        if !words[at].is_amount() {
            continue;
        }
        let next = words.get(at + 1).filter(|next| next.kind == Kind::Word && !next.stop);
        let number_of = || {
            let of = words.iter().position(|word| word.is("of") || word.is("number"))?;
            let thing = words[of..].iter().find(|word| !word.stop && !word.is("number"))?;
            (words[..=of].iter().any(|word| word.is("number"))
                && change(clause).is_some_and(|change| change < at))
            .then_some(thing)
        };
        if let Some(unit) = next.or_else(number_of) {
            let became = at > 0 && words[at - 1].is("to");
            let known = found.iter().position(|counted| counted.unit == unit.root);
            if known.is_none() || became {
                found.retain(|counted| counted.unit != unit.root);
                found.push(Counted { value: words[at].said.clone(), unit: unit.root.clone() });
            }
        }
    }
    found
}

/// The only date, with the hour, if there is one; of what was moved, the new one.
fn date(clause: &Clause) -> Option<Counted> {
    let from = change(clause).unwrap_or(0);
    let times = || {
        clause.words[from..].iter().filter(|word| matches!(word.kind, Kind::Date | Kind::Clock(..)))
    };
    let named = times().filter(|word| !word.key.starts_with(|c: char| c.is_ascii_digit())).count();
    let value = times().map(|word| word.said.as_str()).collect::<Vec<_>>().join(" ");
    (!value.is_empty() && named <= 1).then(|| Counted { value, unit: String::new() })
}
