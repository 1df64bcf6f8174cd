//! The rotation against what makes it one, and the table that the JavaScript one passes as well.

use crate::support::{LENGTHS, Random};
use accel::kernels::{Kernels, scalar};
use accel::{Error, Rotation, project, rotate, unproject};
use serde::Deserialize;

fn dimensions() -> impl Iterator<Item = usize> {
    LENGTHS.into_iter().chain([4, 5, 100, 8_191]).filter(|&dimensions| dimensions > 0)
}

fn product(a: &[f32], b: &[f32]) -> f64 {
    scalar::dot_exact(a, b)
}

#[test]
fn hadamard_has_the_same_bits_everywhere() {
    let mut random = Random::new(1);
    for length in (0..14).map(|log| 1 << log) {
        let values = random.vector(length);
        let mut expected = values.clone();
        scalar::hadamard(&mut expected);
        for kernels in Kernels::available() {
            let mut found = values.clone();
            kernels.hadamard(&mut found);
            assert_eq!(found, expected, "{:?}, {length}", kernels.instruction_set());
        }
    }
}

#[test]
fn hadamard_is_the_matrix_of_walsh() {
    let length = 32;
    for column in 0..length {
        let mut values = vec![0.0; length];
        values[column] = 1.0;
        Kernels::widest().hadamard(&mut values);
        let expected: Vec<f32> =
            (0..length).map(|row| if (row & column).count_ones() % 2 == 0 { 1.0 } else { -1.0 }).collect();
        assert_eq!(values, expected);
    }
}

#[test]
fn keeps_norms_and_inner_products() {
    let mut random = Random::new(2);
    for dimensions in dimensions() {
        let (a, b) = (random.vector(dimensions), random.vector(dimensions));
        let rotated = |vector: &[f32]| rotate(vector).unwrap();
        let scale = (product(&a, &a) * product(&b, &b)).sqrt();
        assert!((product(&rotated(&a), &rotated(&b)) - product(&a, &b)).abs() < 1e-5 * scale);
        assert!((product(&rotated(&a), &rotated(&a)) / product(&a, &a) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn invert_undoes_apply() {
    let mut random = Random::new(3);
    for dimensions in dimensions() {
        let rotation = Rotation::new(dimensions);
        let vector = random.vector(dimensions);
        let mut turned = vector.clone();
        rotation.apply(&mut turned);
        rotation.invert(&mut turned);
        for (found, expected) in turned.iter().zip(&vector) {
            assert!((found - expected).abs() < 1e-5, "{dimensions}: {found} instead of {expected}");
        }
    }
}

#[test]
fn projections_have_orthonormal_rows() {
    for (dimensions, kept) in [(1, 1), (5, 3), (100, 64), (384, 100), (1_023, 40), (768, 50)] {
        let rotation = Rotation::new(dimensions);
        let rows: Vec<Vec<f32>> = (0..kept)
            .map(|at| {
                let mut unit = vec![0.0; kept];
                unit[at] = 1.0;
                rotation.unproject(&unit)
            })
            .collect();
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate().skip(i) {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product(a, b) - expected).abs() < 1e-5, "{dimensions} to {kept}: {i}, {j}");
            }
        }
    }
}

/// A part of the coordinates that saw a part of the input only would make projections and codes blind to the
/// rest of it.
#[test]
fn spreads_every_coordinate_over_all_others() {
    for dimensions in [33, 96, 127, 384, 511, 768, 1_023, 1_536] {
        let rotation = Rotation::new(dimensions);
        for at in 0..dimensions {
            let mut vector = vec![0.0; dimensions];
            vector[at] = 1.0;
            rotation.apply(&mut vector);
            let largest = vector.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
            assert!(f64::from(largest) < 8.0 / (dimensions as f64).sqrt(), "{dimensions}, {at}: {largest}");
            for quarter in vector.chunks(dimensions.div_ceil(4)) {
                let share = product(quarter, quarter) * dimensions as f64 / quarter.len() as f64;
                assert!((0.1..4.0).contains(&share), "{dimensions}, {at}: {share}");
            }
        }
    }
}

#[test]
fn refuses_dimensions_that_do_not_fit() {
    assert_eq!(project(&[1.0, 2.0], 3), Err(Error::Projection { dimensions: 2, kept: 3 }));
    assert_eq!(unproject(&[1.0, 2.0], 1), Err(Error::Projection { dimensions: 1, kept: 2 }));
    assert_eq!(project(&[], 0), Err(Error::RotationDimensions(0)));
    assert_eq!(unproject(&[1.0], 8_193), Err(Error::RotationDimensions(8_193)));
    assert_eq!(project(&[3.0, 4.0], 0), Ok(vec![]));
    assert_eq!(unproject(&project(&[3.0, 4.0, 5.0], 2).unwrap(), 3).unwrap().len(), 3);
}

#[derive(Deserialize)]
struct Case {
    name: String,
    vector: Vec<f32>,
    rotated: Vec<f64>,
}

#[test]
fn passes_the_table() {
    let crate::support::Table { tolerance, cases } = crate::support::table::<Case>("rotation");
    for Case { name, vector, rotated } in cases {
        let found = rotate(&vector).unwrap();
        assert_eq!(found.len(), rotated.len(), "{name}");
        for (value, expected) in found.iter().zip(&rotated) {
            assert!((f64::from(*value) - expected).abs() <= tolerance, "{name}: {value}, not {expected}");
        }
    }
}
