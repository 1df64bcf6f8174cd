//! NEON, which every 64-bit ARM has: four float32 at a time.

use super::{InstructionSet, Kernels, scalar};
use std::arch::aarch64::*;

/// Scalar code of a 64-bit ARM processor has NEON too: only what must not change the order of its sums is
/// written out here.
pub fn available(scalar: Kernels) -> Option<Kernels> {
    std::arch::is_aarch64_feature_detected!("neon").then_some(Kernels {
        set: InstructionSet::Neon,
        // SAFETY: NEON was detected above.
        dot: |a, b| unsafe { dot(a, b) },
        products: |rows, queries, dimensions, out| {
            // SAFETY: as above.
            scalar::products(|a, b| unsafe { dot(a, b) }, rows, queries, dimensions, out);
        },
        // SAFETY: as above.
        sum: |values| unsafe { sum(values) },
        ..scalar
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
