//! Typing errors: the terms of a lexicon that a misspelt word may stand for.
//!
//! A letter too many, one missing, a wrong one, two that changed places: one of
//! these in a word of 4 to 7 letters, two in a longer one (Damerau-Levenshtein
//! distance, in the form in which no letter is touched twice). Terms at the
//! same distance are told apart by the trigrams that they share with the word,
//! as pg_trgm counts them.

use super::fold::MAX_TERM_CHARS;

/// Fewest letters of a word that is corrected, and of what it is corrected to:
/// shorter words are too near to each other.
const MIN_CHARS: usize = 4;

/// From so many letters on a word may have two errors.
const TWO_ERRORS_CHARS: usize = 8;

/// Words of so many letters have many neighbours.
const SHORT_CHARS: usize = 5;

/// At most so many terms are taken for what was meant.
const ALTERNATIVES: usize = 3;

/// Weight of a term that differs only in how letters are spelt that a keyboard
/// may lack (`ae` for `ä`).
const RESPELT_WEIGHT: f32 = 0.95;

/// Least share of common trigrams at a distance of 0, 1 and 2. A swap in the
/// middle of a short word leaves few: one of nine.
const LEAST_LIKENESS: [f32; 3] = [0.0, 0.1, 0.2];

/// A term of the lexicon and what is looked at before its letters are: so that
/// most terms cost one look, whatever the number of words to be compared.
pub(crate) struct Outline<'a> {
    pub(crate) term: &'a str,
    /// Letters, or 0 if it is no word of lower-case letters or too long.
    count: usize,
    /// A bit for each letter, of which several may share one.
    set: u64,
}

impl<'a> Outline<'a> {
    /// `lengths` has a bit for each number of letters that is of interest: of
    /// other terms nothing more is looked at.
    pub(crate) fn new(term: &'a str, lengths: u64) -> Self {
        let (mut count, mut set) = (0, 0_u64);
        if term.is_ascii() {
            if lengths & length_bit(term.len()) == 0 {
                return Self { term, count, set };
            }
            let mut other = false;
            for b in term.bytes() {
                other |= !b.is_ascii_lowercase();
                set |= 1 << (b & 63);
            }
            if !other {
                count = term.len();
            }
        } else {
            for c in term.chars() {
                if c.is_ascii() && !c.is_ascii_lowercase() {
                    count = 0;
                    break;
                }
                set |= 1 << (c as u32 & 63);
                count += 1;
            }
        }
        Self { term, count: if count > MAX_TERM_CHARS { 0 } else { count }, set }
    }
}

/// The bit of a number of letters; long words share one.
fn length_bit(letters: usize) -> u64 {
    1 << letters.min(63)
}

/// A form of a misspelt word, ready to be compared with many terms.
struct Wanted {
    letters: Vec<char>,
    set: u64,
    /// How many errors it may have.
    bound: usize,
}

/// What one misspelt word may stand for, found while a lexicon goes by.
pub(crate) struct Search {
    wanted: Vec<Wanted>,
    /// The word with single letters for digraphs, if it has any.
    respelt: Vec<String>,
    /// The nearest so far, all at the same distance, the likeliest first.
    found: Vec<Meant>,
    distance: usize,
}

/// A term that may be meant.
struct Meant {
    term: String,
    /// How alike it is to the word and how easily one becomes the other.
    likeness: f32,
    /// How much of the word is right, and how easily the rest goes wrong.
    weight: f32,
}

