//! Blocks of sketches, as they are stored.
//!
//! The vectors of a block lie together. Kept is their mean, and of each what it
//! differs by from that: the signs of the difference, and how much they are
//! worth. The product of a question with a vector is about its product with the
//! mean and, times that worth, with the signs. The nearer the vectors lie to
//! their mean, the less there is to be wrong about: to find as many of the
//! nearest, a third of the vectors has to be compared that the signs of whole
//! vectors would ask for.

use super::centre::{Centre, UNIT_BYTES, put_centre, take_float};
use super::probe::{TINY, signs};
use super::question::Question;
use super::rotate::rotated;
use crate::posting::Corrupt;
use crate::posting::bytes::{put, take, take_slice};

/// The most bytes of a block: a block of Postgres, less what a row needs.
const BLOCK_BYTES: usize = 7_900;
/// The most bytes that a count takes.
const COUNT_BYTES: usize = 3;

/// How many sketches of so many bytes a block can hold for certain, at least 1,
/// if no id is greater than this.
pub fn block_capacity(sketch_bytes: usize, greatest: i64) -> usize {
    let mut id = Vec::new();
    put(&mut id, greatest as u64);
    let head = COUNT_BYTES + 2 * UNIT_BYTES + sketch_bytes * 8;
    // An id is kept as its distance from the one before, which is no longer.
    (BLOCK_BYTES.saturating_sub(head) / (sketch_bytes + id.len() + 1)).max(1)
}

/// A block of these vectors, all of one length: ids in order, each with its vector.
pub fn encode_block(members: &[(i64, Vec<f32>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, members.len() as u64);
    if members.is_empty() {
        return bytes;
    }
    let turned: Vec<Vec<f32>> = members.iter().map(|(_, vector)| rotated(vector)).collect();
    let mut mean = vec![0.0; turned[0].len()];
    for vector in &turned {
        mean.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
    }
    mean.iter_mut().for_each(|x| *x /= members.len() as f32);
    let start = bytes.len();
    put_centre(&mut bytes, &mean);
    // What is written, not what was meant.
    let mut written = &bytes[start..];
    if let Ok(centre) = Centre::take(&mut written, mean.len()) {
        mean = centre.elements().collect();
    }
    let differences: Vec<Vec<f32>> = turned
        .iter()
        .map(|vector| vector.iter().zip(&mean).map(|(x, m)| x - m).collect())
        .collect();
    let worths: Vec<f32> = differences.iter().map(|difference| worth(difference)).collect();
    let greatest = worths.iter().fold(TINY, |most, worth| most.max(*worth));
    bytes.extend(greatest.to_le_bytes());
    let mut before = 0i64;
    for (id, _) in members {
        put(&mut bytes, id.wrapping_sub(before) as u64);
        before = *id;
    }
    bytes.extend(worths.iter().map(|worth| (worth / greatest * 255.0).round() as u8));
    differences.iter().for_each(|difference| bytes.extend(signs(difference)));
    bytes
}

/// What the signs of a vector are to be multiplied with so that its product with
/// them is its product with itself.
fn worth(vector: &[f32]) -> f32 {
    let (square, size) =
        vector.iter().fold((0.0, 0.0), |(square, size), x| (square + x * x, size + x.abs()));
    if size > TINY { square / size } else { 0.0 }
}

/// Reads a block: each id with about the product of its vector and a question.
pub struct BlockReader<'a> {
    question: &'a Question,
    members: Members<'a>,
    /// The product with the mean.
    base: f32,
    /// What one step of a worth stands for.
    step: f32,
    worths: std::slice::Iter<'a, u8>,
    sketches: std::slice::ChunksExact<'a, u8>,
}

impl<'a> BlockReader<'a> {
    /// Of these bytes.
    ///
    /// # Errors
    /// [`Corrupt`] where the bytes are no such block.
    pub fn new(bytes: &'a [u8], question: &'a Question) -> Result<Self, Corrupt> {
        let parts = Parts::of(bytes, question.bytes())?;
        Ok(Self {
            question,
            members: Members { left: parts.count, memory: 0, ids: parts.ids },
            base: parts.centre.map_or(0.0, |centre| question.near(&centre)),
            step: parts.greatest / 255.0,
            worths: parts.worths.iter(),
            sketches: parts.sketches.chunks_exact(question.bytes()),
        })
    }
}

impl Iterator for BlockReader<'_> {
    type Item = Result<(i64, f32), Corrupt>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let memory = match self.members.next()? {
            Ok(memory) => memory,
            Err(corrupt) => return Some(Err(corrupt)),
        };
        let (worth, sketch) = (self.worths.next()?, self.sketches.next()?);
        let difference = self.question.product(sketch) * f32::from(*worth) * self.step;
        Some(Ok((memory, self.base + difference)))
    }
}

/// The ids in a block of sketches of so many bytes, in order.
///
/// # Errors
/// [`Corrupt`] where the bytes are no such block.
pub fn block_members(bytes: &[u8], sketch_bytes: usize) -> Result<Vec<i64>, Corrupt> {
    let parts = Parts::of(bytes, sketch_bytes)?;
    Members { left: parts.count, memory: 0, ids: parts.ids }.collect()
}

