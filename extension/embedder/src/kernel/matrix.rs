//! The two matrix products: rows with rows, and rows with columns.
//!
//! In both, an output depends only on its own row and column: never on where in a tile or with
//! which other rows it is computed. That is what makes a text's vector the same in any batch.
#![expect(unsafe_code, reason = "register tiles read and write through pointers")]

use super::isa::Isa;

/// Outputs that are computed together; their weight rows lie one after another in memory.
const OUTPUTS: usize = 4;
/// Weight rows that are gone through for one group of tokens after another.
const PANEL: usize = 64;
/// Tokens in a group.
const GROUP: usize = 24;
/// Inputs that are summed up at a time: so many that a group's activations stay in the first-level
/// cache beside the weights.
const CHUNK: usize = 384;

/// A matrix within a slice, row after row, each `stride` floats after the one before.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) stride: usize,
}

/// As [`Rows`], to be written.
pub(crate) struct RowsMut<'a> {
    pub(crate) data: &'a mut [f32],
    pub(crate) stride: usize,
}

/// Whether `rows` rows of `columns` floats, `stride` apart, lie within `len` floats.
fn fits(len: usize, rows: usize, columns: usize, stride: usize) -> bool {
    rows == 0 || (columns <= stride && (rows - 1) * stride + columns <= len)
}

/// `y[t][o] = bias[o] + Σ x[t][i] · weight[o][i]` for that many tokens; `weight` is row after row
/// without gaps.
#[inline(always)]
pub(crate) fn linear<I: Isa>(
    isa: I,
    x: Rows<'_>,
    weight: &[f32],
    bias: &[f32],
    y: RowsMut<'_>,
    tokens: usize,
) {
    let outputs = bias.len();
    let inputs = weight.len() / outputs;
    assert!(outputs.is_multiple_of(OUTPUTS) && inputs.is_multiple_of(CHUNK));
    assert!(CHUNK.is_multiple_of(I::WIDTH));
    assert!(weight.len() == outputs * inputs);
    assert!(fits(x.data.len(), tokens, inputs, x.stride));
    assert!(fits(y.data.len(), tokens, outputs, y.stride));

    let (x_stride, y_stride) = (x.stride, y.stride);
    let group = GROUP / I::ROWS * I::ROWS;
    for panel in (0..outputs).step_by(PANEL) {
        let panel = panel..(panel + PANEL).min(outputs);
        for first in (0..tokens).step_by(group) {
            let last = (first + group).min(tokens);
            for input in (0..inputs).step_by(CHUNK) {
                for output in panel.clone().step_by(OUTPUTS) {
                    let mut token = first;
                    let mut tiles = (last - first).div_ceil(I::ROWS);
                    while tiles > 0 {
                        // Shared out evenly: a tile of few tokens is as slow as a larger one.
                        let step = (last - token).div_ceil(tiles);
                        // SAFETY: by the assertions above, `token` and the next `step - 1` exist
                        // in `x` and `y`; `output` and the next three in `weight`, `bias` and
                        // `y`; `input` and the rest of its chunk in `x` and `weight`.
                        unsafe {
                            let x = x.data.as_ptr().add(token * x.stride + input);
                            let weight = weight.as_ptr().add(output * inputs + input);
                            let bias = bias.as_ptr().add(output);
                            let y = y.data.as_mut_ptr().add(token * y.stride + output);
                            let tile = Tile { x, x_stride, weight, inputs, y, y_stride };
                            tile.run(isa, step, (input == 0).then_some(bias), token == first);
                        }
                        token += step;
                        tiles -= 1;
                    }
                }
            }
        }
    }
}

/// Some tokens by four outputs, over one chunk of inputs.
#[derive(Clone, Copy)]
struct Tile {
    x: *const f32,
    x_stride: usize,
    weight: *const f32,
    /// The distance of weight rows.
    inputs: usize,
    y: *mut f32,
    y_stride: usize,
}

impl Tile {
    /// Adds the chunk's sums to `bias`, or without one to what `y` holds, and writes them to `y`.
    /// With `fetch` it asks for the weights of the next four outputs meanwhile.
    ///
    /// # Safety
    /// `x` must be valid for `tokens` rows of a chunk, `weight` for four, `bias` for four floats,
    /// `y` for reading and writing four floats in each of `tokens` rows; `tokens` is 1 to 6.
    #[inline(always)]
    unsafe fn run<I: Isa>(self, isa: I, tokens: usize, bias: Option<*const f32>, fetch: bool) {
        // SAFETY: the caller vouches for the same.
        unsafe {
            match (tokens, fetch) {
                (1, true) => self.dots::<I, 1, true>(isa, bias),
                (2, true) => self.dots::<I, 2, true>(isa, bias),
                (3, true) => self.dots::<I, 3, true>(isa, bias),
                (4, true) => self.dots::<I, 4, true>(isa, bias),
                (5, true) => self.dots::<I, 5, true>(isa, bias),
                (1, false) => self.dots::<I, 1, false>(isa, bias),
                (2, false) => self.dots::<I, 2, false>(isa, bias),
                (3, false) => self.dots::<I, 3, false>(isa, bias),
                (4, false) => self.dots::<I, 4, false>(isa, bias),
                (5, false) => self.dots::<I, 5, false>(isa, bias),
                (_, true) => self.dots::<I, 6, true>(isa, bias),
                (_, false) => self.dots::<I, 6, false>(isa, bias),
            }
        }
    }

