//! Inverted lists (IVF): rows sorted by the nearest of many points, so that a search scans only the lists near its query
//! (Jegou, Douze & Schmid, IEEE TPAMI 2011).

use super::encode::Bytes;
use super::error::IndexError;
use super::lanes::largest_magnitude;
use super::list_stats::ListStats;
use super::section::{DAMAGED, Section, write_all};
use crate::kernels::Kernels;
use std::io::Read;
use std::sync::Arc;

/// Rounds of k-means.
const ROUNDS: usize = 6;
/// How many rows are compared with all points at a time.
pub const BATCH: usize = 256;
/// How many points stay in the first cache while they are compared with all rows of a batch.
const BLOCK: usize = 64;
/// How many rows are compared with such a block at a time.
const GROUP: usize = 16;
/// Of so many members the directions across their points are kept.
const ACROSS: usize = 256;

/// The points that lists are gathered around, and how keys lie around them.
pub struct Lists {
    points: Points,
    /// One for each list, as of when they were built.
    pub stats: Vec<ListStats>,
    /// A sample of members of all lists: the part of each that is orthogonal to its list's point, at norm 1.
    across: Points,
    /// The least number of rows that a search scans, see `Shard::min_scanned_rows`.
    pub min_scanned_rows: usize,
}

/// Unit vectors in rotated coordinates, as int8 codes of one scale: a product with a key in int8 codes is off by about 0.003.
struct Points {
    dimensions: usize,
    codes: Vec<i8>,
    scale: f32,
}

impl Points {
    fn new(points: &[f32], dimensions: usize) -> Self {
        let largest = largest_magnitude(points);
        let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
        let codes = points.iter().map(|value| (value / scale).round() as i8).collect();
        Self { dimensions, codes, scale }
    }

    fn write(&self, target: &mut Vec<u8>) {
        write_all(target, &[(self.codes.len() / self.dimensions) as u32]);
        write_all(target, &[self.scale]);
        write_all(target, &self.codes);
    }

    /// What `write` wrote.
    fn read<R: Read>(section: &mut Section<R>, dimensions: usize) -> Result<Self, IndexError> {
        let count = section.one::<u32>()? as usize;
        let scale = section.one::<f32>()?;
        let codes = section.many(count.checked_mul(dimensions).ok_or(DAMAGED)?)?;
        // Coordinates of unit vectors are at most 1.
        if scale > 0.0 && scale <= 1.0 { Ok(Self { dimensions, codes, scale }) } else { Err(DAMAGED) }
    }

    /// The nearest point of each of some rotated keys.
    fn nearest(&self, keys: &[f32]) -> Vec<Placed> {
        let (kernels, dimensions) = (Kernels::widest(), self.dimensions);
        let mut key = Bytes::default();
        let (mut codes, mut scales) = (Vec::new(), Vec::new());
        let mut all = Vec::with_capacity(keys.len() / dimensions);
        let mut products = [0; BLOCK * GROUP];
        for batch in keys.chunks(BATCH * dimensions) {
            codes.clear();
            scales.clear();
            for values in batch.chunks_exact(dimensions) {
                key.encode(values);
                codes.extend_from_slice(&key.code);
                scales.push(key.scale);
            }
            let mut best = vec![(i32::MIN, 0); scales.len()];
            for (number, points) in self.codes.chunks(BLOCK * dimensions).enumerate() {
                let count = points.len() / dimensions;
                for (keys, best) in codes.chunks(GROUP * dimensions).zip(best.chunks_mut(GROUP)) {
                    let products = &mut products[..count * best.len()];
                    kernels.products_i8(points, keys, dimensions, products);
                    for (products, best) in products.chunks_exact(count).zip(best) {
                        let greatest = products.iter().copied().max().unwrap_or(i32::MIN);
                        if greatest > best.0 {
                            let place = products.iter().position(|&product| product == greatest).unwrap_or(0);
                            *best = (greatest, number * BLOCK + place);
                        }
                    }
                }
            }
            all.extend(best.into_iter().zip(&scales).map(|((product, list), scale)| Placed {
                list: list as u32,
                cosine: product as f32 * scale * self.scale,
            }));
        }
        all
    }

    /// The cosine of a unit vector, in bytes, to each point.
    fn cosines(&self, vector: &Bytes) -> Vec<f32> {
        let mut products = vec![0; self.codes.len() / self.dimensions];
        Kernels::widest().scan_i8(&self.codes, &vector.code, false, &mut products);
        let scale = vector.scale * self.scale;
        products.into_iter().map(|product| product as f32 * scale).collect()
    }
}

/// Where the rows of each list lie in a segment whose rows are sorted by list.
pub struct ListRanges {
    pub lists: Arc<Lists>,
    /// By list, ascending.
    pub ranges: Vec<ListRange>,
}

