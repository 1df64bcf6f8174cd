//! Vectors in int8 codes, and scans of them that find candidates for exact scoring.

use crate::kernels::{Kernels, streams};
use crate::ops::error::Error;
use crate::ops::finite::{check_finite, check_rows};
use crate::ops::nearest::{Matrix, Selection};
use crate::ops::prefilter::BLOCK_ROWS;
use crate::ops::topk::{Hits, TopK};

/// Rows as int8 codes: a value is about its code times the scale of its row.
#[derive(Clone, Debug, PartialEq)]
pub struct ByteCodes {
    /// rows x dimensions values from -127 to 127.
    pub codes: Vec<i8>,
    /// What a code of 1 stands for, a row each.
    pub scales: Vec<f64>,
    /// 1 / Euclidean norm of each row's codes; 0 for a row of zeros.
    pub inverse_norms: Vec<f64>,
}

/// Rounds rows to int8 codes: the largest magnitude of each row becomes 127.
pub fn quantize_bytes(values: &[f32], dimensions: usize) -> Result<ByteCodes, Error> {
    let count = check_rows(values, dimensions)?;
    check_finite("values", values)?;
    let mut all = ByteCodes {
        codes: Vec::with_capacity(values.len()),
        scales: Vec::with_capacity(count),
        inverse_norms: Vec::with_capacity(count),
    };
    for row in values.chunks_exact(dimensions.max(1)) {
        let scale = row.iter().fold(0.0, |largest: f64, &value| largest.max(f64::from(value.abs()))) / 127.0;
        let codes = row.iter().map(|&value| ((f64::from(value) / scale) + 0.5).floor() as i8);
        let start = all.codes.len();
        all.codes.extend(codes);
        let squares: i64 = all.codes[start..].iter().map(|&code| i64::from(code) * i64::from(code)).sum();
        all.scales.push(scale);
        all.inverse_norms.push(if squares == 0 { 0.0 } else { 1.0 / (squares as f64).sqrt() });
    }
    Ok(all)
}

/// The k rows whose codes have the greatest cosine to the query's; sums of products of codes are exact.
pub fn nearest_bytes(
    matrix: &Matrix<i8>,
    query: &[f32],
    k: usize,
    min_score: f64,
    selection: &Selection,
) -> Result<Hits, Error> {
    matrix.check(query, selection)?;
    matrix.check_norms()?;
    if matrix.dimensions > BYTES_MAX {
        return Err(Error::TooLarge { dimensions: matrix.dimensions, count: matrix.count });
    }
    let query = quantize_bytes(query, matrix.dimensions)?;
    let Some(&scale) = query.inverse_norms.first() else {
        return Ok(Hits::default());
    };
    let kernels = Kernels::widest();
    let streams = streams(matrix.count * matrix.dimensions);
    let products = |codes: &[i8], out: &mut [i32]| kernels.scan_i8(codes, &query.codes, streams, out);
    let score =
        |row: usize, product: i32| (f64::from(product) * scale * matrix.inverse_norms[row]).clamp(-1.0, 1.0);
    Ok(scan(matrix, k, min_score, selection, products, score))
}

/// Products of this many bytes fit into an int32.
const BYTES_MAX: usize = 1 << 17;

/// The k best rows. `products` computes the products of the rows of a block of codes with the query, which `score` turns
/// into a cosine.
fn scan(
    matrix: &Matrix<i8>,
    k: usize,
    min_score: f64,
    selection: &Selection,
    products: impl Fn(&[i8], &mut [i32]),
    score: impl Fn(usize, i32) -> f64,
) -> Hits {
    let dimensions = matrix.dimensions;
    let mut best = TopK::new(k.min(matrix.count));
    let mut least = best.least();
    let mut block = [0; BLOCK_ROWS];
    for first in (0..matrix.count).step_by(BLOCK_ROWS) {
        let rows = first..(first + BLOCK_ROWS).min(matrix.count);
        let block = &mut block[..rows.len()];
        let mut mask = selection.mask(matrix.flags, rows.clone());
        let most = 4 * mask.count_ones() as usize > rows.len();
        if most {
            products(&matrix.values[rows.start * dimensions..rows.end * dimensions], block);
        }
        while mask != 0 {
            let at = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let row = first + at;
            if !most {
                products(&matrix.values[row * dimensions..(row + 1) * dimensions], &mut block[at..=at]);
            }
            let score = score(row, block[at]);
            if score >= min_score && score >= least {
                best.offer(score, matrix.labels[row]);
                least = best.least();
            }
        }
    }
    best.sorted()
}
