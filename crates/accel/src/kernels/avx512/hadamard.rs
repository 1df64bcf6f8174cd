use crate::kernels::scalar;
use std::arch::x86_64::*;

const WIDTH: usize = 16;

/// The stages of the definition in the same order: four within a register, then two at a time.
#[target_feature(enable = "avx512f")]
pub fn hadamard(values: &mut [f32]) {
    if values.len() < WIDTH {
        return scalar::hadamard(values);
    }
    for block in values.chunks_exact_mut(WIDTH) {
        // SAFETY: a block has sixteen values; loads and stores need no alignment.
        unsafe {
            let transformed = within(_mm512_loadu_ps(block.as_ptr()));
            _mm512_storeu_ps(block.as_mut_ptr(), transformed);
        }
    }
    let mut half = WIDTH;
    while 4 * half <= values.len() {
        for block in values.chunks_exact_mut(4 * half) {
            let at = block.as_mut_ptr();
            for i in (0..half).step_by(WIDTH) {
                // SAFETY: i + WIDTH <= half, and the block has four times `half` values.
                unsafe {
                    let [a, b, c, d] =
                        [0, 1, 2, 3].map(|quarter| _mm512_loadu_ps(at.add(i + quarter * half)));
                    let (ab, ba) = (_mm512_add_ps(a, b), _mm512_sub_ps(a, b));
                    let (cd, dc) = (_mm512_add_ps(c, d), _mm512_sub_ps(c, d));
                    _mm512_storeu_ps(at.add(i), _mm512_add_ps(ab, cd));
                    _mm512_storeu_ps(at.add(i + half), _mm512_add_ps(ba, dc));
                    _mm512_storeu_ps(at.add(i + 2 * half), _mm512_sub_ps(ab, cd));
                    _mm512_storeu_ps(at.add(i + 3 * half), _mm512_sub_ps(ba, dc));
                }
            }
        }
        half *= 4;
    }
    scalar::stages_from(values, half);
}

/// Distances 1, 2, 4 and 8. A lane whose partner is before it (the mask) takes the difference: partner - x.
#[inline]
#[target_feature(enable = "avx512f")]
fn within(mut x: __m512) -> __m512 {
    x = sums(x, _mm512_permute_ps::<0b10_11_00_01>(x), 0b1010_1010_1010_1010);
    x = sums(x, _mm512_permute_ps::<0b01_00_11_10>(x), 0b1100_1100_1100_1100);
    x = sums(x, _mm512_shuffle_f32x4::<0b10_11_00_01>(x, x), 0b1111_0000_1111_0000);
    sums(x, _mm512_shuffle_f32x4::<0b01_00_11_10>(x, x), 0b1111_1111_0000_0000)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sums(x: __m512, partner: __m512, later: __mmask16) -> __m512 {
    _mm512_mask_sub_ps(_mm512_add_ps(x, partner), later, partner, x)
}
