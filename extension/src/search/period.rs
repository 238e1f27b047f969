//! The arm of the time: a question that is little more than a time is answered
//! by what was then, whatever its words.

use std::collections::BTreeSet;

use muninn_core::fusion::Fusion;
use muninn_core::text;
use muninn_core::time::{self, Expression, Period};

use super::words::Words;
use super::{Allowed, Search};
use crate::error::Error;
use crate::store::period;

/// A question with more words beside its time is answered by those.
const LITTLE: usize = 1;
/// Candidates of the arm.
const CANDIDATES: usize = 30;
/// Of each of so many parts of the period as many memories are looked at.
const EACH: i32 = 30;

/// The time that a question is about.
pub(super) struct About {
    pub(super) period: Period,
    /// How many words the question has beside it.
    words: usize,
}

impl About {
    /// Whether the question asks for the time alone.
    pub(super) fn is_all(&self) -> bool {
        self.words == 0
    }
}

impl Search<'_> {
    /// The time that the question is about, if it names one.
    pub(super) fn about(&self, times: &[Expression]) -> Option<About> {
        if self.fusion != Fusion::Convex || self.scope.settings.time == 0.0 {
            return None;
        }
        let mut preferred = times.iter().filter(|time| !time.is_yearly(self.query));
        let period = preferred.find_map(|time| time.period)?;
        let languages: Vec<_> =
            text::detect(self.query).into_iter().chain(self.scope.settings.language).collect();
        Some(About { period, words: time::words_beside(self.head(), times, &languages) })
    }

    /// Candidates from that time: first those that have most of the words, then
    /// from all over the period.
    pub(super) fn of_period(
        &self,
        about: &About,
        words: Option<&Words>,
        allowed: &Allowed,
    ) -> Result<BTreeSet<i64>, Error> {
        if about.words > LITTLE {
            return Ok(BTreeSet::new());
        }
        let found = period::spread(
            self.scope.bot,
            &self.scope.audiences,
            about.period,
            CANDIDATES as i32,
            EACH,
        )?;
        let mut found: Vec<(i32, i64)> =
            found.into_iter().filter(|(_, id)| allowed.contains(*id)).collect();
        found.sort_unstable();
        let score = |id| words.and_then(|words| words.score(id)).unwrap_or(0.0);
        let mut by_words: Vec<(f64, i64)> = found
            .iter()
            .map(|&(_, id)| (score(id), id))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        by_words.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut chosen: BTreeSet<i64> =
            by_words.into_iter().take(CANDIDATES / 2).map(|(_, id)| id).collect();
        // The first of each part, then the second of each.
        let mut turns: Vec<(usize, i32, i64)> = found
            .chunk_by(|a, b| a.0 == b.0)
            .flat_map(|part| part.iter().enumerate().map(|(turn, &(n, id))| (turn, n, id)))
            .collect();
        turns.sort_unstable();
        for (_, _, id) in turns {
            if chosen.len() >= CANDIDATES {
                break;
            }
            chosen.insert(id);
        }
        Ok(chosen)
    }
}
