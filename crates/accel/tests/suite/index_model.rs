//! Random histories of the index against a map, and every search against a scan of that map.

use crate::support::Random;
use accel::index::{Demotion, Found, IndexError, ScanMode, Search, Shard, Stats, Tier};
use accel::{Matrix, Selection, cosine, nearest, norm};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone)]
struct Pattern {
    key: Vec<f32>,
    flags: u8,
    tier: Tier,
}

type Model = BTreeMap<i32, Pattern>;

/// The k best of the rows that a search selects, by `nearest`, whose own tests compare it with a plain loop.
fn expected(model: &Model, query: &[f32], search: &Search) -> (Vec<i32>, Vec<f64>) {
    let selected = model.iter().filter(|(label, pattern)| {
        search.tiers & pattern.tier.bit() != 0
            && search.allowed.is_none_or(|allowed| {
                allowed.get(**label as usize / 8).is_some_and(|byte| byte >> (**label % 8) & 1 == 1)
            })
    });
    let (labels, patterns): (Vec<i32>, Vec<&Pattern>) =
        selected.map(|(label, pattern)| (*label, pattern)).unzip();
    let matrix = Matrix {
        dimensions: query.len(),
        count: labels.len(),
        values: &patterns.iter().flat_map(|pattern| pattern.key.clone()).collect::<Vec<_>>(),
        inverse_norms: &patterns.iter().map(|pattern| 1.0 / norm(&pattern.key)).collect::<Vec<_>>(),
        labels: &labels,
        flags: &patterns.iter().map(|pattern| pattern.flags).collect::<Vec<_>>(),
    };
    let selection = Selection { required_flags: search.required_flags, allowed: None };
    let hits = nearest(&matrix, query, search.k, search.min_score, &selection).unwrap();
    (hits.labels, hits.scores)
}

/// What a caller makes of the candidates: cosines from the keys, sorted, the k best.
fn rescored(found: &Found, model: &Model, query: &[f32], search: &Search) -> (Vec<i32>, Vec<f64>) {
    let candidates: Model = found.labels.iter().map(|label| (*label, model[label].clone())).collect();
    assert_eq!(candidates.len(), found.labels.len(), "a label was found twice");
    expected(&candidates, query, &Search { allowed: None, tiers: Tier::EVERY, required_flags: 1, ..*search })
}

fn check(shard: &Shard, model: &Model, query: &[f32], search: &Search, look: Option<ScanMode>) {
    let found = shard.search_with(query, search, look).unwrap().pop().unwrap();
    let (labels, scores) = expected(model, query, search);
    assert_eq!(rescored(&found, model, query, search), (labels.clone(), scores.clone()), "{search:?}");
    for (at, label) in found.labels.iter().enumerate() {
        assert_eq!(found.exact[at] == 1, model[label].tier == Tier::Hot);
        if let (1, Some(rank)) = (found.exact[at], labels.iter().position(|other| other == label)) {
            assert_eq!(found.scores[at].to_bits(), scores[rank].to_bits());
        }
    }
    assert!(found.scores.is_sorted_by(|a, b| a >= b));
    if found.exact.iter().all(|&exact| exact == 1) {
        assert_eq!((found.labels, found.scores), (labels, scores), "nothing is left to the caller");
    }
}

fn counts(stats: Stats) -> [usize; 3] {
    [stats.hot, stats.warm, stats.cold]
}

/// Many keys of one value set, so that scores tie.
fn key(random: &mut Random, dimensions: usize) -> Vec<f32> {
    loop {
        let coarse = random.below(2) == 0;
        let scale = 10f32.powi(random.below(13) as i32 - 6);
        let key: Vec<f32> = (0..dimensions)
            .map(|_| scale * if coarse { random.below(3) as f32 - 1.0 } else { random.value() })
            .collect();
        if key.iter().any(|&value| value != 0.0) {
            return key;
        }
    }
}

