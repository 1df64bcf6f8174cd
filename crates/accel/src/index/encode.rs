//! A key in fewer bits: int8 codes (bytes) with a proven error, and binary codes (signs) with an unbiased estimate.

use super::lanes::{largest_magnitude, nearest_byte, squared_distance, sum_of_magnitudes};
use super::row::Row;
use super::tier::Tier;
use crate::kernels::Kernels;
use crate::ops::rotation::Rotation;
use std::sync::Arc;

/// The int8 code of a key of norm 1, which is about `code * scale`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bytes {
    pub code: Vec<i8>,
    pub scale: f32,
    /// At least the Euclidean norm of key - code * scale.
    pub error: f32,
}

impl Bytes {
    /// Codes `unit`, a vector of norm about 1: its largest magnitude becomes 127.
    pub fn encode(&mut self, unit: &[f32]) {
        let largest = largest_magnitude(unit);
        self.scale = largest / 127.0;
        let inverse = if self.scale > 0.0 { 1.0 / self.scale } else { 0.0 };
        self.code.clear();
        self.code.extend(unit.iter().map(|value| nearest_byte(value * inverse) as i8));
        let squares = squared_distance(unit, &self.code, f64::from(self.scale));
        self.error = ((squares.sqrt() + UNIT_ROUNDING) as f32).next_up();
    }
}

/// At least the distance of a unit vector from itself rounded to float32, |v| * 2^-24.
const UNIT_ROUNDING: f64 = 1.2e-7;

/// Writes `vector / norm` to `unit`.
pub fn normalise(vector: &[f32], inverse_norm: f64, unit: &mut Vec<f32>) {
    unit.clear();
    unit.extend(vector.iter().map(|&value| (f64::from(value) * inverse_norm) as f32));
}

/// The point around which binary codes are taken, in rotated coordinates: the mean of the shard's keys at some time.
#[derive(Debug)]
pub struct Centre {
    pub rotated: Vec<f32>,
    pub squared_norm: f32,
}

impl Centre {
    pub fn new(rotated: Vec<f32>) -> Self {
        let squared_norm = Kernels::widest().dot(&rotated, &rotated);
        Self { rotated, squared_norm }
    }
}

/// The binary code of a key k of norm 1 around the centre c, after a random rotation (RaBitQ: Gao & Long, SIGMOD 2024). With
/// o = (k - c) / |k - c| and s the signs of its coordinates,
///
/// <q, k> = <q, c> + <c, k> - |c|^2 + |k - c| <q - c, o>, and <q - c, o> is about <q - c, s> / sum |o_i|,
///
/// without bias over the rotations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signs {
    /// Bit i is set where coordinate i of k - c is above 0; padded with zeros to words of 32 bits.
    pub code: Vec<u32>,
    /// |k - c| / sum |o_i|.
    pub factor: f32,
    /// <c, k>.
    pub offset: f32,
}

impl Signs {
    /// Codes a rotated vector of norm about 1; `rotated` is used up.
    pub fn encode(&mut self, rotated: &mut [f32], centre: &Centre) {
        let kernels = Kernels::widest();
        self.offset = kernels.dot(rotated, &centre.rotated);
        rotated.iter_mut().zip(&centre.rotated).for_each(|(value, centre)| *value -= centre);
        let magnitudes = sum_of_magnitudes(rotated);
        let squares = kernels.dot(rotated, rotated);
        self.factor = if magnitudes > 0.0 { squares / magnitudes } else { 0.0 };
        self.code.clear();
        self.code.extend(rotated.chunks(32).map(|chunk| {
            chunk.iter().enumerate().fold(0, |word, (bit, &value)| word | u32::from(value > 0.0) << bit)
        }));
    }
}

/// Words of 32 bits in a binary code.
pub fn words(dimensions: usize) -> usize {
    dimensions.div_ceil(32)
}

/// Computes all that any tier keeps of a key, once when it arrives. Its fields hold the last key's.
pub struct Encoder {
    rotation: Arc<Rotation>,
    unit: Vec<f32>,
    pub bytes: Bytes,
    pub signs: Signs,
}

impl Encoder {
    pub fn new(rotation: Arc<Rotation>) -> Self {
        Self {
            unit: Vec::with_capacity(rotation.dimensions()),
            rotation,
            bytes: Bytes::default(),
            signs: Signs::default(),
        }
    }

    /// Fills `bytes` and `signs` for a key with 1 / its norm. The rotated unit key is added to `sum`.
    pub fn encode(&mut self, key: &[f32], inverse_norm: f64, centre: &Centre, sum: Option<&mut [f64]>) {
        normalise(key, inverse_norm, &mut self.unit);
        self.bytes.encode(&self.unit);
        self.rotation.apply(&mut self.unit);
        if let Some(sum) = sum {
            sum.iter_mut().zip(&self.unit).for_each(|(sum, &value)| *sum += f64::from(value));
        }
        self.signs.encode(&mut self.unit, centre);
    }

    /// What was encoded last, as a row.
    pub fn row<'a>(&'a self, label: i32, flags: u8, key: Option<(&'a [f32], f64)>) -> Row<'a> {
        let (bytes, signs) = (&self.bytes, &self.signs);
        Row {
            label,
            flags,
            sign_code: &signs.code,
            sign_scalars: [signs.factor, signs.offset],
            bytes: Some((&bytes.code, [bytes.scale, bytes.error])),
            key,
        }
    }

    /// A row of a segment around the centre `from` as a row of `tier` around `to`, made from the most exact form of the key
    /// that the row has. A row that has signs only must stay around its centre.
    pub fn recode<'a>(
        &'a mut self,
        row: Row<'a>,
        from: &Arc<Centre>,
        to: &Arc<Centre>,
        tier: Tier,
    ) -> Row<'a> {
        match (row.key, row.bytes) {
            _ if Arc::ptr_eq(from, to) && (row.bytes.is_some() || tier == Tier::Cold) => row,
            (Some((key, inverse_norm)), _) => {
                self.encode(key, inverse_norm, to, None);
                self.row(row.label, row.flags, row.key)
            }
            (None, Some((code, [scale, _]))) => {
                self.encode_signs(code, scale, to);
                let signs = &self.signs;
                Row { sign_code: &signs.code, sign_scalars: [signs.factor, signs.offset], ..row }
            }
            (None, None) => row,
        }
    }

    /// The rotated unit key of a hot or warm row, of a warm one about.
    pub fn approximate(&mut self, row: &Row) -> &[f32] {
        self.unit.clear();
        if let Some((key, inverse_norm)) = row.key {
            normalise(key, inverse_norm, &mut self.unit);
        } else if let Some((code, [scale, _])) = row.bytes {
            self.unit.extend(code.iter().map(|&code| f32::from(code) * scale));
        }
        self.rotation.apply(&mut self.unit);
        &self.unit
    }

    /// Fills `signs` from bytes, for keys that are no longer held.
    fn encode_signs(&mut self, code: &[i8], scale: f32, centre: &Centre) {
        self.unit.clear();
        self.unit.extend(code.iter().map(|&code| f32::from(code) * scale));
        self.rotation.apply(&mut self.unit);
        self.signs.encode(&mut self.unit, centre);
    }
}
