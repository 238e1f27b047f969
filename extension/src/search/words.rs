//! The lexical arm.

use muninn_core::lexical::{Question, Scores};
use muninn_core::posting::Posting;
use muninn_core::text::{self, Asked, Language, QueryWord};
use muninn_core::time::Expression;

use super::{Allowed, Search};
use crate::error::Error;
use crate::store::posting;
use crate::store::scope::Scope;
use crate::store::search;

/// So many words of a question are looked for; the rest of it is not a question.
const WORDS: usize = 400;
/// Of more words that the scope does not know, none is looked for in the
/// lexicon: they are another language, or noise.
const UNKNOWN_WORDS: usize = 24;
/// The lexicon of more memories is not gone through as a whole: of 25,000 that
/// costs more than the rest of the search.
const WHOLE_LEXICON: u64 = 20_000;

/// What the scope has of the question's words.
pub(super) struct Words {
    question: Question,
    scores: Scores,
    /// The share of the names in the question that no memory of the scope has.
    pub(super) unknown_names: f64,
}

impl Words {
    /// The best memories, highest first.
    pub(super) fn best(&self, limit: usize, allowed: &Allowed) -> Vec<i64> {
        let best = self.scores.best(limit, |id| allowed.contains(id));
        best.into_iter().map(|(id, _)| id).collect()
    }

    /// The score of a memory; `None` where it has no word of the question.
    pub(super) fn score(&self, memory: i64) -> Option<f64> {
        self.scores.get(memory)
    }

    /// The score of a passage by itself.
    pub(super) fn score_passage(&self, terms: &[u8], length: u32) -> Result<f64, Error> {
        Ok(self.question.score_passage(&self.scores, terms, length)?)
    }
}

impl Search<'_> {
    /// The lexical arm over the whole scope.
    pub(super) fn by_words(&self, times: &[Expression]) -> Result<Words, Error> {
        let Scope { bot, audiences, settings, .. } = self.scope;
        let languages: Vec<Language> =
            text::detect(self.query).into_iter().chain(settings.language).collect();
        let query = without_relative_times(self.query, times);
        let mut words = text::analyse_query(&query, &languages);
        words.truncate(WORDS);
        let mut question = Question::new(words);
        let mut found = posting::look_up(*bot, audiences, question.terms())?;
        if let Some(words) = self.expanded(&question, &found, &languages)? {
            question = Question::new(words);
            found = posting::look_up(*bot, audiences, question.terms())?;
        }
        let unknown_names = unknown_names(self.query, &languages, &question, &found.lists);
        let scores = question.score(&found.lists, found.corpus);
        Ok(Words { question, scores, unknown_names })
    }

    /// The words with what the scope has instead of them, if that is anything:
    /// right spellings, compounds and their parts.
    fn expanded(
        &self,
        question: &Question,
        found: &posting::Found,
        languages: &[Language],
    ) -> Result<Option<Vec<QueryWord>>, Error> {
        let Scope { bot, audiences, .. } = self.scope;
        let known = |term: &str| question.knows(&found.lists, term);
        let unknown = question.words().iter().filter(|word| !word.terms().any(known)).count();
        if unknown > UNKNOWN_WORDS {
            return Ok(None);
        }
        let spoken = if languages.is_empty() && unknown > 0 {
            search::spoken(*bot, audiences)?
        } else {
            Vec::new()
        };
        let asked = Asked { languages, spoken: &spoken };
        if !text::wants_lexicon(question.words(), asked, &known) {
            return Ok(None);
        }
        let lexicon = if found.corpus.memories <= WHOLE_LEXICON {
            posting::lexicon(*bot, audiences)?
        } else {
            let beginnings = text::beginnings(question.words(), asked, &known);
            posting::lexicon_of(*bot, audiences, &beginnings)?
        };
        let words = text::expand(question.words().to_vec(), asked, &known, lexicon.iter());
        Ok(Some(words).filter(|words| words != question.words()))
    }
}

/// The question without what counts from now, unless that is all of it.
fn without_relative_times(query: &str, times: &[Expression]) -> String {
    let relative: Vec<&Expression> = times.iter().filter(|time| time.is_relative(query)).collect();
    let said = |at: usize| relative.iter().any(|time| time.phrase.contains(&at));
    let rest: String =
        query.char_indices().map(|(at, letter)| if said(at) { ' ' } else { letter }).collect();
    if rest.contains(char::is_alphanumeric) { rest } else { query.to_owned() }
}

/// The share of the names in the question that the scope has in no memory.
fn unknown_names(
    query: &str,
    languages: &[Language],
    question: &Question,
    lists: &[Vec<Posting>],
) -> f64 {
    let names: Vec<bool> = text::names(query, languages)
        .into_iter()
        .filter_map(|name| {
            let asked = text::analyse_query(name, languages);
            let plain = asked.first()?.terms().next()?;
            let word = question.words().iter().find(|word| word.terms().next() == Some(plain))?;
            Some(word.terms().any(|term| question.knows(lists, term)))
        })
        .collect();
    let unknown = names.iter().filter(|known| !**known).count();
    if names.is_empty() { 0.0 } else { unknown as f64 / names.len() as f64 }
}
