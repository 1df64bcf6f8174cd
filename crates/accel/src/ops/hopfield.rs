use crate::kernels::Kernels;
use crate::ops::cosine::norm;
use crate::ops::error::Error;
use crate::ops::finite::{check_finite, check_rows};
use crate::ops::prefilter::SLACK_NORMS;

/// One step of the modern Hopfield network (Ramsauer et al., ICLR 2021) on the unit sphere.
#[derive(Clone, Debug, PartialEq)]
pub struct HopfieldStep {
    /// The next state, of norm 1.
    pub state: Vec<f32>,
    /// Of the state that the step started from: -lse(beta K xi)/beta + |xi|^2/2 with xi at norm 1.
    pub energy: f64,
    /// softmax(beta K xi), a row each.
    pub weights: Vec<f64>,
}

/// Rows that stay in the cache between their products and their sum.
const BLOCK_ROWS: usize = 64;

/// Rows whose weight is below this share of the largest are left out of the sum: they change no float32 of it.
const NEGLIGIBLE: f64 = 1e-13;

/// xi' = normalise(sum_i softmax(beta K xi)_i k_i), where k_i are the rows times their inverse norms and xi is
/// `state` at norm 1. lse is convex in xi and xi' the unit vector along its gradient, so the energy of xi' is
/// never above that of xi.
///
/// The rows are read once: sums so far are scaled down when a greater product comes (Milakov & Gimelshein,
/// "Online normalizer calculation for softmax", 2018). Products and the sums of a block are in float32, everything else
/// is in float64, and all of rows so short or long that float32 has no room for them.
///
/// # Errors
/// Without rows, for a state that is all zero or of other dimensions, for values that are not finite, `beta`
/// not above 0, and when the weighted rows cancel.
pub fn hopfield_step(
    values: &[f32],
    inverse_norms: &[f64],
    state: &[f32],
    beta: f64,
) -> Result<HopfieldStep, Error> {
    let dimensions = state.len();
    if inverse_norms.is_empty() {
        return Err(Error::NoRows);
    }
    let needed = inverse_norms.len().checked_mul(dimensions);
    if needed != Some(values.len()) {
        return Err(Error::Rows { values: values.len(), dimensions });
    }
    check_finite("state", state)?;
    if !(beta > 0.0 && beta.is_finite()) {
        return Err(Error::NotPositive { what: "beta" });
    }
    let unit = normalised(&state.iter().map(|&value| f64::from(value)).collect::<Vec<_>>())?;
    let kernels = Kernels::widest();
    let mut scores = vec![0.0; inverse_norms.len()];
    let mut sum = vec![0.0; dimensions];
    let mut largest = f64::NEG_INFINITY;
    // The largest score when a block's weights were computed.
    let mut references = Vec::new();
    let mut part = vec![0.0; dimensions];
    let blocks = values.chunks(BLOCK_ROWS * dimensions).zip(inverse_norms.chunks(BLOCK_ROWS));
    for (block, ((rows, norms), scores)) in blocks.zip(scores.chunks_mut(BLOCK_ROWS)).enumerate() {
        let mut products = [0.0; BLOCK_ROWS];
        let products = &mut products[..norms.len()];
        kernels.scan(rows, &unit, false, products);
        for (row, ((score, product), inverse_norm)) in
            scores.iter_mut().zip(&*products).zip(norms).enumerate()
        {
            let mut product = f64::from(*product);
            if !fits(*inverse_norm) || !product.is_finite() {
                // Float32 rounds it off, or has none so large; or a value is not finite, which minus infinity, without
                // weight, would hide.
                product = kernels.dot_exact(&rows[row * dimensions..][..dimensions], &unit);
                if !product.is_finite() {
                    let at = (block * BLOCK_ROWS + row) * dimensions;
                    return Err(Error::NotFinite { what: "values", at });
                }
            }
            *score = beta * product * inverse_norm;
        }
        let before = largest;
        largest = scores.iter().copied().fold(before, f64::max);
        if largest > before {
            let shrink = (before - largest).exp();
            sum.iter_mut().for_each(|value| *value *= shrink);
        }
        references.push(largest);
        for (row, ((weight, score), inverse_norm)) in products.iter_mut().zip(scores).zip(norms).enumerate() {
            *score = (*score - largest).exp();
            let factor = if *score < NEGLIGIBLE { 0.0 } else { *score * inverse_norm };
            *weight = if fits(*inverse_norm) { factor as f32 } else { 0.0 };
            if factor != 0.0 && !fits(*inverse_norm) {
                let row = &rows[row * dimensions..][..dimensions];
                sum.iter_mut().zip(row).for_each(|(sum, &value)| *sum += factor * f64::from(value));
            }
        }
        if products.iter().any(|&weight| weight != 0.0) {
            part.fill(0.0);
            kernels.weighted_sum(rows, products, &mut part);
            sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum += f64::from(*part));
        }
    }
    let mut weights = scores;
    for (weights, reference) in weights.chunks_mut(BLOCK_ROWS).zip(references) {
        let shrink = (reference - largest).exp();
        weights.iter_mut().for_each(|weight| *weight *= shrink);
    }
    let total: f64 = weights.iter().sum();
    if !total.is_finite() {
        let at = weights.iter().position(|weight| !weight.is_finite()).unwrap_or(0);
        return Err(Error::NotFinite { what: "values", at: at * dimensions });
    }
    weights.iter_mut().for_each(|weight| *weight /= total);
    Ok(HopfieldStep { state: normalised(&sum)?, energy: 0.5 - (largest + total.ln()) / beta, weights })
}

/// Whether float32 has room for a row of this inverse norm: for its products with a unit vector, and for its factor in
/// the sum, which of a row of denormal numbers is infinite.
fn fits(inverse_norm: f64) -> bool {
    SLACK_NORMS.contains(&inverse_norm)
}

fn normalised(vector: &[f64]) -> Result<Vec<f32>, Error> {
    let norm = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
    if norm == 0.0 || !norm.is_finite() {
        return Err(Error::Zero);
    }
    Ok(vector.iter().map(|value| (value / norm) as f32).collect())
}

/// Euclidean length of each row, the same bits as `norm` of it.
pub fn norms(values: &[f32], dimensions: usize) -> Result<Vec<f64>, Error> {
    let mut all = Vec::with_capacity(check_rows(values, dimensions)?);
    // A sum in order waits for each addition: eight rows wait together.
    let groups = values.chunks_exact(8 * dimensions.max(1));
    let rest = groups.remainder();
    for group in groups {
        let mut squares = [0.0; 8];
        for at in 0..dimensions {
            for (row, squares) in squares.iter_mut().enumerate() {
                let value = f64::from(group[row * dimensions + at]);
                *squares += value * value;
            }
        }
        all.extend(squares.map(f64::sqrt));
    }
    all.extend(rest.chunks_exact(dimensions.max(1)).map(norm));
    if all.iter().any(|norm| !norm.is_finite()) {
        check_finite("values", values)?;
    }
    Ok(all)
}
