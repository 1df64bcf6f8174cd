//! What several test files need.

use serde::{Deserialize, de::DeserializeOwned};
use std::fs;
use std::path::PathBuf;

/// A folder of one test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("accel-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names of what is in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Around the widths of vector registers and unrolled loops, and the lengths that embeddings have.
pub const LENGTHS: [usize; 39] = [
    0, 1, 2, 3, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129, 255, 256, 257, 383, 384,
    385, 511, 512, 513, 767, 768, 769, 1_023, 1_024, 1_025, 1_535, 1_536, 1_537,
];

/// Numbers that depend on the seed only (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// From -1 to 1.
    pub fn value(&mut self) -> f32 {
        (self.next() as f64 / (1u64 << 52) as f64 - 1.0) as f32
    }

    /// Normally distributed with variance 1 (Box & Muller, 1958).
    pub fn normal(&mut self) -> f32 {
        let uniform = |bits: u64| (bits as f64 + 1.0) / (1u64 << 53) as f64;
        let (radius, angle) = (uniform(self.next()), uniform(self.next()));
        ((-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()) as f32
    }

    pub fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        (0..dimensions).map(|_| self.value()).collect()
    }

    /// Few distinct whole numbers: equal cosines are frequent.
    pub fn whole_vector(&mut self, dimensions: usize) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..dimensions).map(|_| self.below(3) as f32 - 1.0).collect();
        vector[0] = 1.0;
        vector
    }
}

/// Cases that the JavaScript tests read as well.
#[derive(Deserialize)]
pub struct Table<Case> {
    pub tolerance: f64,
    pub cases: Vec<Case>,
}

pub fn table<Case: DeserializeOwned>(name: &str) -> Table<Case> {
    vectors(name)
}

/// A file of cases that has another form.
pub fn vectors<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/../../test/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Invented words of which the n-th is n times as rare as the first (Zipf, 1949), the commonest ones short.
pub struct Vocabulary {
    words: Vec<String>,
    /// Sum of the frequencies of all words up to each.
    sums: Vec<f64>,
}

impl Vocabulary {
    pub fn new(count: usize) -> Self {
        let random = &mut Random::new(count as u64);
        let letter =
            |random: &mut Random, letters: &str| char::from(letters.as_bytes()[random.below(letters.len())]);
        let word = |rank: usize| -> String {
            let syllables = 1 + usize::from(rank > 60) + random.below(2) * usize::from(rank > 200);
            let mut word = String::new();
            for _ in 0..syllables {
                word.push(letter(random, "ttttnnnnssssrrrllldddhhhmmcccppbgfwvyk"));
                word.push(letter(random, "eeeeaaaooiiiu"));
                if random.below(2) == 0 {
                    word.push(letter(random, "nnrrttssldm"));
                }
            }
            word
        };
        let mut sum = 0.0;
        let sums = (1..=count)
            .map(|rank| {
                sum += 1.0 / rank as f64;
                sum
            })
            .collect();
        Self { words: (0..count).map(word).collect(), sums }
    }

    /// So many words, each drawn by its frequency.
    pub fn text(&self, random: &mut Random, words: usize) -> String {
        let all = self.sums.last().copied().unwrap_or(0.0);
        let word = |_| {
            let drawn = (f64::from(random.value()) + 1.0) / 2.0 * all;
            let at = self.sums.partition_point(|&sum| sum <= drawn).min(self.words.len() - 1);
            self.words[at].as_str()
        };
        (0..words).map(word).collect::<Vec<_>>().join(" ")
    }
}
