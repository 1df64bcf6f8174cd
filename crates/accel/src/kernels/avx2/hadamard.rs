use crate::kernels::scalar;
use std::arch::x86_64::*;

const WIDTH: usize = 8;

/// The stages of the definition in the same order: three within a register, then two at a time.
#[target_feature(enable = "avx2")]
pub fn hadamard(values: &mut [f32]) {
    if values.len() < WIDTH {
        return scalar::hadamard(values);
    }
    for block in values.chunks_exact_mut(WIDTH) {
        // SAFETY: a block has eight values; loads and stores need no alignment.
        unsafe {
            let transformed = within(_mm256_loadu_ps(block.as_ptr()));
            _mm256_storeu_ps(block.as_mut_ptr(), transformed);
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
                        [0, 1, 2, 3].map(|quarter| _mm256_loadu_ps(at.add(i + quarter * half)));
                    let (ab, ba) = (_mm256_add_ps(a, b), _mm256_sub_ps(a, b));
                    let (cd, dc) = (_mm256_add_ps(c, d), _mm256_sub_ps(c, d));
                    _mm256_storeu_ps(at.add(i), _mm256_add_ps(ab, cd));
                    _mm256_storeu_ps(at.add(i + half), _mm256_add_ps(ba, dc));
                    _mm256_storeu_ps(at.add(i + 2 * half), _mm256_sub_ps(ab, cd));
                    _mm256_storeu_ps(at.add(i + 3 * half), _mm256_sub_ps(ba, dc));
                }
            }
        }
        half *= 4;
    }
    scalar::stages_from(values, half);
}

/// Distances 1, 2 and 4. A lane whose partner is before it takes the difference: partner + (-x).
#[inline]
#[target_feature(enable = "avx2")]
fn within(mut x: __m256) -> __m256 {
    let minus = _mm256_setr_ps(0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0);
    x = _mm256_add_ps(_mm256_permute_ps::<0b10_11_00_01>(x), _mm256_xor_ps(x, minus));
    let minus = _mm256_setr_ps(0.0, 0.0, -0.0, -0.0, 0.0, 0.0, -0.0, -0.0);
    x = _mm256_add_ps(_mm256_permute_ps::<0b01_00_11_10>(x), _mm256_xor_ps(x, minus));
    let minus = _mm256_setr_ps(0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0);
    _mm256_add_ps(_mm256_permute2f128_ps::<1>(x, x), _mm256_xor_ps(x, minus))
}
