//! How many of the ten best rows the faster looks find, on a seeded mixture whose clusters are so round and so
//! large that sign codes hardly tell their members apart.

use crate::support::Random;
use accel::index::{Demotion, Found, ScanMode, Search, Shard, Tier};
use std::sync::Arc;

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
        let best = shard.search_with(&queries, &Search::default(), Some(ScanMode::Keys)).unwrap();
        Self { shard, queries, best }
    }

    fn recall(&self, look: ScanMode) -> f64 {
        let found = self.shard.search_with(&self.queries, &Search::default(), Some(look)).unwrap();
        let known = (found.iter().zip(&self.best))
            .map(|(found, best)| found.labels.iter().filter(|label| best.labels.contains(label)).count());
        known.sum::<usize>() as f64 / self.best.iter().map(|best| best.labels.len()).sum::<usize>() as f64
    }
}

#[test]
fn sign_codes_find_99_of_100() {
    assert_eq!(ScanMode::choose(DIMENSIONS, COUNT, COUNT, 10), ScanMode::Signs);
    for clusters in [1, 10, 150] {
        let mixture = Mixture::new(clusters, 0.0);
        assert_eq!(mixture.recall(ScanMode::Bytes), 1.0, "bytes miss nothing");
        let recall = mixture.recall(ScanMode::Signs);
        assert!(recall >= 0.99, "{recall} with {clusters} clusters");
    }
}

#[test]
fn rows_in_lists_are_of_searches_as_they_are_asked_for_once_there_are_lists() {
    let Mixture { shard, queries, .. } = Mixture::of(12_000, 120, 0.0);
    let search = || shard.search_many(&queries, &Search::default()).unwrap();
    search();
    assert_eq!(shard.rows_in_lists(), None);
    assert!(shard.build_lists().unwrap());
    assert_eq!(shard.rows_in_lists(), None, "what a build tries is no search");
    search();
    let rows = shard.rows_in_lists().unwrap();
    assert!(rows > 0.0 && rows < 12_000.0, "{rows}");
}

#[test]
fn sign_codes_and_lists_of_up_to_20_000_rows_find_all() {
    assert_eq!(ScanMode::choose(DIMENSIONS, 12_000, 12_000, 10), ScanMode::Signs);
    for (clusters, bias) in [(1, 0.0), (10, 0.0), (120, 0.0), (40, 8.0)] {
        let mixture = Mixture::of(12_000, clusters, bias);
        assert_eq!(mixture.recall(ScanMode::Signs), 1.0, "{clusters} clusters");
        assert!(mixture.shard.build_lists().unwrap());
        assert_eq!(mixture.recall(ScanMode::Signs), 1.0, "{clusters} clusters in lists");
    }
}

#[test]
fn sign_codes_are_taken_around_the_mean() {
    // All keys point in nearly one direction: without a centre all codes would be nearly one.
    let recall = Mixture::new(50, 8.0).recall(ScanMode::Signs);
    assert!(recall >= 0.99, "{recall}");
}

#[test]
fn nine_of_ten_rows_are_found_that_need_not_be_found_surely() {
    let (first, all) = (Search::default(), Search { k: 64, ..Search::default() });
    let search = Search { exact_k: first.k, ..all };
    for clusters in [1, 10, 150] {
        let mixture = Mixture::new(clusters, 0.0);
        let searched =
            |search: &Search, look| mixture.shard.search_with(&mixture.queries, search, Some(look));
        let best = searched(&all, ScanMode::Keys).unwrap();
        let of_best = |found: &[Found], count: usize| {
            let known = found.iter().zip(&best).map(|(found, best)| {
                best.labels[..count].iter().filter(|label| found.labels.contains(label)).count()
            });
            known.sum::<usize>() as f64 / (count * QUERIES) as f64
        };
        for has_lists in [false, true] {
            if has_lists {
                assert!(mixture.shard.build_lists().unwrap());
            }
            for look in [ScanMode::Signs, ScanMode::Bytes] {
                let found = searched(&search, look).unwrap();
                assert!(found.iter().all(|found| found.labels.len() == all.k));
                let alone = of_best(&searched(&first, look).unwrap(), first.k);
                assert!(of_best(&found, first.k) >= alone);
                let recall = of_best(&found, all.k);
                assert!(recall >= 0.9, "{recall} with {clusters} clusters, {look:?}, lists {has_lists}");
            }
        }
    }
}

