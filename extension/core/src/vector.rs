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

/// A vector from the form in which pgvector sends a `halfvec`: its length and
/// zero, two bytes each, then two bytes an element, all of them big-endian.
/// `None` where that is not what the bytes are.
///
/// ```
/// use muninn_core::vector::from_halfvec;
/// assert_eq!(from_halfvec(&[0, 2, 0, 0, 0x3c, 0, 0xb8, 0]), Some(vec![1.0, -0.5]));
/// assert_eq!(from_halfvec(&[0, 2, 0, 0, 0x3c]), None);
/// ```
pub fn from_halfvec(wire: &[u8]) -> Option<Vec<f32>> {
    let (head, elements) = wire.split_at_checked(4)?;
    let length = usize::from(u16::from_be_bytes([head[0], head[1]]));
    if elements.len() != 2 * length {
        return None;
    }
    let halves = elements.chunks_exact(2).map(|two| u16::from_be_bytes([two[0], two[1]]));
    Some(halves.map(from_half).collect())
}

/// A number of IEEE 754 binary16.
fn from_half(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let exponent = u32::from(half >> 10 & 0x1f);
    let fraction = u32::from(half & 0x3ff);
    match exponent {
        // Too small to be written with a leading one.
        0 => {
            let size = fraction as f32 / (1 << 24) as f32;
            if sign == 0 { size } else { -size }
        }
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
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
