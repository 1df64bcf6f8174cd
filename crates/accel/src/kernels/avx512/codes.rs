//! Scans of int8 and 1-bit codes with the instructions for them: VNNI multiplies and adds four bytes at once,
//! VPOPCNTDQ counts bits.

use std::arch::x86_64::*;

/// Rows whose sums are added up across registers together.
const ROWS: usize = 4;
/// Rows scanned together.
const BLOCK: usize = 64;
const BYTES: usize = 64;
const WORDS: usize = 16;

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    let length = a.len().min(b.len());
    let (a, b) = (a.as_ptr(), b.as_ptr());
    let (mut products, mut sums) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    let mut at = 0;
    while at < length {
        let mask = first_bytes((length - at).min(BYTES));
        // SAFETY: the mask lets through only what lies before `length`; other lanes are not read.
        let (x, y) =
            unsafe { (_mm512_maskz_loadu_epi8(mask, a.add(at)), _mm512_maskz_loadu_epi8(mask, b.add(at))) };
        products = _mm512_dpbusd_epi32(products, offset(x), y);
        sums = _mm512_dpbusd_epi32(sums, _mm512_set1_epi8(1), y);
        at += BYTES;
    }
    let excess = _mm512_reduce_add_epi32(sums).wrapping_mul(128);
    _mm512_reduce_add_epi32(products).wrapping_sub(excess)
}

/// Products of every row with the query. With `streams` each row asks for the one `BLOCK` rows later, since a single stream
/// of the hardware waits for memory.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub fn scan_i8(rows: &[i8], query: &[i8], streams: bool, out: &mut [i32]) {
    let dimensions = query.len();
    for (rows, out) in rows.chunks(BLOCK * dimensions).zip(out.chunks_mut(BLOCK)) {
        if streams {
            scan_block::<true>(rows, query, out);
        } else {
            scan_block::<false>(rows, query, out);
        }
    }
}

/// Queries of a tile: eight loads feed sixteen multiplications.
const QUERIES: usize = 4;

/// Products of every row with every query. It is fastest where the rows stay in the first cache.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub fn products_i8(rows: &[i8], queries: &[i8], dimensions: usize, out: &mut [i32]) {
    let count = rows.len() / dimensions;
    let mut groups = queries.chunks_exact(QUERIES * dimensions);
    let mut outs = out.chunks_exact_mut(QUERIES * count);
    for (queries, out) in groups.by_ref().zip(outs.by_ref()) {
        // Rows are bytes from 0 to 255 to the instruction: each is 128 too many.
        let excess: [i32; QUERIES] =
            std::array::from_fn(|query| excess(&queries[query * dimensions..][..dimensions]));
        let mut row = 0;
        while row + ROWS <= count {
            let tile = tile_i8(&rows[row * dimensions..][..ROWS * dimensions], queries, dimensions);
            for (query, products) in tile.into_iter().enumerate() {
                out[query * count + row..][..ROWS]
                    .copy_from_slice(&products.map(|product| product.wrapping_sub(excess[query])));
            }
            row += ROWS;
        }
        for row in row..count {
            for (query, values) in queries.chunks_exact(dimensions).enumerate() {
                out[query * count + row] = dot_i8(&rows[row * dimensions..][..dimensions], values);
            }
        }
    }
    let rest = groups.remainder().chunks_exact(dimensions).zip(outs.into_remainder().chunks_exact_mut(count));
    rest.for_each(|(query, out)| scan_i8(rows, query, false, out));
}

/// Four queries with four rows, these as bytes from 0 to 255: the four products of each query.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn tile_i8(rows: &[i8], queries: &[i8], dimensions: usize) -> [[i32; ROWS]; QUERIES] {
    assert!(rows.len() == ROWS * dimensions && queries.len() == QUERIES * dimensions);
    let mut sums = [[_mm512_setzero_si512(); ROWS]; QUERIES];
    let mut at = 0;
    while at < dimensions {
        let mask = first_bytes((dimensions - at).min(BYTES));
        // SAFETY: the mask lets through only what lies before `dimensions`, and there are ROWS rows and QUERIES queries
        // of so many bytes.
        unsafe {
            let values: [__m512i; ROWS] = std::array::from_fn(|row| {
                offset(_mm512_maskz_loadu_epi8(mask, rows.as_ptr().add(row * dimensions + at)))
            });
            for (query, sums) in sums.iter_mut().enumerate() {
                let factor = _mm512_maskz_loadu_epi8(mask, queries.as_ptr().add(query * dimensions + at));
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = _mm512_dpbusd_epi32(*sum, value, factor);
                }
            }
        }
        at += BYTES;
    }
    sums.map(|sums| {
        let mut lanes = [0i32; ROWS];
        // SAFETY: four int32 fit into the array; the store needs no alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), totals(sums)) };
        lanes
    })
}

/// 128 times the sum of a query's bytes.
fn excess(query: &[i8]) -> i32 {
    query.iter().map(|&code| i32::from(code)).sum::<i32>().wrapping_mul(128)
}