fn history(dimensions: usize, steps: usize, seed: u64) {
    let mut random = Random::new(seed);
    let shard = Shard::new(dimensions).unwrap();
    let mut model = Model::new();
    let (mut hits, mut asked) = (0, 0);
    let tier = |random: &mut Random| Tier::ALL[random.below(3)];
    for step in 0..steps {
        let labels: Vec<i32> = (0..1 + random.below(40)).map(|_| random.below(300) as i32).collect();
        let tier = tier(&mut random);
        match random.below(10) {
            0..=4 => {
                let keys: Vec<Vec<f32>> = labels.iter().map(|_| key(&mut random, dimensions)).collect();
                let flags: Vec<u8> = labels.iter().map(|_| 1 | (random.below(2) as u8) << 1).collect();
                shard.put(&labels, &keys.concat(), &flags, tier).unwrap();
                for ((label, key), flags) in labels.iter().zip(keys).zip(flags) {
                    model.insert(*label, Pattern { key, flags, tier });
                }
            }
            5..=6 => {
                let known = labels.iter().filter(|label| model.remove(label).is_some()).count();
                assert_eq!(shard.remove(&labels).unwrap(), known);
            }
            _ => {
                let labels: Vec<i32> = labels.into_iter().filter(|label| model.contains_key(label)).collect();
                let keys: Vec<f32> = labels.iter().flat_map(|label| model[label].key.clone()).collect();
                let flags: Vec<u8> = labels.iter().map(|label| model[label].flags).collect();
                shard.put(&labels, &keys, &flags, tier).unwrap();
                for label in labels {
                    model.get_mut(&label).unwrap().tier = tier;
                }
            }
        }
        if seed == 1 && step % 9 == 8 {
            assert!(shard.build_lists().unwrap());
        }
        let held = Tier::ALL.map(|tier| model.values().filter(|pattern| pattern.tier == tier).count());
        assert_eq!(counts(shard.stats()), held, "step {step}");
        let labels: Vec<i32> = (0..300).collect();
        let (keys, known) = shard.keys_of(&labels);
        let directions = [key(&mut random, dimensions), key(&mut random, dimensions)];
        let (cosines, compared) =
            shard.cosines_of(&labels, &directions.each_ref().map(Vec::as_slice)).unwrap();
        assert_eq!(known, compared);
        for label in labels {
            let row = &keys[label as usize * dimensions..][..dimensions];
            let hot = model.get(&label).filter(|pattern| pattern.tier == Tier::Hot);
            assert_eq!(known[label as usize], hot.is_some());
            assert!(hot.is_none_or(|pattern| pattern.key == row));
            for (i, direction) in directions.iter().enumerate() {
                let expected = hot.map_or(0.0, |pattern| cosine(&pattern.key, direction).unwrap());
                assert!((cosines[2 * label as usize + i] - expected).abs() < 1e-12);
            }
        }
        let query = key(&mut random, dimensions);
        let allowed: Vec<u8> = (0..30).map(|_| random.below(256) as u8).collect();
        let search = Search {
            k: [0, 1, 3, 10, 1_000][random.below(5)],
            exact_k: usize::MAX,
            min_score: [-1.0, -1.0, 0.0, 0.5, f64::NEG_INFINITY][random.below(5)],
            required_flags: [0, 1, 3][random.below(3)],
            allowed: (random.below(2) == 0).then_some(&allowed),
            // Cold rows are only estimated: see below.
            tiers: Tier::Hot.bit() | Tier::Warm.bit(),
        };
        check(&shard, &model, &query, &search, None);
        check(&shard, &model, &query, &search, Some(ScanMode::Bytes));
        check(&shard, &model, &query, &Search { tiers: Tier::Hot.bit(), ..search }, None);
        let by_signs = shard.search_with(&query, &search, Some(ScanMode::Signs)).unwrap().pop().unwrap();
        let best = expected(&model, &query, &search).0;
        let rescored = rescored(&by_signs, &model, &query, &search).0;
        assert!(rescored.iter().all(|label| by_signs.labels.contains(label)));
        hits += rescored.iter().filter(|label| best.contains(label)).count();
        asked += best.len();
        let cold = shard.search(&query, &Search { tiers: Tier::EVERY, ..search }).unwrap();
        assert!(cold.labels.iter().all(|label| model.contains_key(label)));
    }
    // Signs of short keys are no estimate, and lists are for many rows: no search chooses them here.
    assert!(dimensions < 64 || seed == 1 || hits as f64 >= 0.99 * asked as f64, "{hits} of {asked}");
    // What is dead is given back.
    let stats = shard.stats();
    assert!(stats.dead <= 40 * stats.segments, "{stats:?}");
}

