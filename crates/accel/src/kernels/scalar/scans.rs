//! Products of whole blocks, row by row.

/// Products of every row with every query by `dot`: `out[q * count + r]` for query q and row r.
pub fn products(
    dot: impl Fn(&[f32], &[f32]) -> f32,
    rows: &[f32],
    queries: &[f32],
    dimensions: usize,
    out: &mut [f32],
) {
    let count = rows.len() / dimensions;
    for (at, row) in rows.chunks_exact(dimensions).enumerate() {
        for (number, query) in queries.chunks_exact(dimensions).enumerate() {
            out[number * count + at] = dot(row, query);
        }
    }
}

/// Products of each row of `rows`, as long as `query`, with it: one element of `out` a row.
pub fn scan_i8(rows: &[i8], query: &[i8], out: &mut [i32]) {
    for (out, row) in out.iter_mut().zip(rows.chunks_exact(query.len())) {
        *out = super::dot_i8(row, query);
    }
}

/// Products of every row with every query, query by query by `scan`: `out[q * count + r]` for query q and row r.
pub fn products_i8(
    scan: impl Fn(&[i8], &[i8], &mut [i32]),
    rows: &[i8],
    queries: &[i8],
    dimensions: usize,
    out: &mut [i32],
) {
    let count = rows.len() / dimensions;
    for (query, out) in queries.chunks_exact(dimensions).zip(out.chunks_exact_mut(count)) {
        scan(rows, query, out);
    }
}

/// Bits in which each row of `rows`, as long as `query`, differs from it: one element of `out` a row.
pub fn scan_hamming(rows: &[u32], query: &[u32], out: &mut [u32]) {
    for (out, row) in out.iter_mut().zip(rows.chunks_exact(query.len())) {
        *out = super::hamming(row, query);
    }
}
