//! The words that the texts are made of: English ones that carry no meaning of
//! their own, and invented, pronounceable ones that do.

use std::collections::HashSet;

use super::random::{Random, Ranks};

/// How many invented words there are.
pub const INVENTED: usize = 60_000;

/// The commonest words of English, most frequent first.
pub const FUNCTION: [&str; 96] = [
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "was", "with", "as", "on",
    "be", "at", "by", "i", "this", "had", "not", "are", "but", "from", "or", "have", "an", "they",
    "which", "one", "you", "were", "her", "all", "she", "there", "would", "their", "we", "him",
    "been", "has", "when", "who", "will", "more", "no", "if", "out", "so", "what", "up", "its",
    "about", "into", "than", "them", "can", "only", "other", "some", "could", "these", "two",
    "may", "then", "do", "first", "any", "my", "now", "such", "like", "our", "over", "me", "even",
    "most", "after", "also", "did", "many", "before", "must", "through", "back", "where", "much",
    "how", "your", "well", "down", "should", "because", "each", "just",
];

const ONSETS: [&str; 30] = [
    "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p",
    "pl", "pr", "r", "s", "sh", "st", "t", "tr", "v", "w", "z", "",
];
const VOWELS: [&str; 12] = ["a", "e", "i", "o", "u", "ai", "ea", "ee", "oo", "ou", "a", "o"];
const CODAS: [&str; 20] = [
    "", "", "", "", "n", "r", "l", "t", "s", "m", "nd", "rt", "ck", "st", "p", "d", "lm", "x", "g",
    "b",
];

/// The invented words, most frequent first.
pub struct Vocabulary {
    words: Vec<String>,
    ranks: Ranks,
    function: Ranks,
}

impl Vocabulary {
    /// The vocabulary of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, u64::MAX);
        let mut seen: HashSet<String> = FUNCTION.iter().map(|&word| word.to_owned()).collect();
        let mut words = Vec::with_capacity(INVENTED);
        while words.len() < INVENTED {
            let syllables = 1 + random.below(3) + usize::from(random.chance(0.3));
            let word: String = (0..syllables).map(|_| syllable(&mut random)).collect();
            if word.len() >= 3 && seen.insert(word.clone()) {
                words.push((word.len() as f64 + 6.0 * random.share(), word));
            }
        }
        // Frequent words are short ones, by and large.
        words.sort_by(|a, b| a.0.total_cmp(&b.0));
        let words = words.into_iter().map(|(_, word)| word).collect();
        // With this offset the commonest invented word is in about one text of
        // ten, as the commonest noun of English is.
        Self { words, ranks: Ranks::new(INVENTED, 12.0), function: Ranks::new(FUNCTION.len(), 1.5) }
    }

    /// The word of a rank.
    pub fn word(&self, rank: usize) -> &str {
        &self.words[rank]
    }

    /// An invented word's rank, as often as texts have it.
    pub fn draw(&self, random: &mut Random) -> usize {
        self.ranks.draw(random)
    }

    /// The place of a word in [`FUNCTION`].
    pub fn draw_function(&self, random: &mut Random) -> usize {
        self.function.draw(random)
    }
}

fn syllable(random: &mut Random) -> String {
    [ONSETS[random.below(30)], VOWELS[random.below(12)], CODAS[random.below(20)]].concat()
}
