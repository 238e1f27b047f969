//! The vector arm.

use muninn_core::fusion::Fusion;
use muninn_core::text;

use super::{Allowed, Search};
use crate::error::Error;
use crate::store::sketch::{self, SketchSearch};
use crate::store::vector::{self, VectorSearch};
use crate::{config, embedding};

/// Characters of a question that are embedded: two windows of the model.
const QUESTION: usize = 2_000;

/// How many vectors are compared for each that is wanted, chosen by their
/// sketches among so many. Measured: of the nearest 30 of 25,000, 99 % are among
/// the nearest 200 sketches; of 200,000 among 350; of what is looked at of
/// 1,000,000 among 500.
fn looks(packed: i64) -> usize {
    ((0.6 * (packed as f64).sqrt().sqrt()) as usize).max(5)
}

/// How many sketches are compared at most, of the nearest blocks among so many.
/// Measured: the nearest 67,000 of 200,000 have 99 % of the nearest 30, as have
/// the nearest 120,000 of 1,000,000.
fn worth_comparing(packed: i64) -> i64 {
    (150.0 * (packed as f64).sqrt()) as i64
}

impl Search<'_> {
    /// The vector arm, if it is asked for and the question has a vector.
    pub(super) fn by_meaning(
        &self,
        vector: Option<Vec<f32>>,
    ) -> Result<Option<VectorSearch<'_>>, Error> {
        let Some(model) = self.scope.model.filter(|_| self.fusion.uses_meaning()) else {
            return Ok(None);
        };
        let vector = match vector {
            // Asked for meaning alone, nothing would be a wrong answer.
            None if model.builtin && self.fusion == Fusion::Vector => {
                Some(embedding::embed(self.head())?)
            }
            None if model.builtin => embedding::if_possible(embedding::embed(self.head())),
            given => given,
        };
        let Some(vector) = vector else { return Ok(None) };
        Ok(Some(VectorSearch {
            bot: self.scope.bot,
            audiences: &self.scope.audiences,
            model: model.id,
            schema: vector::vector_schema()?,
            vector,
        }))
    }

    /// The beginning of the question, all of it but for a very long one: a whole
    /// page would take seconds, and its vector would mean nothing.
    pub(super) fn head(&self) -> &str {
        let end = self.query.char_indices().nth(QUESTION).map_or(self.query.len(), |(at, _)| at);
        &self.query[..end]
    }

    /// How much of the question its vector stands for, as the built-in model reads
    /// languages that it does not know as one unknown word after the other; and how
    /// much of it is in the script of that model's language. Of another model
    /// nothing is known, so both are 1.
    pub(super) fn readable(&self, by_meaning: bool) -> (f64, f64) {
        if by_meaning && self.scope.model.is_some_and(|model| model.builtin) {
            (embedding::known_share(self.head()), text::latin_share(self.head()))
        } else {
            (1.0, 1.0)
        }
    }

    /// The candidates of the vector arm, nearest first. What is allowed is asked
    /// while sketches are compared, not afterwards: the arm never comes back short.
    pub(super) fn nearest(
        &self,
        arm: &VectorSearch<'_>,
        allowed: &Allowed,
    ) -> Result<Vec<i64>, Error> {
        let exact = i64::from(config::EXACT_SCAN_LIMIT.get());
        let limit = self.limit as i64;
        let packed = sketch::packed(arm.bot, arm.audiences, arm.model)?;
        let few = match allowed {
            Allowed::Only(ids) => ids.len() as i64 <= exact,
            Allowed::AllBut(_) => false,
        };
        let nearest = if few || packed <= exact {
            match allowed {
                Allowed::Only(ids) => arm.nearest_exact(Some(ids), limit)?,
                // As many more as may have to be left out.
                Allowed::AllBut(ids) => arm.nearest_exact(None, limit + ids.len() as i64)?,
            }
        } else {
            let sketches = SketchSearch {
                bot: arm.bot,
                audiences: arm.audiences,
                model: arm.model,
                vector: &arm.vector,
                most: i64::from(config::SKETCH_SCAN_LIMIT.get()).min(worth_comparing(packed)),
            };
            let worth_a_look =
                sketches.nearest(looks(packed) * self.limit, packed, |id| allowed.contains(id))?;
            arm.nearest_exact(Some(&worth_a_look), limit)?
        };
        Ok(nearest.into_iter().filter(|&id| allowed.contains(id)).take(self.limit).collect())
    }
}
