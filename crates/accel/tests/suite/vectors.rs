//! The cases that the JavaScript kernels pass as well.

use crate::support::{Table, table};
use accel::{Matrix, Selection, cosine, nearest, norm};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NearestCase {
    name: String,
    rows: Vec<Vec<f32>>,
    labels: Vec<i32>,
    flags: Vec<u8>,
    query: Vec<f32>,
    k: usize,
    min_score: f64,
    required_flags: u32,
    allowed: Option<Vec<u8>>,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    labels: Vec<i32>,
    scores: Vec<f64>,
}

#[derive(Deserialize)]
struct CosineCase {
    name: String,
    a: Vec<f32>,
    b: Vec<f32>,
    expected: f64,
}

#[test]
fn nearest_passes_the_table() {
    let Table { tolerance, cases } = table::<NearestCase>("nearest");
    for case in cases {
        let inverse_norms: Vec<f64> = case.rows.iter().map(|row| 1.0 / norm(row)).collect();
        let matrix = Matrix {
            dimensions: case.query.len(),
            count: case.rows.len(),
            values: &case.rows.concat(),
            inverse_norms: &inverse_norms,
            labels: &case.labels,
            flags: &case.flags,
        };
        let selection = Selection { required_flags: case.required_flags, allowed: case.allowed.as_deref() };
        let hits = nearest(&matrix, &case.query, case.k, case.min_score, &selection).unwrap();
        assert_eq!(hits.labels, case.expected.labels, "{}", case.name);
        for (score, expected) in hits.scores.iter().zip(&case.expected.scores) {
            assert!((score - expected).abs() <= tolerance, "{}: {score} instead of {expected}", case.name);
        }
    }
}

#[test]
fn cosine_passes_the_table() {
    let Table { tolerance, cases } = table::<CosineCase>("cosine");
    for CosineCase { name, a, b, expected } in cases {
        let found = cosine(&a, &b).unwrap();
        assert!((found - expected).abs() <= tolerance, "{name}: {found} instead of {expected}");
    }
}
