//! What is written in two ways in English.

use super::lists::{FLOATING, JOINING, NEGATIONS, OWNING, WHOSE, day, month};
use super::numerals::is_digits;
use super::spelling::{american, letters, without_s};
use super::statement::{Statement, Word};
use crate::text::irregular::base_form;

/// The words of a contraction: `don't`, `we've`, `Anna's`.
pub(super) fn contraction(part: &str) -> Option<Vec<Word>> {
    let lower = part.to_lowercase();
    let two = |first: &str, second: &str| Some(vec![Word::new(first), Word::new(second)]);
    match lower.as_str() {
        "cannot" | "can't" | "cant" => return two("can", "not"),
        "won't" | "wont" => return two("will", "not"),
        "shan't" => return two("shall", "not"),
        "doesnt" | "dont" | "didnt" | "isnt" | "arent" | "wasnt" | "hasnt" | "havent" => {
            return two(lower.strip_suffix("nt")?, "not");
        }
        _ => {}
    }
    if let Some(verb) = lower.strip_suffix("n't") {
        return two(verb, "not");
    }
    for (ending, verb) in [("'ll", "will"), ("'ve", "have"), ("'m", "am"), ("'re", "are")] {
        if let Some(rest) = lower.strip_suffix(ending) {
            return two(&letters(rest), verb);
        }
    }
    let owner = lower.strip_suffix("'s")?;
    Some(vec![Word { apostrophe: true, ..Word::new(letters(owner)) }])
}

/// Dates in one form: the day, the month.
pub(super) fn dates(words: &mut Vec<Word>) {
    let is_day = |word: Option<&Word>| {
        let key = word.map_or("", |word| &word.key);
        let digits = key.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h']);
        is_digits(digits) && digits.len() <= 2
    };
    let mut at = 0;
    while at < words.len() {
        let previous = at.checked_sub(1).and_then(|at| words.get(at));
        let follows_day = is_day(previous);
        let follows_on = previous.is_some_and(|word| word.is("on"));
        let dated = follows_day || is_day(words.get(at + 1));
        let of = previous.is_some_and(|word| word.is("of"))
            && at.checked_sub(2).is_some_and(|at| is_day(words.get(at)));
        let key = &words[at].key;
        let long = key.len() > 3 && key != "march";
        if let Some(name) = month(key).filter(|name| dated || of || (long && *key == *name)) {
            words[at].key = name.to_owned();
            let mut day_at = at + 1;
            if of {
                words.remove(at - 1);
                at -= 1;
                day_at = at - 1;
            } else if follows_day {
                day_at = at - 1;
            }
            if let Some(day) = words.get_mut(day_at).filter(|_| dated || of) {
                day.key.truncate(day.key.trim_end_matches(|c: char| !c.is_ascii_digit()).len());
                if day_at > at {
                    words.swap(at, day_at);
                    let comma = words[at].comma;
                    words[at].comma = words[day_at].comma;
                    words[day_at].comma = comma;
                    at = day_at;
                }
            }
        } else if let Some(name) = day(key)
            && (key.len() > 5 || follows_on)
            && !key.ends_with("days")
        {
            words[at].key = name.to_owned();
        }
        at += 1;
    }
    // On a day or just the day.
    let is_date =
        |word: &Word| month(&word.key).is_some() || day(&word.key).is_some() || is_day(Some(word));
    let mut at = 0;
    while at + 1 < words.len() {
        let next = if words[at + 1].is("the") { at + 2 } else { at + 1 };
        if words[at].is("on") && words.get(next).is_some_and(is_date) {
            let opens = words.remove(at).opens;
            words[at].opens |= opens;
        } else {
            at += 1;
        }
    }
}

/// The copula, what belongs to whom, spellings, words that may stand elsewhere.
pub(super) fn finish(statement: &mut Statement) {
    of_becomes_s(&mut statement.words);
    let mut copula = false;
    let mut whose = None;
    let words = std::mem::take(&mut statement.words);
    let mut words = words.into_iter().peekable();
    let mut owned = 0;
    while let Some(mut word) = words.next() {
        let passive = words.peek().is_some_and(|next| is_participle(&next.key));
        let time = statement
            .words
            .last()
            .is_some_and(|last| last.key.starts_with(|c: char| c.is_ascii_digit()));
        if word.is_one_of(&["is", "are", "am"]) && !(word.is("am") && time) {
            if passive {
                statement.words.push(Word::new("is"));
            } else {
                copula = true;
            }
            owned = 0;
            continue;
        }
        if word.is_one_of(OWNING) {
            owned = 3;
        }
        if word.is_one_of(WHOSE) && words.peek().is_some_and(|next| !next.capital) {
            whose = Some(word.key);
            continue;
        }
        word.copula = std::mem::take(&mut copula);
        word.whose = whose.take();
        word.owned = owned > 0;
        owned = if word.apostrophe { 2 } else { usize::saturating_sub(owned, 1) };
        let shortened = word.apostrophe && passive;
        // Mr Grey and Mr Gray are two.
        if !word.capital || word.opens {
            word.key = american(&word.key);
        }
        word.stem = without_s(&word.key);
        if word.is_one_of(&["has", "have"]) {
            word.stem = "have".to_owned();
        }
        statement.words.push(word);
        if shortened {
            // The cat's named Pickle.
            statement.words.push(Word::new("is"));
        }
    }
    if statement.words.last().is_some_and(|word| word.is("yet"))
        && statement.words.iter().any(|word| word.is_one_of(NEGATIONS))
    {
        statement.words.pop();
    }
    let joined = |word: &Word| word.is_one_of(JOINING) && !word.opens;
    if !statement.words.iter().any(|word| word.comma || joined(word)) {
        let floats = |word: &mut Word| word.is_one_of(FLOATING);
        statement.floating.extend(statement.words.extract_if(.., floats).map(|word| word.key));
    }
}

/// Whether it may be the past of a verb, with `is` a passive.
pub(super) fn is_participle(word: &str) -> bool {
    (word.len() > 4 && word.ends_with("ed"))
        || ["born", "hurt", "hit", "cut", "put", "set", "shut", "let"].contains(&word)
        || base_form(word).is_some()
}

/// `the sister of Dmitri` is `Dmitri's sister`.
fn of_becomes_s(words: &mut Vec<Word>) {
    let mut of = 1;
    while of + 1 < words.len() {
        let owner = &words[of + 1];
        let named = owner.capital && !owner.comma && month(&owner.key).is_none();
        let begins = (0..of).rev().take(3).find(|at| words[*at].article.is_some());
        if let Some(begins) = begins
            && words[of].is("of")
            && named
            && words[begins].article.as_deref() == Some("the")
        {
            words[begins].article = None;
            words[of + 1].apostrophe = true;
            words.remove(of);
            words[begins..=of].rotate_right(1);
        }
        of += 1;
    }
}
