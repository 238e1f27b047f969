//! The lexical arm: from postings to scored memories.

use std::collections::{BTreeMap, HashMap};

use crate::bm25::Corpus;
use crate::calibrate;
use crate::text::QueryWord;

/// One row of the index that was read for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// Index into [`Question::terms`].
    pub term: u32,
    /// The memory that has the term.
    pub memory: i64,
    /// How often, at least 1.
    pub frequency: u32,
    /// How many terms the memory has in all.
    pub length: u32,
}

/// A question, ready to be looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    words: Vec<QueryWord>,
    terms: Vec<String>,
    /// For each term the words that it is a form of, and what it is worth there.
    words_of_term: Vec<Vec<(u32, f32)>>,
}

impl Question {
    /// Prepares the words of an analysed question.
    pub fn new(words: Vec<QueryWord>) -> Self {
        let mut forms: BTreeMap<&str, Vec<(u32, f32)>> = BTreeMap::new();
        for (index, word) in words.iter().enumerate() {
            for form in &word.forms {
                forms.entry(&form.term).or_default().push((index as u32, form.weight));
            }
        }
        let (terms, words_of_term) =
            forms.into_iter().map(|(form, words)| (form.to_owned(), words)).unzip();
        Self { words, terms, words_of_term }
    }

    /// The index terms to look up: distinct, in order.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Scores every memory that has any word of the question: BM25 with OR
    /// semantics, calibrated to [0, 1] by what the question could earn at most.
    /// Highest first, ties by id. `postings` may come in any order; a memory
    /// that has several forms of one word is counted once for it, by the one that
    /// earns most, the word's own forms before all others. How rare a word is, is counted over its own forms, and
    /// over what was found for it only where the scope has none of those.
    ///
    /// ```
    /// use muninn_core::{bm25::Corpus, lexical::{Posting, Question}, text::QueryWord};
    /// let word = |form: &str| QueryWord::new([form.into()], 1.0);
    /// let question = Question::new(vec![word("cat"), word("unicorn")]);
    /// let corpus = Corpus { memories: 3, terms: 12 };
    /// let found = question.score(&[Posting { term: 0, memory: 7, frequency: 1, length: 4 }], corpus);
    /// assert_eq!(found[0].0, 7);
    /// assert!(found[0].1 > 0.0 && found[0].1 < 0.5, "half of the question is missing");
    /// ```
    pub fn score(&self, postings: &[Posting], corpus: Corpus) -> Vec<(i64, f64)> {
        // Word, memory, whether by a form of the word itself, and what it earns.
        let mut hits: Vec<(u32, i64, bool, f64)> = postings
            .iter()
            .flat_map(|p| {
                let words = self.words_of_term.get(p.term as usize).map_or(&[][..], Vec::as_slice);
                let saturation = corpus.saturation(p.frequency, p.length);
                words.iter().map(move |&(word, weight)| {
                    (word, p.memory, weight >= 1.0, f64::from(weight) * saturation)
                })
            })
            .collect();
        // The word itself comes first, then what earns most; the first is kept.
        hits.sort_unstable_by(|a, b| {
            (a.0, a.1, b.2).cmp(&(b.0, b.1, a.2)).then(b.3.total_cmp(&a.3))
        });
        hits.dedup_by_key(|hit| (hit.0, hit.1));

        let mut containing = vec![(0u64, 0u64); self.words.len()];
        for hit in &hits {
            let (own, all) = &mut containing[hit.0 as usize];
            *own += u64::from(hit.2);
            *all += 1;
        }
        // The word itself, and what was found for it, which is never rarer.
        let weights: Vec<(f64, f64)> = self
            .words
            .iter()
            .zip(&containing)
            .map(|(word, &(own, all))| {
                let weight = |n| f64::from(word.weight) * corpus.idf(n);
                (weight(if own > 0 { own } else { all }), weight(all))
            })
            .collect();

        // Summed in the order of the words, so the last bit never depends on a hash.
        let mut scores: HashMap<i64, f64> = HashMap::with_capacity(hits.len());
        for &(word, memory, own, earned) in &hits {
            let (itself, found) = weights[word as usize];
            *scores.entry(memory).or_default() += if own { itself } else { found } * earned;
        }
        let attainable: f64 = weights.iter().map(|weight| weight.0).sum();
        let mut ranked: Vec<(i64, f64)> = scores
            .into_iter()
            .filter(|&(_, score)| score > 0.0)
            .map(|(memory, score)| (memory, calibrate::lexical(score, attainable)))
            .collect();
        ranked.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Form;
    use proptest::prelude::*;

    fn word(forms: &[&str], weight: f32) -> QueryWord {
        QueryWord::new(forms.iter().map(|&f| f.to_owned()), weight)
    }

    fn posting(term: u32, memory: i64, frequency: u32) -> Posting {
        Posting { term, memory, frequency, length: 10 }
    }

    const CORPUS: Corpus = Corpus { memories: 100, terms: 1000 };

    #[test]
    fn two_forms_of_one_word_count_once() {
        let question = Question::new(vec![word(&["run", "running"], 1.0)]);
        assert_eq!(question.terms(), ["run", "running"]);
        let once = question.score(&[posting(0, 1, 2)], CORPUS);
        let twice = question.score(&[posting(1, 1, 1), posting(0, 1, 2)], CORPUS);
        assert_eq!(once, twice);
    }

    #[test]
    fn a_form_that_two_words_share_serves_both() {
        let question = Question::new(vec![word(&["a", "x"], 1.0), word(&["b", "x"], 1.0)]);
        let shared = question.score(&[posting(2, 1, 1)], CORPUS);
        let apart = question.score(&[posting(0, 1, 1), posting(1, 1, 1)], CORPUS);
        assert_eq!(shared, apart);
    }

    #[test]
    fn what_was_found_for_a_word_earns_less_than_the_word() {
        let mut asked = word(&["kuchen"], 1.0);
        asked.forms.push(Form { term: "obstkuchen".into(), weight: 0.5 });
        let question = Question::new(vec![asked]);
        let found = question.score(&[posting(0, 2, 1), posting(1, 1, 1), posting(1, 3, 1)], CORPUS);
        assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [2, 1, 3]);
        assert!(found[1].1 < found[0].1 / 2.0, "it is half, and less rare");
        // Without the word itself, what was found is all that can be earned.
        let alone = question.score(&[posting(1, 1, 1)], CORPUS);
        assert!((alone[0].1 - found[0].1 / 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_word_of_no_weight_finds_nothing() {
        let question = Question::new(vec![word(&["the"], 0.0)]);
        assert!(question.score(&[posting(0, 1, 1)], CORPUS).is_empty());
    }

    #[test]
    fn any_word_is_enough_and_more_words_win() {
        let question = Question::new(vec![word(&["cat"], 1.0), word(&["dog"], 1.0)]);
        let found = question.score(&[posting(0, 1, 1), posting(0, 2, 1), posting(1, 2, 1)], CORPUS);
        assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [2, 1]);
    }

    proptest! {
        #[test]
        fn the_order_of_the_rows_does_not_matter(
            rows in prop::collection::vec((0u32..4, 0i64..20, 1u32..5), 0..60), rotate in 0usize..60,
        ) {
            let mut rows: Vec<Posting> = rows.into_iter().map(|(t, m, f)| posting(t, m, f)).collect();
            rows.sort_by_key(|p| (p.term, p.memory));
            rows.dedup_by_key(|p| (p.term, p.memory));
            let question = Question::new(vec![word(&["a", "b"], 1.0), word(&["c"], 0.5), word(&["d"], 2.0)]);
            let before = question.score(&rows, CORPUS);
            let by = rotate % rows.len().max(1);
            rows.rotate_left(by);
            prop_assert_eq!(&before, &question.score(&rows, CORPUS));
            prop_assert!(before.iter().all(|f| f.1 > 0.0 && f.1 <= 1.0));
        }
    }
}
