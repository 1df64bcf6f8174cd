//! Histories of what lives longer than a call, a shard and a lexicon, as the bytes say. What is refused changes nothing,
//! what is found is what a map holds, and no file makes a shard that cannot be searched.

mod bytes;

use accel::index::{DIMENSIONS_MAX, Demotion, Found, ScanMode, Search, Shard, Tier};
use accel::lexical::{Lexicon, words};
use accel::{cosine, norm};
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use xxhash_rust::xxh64::xxh64;

/// Changes and searches of one history.
const STEPS_MAX: usize = 40;

/// One history.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    match bytes.byte() % 3 {
        0 => shard(&mut bytes),
        1 => snapshot(&mut bytes),
        _ => lexicon(&mut bytes),
    }
}

struct Row {
    key: Vec<f32>,
    flags: u8,
    tier: Tier,
}

type Rows = BTreeMap<i32, Row>;

fn shard(bytes: &mut Bytes) {
    let dimensions = bytes.size();
    let made = Shard::new(dimensions);
    assert_eq!(made.is_ok(), (1..=DIMENSIONS_MAX).contains(&dimensions));
    let Ok(shard) = made else { return };
    let mut shard = Arc::new(shard);
    let mut rows = Rows::new();
    for _ in 0..STEPS_MAX {
        if bytes.0.is_empty() {
            break;
        }
        match bytes.byte() % 11 {
            0..=2 => put(&shard, &mut rows, bytes),
            3 => {
                let labels = labels(bytes);
                let known = labels.iter().filter(|label| rows.remove(label).is_some()).count();
                assert_eq!(shard.remove(&labels).expect("nothing to refuse"), known);
            }
            4 => {
                shard.build_lists().expect("nothing to refuse");
            }
            5 => demote(&shard, &mut rows, tier(bytes)),
            6 => shard = loaded_again(&shard),
            7 => compare(&shard, &rows, bytes),
            _ => search(&shard, &rows, bytes),
        }
        let stats = shard.stats();
        assert_eq!(stats.hot + stats.warm + stats.cold, rows.len());
    }
    let labels: Vec<i32> = rows.keys().copied().collect();
    let (keys, held) = shard.keys_of(&labels);
    for ((row, key), held) in rows.values().zip(keys.chunks_exact(dimensions)).zip(held) {
        assert_eq!(held, row.tier == Tier::Hot);
        assert!(!held || row.key == key);
    }
}

/// Few, so that they meet; seldom one that is refused, or the largest.
fn labels(bytes: &mut Bytes) -> Vec<i32> {
    let count = bytes.byte() % 24;
    (0..count)
        .map(|_| match bytes.byte() {
            255 => bytes.word().cast_signed(),
            small => i32::from(small % 48),
        })
        .collect()
}

fn tier(bytes: &mut Bytes) -> Tier {
    Tier::ALL[usize::from(bytes.byte() % 3)]
}

/// Whether vectors, row after row, are finite and none is all zero.
fn have_directions(vectors: &[f32], dimensions: usize) -> bool {
    vectors.iter().all(|value| value.is_finite())
        && vectors.chunks_exact(dimensions).all(|vector| norm(vector) > 0.0)
}

fn put(shard: &Shard, rows: &mut Rows, bytes: &mut Bytes) {
    let (labels, tier) = (labels(bytes), tier(bytes));
    let dimensions = shard.dimensions();
    let keys = bytes.floats(labels.len() * dimensions);
    let flags: Vec<u8> =
        labels.iter().map(|_| if bytes.byte() == 0 { 0 } else { 1 | bytes.byte() }).collect();
    let fits = keys.len() == labels.len() * dimensions
        && labels.iter().all(|&label| label >= 0)
        && flags.iter().all(|flags| flags & 1 == 1)
        && have_directions(&keys, dimensions);
    assert_eq!(shard.put(&labels, &keys, &flags, tier).is_ok(), fits);
    if fits {
        for ((&label, key), flags) in labels.iter().zip(keys.chunks_exact(dimensions)).zip(flags) {
            rows.insert(label, Row { key: key.to_vec(), flags, tier });
        }
    }
}

fn demote(shard: &Arc<Shard>, rows: &mut Rows, tier: Tier) {
    Demotion::new(Arc::clone(shard), tier).run().expect("nothing to refuse");
    let warmer = rows.values_mut().filter(|row| row.tier.number() < tier.number());
    warmer.for_each(|row| row.tier = tier);
}

/// The shard as a process has it that starts from its file.
fn loaded_again(shard: &Shard) -> Arc<Shard> {
    let path = file();
    shard.save(&path, 1).expect("a place to write to");
    let (loaded, _) = Shard::load(&path).expect("a whole file");
    let _ = std::fs::remove_file(&path);
    Arc::new(loaded)
}

