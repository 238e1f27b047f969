//! Points between vectors, a byte an element.

use super::probe::TINY;
use crate::posting::Corrupt;
use crate::posting::bytes::take_slice;

/// Bytes of a centre beside those of its elements.
pub(super) const UNIT_BYTES: usize = 4;

/// A point between vectors, in the frame of the sketches, where it lies in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Centre<'a> {
    /// What one step of an element stands for.
    pub unit: f32,
    /// The elements in steps, as two's complement.
    pub steps: &'a [u8],
}

impl<'a> Centre<'a> {
    /// Takes one of so many elements off the front.
    pub fn take(bytes: &mut &'a [u8], elements: usize) -> Result<Self, Corrupt> {
        let unit = take_float(bytes)?;
        Ok(Self { unit, steps: take_slice(bytes, elements as u64)? })
    }

    /// Its elements.
    pub fn elements(self) -> impl Iterator<Item = f32> + 'a {
        self.steps.iter().map(move |&step| f32::from(step as i8) * self.unit)
    }
}

/// Appends the point that is nearest to this one and can be written.
pub(super) fn put_centre(bytes: &mut Vec<u8>, centre: &[f32]) {
    let greatest = centre.iter().fold(TINY, |most, x| most.max(x.abs()));
    bytes.extend((greatest / 127.0).to_le_bytes());
    bytes.extend(centre.iter().map(|x| (x / greatest * 127.0).round() as i8 as u8));
}

/// Takes a number off the front.
pub(super) fn take_float(bytes: &mut &[u8]) -> Result<f32, Corrupt> {
    let four = take_slice(bytes, 4)?.try_into().map_err(|_| Corrupt)?;
    Ok(f32::from_le_bytes(four))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_centre_comes_back_nearly(elements in prop::collection::vec(-1.0f32..1.0, 1..100)) {
            let mut bytes = Vec::new();
            put_centre(&mut bytes, &elements);
            prop_assert_eq!(bytes.len(), elements.len() + UNIT_BYTES);
            let mut rest = &bytes[..];
            let read = Centre::take(&mut rest, elements.len()).expect("a centre");
            let greatest = elements.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            for (was, is) in elements.iter().zip(read.elements()) {
                prop_assert!((was - is).abs() <= greatest / 250.0 + 1e-6);
            }
            prop_assert!(rest.is_empty());
        }
    }
}
