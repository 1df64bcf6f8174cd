/// Weights proportional to exp(beta x): positive, their sum is 1.
pub fn softmax(scores: &[f64], beta: f64) -> Vec<f64> {
    let largest = largest(scores, beta);
    let mut weights: Vec<f64> = scores.iter().map(|score| (beta * score - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    weights
}

/// ln of the sum of exp(beta x), without overflow; -infinity for no scores.
pub fn log_sum_exp(scores: &[f64], beta: f64) -> f64 {
    if scores.is_empty() {
        return f64::NEG_INFINITY;
    }
    let largest = largest(scores, beta);
    largest + scores.iter().map(|score| (beta * score - largest).exp()).sum::<f64>().ln()
}

fn largest(scores: &[f64], beta: f64) -> f64 {
    scores.iter().map(|score| beta * score).fold(f64::NEG_INFINITY, f64::max)
}
