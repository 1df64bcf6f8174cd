//! `cargo bench --no-default-features --bench index`: the scan modes of the index against each other, on a clustered
//! mixture.

use accel::index::{Demotion, ScanMode, Search, Shard, Tier};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

const DIMENSIONS: usize = 384;
const QUERIES: usize = 64;

fn search(criterion: &mut Criterion) {
    for count in [1_000, 10_000, 100_000] {
        let mut group = criterion.benchmark_group(format!("index 10 of {count}"));
        group
            .sample_size(10)
            .measurement_time(Duration::from_secs(1))
            .warm_up_time(Duration::from_millis(300));
        let keys = mixture(count + QUERIES, count.isqrt());
        let (keys, queries) = keys.split_at(count * DIMENSIONS);
        let labels: Vec<i32> = (0..count as i32).collect();
        let shard = Arc::new(Shard::new(DIMENSIONS).unwrap());
        shard.put(&labels, keys, &vec![1; count], Tier::Hot).unwrap();
        let search = Search::default();
        for mode in [ScanMode::Keys, ScanMode::Bytes, ScanMode::Signs] {
            let mut next = queries.chunks_exact(DIMENSIONS).cycle();
            group.bench_function(BenchmarkId::new("one", format!("{mode:?}")), |bencher| {
                bencher.iter(|| shard.search_with(black_box(next.next().unwrap()), &search, Some(mode)));
            });
            group.bench_function(BenchmarkId::new("64 queries", format!("{mode:?}")), |bencher| {
                bencher.iter(|| shard.search_with(black_box(queries), &search, Some(mode)));
            });
        }
        for tier in [Tier::Warm, Tier::Cold] {
            Demotion::new(Arc::clone(&shard), tier).run().unwrap();
            let mut next = queries.chunks_exact(DIMENSIONS).cycle();
            group.bench_function(BenchmarkId::new("tier", format!("{tier:?}")), |bencher| {
                bencher.iter(|| shard.search(black_box(next.next().unwrap()), &search));
            });
        }
    }
}

fn change(criterion: &mut Criterion) {
    let keys = mixture(1_000, 30);
    let labels: Vec<i32> = (0..1_000).collect();
    let shard = Shard::new(DIMENSIONS).unwrap();
    criterion.bench_function("put 1,000", |bencher| {
        bencher.iter(|| shard.put(&labels, black_box(&keys), &[1; 1_000], Tier::Hot));
    });
    criterion.bench_function("put one of 1,000", |bencher| {
        bencher.iter(|| shard.put(&[7], black_box(&keys[..DIMENSIONS]), &[1], Tier::Hot));
    });
}

/// Clusters of normally distributed centres and members (xorshift64, Box & Muller).
fn mixture(count: usize, clusters: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut normal = move || {
        ((-2.0 * (next() + f64::MIN_POSITIVE).ln()).sqrt() * (std::f64::consts::TAU * next()).cos()) as f32
    };
    let centres: Vec<f32> = (0..clusters * DIMENSIONS).map(|_| normal()).collect();
    (0..count)
        .flat_map(|row| {
            let centre = &centres[row * 7_919 % clusters * DIMENSIONS..][..DIMENSIONS];
            centre.iter().map(|value| value + normal()).collect::<Vec<_>>()
        })
        .collect()
}

criterion_group!(benches, search, change);
criterion_main!(benches);
