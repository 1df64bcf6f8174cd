//! A shard comes back from its file as it was, and from no other file.

use crate::support::{Folder, Random};
use accel::index::{IndexError, Search, Shard, Tier};
use std::fs;
use xxhash_rust::xxh64::xxh64;

fn filled(dimensions: usize, count: i32, random: &mut Random) -> Shard {
    let shard = Shard::new(dimensions).unwrap();
    for label in 0..count {
        let key: Vec<f32> = (0..dimensions).map(|_| random.normal()).collect();
        shard.put(&[label], &key, &[1 | (label as u8 & 1) << 1], Tier::ALL[label as usize % 3]).unwrap();
    }
    shard.remove(&(0..count).step_by(7).collect::<Vec<_>>()).unwrap();
    shard
}

#[test]
fn a_shard_comes_back_as_it_was() {
    let folder = Folder::new("whole");
    let mut random = Random::new(4);
    for (dimensions, count) in [(1, 20), (5, 0), (40, 1), (100, 900)] {
        let shard = filled(dimensions, count, &mut random);
        shard.save(&folder.file("shard"), u64::MAX - 3).unwrap();
        let (loaded, version) = Shard::load(&folder.file("shard")).unwrap();
        assert_eq!((version, loaded.dimensions()), (u64::MAX - 3, dimensions));
        let held = |shard: &Shard| {
            let stats = shard.stats();
            (stats.hot, stats.warm, stats.cold)
        };
        assert_eq!(held(&shard), held(&loaded));
        assert_eq!(loaded.stats().dead, 0);
        let labels: Vec<i32> = (0..count).collect();
        let change = |shard: &Shard, random: &mut Random| {
            let key: Vec<f32> = (0..dimensions).map(|_| random.normal()).collect();
            shard.put(&[3, count + 1], &[key.clone(), key].concat(), &[1, 3], Tier::Hot).unwrap();
            shard.remove(&[1, 4]).unwrap()
        };
        for round in 0..2 {
            assert_eq!(shard.keys_of(&labels), loaded.keys_of(&labels));
            for required_flags in [1, 3] {
                let query: Vec<f32> = (0..dimensions).map(|_| random.normal()).collect();
                let search = Search { k: 20, required_flags, ..Search::default() };
                assert_eq!(shard.search(&query, &search).unwrap(), loaded.search(&query, &search).unwrap());
            }
            // Both go on in the same way.
            let (mut one, mut other) = (Random::new(round + 8), Random::new(round + 8));
            assert_eq!(change(&shard, &mut one), change(&loaded, &mut other));
        }
    }
    assert_eq!(folder.names().len(), 1, "no temporary file stays");
}

#[test]
fn damaged_files_are_refused() {
    let folder = Folder::new("damaged");
    let mut random = Random::new(6);
    filled(3, 9, &mut random).save(&folder.file("shard"), 7).unwrap();
    let whole = fs::read(folder.file("shard")).unwrap();
    let load = |bytes: &[u8]| {
        fs::write(folder.file("shard"), bytes).unwrap();
        Shard::load(&folder.file("shard"))
    };
    assert!(load(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(matches!(load(&whole[..length]), Err(IndexError::Snapshot(_))), "{length} bytes");
    }
    for at in 0..whole.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            assert!(matches!(load(&bytes), Err(IndexError::Snapshot(_))), "byte {at} ^ {flip}");
        }
    }
    let longer = [whole.as_slice(), &[0]].concat();
    assert!(matches!(load(&longer), Err(IndexError::Snapshot(_))));
    assert!(matches!(load(&random_bytes(&mut random, 5_000)), Err(IndexError::Snapshot(_))));
    assert!(load(&whole).is_ok());
}

/// A file of these sections, whose first one, the header, tells the length at 24.
fn file(mut sections: Vec<Vec<u8>>) -> Vec<u8> {
    let length: usize = sections.iter().map(|section| section.len() + 16).sum();
    sections[0][24..32].copy_from_slice(&(length as u64).to_le_bytes());
    let framed = |section: &Vec<u8>| {
        [&(section.len() as u64).to_le_bytes(), section.as_slice(), &xxh64(section, 0).to_le_bytes()].concat()
    };
    sections.iter().flat_map(framed).collect()
}