    /// As [`run`](Self::run), for `T` tokens.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "with plain indices the sums stay in registers on every path, with iterators and \
                  closures the portable one is three times as slow"
    )]
    unsafe fn dots<I: Isa, const T: usize, const FETCH: bool>(
        self,
        isa: I,
        bias: Option<*const f32>,
    ) {
        let Self { x, x_stride, weight, inputs, y, y_stride } = self;
        // SAFETY: every offset is within a chunk of one of `T` rows of `x` or four of `weight`, or
        // one of the first four of `T` rows of `y`. What is only prefetched may lie outside.
        unsafe {
            let mut sums = [[isa.zero(); OUTPUTS]; T];
            for at in (0..CHUNK).step_by(I::WIDTH) {
                let mut xs = [isa.zero(); T];
                for t in 0..T {
                    xs[t] = isa.load(x.add(t * x_stride + at));
                }
                for o in 0..OUTPUTS {
                    if FETCH {
                        isa.prefetch(weight.wrapping_add((OUTPUTS + o) * inputs + at));
                    }
                    let w = isa.load(weight.add(o * inputs + at));
                    for t in 0..T {
                        sums[t][o] = isa.fma(xs[t], w, sums[t][o]);
                    }
                }
            }
            for (t, sums) in sums.into_iter().enumerate() {
                let y = y.add(t * y_stride);
                isa.store_sums(sums, bias.unwrap_or(y), y);
            }
        }
    }
}

/// `c[r][j] = Σ a[r][i] · b[i][j]` for `rows` rows, `inner` terms and `columns` columns, a
/// multiple of 32.
#[inline(always)]
pub(crate) fn multiply<I: Isa>(
    isa: I,
    a: Rows<'_>,
    b: Rows<'_>,
    c: RowsMut<'_>,
    [rows, inner, columns]: [usize; 3],
) {
    assert!(columns.is_multiple_of(2 * I::WIDTH));
    assert!(fits(a.data.len(), rows, inner, a.stride));
    assert!(fits(b.data.len(), inner, columns, b.stride));
    assert!(fits(c.data.len(), rows, columns, c.stride));
    for column in (0..columns).step_by(2 * I::WIDTH) {
        let mut row = 0;
        while row < rows {
            let step = I::ROWS.min(rows - row);
            // SAFETY: by the assertions above, rows `row..row + step` of `a` and `c`, all `inner`
            // rows of `b`, and two vectors from `column` on in `b` and `c` exist.
            unsafe {
                let a = (a.data.as_ptr().add(row * a.stride), a.stride);
                let b = (b.data.as_ptr().add(column), b.stride);
                let c = (c.data.as_mut_ptr().add(row * c.stride + column), c.stride);
                match step {
                    1 => outer::<I, 1>(isa, a, b, c, inner),
                    2 => outer::<I, 2>(isa, a, b, c, inner),
                    3 => outer::<I, 3>(isa, a, b, c, inner),
                    4 => outer::<I, 4>(isa, a, b, c, inner),
                    5 => outer::<I, 5>(isa, a, b, c, inner),
                    _ => outer::<I, 6>(isa, a, b, c, inner),
                }
            }
            row += step;
        }
    }
}

/// `R` rows by two vectors of columns.
///
/// # Safety
/// Each pointer comes with its row stride. `a` must be valid for `R` rows of `inner` floats, `b`
/// for `inner` rows of two vectors, `c` for writing `R` rows of two vectors.
#[inline(always)]
unsafe fn outer<I: Isa, const R: usize>(
    isa: I,
    (a, a_stride): (*const f32, usize),
    (b, b_stride): (*const f32, usize),
    (c, c_stride): (*mut f32, usize),
    inner: usize,
) {
    // SAFETY: the offsets are within what the caller vouches for.
    unsafe {
        let mut sums = [[isa.zero(); 2]; R];
        for i in 0..inner {
            let left = isa.load(b.add(i * b_stride));
            let right = isa.load(b.add(i * b_stride + I::WIDTH));
            for (r, sums) in sums.iter_mut().enumerate() {
                let factor = isa.splat(*a.add(r * a_stride + i));
                sums[0] = isa.fma(factor, left, sums[0]);
                sums[1] = isa.fma(factor, right, sums[1]);
            }
        }
        for (r, [left, right]) in sums.into_iter().enumerate() {
            isa.store(c.add(r * c_stride), left);
            isa.store(c.add(r * c_stride + I::WIDTH), right);
        }
    }
}
