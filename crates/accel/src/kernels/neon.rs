//! NEON, which every 64-bit ARM has: four float32 or two float64 at a time.

mod codes;
mod exact;
mod hadamard;
mod products;
mod upper_bounds;
mod weighted_sum;

use super::{InstructionSet, Kernels, scalar};
use codes::{dot_i8, hamming, scan_hamming, scan_i8};
use exact::{dot_exact, dots_exact};
use hadamard::hadamard;
use products::products;
use std::arch::aarch64::*;
use upper_bounds::upper_bounds;
use weighted_sum::weighted_sum;

pub fn available() -> Option<Kernels> {
    std::arch::is_aarch64_feature_detected!("neon").then_some(Kernels {
        set: InstructionSet::Neon,
        single_stream: false,
        // SAFETY: NEON was detected above.
        dot: |a, b| unsafe { dot(a, b) },
        // SAFETY: as above.
        dot_exact: |a, b| unsafe { dot_exact(a, b) },
        // SAFETY: as above.
        dots_exact: |rows, query| unsafe { dots_exact(rows, query) },
        // SAFETY: as above.
        products: |rows, queries, dimensions, out| unsafe { products(rows, queries, dimensions, out) },
        // SAFETY: as above.
        dot_i8: |a, b| unsafe { dot_i8(a, b) },
        // SAFETY: as above.
        scan_i8: |rows, query, _, out| unsafe { scan_i8(rows, query, out) },
        products_i8: |rows, queries, dimensions, out| {
            // SAFETY: as above.
            let scan = |rows: &[i8], query: &[i8], out: &mut [i32]| unsafe { scan_i8(rows, query, out) };
            scalar::products_i8(scan, rows, queries, dimensions, out);
        },
        // SAFETY: as above.
        hamming: |a, b| unsafe { hamming(a, b) },
        hamming_planes: |code, planes| {
            // SAFETY: as above.
            scalar::hamming_planes(|a, b| unsafe { hamming(a, b) }, code, planes)
        },
        // SAFETY: as above.
        scan_hamming: |codes, query, out| unsafe { scan_hamming(codes, query, out) },
        // SAFETY: as above.
        upper_bounds: |bound, counts, scalars, threshold, out| unsafe {
            upper_bounds(bound, counts, scalars, threshold, out)
        },
        // SAFETY: as above.
        weighted_sum: |rows, weights, out| unsafe { weighted_sum(rows, weights, out) },
        // SAFETY: as above.
        hadamard: |values| unsafe { hadamard(values) },
        // SAFETY: as above.
        sum: |values| unsafe { sum(values) },
    })
}

const WIDTH: usize = 4;
/// Four sums hide the latency of the fused multiply-add.
const STEP: usize = 4 * WIDTH;

#[target_feature(enable = "neon")]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut sums = [vdupq_n_f32(0.0); 4];
    let mut at = 0;
    while at + STEP <= length {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let from = at + lane * WIDTH;
            // SAFETY: from + WIDTH <= at + STEP <= length of both; the loads need no alignment.
            let (x, y) = unsafe { (vld1q_f32(a.as_ptr().add(from)), vld1q_f32(b.as_ptr().add(from))) };
            *sum = vfmaq_f32(*sum, x, y);
        }
        at += STEP;
    }
    let tail: f32 = a[at..].iter().zip(&b[at..]).map(|(x, y)| x * y).sum();
    total(sums) + tail
}

#[target_feature(enable = "neon")]
pub fn sum(values: &[f32]) -> f32 {
    let mut sums = [vdupq_n_f32(0.0); 4];
    let mut at = 0;
    while at + STEP <= values.len() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            // SAFETY: at + STEP <= length; the load needs no alignment.
            let x = unsafe { vld1q_f32(values.as_ptr().add(at + lane * WIDTH)) };
            *sum = vaddq_f32(*sum, x);
        }
        at += STEP;
    }
    total(sums) + values[at..].iter().sum::<f32>()
}

#[inline]
#[target_feature(enable = "neon")]
fn total(sums: [float32x4_t; 4]) -> f32 {
    vaddvq_f32(vaddq_f32(vaddq_f32(sums[0], sums[1]), vaddq_f32(sums[2], sums[3])))
}