/// Cosines of rows that are named, of which the index knows those of hot ones.
fn compare(shard: &Shard, rows: &Rows, bytes: &mut Bytes) {
    let (labels, dimensions) = (labels(bytes), shard.dimensions());
    let query = bytes.floats(dimensions);
    let fits = query.len() == dimensions && have_directions(&query, dimensions);
    let Ok((cosines, held)) = shard.cosines_of(&labels, &[&query]) else { return assert!(!fits) };
    assert!(fits);
    for ((label, known), held) in labels.iter().zip(cosines).zip(held) {
        let row = rows.get(label).filter(|row| row.tier == Tier::Hot);
        assert_eq!(held, row.is_some());
        assert!(
            row.is_none_or(|row| (cosine(&row.key, &query).expect("lengths that fit") - known).abs() < SLACK)
        );
    }
}

fn search(shard: &Shard, rows: &Rows, bytes: &mut Bytes) {
    let dimensions = shard.dimensions();
    let queries = usize::from(1 + bytes.byte() % 3);
    let queries = bytes.floats(queries * dimensions);
    let allowed = bytes.allowed();
    let search = Search {
        k: bytes.size(),
        exact_k: bytes.size(),
        min_score: bytes.float().into(),
        required_flags: u32::from(bytes.byte()),
        allowed: allowed.as_deref(),
        tiers: u32::from(bytes.byte()),
    };
    let fits = queries.len().is_multiple_of(dimensions)
        && !search.min_score.is_nan()
        && have_directions(&queries, dimensions);
    let look = [None, Some(ScanMode::Keys), Some(ScanMode::Bytes), Some(ScanMode::Signs)]
        [usize::from(bytes.byte() % 4)];
    let all = match shard.search_with(&queries, &search, look) {
        Ok(all) => all,
        Err(error) => return assert!(!fits, "{error}"),
    };
    assert!(fits);
    for (found, query) in all.iter().zip(queries.chunks_exact(dimensions)) {
        check(found, rows, query, &search, look);
    }
}

/// Whether a search that is restricted to some labels looks at one.
fn lets_in(allowed: Option<&[u8]>, label: i32) -> bool {
    allowed.is_none_or(|allowed| {
        allowed.get(label as usize / 8).is_some_and(|byte| byte >> (label % 8) & 1 == 1)
    })
}

/// The index divides by norms in another order.
const SLACK: f64 = 1e-9;

fn check(found: &Found, rows: &Rows, query: &[f32], search: &Search, look: Option<ScanMode>) {
    let Found { labels, scores, exact } = found;
    assert_eq!([scores.len(), exact.len()], [labels.len(); 2]);
    assert!(scores.is_sorted_by(|a, b| a >= b));
    let chosen = |label: i32, row: &Row| {
        search.tiers & row.tier.bit() != 0
            && u32::from(row.flags) & search.required_flags == search.required_flags
            && lets_in(search.allowed, label)
    };
    let mut left: BTreeMap<i32, f64> = rows
        .iter()
        .filter(|&(&label, row)| chosen(label, row))
        .map(|(&label, row)| (label, cosine(&row.key, query).expect("lengths that fit")))
        .filter(|&(_, cosine)| cosine >= search.min_score - SLACK)
        .collect();
    let mut among: Vec<f64> = Vec::new();
    for ((label, &score), &exact) in labels.iter().zip(scores).zip(exact) {
        let known = left.remove(label);
        if exact == 1 {
            let cosine = known.expect("a row that was asked for, once");
            assert!((cosine - score).abs() < SLACK, "{label}: {score} instead of {cosine}");
        }
        among.extend(known);
    }
    // What is left out is no better than the k best of what was found; where signs are looked at, as of cold rows, that is
    // likely, not sure.
    let by_signs = look == Some(ScanMode::Signs)
        || rows.iter().any(|(&label, row)| row.tier == Tier::Cold && chosen(label, row));
    among.sort_by(|a, b| b.total_cmp(a));
    let left: Vec<f64> = left.into_values().filter(|&cosine| cosine >= search.min_score + SLACK).collect();
    if !by_signs && search.exact_k >= search.k && !left.is_empty() && search.k > 0 {
        let worst = *among.get(search.k - 1).expect("k rows where there are as many");
        assert!(left.iter().all(|&cosine| cosine <= worst + SLACK));
    }
}

