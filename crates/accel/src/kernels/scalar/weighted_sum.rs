/// Adds every row times its weight to `out`.
pub fn weighted_sum(rows: &[f32], weights: &[f32], out: &mut [f32]) {
    for (row, &weight) in rows.chunks_exact(out.len()).zip(weights) {
        for (sum, value) in out.iter_mut().zip(row) {
            *sum += weight * value;
        }
    }
}
