use super::WIDTH;
use crate::kernels::scalar;
use std::arch::aarch64::*;

/// The stages of the definition in the same order, two at a time: those of distance 1 and 2 across four registers
/// that hold every fourth value.
#[target_feature(enable = "neon")]
pub fn hadamard(values: &mut [f32]) {
    if values.len() < 4 * WIDTH {
        return scalar::hadamard(values);
    }
    for block in values.chunks_exact_mut(4 * WIDTH) {
        // SAFETY: a block has sixteen values; loads and stores need no alignment.
        unsafe {
            let float32x4x4_t(a, b, c, d) = vld4q_f32(block.as_ptr());
            let [a, b, c, d] = two_stages([a, b, c, d]);
            vst4q_f32(block.as_mut_ptr(), float32x4x4_t(a, b, c, d));
        }
    }
    let mut half = WIDTH;
    while 4 * half <= values.len() {
        for block in values.chunks_exact_mut(4 * half) {
            let at = block.as_mut_ptr();
            for i in (0..half).step_by(WIDTH) {
                // SAFETY: i + WIDTH <= half, and the block has four times `half` values.
                unsafe {
                    let quarters = [0, 1, 2, 3].map(|quarter| at.add(i + quarter * half));
                    let sums = two_stages(quarters.map(|quarter| vld1q_f32(quarter)));
                    for (quarter, sum) in quarters.into_iter().zip(sums) {
                        vst1q_f32(quarter, sum);
                    }
                }
            }
        }
        half *= 4;
    }
    scalar::stages_from(values, half);
}

#[inline]
#[target_feature(enable = "neon")]
fn two_stages([a, b, c, d]: [float32x4_t; 4]) -> [float32x4_t; 4] {
    let (ab, ba) = (vaddq_f32(a, b), vsubq_f32(a, b));
    let (cd, dc) = (vaddq_f32(c, d), vsubq_f32(c, d));
    [vaddq_f32(ab, cd), vaddq_f32(ba, dc), vsubq_f32(ab, cd), vsubq_f32(ba, dc)]
}
