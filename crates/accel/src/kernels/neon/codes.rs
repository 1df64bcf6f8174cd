//! Scans of int8 and 1-bit codes.

use crate::kernels::scalar;
use std::arch::aarch64::*;

/// Rows that meet the query together.
const ROWS: usize = 4;
const BYTES: usize = 16;
const WORDS: usize = 4;
/// Words whose bits are counted within bytes: 31 times 8 of them fit.
const BLOCK_WORDS: usize = 31 * WORDS;

#[target_feature(enable = "neon")]
pub fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    let [product] = products_i8([a], b);
    product
}

#[target_feature(enable = "neon")]
pub fn scan_i8(rows: &[i8], query: &[i8], out: &mut [i32]) {
    let (tiles, rest) = out.as_chunks_mut::<ROWS>();
    let mut rows = rows.chunks_exact(query.len());
    for out in tiles {
        *out = products_i8(next_rows(&mut rows), query);
    }
    for (out, row) in rest.iter_mut().zip(rows) {
        *out = dot_i8(row, query);
    }
}

/// Products of rows with a query. A product of two bytes fits into 16 bits, the sum of two of (-128)^2 does not: so each is
/// added to 32 bits at once.
#[inline]
#[target_feature(enable = "neon")]
fn products_i8<const N: usize>(rows: [&[i8]; N], query: &[i8]) -> [i32; N] {
    let length = rows.iter().fold(query.len(), |length, row| length.min(row.len()));
    let mut sums = [vdupq_n_s32(0); N];
    let mut at = 0;
    while at + BYTES <= length {
        // SAFETY: at + BYTES <= length of all; the loads need no alignment.
        let factor = unsafe { vld1q_s8(query.as_ptr().add(at)) };
        for (row, sum) in rows.iter().zip(&mut sums) {
            // SAFETY: as above.
            let value = unsafe { vld1q_s8(row.as_ptr().add(at)) };
            let low = vmull_s8(vget_low_s8(value), vget_low_s8(factor));
            *sum = vpadalq_s16(vpadalq_s16(*sum, low), vmull_high_s8(value, factor));
        }
        at += BYTES;
    }
    std::array::from_fn(|row| {
        vaddvq_s32(sums[row]) + scalar::dot_i8(&rows[row][at..length], &query[at..length])
    })
}

#[target_feature(enable = "neon")]
pub fn hamming(a: &[u32], b: &[u32]) -> u32 {
    let [differing] = differing([a], b);
    differing
}

#[target_feature(enable = "neon")]
pub fn scan_hamming(rows: &[u32], query: &[u32], out: &mut [u32]) {
    let (tiles, rest) = out.as_chunks_mut::<ROWS>();
    let mut rows = rows.chunks_exact(query.len());
    for out in tiles {
        *out = differing(next_rows(&mut rows), query);
    }
    for (out, row) in rest.iter_mut().zip(rows) {
        *out = hamming(row, query);
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn differing<const N: usize>(rows: [&[u32]; N], query: &[u32]) -> [u32; N] {
    let length = rows.iter().fold(query.len(), |length, row| length.min(row.len()));
    let whole = length - length % WORDS;
    let mut totals = rows.map(|row| scalar::hamming(&row[whole..length], &query[whole..length]));
    for start in (0..whole).step_by(BLOCK_WORDS) {
        let mut counts = [vdupq_n_u8(0); N];
        for at in (start..whole.min(start + BLOCK_WORDS)).step_by(WORDS) {
            // SAFETY: at + WORDS <= whole <= length of all; the loads need no alignment.
            let other = unsafe { vld1q_u32(query.as_ptr().add(at)) };
            for (row, count) in rows.iter().zip(&mut counts) {
                // SAFETY: as above.
                let differ = veorq_u32(unsafe { vld1q_u32(row.as_ptr().add(at)) }, other);
                *count = vaddq_u8(*count, vcntq_u8(vreinterpretq_u8_u32(differ)));
            }
        }
        for (total, count) in totals.iter_mut().zip(counts) {
            *total += u32::from(vaddlvq_u8(count));
        }
    }
    totals
}

fn next_rows<'a, T>(rows: &mut std::slice::ChunksExact<'a, T>) -> [&'a [T]; ROWS] {
    std::array::from_fn(|_| rows.next().expect("there are as many rows as results"))
}
