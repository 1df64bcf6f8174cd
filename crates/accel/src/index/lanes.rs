//! Loops that the compiler makes vector instructions of: sums in several lanes (it may not reorder a single sum), and
//! rounding without a call.

/// More lanes than a register of any processor has, so that several sums are under way at a time.
const LANES: usize = 16;

/// The low byte, in two's complement, of the whole number nearest to one between -2^22 and 2^22.
#[inline]
pub fn nearest_byte(value: f32) -> u8 {
    (value + ROUND).to_bits() as u8
}

/// 1.5 * 2^23: after what is added to it there is no room for a fraction, and its own low bits are 0.
const ROUND: f32 = 12_582_912.0;

/// The greatest magnitude of finite values; 0 of none.
pub fn largest_magnitude(values: &[f32]) -> f32 {
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    let mut lanes = [0f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            let magnitude = chunk[lane].abs();
            lanes[lane] = if magnitude > lanes[lane] { magnitude } else { lanes[lane] };
        }
    }
    lanes.iter().chain(rest).fold(0f32, |largest, value| largest.max(value.abs()))
}

/// The sum of all magnitudes.
pub fn sum_of_magnitudes(values: &[f32]) -> f32 {
    let chunks = values.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().map(|value| value.abs()).sum();
    let mut lanes = [0f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane].abs();
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// The sum of (value - code * scale)^2 over two slices of equal length.
pub fn squared_distance(values: &[f32], codes: &[i8], scale: f64) -> f64 {
    let squared = |value: f32, code: i8| {
        let difference = f64::from(value) - f64::from(code) * scale;
        difference * difference
    };
    let (chunks, code_chunks) = (values.chunks_exact(LANES), codes.chunks_exact(LANES));
    let rest = chunks.remainder().iter().zip(code_chunks.remainder());
    let rest: f64 = rest.map(|(&value, &code)| squared(value, code)).sum();
    let mut lanes = [0f64; LANES];
    for (chunk, codes) in chunks.zip(code_chunks) {
        for lane in 0..LANES {
            lanes[lane] += squared(chunk[lane], codes[lane]);
        }
    }
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::{largest_magnitude, nearest_byte, squared_distance, sum_of_magnitudes};

    #[test]
    fn lanes_give_what_a_loop_gives_at_any_length() {
        for length in 0..70 {
            let values: Vec<f32> = (0..length).map(|at| (at * 29 % 17) as f32 - 9.5).collect();
            let codes: Vec<i8> = (0..length).map(|at| (at * 31 % 19) as i8 - 8).collect();
            let magnitudes: Vec<f32> = values.iter().map(|value| value.abs()).collect();
            assert_eq!(largest_magnitude(&values), magnitudes.iter().copied().fold(0.0, f32::max));
            assert_eq!(sum_of_magnitudes(&values), magnitudes.iter().sum::<f32>());
            let distances =
                values.iter().zip(&codes).map(|(&value, &code)| f64::from(value) - 0.5 * f64::from(code));
            assert_eq!(
                squared_distance(&values, &codes, 0.5),
                distances.map(|each| each * each).sum::<f64>()
            );
        }
    }

    #[test]
    fn bytes_are_the_nearest_whole_numbers() {
        for value in (-12_749..=12_749).map(|hundredths| hundredths as f32 / 100.0) {
            assert_eq!(nearest_byte(value) as i8, value.round_ties_even() as i8, "{value}");
        }
    }
}
