//! What it means that one statement has other words in a place than another.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::alignment::Gap;
use super::clause::Clause;
use super::lists::{
    ATTRIBUTES, CHANGED, FRAMES, IDENTIFIED, LITTLE, ORDINAL_PLACES, REPEATED, SCHEDULED, exclude,
    is_copula, is_country, is_preposition, opposite,
};
use super::token::{Kind, Token, listed};

static CHANGED_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(CHANGED));
static IDENTIFIED_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(IDENTIFIED));
static PLACE_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(ORDINAL_PLACES));
static REPEATED_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(REPEATED));
static SCHEDULED_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(SCHEDULED));

static ATTRIBUTE_ROOTS: LazyLock<HashSet<String>> = LazyLock::new(|| listed(ATTRIBUTES));
static FRAME_ROOTS: LazyLock<Vec<Vec<HashSet<String>>>> = LazyLock::new(|| {
    FRAMES.iter().map(|frame| frame.iter().map(|word| listed(&[word])).collect()).collect()
});

/// A place in either statement.
type Places<'a> = [(&'a Clause, usize); 2];

/// Words of a value that are still one name.
const LONGEST_VALUE: usize = 4;

#[derive(Debug, PartialEq)]
pub(super) enum Difference {
    /// None that matters.
    None,
    /// Only the first, or only the second, has more: what it adds.
    More(usize),
    /// Both say something, and both may be true.
    Mere,
    /// One number for another.
    Number,
    /// One date or hour for another.
    Time,
    /// A word for its opposite.
    Opposite,
    /// A value for another where there is one.
    Value,
}

/// A difference with the words of both that make it.
#[derive(Debug)]
pub(super) struct Judged {
    pub what: Difference,
    pub words: [String; 2],
    /// One of the two says that it has changed.
    pub changed: bool,
}

impl Judged {
    fn new(what: Difference, words: [String; 2]) -> Self {
        Self { what, words, changed: false }
    }
}

pub(super) fn judge(a: &Clause, b: &Clause, gap: &Gap) -> Judged {
    let changed =
        [strip(a, gap.0.clone(), gap.1.is_empty()), strip(b, gap.1.clone(), gap.0.is_empty())];
    let [(mut one, one_changed), (mut other, other_changed)] = changed;
    for word in ["new", "neu", "nouveau", "nuevo"] {
        // A new one is another one, unless it says what there is now.
        if one.iter().any(|w| w.is(word)) != other.iter().any(|w| w.is(word))
            && (one.len() == 1 || other.len() == 1)
            && (one.is_empty() || other.is_empty())
        {
            return Judged { changed: true, ..Judged::new(Difference::None, Default::default()) };
        }
    }
    if one.iter().any(|w| w.is_time() || w.is_value())
        && other.iter().any(|w| w.is_time() || w.is_value())
    {
        one.retain(|word| !is_preposition(&word.key));
        other.retain(|word| !is_preposition(&word.key));
    }
    let changed = one_changed || other_changed;
    let judged = of_words(a, b, gap, &one, &other, changed);
    Judged { changed: changed || judged.changed, ..judged }
}

/// The words of a gap that say something, and whether they say that it changed.
fn strip(clause: &Clause, gap: std::ops::Range<usize>, alone: bool) -> (Vec<&Token>, bool) {
    let words: Vec<&Token> = clause.words[gap.clone()].iter().collect();
    let value = words.iter().any(|word| word.is_value() || word.is_time() || word.capital);
    let changed = value && !alone && words.iter().any(|word| word.among(&CHANGED_ROOTS));
    let kept = words.into_iter().filter(|word| {
        let little = is_little(word) || is_copula(&word.key);
        let change = changed
            && (word.among(&CHANGED_ROOTS)
                || ["up", "down", "forward"].contains(&word.key.as_str()));
        !(little || change)
    });
    // The question of tense: what was is not what is.
    let mut kept: Vec<&Token> = kept.collect();
    if !changed
        && let Some(was) = clause.words[gap].iter().find(|word| word.is("was") || word.is("were"))
        && alone
        && kept.is_empty()
    {
        kept.push(was);
    }
    (kept, changed)
}

/// By itself, not by its stem: an evening is no `even`.
fn is_little(word: &Token) -> bool {
    LITTLE.contains(&word.key.as_str()) || ["do", "have", "be"].contains(&word.root.as_str())
}

