//! `cargo bench --no-default-features --bench kernels`: the kernels on every instruction set of this processor, what is
//! made of them on the widest.

use accel::hdc::{bind_circular, bind_product, bundle, unbind_circular};
use accel::kernels::Kernels;
use accel::{
    Matrix, Selection, einsum, hopfield_step, nearest_many_with, nearest_with, norm, norms, project,
    quantize_bytes, slerp, softmax,
};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
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
    let mut group = short(criterion, "nearest 10");
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

fn batch(criterion: &mut Criterion) {
    let (count, batch) = (10_000, 64);
    let (rows, queries) = (values(count * DIMENSIONS, 5), values(batch * DIMENSIONS, 6));
    let inverse_norms: Vec<f64> = rows.chunks_exact(DIMENSIONS).map(|row| 1.0 / norm(row)).collect();
    let labels: Vec<i32> = (0..count as i32).collect();
    let matrix = Matrix {
        dimensions: DIMENSIONS,
        count,
        values: &rows,
        inverse_norms: &inverse_norms,
        labels: &labels,
        flags: &vec![1; count],
    };
    let selection = Selection { required_flags: 1, allowed: None };
    let mut group = short(criterion, "nearest 10 of 10,000, 64 queries");
    group.throughput(Throughput::Elements(batch as u64));
    for kernels in Kernels::available() {
        group.bench_function(kernels.instruction_set().name(), |bencher| {
            bencher.iter(|| nearest_many_with(&kernels, &matrix, black_box(&queries), 10, -1.0, &selection));
        });
    }
}

/// Scans of codes: in a core's own cache, and beyond.
fn codes(criterion: &mut Criterion) {
    for count in [1_000, 100_000] {
        let rows = values(count * DIMENSIONS, 7);
        let (bytes, signs) = (
            quantize_bytes(&rows, DIMENSIONS).expect("whole rows").codes,
            rows.iter().map(|value| value.to_bits()).take(count * DIMENSIONS / 32).collect::<Vec<u32>>(),
        );
        let (byte_query, sign_query) = (&bytes[..DIMENSIONS], &signs[..DIMENSIONS / 32]);
        let (mut products, mut differing) = (vec![0; count], vec![0; count]);
        let mut group = short(criterion, "scan of codes");
        for kernels in Kernels::available() {
            let set = kernels.instruction_set().name();
            group.throughput(Throughput::Bytes(bytes.len() as u64));
            group.bench_function(BenchmarkId::new(format!("bytes, {set}"), count), |bencher| {
                bencher.iter(|| kernels.scan_i8(&bytes, black_box(byte_query), false, &mut products));
            });
            group.throughput(Throughput::Bytes(4 * signs.len() as u64));
            group.bench_function(BenchmarkId::new(format!("signs, {set}"), count), |bencher| {
                bencher.iter(|| kernels.scan_hamming(&signs, black_box(sign_query), &mut differing));
            });
        }
    }
}

fn contractions(criterion: &mut Criterion) {
    let (count, batch) = (10_000, 64);
    let (rows, queries) = (values(count * DIMENSIONS, 8), values(batch * DIMENSIONS, 9));
    let one = &queries[..DIMENSIONS];
    let mut group = short(criterion, "einsum, 10,000 rows");
    group.bench_function("bd,nd->bn, 64", |bencher| {
        bencher.iter(|| {
            let queries = (black_box(&queries[..]), &[batch, DIMENSIONS][..]);
            einsum("bd,nd->bn", queries, (&rows, &[count, DIMENSIONS]))
        });
    });
    group.bench_function("nd,d->n", |bencher| {
        bencher.iter(|| einsum("nd,d->n", (&rows, &[count, DIMENSIONS]), (black_box(one), &[DIMENSIONS])));
    });
}

fn vectors(criterion: &mut Criterion) {
    let (a, b) = (values(DIMENSIONS, 10), values(DIMENSIONS, 11));
    let rows = values(1_000 * DIMENSIONS, 12);
    let inverse_norms: Vec<f64> =
        norms(&rows, DIMENSIONS).expect("whole rows").into_iter().map(|norm| 1.0 / norm).collect();
    let scores: Vec<f64> = rows[..1_000].iter().map(|&value| value.into()).collect();
    let mut group = short(criterion, "384 dimensions");
    group.bench_function("bind_product", |bencher| bencher.iter(|| bind_product(black_box(&a), &b)));
    group.bench_function("bind_circular", |bencher| bencher.iter(|| bind_circular(black_box(&a), &b)));
    group.bench_function("unbind_circular", |bencher| bencher.iter(|| unbind_circular(black_box(&a), &b)));
    group.bench_function("slerp", |bencher| bencher.iter(|| slerp(black_box(&a), &b, 0.3)));
    group.bench_function("project to 384", |bencher| bencher.iter(|| project(black_box(&a), DIMENSIONS)));
    group.bench_function("bundle of 1,000", |bencher| {
        bencher.iter(|| bundle(black_box(&rows), DIMENSIONS, &scores));
    });
    group.bench_function("norms of 1,000", |bencher| bencher.iter(|| norms(black_box(&rows), DIMENSIONS)));
    group.bench_function("softmax of 1,000", |bencher| bencher.iter(|| softmax(black_box(&scores), 8.0)));
    group.bench_function("hopfield_step of 1,000", |bencher| {
        bencher.iter(|| hopfield_step(&rows, &inverse_norms, black_box(&a), 8.0));
    });
}

fn short<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    group
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

criterion_group!(benches, dot, nearest, batch, codes, contractions, vectors);
criterion_main!(benches);
