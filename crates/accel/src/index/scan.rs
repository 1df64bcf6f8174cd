//! Scans of a block of 64 rows: with a kernel over the whole block, or row by row where few are selected.

use super::block::Block;
use crate::kernels::Kernels;

/// Float32 products of each selected row of a block with each query, all of `dimensions` values: `out[q * length + r]` for
/// row r of the block and query q.
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

/// Products of the int8 codes of a block's selected rows with those of queries, as in `products`. `streams`: the rows'
/// bytes come from memory, not from the cache; only a single query asks for them ahead.
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

/// In how many bits each selected row's binary code differs from the query's; `out` has one number for each row of the block.
pub fn differing(kernels: &Kernels, block: Block, codes: &[u32], query: &[u32], out: &mut [u32; 64]) {
    let words = query.len();
    if !block.few() {
        return kernels.scan_hamming(block.part(codes, words), query, &mut out[..block.length]);
    }
    for row in block.selected() {
        out[row - block.first] = kernels.hamming(&codes[row * words..][..words], query);
    }
}
