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
    matrix::linear(x: &[f32], weight: &[f32], bias: &[f32], y: &mut [f32]);
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
