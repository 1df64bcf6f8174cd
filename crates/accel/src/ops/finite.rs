//! Checks of operands and results. NaN and infinite values are refused: they would spoil every sum that they are in.

use crate::ops::error::Error;

/// Several registers of any processor, since a sum waits for each addition.
const LANES: usize = 32;

/// Whether no value is infinite or no number.
pub fn all_finite(values: &[f32]) -> bool {
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder().iter().all(|value| value.is_finite());
    // 0 times a value is 0, or no number where it is not finite: two steps in any instruction set.
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += 0.0 * chunk[lane];
        }
    }
    lanes.iter().all(|&sum| sum == 0.0) && rest
}

/// Checks float32 values: the error names the first that is not finite, as part of `what`.
pub fn check_finite(what: &'static str, values: &[f32]) -> Result<(), Error> {
    if all_finite(values) {
        return Ok(());
    }
    let at = values.iter().position(|value| !value.is_finite()).unwrap_or(0);
    Err(Error::NotFinite { what, at })
}

/// How many rows of `dimensions` numbers some values are; an error where the rows are not whole.
pub fn check_rows(values: &[f32], dimensions: usize) -> Result<usize, Error> {
    match values.len().checked_rem(dimensions) {
        Some(0) => Ok(values.len() / dimensions),
        None if values.is_empty() => Ok(0),
        _ => Err(Error::Rows { values: values.len(), dimensions }),
    }
}

/// Checks float64 values: the error names the first that is not finite, as part of `what`.
pub fn check_finite_wide(what: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(Error::NotFinite { what, at }),
        None => Ok(()),
    }
}

/// Refuses a result of float32 sums or products that is not finite: one of the operands is not either, or it is too large.
pub fn finite_result(operands: &[(&'static str, &[f32])], result: Vec<f32>) -> Result<Vec<f32>, Error> {
    if all_finite(&result) {
        return Ok(result);
    }
    operands.iter().try_for_each(|(what, values)| check_finite(what, values))?;
    check_finite("result", &result).map(|()| result)
}

#[cfg(test)]
mod tests {
    use super::{all_finite, check_finite, check_finite_wide, finite_result};
    use crate::ops::error::Error;

    #[test]
    fn no_place_hides_what_is_not_finite() {
        for length in 1..80 {
            assert!(all_finite(&vec![1.0; length]));
            for (at, not_finite) in
                (0..length).zip([f32::NAN, f32::INFINITY, f32::NEG_INFINITY].into_iter().cycle())
            {
                let mut values = vec![1.0; length];
                values[at] = not_finite;
                assert!(!all_finite(&values), "{not_finite} at {at} of {length}");
                assert_eq!(check_finite("query", &values), Err(Error::NotFinite { what: "query", at }));
                let wide: Vec<f64> = values.iter().map(|&value| value.into()).collect();
                assert_eq!(check_finite_wide("scores", &wide), Err(Error::NotFinite { what: "scores", at }));
            }
        }
    }

    #[test]
    fn a_result_is_refused_for_the_operand_that_spoils_it() {
        let (good, bad) = ([1.0, 2.0], [1.0, f32::NAN]);
        let result = |a, b, result: [f32; 1]| finite_result(&[("a", a), ("b", b)], result.to_vec());
        assert_eq!(result(&good, &good, [3.0]), Ok(vec![3.0]));
        assert_eq!(result(&good, &bad, [f32::NAN]), Err(Error::NotFinite { what: "b", at: 1 }));
        assert_eq!(result(&bad, &bad, [f32::NAN]), Err(Error::NotFinite { what: "a", at: 1 }));
        assert_eq!(result(&good, &good, [f32::INFINITY]), Err(Error::NotFinite { what: "result", at: 0 }));
    }
}
