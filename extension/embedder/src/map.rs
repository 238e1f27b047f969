//! A file mapped read-only and seen as floats.
#![expect(unsafe_code, reason = "mapping a file and viewing its bytes as floats")]

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::error::OpenError;

#[cfg(target_endian = "big")]
compile_error!("the weights are little-endian floats that are used where they lie in the file");

/// A mapped file whose bytes from `start` on are floats.
pub(crate) struct FloatMap {
    map: Mmap,
    start: usize,
}

impl FloatMap {
    /// Maps a whole file.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let error = |source| OpenError::io(path, source);
        let file = File::open(path).map_err(error)?;
        if !file.metadata().map_err(error)?.is_file() {
            return Err(OpenError::corrupt(path, "it is no regular file"));
        }
        // SAFETY: the mapping is read-only and private to this value. That nobody changes or cuts
        // the file while it is mapped is a condition of use that `Model::open` documents; floats
        // have no invalid bit patterns, so a change could alter results but not types.
        let map = unsafe { Mmap::map(&file) }.map_err(error)?;
        Ok(Self { map, start: 0 })
    }

    /// The whole file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The same mapping with its floats starting at byte `start`; `None` if that place is outside
    /// the file or not aligned for floats.
    pub(crate) fn skip(self, start: usize) -> Option<Self> {
        let tail = self.map.get(start..)?;
        (tail.as_ptr().align_offset(align_of::<f32>()) == 0).then_some(Self { start, ..self })
    }

    /// The floats; bytes at the end that do not fill one are left out.
    pub(crate) fn floats(&self) -> &[f32] {
        let tail = &self.map[self.start..];
        let len = tail.len() / size_of::<f32>();
        debug_assert!(tail.as_ptr().cast::<f32>().is_aligned());
        // SAFETY: `tail` has at least `len * 4` bytes, lives as long as `self` and is never
        // written. It is aligned: the mapping starts at a page, and `start` is 0 or was checked
        // by `skip`. Every bit pattern is a float.
        unsafe { std::slice::from_raw_parts(tail.as_ptr().cast(), len) }
    }
}
