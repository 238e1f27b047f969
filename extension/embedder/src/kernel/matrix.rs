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
/// Floats of activations in a group: what stays in the first-level cache beside the weights.
const GROUP: usize = 24 * 384;

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

/// `y[t][o] = bias[o] + Σ x[t][i] · weight[o][i]`, all matrices row after row without gaps.
#[inline(always)]
pub(crate) fn linear<I: Isa>(isa: I, x: &[f32], weight: &[f32], bias: &[f32], y: &mut [f32]) {
    let outputs = bias.len();
    let inputs = weight.len() / outputs;
    let tokens = x.len() / inputs;
    assert!(outputs % OUTPUTS == 0 && inputs % I::WIDTH == 0);
    assert!(weight.len() == outputs * inputs && x.len() == tokens * inputs);
    assert!(y.len() == tokens * outputs);

    let group = (GROUP / inputs / I::ROWS).max(1) * I::ROWS;
    for panel in (0..outputs).step_by(PANEL) {
        for first in (0..tokens).step_by(group) {
            let last = (first + group).min(tokens);
            for output in (panel..(panel + PANEL).min(outputs)).step_by(OUTPUTS) {
                let mut token = first;
                let mut tiles = (last - first).div_ceil(I::ROWS);
                while token < last {
                    // Rows are shared out evenly: a tile of few rows is as slow as a larger one.
                    let rows = (last - token).div_ceil(tiles);
                    tiles -= 1;
                    // SAFETY: by the assertions above, tokens `token..token + rows` of `x` and
                    // `y` and outputs `output..output + 4` of `weight`, `bias` and `y` exist.
                    unsafe {
                        let x = x.as_ptr().add(token * inputs);
                        let weight = weight.as_ptr().add(output * inputs);
                        let bias = bias.as_ptr().add(output);
                        let y = y.as_mut_ptr().add(token * outputs + output);
                        let shape = (inputs, outputs);
                        match (rows, token == first) {
                            (1, true) => dots::<I, 1, true>(isa, x, weight, bias, y, shape),
                            (2, true) => dots::<I, 2, true>(isa, x, weight, bias, y, shape),
                            (3, true) => dots::<I, 3, true>(isa, x, weight, bias, y, shape),
                            (4, true) => dots::<I, 4, true>(isa, x, weight, bias, y, shape),
                            (5, true) => dots::<I, 5, true>(isa, x, weight, bias, y, shape),
                            (1, false) => dots::<I, 1, false>(isa, x, weight, bias, y, shape),
                            (2, false) => dots::<I, 2, false>(isa, x, weight, bias, y, shape),
                            (3, false) => dots::<I, 3, false>(isa, x, weight, bias, y, shape),
                            (4, false) => dots::<I, 4, false>(isa, x, weight, bias, y, shape),
                            (5, false) => dots::<I, 5, false>(isa, x, weight, bias, y, shape),
                            (_, true) => dots::<I, 6, true>(isa, x, weight, bias, y, shape),
                            (_, false) => dots::<I, 6, false>(isa, x, weight, bias, y, shape),
                        }
                    }
                    token += rows;
                }
            }
        }
    }
}

/// `T` tokens by four outputs, each a dot product of two rows. With `FETCH` it asks for the weights
/// of the next four outputs meanwhile.
///
/// # Safety
/// `x` must be valid for `T` rows of `inputs` floats, `weight` for four, `bias` for four floats,
/// `y` for writing four floats in each of `T` rows that are `outputs` apart; `inputs` must be a
/// multiple of the vector's width.
#[inline(always)]
unsafe fn dots<I: Isa, const T: usize, const FETCH: bool>(
    isa: I,
    x: *const f32,
    weight: *const f32,
    bias: *const f32,
    y: *mut f32,
    (inputs, outputs): (usize, usize),
) {
    // SAFETY: every offset is below `T * inputs` for `x`, `4 * inputs` for `weight`, 4 for `bias`
    // and `(T - 1) * outputs + 4` for `y`. What is only prefetched may lie outside.
    unsafe {
        let mut sums = [[isa.zero(); OUTPUTS]; T];
        let mut at = 0;
        while at < inputs {
            // No closures around intrinsics: they would not be inlined.
            let mut xs = [isa.zero(); T];
            for t in 0..T {
                xs[t] = isa.load(x.add(t * inputs + at));
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
            at += I::WIDTH;
        }
        for (t, sums) in sums.into_iter().enumerate() {
            isa.store_sums(sums, bias, y.add(t * outputs));
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
    assert!(columns % (2 * I::WIDTH) == 0);
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