/// One for each thread, which the system removes.
fn file() -> PathBuf {
    std::env::temp_dir().join(format!(
        "accel-states-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ))
}

/// A file of a shard with some of its bytes changed; at times with hashes that fit.
fn snapshot(bytes: &mut Bytes) {
    let dimensions = usize::from(1 + bytes.byte() % 20);
    let shard = Shard::new(dimensions).expect("few dimensions");
    let mut rows = Rows::new();
    for _ in 0..bytes.byte() % 5 {
        put(&shard, &mut rows, bytes);
    }
    let path = file();
    let version = u64::from(bytes.word());
    shard.save(&path, version).expect("a place to write to");
    let (loaded, found) = Shard::load(&path).expect("a whole file");
    assert_eq!(found, version);
    let labels: Vec<i32> = rows.keys().copied().collect();
    assert_eq!(loaded.keys_of(&labels), shard.keys_of(&labels));

    let mut content = std::fs::read(&path).expect("a file");
    for _ in 0..1 + bytes.byte() % 6 {
        let at = bytes.word() as usize % content.len();
        match bytes.byte() % 8 {
            0 => content.truncate(at.max(1)),
            1 => content.extend(bytes.list(Bytes::byte)),
            2 => content[at] = [0, 127, 128, 255][usize::from(bytes.byte() % 4)],
            _ => content[at] ^= bytes.byte(),
        }
    }
    if !bytes.byte().is_multiple_of(4) {
        mend(&mut content);
    }
    std::fs::write(&path, &content).expect("a place to write to");
    if let Ok((loaded, _)) = Shard::load(&path) {
        let dimensions = loaded.dimensions();
        let query = vec![1.0; dimensions];
        let all = Search { k: 1_000, ..Search::default() };
        let found = loaded.search(&query, &all).expect("a query that fits");
        let labels: BTreeSet<i32> = found.labels.iter().copied().collect();
        assert_eq!(labels.len(), found.labels.len());
        let stats = loaded.stats();
        let removed = loaded.remove(&found.labels).expect("nothing to refuse");
        assert!(removed <= stats.hot + stats.warm + stats.cold);
        loaded.put(&[7], &query, &[1], Tier::Hot).expect("room for a row");
    }
    let _ = std::fs::remove_file(&path);
}

/// Makes the length of the file, and the hash of each section, those of the content.
fn mend(content: &mut [u8]) {
    let length = content.len() as u64;
    // Section's length, magic, format, dimensions, version.
    if let Some(field) = content.get_mut(8 + 8 + 4 + 4 + 8..8 + 8 + 4 + 4 + 8 + 8) {
        field.copy_from_slice(&length.to_le_bytes());
    }
    let mut rest = content;
    while let Some((head, after)) = rest.split_first_chunk_mut::<8>() {
        let length = usize::try_from(u64::from_le_bytes(*head)).unwrap_or(usize::MAX);
        if length.checked_add(8).is_none_or(|needed| needed > after.len()) {
            return;
        }
        let (section, after) = after.split_at_mut(length);
        let (hash, after) = after.split_at_mut(8);
        hash.copy_from_slice(&xxh64(section, 0).to_le_bytes());
        rest = after;
    }
}

fn lexicon(bytes: &mut Bytes) {
    let lexicon = Lexicon::default();
    let mut texts: BTreeMap<i32, String> = BTreeMap::new();
    for _ in 0..STEPS_MAX {
        if bytes.0.is_empty() {
            break;
        }
        match bytes.byte() % 4 {
            0 | 1 => {
                let labels = labels(bytes);
                let mut written: Vec<String> = labels.iter().map(|_| text(bytes)).collect();
                if bytes.byte() == 0 {
                    written.pop();
                }
                let fits = written.len() == labels.len() && labels.iter().all(|&label| label >= 0);
                assert_eq!(lexicon.put(&labels, &written).is_ok(), fits);
                if fits {
                    texts.extend(labels.into_iter().zip(written));
                }
            }
            2 => {
                let labels = labels(bytes);
                let known = labels.iter().filter(|label| texts.remove(label).is_some()).count();
                assert_eq!(lexicon.remove(&labels), known);
            }
            _ => find(&lexicon, &texts, bytes),
        }
        assert_eq!(lexicon.stats().documents, texts.len());
    }
}

fn find(lexicon: &Lexicon, texts: &BTreeMap<i32, String>, bytes: &mut Bytes) {
    let (query, k, allowed) = (text(bytes), bytes.size(), bytes.allowed());
    let asked: BTreeSet<String> = words(&query).into_iter().collect();
    let matching: BTreeSet<i32> = texts
        .iter()
        .filter(|&(&label, text)| {
            lets_in(allowed.as_deref(), label) && words(text).iter().any(|word| asked.contains(word))
        })
        .map(|(&label, _)| label)
        .collect();
    let found = lexicon.search(&query, k, allowed.as_deref());
    assert_eq!(found.matched, matching.len());
    assert_eq!(found.labels.len(), k.min(matching.len()));
    assert!(found.labels.iter().all(|label| matching.contains(label)));
    assert!(found.scores.is_sorted_by(|a, b| a >= b) && found.scores.iter().all(|&score| score > 0.0));
    assert_eq!(lexicon.score(&query, &found.labels), found.scores);
}

/// Words of few letters, so that texts share some, and at times any characters.
fn text(bytes: &mut Bytes) -> String {
    let length = bytes.byte() % 30;
    let letter = |bytes: &mut Bytes| match bytes.byte() {
        255 => char::from_u32(bytes.word() % 0x11_0000).unwrap_or('\u{fffd}'),
        small => char::from(b"abc  ,.-A1"[usize::from(small) % 10]),
    };
    (0..length).map(|_| letter(bytes)).collect()
}
