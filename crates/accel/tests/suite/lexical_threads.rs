//! Searches of a lexicon while it is written.

use accel::lexical::Lexicon;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// Documents that are there all the time.
const KEPT: i32 = 100;

#[test]
fn every_search_finds_what_is_there_all_the_time_and_nothing_removed() {
    let lexicon = Arc::new(Lexicon::default());
    let text = |label: i32, version: i32| format!("common word number{label} version{version}");
    let put = |labels: Vec<i32>, version: i32| {
        let texts = labels.iter().map(|&label| text(label, version)).collect();
        lexicon.put_later(labels, texts).unwrap().run().unwrap();
    };
    put((0..KEPT).collect(), 0);
    let done = AtomicBool::new(false);
    // Labels from KEPT on are added in order and removed in order: [removed, added) may be there.
    let (added, removed) = (AtomicI32::new(KEPT), AtomicI32::new(KEPT));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut searches = 0;
                while !done.load(Ordering::SeqCst) || searches == 0 {
                    let gone = removed.load(Ordering::SeqCst);
                    let found = lexicon.search("common word", 10_000, None);
                    let limit = added.load(Ordering::SeqCst);
                    assert_eq!(found.labels.len(), found.matched);
                    let mut labels = found.labels;
                    labels.sort_unstable();
                    assert!(labels.windows(2).all(|pair| pair[0] < pair[1]), "a label was found twice");
                    assert!((0..KEPT).all(|label| labels.binary_search(&label).is_ok()));
                    assert!(labels.iter().all(|&label| label < KEPT || (gone..limit).contains(&label)));
                    assert!(found.scores.iter().all(|score| score.is_finite()));
                    assert!(lexicon.score("common", &[7])[0] > 0.0);
                    searches += 1;
                }
            });
        }
        for round in 1..=40 {
            let first = added.fetch_add(200, Ordering::SeqCst);
            put((first..first + 200).collect(), round);
            put((0..KEPT).collect(), round);
            let labels: Vec<i32> = (first..first + 200).collect();
            assert_eq!(lexicon.remove(&labels), 200);
            removed.store(first + 200, Ordering::SeqCst);
        }
        done.store(true, Ordering::SeqCst);
    });
    assert_eq!(lexicon.stats().documents, KEPT as usize);
}
