use super::WIDTH;
use crate::kernels::scalar;
use std::arch::aarch64::*;

/// Sums that stay in registers while rows pass: half of the 32.
const SUMS: usize = 16;

#[target_feature(enable = "neon")]
pub fn weighted_sum(rows: &[f32], weights: &[f32], out: &mut [f32]) {
    let dimensions = out.len();
    assert!(rows.len() == dimensions * weights.len());
    let mut at = 0;
    while at + SUMS * WIDTH <= dimensions {
        columns::<SUMS>(rows, weights, out, at);
        at += SUMS * WIDTH;
    }
    while at + WIDTH <= dimensions {
        columns::<1>(rows, weights, out, at);
        at += WIDTH;
    }
    if at < dimensions {
        for (row, weight) in rows.chunks_exact(dimensions).zip(weights) {
            scalar::weighted_sum(&row[at..], std::slice::from_ref(weight), &mut out[at..]);
        }
    }
}

/// `N` registers of columns from `at` on.
#[inline]
#[target_feature(enable = "neon")]
fn columns<const N: usize>(rows: &[f32], weights: &[f32], out: &mut [f32], at: usize) {
    let dimensions = out.len();
    assert!(at + N * WIDTH <= dimensions && rows.len() == dimensions * weights.len());
    // SAFETY: at + N * WIDTH <= dimensions, of `out` and of each of as many rows as weights.
    unsafe {
        let to = out.as_mut_ptr().add(at);
        let mut sums: [float32x4_t; N] = std::array::from_fn(|n| vld1q_f32(to.add(n * WIDTH)));
        for (row, &weight) in weights.iter().enumerate() {
            let from = rows.as_ptr().add(row * dimensions + at);
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = vfmaq_n_f32(*sum, vld1q_f32(from.add(n * WIDTH)), weight);
            }
        }
        for (n, sum) in sums.into_iter().enumerate() {
            vst1q_f32(to.add(n * WIDTH), sum);
        }
    }
}
