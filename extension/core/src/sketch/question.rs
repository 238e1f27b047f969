//! A question, ready to be compared with everything that is kept of vectors.

use super::centre::Centre;
use super::probe::{Probe, TINY};
use super::rotate::rotated;

/// The vector of a question, prepared once for a search.
pub struct Question {
    probe: Probe,
    turned: Vec<i16>,
    /// What one step of `turned` stands for.
    step: f32,
    /// What the signs of a whole vector are worth.
    sign: f32,
}

impl Question {
    /// For a vector of unit length.
    pub fn new(vector: &[f32]) -> Self {
        let turned = rotated(vector);
        let probe = Probe::turned(&turned);
        let greatest = turned.iter().fold(TINY, |most, x| most.max(x.abs()));
        let scale = 16_383.0 / greatest;
        // The mean size of an element, of a vector that is even in all directions,
        // is √(2/πn); a vector of unit length has 1 in the product with itself.
        let sign = (std::f32::consts::FRAC_PI_2 / turned.len() as f32).sqrt();
        let turned = turned.iter().map(|x| (x * scale).round() as i16).collect();
        Self { probe, turned, step: 1.0 / scale, sign }
    }

    /// How many bytes the sketch of such a vector has.
    pub fn bytes(&self) -> usize {
        self.probe.bytes()
    }

    /// About the cosine with a vector of which the signs are known.
    pub fn likeness(&self, sketch: &[u8]) -> f32 {
        self.probe.product(sketch) * self.sign
    }

    /// The product with the signs of what a vector differs by from a centre.
    #[inline]
    pub(super) fn product(&self, sketch: &[u8]) -> f32 {
        self.probe.product(sketch)
    }

    /// The product with a centre.
    pub(super) fn near(&self, centre: &Centre<'_>) -> f32 {
        // 127 · 16,383 · 1,024 fits an i32; a vector of more is summed in pieces.
        let pieces = self.turned.chunks(1_024).zip(centre.steps.chunks(1_024));
        let product: f32 = pieces
            .map(|(question, centre)| {
                let products = question.iter().zip(centre);
                products.map(|(&q, &c)| i32::from(q) * i32::from(c as i8)).sum::<i32>() as f32
            })
            .sum();
        product * self.step * centre.unit
    }
}
