//! Every instruction set against the scalar definition, and the scan against a naive one.

use crate::support::{LENGTHS, Random};
use accel::kernels::{InstructionSet, Kernels, scalar};
use accel::{Error, Hits, Matrix, Selection, TopK, cosine, nearest, nearest_with, norm};

/// The rounding of n float32 products summed in any order: gamma_n * sum|a_i b_i|.
fn float32_error(a: &[f32], b: &[f32]) -> f64 {
    let magnitude: f64 = a.iter().zip(b).map(|(x, y)| f64::from(x * y).abs()).sum();
    (a.len() + 1) as f64 / f64::from(1 << 24) * magnitude
}

#[test]
fn dot_agrees_with_the_true_product() {
    let mut random = Random::new(1);
    for dimensions in LENGTHS {
        for _ in 0..50 {
            let (a, b) = (random.vector(dimensions), random.vector(dimensions));
            let truth: f64 = a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            for kernels in Kernels::available() {
                let error = (f64::from(kernels.dot(&a, &b)) - truth).abs();
                assert!(
                    error <= float32_error(&a, &b),
                    "{:?} at {dimensions}: {error}",
                    kernels.instruction_set()
                );
            }
        }
    }
}

#[test]
fn dot_reads_every_element_once() {
    for dimensions in LENGTHS {
        for at in 0..dimensions {
            let (mut a, mut b) = (vec![0.0; dimensions], vec![1.0; dimensions]);
            (a[at], b[at]) = (3.0, 5.0);
            for kernels in Kernels::available() {
                assert_eq!(kernels.dot(&a, &b), 15.0, "{:?} {at} of {dimensions}", kernels.instruction_set());
                assert_eq!(
                    kernels.dot_exact(&a, &b),
                    15.0,
                    "{:?} {at} of {dimensions}",
                    kernels.instruction_set()
                );
                assert_eq!(kernels.sum(&a), 3.0, "{:?} {at} of {dimensions}", kernels.instruction_set());
            }
        }
    }
}

#[test]
fn dot_reads_unaligned_slices() {
    let mut random = Random::new(2);
    let (a, b) = (random.whole_vector(100), random.whole_vector(100));
    for from in 0..17 {
        for kernels in Kernels::available() {
            let (a, b) = (&a[from..from + 80], &b[20 - from..100 - from]);
            assert_eq!(kernels.dot(a, b), scalar::dot(a, b));
        }
    }
}

#[test]
fn dot_exact_has_the_same_bits_on_every_instruction_set() {
    let mut random = Random::new(3);
    for dimensions in LENGTHS {
        for _ in 0..50 {
            let (a, b) = (random.vector(dimensions), random.vector(dimensions));
            let expected = scalar::dot_exact(&a, &b).to_bits();
            for kernels in Kernels::available() {
                assert_eq!(kernels.dot_exact(&a, &b).to_bits(), expected, "{:?}", kernels.instruction_set());
            }
            let others = [random.vector(dimensions), random.vector(dimensions)];
            let rows = [&a[..], &others[0], &b, &others[1]];
            let expected = rows.map(|row| scalar::dot_exact(row, &b).to_bits());
            for kernels in Kernels::available() {
                assert_eq!(kernels.dots_exact(rows, &b).map(f64::to_bits), expected);
            }
        }
    }
}

#[test]
fn hamming_with_planes_is_the_weighted_sum_of_each() {
    let mut random = Random::new(5);
    for words in [1, 2, 3, 12, 15, 16, 17, 40] {
        for count in [1, 4, 7] {
            let mut bits = |length: usize| (0..length).map(|_| random.next() as u32).collect::<Vec<_>>();
            let (code, planes) = (bits(words), bits(words * count));
            let weighted = planes.chunks_exact(words).enumerate().map(|(bit, plane)| {
                (0..words).map(|word| (code[word] ^ plane[word]).count_ones()).sum::<u32>() * (1 << bit)
            });
            let expected: u32 = weighted.sum();
            for kernels in Kernels::available() {
                assert_eq!(
                    kernels.hamming_planes(&code, &planes),
                    expected,
                    "{:?}",
                    kernels.instruction_set()
                );
            }
        }
    }
}

#[test]
fn sum_agrees_with_the_scalar_sum() {
    let mut random = Random::new(4);
    for dimensions in LENGTHS.into_iter().filter(|&dimensions| dimensions > 0) {
        let values = random.whole_vector(dimensions);
        for kernels in Kernels::available() {
            assert_eq!(kernels.sum(&values), scalar::sum(&values));
        }
    }
}

#[test]
fn scalar_is_always_available_and_the_widest_is_used() {
    let all = Kernels::available();
    assert_eq!(all[0].instruction_set(), InstructionSet::Scalar);
    assert_eq!(all.last().unwrap().instruction_set(), Kernels::widest().instruction_set());
}

