//! Sketches, and how near a question is to them.

use super::rotate::rotated;

/// What is smaller counts as zero: divided by, it would leave the range.
pub(super) const TINY: f32 = 1e-30;

/// How many bytes the sketch of a vector of so many dimensions has.
pub fn sketch_bytes(dimensions: usize) -> usize {
    dimensions.next_multiple_of(64).max(64) / 8
}

/// The sketch of a vector: the signs of its elements after a fixed rotation.
///
/// ```
/// use muninn_core::sketch::{sketch, sketch_bytes};
/// let vector = vec![0.25; 384];
/// assert_eq!(sketch(&vector).len(), 48);
/// assert_eq!(sketch_bytes(384), 48);
/// ```
pub fn sketch(vector: &[f32]) -> Vec<u8> {
    signs(&rotated(vector))
}

/// Bit `i` of byte `i / 8` is set where element `i` is not negative.
pub(super) fn signs(turned: &[f32]) -> Vec<u8> {
    let bits = |eight: &[f32]| {
        let set = eight.iter().enumerate().filter(|(_, x)| **x >= 0.0);
        set.fold(0u8, |byte, (bit, _)| byte | 1 << bit)
    };
    turned.chunks(8).map(bits).collect()
}

/// A question, ready to be compared with sketches: for each byte of a sketch a
/// table of what each of its 256 values earns.
pub struct Probe {
    tables: Vec<[i16; 256]>,
    /// What one step of a table stands for.
    step: f32,
}

impl Probe {
    /// For the vector of a question.
    pub fn new(vector: &[f32]) -> Self {
        Self::turned(&rotated(vector))
    }

    /// For a vector in the frame of the sketches.
    pub(super) fn turned(vector: &[f32]) -> Self {
        let greatest = vector.iter().fold(TINY, |most, x| most.max(x.abs()));
        // Eight of them fit an i16.
        let scale = 2_047.0 / greatest;
        let table = |eight: &[f32]| {
            let steps: Vec<i16> = eight.iter().map(|x| (x * scale).round() as i16).collect();
            let mut table = [0i16; 256];
            table[0] = -steps.iter().sum::<i16>();
            for value in 1..256usize {
                // Known without its lowest bit, which changes the sign of one element.
                let bit = value.trailing_zeros() as usize;
                let step = steps.get(bit).copied().unwrap_or(0);
                table[value] = table[value & (value - 1)] + 2 * step;
            }
            table
        };
        Self { tables: vector.chunks(8).map(table).collect(), step: 1.0 / scale }
    }

    /// The inner product of the question with the signs in a sketch.
    pub fn product(&self, sketch: &[u8]) -> f32 {
        self.likeness(sketch) as f32 * self.step
    }

    /// The inner product of the question with the signs in a sketch, up to a
    /// factor that is the same for all sketches; 0 for one of another length.
    #[inline]
    pub fn likeness(&self, sketch: &[u8]) -> i32 {
        if sketch.len() != self.tables.len() {
            return 0;
        }
        self.tables
            .iter()
            .zip(sketch)
            .map(|(table, &byte)| i32::from(table[usize::from(byte)]))
            .sum()
    }

    /// The bytes of a sketch of this length.
    pub fn bytes(&self) -> usize {
        self.tables.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn likeness_is_the_inner_product_with_the_signs(
            pair in (1usize..40).prop_flat_map(|n| {
                let vector = || prop::collection::vec(-1.0f32..1.0, n);
                (vector(), vector())
            }),
        ) {
            let (question, vector) = pair;
            let probe = Probe::turned(&question);
            let ones = vector.iter().map(|x| if *x >= 0.0 { 1.0 } else { -1.0 });
            let exact: f32 = question.iter().zip(ones).map(|(q, s)| q * s).sum();
            let greatest = question.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            let found = probe.product(&signs(&vector));
            // Each element is rounded by half a step at most.
            let tolerance = question.len() as f32 * 0.51 * greatest / 2_047.0 + 1e-6;
            prop_assert!((exact - found).abs() <= tolerance, "{exact} {found}");
        }
    }

    #[test]
    fn strange_vectors_do_no_harm() {
        for vector in [vec![0.0; 9], vec![1e30; 8], vec![f32::MIN_POSITIVE; 3]] {
            let probe = Probe::new(&vector);
            assert!(probe.likeness(&sketch(&vector)) >= 0);
            assert_eq!(probe.likeness(&[0; 99]), 0);
        }
    }
}
