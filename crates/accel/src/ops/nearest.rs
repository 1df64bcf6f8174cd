use crate::kernels::Kernels;
use crate::ops::cosine::{norm, to_cosine};
use crate::ops::error::Error;
use crate::ops::finite::check_finite;
use crate::ops::prefilter::{BLOCK_ROWS, PrefilterScan, SLACK_DIMENSIONS};
pub(crate) use crate::ops::prefilter::{SLACK_NORMS, slack};
use crate::ops::topk::{Hits, TopK};
use std::ops::Range;

/// Vectors of one length, row after row. The slices may be longer than `count` rows.
#[derive(Clone, Copy)]
pub struct Matrix<'a, T = f32> {
    /// Values in a row.
    pub dimensions: usize,
    /// Rows in use.
    pub count: usize,
    /// count x dimensions values.
    pub values: &'a [T],
    /// 1 / Euclidean norm of each row.
    pub inverse_norms: &'a [f64],
    /// What a row is called in results; ties go to the lower label.
    pub labels: &'a [i32],
    /// Bits of each row, which a selection asks for.
    pub flags: &'a [u8],
}

/// Which rows of a matrix a search looks at.
#[derive(Clone, Copy, Default)]
pub struct Selection<'a> {
    /// A row counts when all these bits are set in its flags.
    pub required_flags: u32,
    /// One byte a row, 0 leaves the row out; absent: all rows.
    pub allowed: Option<&'a [u8]>,
}

/// The k rows of greatest cosine to `query` that reach `min_score`, by sums in float64: exactly what a scan
/// in float64 finds, with the same scores to the bit as the JavaScript kernel's.
///
/// A float32 product looks at each row first (`PrefilterScan`), and only rows that may belong to the result are
/// computed in float64.
pub fn nearest(
    matrix: &Matrix,
    query: &[f32],
    k: usize,
    min_score: f64,
    selection: &Selection,
) -> Result<Hits, Error> {
    nearest_with(Kernels::widest(), matrix, query, k, min_score, selection)
}

/// `nearest` with given kernels, so that tests can compare instruction sets.
pub fn nearest_with(
    kernels: &Kernels,
    matrix: &Matrix,
    query: &[f32],
    k: usize,
    min_score: f64,
    selection: &Selection,
) -> Result<Hits, Error> {
    matrix.check(query, selection)?;
    let found = nearest_many_with(kernels, matrix, query, k, min_score, selection)?;
    Ok(found.into_iter().next().unwrap_or_default())
}

/// `nearest` for each row of `queries`, with the same results. The rows are read once for up to `QUERIES_MAX`
/// queries, which makes the multipliers the limit instead of the memory.
pub fn nearest_many(
    matrix: &Matrix,
    queries: &[f32],
    k: usize,
    min_score: f64,
    selection: &Selection,
) -> Result<Vec<Hits>, Error> {
    nearest_many_with(Kernels::widest(), matrix, queries, k, min_score, selection)
}

/// `nearest_many` with given kernels, so that tests can compare instruction sets.
pub fn nearest_many_with(
    kernels: &Kernels,
    matrix: &Matrix,
    queries: &[f32],
    k: usize,
    min_score: f64,
    selection: &Selection,
) -> Result<Vec<Hits>, Error> {
    let dimensions = matrix.dimensions;
    matrix.check_rows(selection)?;
    matrix.check_norms()?;
    check_finite("query", queries)?;
    if dimensions == 0 || !queries.len().is_multiple_of(dimensions) {
        return if queries.is_empty() {
            Ok(Vec::new())
        } else {
            Err(Error::Rows { values: queries.len(), dimensions })
        };
    }
    let capacity = k.min(matrix.count);
    // When most rows are in the result, a first look saves nothing.
    if capacity >= matrix.count / 4 || dimensions > SLACK_DIMENSIONS {
        let rows: Vec<usize> =
            (0..matrix.count).filter(|&row| selection.includes(matrix.flags, row)).collect();
        let queries = queries.chunks_exact(dimensions);
        return Ok(queries.map(|query| exact(kernels, matrix, query, capacity, min_score, &rows)).collect());
    }
    let mut found = Vec::with_capacity(queries.len() / dimensions);
    for queries in queries.chunks(QUERIES_MAX * dimensions) {
        let mut prefilter =
            PrefilterScan::new(kernels, queries, dimensions, capacity, min_score, matrix.count);
        for first in (0..matrix.count).step_by(BLOCK_ROWS) {
            let rows = first..(first + BLOCK_ROWS).min(matrix.count);
            let mask = selection.mask(matrix.flags, rows.clone());
            let values = &matrix.values[rows.start * dimensions..rows.end * dimensions];
            prefilter.scan(first, values, &matrix.inverse_norms[rows], mask);
        }
        let candidates = prefilter.candidates().into_iter().zip(queries.chunks_exact(dimensions));
        found.extend(
            candidates.map(|(rows, query)| exact(kernels, matrix, query, capacity, min_score, &rows)),
        );
    }
    Ok(found)
}

