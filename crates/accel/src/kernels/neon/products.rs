//! Products of many rows with one or several queries.

use super::WIDTH;
use std::arch::aarch64::*;

/// Rows of a tile: their four sums are added up across registers together.
const ROWS: usize = 4;
/// Queries of a tile: sixteen of the 32 registers hold sums.
const QUERIES: usize = 4;
/// Rows that stay in the first cache while all queries meet them, in bytes.
const BLOCK_BYTES: usize = 16 << 10;

#[target_feature(enable = "neon")]
pub fn products(rows: &[f32], queries: &[f32], dimensions: usize, out: &mut [f32]) {
    let count = rows.len() / dimensions;
    let block = (BLOCK_BYTES / (4 * dimensions)).max(1).next_multiple_of(ROWS);
    for start in (0..count).step_by(block) {
        let range = start..(start + block).min(count);
        let groups = queries.chunks(QUERIES * dimensions).zip(out.chunks_mut(QUERIES * count));
        for (group, out) in groups {
            match group.len() / dimensions {
                4 => tiles::<4>(rows, group, dimensions, range.clone(), out),
                3 => tiles::<3>(rows, group, dimensions, range.clone(), out),
                2 => tiles::<2>(rows, group, dimensions, range.clone(), out),
                _ => tiles::<1>(rows, group, dimensions, range.clone(), out),
            }
        }
    }
}

/// `Q` queries with the rows of a range; `out` has a row of the matrix's count for each query.
#[target_feature(enable = "neon")]
fn tiles<const Q: usize>(
    rows: &[f32],
    queries: &[f32],
    dimensions: usize,
    range: std::ops::Range<usize>,
    out: &mut [f32],
) {
    let count = rows.len() / dimensions;
    let mut row = range.start;
    while row + ROWS <= range.end {
        let tile = tile::<Q>(&rows[row * dimensions..(row + ROWS) * dimensions], queries, dimensions);
        for (query, sums) in tile.into_iter().enumerate() {
            out[query * count + row..][..ROWS].copy_from_slice(&sums);
        }
        row += ROWS;
    }
    for row in row..range.end {
        let values = &rows[row * dimensions..(row + 1) * dimensions];
        for (query, values_q) in queries.chunks_exact(dimensions).enumerate() {
            out[query * count + row] = super::dot(values, values_q);
        }
    }
}

/// `Q` queries with four rows: the four products of each query.
#[inline]
#[target_feature(enable = "neon")]
fn tile<const Q: usize>(rows: &[f32], queries: &[f32], dimensions: usize) -> [[f32; ROWS]; Q] {
    assert!(rows.len() == ROWS * dimensions && queries.len() == Q * dimensions);
    let mut sums = [[vdupq_n_f32(0.0); ROWS]; Q];
    let mut at = 0;
    while at + WIDTH <= dimensions {
        // SAFETY: at + WIDTH <= dimensions, and there are ROWS rows and Q queries of so many values; the loads need
        // no alignment.
        unsafe {
            let factors: [float32x4_t; Q] =
                std::array::from_fn(|query| vld1q_f32(queries.as_ptr().add(query * dimensions + at)));
            for row in 0..ROWS {
                let value = vld1q_f32(rows.as_ptr().add(row * dimensions + at));
                for (sums, factor) in sums.iter_mut().zip(factors) {
                    sums[row] = vfmaq_f32(sums[row], value, factor);
                }
            }
        }
        at += WIDTH;
    }
    let mut products = sums.map(|sums| totals(sums));
    for (query, products) in products.iter_mut().enumerate() {
        for (row, product) in products.iter_mut().enumerate() {
            let values = &rows[row * dimensions + at..(row + 1) * dimensions];
            let factors = &queries[query * dimensions + at..(query + 1) * dimensions];
            *product += values.iter().zip(factors).map(|(x, y)| x * y).sum::<f32>();
        }
    }
    products
}

/// The sum of the lanes of each of four registers.
#[inline]
#[target_feature(enable = "neon")]
fn totals([a, b, c, d]: [float32x4_t; ROWS]) -> [f32; ROWS] {
    let mut lanes = [0.0; ROWS];
    // SAFETY: four float32 fit into the array; the store needs no alignment.
    unsafe { vst1q_f32(lanes.as_mut_ptr(), vpaddq_f32(vpaddq_f32(a, b), vpaddq_f32(c, d))) };
    lanes
}
