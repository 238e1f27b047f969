//! The numeric kernels, written once and compiled for each set of vector instructions.
#![expect(unsafe_code, reason = "calls into functions compiled for instructions found at run time")]

mod attention;
mod buffer;
mod isa;
mod matrix;
mod pointwise;

pub(crate) use attention::Scratch;
pub(crate) use buffer::Buffer;
use isa::Portable;
#[cfg(target_arch = "x86_64")]
use isa::{Avx2, Avx512};
pub(crate) use matrix::{Rows, RowsMut};

/// A set of vector instructions to compute with. For tests and measurements.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// What every processor of the target has.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512F.
    Avx512,
}

impl Kernel {
    /// The kernels that this processor can run, the best last.
    pub fn available() -> Vec<Self> {
        let all = [Self::Portable, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|&kernel| Ops::new(kernel).is_some()).collect()
    }

    /// Its name: `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// The kernels in use, with the proof that the processor can run them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ops {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Ops {
    /// The kernels asked for; `None` if the processor cannot run them.
    pub(crate) fn new(kernel: Kernel) -> Option<Self> {
        match kernel {
            Kernel::Portable => Some(Self::Portable(Portable::detect())),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => Avx512::detect().map(Self::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        }
    }

    /// The best kernels that the processor can run.
    pub(crate) fn best() -> Self {
        [Kernel::Avx512, Kernel::Avx2]
            .into_iter()
            .find_map(Self::new)
            .unwrap_or(Self::Portable(Portable::detect()))
    }
}

/// Makes a method of [`Ops`] out of each generic function, which it compiles once for every
/// instruction set.
macro_rules! dispatch {
    ($($(#[$doc:meta])* $module:ident::$name:ident($($arg:ident: $type:ty),*);)*) => {
        impl Ops {
            $($(#[$doc])*
            pub(crate) fn $name(self, $($arg: $type),*) {
                match self {
                    Self::Portable(isa) => $module::$name(isa, $($arg),*),
                    // SAFETY: `isa` proves that the processor has these instructions.
                    #[cfg(target_arch = "x86_64")]
                    Self::Avx2(isa) => unsafe { avx2::$name(isa, $($arg),*) },
                    // SAFETY: `isa` proves that the processor has these instructions.
                    #[cfg(target_arch = "x86_64")]
                    Self::Avx512(isa) => unsafe { avx512::$name(isa, $($arg),*) },
                }
            })*
        }

        #[cfg(target_arch = "x86_64")]
        mod avx2 {
            use super::*;
            $(#[target_feature(enable = "avx2,fma")]
            pub(super) fn $name(isa: Avx2, $($arg: $type),*) {
                $module::$name(isa, $($arg),*);
            })*
        }

        #[cfg(target_arch = "x86_64")]
        mod avx512 {
            use super::*;
            $(#[target_feature(enable = "avx512f,avx2,fma")]
            pub(super) fn $name(isa: Avx512, $($arg: $type),*) {
                $module::$name(isa, $($arg),*);
            })*
        }
    };
}

dispatch! {
    /// `y[t][o] = bias[o] + Σ x[t][i] · weight[o][i]`.
    matrix::linear(x: Rows<'_>, weight: &[f32], bias: &[f32], y: RowsMut<'_>, tokens: usize);
    /// Attention within one window; all matrices are `[tokens, 384]`.
    attention::attention(
        queries: &[f32],
        keys: &[f32],
        values: &[f32],
        context: &mut [f32],
        scratch: &mut Scratch
    );
    /// The Gaussian error linear unit, in place.
    pointwise::gelu(values: &mut [f32]);
    /// `x + y` row by row, then layer norm; the result goes to `x`.
    pointwise::add_norm(x: &mut [f32], y: &[f32], norm: (&[f32], &[f32]), epsilon: f32);
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    /// Numbers between -1 and 1 without a pattern.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn linear_is_the_sum_of_products() {
        let (inputs, outputs, x_stride, y_stride) = (768, 72, 800, 75);
        let weight = numbers(inputs * outputs, 1);
        let bias = numbers(outputs, 2);
        for kernel in Kernel::available() {
            for tokens in [0, 1, 2, 5, 6, 7, 23, 24, 25, 50] {
                let x = numbers(tokens * x_stride, 3);
                let mut y = vec![f32::NAN; tokens * y_stride];
                let rows = Rows { data: &x, stride: x_stride };
                let to = RowsMut { data: &mut y, stride: y_stride };
                Ops::new(kernel).unwrap().linear(rows, &weight, &bias, to, tokens);
                for (t, y) in y.chunks_exact(y_stride).enumerate() {
                    let x = &x[t * x_stride..][..inputs];
                    for (o, w) in weight.chunks_exact(inputs).enumerate() {
                        let products = x.iter().zip(w).map(|(&x, &w)| f64::from(x) * f64::from(w));
                        let expected = f64::from(bias[o]) + products.sum::<f64>();
                        assert!((f64::from(y[o]) - expected).abs() < 1e-4, "{kernel:?}");
                    }
                    // What lies between the rows is left alone.
                    assert!(y[outputs..].iter().all(|x| x.is_nan()));
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "fits")]
    fn a_matrix_that_is_too_small_is_refused() {
        let (x, mut y) = (vec![0.0; 2 * 384 - 1], vec![0.0; 8]);
        let rows = Rows { data: &x, stride: 384 };
        let to = RowsMut { data: &mut y, stride: 4 };
        Ops::best().linear(rows, &[0.0; 4 * 384], &[0.0; 4], to, 2);
    }
}