fn sections(mut file: &[u8]) -> Vec<Vec<u8>> {
    let mut sections = Vec::new();
    while let Some((length, rest)) = file.split_first_chunk() {
        let (section, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
        sections.push(section.to_vec());
        file = &rest[8..];
    }
    sections
}

/// From them rows would be computed that are in no order, and snapshots written that cannot be loaded.
#[test]
fn numbers_that_no_shard_has_are_refused() {
    let folder = Folder::new("invented");
    let shard = Shard::new(3).unwrap();
    shard.put(&[5], &[1.0, -2.0, 2.0], &[1], Tier::Hot).unwrap();
    shard.save(&folder.file("shard"), 7).unwrap();
    let whole = sections(&fs::read(folder.file("shard")).unwrap());
    let load = |section: usize, at: usize, bytes: &[u8]| {
        let mut changed = whole.clone();
        changed[section][at..at + bytes.len()].copy_from_slice(bytes);
        fs::write(folder.file("shard"), file(changed)).unwrap();
        Shard::load(&folder.file("shard"))
    };
    // Keys that were summed, those of them when the centre was computed, their sum, and the centre.
    let [summed, centred, sum, centre] = [0, 8, 16, 16 + 3 * 8];
    // After head, label, flags and sign code: factor and offset, code, scale and error, key, 1 / norm.
    let factor = 20 + 4 + 1 + 4;
    let scale = factor + 8 + 3;
    let (key, inverse_norm) = (scale + 8, scale + 8 + 12);
    assert_eq!(whole[2].len(), inverse_norm + 8);
    assert!(load(2, inverse_norm, &(1.0f64 / 3.0).to_le_bytes()).is_ok());
    for (section, at, value) in [
        (1, summed, u64::MAX.to_le_bytes()),
        (1, centred, 2u64.to_le_bytes()),
        (1, sum, 1.5f64.to_le_bytes()),
        (1, sum, f64::NAN.to_le_bytes()),
        (2, inverse_norm, 0.5f64.to_le_bytes()),
        (2, inverse_norm, (-1.0f64 / 3.0).to_le_bytes()),
        (2, inverse_norm, f64::INFINITY.to_le_bytes()),
    ] {
        assert!(
            matches!(load(section, at, &value), Err(IndexError::Snapshot(_))),
            "{section}, {at}: {value:?}"
        );
    }
    for (section, at) in [(1, centre), (2, factor), (2, factor + 4), (2, scale), (2, scale + 4), (2, key)] {
        for value in [1e30, -1e30, f32::MAX, f32::INFINITY, f32::NAN] {
            let loaded = load(section, at, &value.to_le_bytes());
            assert!(matches!(loaded, Err(IndexError::Snapshot(_))), "{section}, {at}: {value}");
        }
    }
}

#[test]
fn more_segments_than_have_numbers_are_refused() {
    let folder = Folder::new("many");
    let shard = Shard::new(1).unwrap();
    shard.put(&[0], &[1.0], &[1], Tier::Cold).unwrap();
    shard.save(&folder.file("shard"), 7).unwrap();
    let [header, means, segment] = sections(&fs::read(folder.file("shard")).unwrap()).try_into().unwrap();
    let count = 1u32 << 19;
    let mut many = vec![header, means];
    many[0][36..40].copy_from_slice(&count.to_le_bytes());
    many.extend((0..count).map(|label| {
        let mut segment = segment.clone();
        segment[20..24].copy_from_slice(&label.to_le_bytes());
        segment
    }));
    fs::write(folder.file("shard"), file(many)).unwrap();
    assert!(matches!(Shard::load(&folder.file("shard")), Err(IndexError::Snapshot(_))));
}

#[test]
fn what_cannot_be_written_leaves_the_old_file() {
    let folder = Folder::new("missing");
    let shard = filled(3, 9, &mut Random::new(1));
    assert!(matches!(shard.save(&folder.file("no").join("shard"), 1), Err(IndexError::Io(_))));
    assert!(matches!(Shard::load(&folder.file("shard")), Err(IndexError::Io(_))));
    // A folder has that name: the temporary file cannot be renamed.
    fs::create_dir(folder.file("shard")).unwrap();
    assert!(matches!(shard.save(&folder.file("shard"), 1), Err(IndexError::Io(_))));
    assert_eq!(folder.names(), ["shard"]);
}

fn random_bytes(random: &mut Random, length: usize) -> Vec<u8> {
    (0..length).map(|_| random.below(256) as u8).collect()
}

#[test]
fn lists_come_back_as_they_were() {
    let folder = Folder::new("lists");
    let mut random = Random::new(11);
    let (dimensions, count) = (24, 9_000);
    let shard = Shard::new(dimensions).unwrap();
    let put = |shard: &Shard, labels: std::ops::Range<i32>, random: &mut Random| {
        for label in labels {
            let key: Vec<f32> = (0..dimensions).map(|_| random.normal()).collect();
            shard.put(&[label], &key, &[1], if label % 3 == 0 { Tier::Warm } else { Tier::Hot }).unwrap();
        }
    };
    put(&shard, 0..count, &mut random);
    assert!(shard.build_lists().unwrap());
    // Some of the lists' rows die, some lists lose all of them, and others come that lie outside.
    shard.remove(&(0..count).step_by(3).collect::<Vec<_>>()).unwrap();
    put(&shard, count..count + 50, &mut random);
    shard.save(&folder.file("shard"), 1).unwrap();
    let (loaded, _) = Shard::load(&folder.file("shard")).unwrap();
    assert_eq!(shard.stats().listed, 6_000);
    assert_eq!(loaded.stats().listed, 6_000);
    for shard in [&shard, &loaded] {
        put(shard, count + 50..count + 100, &mut Random::new(12));
    }
    for _ in 0..50 {
        let query: Vec<f32> = (0..dimensions).map(|_| random.normal()).collect();
        let search = Search { k: 20, ..Search::default() };
        assert_eq!(shard.search(&query, &search).unwrap(), loaded.search(&query, &search).unwrap());
    }
    // What came after the load is found although it is in no list.
    let (keys, held) = loaded.keys_of(&(count + 50..count + 100).collect::<Vec<_>>());
    assert!(held.iter().filter(|held| **held).count() > 30);
    for (i, key) in keys.chunks(dimensions).enumerate().filter(|(i, _)| held[*i]) {
        let search = Search { k: 1, ..Search::default() };
        assert_eq!(loaded.search(key, &search).unwrap().labels, [count + 50 + i as i32]);
    }
    loaded.save(&folder.file("shard"), 2).unwrap();
    let (again, _) = Shard::load(&folder.file("shard")).unwrap();
    assert_eq!(again.stats().listed, 6_000);
}
