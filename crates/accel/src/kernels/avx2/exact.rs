//! Dot products in float64, with the bits of the definition: its four sums are the four lanes.

use crate::kernels::scalar;
use std::arch::x86_64::*;

#[target_feature(enable = "avx2,fma")]
pub fn dot_exact(a: &[f32], b: &[f32]) -> f64 {
    let [product] = products([a], b);
    product
}

/// Of four rows at a time: while one waits for the sum before, the others go on.
#[target_feature(enable = "avx2,fma")]
pub fn dots_exact(rows: [&[f32]; 4], query: &[f32]) -> [f64; 4] {
    products(rows, query)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn products<const ROWS: usize>(rows: [&[f32]; ROWS], query: &[f32]) -> [f64; ROWS] {
    let length = rows.iter().fold(query.len(), |length, row| length.min(row.len()));
    let mut sums = [_mm256_setzero_pd(); ROWS];
    let mut at = 0;
    while at + 4 <= length {
        // SAFETY: at + 4 <= length of all; the loads need no alignment.
        let y = unsafe { _mm256_cvtps_pd(_mm_loadu_ps(query.as_ptr().add(at))) };
        for (row, sum) in rows.iter().zip(&mut sums) {
            // SAFETY: as above.
            let x = unsafe { _mm256_cvtps_pd(_mm_loadu_ps(row.as_ptr().add(at))) };
            *sum = _mm256_fmadd_pd(x, y, *sum);
        }
        at += 4;
    }
    std::array::from_fn(|row| {
        let mut lanes = [0.0; 4];
        // SAFETY: four float64 fit into the array; the store needs no alignment.
        unsafe { _mm256_storeu_pd(lanes.as_mut_ptr(), sums[row]) };
        scalar::finish_exact(lanes, &rows[row][at..length], &query[at..length])
    })
}
