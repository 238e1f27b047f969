//! Turning a vector before its signs are taken.

use crate::random;

/// A sketch has a multiple of so many bits.
const BITS: usize = 64;

/// The vector in another frame: padded to a multiple of 64 elements and turned
/// by a fixed rotation that mixes every element into all. Products and lengths
/// stay what they are. Signs tell most where no direction is wider than another,
/// and models differ in that: some have a few wide directions that would drown
/// the others. (Two rounds of random signs and a Walsh-Hadamard transform by
/// blocks, with an exchange between the blocks.)
pub fn rotated(vector: &[f32]) -> Vec<f32> {
    let length = vector.len().next_multiple_of(BITS).max(BITS);
    // The greatest power of two that divides it.
    let block = 1usize << length.trailing_zeros();
    let blocks = length / block;
    let mut turned = vector.to_vec();
    turned.resize(length, 0.0);
    let scale = 1.0 / (block as f32).sqrt();
    for round in 0..2u64 {
        for (at, x) in turned.iter_mut().enumerate() {
            *x *= if flips(round * length as u64 + at as u64) { -scale } else { scale };
        }
        turned.chunks_exact_mut(block).for_each(hadamard);
        if blocks > 1 {
            let before = turned.clone();
            for (at, x) in before.into_iter().enumerate() {
                turned[(at % blocks) * block + at / blocks] = x;
            }
        }
    }
    turned
}

/// A fair coin for each number, always the same.
fn flips(number: u64) -> bool {
    random::splitmix64(number.wrapping_add(1).wrapping_mul(random::STEP)) & 1 == 1
}

/// The transform of a block whose length is a power of two.
fn hadamard(block: &mut [f32]) {
    let mut half = 1;
    while half < block.len() {
        for pair in block.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_stay(
            pair in prop::sample::select(vec![1usize, 3, 64, 100, 384, 768]).prop_flat_map(|n| {
                let vector = || prop::collection::vec(-1.0f32..1.0, n);
                (vector(), vector())
            }),
        ) {
            let product = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
            let (a, b) = pair;
            let (turned, other) = (rotated(&a), rotated(&b));
            prop_assert_eq!(turned.len() % BITS, 0);
            prop_assert!((product(&a, &b) - product(&turned, &other)).abs() < 1e-3);
        }
    }

    #[test]
    fn one_element_is_spread_over_all() {
        for n in [64, 384] {
            let mut vector = vec![0.0; n];
            vector[5] = 1.0;
            let turned = rotated(&vector);
            let greatest = turned.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            assert!(greatest < 0.5, "{greatest}");
        }
    }
}
