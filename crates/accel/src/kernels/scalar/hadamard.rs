/// Walsh-Hadamard transform in place, not normalised, in natural order: stage after stage of sums and
/// differences at distance 1, 2, 4 and so on. The length is a power of two.
pub fn hadamard(values: &mut [f32]) {
    stages_from(values, 1);
}

/// The stages from distance `half` on: what remains after those within a register.
pub fn stages_from(values: &mut [f32], mut half: usize) {
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (first, second) = pair.split_at_mut(half);
            for (x, y) in first.iter_mut().zip(second) {
                (*x, *y) = (*x + *y, *x - *y);
            }
        }
        half *= 2;
    }
}
