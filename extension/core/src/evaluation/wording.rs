//! Questions made from what is remembered, without a language model.
//!
//! A question about a memory has some of its words, without those that tell it
//! apart best: so it is not worded to match, yet points to it. A question that
//! nothing answers has words that stand in different memories and never
//! together. Both are known-item search under harder conditions than a person
//! would set, and good for comparing one state of the retrieval with another;
//! how good it is with people's own questions they do not tell.

use std::collections::HashMap;

use super::bootstrap::Random;
use crate::text;

/// Fewer words than this do not make a question, nor more of them a better one.
const WORDS: std::ops::RangeInclusive<usize> = 2..=8;
/// A question that nothing answers has so many words, each of another memory.
const STRANGERS: usize = 4;

/// A text to make questions from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What can be found.
    pub text: &'a str,
    /// What the question is made from: the text, or a summary of it.
    pub wording: &'a str,
    /// Whether a question may be made from it at all.
    pub chosen: bool,
}

/// A question that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// Its words.
    pub query: String,
    /// Which sources its words are from: one, which is the answer, or several,
    /// none of which is.
    pub sources: Vec<usize>,
}

impl Wording {
    /// Whether nothing answers it.
    #[must_use]
    pub fn negative(&self) -> bool {
        self.sources.len() > 1
    }
}

