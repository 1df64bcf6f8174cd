//! Vector symbolic operations. `bind_product` suits vectors of 1 and -1, `bind_circular` (holographic reduced
//! representations, Plate 1995) vectors of random direction. Vectors of one call have one length.

use crate::ops::error::Error;
use crate::ops::finite::{check_finite_wide, finite_result};
use realfft::RealFftPlanner;
use std::cell::RefCell;
use std::collections::HashSet;

/// Element by element a * b.
pub fn bind_product(a: &[f32], b: &[f32]) -> Result<Vec<f32>, Error> {
    check_lengths(a, b)?;
    finite_result(&[("a", a), ("b", b)], a.iter().zip(b).map(|(x, y)| x * y).collect())
}

/// The most dimensions of a sum of no vectors, which have no length of their own.
const DIMENSIONS_MAX: usize = 1 << 24;

/// Weighted sum of the rows of a matrix.
pub fn bundle(values: &[f32], dimensions: usize, weights: &[f64]) -> Result<Vec<f32>, Error> {
    if dimensions.checked_mul(weights.len()) != Some(values.len()) {
        return Err(Error::Weights { weights: weights.len(), values: values.len(), dimensions });
    }
    check_finite_wide("weights", weights)?;
    if dimensions == 0 {
        return Ok(Vec::new());
    }
    if weights.is_empty() && dimensions > DIMENSIONS_MAX {
        return Err(Error::TooLarge { dimensions, count: 0 });
    }
    let mut sum = vec![0.0; dimensions];
    for (row, weight) in values.chunks_exact(dimensions).zip(weights) {
        for (total, &value) in sum.iter_mut().zip(row) {
            *total += weight * f64::from(value);
        }
    }
    finite_result(&[("values", values)], sum.into_iter().map(|total| total as f32).collect())
}

/// Circular convolution: element k is the sum over i of a[i] * b[(k - i) mod n].
pub fn bind_circular(a: &[f32], b: &[f32]) -> Result<Vec<f32>, Error> {
    circular(("a", a), ("b", b), false)
}

/// Circular correlation: about what `bind_circular` bound with `a` to `bound`, plus noise.
pub fn unbind_circular(bound: &[f32], a: &[f32]) -> Result<Vec<f32>, Error> {
    circular(("bound", bound), ("a", a), true)
}

/// Lengths whose factors a thread keeps, some hundred bytes for each number.
const LENGTHS_KEPT: usize = 64;

/// Circular convolution of any length, by the product of the Fourier transforms; for the correlation b's is conjugated.
fn circular(
    (name_a, a): (&'static str, &[f32]),
    (name_b, b): (&'static str, &[f32]),
    correlate: bool,
) -> Result<Vec<f32>, Error> {
    thread_local! {
        // Keeps the factors of these lengths.
        static PLANNER: RefCell<(RealFftPlanner<f64>, HashSet<usize>)> =
            RefCell::new((RealFftPlanner::new(), HashSet::new()));
    }
    check_lengths(a, b)?;
    if a.is_empty() {
        return Ok(Vec::new());
    }
    let (forward, inverse) = PLANNER.with_borrow_mut(|(planner, lengths)| {
        if lengths.len() == LENGTHS_KEPT && !lengths.contains(&a.len()) {
            (*planner, *lengths) = (RealFftPlanner::new(), HashSet::new());
        }
        lengths.insert(a.len());
        (planner.plan_fft_forward(a.len()), planner.plan_fft_inverse(a.len()))
    });
    let transform = |values: &[f32]| {
        let mut input: Vec<f64> = values.iter().map(|&value| value.into()).collect();
        let mut output = forward.make_output_vec();
        forward.process(&mut input, &mut output).expect("the buffers were made for this length");
        output
    };
    let (mut product, other) = (transform(a), transform(b));
    for (x, y) in product.iter_mut().zip(other) {
        *x *= if correlate { y.conj() } else { y };
    }
    // These two coefficients of a real vector's transform are real: rounding must not make them complex.
    product[0].im = 0.0;
    if a.len().is_multiple_of(2) {
        product[a.len() / 2].im = 0.0;
    }
    let mut output = inverse.make_output_vec();
    inverse.process(&mut product, &mut output).expect("the buffers were made for this length");
    let values = output.into_iter().map(|value| (value / a.len() as f64) as f32);
    finite_result(&[(name_a, a), (name_b, b)], values.collect())
}

fn check_lengths(a: &[f32], b: &[f32]) -> Result<(), Error> {
    if a.len() == b.len() { Ok(()) } else { Err(Error::Lengths { a: a.len(), b: b.len() }) }
}
