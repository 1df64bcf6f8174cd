use crate::kernels::UpperBound;

/// The upper bound of each row, and which of them reach `threshold`, a bit each. Without a branch a row, so that the
/// compiler computes them side by side.
#[inline(always)]
pub fn upper_bounds(
    bound: &UpperBound,
    counts: &[i32],
    scalars: &[[f32; 2]],
    threshold: f32,
    out: &mut [f32],
) -> u64 {
    for ((out, &count), &scalars) in out.iter_mut().zip(counts).zip(scalars) {
        *out = bound.of(count, scalars);
    }
    let reached = out.iter().map(|&value| u64::from(value >= threshold));
    reached.enumerate().fold(0, |rows, (row, reached)| rows | reached << row)
}