/// Queries of one pass: their products with a block of rows stay in the cache.
const QUERIES_MAX: usize = 128;

/// The best of some rows, by sums in float64.
fn exact(
    kernels: &Kernels,
    matrix: &Matrix,
    query: &[f32],
    capacity: usize,
    min_score: f64,
    rows: &[usize],
) -> Hits {
    let scale = 1.0 / norm(query);
    if capacity == 0 || !scale.is_finite() {
        return Hits::default();
    }
    let mut best = TopK::new(capacity);
    for &row in rows {
        let values = &matrix.values[row * matrix.dimensions..][..matrix.dimensions];
        let product = kernels.dot_exact(values, query);
        let score = to_cosine(product * scale * matrix.inverse_norms[row]);
        if score >= min_score {
            best.offer(score, matrix.labels[row]);
        }
    }
    best.sorted()
}

impl Selection<'_> {
    /// A bit for each of up to 64 rows that counts; every flag is read once.
    pub(crate) fn mask(&self, flags: &[u8], rows: Range<usize>) -> u64 {
        // Without a branch a row, so that the compiler compares them side by side.
        let required = self.required_flags;
        let has = |flag: &u8| u64::from(u32::from(*flag) & required == required);
        let mask = flags[rows.clone()].iter().rev().fold(0, |mask, flag| mask << 1 | has(flag));
        let Some(allowed) = self.allowed else { return mask };
        mask & allowed[rows].iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(byte != 0))
    }

    pub(crate) fn includes(&self, flags: &[u8], row: usize) -> bool {
        let flags = u32::from(flags[row]);
        flags & self.required_flags == self.required_flags
            && self.allowed.is_none_or(|allowed| allowed[row] != 0)
    }
}

impl<T> Matrix<'_, T> {
    /// Refuses arrays that are too short for `count` rows, and queries that don't fit.
    pub(crate) fn check(&self, query: &[f32], selection: &Selection) -> Result<(), Error> {
        if query.len() != self.dimensions {
            return Err(Error::Dimensions { query: query.len(), matrix: self.dimensions });
        }
        self.check_rows(selection)?;
        check_finite("query", query)
    }

    fn check_rows(&self, selection: &Selection) -> Result<(), Error> {
        let &Matrix { dimensions, count, .. } = self;
        let values = count.checked_mul(dimensions).ok_or(Error::TooLarge { dimensions, count })?;
        long_enough("values", self.values.len(), values)?;
        long_enough("labels", self.labels.len(), count)?;
        long_enough("flags", self.flags.len(), count)?;
        long_enough("allowed", selection.allowed.map_or(count, <[u8]>::len), count)
    }

    pub(crate) fn check_norms(&self) -> Result<(), Error> {
        long_enough("inverseNorms", self.inverse_norms.len(), self.count)
    }
}

fn long_enough(what: &'static str, length: usize, needed: usize) -> Result<(), Error> {
    if length < needed { Err(Error::TooShort { what, length, needed }) } else { Ok(()) }
}
