use crate::error::Error;
use crate::finite::check_finite;
use crate::kernels::Kernels;

/// Cosine of two vectors of equal length, in [-1, 1]; NaN where one is all zero or has no dimensions.
pub fn cosine(a: &[f32], b: &[f32]) -> Result<f64, Error> {
    if a.len() != b.len() {
        return Err(Error::Lengths { a: a.len(), b: b.len() });
    }
    check_finite("a", a)?;
    check_finite("b", b)?;
    Ok((Kernels::widest().dot_exact(a, b) / (norm(a) * norm(b))).clamp(-1.0, 1.0))
}

/// Euclidean length of a vector, in float64 and in the order of its elements, as the JavaScript kernel sums.
pub fn norm(vector: &[f32]) -> f64 {
    vector
        .iter()
        .map(|&value| f64::from(value) * f64::from(value))
        .fold(0.0, |sum, square| sum + square)
        .sqrt()
}