fn of_words(
    a: &Clause,
    b: &Clause,
    gap: &Gap,
    one: &[&Token],
    other: &[&Token],
    changed: bool,
) -> Judged {
    let words = [text(one), text(other)];
    let judged = |what| Judged::new(what, words.clone());
    if one.is_empty() && other.is_empty() {
        return judged(Difference::None);
    }
    if one.is_empty() || other.is_empty() {
        let (side, clause, at) =
            if other.is_empty() { (0, a, gap.0.start) } else { (1, b, gap.1.start) };
        let added = if side == 0 { one } else { other };
        // Since March, from June on: it was otherwise before.
        if at == 0
            && added.last().is_some_and(|last| last.is_time() || last.is("on"))
            && ["since", "from", "seit", "ab", "depuis", "desde"].contains(&added[0].key.as_str())
        {
            return Judged { changed: true, ..judged(Difference::None) };
        }
        return judged(if extends_subject(clause, at, added) {
            Difference::Mere
        } else {
            Difference::More(side)
        });
    }
    let quantity = |token: &Token| {
        ["all", "none", "everybody", "nobody", "both", "neither", "everyone"]
            .contains(&token.key.as_str())
    };
    let [first, second] = [one[0], other[0]];
    if one.len() == 1
        && other.len() == 1
        && quantity(first)
        && quantity(second)
        && opposite(&first.key, &second.key)
    {
        return judged(Difference::Opposite);
    }
    if in_subject(a, gap.0.start) || in_subject(b, gap.1.start) {
        return judged(Difference::Mere);
    }
    judged(if one.iter().chain(other).all(|word| word.is_time()) {
        time(a, b, one, other, changed)
    } else if one.iter().any(|word| word.is_value()) && other.iter().any(|word| word.is_value()) {
        number([(a, gap.0.start), (b, gap.1.start)], one, other, changed)
    } else if let Some(pair) = opposites(one, other) {
        return Judged::new(Difference::Opposite, pair);
    } else if first.kind == Kind::Ordinal && second.kind == Kind::Ordinal {
        let place = a.words.get(gap.0.end).is_some_and(|word| word.among(&PLACE_ROOTS));
        if place { Difference::Number } else { Difference::Mere }
    } else if (excludes(a, gap.0.start, first, second) || excludes(b, gap.1.start, second, first))
        && one.len() == 1
        && other.len() == 1
    {
        Difference::Value
    } else {
        value([(a, gap.0.start), (b, gap.1.start)], one, other)
    })
}

fn text(words: &[&Token]) -> String {
    words.iter().map(|word| word.said.as_str()).collect::<Vec<_>>().join(" ")
}

/// Whether a place belongs to what the statement is about.
fn in_subject(clause: &Clause, at: usize) -> bool {
    let Some(word) = clause.words.get(at) else { return false };
    if word.copula {
        return false;
    }
    at == 0
        || (at == 1 && {
            let first = &clause.words[0];
            first.apostrophe
                || [
                    "my", "our", "your", "his", "her", "their", "mein", "meine", "mon", "ma", "mi",
                    "the",
                ]
                .contains(&first.key.as_str())
                || !matches!(first.kind, Kind::Word)
        })
        || (at <= 2 && clause.words[at - 1].among(&IDENTIFIED_ROOTS) && !word.copula && at == 1)
}

/// Whether what only one has tells its subject from the other's: `Anna's brother`.
fn extends_subject(clause: &Clause, at: usize, added: &[&Token]) -> bool {
    if added[0].copula {
        return false;
    }
    let begins = is_preposition(&added[0].key) || added[0].is_time() || added[0].is("since");
    (at == 0 && !begins) || (at == 1 && clause.words[0].apostrophe && added[0].kind == Kind::Word)
}

fn opposites(one: &[&Token], other: &[&Token]) -> Option<[String; 2]> {
    if one.len() > 2 || other.len() > 2 {
        return None;
    }
    let pair = one.iter().flat_map(|x| other.iter().map(move |y| (*x, *y)));
    let (x, y) =
        pair.into_iter().find(|(x, y)| opposite(&x.key, &y.key) || opposite(&x.root, &y.root))?;
    // What is beside them has to be the same, or a little word.
    let rest = |words: &[&Token], without: &Token| {
        let rest = words.iter().filter(|w| w.key != without.key && !is_preposition(&w.key));
        rest.map(|w| w.root.clone()).collect::<Vec<_>>()
    };
    let same = rest(one, x) == rest(other, y);
    same.then(|| [x.said.clone(), y.said.clone()])
}

/// Colours and the like exclude each other of what is said to be them.
fn excludes(clause: &Clause, at: usize, one: &Token, other: &Token) -> bool {
    let said = one.copula
        || at.checked_sub(1).is_some_and(|at| is_copula(&clause.words[at].key))
        || (!clause.words[0].root.is_ascii() && clause.words.len() < 8);
    said && (exclude(&one.key, &other.key) || exclude(&one.root, &other.root))
}

