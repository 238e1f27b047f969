//! Whether the words of one statement are those of another, in an order that
//! says the same.

use super::english::is_participle;
use super::lists::{MOVING, and};
use super::spelling::without_accents;
use super::statement::{Statement, Word};
use crate::text::language::Language;

/// In a longer text nothing is looked for at another place.
const LONGEST: usize = 40;

/// Makes one word of two that the other statement writes with a hyphen.
pub(super) fn join_as_in(statement: &mut Statement, other: &Statement) {
    for whole in other.words.iter().filter(|word| word.hyphen) {
        let two = |pair: &[Word]| {
            whole.key.strip_prefix(pair[0].key.as_str()) == Some(pair[1].key.as_str())
        };
        if let Some(at) = statement.words.windows(2).position(two) {
            let second = statement.words.remove(at + 1);
            let first = &mut statement.words[at];
            first.key.push_str(&second.key);
            first.stem.clone_from(&first.key);
            first.comma = second.comma;
        }
    }
}

/// Puts what `and` joins in one order, where each is one word and the list
/// stands at an end of the statement. In the middle the last of the list may be
/// the subject of what follows: `Anna met Ben and Clara left`.
pub(super) fn sort_lists(statement: &mut Statement) {
    let words = &mut statement.words;
    for at in 1..words.len().saturating_sub(1) {
        if !words[at].is_one_of(and(statement.language)) {
            continue;
        }
        let mut start = at - 1;
        while start > 0 && words[start - 1].comma {
            start -= 1;
        }
        let last = at + 1;
        let verb = usize::from(statement.language == Language::Turkish);
        if start > 0 && last + 1 + verb < words.len() {
            continue;
        }
        // What was done has an order.
        if words[start..=last].iter().any(|word| is_participle(&word.key)) {
            continue;
        }
        let mut listed: Vec<Word> = words[start..=last].to_vec();
        let and = listed.remove(at - start);
        listed.sort_by(|a, b| a.key.cmp(&b.key));
        for word in &mut listed {
            word.comma = false;
        }
        words[start] = and;
        words[start + 1..=last].clone_from_slice(&listed);
    }
}

/// Whether both have the same words, at most with one phrase elsewhere.
pub(super) fn meet(a: &Statement, b: &Statement) -> bool {
    let n = a.words.len();
    if n != b.words.len() {
        return false;
    }
    let like = |at: usize, other: usize| {
        let (one, other) = (&a.words[at], &b.words[other]);
        alike(one, other) && accents(a, b, one, other) && articles(a.language, one, other)
    };
    if (0..n).all(|at| like(at, at)) {
        return true;
    }
    // Most that differ do in a word; only the others are worth turning about.
    if n > LONGEST || sorted(a) != sorted(b) {
        return false;
    }
    let runs =
        |from: usize, to: usize, length: usize| (0..length).all(|at| like(from + at, to + at));
    (1..n)
        .any(|at| (moves(a, at) || moves(b, n - at)) && runs(at, 0, n - at) && runs(0, n - at, at))
        || (a.language != Language::English
            && (inverts(a, &runs) || inverts(b, &|from, to, length| runs(to, from, length))))
}

/// The words of both, as far as they must be the same in any order.
fn sorted(statement: &Statement) -> Vec<String> {
    let mut stems: Vec<_> =
        statement.words.iter().map(|word| without_accents(&word.stem)).collect();
    stems.sort_unstable();
    stems
}

fn alike(a: &Word, b: &Word) -> bool {
    let whose = match (&a.whose, &b.whose) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        (Some(_), None) => b.article.is_none(),
        (None, Some(_)) => a.article.is_none(),
    };
    whose
        && (a.key == b.key
            || stems_meet(a, b)
            || without_accents(&a.key) == without_accents(&b.key))
}

/// One or several is no difference, unless it says how many there are: of what
/// belongs to somebody, or after `a`. Two names are two, whatever they end in.
fn stems_meet(a: &Word, b: &Word) -> bool {
    let single = |word: &Word| word.article.as_deref().is_some_and(|article| article != "the");
    a.stem == b.stem
        && !(a.capital && b.capital)
        && !(a.owned || b.owned || a.apostrophe || b.apostrophe)
        && !(single(a) || single(b))
}

/// Accents may be missing from a statement that has none at all, but not from
/// the end of a word, where they make another form: `hablo` and `habló`.
fn accents(a: &Statement, b: &Statement, one: &Word, other: &Word) -> bool {
    one.key == other.key
        || one.stem == other.stem
        || (!(a.accents && b.accents) && one.key.chars().last() == other.key.chars().last())
}

/// In English an article changes little; elsewhere it may show who does what.
fn articles(language: Language, a: &Word, b: &Word) -> bool {
    language == Language::English
        || match (&a.article, &b.article) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
}

/// Whether the statement may be begun at this word: what stands before it, or
/// from it on, is a phrase that may stand at either end, or `is` stands between
/// two names for one thing.
fn moves(statement: &Statement, at: usize) -> bool {
    let words = &statement.words;
    let begins = |at: usize| words[at].is_one_of(MOVING);
    let named =
        |word: &Word| word.apostrophe || word.owned || word.article.as_deref() == Some("the");
    begins(0) || begins(at) || (words[at].copula && (named(&words[0]) || named(&words[at])))
}

/// Whether a phrase of the first statement, its verb and its subject stand the
/// other way round in the second, and what follows is the same: `On Monday comes
/// the plumber`, as many languages say it.
fn inverts(statement: &Statement, runs: &impl Fn(usize, usize, usize) -> bool) -> bool {
    let words = &statement.words;
    let n = words.len();
    if !words[0].is_one_of(MOVING) || words.iter().any(|word| word.comma) {
        return false;
    }
    (1..n.saturating_sub(1)).any(|verb| {
        !words[verb].capital
            && !words[verb + 1].is_one_of(MOVING)
            && (verb + 2..=n).any(|end| {
                let subject = end - verb - 1;
                runs(verb + 1, 0, subject)
                    && runs(verb, subject, 1)
                    && runs(0, subject + 1, verb)
                    && runs(end, end, n - end)
            })
    })
}