#[test]
#[should_panic(expected = "left == right")]
fn dot_refuses_vectors_of_unequal_length() {
    Kernels::widest().dot(&[1.0, 2.0], &[1.0]);
}

/// A matrix that owns its arrays.
struct Rows {
    dimensions: usize,
    values: Vec<f32>,
    inverse_norms: Vec<f64>,
    labels: Vec<i32>,
    flags: Vec<u8>,
}

impl Rows {
    fn new(rows: &[Vec<f32>]) -> Self {
        let count = rows.len();
        Self {
            dimensions: rows[0].len(),
            values: rows.concat(),
            inverse_norms: rows.iter().map(|row| 1.0 / norm(row)).collect(),
            // In no order.
            labels: (0..count).map(|row| ((row * 7_919 + 13) % 100_003) as i32).collect(),
            flags: vec![1; count],
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

/// All rows in float64, sorted.
fn naive(matrix: &Matrix, query: &[f32], k: usize, min_score: f64, selection: &Selection) -> Hits {
    let mut all: Vec<(f64, i32)> = (0..matrix.count)
        .filter(|&row| u32::from(matrix.flags[row]) & selection.required_flags == selection.required_flags)
        .filter(|&row| selection.allowed.is_none_or(|allowed| allowed[row] != 0))
        .map(|row| {
            let values = &matrix.values[row * matrix.dimensions..][..matrix.dimensions];
            let score = scalar::dot_exact(values, query) * (1.0 / norm(query)) * matrix.inverse_norms[row];
            let score = if score.abs() > 1.0 - 1e-13 { score.signum() } else { score };
            (score + 0.0, matrix.labels[row])
        })
        .filter(|&(score, _)| score >= min_score)
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.truncate(k);
    Hits { labels: all.iter().map(|hit| hit.1).collect(), scores: all.iter().map(|hit| hit.0).collect() }
}

fn agrees(rows: &Rows, query: &[f32], k: usize, min_score: f64, selection: &Selection) {
    let expected = naive(&rows.matrix(), query, k, min_score, selection);
    for kernels in Kernels::available() {
        let found = nearest_with(&kernels, &rows.matrix(), query, k, min_score, selection).unwrap();
        assert_eq!(found, expected, "{:?}, k {k}, from {min_score}", kernels.instruction_set());
    }
}

#[test]
fn nearest_is_the_naive_scan() {
    let mut random = Random::new(5);
    for dimensions in LENGTHS.into_iter().filter(|&dimensions| dimensions > 0) {
        for whole in [false, true] {
            let mut vector =
                || if whole { random.whole_vector(dimensions) } else { random.vector(dimensions) };
            let rows = Rows::new(&(0..300).map(|_| vector()).collect::<Vec<_>>());
            let query = vector();
            for k in [0, 1, 2, 10, 70, 80, 299, 300, 1_000] {
                for min_score in [-1.0, 0.0, 0.1, 1.0] {
                    agrees(&rows, &query, k, min_score, &Selection::default());
                }
            }
        }
    }
}

#[test]
fn nearest_tells_rows_apart_that_float32_does_not() {
    let mut random = Random::new(6);
    for dimensions in [9, 64, 384, 1_537] {
        let (base, query) = (random.vector(dimensions), random.vector(dimensions));
        // The rows differ by a last bit or two, and come from worst to best, best to worst and mixed.
        let mut rows: Vec<Vec<f32>> = (0..400)
            .map(|_| {
                let mut row = base.clone();
                let at = random.below(dimensions);
                row[at] *= 1.0 + random.value() * 3e-7;
                row
            })
            .collect();
        for order in 0..3 {
            rows.sort_by(|a, b| {
                let difference = cosine(a, &query).unwrap().total_cmp(&cosine(b, &query).unwrap());
                if order == 0 { difference } else { difference.reverse() }
            });
            if order == 2 {
                rows.rotate_left(137);
            }
            let rows = Rows::new(&rows);
            for k in [1, 5, 50] {
                agrees(&rows, &query, k, -1.0, &Selection::default());
            }
        }
    }
}

#[test]
fn nearest_is_exact_for_rows_of_any_length() {
    let mut random = Random::new(7);
    let mut rows: Vec<Vec<f32>> = (0..400).map(|_| random.vector(48)).collect();
    for (at, row) in rows.iter_mut().enumerate() {
        let scale = [1e-42, 1e-38, 1e-30, 1e-20, 1.0, 1e10, 1e20, 1e30, 1e37][at % 9];
        row.iter_mut().for_each(|value| *value *= scale);
        if row.iter().all(|&value| value == 0.0) {
            row[0] = scale;
        }
    }
    let rows = Rows::new(&rows);
    for scale in [1e-38, 1e-20, 1.0, 1e20, 1e37] {
        let query: Vec<f32> = random.vector(48).iter().map(|value| value * scale).collect();
        agrees(&rows, &query, 10, -1.0, &Selection::default());
    }
}

#[test]
fn nearest_looks_at_selected_rows_only() {
    let mut random = Random::new(8);
    let mut rows = Rows::new(&(0..500).map(|_| random.whole_vector(16)).collect::<Vec<_>>());
    let allowed: Vec<u8> = (0..500).map(|_| [0, 1, 255][random.below(3)]).collect();
    rows.flags.iter_mut().for_each(|flags| *flags = random.below(4) as u8);
    let query = random.whole_vector(16);
    for required_flags in [0, 1, 2, 3, 4, 256] {
        for allowed in [None, Some(allowed.as_slice())] {
            for k in [3, 30, 500] {
                agrees(&rows, &query, k, -1.0, &Selection { required_flags, allowed });
            }
        }
    }
}

#[test]
fn nearest_of_values_that_are_no_numbers_finds_none_of_them() {
    let mut rows = Rows::new(&vec![vec![1.0, 0.0]; 20]);
    rows.values[0] = f32::NAN;
    rows.inverse_norms[1] = f64::NAN;
    rows.inverse_norms[2] = f64::INFINITY;
    rows.values[6] = f32::INFINITY;
    let hits = nearest(&rows.matrix(), &[0.0, 1.0], 3, f64::NEG_INFINITY, &Selection::default()).unwrap();
    assert_eq!(hits.scores, [0.0; 3]);
    assert_eq!(
        nearest(&rows.matrix(), &[0.0, 0.0], 3, -1.0, &Selection::default()).unwrap(),
        Hits::default()
    );
    assert_eq!(
        nearest(&rows.matrix(), &[0.0, 1.0], 3, f64::NAN, &Selection::default()).unwrap(),
        Hits::default()
    );
}

#[test]
fn nearest_refuses_arrays_that_do_not_fit() {
    let rows = Rows::new(&[vec![1.0, 0.0], vec![0.0, 1.0]]);
    let matrix = rows.matrix();
    let with = |matrix: Matrix, query: &[f32], allowed| {
        nearest(&matrix, query, 1, -1.0, &Selection { required_flags: 1, allowed }).unwrap_err().to_string()
    };
    let query = [1.0, 0.0];
    assert_eq!(with(matrix, &[1.0], None), "the query has 1 dimensions, the matrix 2");
    assert_eq!(with(matrix, &[1.0, f32::NAN], None), "query is not a finite number at 1");
    assert_eq!(with(matrix, &query, Some(&[1])), "allowed has 1 elements, the matrix needs 2");
    assert_eq!(
        with(Matrix { count: 3, ..matrix }, &query, None),
        "values has 4 elements, the matrix needs 6"
    );
    assert_eq!(
        with(Matrix { inverse_norms: &[], ..matrix }, &query, None),
        "inverseNorms has 0 elements, the matrix needs 2"
    );
    assert_eq!(
        with(Matrix { labels: &[1], ..matrix }, &query, None),
        "labels has 1 elements, the matrix needs 2"
    );
    assert_eq!(
        with(Matrix { flags: &[], ..matrix }, &query, None),
        "flags has 0 elements, the matrix needs 2"
    );
    let error = nearest(&Matrix { count: usize::MAX, ..matrix }, &query, 1, -1.0, &Selection::default());
    assert_eq!(error, Err(Error::TooLarge { dimensions: 2, count: usize::MAX }));
    assert_eq!(cosine(&[1.0], &query), Err(Error::Lengths { a: 1, b: 2 }));
}

#[test]
fn top_k_keeps_the_best_in_whatever_order_they_come() {
    let mut random = Random::new(9);
    for capacity in 0..40 {
        let mut best = TopK::new(capacity);
        let mut offers: Vec<(f64, i32)> = (0..30)
            .map(|label| ([-1.0, -0.0, 0.0, 0.5, 1.0][random.below(5)] + 0.0, label * 17 % 30))
            .collect();
        for &(score, label) in &offers {
            best.offer(score, label);
        }
        offers.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        offers.truncate(capacity);
        assert_eq!(
            best.least(),
            if capacity == 0 {
                f64::INFINITY
            } else if capacity > 30 {
                f64::NEG_INFINITY
            } else {
                offers[capacity - 1].0
            }
        );
        let Hits { labels, scores } = best.sorted();
        assert_eq!(
            labels.into_iter().zip(scores).map(|(label, score)| (score, label)).collect::<Vec<_>>(),
            offers
        );
    }
}