/// Whether it was done then, and may have been done at another time, too.
fn again_and_again(clause: &Clause) -> bool {
    clause.words.iter().any(|word| {
        word.among(&REPEATED_ROOTS)
            && (word.key != word.root || word.key.ends_with("ed"))
            && !word.key.ends_with('s')
            && !word.key.ends_with("ing")
    })
}

fn time(a: &Clause, b: &Clause, one: &[&Token], other: &[&Token], changed: bool) -> Difference {
    let clocks = |words: &[&Token]| {
        words.iter().find_map(|word| match word.kind {
            Kind::Clock(minutes, sure) => Some((minutes, sure)),
            _ => None,
        })
    };
    if let (Some((x, sure)), Some((y, sure_too))) = (clocks(one), clocks(other))
        && one.len() == 1
        && other.len() == 1
        && (x == y || (x % 720 == y % 720 && !(sure && sure_too)))
    {
        return Difference::None;
    }
    let roots = |words: &[&Token]| {
        let mut roots: Vec<String> = words.iter().map(|word| word.root.clone()).collect();
        roots.sort();
        roots
    };
    if roots(one) == roots(other) {
        return Difference::None;
    }
    let fixed = |clause: &Clause| {
        clause.words.iter().any(|word| {
            word.among(&SCHEDULED_ROOTS) || is_copula(&word.key) || (word.copula && word.is_time())
        })
    };
    let copula = one.iter().chain(other).any(|word| word.copula);
    if again_and_again(a) || again_and_again(b) || !(changed || copula || (fixed(a) && fixed(b))) {
        return Difference::Mere;
    }
    Difference::Time
}

fn number(places: Places<'_>, one: &[&Token], other: &[&Token], changed: bool) -> Difference {
    // From one to another: the last is what it is.
    let last = |words: &[&Token]| {
        words.iter().rev().find(|word| word.is_value()).map(|word| word.kind.clone())
    };
    let (x, y) = (last(one), last(other));
    let rest = |words: &[&Token]| {
        let rest = words.iter().filter(|word| !word.is_value());
        rest.map(|word| word.root.clone()).collect::<Vec<_>>()
    };
    let (rest_one, rest_other) = (rest(one), rest(other));
    // `85 kg` and `85`, but no half sentence.
    let brief =
        (rest_one.is_empty() || rest_other.is_empty()) && rest_one.len() + rest_other.len() <= 2;
    if !(rest_one == rest_other || brief) {
        return Difference::Mere;
    }
    match (x, y) {
        (Some(Kind::Clock(x, sure)), Some(Kind::Clock(y, sure_too)))
            if x == y || (x % 720 == y % 720 && !(sure && sure_too)) =>
        {
            return Difference::None;
        }
        (Some(Kind::Amount(x)), Some(Kind::Amount(y))) if x == y => return Difference::None,
        // A name for another, where it is what something has: a code, a password.
        (Some(Kind::Code), Some(Kind::Code)) => return value(places, one, other),
        _ => {}
    }
    let again = places.iter().any(|(clause, _)| again_and_again(clause));
    if again && !changed { Difference::Mere } else { Difference::Number }
}

fn value(places: Places<'_>, one: &[&Token], other: &[&Token]) -> Difference {
    if one.len() > LONGEST_VALUE || other.len() > LONGEST_VALUE {
        return Difference::Mere;
    }
    let framed = |before: &[Token]| {
        FRAME_ROOTS.iter().any(|frame| {
            let last = before.len().checked_sub(frame.len()).map(|from| &before[from..]);
            last.is_some_and(|last| last.iter().zip(frame).all(|(word, roots)| word.among(roots)))
        })
    };
    let attributed = |before: &[Token]| {
        let copula = one[0].copula && other[0].copula
            || before.last().is_some_and(|word| is_copula(&word.key));
        let near = before.iter().rev().take(4);
        copula && near.into_iter().any(|word| word.among(&ATTRIBUTE_ROOTS))
    };
    let single = |before: &[Token]| framed(before) || attributed(before);
    if !places.iter().any(|(clause, at)| single(&clause.words[..*at])) {
        return Difference::Mere;
    }
    let name = |words: &[&Token]| words.iter().any(|word| word.capital || word.kind != Kind::Word);
    let countries = [one, other].map(|words| words.iter().any(|word| is_country(&word.key)));
    // A city for its country, or a description for a name.
    if name(one) != name(other) || countries[0] != countries[1] {
        return Difference::Mere;
    }
    Difference::Value
}
