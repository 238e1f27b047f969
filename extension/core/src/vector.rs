//! Checks on vectors that a caller passes in.

/// Why a vector cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadVector {
    /// It has another number of dimensions than the model.
    Dimensions {
        /// What the model has.
        expected: usize,
        /// What was passed.
        found: usize,
    },
    /// The element at this index (from 0) is NaN or infinite.
    NotFinite(usize),
    /// Its length is zero, so it has no direction.
    Zero,
}

/// The vector scaled to unit length.
///
/// # Errors
/// [`BadVector`] if it has the wrong length, an element that is no finite
/// number, or no direction.
///
/// ```
/// assert_eq!(muninn_core::vector::unit(&[3.0, 4.0], 2), Ok(vec![0.6, 0.8]));
/// ```
pub fn unit(vector: &[f32], dimensions: usize) -> Result<Vec<f32>, BadVector> {
    if vector.len() != dimensions {
        return Err(BadVector::Dimensions { expected: dimensions, found: vector.len() });
    }
    if let Some(index) = vector.iter().position(|x| !x.is_finite()) {
        return Err(BadVector::NotFinite(index));
    }
    // In double precision neither huge nor tiny elements leave the range.
    let norm = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if norm == 0.0 {
        return Err(BadVector::Zero);
    }
    Ok(vector.iter().map(|&x| (f64::from(x) / norm) as f32).collect())
}

/// The cosine of two vectors of one length; 0 where one of them has no direction.
///
/// ```
/// assert_eq!(muninn_core::vector::cosine(&[3.0, 4.0], &[6.0, 8.0]), 1.0);
/// assert_eq!(muninn_core::vector::cosine(&[3.0, 4.0], &[]), 0.0);
/// ```
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let norms = product(a, a) * product(b, b);
    if norms > 0.0 { product(a, b) / norms.sqrt() } else { 0.0 }
}

/// In eight sums at a time, always in the same order.
fn product(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0f32; 8];
    let (eights, others) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = eights.remainder().iter().zip(others.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in eights.zip(others) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    f64::from(sums.iter().sum::<f32>() + rest)
}

/// A vector from a `halfvec` as pgvector stores it, without the header that all
/// values of variable length have: its length and zero, two bytes each, then two
/// bytes an element, in the order of the machine. `None` where that is not what the
/// bytes are.
///
/// ```
/// use muninn_core::vector::from_halfvec;
/// let stored: Vec<u8> = [2u16, 0, 0x3c00, 0xb800].iter().flat_map(|n| n.to_ne_bytes()).collect();
/// assert_eq!(from_halfvec(&stored), Some(vec![1.0, -0.5]));
/// assert_eq!(from_halfvec(&stored[..7]), None);
/// ```
pub fn from_halfvec(stored: &[u8]) -> Option<Vec<f32>> {
    let (head, elements) = stored.split_at_checked(4)?;
    let length = usize::from(u16::from_ne_bytes([head[0], head[1]]));
    if elements.len() != 2 * length {
        return None;
    }
    let halves = elements.chunks_exact(2).map(|two| u16::from_ne_bytes([two[0], two[1]]));
    Some(halves.map(from_half).collect())
}

/// A number of IEEE 754 binary16. Without a branch, so that several are read at once:
/// its bits in the place of those of a binary32 are a number smaller by 2^112,
/// whether or not that has a leading one.
fn from_half(half: u16) -> f32 {
    let scale = f32::from_bits((127 + 112) << 23);
    let size = f32::from_bits(u32::from(half & 0x7fff) << 13) * scale;
    // From there on it stands for what is no finite number.
    let special = if size >= 65_536.0 { 0x7f80_0000 } else { 0 };
    f32::from_bits(size.to_bits() | special | u32::from(half & 0x8000) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_read_to_the_bit() {
        for (half, number) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65_504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(from_half(half).to_bits(), f32::to_bits(number), "{half:x}");
        }
        assert!(from_half(0x7e00).is_nan());
    }

    #[test]
    fn refuses_what_has_no_direction() {
        assert_eq!(unit(&[0.0, 0.0], 2), Err(BadVector::Zero));
        assert_eq!(unit(&[1.0, f32::NAN], 2), Err(BadVector::NotFinite(1)));
        assert_eq!(unit(&[f32::INFINITY, 1.0], 2), Err(BadVector::NotFinite(0)));
        assert_eq!(unit(&[1.0], 2), Err(BadVector::Dimensions { expected: 2, found: 1 }));
    }

    #[test]
    fn survives_the_ends_of_the_range() {
        for scale in [f32::MAX, f32::MIN_POSITIVE, 1e-45] {
            let unit = unit(&[scale, 0.0], 2).expect("has a direction");
            assert_eq!(unit, [1.0, 0.0]);
        }
    }
}
