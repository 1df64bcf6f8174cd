//! Kernels over whole blocks against their definitions, row by row.

use crate::support::{LENGTHS, Random};
use accel::kernels::{Kernels, UpperBound, scalar};

/// Around the tiles.
const COUNTS: [usize; 9] = [0, 1, 2, 3, 4, 5, 7, 8, 33];

#[test]
fn products_are_those_of_every_row_with_every_query() {
    let mut random = Random::new(1);
    for dimensions in LENGTHS.into_iter().filter(|&dimensions| dimensions > 0) {
        for count in COUNTS {
            for queries in COUNTS {
                let (a, b) = (random.vector(count * dimensions), random.vector(queries * dimensions));
                for kernels in Kernels::available() {
                    let mut out = vec![f32::NAN; count * queries];
                    kernels.products(&a, &b, dimensions, &mut out);
                    for (query, out) in b.chunks_exact(dimensions).zip(out.chunks(count.max(1))) {
                        for (row, &product) in a.chunks_exact(dimensions).zip(out) {
                            let error = (f64::from(product) - scalar::dot_exact(row, query)).abs();
                            // gamma_n * sum |a_i b_i|, whose terms are below 1.
                            let bound = (dimensions * (dimensions + 1)) as f64 / f64::from(1 << 24);
                            assert!(error <= bound, "{:?}, {dimensions}", kernels.instruction_set());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn products_of_no_dimensions_are_zero() {
    let mut out = [1.0; 3];
    Kernels::widest().products(&[], &[], 0, &mut out);
    assert_eq!(out, [0.0; 3]);
}

#[test]
fn scans_of_bytes_are_exact() {
    let mut random = Random::new(2);
    for length in LENGTHS {
        for count in COUNTS.into_iter().chain([64, 67]) {
            for worst in [None, Some(-128), Some(-127), Some(127)] {
                let mut bytes = |count: usize| -> Vec<i8> {
                    (0..count).map(|_| worst.unwrap_or_else(|| random.below(256) as u8 as i8)).collect()
                };
                let (rows, query) = (bytes(length * count), bytes(length));
                let expected: Vec<i32> = (0..count)
                    .map(|row| scalar::dot_i8(&rows[row * length..(row + 1) * length], &query))
                    .collect();
                for kernels in Kernels::available() {
                    let mut out = vec![1; count];
                    for streams in [false, true] {
                        out.fill(1);
                        kernels.scan_i8(&rows, &query, streams, &mut out);
                        assert_eq!(out, expected, "{:?}, {length}", kernels.instruction_set());
                    }
                }
            }
        }
    }
}

#[test]
fn products_of_bytes_are_exact() {
    let mut random = Random::new(12);
    for dimensions in LENGTHS {
        for count in COUNTS {
            for queries in COUNTS {
                let worst = [None, None, Some(-128), Some(127)][random.below(4)];
                let mut bytes = |count: usize| -> Vec<i8> {
                    (0..count).map(|_| worst.unwrap_or_else(|| random.below(256) as u8 as i8)).collect()
                };
                let (a, b) = (bytes(count * dimensions), bytes(queries * dimensions));
                let row = |values: &[i8], at: usize| values[at * dimensions..][..dimensions].to_vec();
                let expected: Vec<i32> = (0..queries * count)
                    .map(|at| scalar::dot_i8(&row(&a, at % count), &row(&b, at / count)))
                    .collect();
                for kernels in Kernels::available() {
                    let mut out = vec![1; count * queries];
                    kernels.products_i8(&a, &b, dimensions, &mut out);
                    assert_eq!(out, expected, "{:?}, {dimensions}", kernels.instruction_set());
                }
            }
        }
    }
}

#[test]
fn scans_of_bytes_hold_the_largest_sums() {
    let (rows, query) = (vec![-127; 4 * 131_072], vec![-127; 131_072]);
    for kernels in Kernels::available() {
        let mut out = [0; 4];
        kernels.scan_i8(&rows, &query, false, &mut out);
        assert_eq!(out, [127 * 127 * 131_072; 4]);
        let mut out = [0; 16];
        kernels.products_i8(&rows, &rows, query.len(), &mut out);
        assert_eq!(out, [127 * 127 * 131_072; 16]);
    }
}

#[test]
fn scans_of_bits_count_those_that_differ() {
    let mut random = Random::new(3);
    for length in LENGTHS {
        for count in COUNTS {
            let mut words = |count: usize| (0..count).map(|_| random.next() as u32).collect::<Vec<_>>();
            let (codes, query) = (words(length * count), words(length));
            let expected: Vec<u32> = (0..count)
                .map(|row| scalar::hamming(&codes[row * length..(row + 1) * length], &query))
                .collect();
            for kernels in Kernels::available() {
                let mut out = vec![1; count];
                kernels.scan_hamming(&codes, &query, &mut out);
                assert_eq!(out, expected, "{:?}, {length}", kernels.instruction_set());
            }
        }
    }
}

#[test]
fn scans_of_bits_hold_the_largest_counts() {
    let words = 1_537;
    let (codes, query) = (vec![0; 5 * words], vec![u32::MAX; words]);
    for kernels in Kernels::available() {
        let mut out = [1; 5];
        kernels.scan_hamming(&codes, &query, &mut out);
        assert_eq!(out, [32 * words as u32; 5], "{:?}", kernels.instruction_set());
    }
}

#[test]
fn upper_bounds_are_the_same_on_every_instruction_set() {
    let mut random = Random::new(4);
    for count in [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64] {
        let bound = UpperBound {
            base: random.value(),
            weight: random.value(),
            start: random.value(),
            step: random.value() / 100.0,
        };
        let counts: Vec<i32> = (0..count).map(|_| random.below(1 << 20) as i32 - (1 << 19)).collect();
        let scalars: Vec<[f32; 2]> = counts.iter().map(|_| [random.value(), random.value()]).collect();
        let each = || counts.iter().zip(&scalars).map(|(&count, &scalars)| bound.of(count, scalars));
        // One of the values, which reaches it, or none.
        for threshold in [each().next().unwrap_or(0.0), f32::NEG_INFINITY, f32::NAN] {
            let reached = each().enumerate().filter(|(_, value)| *value >= threshold);
            let reached = reached.fold(0u64, |rows, (row, _)| rows | 1 << row);
            for kernels in Kernels::available() {
                let mut out = vec![f32::NAN; count];
                assert_eq!(kernels.upper_bounds(&bound, &counts, &scalars, threshold, &mut out), reached);
                assert_eq!(out, each().collect::<Vec<_>>(), "{:?}, {count}", kernels.instruction_set());
            }
        }
    }
}

#[test]
#[should_panic(expected = "left == right")]
fn scans_refuse_rows_that_are_not_as_many_as_results() {
    Kernels::widest().scan_hamming(&[1, 2, 3], &[1], &mut [0; 2]);
}