#[test]
fn histories_lead_to_what_a_map_holds() {
    for (dimensions, steps) in [(1, 60), (2, 120), (7, 120), (64, 120), (100, 60), (385, 30), (1_537, 10)] {
        for seed in 1..4 {
            history(dimensions, steps, seed);
        }
    }
}

#[test]
fn large_keys_work() {
    history(8_192, 6, 1);
}

#[test]
fn cold_rows_find_what_they_hold() {
    // The best rows are close to the query, as a search for what was stored is.
    let (dimensions, count) = (128, 3_000);
    let mut random = Random::new(5);
    let shard = Shard::new(dimensions).unwrap();
    let keys: Vec<f32> = (0..count * dimensions).map(|_| random.normal()).collect();
    let labels: Vec<i32> = (0..count as i32).collect();
    shard.put(&labels, &keys, &vec![1; count], Tier::Cold).unwrap();
    assert!(shard.stats().bytes < count * 48, "{:?}", shard.stats());
    for label in (0..count).step_by(50) {
        let key = &keys[label * dimensions..][..dimensions];
        let query: Vec<f32> = key.iter().map(|value| value + 0.7 * random.normal()).collect();
        let found = shard.search(&query, &Search { k: 1, ..Search::default() }).unwrap();
        assert!(found.labels.contains(&(label as i32)));
        assert!(found.labels.len() <= 400 && found.exact.iter().all(|&exact| exact == 0));
        let high = shard.search(&query, &Search { k: 1, min_score: 0.7, ..Search::default() }).unwrap();
        assert_eq!(high.labels, [label as i32], "the others are surely lower");
    }
}

#[test]
fn many_queries_find_what_single_ones_find() {
    let dimensions = 65;
    let mut random = Random::new(9);
    let shard = Shard::new(dimensions).unwrap();
    let keys: Vec<f32> = (0..600 * dimensions).map(|_| random.normal()).collect();
    for (tier, labels) in Tier::ALL.into_iter().zip([0..200, 200..400, 400..600]) {
        let part = &keys[labels.start as usize * dimensions..labels.end as usize * dimensions];
        shard.put(&labels.collect::<Vec<i32>>(), part, &[1; 200], tier).unwrap();
    }
    let queries: Vec<f32> = (0..17 * dimensions).map(|_| random.normal()).collect();
    for look in [ScanMode::Keys, ScanMode::Bytes, ScanMode::Signs] {
        let search = Search { k: 5, ..Search::default() };
        let many = shard.search_with(&queries, &search, Some(look)).unwrap();
        let single = queries
            .chunks_exact(dimensions)
            .map(|query| shard.search_with(query, &search, Some(look)).unwrap().pop().unwrap());
        assert_eq!(many, single.collect::<Vec<_>>());
    }
    assert_eq!(shard.search_many(&[], &Search::default()).unwrap(), []);
}

