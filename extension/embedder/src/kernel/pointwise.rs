//! What is done number by number or along one row: plain loops that the compiler makes vectors of.

use super::isa::Isa;

/// Partial sums along a row; a fixed number, so that sums do not depend on the vector width.
const LANES: usize = 16;

/// `e^x` for x ≤ 0, to a few units in the last place; below -87 it is as good as zero.
#[inline(always)]
fn exp<I: Isa>(isa: I, x: f32) -> f32 {
    // Adding and taking away 1.5 · 2²³ rounds to an integer, which then stands in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = isa.mul_add(x, std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    // ln 2 in two parts: the first is exact in few bits, so the product with it is exact too.
    let rest = isa.mul_add(whole, -0.693_359_4, x);
    let rest = isa.mul_add(whole, 2.121_944_4e-4, rest);
    // The Taylor series up to the seventh power; |rest| ≤ ln 2 / 2.
    let mut sum = 1.0 / 5040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = isa.mul_add(sum, rest, factor);
    }
    let power = (shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127)) << 23;
    sum * f32::from_bits(power)
}

/// The error function by Abramowitz and Stegun, formula 7.1.26: off by at most 1.5e-7.
#[inline(always)]
fn erf<I: Isa>(isa: I, x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / isa.mul_add(0.327_591_1, size, 1.0);
    let mut sum = 1.061_405_4;
    for factor in [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6] {
        sum = isa.mul_add(sum, t, factor);
    }
    let positive = isa.mul_add(-(sum * t), exp(isa, -size * size), 1.0);
    positive.copysign(x)
}

/// The Gaussian error linear unit, in place.
#[inline(always)]
pub(crate) fn gelu<I: Isa>(isa: I, values: &mut [f32]) {
    for x in values {
        let half = 0.5 * *x;
        *x = isa.mul_add(half, erf(isa, *x * std::f32::consts::FRAC_1_SQRT_2), half);
    }
}

/// `softmax(scale · row)` over the first `count` numbers, in place; the rest become zero.
#[inline(always)]
pub(crate) fn softmax<I: Isa>(isa: I, row: &mut [f32], count: usize, scale: f32) {
    row[count..].fill(f32::NEG_INFINITY);
    let mut largest = [f32::NEG_INFINITY; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        for (l, &x) in largest.iter_mut().zip(chunk) {
            *l = if x > *l { x } else { *l };
        }
    }
    let largest = largest.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let shift = -largest * scale;
    let mut sums = [0.0; LANES];
    for chunk in row.as_chunks_mut::<LANES>().0 {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *x = exp(isa, isa.mul_add(*x, scale, shift));
            *sum += *x;
        }
    }
    row[count..].fill(0.0);
    let factor = 1.0 / total(sums);
    for x in row {
        *x *= factor;
    }
}

/// `x + y` row by row, then normalised, scaled and shifted; the result goes to `x`.
#[inline(always)]
pub(crate) fn add_norm<I: Isa>(
    isa: I,
    x: &mut [f32],
    y: &[f32],
    (scale, shift): (&[f32], &[f32]),
    epsilon: f32,
) {
    let width = scale.len();
    let (scale, _) = scale.as_chunks::<LANES>();
    let (shift, _) = shift.as_chunks::<LANES>();
    for (x, y) in x.chunks_exact_mut(width).zip(y.chunks_exact(width)) {
        let (x, _) = x.as_chunks_mut::<LANES>();
        let (y, _) = y.as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        for (x, y) in x.iter_mut().zip(y) {
            for l in 0..LANES {
                x[l] += y[l];
                sums[l] += x[l];
            }
        }
        let mean = total(sums) / width as f32;
        let mut squares = [0.0; LANES];
        for x in x.iter_mut() {
            for l in 0..LANES {
                x[l] -= mean;
                squares[l] = isa.mul_add(x[l], x[l], squares[l]);
            }
        }
        let factor = 1.0 / (total(squares) / width as f32 + epsilon).sqrt();
        for ((x, scale), shift) in x.iter_mut().zip(scale).zip(shift) {
            for l in 0..LANES {
                x[l] = isa.mul_add(x[l] * factor, scale[l], shift[l]);
            }
        }
    }
}

#[inline(always)]
fn total(mut lanes: [f32; LANES]) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for l in 0..half {
            lanes[l] += lanes[l + half];
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::isa::Portable;

    #[test]
    fn exp_and_erf_are_close() {
        let isa = Portable::detect();
        for i in 0..=87_000 {
            let x = -f64::from(i) / 1000.0;
            let error = f64::from(exp(isa, x as f32)) / (x as f32 as f64).exp() - 1.0;
            assert!(error.abs() < 4e-7, "exp({x}) is off by {error}");
        }
        assert!(exp(isa, f32::NEG_INFINITY) < 1e-37);
        // Reference values to ten digits.
        for (x, expected) in
            [(0.0, 0.0), (0.1, 0.1124629160), (0.5, 0.5204998778), (1.0, 0.8427007929)]
                .into_iter()
                .chain([(2.0, 0.9953222650), (3.0, 0.9999779095), (9.0, 1.0)])
        {
            assert!((f64::from(erf(isa, x)) - expected).abs() < 4e-7);
            assert!((f64::from(erf(isa, -x)) + expected).abs() < 4e-7);
        }
    }

    #[test]
    fn softmax_sums_to_one_and_leaves_the_rest_zero() {
        let mut row = [3.0, 1.0, -2.0, 700.0].repeat(8);
        softmax(Portable::detect(), &mut row, 3, 0.5);
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((row[0] / row[1] - 1f32.exp()).abs() < 1e-5);
        assert!(row[3..].iter().all(|&x| x == 0.0));
    }
}
