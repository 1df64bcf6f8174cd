//! Codes of fewer bits against their definitions.

use crate::support::LENGTHS;
use accel::kernels::{Kernels, scalar};
use accel::{Error, Matrix, Selection, nearest_bytes, quantize_bytes};

#[test]
fn bytes_keep_the_largest_value_as_127() {
    let found = quantize_bytes(&[1.0, -0.5, 0.25, -4.0, 0.0, 0.0], 3).unwrap();
    assert_eq!(found.codes, [127, -63, 32, -127, 0, 0]);
    assert_eq!(found.scales, [1.0 / 127.0, 4.0 / 127.0]);
    assert_eq!(found.inverse_norms[1], 1.0 / 127.0);
    let zeros = quantize_bytes(&[0.0, 0.0], 2).unwrap();
    assert_eq!((zeros.codes, zeros.inverse_norms), (vec![0, 0], vec![0.0]));
    assert_eq!(quantize_bytes(&[1.0], 2), Err(Error::Rows { values: 1, dimensions: 2 }));
    assert_eq!(quantize_bytes(&[1.0], 0), Err(Error::Rows { values: 1, dimensions: 0 }));
}

#[test]
fn kernels_of_codes_agree_on_every_instruction_set() {
    for length in LENGTHS.into_iter().chain([131_072]) {
        let bytes =
            |seed: usize| (0..length).map(|i| ((i * seed * 37 + seed) % 255) as u8 as i8).collect::<Vec<_>>();
        let words = |seed: u32| {
            (0..length as u32).map(|i| i.wrapping_mul(seed.wrapping_mul(0x9e37_79b1))).collect::<Vec<_>>()
        };
        for kernels in Kernels::available() {
            let (a, b) = (bytes(3), bytes(5));
            assert_eq!(kernels.dot_i8(&a, &b), scalar::dot_i8(&a, &b), "{length}");
            assert_eq!(kernels.dot_i8(&vec![-127; length], &vec![-127; length]), 127 * 127 * length as i32);
            let (a, b) = (words(3), words(5));
            assert_eq!(kernels.hamming(&a, &b), scalar::hamming(&a, &b), "{length}");
        }
    }
}

#[test]
fn scans_find_the_best_codes_of_the_selected_rows() {
    let values = [1.0, 0.0, 1.0, 1.0, -1.0, 0.5, 2.0, 0.1];
    let (labels, flags) = ([4, 3, 2, 1], [1, 1, 1, 0]);
    let bytes = quantize_bytes(&values, 2).unwrap();
    let matrix = Matrix {
        dimensions: 2,
        count: 4,
        values: bytes.codes.as_slice(),
        inverse_norms: &bytes.inverse_norms,
        labels: &labels,
        flags: &flags,
    };
    let selection = Selection { required_flags: 1, allowed: None };
    let hits = nearest_bytes(&matrix, &[5.0, 0.0], 2, 0.0, &selection).unwrap();
    assert_eq!(hits.labels, [4, 3]);
    assert_eq!(hits.scores[0], 1.0);
    assert!((hits.scores[1] - 0.5f64.sqrt()).abs() < 1e-12);
}
