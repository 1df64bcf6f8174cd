//! AVX-512F: sixteen float32 at a time, the rest under a mask. Processors that have it also have AVX2 and
//! FMA.

mod codes;
mod hadamard;
mod products;
mod upper_bounds;
mod weighted_sum;

pub use codes::{dot_i8, hamming, hamming_planes, products_i8, scan_hamming, scan_i8};
pub use hadamard::hadamard;
pub use products::products;
pub use upper_bounds::upper_bounds;
pub use weighted_sum::weighted_sum;

use std::arch::x86_64::*;

const WIDTH: usize = 16;
/// Four sums hide the latency of the fused multiply-add.
const STEP: usize = 4 * WIDTH;

#[target_feature(enable = "avx512f")]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut sums = [_mm512_setzero_ps(); 4];
    let mut at = 0;
    while at + STEP <= length {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let from = at + lane * WIDTH;
            // SAFETY: from + WIDTH <= at + STEP <= length of both; the loads need no alignment.
            let (x, y) =
                unsafe { (_mm512_loadu_ps(a.as_ptr().add(from)), _mm512_loadu_ps(b.as_ptr().add(from))) };
            *sum = _mm512_fmadd_ps(x, y, *sum);
        }
        at += STEP;
    }
    while at < length {
        let mask = first((length - at).min(WIDTH));
        // SAFETY: the mask lets through only what lies before `length`; other lanes are not read.
        let (x, y) = unsafe {
            (_mm512_maskz_loadu_ps(mask, a.as_ptr().add(at)), _mm512_maskz_loadu_ps(mask, b.as_ptr().add(at)))
        };
        sums[0] = _mm512_fmadd_ps(x, y, sums[0]);
        at += WIDTH;
    }
    total(sums)
}

#[target_feature(enable = "avx512f")]
pub fn sum(values: &[f32]) -> f32 {
    let mut sums = [_mm512_setzero_ps(); 4];
    let mut at = 0;
    while at + STEP <= values.len() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            // SAFETY: at + STEP <= length; the load needs no alignment.
            let x = unsafe { _mm512_loadu_ps(values.as_ptr().add(at + lane * WIDTH)) };
            *sum = _mm512_add_ps(*sum, x);
        }
        at += STEP;
    }
    total(sums) + values[at..].iter().sum::<f32>()
}

/// A mask of the first `count` lanes, 1 to 16.
fn first(count: usize) -> __mmask16 {
    u16::MAX >> (WIDTH - count)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn total(sums: [__m512; 4]) -> f32 {
    let all = _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3]));
    _mm512_reduce_add_ps(all)
}
