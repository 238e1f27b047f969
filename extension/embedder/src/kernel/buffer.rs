//! Memory for activations, aligned so that no vector straddles two cache lines.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line.
const LINE: usize = 64;

/// Floats that start at a cache line; grows as needed, never shrinks.
#[derive(Default)]
pub(crate) struct Buffer {
    memory: Vec<f32>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// Makes it `len` floats long. Its contents are then unspecified, but they are numbers.
    pub(crate) fn resize(&mut self, len: usize) {
        let needed = len + LINE / size_of::<f32>();
        if self.memory.len() < needed {
            self.memory = vec![0.0; needed];
            // An answer of "cannot be aligned" costs speed, nothing else.
            let start = self.memory.as_ptr().align_offset(LINE);
            self.start = if start < LINE / size_of::<f32>() { start } else { 0 };
        }
        self.len = len;
    }
}

impl Deref for Buffer {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.memory[self.start..self.start + self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.memory[self.start..self.start + self.len]
    }
}
