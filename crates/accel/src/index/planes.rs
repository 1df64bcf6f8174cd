//! A vector in a few bits a coordinate, bit plane by bit plane.

use super::encode::words;
use super::lanes::nearest_byte;
use crate::kernels::Kernels;

/// How many bits a coordinate of the query has where estimates are refined. Their error grows by 1 % against a
/// query in float32.
pub const QUERY_BITS: usize = 4;

/// Half the step between levels of a uniform quantiser of `QUERY_BITS` with least error for normally
/// distributed values, in standard deviations (Max, IRE Trans. Inf. Theory 1960).
const HALF_STEP: f32 = 0.1676;

/// The highest level.
pub const TOP: u8 = (1 << QUERY_BITS) - 1;

/// A vector whose coordinates are rounded to levels: level l stands for (2 l - `TOP`) half steps.
pub struct Planes {
    /// Bit b of all levels in words of 32 coordinates, the lowest b first, padded with zeros. The last are the signs.
    pub words: Vec<u32>,
    /// Sum of each value times what its level stands for, in half steps.
    pub product: f32,
    /// Sum of the squares of what the levels stand for.
    pub squares: f32,
}

impl Planes {
    /// The planes of a vector; `squares` is the sum of the squares of its values.
    pub fn new(values: &[f32], squares: f32) -> Self {
        let half_step = HALF_STEP * squares.sqrt() / (values.len() as f32).sqrt();
        let per_step = if half_step > 0.0 { 0.5 / half_step } else { 0.0 };
        let top = f32::from(TOP);
        let padded = 32 * words(values.len());
        let mut levels: Vec<u8> = Vec::with_capacity(padded);
        levels.extend(values.iter().map(|value| {
            let level = (value * per_step + 0.5 * top).clamp(0.0, top);
            nearest_byte(level)
        }));
        let signed: Vec<f32> = levels.iter().map(|&level| 2.0 * f32::from(level) - top).collect();
        levels.resize(padded, 0);
        let kernels = Kernels::widest();
        let (product, squares) = (kernels.dot(values, &signed), kernels.dot(&signed, &signed));
        Self { words: bit_planes(&levels), product, squares }
    }
}

/// The bit planes of levels, whose number is a multiple of 32.
fn bit_planes(levels: &[u8]) -> Vec<u32> {
    let words = levels.len() / 32;
    let mut planes = vec![0; QUERY_BITS * words];
    for (at, &eight) in levels.as_chunks::<8>().0.iter().enumerate() {
        let eight = u64::from_le_bytes(eight);
        for bit in 0..QUERY_BITS {
            planes[bit * words + at / 4] |= u32::from(low_bits(eight >> bit)) << (8 * (at % 4));
        }
    }
    planes
}

/// The lowest bits of eight bytes, that of the lowest byte lowest. Byte i times 2^(56 - 7 i) has its bit at 56 + i, and no
/// two of all the products meet in one place.
fn low_bits(eight: u64) -> u8 {
    ((eight & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::{Planes, QUERY_BITS, TOP};

    #[test]
    fn planes_hold_the_nearest_levels() {
        for length in [1, 7, 31, 32, 33, 100] {
            let values: Vec<f32> = (0..length).map(|at| ((at * 37 % 23) as f32 - 11.0) / 7.0).collect();
            let squares: f32 = values.iter().map(|value| value * value).sum();
            let planes = Planes::new(&values, squares);
            let words = planes.words.len() / QUERY_BITS;
            assert_eq!(words, usize::div_ceil(length, 32));
            let level = |at: usize| {
                (0..QUERY_BITS)
                    .map(|bit| (planes.words[bit * words + at / 32] >> (at % 32) & 1) << bit)
                    .sum::<u32>()
            };
            let step = 2.0 * 0.1676 * (squares / length as f32).sqrt();
            let (mut product, mut level_squares) = (0.0, 0.0);
            for (at, value) in values.iter().enumerate() {
                let stands_for = 2.0 * level(at) as f32 - f32::from(TOP);
                let off = (value / step - 0.5 * stands_for).abs();
                assert!(off <= 0.5001 || stands_for.abs() == f32::from(TOP), "{value} by {stands_for}");
                product += value * stands_for;
                level_squares += stands_for * stands_for;
            }
            assert!((product - planes.product).abs() < 1e-3 && level_squares == planes.squares);
            assert!((length..32 * words).all(|at| level(at) == 0));
        }
    }

    #[test]
    fn nothing_stands_in_the_middle() {
        let planes = Planes::new(&[0.0; 32], 0.0);
        assert_eq!(planes.product, 0.0);
    }
}
