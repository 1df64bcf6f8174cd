use crate::cosine::norm;
use crate::error::Error;
use crate::kernels::Kernels;
use crate::topk::{Hits, TopK};

/// Vectors of one length, row after row. The slices may be longer than `count` rows.
#[derive(Clone, Copy)]
pub struct Matrix<'a, T = f32> {
    pub dimensions: usize,
    pub count: usize,
    pub values: &'a [T],
    /// 1 / Euclidean norm of each row; bits need none.
    pub inverse_norms: &'a [f64],
    /// What a row is called in results; ties go to the lower label.
    pub labels: &'a [i32],
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
/// A float32 product looks at each row first, and only rows that may belong to the result are computed in
/// float64. With u = 2^-24, n dimensions and a query of norm 1, the float32 product of row a differs from the
/// true one by at most gamma_n * sum|a_i q_i| <= gamma_n * |a| in whatever order it is summed (gamma_n = nu /
/// (1 - nu); Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), plus u * |a| for rounding
/// the query to norm 1. So the cosine is off by at most `slack(n)`, and a row whose rough cosine is lower by
/// more than that than what the result needs is not in it.
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
    matrix.check(matrix.dimensions, query, selection)?;
    matrix.check_norms()?;
    let scale = 1.0 / norm(query);
    let capacity = k.min(matrix.count);
    if capacity == 0 || !scale.is_finite() {
        return Ok(Hits::default());
    }
    let unit: Vec<f32> = query.iter().map(|&value| (f64::from(value) * scale) as f32).collect();
    // When most rows are in the result, a first look saves nothing.
    let look = capacity < matrix.count / 4 && matrix.dimensions <= SLACK_DIMENSIONS;
    let slack = slack(matrix.dimensions);
    let mut best = TopK::new(capacity);
    let mut needed = min_score;
    for row in 0..matrix.count {
        if !selection.includes(matrix.flags, row) {
            continue;
        }
        let values = &matrix.values[row * matrix.dimensions..(row + 1) * matrix.dimensions];
        let inverse_norm = matrix.inverse_norms[row];
        if look && SLACK_NORMS.contains(&inverse_norm) {
            let rough = f64::from(kernels.dot(values, &unit)) * inverse_norm;
            if rough + slack < needed {
                continue;
            }
        }
        let score = (kernels.dot_exact(values, query) * scale * inverse_norm).clamp(-1.0, 1.0);
        if score >= min_score {
            best.offer(score, matrix.labels[row]);
            needed = min_score.max(best.least());
        }
    }
    Ok(best.sorted())
}

/// The bound below holds up to here; larger rows are computed in float64 at once.
const SLACK_DIMENSIONS: usize = 1 << 17;

/// And for rows of these inverse norms: no float32 product overflows, and what underflows adds less than
/// n * 2^-150 * 2^100.
const SLACK_NORMS: std::ops::RangeInclusive<f64> = 7.9e-31..=1.2e30;

/// gamma_n + u with u = 2^-24, gamma_n <= 1.008 nu up to `SLACK_DIMENSIONS`; the rest pays for underflow and
/// for the rounding of the float64 score.
fn slack(dimensions: usize) -> f64 {
    1.01 * (dimensions as f64 + 4.0) / f64::from(1 << 24)
}

impl Selection<'_> {
    pub(crate) fn includes(&self, flags: &[u8], row: usize) -> bool {
        let flags = u32::from(flags[row]);
        flags & self.required_flags == self.required_flags
            && self.allowed.is_none_or(|allowed| allowed[row] != 0)
    }
}

impl<T> Matrix<'_, T> {
    /// Refuses arrays that are too short for `count` rows of `width` elements, and queries that don't fit.
    pub(crate) fn check(&self, width: usize, query: &[f32], selection: &Selection) -> Result<(), Error> {
        let &Matrix { dimensions, count, .. } = self;
        if query.len() != dimensions {
            return Err(Error::Dimensions { query: query.len(), matrix: dimensions });
        }
        let values = count.checked_mul(width).ok_or(Error::TooLarge { dimensions, count })?;
        long_enough("values", self.values.len(), values)?;
        long_enough("labels", self.labels.len(), count)?;
        long_enough("flags", self.flags.len(), count)?;
        long_enough("allowed", selection.allowed.map_or(count, <[u8]>::len), count)?;
        match query.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(Error::NotFinite { what: "query", at }),
            None => Ok(()),
        }
    }

    pub(crate) fn check_norms(&self) -> Result<(), Error> {
        long_enough("inverseNorms", self.inverse_norms.len(), self.count)
    }
}

fn long_enough(what: &'static str, length: usize, needed: usize) -> Result<(), Error> {
    if length < needed { Err(Error::TooShort { what, length, needed }) } else { Ok(()) }
}