/// The four rows of a tile lie in four quarters of the block, so that four pages are read at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn scan_block<const STREAMS: bool>(rows: &[i8], query: &[i8], out: &mut [i32]) {
    let dimensions = query.len();
    // Rows are bytes from 0 to 255 to the instruction: each is 128 too many.
    let excess = excess(query);
    let quarter = out.len() / ROWS;
    assert!(rows.len() == out.len() * dimensions);
    for tile in 0..quarter {
        let mut sums = [_mm512_setzero_si512(); ROWS];
        let mut at = 0;
        while at < dimensions {
            let mask = first_bytes((dimensions - at).min(BYTES));
            for (number, sum) in sums.iter_mut().enumerate() {
                let from = (number * quarter + tile) * dimensions + at;
                // SAFETY: the mask lets through only what lies before `dimensions`, of the query and of the row,
                // which is one of 4 * quarter <= out.len(). What is asked for ahead may lie anywhere.
                unsafe {
                    let factor = _mm512_maskz_loadu_epi8(mask, query.as_ptr().add(at));
                    let row = rows.as_ptr().add(from);
                    if STREAMS {
                        _mm_prefetch::<_MM_HINT_T0>(row.wrapping_add(BLOCK * dimensions));
                    }
                    let value = _mm512_maskz_loadu_epi8(mask, row);
                    *sum = _mm512_dpbusd_epi32(*sum, offset(value), factor);
                }
            }
            at += BYTES;
        }
        let mut lanes = [0i32; ROWS];
        // SAFETY: four int32 fit into the array; the store needs no alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), totals(sums)) };
        for (number, total) in lanes.into_iter().enumerate() {
            out[number * quarter + tile] = total.wrapping_sub(excess);
        }
    }
    for row in ROWS * quarter..out.len() {
        out[row] = dot_i8(&rows[row * dimensions..(row + 1) * dimensions], query);
    }
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub fn hamming(a: &[u32], b: &[u32]) -> u32 {
    let length = a.len().min(b.len());
    let (a, b) = (a.as_ptr(), b.as_ptr());
    let mut sums = _mm512_setzero_si512();
    let mut at = 0;
    while at < length {
        let mask = super::first((length - at).min(WORDS));
        // SAFETY: the mask lets through only what lies before `length`; other lanes are not read.
        let (x, y) = unsafe {
            (
                _mm512_maskz_loadu_epi32(mask, a.add(at).cast()),
                _mm512_maskz_loadu_epi32(mask, b.add(at).cast()),
            )
        };
        sums = _mm512_add_epi32(sums, _mm512_popcnt_epi32(_mm512_xor_si512(x, y)));
        at += WORDS;
    }
    _mm512_reduce_add_epi32(sums) as u32
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub fn hamming_planes(code: &[u32], planes: &[u32]) -> u32 {
    let words = code.len();
    let mut sums = _mm512_setzero_si512();
    let mut at = 0;
    while at < words {
        let mask = super::first((words - at).min(WORDS));
        // SAFETY: the mask lets through only what lies before `words`; other lanes are not read.
        let x = unsafe { _mm512_maskz_loadu_epi32(mask, code.as_ptr().add(at).cast()) };
        for (bit, plane) in (0..).zip(planes.chunks_exact(words)) {
            // SAFETY: as above, and a plane has as many words.
            let y = unsafe { _mm512_maskz_loadu_epi32(mask, plane.as_ptr().add(at).cast()) };
            let differing = _mm512_popcnt_epi32(_mm512_xor_si512(x, y));
            sums = _mm512_add_epi32(sums, _mm512_sll_epi32(differing, _mm_cvtsi32_si128(bit)));
        }
        at += WORDS;
    }
    _mm512_reduce_add_epi32(sums) as u32
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub fn scan_hamming(rows: &[u32], query: &[u32], out: &mut [u32]) {
    let words = query.len();
    let mut tiles = out.chunks_exact_mut(ROWS);
    let mut start = 0;
    for out in &mut tiles {
        let rows = rows[start * words..(start + ROWS) * words].as_ptr();
        let mut sums = [_mm512_setzero_si512(); ROWS];
        let mut at = 0;
        while at < words {
            let mask = super::first((words - at).min(WORDS));
            // SAFETY: the mask lets through only what lies before `words`, of the query and of each of the
            // four rows.
            unsafe {
                let other = _mm512_maskz_loadu_epi32(mask, query.as_ptr().add(at).cast());
                for (row, sum) in sums.iter_mut().enumerate() {
                    let value = _mm512_maskz_loadu_epi32(mask, rows.add(row * words + at).cast());
                    let differ = _mm512_popcnt_epi32(_mm512_xor_si512(value, other));
                    *sum = _mm512_add_epi32(*sum, differ);
                }
            }
            at += WORDS;
        }
        // SAFETY: `out` has four uint32; the store needs no alignment.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), totals(sums)) };
        start += ROWS;
    }
    for (row, out) in tiles.into_remainder().iter_mut().enumerate() {
        *out = hamming(&rows[(start + row) * words..(start + row + 1) * words], query);
    }
}

/// Signed bytes plus 128 as unsigned ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn offset(bytes: __m512i) -> __m512i {
    _mm512_xor_si512(bytes, _mm512_set1_epi8(i8::MIN))
}

/// A mask of the first `count` bytes, 1 to 64.
fn first_bytes(count: usize) -> __mmask64 {
    u64::MAX >> (BYTES - count)
}

/// The sum of the lanes of each of four registers, modulo 2^32.
#[inline]
#[target_feature(enable = "avx512f")]
fn totals([a, b, c, d]: [__m512i; ROWS]) -> __m128i {
    let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
    let all = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
    let halves = _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all));
    _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves))
}
