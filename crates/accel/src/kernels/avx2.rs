//! AVX2 with FMA: eight float32 or four float64 at a time.

mod codes;
mod exact;
mod hadamard;
mod products;
mod weighted_sum;

pub use codes::{scan_hamming, scan_i8};
pub use exact::{dot_exact, dots_exact};
pub use hadamard::hadamard;
pub use products::products;
pub use weighted_sum::weighted_sum;

use super::{UpperBound, scalar};
use std::arch::x86_64::*;

const WIDTH: usize = 8;
/// Four sums hide the latency of the fused multiply-add.
const STEP: usize = 4 * WIDTH;

/// The scalar definition, which the compiler turns into instructions for eight rows at a time.
#[target_feature(enable = "avx2")]
pub fn upper_bounds(
    bound: &UpperBound,
    counts: &[i32],
    scalars: &[[f32; 2]],
    threshold: f32,
    out: &mut [f32],
) -> u64 {
    scalar::upper_bounds(bound, counts, scalars, threshold, out)
}

#[target_feature(enable = "avx2,fma")]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut sums = [_mm256_setzero_ps(); 4];
    let mut at = 0;
    while at + STEP <= length {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let from = at + lane * WIDTH;
            // SAFETY: from + WIDTH <= at + STEP <= length of both.
            *sum = unsafe { multiply_add(a, b, from, *sum) };
        }
        at += STEP;
    }
    while at + WIDTH <= length {
        // SAFETY: at + WIDTH <= length of both.
        sums[0] = unsafe { multiply_add(a, b, at, sums[0]) };
        at += WIDTH;
    }
    let tail: f32 = a[at..].iter().zip(&b[at..]).map(|(x, y)| x * y).sum();
    total(sums) + tail
}

/// # Safety
/// `at + WIDTH` is within both slices.
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn multiply_add(a: &[f32], b: &[f32], at: usize, sum: __m256) -> __m256 {
    // SAFETY: the caller keeps the reads within the slices; the loads need no alignment.
    unsafe {
        let x = _mm256_loadu_ps(a.as_ptr().add(at));
        let y = _mm256_loadu_ps(b.as_ptr().add(at));
        _mm256_fmadd_ps(x, y, sum)
    }
}

#[target_feature(enable = "avx2")]
pub fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut sums = [_mm256_setzero_si256(); 4];
    let mut at = 0;
    while at + 64 <= length {
        for (lane, sum) in sums.iter_mut().enumerate() {
            // SAFETY: at + lane * 16 + 16 <= at + 64 <= length of both.
            *sum = _mm256_add_epi32(*sum, unsafe { multiply_bytes(a, b, at + lane * 16) });
        }
        at += 64;
    }
    while at + 16 <= length {
        // SAFETY: at + 16 <= length of both.
        sums[0] = _mm256_add_epi32(sums[0], unsafe { multiply_bytes(a, b, at) });
        at += 16;
    }
    let all = _mm256_add_epi32(_mm256_add_epi32(sums[0], sums[1]), _mm256_add_epi32(sums[2], sums[3]));
    let mut lanes = [0i32; 8];
    // SAFETY: eight int32 fit into the array; the store needs no alignment.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), all) };
    lanes.iter().sum::<i32>() + scalar::dot_i8(&a[at..], &b[at..])
}

/// Sixteen products, added in pairs.
///
/// # Safety
/// `at + 16` is within both slices.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn multiply_bytes(a: &[i8], b: &[i8], at: usize) -> __m256i {
    // SAFETY: the caller keeps the reads within the slices; the loads need no alignment.
    let (x, y) =
        unsafe { (_mm_loadu_si128(a.as_ptr().add(at).cast()), _mm_loadu_si128(b.as_ptr().add(at).cast())) };
    _mm256_madd_epi16(_mm256_cvtepi8_epi16(x), _mm256_cvtepi8_epi16(y))
}

/// The definition with the processor's own bit count, two words at a time.
#[target_feature(enable = "popcnt")]
pub fn hamming(a: &[u32], b: &[u32]) -> u32 {
    let wide = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair[1]) << 32;
    let (pairs_a, pairs_b) = (a.chunks_exact(2), b.chunks_exact(2));
    let rest = scalar::hamming(pairs_a.remainder(), pairs_b.remainder());
    pairs_a.zip(pairs_b).map(|(x, y)| (wide(x) ^ wide(y)).count_ones()).sum::<u32>() + rest
}

#[target_feature(enable = "avx2,fma")]
pub fn sum(values: &[f32]) -> f32 {
    let mut sums = [_mm256_setzero_ps(); 4];
    let mut at = 0;
    while at + STEP <= values.len() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            // SAFETY: at + STEP <= length; the load needs no alignment.
            let x = unsafe { _mm256_loadu_ps(values.as_ptr().add(at + lane * WIDTH)) };
            *sum = _mm256_add_ps(*sum, x);
        }
        at += STEP;
    }
    total(sums) + values[at..].iter().sum::<f32>()
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn total(sums: [__m256; 4]) -> f32 {
    let all = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
    let mut lanes = [0.0; WIDTH];
    // SAFETY: eight float32 fit into the array; the store needs no alignment.
    unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), all) };
    lanes.iter().sum()
}
