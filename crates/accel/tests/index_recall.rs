//! How many of the ten best rows the faster looks find, on a seeded mixture whose clusters are so round and so
//! large that sign codes hardly tell their members apart.

mod support;

use accel::index::{Look, Search, Shard, Tier};
use support::Random;

const DIMENSIONS: usize = 128;
const COUNT: usize = 24_000;
const QUERIES: usize = 40;

fn mixture(clusters: usize, bias: f32, random: &mut Random) -> Vec<f32> {
    let centres: Vec<f32> = (0..clusters * DIMENSIONS).map(|_| random.normal() + bias).collect();
    (0..COUNT + QUERIES)
        .flat_map(|_| {
            let centre = random.below(clusters) * DIMENSIONS;
            (0..DIMENSIONS).map(|at| centres[centre + at] + random.normal()).collect::<Vec<_>>()
        })
        .collect()
}

fn recall(clusters: usize, bias: f32) -> f64 {
    let keys = mixture(clusters, bias, &mut Random::new(clusters as u64));
    let (keys, queries) = keys.split_at(COUNT * DIMENSIONS);
    let shard = Shard::new(DIMENSIONS).unwrap();
    let labels: Vec<i32> = (0..COUNT as i32).collect();
    for (labels, keys) in labels.chunks(5_000).zip(keys.chunks(5_000 * DIMENSIONS)) {
        shard.put(labels, keys, &vec![1; labels.len()], Tier::Hot).unwrap();
    }
    let search = Search::default();
    let found = |look| shard.search_with(queries, &search, Some(look)).unwrap();
    let best = found(Look::Keys);
    assert_eq!(found(Look::Bytes), best, "bytes miss nothing");
    let known = (found(Look::Signs).into_iter().zip(&best))
        .map(|(found, best)| found.labels.iter().filter(|label| best.labels.contains(label)).count());
    assert_eq!(Look::choose(DIMENSIONS, COUNT, search.k), Look::Signs);
    known.sum::<usize>() as f64 / best.iter().map(|best| best.labels.len()).sum::<usize>() as f64
}

#[test]
fn sign_codes_find_99_of_100() {
    for clusters in [1, 10, 150] {
        let recall = recall(clusters, 0.0);
        assert!(recall >= 0.99, "{recall} with {clusters} clusters");
    }
}

#[test]
fn sign_codes_are_taken_around_the_mean() {
    // All keys point in nearly one direction: without a centre all codes would be nearly one.
    let recall = recall(50, 8.0);
    assert!(recall >= 0.99, "{recall}");
}