impl Search {
    /// A search for a word by its forms, the plain one first; `None` if it is
    /// too short to be corrected, or no word of an alphabet.
    pub(crate) fn new<'a>(forms: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut forms = forms.into_iter();
        let plain = forms.next()?;
        let first = wanted(plain)?;
        // The English stemmer ends some stems in an `e` that only the right
        // spelling would need: `traning` is for it a form of `trane`.
        let rest = forms.flat_map(|form| {
            let bare = form.strip_suffix('e').filter(|_| !plain.starts_with(form));
            [wanted(form), bare.and_then(wanted)]
        });
        let respelt = [respell(plain, &["ae", "oe", "ue"]), respell(plain, &["aa"])];
        let wanted = std::iter::once(first).chain(rest.flatten()).collect();
        Some(Self {
            wanted,
            respelt: respelt.into_iter().flatten().collect(),
            found: Vec::new(),
            distance: usize::MAX,
        })
    }

    /// The numbers of letters that a term may have, a bit for each.
    pub(crate) fn lengths(&self) -> u64 {
        self.wanted.iter().fold(0, |lengths, wanted| {
            let letters = wanted.letters.len();
            (letters - wanted.bound..=letters + wanted.bound)
                .fold(lengths, |lengths, letters| lengths | length_bit(letters))
        })
    }

    /// Looks at one term of the lexicon.
    pub(crate) fn see(&mut self, seen: &Outline<'_>) {
        if self.respelt.iter().any(|respelt| respelt == seen.term) {
            return self.keep(seen.term, 0, 1.0, RESPELT_WEIGHT);
        }
        if seen.count < MIN_CHARS {
            return;
        }
        let mut letters = Vec::new();
        let mut best: Option<(usize, f32, f32)> = None;
        for wanted in &self.wanted {
            let bound = wanted.bound.min(self.distance);
            // A letter that the other has not costs an error; one error takes
            // away one and brings in one.
            if wanted.letters.len().abs_diff(seen.count) > bound
                || !has_at_most(bound, wanted.set & !seen.set)
                || !has_at_most(bound, seen.set & !wanted.set)
            {
                continue;
            }
            if letters.is_empty() {
                letters.extend(seen.term.chars());
            }
            let Some(distance) = distance(&wanted.letters, &letters, bound) else { continue };
            let likeness = likeness(&wanted.letters, &letters);
            if likeness < LEAST_LIKENESS[distance] {
                continue;
            }
            let ease = ease(&wanted.letters, &letters);
            let likeness = likeness * ease;
            let right = 1.0 - distance as f32 / wanted.letters.len() as f32;
            if best.is_none_or(|(d, l, _)| distance < d || (distance == d && likeness > l)) {
                best = Some((distance, likeness, right * right * ease));
            }
        }
        if let Some((distance, likeness, weight)) = best {
            self.keep(seen.term, distance, likeness, weight);
        }
    }

    fn keep(&mut self, term: &str, distance: usize, likeness: f32, weight: f32) {
        if distance > self.distance {
            return;
        }
        if distance < self.distance {
            self.found.clear();
            self.distance = distance;
        }
        if self.found.iter().any(|found| found.term == term) {
            return;
        }
        // Where nothing else tells them apart, in the order of the terms.
        let at = self.found.partition_point(|old| {
            old.likeness.total_cmp(&likeness).then_with(|| term.cmp(&old.term)).is_gt()
        });
        self.found.insert(at, Meant { term: term.to_owned(), likeness, weight });
        self.found.truncate(ALTERNATIVES);
    }

    /// The terms that were found with their weights, the likeliest first, and
    /// at which distance.
    pub(crate) fn found(&self) -> (Vec<(&str, f32)>, usize) {
        // Among many neighbours a word is likelier one that no memory has.
        let unsure = (self.found.len().max(1) as f32).sqrt();
        let most = self.found.first().map_or(1.0, |found| found.likeness);
        let found = self.found.iter().map(|found| {
            // Of two at the same distance the less alike must not win by being rarer.
            let weight = found.weight * (1.0 + found.likeness / most) / 2.0;
            (found.term.as_str(), weight / unsure)
        });
        (found.collect(), self.distance)
    }
}

/// How easily one word is written for another: letters change places, fall out
/// or come in twice sooner than a wrong one is written, and the first letter is
/// seldom wrong. Many a word differs from another in just one letter.
fn ease(word: &[char], term: &[char]) -> f32 {
    let first = if word.first() == term.first() { 1.0 } else { 0.8 };
    let sorted = |letters: &[char]| {
        let mut letters = letters.to_vec();
        letters.sort_unstable();
        letters
    };
    let kind = if word.len() != term.len() {
        0.9
    } else if sorted(word) == sorted(term) {
        1.0
    } else if word.len() > SHORT_CHARS {
        0.8
    } else {
        0.6
    };
    first * kind
}

fn wanted(form: &str) -> Option<Wanted> {
    let Outline { count, set, .. } = Outline::new(form, u64::MAX);
    if count < MIN_CHARS || !is_corrected(form) {
        return None;
    }
    let bound = if count < TWO_ERRORS_CHARS { 1 } else { 2 };
    Some(Wanted { letters: form.chars().collect(), set, bound })
}

/// Whether a set has at most `bound` bits: for a bound of 1 or 2 faster than
/// counting them where the processor cannot be asked to.
fn has_at_most(bound: usize, mut set: u64) -> bool {
    for _ in 0..bound {
        set &= set.wrapping_sub(1);
    }
    set == 0
}

/// Whether a term is a word of an alphabet: no number, identifier, ideograph.
fn is_corrected(term: &str) -> bool {
    use super::language::Script;
    use unicode_normalization::char::is_combining_mark;
    term.chars().all(|c| c.is_alphabetic() || is_combining_mark(c))
        && term.chars().all(|c| {
            !matches!(Script::of(c), Script::Ideographic | Script::Hangul | Script::Spaceless)
        })
}

