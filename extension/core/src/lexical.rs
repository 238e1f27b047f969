//! The lexical arm: from postings to scored memories.

use std::collections::BTreeMap;

use crate::bm25::Corpus;
use crate::posting::{Corrupt, Posting, decode_terms};
use crate::text::QueryWord;

mod scores;

pub use scores::Scores;
use scores::Sums;

/// Terms of a usual passage: see [`crate::text::passages`].
const PASSAGE_TERMS: u64 = 60;

/// A question, ready to be looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    words: Vec<QueryWord>,
    terms: Vec<String>,
    /// For each term the words that it is a form of, and what it is worth there.
    words_of_term: Vec<Vec<(u32, f32)>>,
}

/// What one word can earn in a memory: by a form of its own, and by a form that
/// was found for it, which is never rarer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Worth {
    itself: f64,
    found: f64,
}

/// How one memory has a word.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hit {
    memory: i64,
    /// By a form of the word itself.
    own: bool,
    /// Saturation, times what the form is worth.
    earned: f64,
}

impl Hit {
    /// The better of two: the word itself counts before what was found for it.
    fn or(self, other: Self) -> Self {
        if (other.own, other.earned) > (self.own, self.earned) { other } else { self }
    }
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

    /// The words of the question, in its order.
    pub fn words(&self) -> &[QueryWord] {
        &self.words
    }

    /// Whether any memory has a term, of which `lists` has the postings as in
    /// [`score`](Self::score).
    pub fn knows(&self, lists: &[Vec<Posting>], term: &str) -> bool {
        let place = self.terms.binary_search_by(|known| known.as_str().cmp(term));
        place.is_ok_and(|at| lists.get(at).is_some_and(|list| !list.is_empty()))
    }

    /// Scores every memory that has any word of the question: BM25 with OR
    /// semantics, calibrated to [0, 1] by what the question could earn at most.
    /// `lists` has the postings of each of [`terms`](Self::terms), in any order,
    /// each memory once a term. A memory that has several forms of one word is
    /// counted once for it, by the one that earns most, the word's own forms
    /// before all others. How rare a word is, is counted over its own forms, and
    /// over what was found for it only where the scope has none of those.
    ///
    /// ```
    /// use muninn_core::{bm25::Corpus, lexical::Question, posting::Posting, text::QueryWord};
    /// let word = |form: &str| QueryWord::new([form.into()], 1.0);
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
            for &(word, weight) in words {
                forms_of_word[word as usize].push((weight, list.as_slice()));
            }
        }
        let mut sums = Sums::new(lists);
        let mut worths = Vec::with_capacity(self.words.len());
        // Word after word, so the last bit of a sum depends on no order of rows.
        for (word, forms) in self.words.iter().zip(forms_of_word) {
            let worth = |own: usize, all: usize| {
                let weight = |n: usize| f64::from(word.weight) * corpus.idf(n as u64);
                Worth { itself: weight(if own > 0 { own } else { all }), found: weight(all) }
            };
            if let [(1.0, only)] = forms[..] {
                let worth = worth(only.len(), only.len());
                for posting in only {
                    let earned = corpus.saturation(posting.frequency, posting.length);
                    sums.add(posting.memory, worth.itself * earned);
                }
                worths.push(worth);
            } else {
                let hits = best_hits(&forms, corpus);
                let worth = worth(hits.iter().filter(|hit| hit.own).count(), hits.len());
                for hit in hits {
                    sums.add(hit.memory, worth.of(hit.own) * hit.earned);
                }
                worths.push(worth);
            }
        }
        Scores::new(sums, worths, corpus)
    }

    /// The score of a text by itself, as [`score`](Self::score) would give it to
    /// a memory of this scope: its terms as
    /// [`encode_terms`](crate::posting::encode_terms) packs them, and how many
    /// there are. For passages: they are taken for long by their own measure.
    ///
    /// # Errors
    /// [`Corrupt`] where the bytes are no packed terms.
    pub fn score_passage(
        &self,
        scores: &Scores,
        packed: &[u8],
        length: u32,
    ) -> Result<f64, Corrupt> {
        let short = PASSAGE_TERMS * scores.corpus.memories;
        let corpus = Corpus { terms: scores.corpus.terms.min(short), ..scores.corpus };
        let mut best: Vec<Option<Hit>> = vec![None; self.words.len()];
        decode_terms(packed, |term, frequency| {
            let place = self.terms.binary_search_by(|known| known.as_bytes().cmp(term));
            let Ok(at) = place else { return };
            let saturation = corpus.saturation(frequency, length);
            for &(word, weight) in &self.words_of_term[at] {
                let earned = f64::from(weight) * saturation;
                let hit = Hit { memory: 0, own: weight >= 1.0, earned };
                let best = &mut best[word as usize];
                *best = Some(best.map_or(hit, |other| other.or(hit)));
            }
        })?;
        let earned = best
            .iter()
            .zip(&scores.worths)
            .filter_map(|(hit, worth)| hit.map(|hit| worth.of(hit.own) * hit.earned));
        Ok(scores.calibrated(earned.sum()))
    }
}

