//! The lexical arm: from postings to scored memories.

use std::collections::BTreeMap;

use crate::bm25::Corpus;
use crate::posting::Posting;
use crate::text::QueryWord;

mod scores;

pub use scores::Scores;
use scores::Sums;

/// A question, ready to be looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    words: Vec<QueryWord>,
    terms: Vec<String>,
    /// For each term the words that it is a form of.
    words_of_term: Vec<Vec<u32>>,
}

impl Question {
    /// Prepares the words of an analysed question.
    pub fn new(words: Vec<QueryWord>) -> Self {
        let mut forms: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (index, word) in words.iter().enumerate() {
            for form in &word.forms {
                forms.entry(form).or_default().push(index as u32);
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
    /// `lists` has the postings of each of [`terms`](Self::terms), in any order,
    /// each memory once a term. A memory that has several forms of one word is
    /// counted once for it, by the form it has most often.
    ///
    /// ```
    /// use muninn_core::{bm25::Corpus, lexical::Question, posting::Posting, text::QueryWord};
    /// let word = |form: &str| QueryWord { forms: vec![form.into()], weight: 1.0 };
    /// let question = Question::new(vec![word("cat"), word("unicorn")]);
    /// let corpus = Corpus { memories: 3, terms: 12 };
    /// let cat = vec![Posting { memory: 7, frequency: 1, length: 4 }];
    /// let found = question.score(&[cat, vec![]], corpus).best(10, |_| true);
    /// assert_eq!(found[0].0, 7);
    /// assert!(found[0].1 > 0.0 && found[0].1 < 0.5, "half of the question is missing");
    /// ```
    pub fn score(&self, lists: &[Vec<Posting>], corpus: Corpus) -> Scores {
        let mut forms_of_word = vec![Vec::new(); self.words.len()];
        for (words, list) in self.words_of_term.iter().zip(lists) {
            for &word in words {
                forms_of_word[word as usize].push(list.as_slice());
            }
        }
        let mut attainable = 0.0;
        let mut sums = Sums::new(lists);
        // Word after word, so the last bit of a sum depends on no order of rows.
        for (word, forms) in self.words.iter().zip(forms_of_word) {
            let joined;
            let postings = if let [only] = forms[..] {
                only
            } else {
                joined = most_frequent(&forms);
                &joined
            };
            let weight = f64::from(word.weight) * corpus.idf(postings.len() as u64);
            attainable += weight;
            for posting in postings {
                let earned = weight * corpus.saturation(posting.frequency, posting.length);
                sums.add(posting.memory, earned);
            }
        }
        Scores::new(sums, attainable)
    }
}

/// The postings of all forms of one word: each memory once, with the form that
/// it has most often.
fn most_frequent(forms: &[&[Posting]]) -> Vec<Posting> {
    let mut joined = forms.concat();
    joined.sort_unstable_by(|a, b| a.memory.cmp(&b.memory).then(b.frequency.cmp(&a.frequency)));
    joined.dedup_by_key(|posting| posting.memory);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word(forms: &[&str], weight: f32) -> QueryWord {
        QueryWord { forms: forms.iter().map(|&f| f.to_owned()).collect(), weight }
    }

    fn posting(memory: i64, frequency: u32) -> Posting {
        Posting { memory, frequency, length: 10 }
    }

    const CORPUS: Corpus = Corpus { memories: 100, terms: 1000 };

    fn found(question: &Question, lists: &[Vec<Posting>]) -> Vec<(i64, f64)> {
        question.score(lists, CORPUS).best(1000, |_| true)
    }

    #[test]
    fn two_forms_of_one_word_count_once() {
        let question = Question::new(vec![word(&["run", "running"], 1.0)]);
        assert_eq!(question.terms(), ["run", "running"]);
        let once = found(&question, &[vec![posting(1, 2)], vec![]]);
        let twice = found(&question, &[vec![posting(1, 2)], vec![posting(1, 1)]]);
        assert_eq!(once, twice);
    }

    #[test]
    fn a_form_that_two_words_share_serves_both() {
        let question = Question::new(vec![word(&["a", "x"], 1.0), word(&["b", "x"], 1.0)]);
        let shared = found(&question, &[vec![], vec![], vec![posting(1, 1)]]);
        let apart = found(&question, &[vec![posting(1, 1)], vec![posting(1, 1)], vec![]]);
        assert_eq!(shared, apart);
    }

    #[test]
    fn a_word_of_no_weight_finds_nothing() {
        let question = Question::new(vec![word(&["the"], 0.0)]);
        assert!(found(&question, &[vec![posting(1, 1)]]).is_empty());
    }

    #[test]
    fn any_word_is_enough_and_more_words_win() {
        let question = Question::new(vec![word(&["cat"], 1.0), word(&["dog"], 1.0)]);
        let lists = [vec![posting(1, 1), posting(2, 1)], vec![posting(2, 1)]];
        assert_eq!(found(&question, &lists).iter().map(|f| f.0).collect::<Vec<_>>(), [2, 1]);
    }

    proptest! {
        #[test]
        fn the_order_of_the_rows_does_not_matter(
            lists in prop::collection::vec(prop::collection::btree_map(0i64..20, 1u32..5, 0..15), 4),
        ) {
            let question =
                Question::new(vec![word(&["a", "b"], 1.0), word(&["c"], 0.5), word(&["d", "a"], 1.0)]);
            let mut lists: Vec<Vec<Posting>> = lists
                .into_iter()
                .map(|list| list.into_iter().map(|(m, f)| posting(m, f)).collect())
                .collect();
            let before = found(&question, &lists);
            lists.iter_mut().for_each(|list| list.reverse());
            prop_assert_eq!(&before, &found(&question, &lists));
            prop_assert!(before.iter().all(|&(_, score)| score > 0.0 && score <= 1.0));
        }
    }
}
