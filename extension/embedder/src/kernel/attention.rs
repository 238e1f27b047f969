//! Attention within one window.

use super::buffer::Buffer;
use super::isa::Isa;
use super::matrix::{Rows, RowsMut, multiply};
use super::pointwise::softmax;
use crate::shape::{HEAD, HEADS, HIDDEN};

/// Rows of scores are padded to a multiple of this.
const PADDING: usize = 32;

/// Memory for the attention of one window at a time.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The keys of one head, a column for each token.
    keys: Buffer,
    /// A row of weights over the tokens for each token.
    scores: Buffer,
}

impl Scratch {
    fn prepare(&mut self, tokens: usize) -> usize {
        let padded = tokens.next_multiple_of(PADDING);
        self.keys.resize(HEAD * padded);
        self.keys.fill(0.0);
        self.scores.resize(tokens * padded);
        padded
    }
}

/// `softmax(q · kᵀ / √32) · v` for every head; all matrices are `[tokens, 384]`, a head being 32
/// neighbouring columns.
#[inline(always)]
pub(crate) fn attention<I: Isa>(
    isa: I,
    queries: &[f32],
    keys: &[f32],
    values: &[f32],
    context: &mut [f32],
    scratch: &mut Scratch,
) {
    let tokens = queries.len() / HIDDEN;
    let padded = scratch.prepare(tokens);
    let scale = 1.0 / (HEAD as f32).sqrt();
    for first in (0..HEADS).map(|head| head * HEAD) {
        for (token, row) in keys.chunks_exact(HIDDEN).enumerate() {
            for (i, &x) in row[first..first + HEAD].iter().enumerate() {
                scratch.keys[i * padded + token] = x;
            }
        }
        multiply(
            isa,
            Rows { data: &queries[first..], stride: HIDDEN },
            Rows { data: &scratch.keys, stride: padded },
            RowsMut { data: &mut scratch.scores, stride: padded },
            [tokens, HEAD, padded],
        );
        for row in scratch.scores.chunks_exact_mut(padded) {
            softmax(isa, row, tokens, scale);
        }
        multiply(
            isa,
            Rows { data: &scratch.scores, stride: padded },
            Rows { data: &values[first..], stride: HIDDEN },
            RowsMut { data: &mut context[first..], stride: HIDDEN },
            [tokens, tokens, HEAD],
        );
    }
}