#[test]
fn memory_is_given_back() {
    let shard = Arc::new(Shard::new(64).unwrap());
    let mut random = Random::new(2);
    let labels: Vec<i32> = (0..10_000).collect();
    let keys: Vec<f32> = (0..10_000 * 64).map(|_| random.normal()).collect();
    shard.put(&labels[..10], &keys[..640], &[1; 10], Tier::Hot).unwrap();
    assert!(shard.stats().bytes < 16_000, "{:?}", shard.stats());
    shard.put(&labels, &keys, &[1; 10_000], Tier::Hot).unwrap();
    let hot = shard.stats().bytes;
    Demotion::new(Arc::clone(&shard), Tier::Cold).run().unwrap();
    let cold = shard.stats();
    assert!(cold.bytes * 8 < hot, "{hot} {cold:?}");
    shard.remove(&labels).unwrap();
    let empty = shard.stats();
    assert!(empty.segments <= 1 && empty.bytes * 100 < hot, "{empty:?}");
    // One row replaced again and again needs no more room than one row.
    for _ in 0..2_000 {
        shard.put(&[7], &keys[..64], &[1], Tier::Hot).unwrap();
    }
    assert!(shard.stats().bytes < 32_000, "{:?}", shard.stats());
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    assert!(matches!(Shard::new(0), Err(IndexError::Dimensions(0))));
    assert!(matches!(Shard::new(8_193), Err(IndexError::Dimensions(8_193))));
    let shard = Shard::new(2).unwrap();
    shard.put(&[1, 2], &[1.0, 0.0, 0.0, 1.0], &[1, 1], Tier::Cold).unwrap();
    let before = shard.stats();
    let put = |labels: &[i32], keys: &[f32], flags: &[u8]| shard.put(labels, keys, flags, Tier::Hot);
    assert!(matches!(put(&[1], &[1.0], &[1]), Err(IndexError::Lengths { what: "keys", .. })));
    assert!(matches!(put(&[1], &[1.0, 2.0], &[]), Err(IndexError::Lengths { what: "flags", .. })));
    assert!(matches!(put(&[1], &[1.0, f32::NAN], &[1]), Err(IndexError::NotFinite { at: 1, .. })));
    let second_zero = put(&[1, 5], &[1.0, 2.0, 0.0, -0.0], &[1, 1]);
    assert!(matches!(second_zero, Err(IndexError::ZeroKey { label: 5 })));
    assert!(matches!(put(&[-1], &[1.0, 2.0], &[1]), Err(IndexError::Label(-1))));
    assert!(matches!(put(&[3], &[1.0, 2.0], &[2]), Err(IndexError::Flags { label: 3, flags: 2 })));
    assert_eq!(shard.remove(&[9]).unwrap(), 0);
    assert_eq!(shard.stats(), before);
    let search = Search::default();
    assert!(matches!(shard.search(&[1.0], &search), Err(IndexError::QueryLength { .. })));
    assert!(matches!(shard.search(&[], &search), Err(IndexError::QueryLength { .. })));
    assert!(matches!(shard.search(&[0.0, 0.0], &search), Err(IndexError::ZeroQuery)));
    assert!(matches!(shard.search(&[1.0, f32::NAN], &search), Err(IndexError::NotFinite { .. })));
    let not_a_number = Search { min_score: f64::NAN, ..search };
    assert!(matches!(shard.search(&[1.0, 0.0], &not_a_number), Err(IndexError::NotFinite { .. })));
    let all = Search { k: usize::MAX, ..search };
    assert_eq!(shard.search(&[1.0, 0.0], &all).unwrap().labels.len(), 2);
}

#[test]
fn keys_of_extreme_length_keep_their_direction() {
    let shard = Shard::new(70).unwrap();
    let mut random = Random::new(3);
    let mut model = Model::new();
    for label in 0..40 {
        let scale = [f32::MAX / 4.0, 1e-44, 1e-38, 1.0][label as usize % 4];
        let key: Vec<f32> = (0..70).map(|_| random.value() * scale).collect();
        if key.iter().all(|&value| value == 0.0) {
            continue;
        }
        let tier = if label % 8 < 4 { Tier::Hot } else { Tier::Warm };
        shard.put(&[label], &key, &[1], tier).unwrap();
        model.insert(label, Pattern { key, flags: 1, tier });
    }
    for look in [ScanMode::Keys, ScanMode::Bytes] {
        let query: Vec<f32> = (0..70).map(|_| random.value() * 1e30).collect();
        check(&shard, &model, &query, &Search { k: 7, ..Search::default() }, Some(look));
    }
}
