//! Many queries at once against one after the other.

use crate::support::Random;
use accel::kernels::Kernels;
use accel::{
    BLOCK_ROWS, Error, Matrix, PrefilterScan, Selection, cosine, nearest, nearest_many, nearest_many_with,
    nearest_with, norm,
};

struct Rows {
    dimensions: usize,
    values: Vec<f32>,
    inverse_norms: Vec<f64>,
    labels: Vec<i32>,
    flags: Vec<u8>,
}

impl Rows {
    fn new(random: &mut Random, count: usize, dimensions: usize) -> Self {
        let mut values = Vec::new();
        for row in 0..count {
            match row % 5 {
                // Equal rows, and rows that float32 hardly tells apart.
                3 => values.extend_from_within((row - 1) * dimensions..),
                4 => values.extend(random.whole_vector(dimensions)),
                _ => values.extend(random.vector(dimensions)),
            }
            if row % 7 == 6 {
                let scale = [1e-30, 1e-19, 1e19, 1e30][random.below(4)];
                values[row * dimensions..].iter_mut().for_each(|value| *value *= scale);
            }
        }
        Self {
            dimensions,
            inverse_norms: values.chunks(dimensions).map(|row| 1.0 / norm(row)).collect(),
            values,
            labels: (0..count).map(|row| ((row * 7_919 + 13) % 100_003) as i32).collect(),
            flags: (0..count).map(|_| random.below(4) as u8).collect(),
        }
    }

    fn matrix(&self) -> Matrix<'_> {
        Matrix {
            dimensions: self.dimensions,
            count: self.labels.len(),
            values: &self.values,
            inverse_norms: &self.inverse_norms,
            labels: &self.labels,
            flags: &self.flags,
        }
    }
}

#[test]
fn many_queries_find_what_single_ones_do() {
    let mut random = Random::new(1);
    for (dimensions, count, queries) in [
        (1, 90, 3),
        (3, 200, 130),
        (8, 0, 2),
        (17, 300, 1),
        (64, 129, 5),
        (384, 200, 7),
        (385, 65, 64),
        (1_536, 70, 3),
        (1_537, 130, 9),
        (48, 1_000, 0),
    ] {
        let rows = Rows::new(&mut random, count, dimensions);
        let allowed: Vec<u8> = (0..count).map(|_| random.below(2) as u8).collect();
        let few: Vec<u8> = (0..count).map(|row| u8::from(row % 11 == 0)).collect();
        let queries: Vec<f32> = (0..queries).flat_map(|_| random.whole_vector(dimensions)).collect();
        for k in [0, 1, 10, 100, 2_000] {
            for (required_flags, allowed) in [(0, None), (1, Some(allowed.as_slice())), (2, Some(&few))] {
                for min_score in [-1.0, 0.1] {
                    let selection = Selection { required_flags, allowed };
                    for kernels in Kernels::available() {
                        let found =
                            nearest_many_with(&kernels, &rows.matrix(), &queries, k, min_score, &selection)
                                .unwrap();
                        let expected: Vec<_> = queries
                            .chunks_exact(dimensions)
                            .map(|query| {
                                nearest_with(&kernels, &rows.matrix(), query, k, min_score, &selection)
                                    .unwrap()
                            })
                            .collect();
                        assert_eq!(found, expected);
                    }
                }
            }
        }
    }
}

/// A row of the result that is no candidate could not be found any more.
#[test]
fn the_first_look_keeps_every_row_of_the_result() {
    let mut random = Random::new(2);
    for dimensions in [2, 33, 384, 1_537] {
        let rows = Rows::new(&mut random, 500, dimensions);
        let queries: Vec<f32> = (0..6).flat_map(|_| random.vector(dimensions)).collect();
        for k in [1, 7] {
            for kernels in Kernels::available() {
                let mut look = PrefilterScan::new(&kernels, &queries, dimensions, k, 0.0, 500);
                for first in (0..500).step_by(BLOCK_ROWS) {
                    let end = (first + BLOCK_ROWS).min(500);
                    let values = &rows.values[first * dimensions..end * dimensions];
                    look.scan(first, values, &rows.inverse_norms[first..end], u64::MAX);
                }
                for (query, candidates) in queries.chunks_exact(dimensions).zip(look.candidates()) {
                    let all = Selection::default();
                    let best = nearest_with(&kernels, &rows.matrix(), query, k, 0.0, &all).unwrap();
                    for label in best.labels {
                        let row = rows.labels.iter().position(|&other| other == label).unwrap();
                        assert!(candidates.contains(&row), "{dimensions}: {row}");
                    }
                    // A score can only tie or come close with few others here.
                    assert!(candidates.len() < 300);
                }
            }
        }
    }
}

#[test]
fn zero_queries_find_nothing_beside_others_that_do() {
    let mut random = Random::new(3);
    let rows = Rows::new(&mut random, 100, 4);
    let queries = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0];
    let found = nearest_many(&rows.matrix(), &queries, 3, -1.0, &Selection::default()).unwrap();
    assert!(found[0].labels.is_empty());
    assert_eq!(found[1].labels.len(), 3);
}

#[test]
fn scores_are_cosines() {
    let mut random = Random::new(4);
    let rows = Rows::new(&mut random, 64, 20);
    let query = random.vector(20);
    let hits = nearest(&rows.matrix(), &query, 5, -1.0, &Selection::default()).unwrap();
    for (label, score) in hits.labels.iter().zip(hits.scores) {
        let row = rows.labels.iter().position(|other| other == label).unwrap();
        assert!((cosine(&rows.values[row * 20..][..20], &query).unwrap() - score).abs() < 1e-12);
    }
}

#[test]
fn refuses_queries_that_are_not_whole() {
    let mut random = Random::new(5);
    let rows = Rows::new(&mut random, 10, 4);
    let with = |queries: &[f32]| nearest_many(&rows.matrix(), queries, 1, -1.0, &Selection::default());
    assert_eq!(with(&[1.0; 5]), Err(Error::Rows { values: 5, dimensions: 4 }));
    assert_eq!(with(&[1.0, 1.0, f32::INFINITY, 1.0]), Err(Error::NotFinite { what: "query", at: 2 }));
}