/// Rows with the same codes can all score the same: no more of them are kept than are looked at, but as many.
#[test]
fn rows_of_one_key_are_found_however_many_there_are() {
    let mut random = Random::new(5);
    let mut vectors = |count: usize| (0..count * DIMENSIONS).map(|_| random.normal()).collect::<Vec<f32>>();
    let (others, query, noise, better) = (vectors(12_000), vectors(1), vectors(1), vectors(12));
    let near = |noise: &[f32], share: f32| {
        let rest = (1.0 - share * share).sqrt();
        query.iter().zip(noise).map(|(a, b)| share * a + rest * b).collect::<Vec<f32>>()
    };
    for (key, better, count, tier, search) in [
        (query.clone(), &[] as &[f32], 4_000, Tier::Cold, Search::default()),
        (near(&noise, 0.6), &better, 1_500, Tier::Hot, Search { k: 40, exact_k: 10, ..Search::default() }),
    ] {
        let better: Vec<f32> = better.chunks_exact(DIMENSIONS).flat_map(|noise| near(noise, 0.95)).collect();
        // After the others, so that all of them have codes around one centre.
        let keys = [&others[..], &key.repeat(count), &better].concat();
        let labels: Vec<i32> = (0..(keys.len() / DIMENSIONS) as i32).collect();
        for has_lists in [false, true] {
            let shard = Arc::new(Shard::new(DIMENSIONS).unwrap());
            for (labels, keys) in labels.chunks(1_000).zip(keys.chunks(1_000 * DIMENSIONS)) {
                shard.put(labels, keys, &vec![1; labels.len()], Tier::Hot).unwrap();
            }
            if has_lists {
                assert!(shard.build_lists().unwrap());
            }
            Demotion::new(Arc::clone(&shard), tier).run().unwrap();
            let found = shard.search_with(&query, &search, Some(ScanMode::Signs)).unwrap().pop().unwrap();
            let right = found.labels.iter().filter(|&&label| label >= 12_000).count();
            assert!(right >= search.k, "{right} of {count}, {tier:?}, lists {has_lists}");
        }
    }
}

#[test]
fn lists_lead_to_the_same_rows() {
    let mixture = Mixture::new(150, 0.0);
    let before = mixture.shard.stats();
    assert!(mixture.shard.build_lists().unwrap());
    assert_eq!((mixture.shard.stats().hot, mixture.shard.stats().dead), (before.hot, before.dead));
    assert_eq!(mixture.recall(ScanMode::Bytes), 1.0);
    let recall = mixture.recall(ScanMode::Signs);
    assert!(recall >= 0.99, "{recall}");
    // A row that is put later is in no list.
    mixture.shard.put(&[COUNT as i32], &mixture.queries[..DIMENSIONS], &[1], Tier::Hot).unwrap();
    let search = Search { k: 1, ..Search::default() };
    let found =
        mixture.shard.search_with(&mixture.queries[..DIMENSIONS], &search, Some(ScanMode::Signs)).unwrap();
    assert_eq!(found[0].labels, [COUNT as i32]);
}

/// The recall of a shard with lists for queries like its keys, and for random ones.
fn recalls(keys: &[f32], like: &[f32], tier: Tier, change: impl FnOnce(&Arc<Shard>)) -> [f64; 2] {
    let [shard, flat] = [0, 1].map(|_| Arc::new(Shard::new(DIMENSIONS).unwrap()));
    let labels: Vec<i32> = (0..(keys.len() / DIMENSIONS) as i32).collect();
    shard.put(&labels, keys, &vec![1; labels.len()], tier).unwrap();
    assert!(shard.build_lists().unwrap());
    change(&shard);
    // The same rows in no lists, all of which bytes of hot rows look at.
    let held: Vec<i32> = shard.view().parts().flat_map(|(_, part)| labels_of(part)).collect();
    let kept: Vec<f32> = held.iter().flat_map(|label| row(keys, *label)).copied().collect();
    flat.put(&held, &kept, &vec![1; held.len()], Tier::Hot).unwrap();
    let mut random = Random::new(9);
    let unlike: Vec<f32> = (0..like.len()).map(|_| random.normal()).collect();
    [like, &unlike].map(|queries| {
        let best = flat.search_with(queries, &Search::default(), Some(ScanMode::Bytes)).unwrap();
        let found = shard.search_with(queries, &Search::default(), Some(ScanMode::Signs)).unwrap();
        let known = (found.iter().zip(&best))
            .map(|(found, best)| best.labels.iter().filter(|label| found.labels.contains(label)).count());
        known.sum::<usize>() as f64 / best.iter().map(|best| best.labels.len()).sum::<usize>() as f64
    })
}

