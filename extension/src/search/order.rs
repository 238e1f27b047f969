//! The order of the best: what agrees, what the question says of time, what use
//! has taught, what repeats a better one.

use std::collections::HashMap;
use std::rc::Rc;

use muninn_core::fusion::{self, Fused};
use muninn_core::kin::{self, REFINED};
use muninn_core::text::{Language, Statement};
use muninn_core::time::{self, Expression, Moment};
use muninn_core::vector;

use super::period::About;
use super::{Arms, Factors, Search};
use crate::error::Error;
use crate::store::memory;
use crate::store::search::{self, Conditions};

/// What a memory far from the time that the question names loses of its score.
const OTHER_TIME: f64 = 0.15;
/// What the time is of the score where the question asks for that alone.
const ONLY_TIME: f64 = 0.6;
/// Without vectors only memories are compared whose words earn the same, up to this.
const SAME_WORDS: f64 = 0.02;

impl Search<'_> {
    /// What the question says about time.
    pub(super) fn times(&self, conditions: &Conditions) -> Result<Vec<Expression>, Error> {
        // A look without a clock first: most questions say nothing.
        if time::expressions(self.head(), Moment { unix: 0, offset: 0 }).is_empty() {
            return Ok(Vec::new());
        }
        Ok(time::expressions(self.head(), search::moment(conditions.as_of)?))
    }

    /// Puts the best in order; returns which of them repeats which better one.
    pub(super) fn put_in_order(
        &self,
        arms: &Arms<'_>,
        vectors: &HashMap<i64, Vec<f32>>,
        about: Option<&About>,
        factors: &HashMap<i64, Factors>,
        fused: &mut [Fused],
    ) -> Result<HashMap<i64, i64>, Error> {
        let settings = &self.scope.settings;
        if let Some(about) = about {
            self.prefer(about, fused)?;
        }
        let refined = fused.len().min(REFINED);
        let (best, rest) = fused.split_at_mut(refined);
        for fused in rest {
            fused.score = self.modulated(fused.score, factors.get(&fused.id));
        }
        let ids: Vec<i64> = best.iter().map(|fused| fused.id).collect();
        let vectors: Vec<Option<&Vec<f32>>> = ids.iter().map(|id| vectors.get(id)).collect();
        let mut cosines = vec![0.0; ids.len() * ids.len()];
        for (a, one) in vectors.iter().enumerate() {
            for (b, other) in vectors.iter().enumerate().take(a) {
                if let (Some(one), Some(other)) = (one, other) {
                    let cosine = vector::cosine(one, other);
                    cosines[a * ids.len() + b] = cosine;
                    cosines[b * ids.len() + a] = cosine;
                }
            }
        }
        let cosine = |a: usize, b: usize| cosines[a * ids.len() + b];
        let own: Vec<f64> = best.iter().map(|fused| fused.score).collect();
        let mut scores = own.clone();
        if settings.kin > 0.0 {
            for (score, (own, smoothed)) in
                scores.iter_mut().zip(own.iter().zip(kin::smoothed(&own, cosine)))
            {
                *score = own + settings.kin * arms.tells_apart * (smoothed - own);
            }
        }
        // What agrees is likelier right; what is used or believed comes first among those.
        for (score, id) in scores.iter_mut().zip(&ids) {
            *score = self.modulated(*score, factors.get(id));
        }
        let alike = |a: usize, b: usize| {
            if vectors[a].is_none() || vectors[b].is_none() {
                let words = |at: usize| best[at].evidence.lexical.unwrap_or(0.0);
                (words(a) - words(b)).abs() <= SAME_WORDS
            } else {
                cosine(a, b) >= kin::LIKE
            }
        };
        let repeats = self.repeats(&ids, alike)?;
        let repeated = kin::step_back(&mut scores, |better, other| {
            repeats.contains(&(better.min(other), better.max(other)))
        });
        for (fused, score) in best.iter_mut().zip(scores) {
            fused.score = score;
        }
        fusion::sort(fused);
        let better = |at: usize| ids.get(at).copied();
        Ok(ids.iter().zip(repeated).filter_map(|(id, at)| Some((*id, better(at?)?))).collect())
    }

    /// Takes a little off what is about another time; where the question asks for
    /// the time alone, its words decide about what is equally near to it.
    fn prefer(&self, about: &About, fused: &mut [Fused]) -> Result<(), Error> {
        let ids = fused.iter().map(|fused| fused.id).collect();
        let times: HashMap<i64, (i64, Option<i64>)> =
            memory::validity(self.scope.bot, &self.scope.audiences, ids)?.into_iter().collect();
        let weight = self.scope.settings.time;
        for fused in &mut *fused {
            let Some(&(from, to)) = times.get(&fused.id) else { continue };
            let near = time::preference(about.period, from, to);
            if about.is_all() {
                fused.score += weight * ONLY_TIME * (near - fused.score);
            } else {
                fused.score *= 1.0 - weight * OTHER_TIME * (1.0 - near);
            }
        }
        fusion::sort(fused);
        Ok(())
    }

    /// Which of these, as pairs of places, say the same. Only pairs that are
    /// `alike` are read.
    fn repeats(
        &self,
        ids: &[i64],
        alike: impl Fn(usize, usize) -> bool,
    ) -> Result<Vec<(usize, usize)>, Error> {
        let mut pairs: Vec<(usize, usize)> = (0..ids.len())
            .flat_map(|a| (a + 1..ids.len()).map(move |b| (a, b)))
            .filter(|&(a, b)| alike(a, b))
            .collect();
        let mut wanted: Vec<i64> = pairs.iter().flat_map(|&(a, b)| [ids[a], ids[b]]).collect();
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let texts: HashMap<i64, (String, Language)> =
            memory::contents(self.scope.bot, &self.scope.audiences, wanted)?
                .into_iter()
                // Short statements often show no language.
                .map(|(id, (text, language))| (id, (text, language.unwrap_or(Language::English))))
                .collect();
        // Each is read once in a language, however many it is compared with.
        let mut read: HashMap<(i64, Language), Rc<Statement>> = HashMap::new();
        let mut statement = |id: i64, language: Language| -> Option<Rc<Statement>> {
            let (text, _) = texts.get(&id)?;
            let read = read.entry((id, language));
            Some(read.or_insert_with(|| Rc::new(Statement::of(text, language))).clone())
        };
        pairs.retain(|&(a, b)| {
            let Some(&(_, language)) = texts.get(&ids[a]) else { return false };
            let both = statement(ids[a], language).zip(statement(ids[b], language));
            both.is_some_and(|(a, b)| a.says_the_same(&b))
        });
        Ok(pairs)
    }
}
