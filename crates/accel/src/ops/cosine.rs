use crate::kernels::Kernels;
use crate::ops::error::Error;
use crate::ops::finite::check_finite;

/// Cosine of two vectors of equal length, in [-1, 1]; NaN where one is all zero or has no dimensions.
pub fn cosine(a: &[f32], b: &[f32]) -> Result<f64, Error> {
    if a.len() != b.len() {
        return Err(Error::Lengths { a: a.len(), b: b.len() });
    }
    check_finite("a", a)?;
    check_finite("b", b)?;
    Ok(to_cosine(Kernels::widest().dot_exact(a, b) / (norm(a) * norm(b))))
}

/// Cosines this near to 1 or -1 are rounded to it: more than float64 sums over 8,192 numbers are off by, and as much as
/// float32 rounds off the direction of a vector.
const ROUNDING: f64 = 1e-13;

/// A cosine without its rounding near 1 and -1, so that keys that are multiples of each other score the same.
#[inline]
pub(crate) fn to_cosine(ratio: f64) -> f64 {
    if ratio.abs() > 1.0 - ROUNDING { ratio.signum() } else { ratio }
}

/// Euclidean length of a vector, in float64 and in the order of its elements, as the JavaScript kernel sums.
pub fn norm(vector: &[f32]) -> f64 {
    vector
        .iter()
        .map(|&value| f64::from(value) * f64::from(value))
        .fold(0.0, |sum, square| sum + square)
        .sqrt()
}