/// The word with the first letter of these digraphs alone, if it has one.
fn respell(word: &str, digraphs: &[&str]) -> Option<String> {
    let mut respelt = word.to_owned();
    for digraph in digraphs {
        respelt = respelt.replace(digraph, &digraph[..1]);
    }
    (respelt != word).then_some(respelt)
}

/// The Damerau-Levenshtein distance of two words, if it is at most `bound`.
fn distance(a: &[char], b: &[char], bound: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > bound {
        return None;
    }
    // Three rows of the table of the distances of all beginnings.
    let mut before = [0_usize; MAX_TERM_CHARS + 1];
    let mut last = [0_usize; MAX_TERM_CHARS + 1];
    let mut row = [0_usize; MAX_TERM_CHARS + 1];
    for (at, cell) in last.iter_mut().enumerate().take(b.len() + 1) {
        *cell = at;
    }
    for i in 1..=a.len() {
        row[0] = i;
        let mut least = i;
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut cell = (last[j - 1] + same).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cell = cell.min(before[j - 2] + 1);
            }
            row[j] = cell;
            least = least.min(cell);
        }
        // A swap reaches back two rows, at the price of one.
        if least > bound {
            return None;
        }
        (before, last, row) = (last, row, before);
    }
    (last[b.len()] <= bound).then_some(last[b.len()])
}

/// The share of trigrams that two words have in common, as pg_trgm counts it:
/// two blanks are put before a word and one behind it.
fn likeness(a: &[char], b: &[char]) -> f32 {
    let (a, b) = (trigrams(a), trigrams(b));
    let common = a.iter().filter(|trigram| b.binary_search(trigram).is_ok()).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f32 / all as f32 }
}