/// A block where it lies.
struct Parts<'a> {
    count: u64,
    /// `None` where the block is empty.
    centre: Option<Centre<'a>>,
    greatest: f32,
    ids: &'a [u8],
    worths: &'a [u8],
    sketches: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of(mut bytes: &'a [u8], sketch_bytes: usize) -> Result<Self, Corrupt> {
        let count = take(&mut bytes)?;
        if count == 0 {
            let empty: &[u8] = &[];
            return if bytes.is_empty() {
                let (ids, worths, sketches) = (empty, empty, empty);
                Ok(Self { count, centre: None, greatest: 0.0, ids, worths, sketches })
            } else {
                Err(Corrupt)
            };
        }
        let centre = Some(Centre::take(&mut bytes, sketch_bytes * 8)?);
        let greatest = take_float(&mut bytes)?;
        let size = count.checked_mul(sketch_bytes as u64).ok_or(Corrupt)?;
        let behind = size.checked_add(count).ok_or(Corrupt)?;
        let ids_bytes = (bytes.len() as u64).checked_sub(behind).ok_or(Corrupt)?;
        let ids = take_slice(&mut bytes, ids_bytes)?;
        let worths = take_slice(&mut bytes, count)?;
        Ok(Self { count, centre, greatest, ids, worths, sketches: bytes })
    }
}

/// Reads the ids of a block.
struct Members<'a> {
    left: u64,
    memory: i64,
    ids: &'a [u8],
}

impl Iterator for Members<'_> {
    type Item = Result<i64, Corrupt>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        match take(&mut self.ids) {
            Ok(distance) => {
                self.memory = self.memory.wrapping_add(distance as i64);
                Some(Ok(self.memory))
            }
            Err(corrupt) => {
                self.left = 0;
                Some(Err(corrupt))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit(vector: Vec<f32>) -> Vec<f32> {
        crate::vector::unit(&vector, vector.len()).unwrap_or(vector)
    }

    fn read(bytes: &[u8], question: &[f32]) -> Vec<(i64, f32)> {
        let question = Question::new(question);
        let reader = BlockReader::new(bytes, &question).expect("a block");
        reader.map(|entry| entry.expect("an entry")).collect()
    }

    proptest! {
        #[test]
        fn blocks_come_back(
            ids in prop::collection::btree_set(any::<i64>(), 0..60),
            vectors in prop::collection::vec(prop::collection::vec(-1.0f32..1.0, 64), 60),
        ) {
            let members: Vec<(i64, Vec<f32>)> = ids.iter().copied().zip(vectors).collect();
            let bytes = encode_block(&members);
            let ids: Vec<i64> = ids.into_iter().collect();
            prop_assert_eq!(block_members(&bytes, 8), Ok(ids.clone()));
            let question = unit(vec![0.5; 64]);
            prop_assert_eq!(read(&bytes, &question).into_iter().map(|r| r.0).collect::<Vec<_>>(), ids);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            let question = Question::new(&[0.1; 16]);
            if let Ok(reader) = BlockReader::new(&bytes, &question) {
                reader.for_each(drop);
            }
            drop(block_members(&bytes, 3));
        }

        #[test]
        fn a_vector_alone_is_known_exactly(vector in prop::collection::vec(-1.0f32..1.0, 128)) {
            let vector = unit(vector);
            let question = unit(vec![0.3; 128]);
            let exact: f32 = vector.iter().zip(&question).map(|(a, b)| a * b).sum();
            let found = read(&encode_block(&[(7, vector)]), &question);
            prop_assert!((found[0].1 - exact).abs() < 0.01, "{exact} {found:?}");
        }
    }

    #[test]
    fn together_they_are_known_better_than_by_their_signs() {
        let mut state = 7u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as f32 / (1u64 << 31) as f32 - 0.5
        };
        let around: Vec<f32> = (0..384).map(|_| next()).collect();
        let mut near = |share: f32| unit(around.iter().map(|x| x + share * next()).collect());
        let members: Vec<(i64, Vec<f32>)> = (0..100).map(|id| (id, near(1.0))).collect();
        let vector = near(1.5);
        let question = Question::new(&vector);
        let mut wrong = (0.0f32, 0.0f32);
        for ((_, member), (_, found)) in members.iter().zip(read(&encode_block(&members), &vector))
        {
            let exact: f32 = member.iter().zip(&vector).map(|(a, b)| a * b).sum();
            wrong.0 += (found - exact).powi(2);
            wrong.1 += (question.likeness(&super::super::sketch(member)) - exact).powi(2);
        }
        assert!(wrong.0 * 1.5 < wrong.1, "{wrong:?}");
    }

    #[test]
    fn a_full_block_fits_a_page() {
        for (dimensions, greatest) in [(8, 90), (384, 1 << 20), (768, i64::MAX), (4_000, -1)] {
            let bytes = super::super::sketch_bytes(dimensions);
            let capacity = block_capacity(bytes, greatest) as i64;
            let step = if greatest > 0 { greatest / (capacity + 1) } else { 1 << 50 };
            let members: Vec<(i64, Vec<f32>)> =
                (1..=capacity).map(|i| (i.wrapping_mul(step), vec![0.1; dimensions])).collect();
            assert!(encode_block(&members).len() <= BLOCK_BYTES, "{dimensions} {capacity}");
        }
    }
}
