//! Products of many rows with one or several queries.

use super::first;
use std::arch::x86_64::*;

const WIDTH: usize = 16;
/// Rows of a tile: their four sums are added up across registers together.
const ROWS: usize = 4;
/// Queries of a tile. Sixteen sums keep both multipliers busy, and eight loads feed sixteen multiplications.
const QUERIES: usize = 4;
/// Rows that stay in the first cache while all queries meet them, in bytes.
const BLOCK_BYTES: usize = 24 << 10;
/// How far ahead of its use a row is asked for, in float32: the hardware stops at page boundaries.
const AHEAD: usize = 1024;

#[target_feature(enable = "avx512f")]
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
                4 => tiles::<4>(rows, group, dimensions, start..end, out),
                3 => tiles::<3>(rows, group, dimensions, start..end, out),
                2 => tiles::<2>(rows, group, dimensions, start..end, out),
                _ => tiles::<1>(rows, group, dimensions, start..end, out),
            }
            (left, at) = (rest, at + taken);
        }
    }
}

/// `Q` queries with the rows of a range; `out` has a row of the matrix's count for each query.
#[target_feature(enable = "avx512f")]
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
            let out = &mut out[query * count + row..][..ROWS];
            // SAFETY: `out` has four float32; the store needs no alignment.
            unsafe { _mm_storeu_ps(out.as_mut_ptr(), sums) };
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
#[target_feature(enable = "avx512f")]
fn tile<const Q: usize>(rows: &[f32], queries: &[f32], dimensions: usize) -> [__m128; Q] {
    assert!(rows.len() == ROWS * dimensions && queries.len() == Q * dimensions);
    let (rows, queries) = (rows.as_ptr(), queries.as_ptr());
    let mut sums = [[_mm512_setzero_ps(); ROWS]; Q];
    let mut at = 0;
    while at + WIDTH <= dimensions {
        // SAFETY: at + WIDTH <= dimensions, and there are ROWS rows and Q queries of so many values. What is
        // asked for ahead may lie anywhere.
        unsafe {
            let values: [__m512; ROWS] = std::array::from_fn(|row| {
                let from = rows.add(row * dimensions + at);
                _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(AHEAD).cast());
                _mm512_loadu_ps(from)
            });
            for (query, sums) in sums.iter_mut().enumerate() {
                let factor = _mm512_loadu_ps(queries.add(query * dimensions + at));
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = _mm512_fmadd_ps(value, factor, *sum);
                }
            }
        }
        at += WIDTH;
    }
    if at < dimensions {
        let mask = first(dimensions - at);
        // SAFETY: the mask lets through only what lies before `dimensions`; other lanes are not read.
        unsafe {
            for (query, sums) in sums.iter_mut().enumerate() {
                let factor = _mm512_maskz_loadu_ps(mask, queries.add(query * dimensions + at));
                for (row, sum) in sums.iter_mut().enumerate() {
                    let value = _mm512_maskz_loadu_ps(mask, rows.add(row * dimensions + at));
                    *sum = _mm512_fmadd_ps(value, factor, *sum);
                }
            }
        }
    }
    sums.map(|sums| totals(sums))
}

/// The sum of the lanes of each of four registers.
#[inline]
#[target_feature(enable = "avx512f")]
fn totals([a, b, c, d]: [__m512; ROWS]) -> __m128 {
    let ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    let cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    let (ab, cd) = (_mm512_castps_pd(ab), _mm512_castps_pd(cd));
    let low = _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd));
    let all = _mm512_add_ps(low, _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd)));
    let halves = _mm256_add_ps(
        _mm512_castps512_ps256(all),
        _mm512_castps512_ps256(_mm512_shuffle_f32x4::<0b00_00_11_10>(all, all)),
    );
    _mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps::<1>(halves))
}
