//! `cargo bench --no-default-features --bench lexical`: BM25 over short texts of words that are as unequally frequent
//! as those of a language. It prints the bytes a text takes. Times are of the processor, so that what else runs on
//! the machine counts little.

#[path = "../tests/suite/support/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod support;

use accel::lexical::Lexicon;
use criterion::{Bencher, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;
use support::{Random, Vocabulary};

const WORDS: usize = 25;
const QUERY_WORDS: usize = 10;
const PUT: usize = 5_000;

fn lexical(criterion: &mut Criterion) {
    let vocabulary = Vocabulary::new(30_000);
    let random = &mut Random::new(7);
    for count in [1_000, 10_000, 100_000] {
        let mut group = criterion.benchmark_group(format!("lexical {count}"));
        group
            .sample_size(20)
            .measurement_time(Duration::from_secs(2))
            .warm_up_time(Duration::from_millis(300));
        let lexicon = Arc::new(Lexicon::default());
        let texts: Vec<String> = (0..count).map(|_| vocabulary.text(random, WORDS)).collect();
        let labels: Vec<i32> = (0..count as i32).collect();
        lexicon.put_later(labels.clone(), texts).unwrap().run().unwrap();
        let stats = lexicon.stats();
        println!(
            "lexical {count}: {} terms, {} bytes a text of {WORDS} words",
            stats.terms,
            stats.bytes / count
        );
        let queries: Vec<String> = (0..64).map(|_| vocabulary.text(random, QUERY_WORDS)).collect();
        let mut next = queries.iter().cycle();
        group.bench_function("search", |bencher| {
            measure(bencher, || lexicon.search(black_box(next.next().unwrap()), 100, None));
        });
        let allowed = vec![0b0101_0101; count / 8 + 1];
        group.bench_function("search half", |bencher| {
            measure(bencher, || lexicon.search(black_box(next.next().unwrap()), 100, Some(&allowed)));
        });
        let some: Vec<i32> = (0..1_000).map(|_| random.below(count) as i32).collect();
        group.bench_function("score 1000", |bencher| {
            measure(bencher, || lexicon.score(black_box(next.next().unwrap()), &some));
        });
        let text = vocabulary.text(random, WORDS);
        group.bench_function("replace one", |bencher| {
            measure(bencher, || lexicon.put(&[random.below(count) as i32], std::slice::from_ref(&text)));
        });
    }
    let mut group = criterion.benchmark_group("lexical put");
    let texts: Vec<String> = (0..PUT).map(|_| vocabulary.text(random, WORDS)).collect();
    let labels: Vec<i32> = (0..PUT as i32).collect();
    group.sample_size(10).throughput(Throughput::Elements(PUT as u64));
    group.bench_function("5000 texts", |bencher| {
        measure(bencher, || {
            let lexicon = Arc::new(Lexicon::default());
            lexicon.put_later(labels.clone(), texts.clone()).unwrap().run()
        });
    });
}

fn measure<T>(bencher: &mut Bencher, mut work: impl FnMut() -> T) {
    bencher.iter_custom(|times| {
        let started = processor_time();
        for _ in 0..times {
            black_box(work());
        }
        processor_time() - started
    });
}

/// Of this thread.
#[cfg(unix)]
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writes.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

criterion_group!(benches, lexical);
criterion_main!(benches);
