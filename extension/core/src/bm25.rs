//! BM25 over one scope.
//!
//! The statistics are those of the scope that is searched, taken from the
//! postings that the search reads anyway: there is no counter that writers
//! contend for, and how rare a word is tells nothing about other people's
//! memories.

/// Term-frequency saturation.
pub const K1: f64 = 1.2;
/// Terms that a memory may have more or less of without being the longer or the
/// shorter one for it: short notes differ in wording, long ones in how many
/// subjects they have. In the usual form it stands for
/// `b = average / (average + LENGTH_SLACK)`: .4 for turns of a chat, .75 for
/// abstracts, .9 for long messages.
pub const LENGTH_SLACK: f64 = 20.0;

/// Size of the searched scope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corpus {
    /// Memories in the scope.
    pub memories: u64,
    /// Index terms of all of them together.
    pub terms: u64,
}

impl Corpus {
    /// Mean number of terms of a memory, at least 1.
    pub fn average_length(&self) -> f64 {
        if self.memories == 0 { 1.0 } else { (self.terms as f64 / self.memories as f64).max(1.0) }
    }

    /// Inverse document frequency of a word that `containing` memories have:
    /// `ln(1 + (N − n + ½)/(n + ½))` (Robertson and Zaragoza 2009, in the form
    /// that never turns negative). `containing` may exceed `memories` when the
    /// statistics lag; it is then taken as all of them.
    ///
    /// ```
    /// let corpus = muninn_core::bm25::Corpus { memories: 100, terms: 1000 };
    /// assert!(corpus.idf(1) > corpus.idf(50) && corpus.idf(100) > 0.0);
    /// ```
    pub fn idf(&self, containing: u64) -> f64 {
        let n = containing as f64;
        let total = (self.memories as f64).max(n);
        (1.0 + (total - n + 0.5) / (n + 0.5)).ln()
    }

    /// How much of a word's idf a memory earns that has it `frequency` times
    /// among `length` terms: in [0, K1 + 1), rising with `frequency`, falling
    /// with `length`.
    pub fn saturation(&self, frequency: u32, length: u32) -> f64 {
        let tf = f64::from(frequency);
        let norm = (f64::from(length) + LENGTH_SLACK) / (self.average_length() + LENGTH_SLACK);
        tf * (K1 + 1.0) / (tf + K1 * norm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn agrees_with_the_formula_worked_by_hand() {
        let corpus = Corpus { memories: 10, terms: 100 };
        // n = 2: ln(1 + 8.5 / 2.5); tf = 3, length = 20: norm = 40 / 30
        assert!((corpus.idf(2) - 4.4f64.ln()).abs() < 1e-12);
        assert!((corpus.saturation(3, 20) - 6.6 / (3.0 + 1.6)).abs() < 1e-12);
    }

    #[test]
    fn an_empty_scope_divides_by_nothing() {
        let corpus = Corpus { memories: 0, terms: 0 };
        assert!(corpus.idf(0).is_finite() && corpus.saturation(1, 1).is_finite());
    }

    proptest! {
        #[test]
        fn more_is_more_and_longer_is_less(
            n in 1u64..1_000_000, terms in 1u64..100_000_000, tf in 1u32..1000, length in 1u32..100_000,
        ) {
            let corpus = Corpus { memories: n, terms };
            prop_assert!(corpus.saturation(tf + 1, length) > corpus.saturation(tf, length));
            prop_assert!(corpus.saturation(tf, length + 1) <= corpus.saturation(tf, length));
            prop_assert!(corpus.saturation(tf, length) < K1 + 1.0);
        }

        #[test]
        fn rarer_words_weigh_more(n in 1u64..1_000_000, df in 0u64..1_000_000) {
            let corpus = Corpus { memories: n, terms: n * 10 };
            prop_assert!(corpus.idf(df) >= corpus.idf(df + 1));
            prop_assert!(corpus.idf(df) > 0.0);
        }
    }
}
