//! Scans of int8 and 1-bit codes.

use std::arch::x86_64::*;

/// Rows whose sums are added up across registers together.
const ROWS: usize = 4;
const BYTES: usize = 32;
/// Words of a code from which counting bits by table is faster than one machine word at a time.
const TABLE_WORDS: usize = 64;

#[target_feature(enable = "avx2")]
pub fn scan_i8(rows: &[i8], query: &[i8], out: &mut [i32]) {
    let dimensions = query.len();
    // The sign of -128 cannot be turned within a byte.
    let turnable = !query.contains(&i8::MIN);
    let whole = dimensions - dimensions % BYTES;
    let tail = &query[whole..];
    for (out, rows) in out.chunks_mut(ROWS).zip(rows.chunks(ROWS * dimensions.max(1))) {
        if out.len() < ROWS || !turnable {
            for (out, row) in out.iter_mut().zip(rows.chunks_exact(dimensions.max(1))) {
                *out = super::dot_i8(row, query);
            }
            continue;
        }
        out.copy_from_slice(&tile(rows, query, whole));
        for (row, out) in out.iter_mut().enumerate() {
            *out += super::scalar::dot_i8(&rows[row * dimensions + whole..(row + 1) * dimensions], tail);
        }
    }
}

/// Products of four rows up to `whole`. The row's magnitudes are multiplied with the query's values under the
/// row's signs: two products, at most 2 * 128 * 127, add up within 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn tile(rows: &[i8], query: &[i8], whole: usize) -> [i32; ROWS] {
    let dimensions = query.len();
    assert!(rows.len() == ROWS * dimensions && whole <= dimensions);
    let mut sums = [_mm256_setzero_si256(); ROWS];
    for at in (0..whole).step_by(BYTES) {
        // SAFETY: at + BYTES <= whole <= dimensions, of the query and of each of the four rows.
        unsafe {
            let factor = _mm256_loadu_si256(query.as_ptr().add(at).cast());
            for (row, sum) in sums.iter_mut().enumerate() {
                let value = _mm256_loadu_si256(rows.as_ptr().add(row * dimensions + at).cast());
                let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(value), _mm256_sign_epi8(factor, value));
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
            }
        }
    }
    let [a, b, c, d] = sums;
    let all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    let totals = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let mut lanes = [0; ROWS];
    // SAFETY: four int32 fit into the array; the store needs no alignment.
    unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), totals) };
    lanes
}

#[target_feature(enable = "avx2,popcnt")]
pub fn scan_hamming(rows: &[u32], query: &[u32], out: &mut [u32]) {
    let words = query.len().max(1);
    for (out, row) in out.iter_mut().zip(rows.chunks_exact(words)) {
        *out = if words < TABLE_WORDS { super::hamming(row, query) } else { hamming_by_table(row, query) };
    }
}

/// Bits are looked up by half bytes (Mula, Kurz & Lemire, The Computer Journal 2018).
#[target_feature(enable = "avx2,popcnt")]
fn hamming_by_table(a: &[u32], b: &[u32]) -> u32 {
    const WIDTH: usize = 8;
    let bits = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let low = _mm256_set1_epi8(0x0f);
    let whole = a.len().min(b.len()) / WIDTH * WIDTH;
    let mut sums = _mm256_setzero_si256();
    for at in (0..whole).step_by(WIDTH) {
        // SAFETY: at + WIDTH <= whole <= length of both; the loads need no alignment.
        let (x, y) = unsafe {
            (_mm256_loadu_si256(a.as_ptr().add(at).cast()), _mm256_loadu_si256(b.as_ptr().add(at).cast()))
        };
        let differ = _mm256_xor_si256(x, y);
        let lower = _mm256_shuffle_epi8(bits, _mm256_and_si256(differ, low));
        let upper = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16::<4>(differ), low));
        let bytes = _mm256_add_epi8(lower, upper);
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    let halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let total = _mm_cvtsi128_si64(halves) + _mm_extract_epi64::<1>(halves);
    total as u32 + super::hamming(&a[whole..], &b[whole..])
}
