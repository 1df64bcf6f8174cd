//! Hopfield steps against their definition.

use crate::support::{LENGTHS, Random};
use accel::kernels::{Kernels, scalar};
use accel::{Error, HopfieldStep, hopfield_step, norm, norms, softmax};

fn unit(vector: &[f32]) -> Vec<f32> {
    let norm = norm(vector);
    vector.iter().map(|&value| (f64::from(value) / norm) as f32).collect()
}

fn inverse(values: &[f32], dimensions: usize) -> Vec<f64> {
    norms(values, dimensions).unwrap().into_iter().map(|norm| 1.0 / norm).collect()
}

/// The formula, in float64.
fn naive(values: &[f32], state: &[f32], beta: f64) -> (Vec<f64>, f64, Vec<f64>) {
    let dimensions = state.len();
    let rows: Vec<Vec<f32>> = values.chunks(dimensions).map(unit).collect();
    let state = unit(state);
    let scores: Vec<f64> = rows.iter().map(|row| scalar::dot_exact(row, &state)).collect();
    let weights = softmax(&scores, beta).unwrap();
    let mut next = vec![0.0; dimensions];
    for (row, weight) in rows.iter().zip(&weights) {
        next.iter_mut().zip(row).for_each(|(sum, &value)| *sum += weight * f64::from(value));
    }
    let length = next.iter().map(|value| value * value).sum::<f64>().sqrt();
    next.iter_mut().for_each(|value| *value /= length);
    let total: f64 = scores.iter().map(|score| (beta * score).exp()).sum();
    (next, 0.5 - total.ln() / beta, weights)
}

#[test]
fn steps_are_those_of_the_formula() {
    let mut random = Random::new(1);
    for dimensions in LENGTHS.into_iter().filter(|&dimensions| dimensions > 1) {
        for count in [1, 2, 63, 64, 65, 300] {
            for beta in [0.1, 1.0, 8.0, 40.0] {
                let (values, state) = (random.vector(count * dimensions), random.vector(dimensions));
                let HopfieldStep { state: next, energy, weights } =
                    hopfield_step(&values, &inverse(&values, dimensions), &state, beta).unwrap();
                let expected = naive(&values, &state, beta);
                assert!((energy - expected.1).abs() < 1e-6, "{energy}, not {}", expected.1);
                for (found, expected) in weights.iter().zip(expected.2) {
                    assert!((found - expected).abs() < 1e-5);
                }
                let off: f64 = next.iter().zip(&expected.0).map(|(x, y)| (f64::from(*x) - y).powi(2)).sum();
                assert!(off.sqrt() < 1e-5, "{dimensions}, {count}, {beta}: {off}");
            }
        }
    }
}

#[test]
fn rows_of_any_length_count_by_their_direction() {
    let mut random = Random::new(6);
    for dimensions in [2, 65, 8_192] {
        // Whole numbers, so that the smallest factor rounds none of them.
        let values: Vec<f32> = (0..70 * dimensions).map(|_| 2.0 * random.below(17) as f32 - 17.0).collect();
        let state = random.vector(dimensions);
        let expected = hopfield_step(&values, &inverse(&values, dimensions), &state, 4.0).unwrap();
        for exponent in [-149, -130, -101, 101, 122] {
            // Every other row as it is: rows of all lengths meet in one sum.
            let scale =
                |at: usize| if (at / dimensions).is_multiple_of(2) { 2.0_f64.powi(exponent) } else { 1.0 };
            let scaled: Vec<f32> =
                values.iter().enumerate().map(|(at, &value)| (f64::from(value) * scale(at)) as f32).collect();
            let found = hopfield_step(&scaled, &inverse(&scaled, dimensions), &state, 4.0).unwrap();
            assert!((found.energy - expected.energy).abs() < 1e-6);
            for (x, y) in found.weights.iter().zip(&expected.weights) {
                assert!((x - y).abs() < 1e-5);
            }
            for (x, y) in found.state.iter().zip(&expected.state) {
                assert!((x - y).abs() < 1e-5, "{dimensions}, {exponent}: {x}, not {y}");
            }
        }
    }
}

