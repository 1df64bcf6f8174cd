//! Upper bounds of scores from counts, sixteen rows at a time.

use super::first;
use crate::kernels::UpperBound;
use std::arch::x86_64::*;

const WIDTH: usize = 16;

/// Multiplications and additions are not fused, for the same bits as the definition's.
#[target_feature(enable = "avx512f")]
pub fn upper_bounds(
    bound: &UpperBound,
    counts: &[i32],
    scalars: &[[f32; 2]],
    threshold: f32,
    out: &mut [f32],
) -> u64 {
    let length = counts.len().min(scalars.len()).min(out.len());
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
    let (start, step) = (_mm512_set1_ps(bound.start), _mm512_set1_ps(bound.step));
    let (base, weight) = (_mm512_set1_ps(bound.base), _mm512_set1_ps(bound.weight));
    let mut reached = 0;
    let mut at = 0;
    while at < length {
        let rows = (length - at).min(WIDTH);
        let mask = first(rows);
        // Two scalars a row.
        let (low, high) = (first((2 * rows).min(WIDTH)), u16::MAX.checked_shr(2 * (WIDTH - rows) as u32));
        // SAFETY: the masks let through only what lies before `length`, of rows and of pairs of scalars; other
        // lanes are neither read nor written.
        unsafe {
            let pairs = scalars.as_ptr().add(at).cast::<f32>();
            let low = _mm512_maskz_loadu_ps(low, pairs);
            let high = _mm512_maskz_loadu_ps(high.unwrap_or(0), pairs.wrapping_add(WIDTH));
            let count = _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(mask, counts.as_ptr().add(at)));
            let factor = _mm512_permutex2var_ps(low, even, high);
            let offset = _mm512_permutex2var_ps(low, odd, high);
            let scaled = _mm512_mul_ps(factor, _mm512_add_ps(start, _mm512_mul_ps(step, count)));
            let value = _mm512_add_ps(_mm512_add_ps(base, _mm512_mul_ps(weight, offset)), scaled);
            _mm512_mask_storeu_ps(out.as_mut_ptr().add(at), mask, value);
            let above = _mm512_mask_cmp_ps_mask::<_CMP_GE_OQ>(mask, value, _mm512_set1_ps(threshold));
            reached |= u64::from(above) << at;
        }
        at += WIDTH;
    }
    reached
}
