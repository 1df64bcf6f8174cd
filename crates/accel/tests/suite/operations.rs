//! The operations on whole vectors against their definitions.

use crate::support::LENGTHS;
use accel::hdc::{bind_circular, bind_product, bundle, unbind_circular};
use accel::{BlendType, Error, Tensor, cosine, einsum, log_sum_exp, norm, slerp, softmax};
use std::f64::consts::{FRAC_PI_2, LN_2, PI};

/// From -1 to 1 (xorshift64).
fn values(length: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        })
        .collect()
}

fn assert_near(found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (at, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!((x - y).abs() <= tolerance, "{x} instead of {y} at {at}");
    }
}

#[test]
fn slerp_follows_the_great_circle_and_the_lengths_a_line() {
    for dimensions in [2, 3, 8, 384] {
        let (a, mut b) = (values(dimensions, 1), values(dimensions, 2));
        b.iter_mut().for_each(|value| *value *= 3.0);
        let whole = cosine(&a, &b).unwrap().acos();
        for alpha in [0.0, 0.25, 0.5, 0.8, 1.0] {
            let blend = slerp(&a, &b, alpha).unwrap();
            assert_eq!(blend.blend_type, BlendType::Spherical);
            assert!((blend.angle - whole).abs() < 1e-7);
            let angle = cosine(&a, &blend.vector).unwrap().acos();
            assert!((angle - alpha * whole).abs() < 1e-3, "{angle} at {alpha} of {whole}");
            let length = (1.0 - alpha) * norm(&a) + alpha * norm(&b);
            assert!((norm(&blend.vector) / length - 1.0).abs() < 1e-6);
        }
        assert_near(&slerp(&a, &b, 0.0).unwrap().vector, &a, 1e-6);
        assert_near(&slerp(&a, &b, 1.0).unwrap().vector, &b, 1e-6);
    }
}

#[test]
fn slerp_of_nearly_one_direction_is_linear() {
    let blend = slerp(&[1.0, 0.0], &[3.0, 1e-5], 0.5).unwrap();
    assert_eq!(blend.blend_type, BlendType::Linear);
    assert_near(&blend.vector, &[2.0, 1e-5 / 3.0], 1e-6);
    assert_eq!(slerp(&[1.0, 2.0], &[1.0, 2.0], 0.3).unwrap().angle, 0.0);
}

#[test]
fn slerp_of_opposite_directions_leads_through_a_fixed_corner() {
    let (a, b) = ([3.0, 4.0, 0.0], [-3.0, -4.0, 0.0]);
    let at = |alpha| slerp(&a, &b, alpha).unwrap();
    assert_eq!(at(0.5).blend_type, BlendType::Antipodal);
    assert!((at(0.5).angle - PI).abs() < 1e-9);
    assert_near(&at(0.0).vector, &a, 1e-6);
    assert_near(&at(0.5).vector, &[0.0, 0.0, 5.0], 1e-6);
    assert_near(&at(1.0).vector, &b, 1e-6);
    for alpha in [0.1, 0.25, 0.6, 0.9] {
        assert!((cosine(&a, &at(alpha).vector).unwrap() - (alpha * PI).cos()).abs() < 1e-6);
    }
    assert_eq!(slerp(&[2.0], &[-4.0], 0.5).unwrap().vector, [-1.0]);
}

#[test]
fn slerp_refuses_what_has_no_direction() {
    assert_eq!(slerp(&[0.0], &[1.0], 0.5), Err(Error::Zero));
    assert_eq!(slerp(&[], &[], 0.5), Err(Error::Zero));
    assert_eq!(slerp(&[1.0], &[1.0, 2.0], 0.5), Err(Error::Lengths { a: 1, b: 2 }));
    assert!((slerp(&[1.0, 0.0], &[0.0, 2.0], 0.5).unwrap().angle - FRAC_PI_2).abs() < 1e-12);
}

#[test]
fn softmax_weighs_by_the_exponential_without_overflow() {
    let weights = softmax(&[0.0, LN_2, -1e6], 1.0).unwrap();
    for (weight, expected) in weights.iter().zip([1.0 / 3.0, 2.0 / 3.0, 0.0]) {
        assert!((weight - expected).abs() < 1e-15);
    }
    assert_eq!(softmax(&[1000.0, 1000.0], 10.0).unwrap(), [0.5, 0.5]);
    assert!(softmax(&[], 1.0).unwrap().is_empty());
    assert!((log_sum_exp(&[1000.0, 1000.0], 2.0).unwrap() - (2000.0 + LN_2)).abs() < 1e-12);
    assert_eq!(log_sum_exp(&[], 1.0).unwrap(), f64::NEG_INFINITY);
}

#[test]
fn bind_circular_is_the_circular_convolution() {
    for length in LENGTHS {
        let (a, b) = (values(length, 3), values(length, 4));
        let convolution: Vec<f32> = (0..length)
            .map(|k| {
                (0..length).map(|i| f64::from(a[i]) * f64::from(b[(k + length - i) % length])).sum::<f64>()
                    as f32
            })
            .collect();
        assert_near(&bind_circular(&a, &b).unwrap(), &convolution, 1e-5);
        let correlation: Vec<f32> = (0..length)
            .map(|k| {
                (0..length).map(|i| f64::from(b[i]) * f64::from(a[(i + k) % length])).sum::<f64>() as f32
            })
            .collect();
        assert_near(&unbind_circular(&a, &b).unwrap(), &correlation, 1e-5);
    }
}

#[test]
fn unbind_gives_back_what_was_bound() {
    let (a, b, other) = (values(1_537, 5), values(1_537, 6), values(1_537, 7));
    let found = unbind_circular(&bind_circular(&a, &b).unwrap(), &a).unwrap();
    assert!(cosine(&found, &b).unwrap() > 0.6);
    assert!(cosine(&found, &other).unwrap().abs() < 0.15);
    assert_eq!(bind_product(&[1.0], &[]), Err(Error::Lengths { a: 1, b: 0 }));
}

