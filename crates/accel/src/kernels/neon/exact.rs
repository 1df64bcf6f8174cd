//! Dot products in float64, with the bits of the definition: its four sums are the lanes of two registers.

use crate::kernels::scalar;
use std::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub fn dot_exact(a: &[f32], b: &[f32]) -> f64 {
    let [product] = products([a], b);
    product
}

/// Of four rows at a time: while one waits for the sum before, the others go on.
#[target_feature(enable = "neon")]
pub fn dots_exact(rows: [&[f32]; 4], query: &[f32]) -> [f64; 4] {
    products(rows, query)
}

#[inline]
#[target_feature(enable = "neon")]
fn products<const ROWS: usize>(rows: [&[f32]; ROWS], query: &[f32]) -> [f64; ROWS] {
    let length = rows.iter().fold(query.len(), |length, row| length.min(row.len()));
    let mut sums = [[vdupq_n_f64(0.0); 2]; ROWS];
    let mut at = 0;
    while at + 4 <= length {
        // SAFETY: at + 4 <= length of all; the loads need no alignment.
        let y = unsafe { vld1q_f32(query.as_ptr().add(at)) };
        let [low, high] = doubles(y);
        for (row, sums) in rows.iter().zip(&mut sums) {
            // SAFETY: as above.
            let x = unsafe { vld1q_f32(row.as_ptr().add(at)) };
            let [x_low, x_high] = doubles(x);
            *sums = [vfmaq_f64(sums[0], x_low, low), vfmaq_f64(sums[1], x_high, high)];
        }
        at += 4;
    }
    std::array::from_fn(|row| {
        let [low, high] = sums[row];
        let lanes = [
            vgetq_lane_f64::<0>(low),
            vgetq_lane_f64::<1>(low),
            vgetq_lane_f64::<0>(high),
            vgetq_lane_f64::<1>(high),
        ];
        scalar::finish_exact(lanes, &rows[row][at..length], &query[at..length])
    })
}

#[inline]
#[target_feature(enable = "neon")]
fn doubles(values: float32x4_t) -> [float64x2_t; 2] {
    [vcvt_f64_f32(vget_low_f32(values)), vcvt_high_f64_f32(values)]
}
