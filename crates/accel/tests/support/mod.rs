//! What several test files need.
#![allow(dead_code, reason = "every test file is a crate of its own and uses a part")]

use serde::{Deserialize, de::DeserializeOwned};

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
    let path = format!("{}/../../test/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}
