//! Inverted lists: rows sorted by the nearest of about sqrt(n) points, so that a search looks at the lists near
//! its query only (Jegou, Douze & Schmid, IEEE TPAMI 2011).

use super::probe::{Probe, Spread};
use super::scan::Block;
use super::select::Selected;
use crate::kernels::Kernels;
use std::sync::Arc;

/// Of k-means.
const ROUNDS: usize = 6;
/// Rows that are compared with all points at a time.
pub const BATCH: usize = 256;
/// Members whose directions across their points are kept.
const ACROSS: usize = 256;

/// The points that lists are gathered around, and how keys lie around them.
pub struct Lists {
    dimensions: usize,
    /// Of norm 1, in rotated coordinates, one after the other.
    pub points: Vec<f32>,
    /// One for each list, of the time they were built.
    pub spreads: Vec<Spread>,
    /// What is orthogonal to their point of some members of any lists, at norm 1, one after the other.
    pub across: Vec<f32>,
    /// Rows that every search looks at.
    pub least_rows: usize,
}

/// Lists of a segment whose rows are sorted by them.
pub struct Runs {
    pub lists: Arc<Lists>,
    /// In order.
    pub runs: Vec<Run>,
}

/// Rows of one list that lie side by side.
pub struct Run {
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
    /// Spherical k-means over rotated unit keys (Dhillon & Modha, Machine Learning 2001).
    pub fn train(sample: &[f32], count: usize, dimensions: usize) -> Self {
        let rows = sample.len() / dimensions;
        let points = (0..count).flat_map(|list| {
            let row = list * rows / count;
            sample[row * dimensions..][..dimensions].to_vec()
        });
        let mut lists = Self {
            dimensions,
            points: points.collect(),
            spreads: vec![Spread::default(); count],
            across: Vec::new(),
            least_rows: 0,
        };
        for _ in 0..ROUNDS {
            let mut sums = vec![0.0f32; count * dimensions];
            for (key, placed) in sample.chunks_exact(dimensions).zip(lists.place(sample)) {
                let sum = &mut sums[placed.list as usize * dimensions..][..dimensions];
                sum.iter_mut().zip(key).for_each(|(sum, value)| *sum += value);
            }
            for (point, sum) in lists.points.chunks_exact_mut(dimensions).zip(sums.chunks_exact(dimensions)) {
                let norm = Kernels::widest().dot(sum, sum).sqrt();
                // A point that is nearest to nothing stays.
                if norm > 0.0 {
                    point.iter_mut().zip(sum).for_each(|(value, sum)| *value = sum / norm);
                }
            }
        }
        lists.across = lists.across(sample);
        lists
    }

    pub fn len(&self) -> usize {
        self.spreads.len()
    }

    /// Memory of all points and what goes with them.
    pub fn memory(&self) -> usize {
        4 * (self.points.len() + self.across.len()) + size_of::<Spread>() * self.spreads.len()
    }

    /// The list of each of some rotated keys.
    pub fn place(&self, keys: &[f32]) -> Vec<Placed> {
        let (kernels, count) = (Kernels::widest(), self.len());
        let mut products = Vec::new();
        let mut lists = Vec::with_capacity(keys.len() / self.dimensions);
        for batch in keys.chunks(BATCH * self.dimensions) {
            products.resize(batch.len() / self.dimensions * count, 0.0);
            kernels.products(&self.points, batch, self.dimensions, &mut products);
            lists.extend(products.chunks_exact(count).map(|products| {
                let best = products.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
                best.map_or(Placed { list: 0, cosine: 0.0 }, |(list, &cosine)| Placed {
                    list: list as u32,
                    cosine,
                })
            }));
        }
        lists
    }

    /// A search of a rotated query for k rows.
    pub fn probe(&self, rotated: &[f32], k: usize) -> Probe<'_> {
        Probe::new(self, rotated, k)
    }

    fn across(&self, sample: &[f32]) -> Vec<f32> {
        let step = (sample.len() / self.dimensions).div_ceil(ACROSS).max(1);
        let some: Vec<&[f32]> = sample.chunks_exact(self.dimensions).step_by(step).collect();
        let kernels = Kernels::widest();
        let mut across = Vec::with_capacity(some.len() * self.dimensions);
        for (key, Placed { list, cosine }) in some.iter().zip(self.place(&some.concat())) {
            let point = &self.points[list as usize * self.dimensions..][..self.dimensions];
            let rest: Vec<f32> = key.iter().zip(point).map(|(value, point)| value - cosine * point).collect();
            let norm = kernels.dot(&rest, &rest).sqrt();
            // Less is what rounding leaves of a key at its point.
            if norm > 1e-3 {
                across.extend(rest.iter().map(|value| value / norm));
            }
        }
        across
    }
}

impl Runs {
    /// The blocks of rows in the lists chosen.
    pub fn blocks(&self, selected: &Selected, chosen: &[bool]) -> Vec<Block> {
        let mut runs = self.runs.iter().filter(|run| chosen[run.list as usize]).peekable();
        let mut blocks = Vec::new();
        while let Some(run) = runs.next() {
            let mut end = run.end;
            while let Some(next) = runs.next_if(|next| next.first == end) {
                end = next.end;
            }
            blocks.extend(selected.blocks_within(run.first, end));
        }
        blocks
    }
}
