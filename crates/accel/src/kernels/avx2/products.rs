//! Products of many rows with one or several queries.

use std::arch::x86_64::*;

const WIDTH: usize = 8;
/// Rows of a tile: their four sums are added up across registers together.
const ROWS: usize = 4;
/// Queries of a tile: twelve of the sixteen registers hold sums.
const QUERIES: usize = 3;
/// Rows that stay in the first cache while all queries meet them, in bytes.
const BLOCK_BYTES: usize = 16 << 10;
/// How far ahead of its use a row is asked for, in float32: the hardware stops at page boundaries.
const AHEAD: usize = 1024;

#[target_feature(enable = "avx2,fma")]
pub fn products(rows: &[f32], queries: &[f32], dimensions: usize, out: &mut [f32]) {
    let count = rows.len() / dimensions;
    let block = (BLOCK_BYTES / (4 * dimensions)).max(1).next_multiple_of(ROWS);
    for start in (0..count).step_by(block) {
        let end = (start + block).min(count);
        let mut at = 0;
        let mut left = queries;
        while !left.is_empty() {
            let taken = (left.len() / dimensions).min(QUERIES);
            let (group, rest) = left.split_at(taken * dimensions);
            let out = &mut out[at * count..(at + taken) * count];
            match taken {
                3 => tiles::<3>(rows, group, dimensions, start..end, out),
                2 => tiles::<2>(rows, group, dimensions, start..end, out),
                _ => tiles::<1>(rows, group, dimensions, start..end, out),
            }
            (left, at) = (rest, at + taken);
        }
    }
}

/// `Q` queries with the rows of a range; `out` has a row of the matrix's count for each query.
#[target_feature(enable = "avx2,fma")]
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
#[target_feature(enable = "avx2,fma")]
fn tile<const Q: usize>(rows: &[f32], queries: &[f32], dimensions: usize) -> [[f32; ROWS]; Q] {
    assert!(rows.len() == ROWS * dimensions && queries.len() == Q * dimensions);
    let mut sums = [[_mm256_setzero_ps(); ROWS]; Q];
    let mut at = 0;
    while at + WIDTH <= dimensions {
        // SAFETY: at + WIDTH <= dimensions, and there are ROWS rows and Q queries of so many values. What is
        // asked for ahead may lie anywhere.
        unsafe {
            let factors: [__m256; Q] =
                std::array::from_fn(|query| _mm256_loadu_ps(queries.as_ptr().add(query * dimensions + at)));
            for row in 0..ROWS {
                let from = rows.as_ptr().add(row * dimensions + at);
                _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(AHEAD).cast());
                let value = _mm256_loadu_ps(from);
                for (sums, factor) in sums.iter_mut().zip(factors) {
                    sums[row] = _mm256_fmadd_ps(value, factor, sums[row]);
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
#[target_feature(enable = "avx2,fma")]
fn totals([a, b, c, d]: [__m256; ROWS]) -> [f32; ROWS] {
    let all = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    let totals = _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps::<1>(all));
    let mut lanes = [0.0; ROWS];
    // SAFETY: four float32 fit into the array; the store needs no alignment.
    unsafe { _mm_storeu_ps(lanes.as_mut_ptr(), totals) };
    lanes
}
