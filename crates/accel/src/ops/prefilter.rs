//! The first look of an exact search: float32 products, which leave the rows that may belong to the result.

use crate::kernels::{Kernels, streams};
use crate::ops::cosine::norm;
use crate::ops::topk::TopK;
use std::ops::RangeInclusive;

/// Dimensions up to which the bound of `slack` holds; larger rows are computed in float64 at once.
pub const SLACK_DIMENSIONS: usize = 1 << 17;

/// Inverse norms of rows for which the bound of `slack` holds: no float32 product overflows, and what underflows adds
/// less than n * 2^-150 * 2^100.
pub const SLACK_NORMS: RangeInclusive<f64> = 7.9e-31..=1.2e30;

/// How far the float32 cosine of a row may be from the true one.
///
/// With u = 2^-24, n dimensions and a query of norm 1, the float32 product of row a differs from the true one by
/// at most gamma_n * sum|a_i q_i| <= gamma_n * |a| in whatever order it is summed (gamma_n = nu / (1 - nu);
/// Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), plus u * |a| for rounding the query to
/// norm 1, and u for each of the inverse norm, its product and a limit in float32. gamma_n <= 1.008 nu up to
/// `SLACK_DIMENSIONS`; the rest pays for underflow and for the rounding of the float64 score.
pub fn slack(dimensions: usize) -> f64 {
    1.01 * (dimensions as f64 + 8.0) / f64::from(1 << 24)
}

/// Rows of a block: a bit each in a mask.
pub const BLOCK_ROWS: usize = 64;

/// One pass of several queries over rows, block by block, so that a block is in the cache for all of them.
pub struct PrefilterScan<'a> {
    kernels: &'a Kernels,
    dimensions: usize,
    /// The queries, at norm 1.
    units: Vec<f32>,
    searches: Vec<Candidates>,
    products: Vec<f32>,
    streams: bool,
}

impl<'a> PrefilterScan<'a> {
    /// A search for the `k` best rows, of at least `min_score`, for every row of `queries`. There are at most
    /// `SLACK_DIMENSIONS`, and `rows` rows in all blocks together.
    pub fn new(
        kernels: &'a Kernels,
        queries: &[f32],
        dimensions: usize,
        k: usize,
        min_score: f64,
        rows: usize,
    ) -> Self {
        let mut units = Vec::with_capacity(queries.len());
        let mut searches = Vec::new();
        for query in queries.chunks_exact(dimensions) {
            let scale = 1.0 / norm(query);
            // A query of norm 0 has no best rows: nothing reaches NaN.
            let least = if scale.is_finite() { min_score - slack(dimensions) } else { f64::NAN };
            units.extend(query.iter().map(|&value| (f64::from(value) * scale) as f32));
            searches.push(Candidates::new(k, least, slack(dimensions)));
        }
        let products = vec![0.0; searches.len() * BLOCK_ROWS];
        let streams = streams(rows.saturating_mul(4 * dimensions));
        Self { kernels, dimensions, units, searches, products, streams }
    }

