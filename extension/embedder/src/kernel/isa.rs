//! Vectors of floats on the processors that are told apart.
#![expect(unsafe_code, reason = "processor intrinsics behind a proof of their presence")]

/// A set of vector instructions.
///
/// A value of a type that implements this proves that the running processor has the instructions:
/// there is no way to make one but the type's `detect`. So the methods are safe, except for those
/// that take a pointer. They are meant to be inlined into a function that enables the instructions
/// for the compiler, else every one of them is a call.
pub(crate) trait Isa: Copy {
    /// A vector.
    type V: Copy;
    /// Floats in a vector.
    const WIDTH: usize;
    /// Rows of a register tile that is four vectors wide.
    const ROWS: usize;

    /// All zero.
    fn zero(self) -> Self::V;
    /// All the same.
    fn splat(self, value: f32) -> Self::V;
    /// `a * b + c`.
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a * b + c` on scalars, as fast as the processor can and in loops that become vectors.
    fn mul_add(self, a: f32, b: f32, c: f32) -> f32;
    /// Asks for the memory at `p`, which may lie anywhere.
    fn prefetch(self, p: *const f32);
    /// Reads a vector.
    ///
    /// # Safety
    /// `p` must be valid for reads of [`Self::WIDTH`] floats; it need not be aligned.
    unsafe fn load(self, p: *const f32) -> Self::V;
    /// Writes a vector.
    ///
    /// # Safety
    /// `p` must be valid for writes of [`Self::WIDTH`] floats; it need not be aligned.
    unsafe fn store(self, p: *mut f32, v: Self::V);
    /// Writes the sum of each of four vectors, plus a bias each. The order of additions within a
    /// vector is fixed.
    ///
    /// # Safety
    /// `bias` must be valid for reads and `p` for writes of four floats, aligned for floats.
    unsafe fn store_sums(self, vectors: [Self::V; 4], bias: *const f32, p: *mut f32);
}

/// Plain Rust in the shape of four-wide vectors: SSE2 on x86-64, NEON on aarch64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable(());

impl Portable {
    pub(crate) fn detect() -> Self {
        Self(())
    }
}

impl Isa for Portable {
    type V = [f32; 4];
    const WIDTH: usize = 4;
    const ROWS: usize = if cfg!(target_arch = "aarch64") { 6 } else { 2 };

    #[inline(always)]
    fn zero(self) -> Self::V {
        [0.0; 4]
    }

    #[inline(always)]
    fn splat(self, value: f32) -> Self::V {
        [value; 4]
    }

    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        // Spelled out, as the compiler makes one instruction of this, and four of a loop.
        [
            self.mul_add(a[0], b[0], c[0]),
            self.mul_add(a[1], b[1], c[1]),
            self.mul_add(a[2], b[2], c[2]),
            self.mul_add(a[3], b[3], c[3]),
        ]
    }

    #[inline(always)]
    fn mul_add(self, a: f32, b: f32, c: f32) -> f32 {
        // Where the target has no such instruction, `mul_add` is a slow call.
        if cfg!(any(target_arch = "aarch64", target_feature = "fma")) {
            a.mul_add(b, c)
        } else {
            a * b + c
        }
    }

    #[inline(always)]
    fn prefetch(self, _: *const f32) {}

    #[inline(always)]
    unsafe fn load(self, p: *const f32) -> Self::V {
        // SAFETY: the caller vouches for `p`; the read asks for no alignment.
        unsafe { p.cast::<Self::V>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut f32, v: Self::V) {
        // SAFETY: the caller vouches for `p`; the write asks for no alignment.
        unsafe { p.cast::<Self::V>().write_unaligned(v) }
    }

    #[inline(always)]
    unsafe fn store_sums(self, vectors: [Self::V; 4], bias: *const f32, p: *mut f32) {
        for (i, v) in vectors.into_iter().enumerate() {
            let sum = (v[0] + v[2]) + (v[1] + v[3]);
            // SAFETY: the caller vouches for four floats at `bias` and `p`.
            unsafe { *p.add(i) = sum + *bias.add(i) };
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Isa;

    /// AVX2 with fused multiply-add.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        pub(crate) fn detect() -> Option<Self> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
                .then_some(Self(()))
        }
    }

    /// AVX-512, its foundation, with AVX2 and fused multiply-add.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx512 {
        pub(crate) fn detect() -> Option<Self> {
            (is_x86_feature_detected!("avx512f") && Avx2::detect().is_some()).then_some(Self(()))
        }
    }

    impl Isa for Avx2 {
        type V = __m256;
        const WIDTH: usize = 8;
        const ROWS: usize = 3;

        #[inline(always)]
        fn zero(self) -> __m256 {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_setzero_ps() }
        }

        #[inline(always)]
        fn splat(self, value: f32) -> __m256 {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_set1_ps(value) }
        }

        #[inline(always)]
        fn fma(self, a: __m256, b: __m256, c: __m256) -> __m256 {
            // SAFETY: `self` proves FMA.
            unsafe { _mm256_fmadd_ps(a, b, c) }
        }

        #[inline(always)]
        fn mul_add(self, a: f32, b: f32, c: f32) -> f32 {
            a.mul_add(b, c)
        }

        #[inline(always)]
        fn prefetch(self, p: *const f32) {
            // SAFETY: prefetching does not access memory as far as the program can tell.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(p.cast()) }
        }

        #[inline(always)]
        unsafe fn load(self, p: *const f32) -> __m256 {
            // SAFETY: `self` proves AVX2, the caller vouches for `p`.
            unsafe { _mm256_loadu_ps(p) }
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut f32, v: __m256) {
            // SAFETY: `self` proves AVX2, the caller vouches for `p`.
            unsafe { _mm256_storeu_ps(p, v) }
        }

        #[inline(always)]
        unsafe fn store_sums(self, [a, b, c, d]: [__m256; 4], bias: *const f32, p: *mut f32) {
            // SAFETY: `self` proves AVX2, the caller vouches for `bias` and `p`.
            unsafe {
                let ab = _mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let cd = _mm256_add_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                let (ab, cd) = (_mm256_castps_pd(ab), _mm256_castps_pd(cd));
                let low = _mm256_castpd_ps(_mm256_unpacklo_pd(ab, cd));
                let high = _mm256_castpd_ps(_mm256_unpackhi_pd(ab, cd));
                let sum = _mm256_add_ps(low, high);
                let sum = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
                _mm_storeu_ps(p, _mm_add_ps(sum, _mm_loadu_ps(bias)));
            }
        }
    }

    impl Isa for Avx512 {
        type V = __m512;
        const WIDTH: usize = 16;
        const ROWS: usize = 6;

        #[inline(always)]
        fn zero(self) -> __m512 {
            // SAFETY: `self` proves AVX-512F.
            unsafe { _mm512_setzero_ps() }
        }

        #[inline(always)]
        fn splat(self, value: f32) -> __m512 {
            // SAFETY: `self` proves AVX-512F.
            unsafe { _mm512_set1_ps(value) }
        }

        #[inline(always)]
        fn fma(self, a: __m512, b: __m512, c: __m512) -> __m512 {
            // SAFETY: `self` proves AVX-512F.
            unsafe { _mm512_fmadd_ps(a, b, c) }
        }

        #[inline(always)]
        fn mul_add(self, a: f32, b: f32, c: f32) -> f32 {
            a.mul_add(b, c)
        }

        #[inline(always)]
        fn prefetch(self, p: *const f32) {
            // SAFETY: prefetching does not access memory as far as the program can tell.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(p.cast()) }
        }

        #[inline(always)]
        unsafe fn load(self, p: *const f32) -> __m512 {
            // SAFETY: `self` proves AVX-512F, the caller vouches for `p`.
            unsafe { _mm512_loadu_ps(p) }
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut f32, v: __m512) {
            // SAFETY: `self` proves AVX-512F, the caller vouches for `p`.
            unsafe { _mm512_storeu_ps(p, v) }
        }

        #[inline(always)]
        unsafe fn store_sums(self, [a, b, c, d]: [__m512; 4], bias: *const f32, p: *mut f32) {
            // SAFETY: `self` proves AVX-512F and AVX2, the caller vouches for `bias` and `p`.
            unsafe {
                let ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
                let cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
                let (ab, cd) = (_mm512_castps_pd(ab), _mm512_castps_pd(cd));
                let low = _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd));
                let high = _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd));
                let sum = _mm512_castps_pd(_mm512_add_ps(low, high));
                let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(sum));
                let lower = _mm256_castpd_ps(_mm512_castpd512_pd256(sum));
                let sum = _mm256_add_ps(lower, upper);
                let sum = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
                _mm_storeu_ps(p, _mm_add_ps(sum, _mm_loadu_ps(bias)));
            }
        }
    }
}