impl Worth {
    fn of(self, own: bool) -> f64 {
        if own { self.itself } else { self.found }
    }
}

/// How each memory that has a word in any form has it best.
fn best_hits(forms: &[(f32, &[Posting])], corpus: Corpus) -> Vec<Hit> {
    let mut hits: Vec<Hit> = forms
        .iter()
        .flat_map(|&(weight, list)| {
            list.iter().map(move |posting| Hit {
                memory: posting.memory,
                own: weight >= 1.0,
                earned: f64::from(weight) * corpus.saturation(posting.frequency, posting.length),
            })
        })
        .collect();
    // Stable, as that is quick with what comes in a few sorted runs.
    hits.sort_by_key(|hit| hit.memory);
    hits.dedup_by(|next, kept| {
        let same = next.memory == kept.memory;
        if same {
            *kept = kept.or(*next);
        }
        same
    });
    hits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posting::encode_terms;
    use crate::text::{Form, Term};
    use proptest::prelude::*;

    fn word(forms: &[&str], weight: f32) -> QueryWord {
        QueryWord::new(forms.iter().map(|&f| f.to_owned()), weight)
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
    fn what_was_found_for_a_word_earns_less_than_the_word() {
        let mut asked = word(&["kuchen"], 1.0);
        asked.forms.push(Form { term: "obstkuchen".into(), weight: 0.5 });
        let question = Question::new(vec![asked]);
        let by_both = found(&question, &[vec![posting(2, 1)], vec![posting(1, 1), posting(3, 1)]]);
        assert_eq!(by_both.iter().map(|f| f.0).collect::<Vec<_>>(), [2, 1, 3]);
        assert!(by_both[1].1 < by_both[0].1 / 2.0, "it is half, and less rare");
        // Without the word itself, what was found is all that can be earned.
        let alone = found(&question, &[vec![], vec![posting(1, 1)]]);
        assert!((alone[0].1 - by_both[0].1 / 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_passage_scores_like_a_memory_of_its_words() {
        let question = Question::new(vec![word(&["cat", "cats"], 1.0), word(&["dog"], 1.0)]);
        let lists = [vec![posting(1, 2)], vec![posting(2, 1)], vec![posting(1, 1)]];
        let scores = question.score(&lists, CORPUS);
        let terms: Vec<Term> = [("cat", 2), ("dog", 1), ("zebra", 9)]
            .map(|(text, frequency)| Term { text: text.into(), frequency })
            .into();
        let passage = question.score_passage(&scores, &encode_terms(&terms), 10);
        assert_eq!(passage, Ok(scores.get(1).expect("it has both")));
        assert_eq!(question.score_passage(&scores, &[], 10), Ok(0.0));
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
            // Some are in order already, so not merely turned around.
            lists.iter_mut().for_each(|list| {
                let third = list.len() / 3;
                list.rotate_left(third);
            });
            prop_assert_eq!(&before, &found(&question, &lists));
            prop_assert!(before.iter().all(|&(_, score)| score > 0.0 && score <= 1.0));
        }
    }
}
