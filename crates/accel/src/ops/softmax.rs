use crate::ops::error::Error;
use crate::ops::finite::check_finite_wide;

/// Weights proportional to exp(beta x): positive, their sum is 1.
pub fn softmax(scores: &[f64], beta: f64) -> Result<Vec<f64>, Error> {
    check(scores, beta)?;
    let largest = largest(scores, beta);
    let mut weights: Vec<f64> = scores.iter().map(|score| (beta * score - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    Ok(weights)
}

/// ln of the sum of exp(beta x), without overflow; -infinity for no scores.
pub fn log_sum_exp(scores: &[f64], beta: f64) -> Result<f64, Error> {
    check(scores, beta)?;
    if scores.is_empty() {
        return Ok(f64::NEG_INFINITY);
    }
    let largest = largest(scores, beta);
    Ok(largest + scores.iter().map(|score| (beta * score - largest).exp()).sum::<f64>().ln())
}

/// Refuses what is not finite, and products with beta that are too large.
fn check(scores: &[f64], beta: f64) -> Result<(), Error> {
    check_finite_wide("beta", &[beta])?;
    match scores.iter().position(|score| !(beta * score).is_finite()) {
        Some(at) => Err(Error::NotFinite { what: "scores", at }),
        None => Ok(()),
    }
}

fn largest(scores: &[f64], beta: f64) -> f64 {
    scores.iter().map(|score| beta * score).fold(f64::NEG_INFINITY, f64::max)
}
