//! `cargo bench --no-default-features`: the kernels on every instruction set of this processor.

use accel::kernels::Kernels;
use accel::{Matrix, Selection, nearest_with, norm};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

const DIMENSIONS: usize = 384;

fn dot(criterion: &mut Criterion) {
    let (a, b) = (values(DIMENSIONS, 1), values(DIMENSIONS, 2));
    let mut group = criterion.benchmark_group("dot 384");
    for kernels in Kernels::available() {
        let set = kernels.instruction_set().name();
        group.bench_function(BenchmarkId::new("float32", set), |bencher| {
            bencher.iter(|| kernels.dot(black_box(&a), black_box(&b)));
        });
        group.bench_function(BenchmarkId::new("exact", set), |bencher| {
            bencher.iter(|| kernels.dot_exact(black_box(&a), black_box(&b)));
        });
    }
}

fn nearest(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("nearest 10");
    group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    for count in [1_000, 10_000, 100_000] {
        let values = values(count * DIMENSIONS, 3);
        let inverse_norms: Vec<f64> = values.chunks_exact(DIMENSIONS).map(|row| 1.0 / norm(row)).collect();
        let labels: Vec<i32> = (0..count as i32).collect();
        let flags = vec![1; count];
        let matrix = Matrix {
            dimensions: DIMENSIONS,
            count,
            values: &values,
            inverse_norms: &inverse_norms,
            labels: &labels,
            flags: &flags,
        };
        let query = self::values(DIMENSIONS, 4);
        group.throughput(Throughput::Bytes(4 * values.len() as u64));
        for kernels in Kernels::available() {
            let set = kernels.instruction_set().name();
            group.bench_function(BenchmarkId::new(set, count), |bencher| {
                let selection = Selection { required_flags: 1, allowed: None };
                bencher.iter(|| nearest_with(&kernels, &matrix, black_box(&query), 10, -1.0, &selection));
            });
        }
        let widest = Kernels::widest();
        group.bench_function(BenchmarkId::new("read", count), |bencher| {
            bencher.iter(|| widest.sum(black_box(&values)));
        });
    }
}

/// From -1 to 1 (xorshift64).
fn values(length: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..length).map(|_| next()).collect()
}

criterion_group!(benches, dot, nearest);
criterion_main!(benches);
