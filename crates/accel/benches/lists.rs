//! `cargo bench --no-default-features --bench lists -- [--counts 20000,100000] [--tier hot] [--kinds uniform]
//! [--queries like] [--rounds 3] [--vectors FILE]`: a shard with lists beside one without, over keys of several kinds and
//! queries like and unlike them. The file holds float32 vectors of 384 values, row after row.

use accel::index::{Found, ScanMode, Search, Shard, Tier};
use std::time::{Duration, Instant};

const DIMENSIONS: usize = 384;
const QUERIES: usize = 200;

fn main() {
    let counts = option("--counts").unwrap_or_else(|| "20000,50000,100000".to_owned());
    let counts: Vec<usize> = counts.split(',').map(|count| count.parse().expect("a number")).collect();
    let tier = match option("--tier").as_deref() {
        Some("warm") => Tier::Warm,
        Some("cold") => Tier::Cold,
        _ => Tier::Hot,
    };
    let kinds = option("--kinds");
    println!("keys, queries: rows, lists built in s, recall@10, median ms without and with lists, ratio");
    for &count in &counts {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for (name, keys) in [
            ("clusters", clusters(count + QUERIES, count / 100, 1.0, &mut random)),
            ("large clusters", clusters(count + QUERIES, 20, 1.0, &mut random)),
            ("uniform", (0..(count + QUERIES) * DIMENSIONS).map(|_| random.normal()).collect()),
            ("anisotropic", anisotropic(count + QUERIES, &mut random)),
            ("duplicates", clusters(count + QUERIES, count / 50, 0.02, &mut random)),
        ] {
            if kinds.as_ref().is_none_or(|kinds| kinds.split(',').any(|kind| kind == name)) {
                measure(name, keys, tier, &mut random);
            }
        }
    }
    if let Some(path) = option("--vectors") {
        let bytes = std::fs::read(path).expect("a file");
        let keys: Vec<f32> =
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
        let rows = keys.len() / DIMENSIONS;
        let mut random = Random(1);
        for count in counts.iter().map(|count| count + QUERIES).filter(|&count| count < rows).chain([rows]) {
            // Rows from all over the file, in no order.
            let mut order: Vec<usize> = (0..rows).collect();
            (1..rows).rev().for_each(|at| order.swap(at, random.next() as usize % (at + 1)));
            let some = order[..count].iter().flat_map(|row| &keys[row * DIMENSIONS..][..DIMENSIONS]);
            measure("file", some.copied().collect(), tier, &mut random);
        }
    }
}

fn measure(name: &str, mut keys: Vec<f32>, tier: Tier, random: &mut Random) {
    let like = keys.split_off(keys.len() - QUERIES * DIMENSIONS);
    let unlike: Vec<f32> = (0..like.len()).map(|_| random.normal()).collect();
    let between = like.chunks_exact(DIMENSIONS).zip(unlike.chunks_exact(DIMENSIONS)).flat_map(|(a, b)| {
        let length = |a: &[f32]| a.iter().map(|value| value * value).sum::<f32>().sqrt();
        let (a_scale, b_scale) = (1.0 / length(a), 1.0 / length(b));
        a.iter().zip(b).map(move |(a, b)| a * a_scale + b * b_scale).collect::<Vec<_>>()
    });
    let between: Vec<f32> = between.collect();
    let (exact, flat, listed) = (filled(&keys, Tier::Hot), filled(&keys, tier), filled(&keys, tier));
    let since = Instant::now();
    listed.build_lists().expect("lists");
    let built = since.elapsed().as_secs_f64();
    let rows = keys.len() / DIMENSIONS;
    let (asked, rounds) = (option("--queries"), option("--rounds"));
    let rounds = rounds.map_or(3, |rounds| rounds.parse().expect("a number"));
    for (kind, queries) in [("like", &like), ("between", &between), ("unlike", &unlike)] {
        if asked.as_ref().is_some_and(|asked| !asked.split(',').any(|one| one == kind)) {
            continue;
        }
        let best = exact.search_with(queries, &Search::default(), Some(ScanMode::Bytes)).expect("a search");
        let (mut without, mut with, mut recalls) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            for (query, best) in queries.chunks_exact(DIMENSIONS).zip(&best) {
                without.push(timed(&flat, query).1);
                let (found, took) = timed(&listed, query);
                with.push(took);
                recalls.push(recall(&found, best, &keys, query));
            }
        }
        let (without, with) = (median(without), median(with));
        println!(
            "{name}, {kind}: {rows} {built:.2} {:.4} {without:.3} {with:.3} {:.2}",
            recalls.iter().sum::<f64>() / recalls.len() as f64,
            without / with
        );
    }
}

fn filled(keys: &[f32], tier: Tier) -> Shard {
    let shard = Shard::new(DIMENSIONS).expect("a shard");
    let labels: Vec<i32> = (0..(keys.len() / DIMENSIONS) as i32).collect();
    for (labels, keys) in labels.chunks(5_000).zip(keys.chunks(5_000 * DIMENSIONS)) {
        shard.put(labels, keys, &vec![1; labels.len()], tier).expect("room");
    }
    shard
}

fn timed(shard: &Shard, query: &[f32]) -> (Found, Duration) {
    let since = Instant::now();
    let found = shard.search(query, &Search::default()).expect("a search");
    (found, since.elapsed())
}

/// The share of the ten that were found. A row that scores as much as the last of them is as good.
fn recall(found: &Found, best: &Found, keys: &[f32], query: &[f32]) -> f64 {
    let least = best.scores.last().expect("ten rows") - 1e-6;
    let good = found.labels.iter().filter(|&&label| {
        let key = &keys[label as usize * DIMENSIONS..][..DIMENSIONS];
        accel::cosine(key, query).expect("two vectors") >= least
    });
    good.count().min(best.labels.len()) as f64 / best.labels.len() as f64
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// Members at a distance from centres, both normally distributed.
fn clusters(count: usize, clusters: usize, spread: f32, random: &mut Random) -> Vec<f32> {
    let centres: Vec<f32> = (0..clusters * DIMENSIONS).map(|_| random.normal()).collect();
    let mut keys = Vec::with_capacity(count * DIMENSIONS);
    for _ in 0..count {
        let centre = random.next() as usize % clusters * DIMENSIONS;
        keys.extend(
            centres[centre..centre + DIMENSIONS].iter().map(|value| value + spread * random.normal()),
        );
    }
    keys
}

/// All around one direction, and wide in few of the others.
fn anisotropic(count: usize, random: &mut Random) -> Vec<f32> {
    let width = |at: usize| 1.0 / (1.0 + at as f32).sqrt();
    (0..count * DIMENSIONS)
        .map(|at| at % DIMENSIONS)
        .map(|at| width(at) * random.normal() + if at < 8 { 0.5 } else { 0.0 })
        .collect()
}

fn option(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}

/// xorshift64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// Box & Muller.
    fn normal(&mut self) -> f32 {
        let uniform = |bits: u64| (bits as f64 + 1.0) / (1u64 << 53) as f64;
        let (radius, angle) = (uniform(self.next()), uniform(self.next()));
        ((-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()) as f32
    }
}
