//! Readers while a writer runs: every search shows one state that the shard was in.

use crate::support::Random;
use accel::index::{Demotion, Search, Shard, Tier};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

const DIMENSIONS: usize = 16;
/// Labels that only change their key and tier.
const KEPT: i32 = 60;
const CHANGES: usize = 1_500;

/// A key whose first value tells its version: every search of it shows which one was read.
fn key(label: i32, version: i32) -> Vec<f32> {
    let mut key = vec![0.0; DIMENSIONS];
    key[0] = 1.0;
    key[1] = (label + 1) as f32;
    key[2] = version as f32;
    key
}

fn all() -> Search<'static> {
    Search { k: 10_000, ..Search::default() }
}

#[test]
fn a_search_finds_every_living_pattern_once() {
    let shard = Arc::new(Shard::new(DIMENSIONS).unwrap());
    let labels: Vec<i32> = (0..KEPT).collect();
    let keys: Vec<f32> = labels.iter().flat_map(|&label| key(label, 0)).collect();
    shard.put(&labels, &keys, &[1; KEPT as usize], Tier::Hot).unwrap();
    let done = AtomicBool::new(false);
    // Labels from KEPT on are added in order and removed in order: [removed, added) may be alive.
    let (added, removing, removed) = (AtomicI32::new(KEPT), AtomicI32::new(KEPT), AtomicI32::new(KEPT));
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut searches = 0;
                    let query = key(3, 1);
                    while !done.load(Ordering::SeqCst) || searches == 0 {
                        let (gone, sure) = (removed.load(Ordering::SeqCst), added.load(Ordering::SeqCst));
                        let mut found = shard.search(&query, &all()).unwrap().labels;
                        let removing = removing.load(Ordering::SeqCst);
                        found.sort_unstable();
                        let before = found.len();
                        found.dedup();
                        assert_eq!(found.len(), before, "a label was found twice");
                        assert!((0..KEPT).all(|label| found.binary_search(&label).is_ok()), "{found:?}");
                        assert!(found.iter().all(|&label| label < KEPT || label >= gone), "{gone} {found:?}");
                        assert!((removing..sure).all(|label| found.binary_search(&label).is_ok()));
                        let (keys, known) = shard.keys_of(&[5]);
                        assert!(!known[0] || keys[1] == 6.0, "{keys:?}");
                        searches += 1;
                    }
                    searches
                })
            })
            .collect();
        let builder = scope.spawn(|| {
            let mut built = 0;
            while !done.load(Ordering::SeqCst) || built == 0 {
                built += usize::from(shard.build_lists().unwrap());
            }
            built
        });
        let demoter = scope.spawn(|| {
            let mut tiers = [Tier::Warm, Tier::Cold].into_iter().cycle();
            while !done.load(Ordering::SeqCst) {
                Demotion::new(Arc::clone(&shard), tiers.next().unwrap()).run().unwrap();
            }
        });
        let mut random = Random::new(1);
        for change in 0..CHANGES {
            let label = random.below(KEPT as usize) as i32;
            let next = added.load(Ordering::SeqCst);
            match change % 4 {
                0 => shard.put(&[label], &key(label, change as i32), &[1], Tier::Hot).unwrap(),
                1 => {
                    let tier = Tier::ALL[random.below(3)];
                    shard.put(&[label], &key(label, change as i32), &[1], tier).unwrap();
                }
                2 => {
                    let keys = [key(next, 0), key(next + 1, 0)].concat();
                    shard.put(&[next, next + 1], &keys, &[1, 3], Tier::Hot).unwrap();
                    added.store(next + 2, Ordering::SeqCst);
                }
                _ => {
                    let from = removed.load(Ordering::SeqCst);
                    removing.store(next, Ordering::SeqCst);
                    let labels: Vec<i32> = (from..next).collect();
                    assert_eq!(shard.remove(&labels).unwrap(), labels.len());
                    removed.store(next, Ordering::SeqCst);
                }
            }
        }
        done.store(true, Ordering::SeqCst);
        assert!(builder.join().unwrap() > 0);
        demoter.join().unwrap();
        for reader in readers {
            assert!(reader.join().unwrap() > 0);
        }
    });
}

#[test]
fn a_batch_is_seen_as_a_whole() {
    let shard = Shard::new(DIMENSIONS).unwrap();
    let labels: Vec<i32> = (0..100).collect();
    let batch = |version| labels.iter().flat_map(|&label| key(label, version)).collect::<Vec<f32>>();
    shard.put(&labels, &batch(0), &[1; 100], Tier::Hot).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut query = vec![0.0; DIMENSIONS];
            query[2] = 1.0;
            let mut states = 0;
            while !done.load(Ordering::SeqCst) || states == 0 {
                let found = shard.search(&query, &all()).unwrap();
                let versions: Vec<f64> = (found.labels.iter().zip(&found.scores))
                    .map(|(&label, score)| {
                        let others = 1.0 + f64::from(label + 1).powi(2);
                        (others / (1.0 - score * score) - others).max(0.0).sqrt().round()
                    })
                    .collect();
                assert_eq!(versions.len(), 100);
                assert!(versions.iter().all(|version| *version == versions[0]), "{versions:?}");
                states += 1;
            }
        });
        for version in 1..300 {
            shard.put(&labels, &batch(version), &[1; 100], Tier::Hot).unwrap();
        }
        done.store(true, Ordering::SeqCst);
        reader.join().unwrap();
    });
}