    /// Looks at the rows of a block whose bit is set in `mask`: at most `BLOCK_ROWS`, as many as inverse norms.
    /// The first is candidate `first`, and so on.
    ///
    /// # Panics
    /// With more rows, or other than `dimensions` values a row.
    pub fn scan(&mut self, first: usize, rows: &[f32], inverse_norms: &[f64], mask: u64) {
        let count = inverse_norms.len();
        assert!(count <= BLOCK_ROWS && rows.len() == count * self.dimensions);
        let mask = if count < BLOCK_ROWS { mask & ((1 << count) - 1) } else { mask };
        if mask == 0 || self.searches.is_empty() {
            return;
        }
        // Without a branch a row, so that the compiler converts them side by side. NaN reaches no limit.
        let mut factors = [f32::NAN; BLOCK_ROWS];
        let mut unbounded = false;
        for (factor, inverse_norm) in factors.iter_mut().zip(inverse_norms) {
            let bounded = (inverse_norm >= SLACK_NORMS.start()) & (inverse_norm <= SLACK_NORMS.end());
            *factor = if bounded { *inverse_norm as f32 } else { f32::NAN };
            unbounded |= !bounded;
        }
        let inside = |row: &usize| mask >> row & 1 == 1;
        if mask.count_ones() < count as u32 {
            (0..count).filter(|row| !inside(row)).for_each(|row| factors[row] = f32::NAN);
        }
        if unbounded {
            let unbounded = |row: &usize| !SLACK_NORMS.contains(&inverse_norms[*row]);
            for row in (0..count).filter(inside).filter(unbounded) {
                self.searches.iter_mut().for_each(|search| search.found.push((first + row, f32::INFINITY)));
            }
        }
        let products = &mut self.products[..self.searches.len() * count];
        if 4 * mask.count_ones() as usize > count {
            if self.searches.len() == 1 {
                self.kernels.scan(rows, &self.units, self.streams, products);
            } else {
                self.kernels.products(rows, &self.units, self.dimensions, products);
            }
        } else {
            for row in (0..count).filter(inside) {
                let values = &rows[row * self.dimensions..][..self.dimensions];
                for (number, unit) in self.units.chunks_exact(self.dimensions).enumerate() {
                    products[number * count + row] = self.kernels.dot(values, unit);
                }
            }
        }
        for (search, products) in self.searches.iter_mut().zip(products.chunks_exact(count)) {
            search.offer(first, products, &factors[..count]);
        }
    }

    /// The candidates of each query: all rows of its result, and few others.
    pub fn candidates(self) -> Vec<Vec<usize>> {
        self.searches.into_iter().map(Candidates::finish).collect()
    }
}

/// Rows that may be among the k best of one query.
///
/// With k rows of rough cosine r or more, k true cosines are r - slack or more, so that a row whose rough one is
/// below r - 2 slack is not in the result. Should one of these k not reach the least score, then r - slack is
/// below that too, and so is the true cosine of the row.
struct Candidates {
    best: TopK,
    slack: f64,
    /// What a row must reach.
    limit: f32,
    found: Vec<(usize, f32)>,
    /// Number of candidates at which those that are out by now are dropped.
    prune_at: usize,
}

/// Fewer candidates are not worth sorting out.
const PRUNE_MIN: usize = 512;

/// Products compared at once.
const LANES: usize = 16;

impl Candidates {
    fn new(k: usize, least: f64, slack: f64) -> Self {
        Self {
            best: TopK::new(k),
            slack,
            limit: if k == 0 { f32::NAN } else { least as f32 },
            found: Vec::new(),
            prune_at: 2 * PRUNE_MIN,
        }
    }

    fn offer(&mut self, first: usize, products: &[f32], factors: &[f32]) {
        let (chunks, rest) = products.as_chunks::<LANES>();
        let (chunks_of_factors, rest_of_factors) = factors.as_chunks::<LANES>();
        let mut start = first;
        for (products, factors) in chunks.iter().zip(chunks_of_factors) {
            // Without a branch a product, so that the compiler compares them side by side.
            let limit = self.limit;
            let reached: u32 =
                std::array::from_fn::<_, LANES, _>(
                    |at| {
                        if products[at] * factors[at] >= limit { 1 } else { 0 }
                    },
                )
                .iter()
                .sum();
            if reached > 0 {
                self.offer_each(start, products, factors);
            }
            start += LANES;
        }
        self.offer_each(start, rest, rest_of_factors);
    }

    fn offer_each(&mut self, first: usize, products: &[f32], factors: &[f32]) {
        for (row, (product, factor)) in (first..).zip(products.iter().zip(factors)) {
            let rough = product * factor;
            if rough >= self.limit {
                self.keep(row, rough);
            }
        }
    }

    fn keep(&mut self, row: usize, rough: f32) {
        self.found.push((row, rough));
        // Scores are cut at 1 as well.
        self.best.offer(f64::from(rough.min(1.0)), 0);
        self.limit = self.limit.max((self.best.least() - 2.0 * self.slack) as f32);
        if self.found.len() >= self.prune_at {
            self.prune();
        }
    }

    fn prune(&mut self) {
        self.found.retain(|&(_, rough)| rough >= self.limit);
        self.prune_at = 2 * self.found.len().max(PRUNE_MIN);
    }

    fn finish(mut self) -> Vec<usize> {
        self.prune();
        self.found.into_iter().map(|(row, _)| row).collect()
    }
}
