//! Blocks of sketches, as they are stored.

use crate::posting::Corrupt;
use crate::posting::bytes::{put, take, take_slice};

/// The most bytes of a block: a block of Postgres, less what a row needs.
const BLOCK_BYTES: usize = 7_900;
/// The most bytes that an id takes beside the one before.
const ID_BYTES: usize = 10;

/// How many sketches of so many bytes a block can hold for certain, at least 1.
pub fn block_capacity(sketch_bytes: usize) -> usize {
    ((BLOCK_BYTES - 2 * ID_BYTES) / (sketch_bytes + ID_BYTES)).max(1)
}

/// Sketches with their memories' ids, in the order of the ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    ids: Vec<i64>,
    sketches: Vec<u8>,
}

impl Block {
    /// Adds a memory, of a greater id than the one before.
    pub fn push(&mut self, memory: i64, sketch: &[u8]) {
        self.ids.push(memory);
        self.sketches.extend_from_slice(sketch);
    }

    /// How many sketches it holds.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Its bytes: the number of sketches, the ids as distances, the sketches.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.sketches.len() + self.ids.len() * 3 + 8);
        put(&mut bytes, self.ids.len() as u64);
        let mut before = 0i64;
        for &id in &self.ids {
            put(&mut bytes, id.wrapping_sub(before) as u64);
            before = id;
        }
        bytes.extend_from_slice(&self.sketches);
        bytes
    }
}

/// Reads a block: each id with its sketch.
#[derive(Debug)]
pub struct BlockReader<'a> {
    left: u64,
    memory: i64,
    ids: &'a [u8],
    sketches: std::slice::ChunksExact<'a, u8>,
}

impl<'a> BlockReader<'a> {
    /// Of these bytes, with sketches of this many bytes, above zero.
    ///
    /// # Errors
    /// [`Corrupt`] where the bytes are no such block.
    pub fn new(mut bytes: &'a [u8], sketch_bytes: usize) -> Result<Self, Corrupt> {
        let left = take(&mut bytes)?;
        let size = left.checked_mul(sketch_bytes as u64).ok_or(Corrupt)?;
        let ids_bytes = (bytes.len() as u64).checked_sub(size).ok_or(Corrupt)?;
        let ids = take_slice(&mut bytes, ids_bytes)?;
        Ok(Self { left, memory: 0, ids, sketches: bytes.chunks_exact(sketch_bytes) })
    }
}

impl<'a> Iterator for BlockReader<'a> {
    type Item = Result<(i64, &'a [u8]), Corrupt>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let sketch = self.sketches.next()?;
        self.left -= 1;
        match take(&mut self.ids) {
            Ok(distance) => {
                self.memory = self.memory.wrapping_add(distance as i64);
                Some(Ok((self.memory, sketch)))
            }
            Err(corrupt) => {
                self.sketches = [].chunks_exact(1);
                Some(Err(corrupt))
            }
        }
    }
}

/// A block without some memories (their ids in order): `None` if it has none of
/// them, else what is left.
///
/// # Errors
/// [`Corrupt`] where the bytes are no block.
pub fn erase_from_block(
    bytes: &[u8],
    sketch_bytes: usize,
    memories: &[i64],
) -> Result<Option<Block>, Corrupt> {
    let mut kept = Block::default();
    let mut found = false;
    for entry in BlockReader::new(bytes, sketch_bytes)? {
        let (memory, sketch) = entry?;
        if memories.binary_search(&memory).is_ok() {
            found = true;
        } else {
            kept.push(memory, sketch);
        }
    }
    Ok(found.then_some(kept))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_come_back(
            ids in prop::collection::btree_set(any::<i64>(), 0..60), gone in prop::collection::btree_set(0usize..60, 0..9),
        ) {
            let mut block = Block::default();
            for &id in &ids {
                block.push(id, &id.to_le_bytes());
            }
            let read = |bytes: &[u8]| -> Vec<i64> {
                let entries = BlockReader::new(bytes, 8).expect("a block");
                entries
                    .map(|entry| {
                        let (id, sketch) = entry.expect("an entry");
                        assert_eq!(sketch, id.to_le_bytes());
                        id
                    })
                    .collect()
            };
            let bytes = block.encode();
            prop_assert_eq!(read(&bytes), ids.iter().copied().collect::<Vec<_>>());
            let gone: Vec<i64> = ids.iter().enumerate().filter(|(i, _)| gone.contains(i)).map(|(_, id)| *id).collect();
            let kept: Vec<i64> = ids.iter().copied().filter(|id| !gone.contains(id)).collect();
            match erase_from_block(&bytes, 8, &gone).expect("a block") {
                None => prop_assert!(gone.is_empty()),
                Some(rest) => prop_assert_eq!(read(&rest.encode()), kept),
            }
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(reader) = BlockReader::new(&bytes, 3) {
                reader.for_each(drop);
            }
        }
    }

    #[test]
    fn a_full_block_fits_a_page() {
        for sketch_bytes in [1, 48, 96, 500] {
            let mut block = Block::default();
            for i in 0..block_capacity(sketch_bytes) as i64 {
                block.push(i << 50, &vec![0; sketch_bytes]);
            }
            assert!(block.encode().len() <= BLOCK_BYTES);
        }
    }
}