/// Distinct trigrams, in order.
fn trigrams(word: &[char]) -> Vec<[char; 3]> {
    let padded: Vec<char> = [' ', ' '].iter().chain(word).chain(&[' ']).copied().collect();
    let mut trigrams: Vec<[char; 3]> = padded.windows(3).map(|w| [w[0], w[1], w[2]]).collect();
    trigrams.sort_unstable();
    trigrams.dedup();
    trigrams
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(word: &str, lexicon: &[&str]) -> Vec<String> {
        let Some(mut search) = Search::new([word]) else { return Vec::new() };
        lexicon.iter().for_each(|term| search.see(&Outline::new(term, search.lengths())));
        search.found().0.iter().map(|(term, _)| (*term).to_owned()).collect()
    }

    fn apart(a: &str, b: &str, bound: usize) -> Option<usize> {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        distance(&a, &b, bound)
    }

    #[test]
    fn finds_what_was_meant() {
        let lexicon = [
            "biscuit",
            "boathouse",
            "guitar",
            "kuchen",
            "margaret",
            "pepper",
            "peter",
            "бабушка",
            "конец",
            "munchen",
            "road",
            "soroya",
            "vaccin",
        ];
        for (word, meant) in [
            ("peper", "pepper"),
            ("oathouse", "boathouse"),
            ("bicsuit", "biscuit"),
            ("giutar", "guitar"),
            ("margraet", "margaret"),
            ("marqarett", "margaret"),
            ("puchen", "kuchen"),
            ("бабшука", "бабушка"),
            ("muenchen", "munchen"),
            ("soeroeya", "soroya"),
        ] {
            let found = found(word, &lexicon);
            assert_eq!(found.first().map(String::as_str), Some(meant), "{word}");
        }
    }

    #[test]
    fn leaves_alone_what_is_no_word_or_too_short() {
        let lexicon = ["cat", "cats", "ops4471", "v12", "database", "学校", "학교에서", "load"];
        for word in ["cas", "ops4417", "v13", "学区", "학교에세", "databaseserver", "leap"] {
            assert_eq!(found(word, &lexicon), [""; 0], "{word}");
        }
        // Two errors are too many for seven letters, and allowed in eight.
        assert_eq!(found("gitars", &["guitarx"]), [""; 0]);
        assert_eq!(found("margaert", &["margaret"]), ["margaret"]);
        assert_eq!(found("magarert", &["margaret"]), ["margaret"]);
    }

    #[test]
    fn the_nearest_are_the_only_ones_and_never_more_than_three() {
        assert_eq!(
            found("margarett", &["margaret", "margareth", "margarita"]),
            ["margaret", "margareth"]
        );
        assert_eq!(
            found("bant", &["band", "bank", "bans", "barn", "bang", "bath", "bent"]).len(),
            3
        );
    }

    #[test]
    fn a_stem_is_compared_with_stems() {
        let mut search = Search::new(["traning", "trane"]).unwrap();
        ["crane", "train"]
            .iter()
            .for_each(|term| search.see(&Outline::new(term, search.lengths())));
        let (found, distance) = search.found();
        assert_eq!(
            (found.iter().map(|f| f.0).collect::<Vec<_>>(), distance),
            (vec!["train", "crane"], 1)
        );
    }

    #[test]
    fn the_longer_the_word_the_more_it_is_trusted() {
        let weight = |word: &str, term: &str| {
            let mut search = Search::new([word]).unwrap();
            search.see(&Outline::new(term, search.lengths()));
            search.found().0[0].1
        };
        assert!(weight("oslp", "oslo") < weight("lisbom", "lisbon"));
        assert!(weight("edinbugrhx", "edinburgh") < weight("edinbrugh", "edinburgh"));
        assert!(weight("koeln", "koln") < 1.0);
    }

    #[test]
    fn of_two_that_are_as_near_the_likelier_weighs_more() {
        let mut search = Search::new(["peper"]).unwrap();
        ["peter", "pepper"]
            .iter()
            .for_each(|term| search.see(&Outline::new(term, search.lengths())));
        let (found, _) = search.found();
        assert_eq!((found[0].0, found[1].0), ("pepper", "peter"));
        assert!(found[1].1 < found[0].1);
    }

    #[test]
    fn counts_errors_and_trigrams() {
        assert_eq!(apart("anna", "anan", 1), Some(1), "a swap");
        assert_eq!(apart("anna", "annna", 1), Some(1));
        assert_eq!(apart("anna", "hanna", 1), Some(1));
        assert_eq!(apart("anna", "anno", 1), Some(1));
        assert_eq!(apart("anna", "onno", 2), Some(2));
        assert_eq!(apart("anna", "onno", 1), None);
        let of = |a: &str, b: &str| {
            likeness(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        // What pg_trgm answers: SELECT similarity('word', 'words') is 0.571429.
        assert!((of("word", "words") - 4.0 / 7.0).abs() < 1e-6);
        assert!((of("anna", "anna") - 1.0).abs() < 1e-6);
        assert!(of("anna", "bell").abs() < 1e-6);
    }

    /// The distance by its definition, without a bound.
    fn plain_distance(a: &[char], b: &[char]) -> usize {
        match (a, b) {
            ([], rest) | (rest, []) => rest.len(),
            ([x, a_rest @ ..], [y, b_rest @ ..]) => {
                let mut least = (plain_distance(a_rest, b_rest) + usize::from(x != y))
                    .min(plain_distance(a_rest, b) + 1)
                    .min(plain_distance(a, b_rest) + 1);
                if let ([x2, a_rest @ ..], [y2, b_rest @ ..]) = (a_rest, b_rest)
                    && (x, x2) == (y2, y)
                {
                    least = least.min(plain_distance(a_rest, b_rest) + 1);
                }
                least
            }
        }
    }

    proptest! {
        #[test]
        fn the_distance_is_symmetric_and_its_bound_only_a_bound(
            a in "[abcд]{0,6}", b in "[abcд]{0,6}", bound in 0usize..4,
        ) {
            let chars = |s: &str| s.chars().collect::<Vec<_>>();
            let plain = plain_distance(&chars(&a), &chars(&b));
            prop_assert_eq!(apart(&a, &b, bound), (plain <= bound).then_some(plain));
            prop_assert_eq!(apart(&a, &b, bound), apart(&b, &a, bound));
        }

        #[test]
        fn whatever_is_found_is_near_in_any_order_of_the_lexicon(
            word in "[a-dä]{1,10}",
            mut lexicon in prop::collection::vec("[a-dä]{0,10}", 0..60),
            rotate in 0usize..60,
        ) {
            let once: Vec<&str> = lexicon.iter().map(String::as_str).collect();
            let before = found(&word, &once);
            prop_assert!(before.len() <= ALTERNATIVES);
            for term in &before {
                let bound = if word.chars().count() < TWO_ERRORS_CHARS { 1 } else { 2 };
                let respelt = respell(&word, &["aa"]).is_some_and(|respelt| respelt == *term);
                let near = respelt || apart(&word, term, bound).is_some();
                prop_assert!(near, "{} for {}", term, word);
            }
            let by = rotate % lexicon.len().max(1);
            lexicon.rotate_left(by);
            let again: Vec<&str> = lexicon.iter().chain(&lexicon).map(String::as_str).collect();
            prop_assert_eq!(before, found(&word, &again));
        }

        #[test]
        fn no_input_panics(word in ".{0,80}", lexicon in prop::collection::vec(".{0,80}", 0..20)) {
            found(&word, &lexicon.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}