#[test]
fn the_energy_never_rises() {
    let mut random = Random::new(2);
    for round in 0..200 {
        let dimensions = 2 + random.below(100);
        let count = 1 + random.below(200);
        let values = random.vector(count * dimensions);
        let inverse_norms = inverse(&values, dimensions);
        let beta = [0.5, 4.0, 20.0, 100.0][round % 4];
        let mut state = random.vector(dimensions);
        let mut before = f64::INFINITY;
        for _ in 0..8 {
            let step = hopfield_step(&values, &inverse_norms, &state, beta).unwrap();
            assert!(step.energy <= before + 1e-6, "{} after {before}", step.energy);
            assert!((norm(&step.state) - 1.0).abs() < 1e-6);
            assert!((step.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            (before, state) = (step.energy, step.state);
        }
    }
}

#[test]
fn a_noisy_key_is_completed() {
    let mut random = Random::new(3);
    let values = random.vector(200 * 64);
    let key = unit(&values[50 * 64..51 * 64]);
    let noisy: Vec<f32> = key.iter().map(|value| value + 0.08 * random.value()).collect();
    let step = hopfield_step(&values, &inverse(&values, 64), &noisy, 40.0).unwrap();
    assert!(step.weights[50] > 0.99);
    assert!(scalar::dot_exact(&step.state, &key) > 0.9999);
}

#[test]
fn refuses_what_has_no_next_state() {
    let ones = [1.0; 2];
    assert_eq!(hopfield_step(&[1.0, 0.0], &[1.0], &[0.0, 0.0], 1.0), Err(Error::Zero));
    assert_eq!(hopfield_step(&[1.0, 0.0, -1.0, 0.0], &ones, &[0.0, 1.0], 1.0), Err(Error::Zero));
    assert_eq!(hopfield_step(&[1.0], &ones, &[1.0], 1.0), Err(Error::Rows { values: 1, dimensions: 1 }));
    assert_eq!(hopfield_step(&[], &[], &[1.0], 1.0).unwrap_err(), Error::NoRows);
    for beta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = hopfield_step(&[1.0], &[1.0], &[1.0], beta);
        assert_eq!(found, Err(Error::NotPositive { what: "beta" }));
    }
    let state = [1.0, f32::NAN];
    assert_eq!(
        hopfield_step(&[1.0, 0.0], &[1.0], &state, 1.0),
        Err(Error::NotFinite { what: "state", at: 1 })
    );
    let found = hopfield_step(&[f32::INFINITY, 0.0], &[1.0], &[1.0, 0.0], 1.0);
    assert!(matches!(found, Err(Error::NotFinite { what: "values", .. })));
}

#[test]
fn norms_have_the_bits_of_single_ones() {
    let mut random = Random::new(4);
    for (dimensions, count) in
        LENGTHS[1..].iter().flat_map(|&dimensions| [0, 7, 8, 17].map(|count| (dimensions, count)))
    {
        let values = random.vector(dimensions * count);
        let expected: Vec<f64> = values.chunks(dimensions).map(norm).collect();
        assert_eq!(norms(&values, dimensions).unwrap(), expected);
    }
    assert_eq!(norms(&[1.0], 2), Err(Error::Rows { values: 1, dimensions: 2 }));
    assert_eq!(norms(&[1.0], 0), Err(Error::Rows { values: 1, dimensions: 0 }));
    assert_eq!(norms(&[], 0), Ok(vec![]));
}

#[test]
fn weighted_sums_agree_on_every_instruction_set() {
    let mut random = Random::new(5);
    for dimensions in LENGTHS {
        for count in [0, 1, 5, 64] {
            let (rows, weights) = (random.vector(count * dimensions), random.vector(count));
            let start = random.vector(dimensions);
            for kernels in Kernels::available() {
                let mut found = start.clone();
                kernels.weighted_sum(&rows, &weights, &mut found);
                for (at, value) in found.iter().enumerate() {
                    let sum = |x: f64, (row, &weight): (usize, &f32)| {
                        x + f64::from(rows[row * dimensions + at]) * f64::from(weight)
                    };
                    let expected = weights.iter().enumerate().fold(f64::from(start[at]), sum);
                    assert!((f64::from(*value) - expected).abs() < 1e-4);
                }
            }
        }
    }
}
