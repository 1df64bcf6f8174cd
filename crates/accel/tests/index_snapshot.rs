//! A shard comes back from its file as it was, and from no other file.

mod support;

use accel::index::{IndexError, Search, Shard, Tier};
use std::fs;
use std::path::PathBuf;
use support::Random;

/// A folder of one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("accel-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("shard")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

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
        shard.save(&folder.file(), u64::MAX - 3).unwrap();
        let (loaded, version) = Shard::load(&folder.file()).unwrap();
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
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "no temporary file stays");
}

#[test]
fn damaged_files_are_refused() {
    let folder = Folder::new("damaged");
    let mut random = Random::new(6);
    filled(3, 9, &mut random).save(&folder.file(), 7).unwrap();
    let whole = fs::read(folder.file()).unwrap();
    let load = |bytes: &[u8]| {
        fs::write(folder.file(), bytes).unwrap();
        Shard::load(&folder.file())
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

#[test]
fn what_cannot_be_written_leaves_the_old_file() {
    let folder = Folder::new("missing");
    let shard = filled(3, 9, &mut Random::new(1));
    assert!(matches!(shard.save(&folder.0.join("no").join("shard"), 1), Err(IndexError::Io(_))));
    assert!(matches!(Shard::load(&folder.file()), Err(IndexError::Io(_))));
    // A folder has that name: the temporary file cannot be renamed.
    fs::create_dir(folder.file()).unwrap();
    assert!(matches!(shard.save(&folder.file(), 1), Err(IndexError::Io(_))));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

fn random_bytes(random: &mut Random, length: usize) -> Vec<u8> {
    (0..length).map(|_| random.below(256) as u8).collect()
}
