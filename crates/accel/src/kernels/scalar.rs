//! The definition of every kernel, and the fallback of processors without wider instructions.

mod hadamard;
mod scans;
mod upper_bounds;
mod weighted_sum;

pub use hadamard::{hadamard, stages_from};
pub use scans::{products, products_i8, scan_hamming, scan_i8};
pub use upper_bounds::upper_bounds;
pub use weighted_sum::weighted_sum;

/// Sums side by side: one would wait for each addition, and the compiler turns 16 into vector instructions.
const LANES: usize = 16;

/// Dot product in float32, summed in no particular order.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (chunks_a, chunks_b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let tail: f32 = chunks_a.remainder().iter().zip(chunks_b.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; LANES];
    for (x, y) in chunks_a.zip(chunks_b) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f32>() + tail
}

/// Dot product in float64, in the order of the JavaScript kernel: four sums, what remains is added to the
/// first. A product of two float32 is exact in float64, so a fused multiply-add gives the same bits.
pub fn dot_exact(a: &[f32], b: &[f32]) -> f64 {
    let (chunks_a, chunks_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let (tail_a, tail_b) = (chunks_a.remainder(), chunks_b.remainder());
    let mut sums = [0.0; 4];
    for (x, y) in chunks_a.zip(chunks_b) {
        for lane in 0..4 {
            sums[lane] += f64::from(x[lane]) * f64::from(y[lane]);
        }
    }
    finish_exact(sums, tail_a, tail_b)
}

/// The end of every `dot_exact`: the last up to three products, then the four sums.
pub fn finish_exact(mut sums: [f64; 4], tail_a: &[f32], tail_b: &[f32]) -> f64 {
    for (x, y) in tail_a.iter().zip(tail_b) {
        sums[0] += f64::from(*x) * f64::from(*y);
    }
    sums[0] + sums[1] + (sums[2] + sums[3])
}

/// Dot product of bytes, exact up to 131,072 of them.
pub fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
}

/// In how many bits two codes differ.
pub fn hamming(a: &[u32], b: &[u32]) -> u32 {
    a.iter().zip(b).map(|(x, y)| (x ^ y).count_ones()).sum()
}

/// In how many bits a code differs from planes of bits, those of plane b times 2^b.
pub fn hamming_planes(hamming: impl Fn(&[u32], &[u32]) -> u32, code: &[u32], planes: &[u32]) -> u32 {
    planes.chunks_exact(code.len()).enumerate().map(|(bit, plane)| hamming(code, plane) << bit).sum()
}

/// Sum of all values in float32, in no particular order: reads memory and does little else.
pub fn sum(values: &[f32]) -> f32 {
    let chunks = values.chunks_exact(LANES);
    let tail: f32 = chunks.remainder().iter().sum();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            sums[lane] += chunk[lane];
        }
    }
    sums.iter().sum::<f32>() + tail
}