/// Makes at most `size` questions from sources spread evenly over their order,
/// one from each stretch, and at most `negatives` that nothing answers. `keep`:
/// the share of a text's words that a question keeps, the most telling ones
/// falling first. The same sources and seed make the same questions.
///
/// ```
/// use muninn_core::evaluation::wording::{Source, make};
/// let texts = ["Anna bought a violin in Bergen", "Anna bought a lamp in Bergen",
///              "Ben bought a lamp in Oslo"];
/// let sources = texts.map(|text| Source { text, wording: text, chosen: true });
/// let made = make(&sources, 3, 0, 0.75, 1);
/// assert_eq!(made[0].query, "anna bought bergen"); // violin is only in the first
/// ```
#[must_use]
pub fn make(
    sources: &[Source<'_>],
    size: usize,
    negatives: usize,
    keep: f64,
    seed: u64,
) -> Vec<Wording> {
    let counts = Counts::of(sources);
    let mut random = Random::new(seed);
    let candidates: Vec<(usize, String)> = sources
        .iter()
        .enumerate()
        .filter(|(_, source)| source.chosen)
        .filter_map(|(at, source)| Some((at, counts.question(source.wording, keep)?)))
        .collect();
    let size = size.min(candidates.len());
    let mut made: Vec<Wording> = Vec::with_capacity(size + negatives);
    for stretch in 0..size {
        let start = stretch * candidates.len() / size;
        let end = (stretch + 1) * candidates.len() / size;
        let (at, query) = &candidates[start + random.below(end - start)];
        // Two texts may have the same words left: one question has one answer.
        if made.iter().all(|other| other.query != *query) {
            made.push(Wording { query: query.clone(), sources: vec![*at] });
        }
    }
    made.extend(counts.strangers(sources, negatives, &mut random));
    made
}

/// In which sources a form of a word stands.
struct Counts(HashMap<String, Vec<usize>>);

impl Counts {
    fn of(sources: &[Source<'_>]) -> Self {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, source) in sources.iter().enumerate() {
            let both = [source.text, source.wording];
            let distinct = if source.text == source.wording { &both[..1] } else { &both[..] };
            for word in distinct.iter().flat_map(|text| text::analyse_query(text, &[])) {
                for form in word.forms {
                    let places = places.entry(form.term).or_default();
                    if places.last() != Some(&at) {
                        places.push(at);
                    }
                }
            }
        }
        Self(places)
    }

    /// In how many sources a word stands in any of its forms.
    fn frequency(&self, word: &text::QueryWord) -> usize {
        word.forms.iter().filter_map(|form| self.0.get(&form.term)).map(Vec::len).max().unwrap_or(0)
    }

    fn question(&self, wording: &str, keep: f64) -> Option<String> {
        let words: Vec<text::QueryWord> =
            text::analyse_query(wording, &[]).into_iter().filter(|w| w.weight >= 1.0).collect();
        let kept = (keep * words.len() as f64).floor() as usize;
        if kept < *WORDS.start() {
            return None;
        }
        // The rarest first, the earlier of equals before the later.
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by_key(|&at| self.frequency(&words[at]));
        let mut left: Vec<usize> =
            order.into_iter().skip(words.len() - kept).take(*WORDS.end()).collect();
        left.sort_unstable();
        let forms: Vec<&str> = left.iter().map(|&at| words[at].forms[0].term.as_str()).collect();
        Some(forms.join(" "))
    }

    /// Questions of words each of which stands in one source alone, all of them
    /// in different ones.
    fn strangers(&self, sources: &[Source<'_>], count: usize, random: &mut Random) -> Vec<Wording> {
        let mut words: Vec<(usize, String)> = Vec::new();
        for (at, source) in sources.iter().enumerate().filter(|(_, source)| source.chosen) {
            let own = text::analyse_query(source.text, &[])
                .into_iter()
                .filter(|word| word.weight >= 1.0 && self.frequency(word) == 1)
                .filter(|word| word.forms[0].term.chars().any(char::is_alphabetic));
            words.extend(own.map(|word| (at, word.forms[0].term.clone())));
        }
        random.shuffle(&mut words);
        let mut made = Vec::new();
        while made.len() < count {
            let mut chosen: Vec<(usize, String)> = Vec::with_capacity(STRANGERS);
            let mut rest = Vec::with_capacity(words.len());
            for word in words.into_iter().rev() {
                let new = chosen.iter().all(|(at, _)| *at != word.0);
                if new && chosen.len() < STRANGERS { chosen.push(word) } else { rest.push(word) }
            }
            if chosen.len() < STRANGERS {
                break;
            }
            rest.reverse();
            words = rest;
            let (sources, forms): (Vec<usize>, Vec<String>) = chosen.into_iter().unzip();
            made.push(Wording { query: forms.join(" "), sources });
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const TEXTS: [&str; 8] = [
        "Anna repaired the old bicycle in the cellar yesterday",
        "Anna repaired the old radio in the cellar yesterday",
        "Ben painted the boat at the lake on Sunday",
        "Ben painted the fence at the lake on Sunday",
        "Carla photographed a heron near the harbour last spring",
        "Carla photographed a lighthouse near the harbour last spring",
        "Too short",
        "Dora baked bread with walnuts and honey every Friday",
    ];

    fn sources() -> Vec<Source<'static>> {
        TEXTS.iter().map(|text| Source { text, wording: text, chosen: true }).collect()
    }

    #[test]
    fn what_tells_a_text_apart_is_left_out() {
        let made = make(&sources(), 8, 0, 0.75, 1);
        assert!(made.len() >= 3, "{made:?}");
        for one in &made {
            for telling in ["bicycle", "radio", "boat", "fence", "heron", "lighthouse"] {
                assert!(!one.query.contains(telling), "{one:?}");
            }
            let text = TEXTS[one.sources[0]].to_lowercase();
            assert!(one.query.split(' ').all(|word| text.contains(word)), "{one:?}");
            assert!(WORDS.contains(&one.query.split(' ').count()), "{one:?}");
        }
        assert!(made.iter().all(|one| one.sources != [6]), "too short for a question");
        let queries: HashSet<&str> = made.iter().map(|one| one.query.as_str()).collect();
        assert_eq!(queries.len(), made.len(), "each asked once");
    }

    #[test]
    fn a_summary_words_the_question() {
        let source =
            Source { text: TEXTS[0], wording: "bike mended downstairs by her again", chosen: true };
        let made = make(&[source], 1, 0, 1.0, 1);
        assert!(made[0].query.contains("mended") && !made[0].query.contains("repaired"));
    }

    #[test]
    fn nothing_holds_two_words_of_a_negative() {
        let made = make(&sources(), 0, 3, 0.5, 7);
        assert!(!made.is_empty());
        let mut used = HashSet::new();
        for one in &made {
            assert!(one.negative());
            let words: Vec<&str> = one.query.split(' ').collect();
            assert_eq!(words.len(), STRANGERS);
            for text in TEXTS.map(str::to_lowercase) {
                assert!(words.iter().filter(|word| text.contains(**word)).count() <= 1, "{one:?}");
            }
            assert!(words.iter().all(|word| used.insert(word.to_string())), "each used once");
        }
    }

    #[test]
    fn the_seed_decides_and_nothing_else() {
        let few = |seed| make(&sources(), 2, 1, 0.5, seed);
        assert_eq!(few(1), few(1));
        assert!((2..20).any(|seed| few(seed) != few(1)));
    }

    #[test]
    fn only_what_was_chosen_is_asked_for() {
        let mut all = sources();
        all.iter_mut().skip(1).for_each(|source| source.chosen = false);
        let made = make(&all, 8, 3, 0.5, 1);
        assert!(made.iter().all(|one| one.sources == [0]), "{made:?}");
        assert_eq!(make(&[], 5, 5, 0.5, 1), []);
    }
}