/// The rows of one list in a segment: from `first` to before `end`.
pub struct ListRange {
    pub list: u32,
    pub first: usize,
    pub end: usize,
}

/// A key's list and its cosine to the list's point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    pub list: u32,
    pub cosine: f32,
}

impl Lists {
    /// Spherical k-means over rotated unit keys (Dhillon & Modha, Machine Learning 2001). None when it is interrupted.
    pub fn train(
        sample: &[f32],
        count: usize,
        dimensions: usize,
        is_interrupted: impl Fn() -> bool,
    ) -> Option<Self> {
        let rows = sample.len() / dimensions;
        let first = (0..count).flat_map(|list| {
            let row = list * rows / count;
            sample[row * dimensions..][..dimensions].to_vec()
        });
        let mut means: Vec<f32> = first.collect();
        let mut points = Points::new(&means, dimensions);
        for _ in 0..ROUNDS {
            let mut sums = vec![0.0f32; count * dimensions];
            for keys in sample.chunks(BATCH * dimensions) {
                if is_interrupted() {
                    return None;
                }
                for (key, placed) in keys.chunks_exact(dimensions).zip(points.nearest(keys)) {
                    let sum = &mut sums[placed.list as usize * dimensions..][..dimensions];
                    sum.iter_mut().zip(key).for_each(|(sum, value)| *sum += value);
                }
            }
            for (mean, sum) in means.chunks_exact_mut(dimensions).zip(sums.chunks_exact(dimensions)) {
                let norm = Kernels::widest().dot(sum, sum).sqrt();
                // A point that is nearest to nothing stays.
                if norm > 0.0 {
                    mean.iter_mut().zip(sum).for_each(|(value, sum)| *value = sum / norm);
                }
            }
            points = Points::new(&means, dimensions);
        }
        let across = across(sample, &means, &points);
        Some(Self { points, stats: vec![ListStats::default(); count], across, min_scanned_rows: 0 })
    }

    /// The lists as a section of a file, for `read`.
    pub fn section(&self) -> Vec<u8> {
        let mut section = Vec::with_capacity(self.memory());
        write_all(&mut section, &[self.min_scanned_rows as u64]);
        self.points.write(&mut section);
        self.across.write(&mut section);
        ListStats::write_all(&self.stats, &mut section);
        section
    }

    pub fn read<R: Read>(section: &mut Section<R>, dimensions: usize) -> Result<Self, IndexError> {
        let min_scanned_rows = section.one::<u64>()? as usize;
        let points = Points::read(section, dimensions)?;
        let across = Points::read(section, dimensions)?;
        let stats = ListStats::read_all(section, points.codes.len() / dimensions)?;
        if stats.is_empty() { Err(DAMAGED) } else { Ok(Self { points, stats, across, min_scanned_rows }) }
    }

    pub fn len(&self) -> usize {
        self.stats.len()
    }

    /// Members of all lists when they were built.
    pub fn rows(&self) -> usize {
        self.stats.iter().map(|stats| stats.rows).sum()
    }

    /// Memory of all points and what goes with them.
    pub fn memory(&self) -> usize {
        self.points.codes.len() + self.across.codes.len() + size_of::<ListStats>() * self.stats.len()
    }

    /// The list of each of some rotated keys.
    pub fn place(&self, keys: &[f32]) -> Vec<Placed> {
        self.points.nearest(keys)
    }

    /// The cosine of a rotated unit vector to the point of each list, and to the directions across them that are kept.
    pub fn cosines(&self, vector: &[f32]) -> [Vec<f32>; 2] {
        let mut bytes = Bytes::default();
        bytes.encode(vector);
        [self.points.cosines(&bytes), self.across.cosines(&bytes)]
    }
}

/// For some of the sample, the part that is orthogonal to the point of its list, see `Lists::across`.
fn across(sample: &[f32], means: &[f32], points: &Points) -> Points {
    let dimensions = points.dimensions;
    let step = (sample.len() / dimensions).div_ceil(ACROSS).max(1);
    let some: Vec<&[f32]> = sample.chunks_exact(dimensions).step_by(step).collect();
    let kernels = Kernels::widest();
    let mut across = Vec::with_capacity(some.len() * dimensions);
    for (key, Placed { list, .. }) in some.iter().zip(points.nearest(&some.concat())) {
        let mean = &means[list as usize * dimensions..][..dimensions];
        let cosine = kernels.dot(key, mean);
        let rest: Vec<f32> = key.iter().zip(mean).map(|(value, mean)| value - cosine * mean).collect();
        let norm = kernels.dot(&rest, &rest).sqrt();
        // Of a key that lies at its point only rounding is left.
        if norm > 1e-3 {
            across.extend(rest.iter().map(|value| value / norm));
        }
    }
    Points::new(&across, dimensions)
}
