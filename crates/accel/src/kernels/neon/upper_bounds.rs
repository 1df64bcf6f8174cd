//! Upper bounds of scores from counts, four rows at a time.

use super::WIDTH;
use crate::kernels::{UpperBound, scalar};
use std::arch::aarch64::*;

/// Multiplications and additions are not fused, for the same bits as the definition's.
#[target_feature(enable = "neon")]
pub fn upper_bounds(
    bound: &UpperBound,
    counts: &[i32],
    scalars: &[[f32; 2]],
    threshold: f32,
    out: &mut [f32],
) -> u64 {
    let length = counts.len().min(scalars.len()).min(out.len());
    let (start, base) = (vdupq_n_f32(bound.start), vdupq_n_f32(bound.base));
    // SAFETY: the array has four values; the load needs no alignment.
    let bits = unsafe { vld1q_u32([1, 2, 4, 8].as_ptr()) };
    let mut reached = 0;
    let mut at = 0;
    while at + WIDTH <= length {
        // SAFETY: at + WIDTH <= length of counts, of pairs of scalars and of `out`; neither loads nor the store need
        // alignment.
        unsafe {
            let count = vcvtq_f32_s32(vld1q_s32(counts.as_ptr().add(at)));
            let float32x4x2_t(factor, offset) = vld2q_f32(scalars.as_ptr().add(at).cast());
            let scaled = vmulq_f32(factor, vaddq_f32(start, vmulq_n_f32(count, bound.step)));
            let value = vaddq_f32(vaddq_f32(base, vmulq_n_f32(offset, bound.weight)), scaled);
            vst1q_f32(out.as_mut_ptr().add(at), value);
            let above = vandq_u32(vcgeq_f32(value, vdupq_n_f32(threshold)), bits);
            reached |= u64::from(vaddvq_u32(above)) << at;
        }
        at += WIDTH;
    }
    if at == length {
        return reached;
    }
    let rest = at..length;
    let above =
        scalar::upper_bounds(bound, &counts[rest.clone()], &scalars[rest.clone()], threshold, &mut out[rest]);
    reached | above << at
}