#[test]
fn bundle_is_the_weighted_sum() {
    assert_eq!(bundle(&[1.0, 2.0, 3.0, 4.0], 2, &[2.0, -1.0]).unwrap(), [-1.0, 0.0]);
    assert!(bundle(&[], 0, &[1.0]).unwrap().is_empty());
    assert_eq!(bundle(&[], 2, &[]).unwrap(), [0.0, 0.0]);
    assert!(bundle(&[1.0], 2, &[1.0]).is_err());
}

fn contract(spec: &str, a: (&[f32], &[usize]), b: (&[f32], &[usize])) -> Tensor {
    einsum(spec, a, b).unwrap()
}

#[test]
fn einsum_multiplies_matrices_in_every_layout() {
    let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, -1.0, 2.0, 1.0, 0.5]);
    let product = Tensor { shape: vec![2, 2], values: vec![-2.0, 5.5, -2.0, 16.0] };
    assert_eq!(contract("ik,jk->ij", (&a, &[2, 3]), (&b, &[2, 3])), product);
    let transposed = Tensor { shape: vec![2, 2], values: vec![-2.0, -2.0, 5.5, 16.0] };
    assert_eq!(contract("ik,jk->ji", (&a, &[2, 3]), (&b, &[2, 3])), transposed);
    let columns = [1.0, 2.0, 0.0, 1.0, -1.0, 0.5];
    assert_eq!(contract("ik,kj->ij", (&a, &[2, 3]), (&columns, &[3, 2])), product);
}

#[test]
fn einsum_covers_batches_outer_products_sums_and_diagonals() {
    let (a, b) = ([1.0, 2.0, 3.0, 4.0], [10.0, 20.0]);
    let values = |spec, a_shape: &[usize]| contract(spec, (&a, a_shape), (&b, &[2])).values;
    assert_eq!(values("bi,b->bi", &[2, 2]), [10.0, 20.0, 60.0, 80.0]);
    assert_eq!(values("i,j->ij", &[4]), [10.0, 20.0, 20.0, 40.0, 30.0, 60.0, 40.0, 80.0]);
    assert_eq!(values("ij,k->k", &[2, 2]), [100.0, 200.0]);
    assert_eq!(values("ii,i->i", &[2, 2]), [10.0, 80.0]);
    assert_eq!(values("ii,i->", &[2, 2]), [90.0]);
    assert_eq!(contract(",->", (&[2.0], &[]), (&[3.0], &[])).values, [6.0]);
    assert_eq!(contract("ik,jk->ij", (&[], &[2, 0]), (&[], &[1, 0])).values, [0.0, 0.0]);
}

#[test]
fn einsum_of_large_operands_is_the_sum() {
    let (heads, rows, inner, columns) = (3, 5, 200, 700);
    let (a, b) = (values(heads * rows * inner, 8), values(heads * inner * columns, 9));
    let found = contract("bhd,hde->bhe", (&a, &[rows, heads, inner]), (&b, &[heads, inner, columns]));
    assert_eq!(found.shape, [rows, heads, columns]);
    for at in (0..found.values.len()).step_by(97) {
        let (row, head, column) = (at / columns / heads, at / columns % heads, at % columns);
        let expected: f64 = (0..inner)
            .map(|d| {
                f64::from(a[(row * heads + head) * inner + d])
                    * f64::from(b[(head * inner + d) * columns + column])
            })
            .sum();
        assert!((f64::from(found.values[at]) - expected).abs() < 1e-5);
    }
}

#[test]
fn einsum_refuses_what_does_not_fit() {
    let refused = |spec, a_shape: &[usize], b_shape: &[usize]| {
        einsum(spec, (&[1.0, 2.0], a_shape), (&[1.0, 2.0], b_shape)).unwrap_err().to_string()
    };
    assert_eq!(refused("i,i", &[2], &[2]), "'i,i' is not of the form 'ab,bc->ac'");
    assert_eq!(refused("i->i", &[2], &[2]), "'i->i' is not of the form 'ab,bc->ac'");
    assert_eq!(refused("é,i->i", &[2], &[2]), "'é,i->i' is not of the form 'ab,bc->ac'");
    assert_eq!(refused("ij,i->i", &[2], &[2]), "'ij' names 2 dimensions, the operand has 1");
    assert_eq!(
        refused("i,j->k", &[2], &[2]),
        "the result's 'k' must be in an operand, and once in the result"
    );
    assert_eq!(
        refused("i,j->ii", &[2], &[2]),
        "the result's 'i' must be in an operand, and once in the result"
    );
    assert_eq!(refused("ij,i->i", &[1, 2], &[2]), "'i' is 1 and 2 long");
    assert_eq!(refused("i,j->i", &[3], &[2]), "an operand of shape [3] has 2 values");
}

/// Fuzzing found that the process would end for want of memory.
#[test]
fn sizes_that_no_values_hold_are_refused() {
    let most = u32::MAX as usize;
    assert_eq!(bundle(&[], most, &[]), Err(Error::TooLarge { dimensions: most, count: 0 }));
    assert_eq!(bundle(&[], 3, &[]), Ok(vec![0.0; 3]));
    let found = einsum("ab,bc->c", (&[], &[0, most]), (&[], &[most, 0])).unwrap();
    assert_eq!(found, Tensor { shape: vec![0], values: vec![] });
    let found = einsum("ab,c->c", (&[], &[0, most]), (&[1.0, 2.0], &[2])).unwrap();
    assert_eq!(found, Tensor { shape: vec![2], values: vec![0.0; 2] });
}
