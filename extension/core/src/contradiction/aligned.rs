//! Statements of nearly the same words in the same order: what stands between the
//! common ones decides.

use super::alignment::gaps;
use super::clause::Clause;
use super::difference::{Difference, Judged, judge};
use super::lists::{Change, is_light};
use super::token::{Kind, Token};
use super::verdict::{Level, Relation, Verdict};

/// `None` where the two differ in more than what is known to matter or not to.
pub(super) fn compare(a: &Clause, b: &Clause) -> Option<Verdict> {
    if a.open != b.open {
        return None;
    }
    let (gaps, common) = gaps(&a.words, &b.words);
    if common == 0 {
        return None;
    }
    let mut judged = Vec::with_capacity(gaps.len());
    for gap in &gaps {
        let found = judge(a, b, gap);
        // Most pairs end here.
        if found.what == Difference::Mere {
            return None;
        }
        judged.push(found);
    }
    let changed = judged.iter().any(|judged| judged.changed) || says_change(a) != says_change(b);
    let added = |side: usize| judged.iter().any(|judged| judged.what == Difference::More(side));
    let apart: Vec<&Judged> = judged
        .iter()
        .filter(|judged| !matches!(judged.what, Difference::None | Difference::More(_)))
        .collect();
    let likeness = likeness(a, b, common);
    if a.denies != b.denies {
        return denied(a, b, &apart, [added(0), added(1)], changed, likeness);
    }
    if apart.is_empty() {
        let whole = likeness >= 0.5;
        return whole.then_some(Verdict { score: likeness, ..Verdict::AGREEMENT });
    }
    // What is added may be what makes the difference, unless it is said to be news.
    if !changed && (added(0) || added(1)) {
        return None;
    }
    let share = common as f64 / a.words.len().min(b.words.len()) as f64;
    if a.exists || b.exists || share < if changed { 0.3 } else { 0.5 } {
        return None;
    }
    let opposites = apart.iter().filter(|judged| judged.what == Difference::Opposite).count();
    // Two opposites may cancel each other, and two changes at once make another event.
    if apart.len() > 2 || opposites > 1 || (opposites == 1 && apart.len() > 1) {
        return None;
    }
    let times = apart.iter().filter(|judged| judged.what == Difference::Time).count();
    if times > 0 && times < apart.len() && !changed {
        return None;
    }
    let base = match apart[0].what {
        Difference::Number | Difference::Opposite => 0.85,
        _ => 0.8,
    };
    let words = [0, 1].map(|side| {
        apart.iter().map(|judged| judged.words[side].as_str()).collect::<Vec<_>>().join(", ")
    });
    Some(verdict(base * (0.6 + 0.4 * likeness), words, changed, changes(a)))
}

fn says_change(clause: &Clause) -> bool {
    clause.change.is_some()
}

/// One says what the other denies.
fn denied(
    a: &Clause,
    b: &Clause,
    apart: &[&Judged],
    added: [bool; 2],
    changed: bool,
    likeness: f64,
) -> Option<Verdict> {
    match apart {
        [] => {}
        // Not open is closed.
        [one] if one.what == Difference::Opposite => return Some(Verdict::AGREEMENT),
        _ => return None,
    }
    // Not on Fridays is not never.
    let denier = usize::from(b.denies);
    if added[denier] || a.exists || b.exists || likeness < 0.4 {
        return None;
    }
    let words = denial_words(a, b);
    Some(verdict(0.9 * (0.6 + 0.4 * likeness), words, changed, true))
}

/// What one denies, with the word that denies it, and the same of the other.
fn denial_words(a: &Clause, b: &Clause) -> [String; 2] {
    let (denier, other) = if a.denies { (a, b) } else { (b, a) };
    let (denial, at) = denier.denial.clone().unwrap_or_default();
    let denied = denier.words.iter().skip(at).find(|word| !is_light(&word.root));
    let same = denied.and_then(|denied| other.words.iter().find(|word| word.root == denied.root));
    let said = |word: Option<&Token>| word.map_or("", |word| word.said.as_str()).to_owned();
    let words = [format!("{denial} {}", said(denied)).trim().to_owned(), said(same)];
    if a.denies {
        words
    } else {
        let [denied, said] = words;
        [said, denied]
    }
}

/// The share of the words of both that are common.
fn likeness(a: &Clause, b: &Clause, common: usize) -> f64 {
    2.0 * common as f64 / (a.words.len() + b.words.len()) as f64
}

/// Whether what is said may change in time.
fn changes(clause: &Clause) -> bool {
    !clause.words.iter().any(|word| {
        ["born", "bear", "birthday", "native", "blood", "mother", "father", "founded", "written"]
            .contains(&word.key.as_str())
            || (word.kind == Kind::Date && word.key.len() == 4)
    })
}

fn verdict(score: f64, words: [String; 2], changed: bool, changes: bool) -> Verdict {
    Verdict {
        relation: if changed { Relation::Update } else { Relation::Contradiction },
        level: Some(Level::Structural),
        score,
        words,
        changes,
    }
}

/// Whether a clause says that something is otherwise now.
pub(super) fn is_news(clause: &Clause) -> bool {
    matches!(clause.change, Some(Change::Now | Change::Ended))
}
