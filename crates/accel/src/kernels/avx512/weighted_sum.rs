use crate::kernels::scalar;
use std::arch::x86_64::*;

const WIDTH: usize = 16;
/// Sums that stay in registers while rows pass.
const SUMS: usize = 8;

#[target_feature(enable = "avx512f")]
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
#[target_feature(enable = "avx512f")]
fn columns<const N: usize>(rows: &[f32], weights: &[f32], out: &mut [f32], at: usize) {
    let dimensions = out.len();
    assert!(at + N * WIDTH <= dimensions && rows.len() == dimensions * weights.len());
    // SAFETY: at + N * WIDTH <= dimensions, of `out` and of each of as many rows as weights.
    unsafe {
        let to = out.as_mut_ptr().add(at);
        let mut sums: [__m512; N] = std::array::from_fn(|n| _mm512_loadu_ps(to.add(n * WIDTH)));
        for (row, &weight) in weights.iter().enumerate() {
            let from = rows.as_ptr().add(row * dimensions + at);
            let weight = _mm512_set1_ps(weight);
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_fmadd_ps(_mm512_loadu_ps(from.add(n * WIDTH)), weight, *sum);
            }
        }
        for (n, sum) in sums.into_iter().enumerate() {
            _mm512_storeu_ps(to.add(n * WIDTH), sum);
        }
    }
}