fn labels_of(part: &accel::index::Part) -> Vec<i32> {
    part.living_rows().map(|row| part.segment.labels()[row]).collect()
}

fn row(keys: &[f32], label: i32) -> &[f32] {
    &keys[label as usize * DIMENSIONS..][..DIMENSIONS]
}

/// What the same searches find of cold rows in no lists: less, where many rows are about as near.
fn cold_recall(keys: &[f32], like: &[f32]) -> f64 {
    recalls(keys, like, Tier::Cold, |_| ()).into_iter().fold(1.0, f64::min)
}

#[test]
fn lists_find_99_of_100_whatever_the_keys_and_queries_are() {
    let count = 12_000;
    for (clusters, bias) in [(1, 0.0), (10, 0.0), (120, 0.0), (3_000, 0.0), (40, 8.0)] {
        let mut keys = mixture(count, clusters, bias, &mut Random::new(clusters as u64));
        let like = keys.split_off(count * DIMENSIONS);
        for tier in [Tier::Hot, Tier::Warm] {
            let found = recalls(&keys, &like, tier, |_| ());
            assert!(found.iter().all(|&recall| recall >= 0.99), "{found:?}: {clusters} clusters, {tier:?}");
        }
    }
}

#[test]
fn lists_of_few_or_equal_rows_find_them() {
    let mut random = Random::new(4);
    for (count, distinct) in [(1, 1), (3, 3), (2_000, 1), (5_000, 20)] {
        let some: Vec<f32> = (0..distinct * DIMENSIONS).map(|_| random.normal()).collect();
        let keys: Vec<f32> = (0..count).flat_map(|at| row(&some, (at % distinct) as i32)).copied().collect();
        let shard = Shard::new(DIMENSIONS).unwrap();
        let labels: Vec<i32> = (0..count as i32).collect();
        shard.put(&labels, &keys, &vec![1; count], Tier::Hot).unwrap();
        assert!(shard.build_lists().unwrap());
        let query: Vec<f32> = some[..DIMENSIONS].iter().map(|value| value + 0.3 * random.normal()).collect();
        let [signs, bytes] = [ScanMode::Signs, ScanMode::Bytes]
            .map(|look| shard.search_with(&query, &Search::default(), Some(look)).unwrap()[0].scores.clone());
        assert_eq!(signs, bytes, "{count} rows of {distinct} keys");
    }
}

#[test]
fn lists_stay_when_rows_go_or_change_tier() {
    let count = 12_000;
    let mut keys = mixture(count, 60, 0.0, &mut Random::new(8));
    let like = keys.split_off(count * DIMENSIONS);
    let listed = |shard: &Shard| {
        let view = shard.view();
        view.parts()
            .filter(|(_, part)| part.segment.ranges.is_some())
            .map(|(_, part)| part.living())
            .sum::<usize>()
    };
    let gone: Vec<i32> = (0..count as i32).filter(|label| label % 3 == 0).collect();
    let found = recalls(&keys, &like, Tier::Hot, |shard| {
        for some in gone.chunks(500) {
            shard.remove(some).unwrap();
        }
        assert!(5 * shard.stats().dead <= 2 * count, "they were compacted");
        assert_eq!(listed(shard), count - gone.len());
    });
    assert!(found.iter().all(|&recall| recall >= 0.99), "{found:?}");
    // Rows put again lie outside of the lists and replace those inside.
    let found = recalls(&keys, &like, Tier::Hot, |shard| {
        let changed: Vec<f32> = gone.iter().flat_map(|label| row(&keys, *label)).copied().collect();
        shard.put(&gone, &changed, &vec![1; gone.len()], Tier::Hot).unwrap();
        assert_eq!(listed(shard), count - gone.len());
    });
    assert!(found.iter().all(|&recall| recall >= 0.99), "{found:?}");
    for (tier, least) in [(Tier::Warm, 0.99), (Tier::Cold, 0.99 * cold_recall(&keys, &like))] {
        let found = recalls(&keys, &like, Tier::Hot, |shard| {
            let hot = shard.stats().bytes;
            let demotion = Demotion::new(Arc::clone(shard), tier);
            assert!(2 * shard.stats().bytes < hot, "it counts as done");
            demotion.run().unwrap();
            drop(demotion);
            let stats = shard.stats();
            let held = if tier == Tier::Warm { stats.warm } else { stats.cold };
            assert_eq!((held, listed(shard)), (count, count));
            assert!(2 * stats.bytes < hot, "{stats:?}");
        });
        assert!(found.iter().all(|&recall| recall >= least), "{found:?} {tier:?} {least}");
    }
}
