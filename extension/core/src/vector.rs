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

#[cfg(test)]
mod tests {
    use super::*;

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
