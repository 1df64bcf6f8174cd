//! Scans of a block of 64 rows: with a kernel over the whole block, or row by row where few are selected.

use super::block::Block;
use crate::kernels::Kernels;

/// Products of each selected row with each of the queries, `dimensions` values all: row r of the block with
/// query q at `out[q * length + r]`.
pub fn products(
    kernels: &Kernels,
    block: Block,
    keys: &[f32],
    queries: &[f32],
    dimensions: usize,
    out: &mut Vec<f32>,
) {
    out.resize(queries.len() / dimensions * block.length, 0.0);
    if !block.few() {
        return kernels.products(block.part(keys, dimensions), queries, dimensions, out);
    }
    for (query, out) in queries.chunks_exact(dimensions).zip(out.chunks_exact_mut(block.length)) {
        for row in block.selected() {
            out[row - block.first] = kernels.dot(&keys[row * dimensions..][..dimensions], query);
        }
    }
}

/// Products of the bytes of a block's rows with those of queries. `streams`: the rows' bytes come from memory, not from the
/// cache; only a single query asks for them ahead.
pub fn byte_products(
    kernels: &Kernels,
    block: Block,
    codes: &[i8],
    queries: &[i8],
    dimensions: usize,
    streams: bool,
    out: &mut [i32],
) {
    if block.few() {
        for (query, out) in queries.chunks_exact(dimensions).zip(out.chunks_exact_mut(block.length)) {
            for row in block.selected() {
                out[row - block.first] = kernels.dot_i8(&codes[row * dimensions..][..dimensions], query);
            }
        }
    } else if queries.len() == dimensions {
        kernels.scan_i8(block.part(codes, dimensions), queries, streams, out);
    } else {
        kernels.products_i8(block.part(codes, dimensions), queries, dimensions, out);
    }
}

/// In how many bits each selected row's code differs from the query's.
pub fn differing(kernels: &Kernels, block: Block, codes: &[u32], query: &[u32], out: &mut [u32; 64]) {
    let words = query.len();
    if !block.few() {
        return kernels.scan_hamming(block.part(codes, words), query, &mut out[..block.length]);
    }
    for row in block.selected() {
        out[row - block.first] = kernels.hamming(&codes[row * words..][..words], query);
    }
}
