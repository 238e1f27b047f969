//! The forward pass: windows of word pieces in, a unit vector for each out.

use crate::kernel::{self, Buffer, Ops, Rows, RowsMut};
use crate::shape::{EPSILON, HIDDEN, INTERMEDIATE, WINDOW};
use crate::weights::{Affine, Layer, Weights};

/// Word pieces that are computed together: one full window, or several short ones.
pub(crate) const BATCH: usize = WINDOW;

/// The distance of rows in the feed-forward part. Wider than a row by a cache line, as rows would
/// else begin in the same places of the cache and drive each other out.
const WIDE: usize = INTERMEDIATE + 16;

/// Several windows one after another, without padding between them.
#[derive(Default)]
pub(crate) struct Batch {
    ids: Vec<u16>,
    /// Where each window ends in `ids`.
    ends: Vec<usize>,
}

impl Batch {
    /// Whether a window of that many pieces still fits.
    pub(crate) fn has_room(&self, pieces: usize) -> bool {
        self.ids.len() + pieces <= BATCH
    }

    /// Adds a window: its word pieces with both markers, at most 256.
    pub(crate) fn push(&mut self, ids: impl IntoIterator<Item = u16>) {
        self.ids.extend(ids);
        self.ends.push(self.ids.len());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }

    fn windows(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }
}

/// Memory that a pass needs, kept from one to the next.
#[derive(Default)]
pub(crate) struct Arena {
    hidden: Buffer,
    query: Buffer,
    key: Buffer,
    value: Buffer,
    context: Buffer,
    wide: Buffer,
    attention: kernel::Scratch,
}

impl Arena {
    fn prepare(&mut self, tokens: usize) {
        for narrow in
            [&mut self.hidden, &mut self.query, &mut self.key, &mut self.value, &mut self.context]
        {
            narrow.resize(tokens * HIDDEN);
        }
        self.wide.resize(tokens * WIDE);
    }
}

/// Computes a batch and hands each window's vector to `sink`, in order, with the number of its
/// pieces. Calls `pause` between the steps, each of which takes a few milliseconds at most.
pub(crate) fn forward(
    ops: Ops,
    weights: &Weights,
    batch: &Batch,
    arena: &mut Arena,
    pause: &mut dyn FnMut(),
    mut sink: impl FnMut(&[f32], usize),
) {
    arena.prepare(batch.ids.len());
    embed_pieces(ops, weights, batch, arena);
    for layer in &weights.layers {
        attend(ops, weights, layer, batch, arena, pause);
        feed_forward(ops, weights, layer, arena, pause);
    }
    for window in batch.windows() {
        let tokens = window.len();
        let vector = pool(&arena.hidden[window.start * HIDDEN..window.end * HIDDEN]);
        sink(&vector, tokens);
    }
}

/// Word, place and segment vectors, added up and normalised.
fn embed_pieces(ops: Ops, weights: &Weights, batch: &Batch, arena: &mut Arena) {
    let mut hidden = arena.hidden.chunks_exact_mut(HIDDEN);
    let mut places = arena.context.chunks_exact_mut(HIDDEN);
    for window in batch.windows() {
        for (place, &id) in batch.ids[window].iter().enumerate() {
            let (Some(row), Some(added)) = (hidden.next(), places.next()) else { return };
            row.copy_from_slice(weights.word(id));
            added.copy_from_slice(weights.position(place));
            add(added, weights.segment());
        }
    }
    let norm = weights.norm(&weights.embedding_norm);
    ops.add_norm(&mut arena.hidden, &arena.context, norm, EPSILON);
}

fn attend(
    ops: Ops,
    weights: &Weights,
    layer: &Layer,
    batch: &Batch,
    arena: &mut Arena,
    pause: &mut dyn FnMut(),
) {
    pause();
    linear(ops, weights, &layer.query, (&arena.hidden, HIDDEN), (&mut arena.query, HIDDEN));
    linear(ops, weights, &layer.key, (&arena.hidden, HIDDEN), (&mut arena.key, HIDDEN));
    linear(ops, weights, &layer.value, (&arena.hidden, HIDDEN), (&mut arena.value, HIDDEN));
    pause();
    for window in batch.windows() {
        let window = window.start * HIDDEN..window.end * HIDDEN;
        ops.attention(
            &arena.query[window.clone()],
            &arena.key[window.clone()],
            &arena.value[window.clone()],
            &mut arena.context[window],
            &mut arena.attention,
        );
    }
    linear(
        ops,
        weights,
        &layer.attention_output,
        (&arena.context, HIDDEN),
        (&mut arena.query, HIDDEN),
    );
    let norm = weights.norm(&layer.attention_norm);
    ops.add_norm(&mut arena.hidden, &arena.query, norm, EPSILON);
}

fn feed_forward(
    ops: Ops,
    weights: &Weights,
    layer: &Layer,
    arena: &mut Arena,
    pause: &mut dyn FnMut(),
) {
    pause();
    linear(ops, weights, &layer.expand, (&arena.hidden, HIDDEN), (&mut arena.wide, WIDE));
    ops.gelu(&mut arena.wide);
    pause();
    linear(ops, weights, &layer.contract, (&arena.wide, WIDE), (&mut arena.query, HIDDEN));
    let norm = weights.norm(&layer.output_norm);
    ops.add_norm(&mut arena.hidden, &arena.query, norm, EPSILON);
}

fn linear(
    ops: Ops,
    weights: &Weights,
    affine: &Affine,
    (x, x_stride): (&[f32], usize),
    (y, y_stride): (&mut [f32], usize),
) {
    let (weight, bias) = weights.affine(affine);
    let tokens = x.len() / x_stride;
    let (x, y) = (Rows { data: x, stride: x_stride }, RowsMut { data: y, stride: y_stride });
    ops.linear(x, weight, bias, y, tokens);
}

/// The mean of a window's rows, at unit length.
fn pool(rows: &[f32]) -> [f32; HIDDEN] {
    let mut mean = [0.0; HIDDEN];
    for row in rows.chunks_exact(HIDDEN) {
        add(&mut mean, row);
    }
    normalize(&mut mean);
    mean
}

fn add(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// Brings a vector to unit length.
pub(crate) fn normalize(vector: &mut [f32]) {
    let square: f64 = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
    let factor = 1.0 / square.sqrt();
    for x in vector {
        *x = (f64::from(*x) * factor) as f32;
    }
}
