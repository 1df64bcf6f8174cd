//! How many of the ten best rows the faster looks find, on a seeded mixture whose clusters are so round and so
//! large that sign codes hardly tell their members apart.

mod support;

use accel::index::{Found, Look, Search, Shard, Tier};
use support::Random;

const DIMENSIONS: usize = 128;
const COUNT: usize = 24_000;
const QUERIES: usize = 40;

fn mixture(count: usize, clusters: usize, bias: f32, random: &mut Random) -> Vec<f32> {
    let centres: Vec<f32> = (0..clusters * DIMENSIONS).map(|_| random.normal() + bias).collect();
    (0..count + QUERIES)
        .flat_map(|_| {
            let centre = random.below(clusters) * DIMENSIONS;
            (0..DIMENSIONS).map(|at| centres[centre + at] + random.normal()).collect::<Vec<_>>()
        })
        .collect()
}

struct Mixture {
    shard: Shard,
    queries: Vec<f32>,
    best: Vec<Found>,
}

impl Mixture {
    fn new(clusters: usize, bias: f32) -> Self {
        Self::of(COUNT, clusters, bias)
    }

    fn of(count: usize, clusters: usize, bias: f32) -> Self {
        let mut keys = mixture(count, clusters, bias, &mut Random::new(clusters as u64));
        let queries = keys.split_off(count * DIMENSIONS);
        let shard = Shard::new(DIMENSIONS).unwrap();
        let labels: Vec<i32> = (0..count as i32).collect();
        for (labels, keys) in labels.chunks(5_000).zip(keys.chunks(5_000 * DIMENSIONS)) {
            shard.put(labels, keys, &vec![1; labels.len()], Tier::Hot).unwrap();
        }
        let best = shard.search_with(&queries, &Search::default(), Some(Look::Keys)).unwrap();
        Self { shard, queries, best }
    }

    fn recall(&self, look: Look) -> f64 {
        let found = self.shard.search_with(&self.queries, &Search::default(), Some(look)).unwrap();
        let known = (found.iter().zip(&self.best))
            .map(|(found, best)| found.labels.iter().filter(|label| best.labels.contains(label)).count());
        known.sum::<usize>() as f64 / self.best.iter().map(|best| best.labels.len()).sum::<usize>() as f64
    }
}

#[test]
fn sign_codes_find_99_of_100() {
    assert_eq!(Look::choose(DIMENSIONS, COUNT, 1, 10), Look::Signs);
    for clusters in [1, 10, 150] {
        let mixture = Mixture::new(clusters, 0.0);
        assert_eq!(mixture.recall(Look::Bytes), 1.0, "bytes miss nothing");
        let recall = mixture.recall(Look::Signs);
        assert!(recall >= 0.99, "{recall} with {clusters} clusters");
    }
}

#[test]
fn sign_codes_of_up_to_20_000_rows_find_all() {
    assert_eq!(Look::choose(DIMENSIONS, 12_000, 1, 10), Look::Signs);
    for (clusters, bias) in [(1, 0.0), (10, 0.0), (120, 0.0), (40, 8.0)] {
        let recall = Mixture::of(12_000, clusters, bias).recall(Look::Signs);
        assert_eq!(recall, 1.0, "{clusters} clusters");
    }
}

#[test]
fn sign_codes_are_taken_around_the_mean() {
    // All keys point in nearly one direction: without a centre all codes would be nearly one.
    let recall = Mixture::new(50, 8.0).recall(Look::Signs);
    assert!(recall >= 0.99, "{recall}");
}

#[test]
fn lists_lead_to_the_same_rows() {
    let mixture = Mixture::new(150, 0.0);
    let before = mixture.shard.stats();
    assert!(mixture.shard.build_lists().unwrap());
    assert_eq!((mixture.shard.stats().hot, mixture.shard.stats().dead), (before.hot, before.dead));
    assert_eq!(mixture.recall(Look::Bytes), 1.0);
    let recall = mixture.recall(Look::Signs);
    assert!(recall >= 0.99, "{recall}");
    // A row that is put later is in no list.
    mixture.shard.put(&[COUNT as i32], &mixture.queries[..DIMENSIONS], &[1], Tier::Hot).unwrap();
    let search = Search { k: 1, ..Search::default() };
    let found =
        mixture.shard.search_with(&mixture.queries[..DIMENSIONS], &search, Some(Look::Signs)).unwrap();
    assert_eq!(found[0].labels, [COUNT as i32]);
}
