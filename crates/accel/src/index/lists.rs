//! Inverted lists: rows sorted by the nearest of about sqrt(n) points, so that a search looks at the lists near
//! its query only (Jegou, Douze & Schmid, IEEE TPAMI 2011).

use super::encode::{Centre, Encoder};
use super::error::IndexError;
use super::locations::Location;
use super::look::Look;
use super::scan::Block;
use super::segment::Segment;
use super::select::{Search, Selected};
use super::shard::Shard;
use super::tier::Tier;
use super::view::{Part, View};
use crate::kernels::Kernels;
use std::sync::Arc;

/// From so many rows on lists are worth their building.
pub const LISTS_ROWS: usize = 200_000;

/// How many keys are searched for, each with so many neighbours, to learn how many rows a search has to look at.
const TRIALS: usize = 128;
const NEIGHBOURS: usize = 10;
/// The share of the neighbours that must be among them, and how many more rows real queries are granted, whose
/// neighbours are farther away.
const FOUND: f64 = 0.995;
const GRANTED: f64 = 1.5;

/// Of k-means.
const ROUNDS: usize = 6;
/// Rows a list that k-means looks at.
const SAMPLE: usize = 48;
/// Rows that are compared with all points at a time.
const BATCH: usize = 256;

/// The points that lists are gathered around.
pub struct Lists {
    dimensions: usize,
    /// Of norm 1, in rotated coordinates, one after the other.
    points: Vec<f32>,
    /// Rows of each list when they were built.
    sizes: Vec<usize>,
    /// Rows that a search looks at, list by list.
    budget: usize,
}

/// Lists of a segment whose rows are sorted by them.
pub struct Runs {
    pub lists: Arc<Lists>,
    runs: Vec<Run>,
}

struct Run {
    list: u32,
    first: usize,
    end: usize,
}

impl Lists {
    /// Spherical k-means over rotated unit keys (Dhillon & Modha, Machine Learning 2001).
    fn train(sample: &[f32], count: usize, dimensions: usize) -> Self {
        let rows = sample.len() / dimensions;
        let points = (0..count).flat_map(|list| {
            let row = list * rows / count;
            sample[row * dimensions..][..dimensions].to_vec()
        });
        let mut lists = Self { dimensions, points: points.collect(), sizes: vec![0; count], budget: 0 };
        for _ in 0..ROUNDS {
            let mut sums = vec![0.0f32; count * dimensions];
            for (key, list) in sample.chunks_exact(dimensions).zip(lists.assign(sample)) {
                let sum = &mut sums[list as usize * dimensions..][..dimensions];
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
        lists
    }

    /// The list of each of some rotated keys.
    fn assign(&self, keys: &[f32]) -> Vec<u32> {
        let (kernels, count) = (Kernels::widest(), self.sizes.len());
        let mut products = Vec::new();
        let mut lists = Vec::with_capacity(keys.len() / self.dimensions);
        for batch in keys.chunks(BATCH * self.dimensions) {
            products.resize(batch.len() / self.dimensions * count, 0.0);
            kernels.products(&self.points, batch, self.dimensions, &mut products);
            lists.extend(products.chunks_exact(count).map(|products| {
                let best = products.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
                best.map_or(0, |(list, _)| list as u32)
            }));
        }
        lists
    }

    /// The lists by their nearness to a rotated key.
    fn order(&self, rotated: &[f32]) -> Vec<usize> {
        let mut products = vec![0.0; self.sizes.len()];
        Kernels::widest().products(&self.points, rotated, self.dimensions, &mut products);
        let mut order: Vec<usize> = (0..products.len()).collect();
        order.sort_unstable_by(|&a, &b| products[b].total_cmp(&products[a]));
        order
    }

    /// Whether a search of a rotated query looks at each list.
    pub fn probe(&self, rotated: &[f32]) -> Vec<bool> {
        let mut probed = vec![false; self.sizes.len()];
        let mut rows = 0;
        for list in self.order(rotated) {
            if rows >= self.budget {
                break;
            }
            probed[list] = true;
            rows += self.sizes[list];
        }
        probed
    }

    /// How many rows a search for a rotated key looks at until it has looked at each of `wanted` lists.
    fn rows_until(&self, rotated: &[f32], wanted: &[u32]) -> Vec<usize> {
        let mut rows = 0;
        let mut until = vec![0; self.sizes.len()];
        for list in self.order(rotated) {
            rows += self.sizes[list];
            until[list] = rows;
        }
        wanted.iter().map(|&list| until[list as usize]).collect()
    }
}

impl Runs {
    /// The blocks of rows in the lists probed.
    pub fn blocks(&self, selected: &Selected, probed: &[bool]) -> Vec<Block> {
        let runs = self.runs.iter().filter(|run| probed[run.list as usize]);
        runs.flat_map(|run| selected.blocks_within(run.first, run.end)).collect()
    }
}

/// However building ends, segments may be rewritten again.
struct Sealed<'a>(&'a Shard);

impl Drop for Sealed<'_> {
    fn drop(&mut self) {
        self.0.unseal();
    }
}

impl Shard {
    /// Sorts all rows into lists; false when another thread is at it. Searches and changes go on meanwhile; rows
    /// that are put from now on lie outside of the lists, and every search looks at them, until the next call.
    /// It takes about 1.5 seconds for 100,000 keys of 384 dimensions and half a minute for 1,000,000, and memory
    /// for a copy of them.
    pub fn build_lists(&self) -> Result<bool, IndexError> {
        let Some((view, centre)) = self.seal() else { return Ok(false) };
        let _sealed = Sealed(self);
        let parts = self.sorted(&view, &centre)?;
        self.exchange(&view, parts)?;
        Ok(true)
    }

    fn sorted(&self, view: &View, centre: &Arc<Centre>) -> Result<Vec<(Part, Vec<Location>)>, IndexError> {
        let dimensions = self.dimensions();
        let mut encoder = Encoder::new(self.shared_rotation());
        let rows = |(slot, part): (usize, &Part)| {
            part.living_rows().map(move |row| Location::new(slot, row)).collect::<Vec<_>>()
        };
        let all: Vec<Location> = view.parts().flat_map(rows).collect();
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let segment = |at: Location| &view.parts[at.slot()].as_ref().expect("it was listed above").segment;
        let mut approximate = |rows: &[Location]| {
            let mut keys = Vec::with_capacity(rows.len() * dimensions);
            for &at in rows {
                let segment = segment(at);
                keys.extend_from_slice(encoder.approximate(&segment.row(at.row()), &segment.centre));
            }
            keys
        };
        let count = all.len().isqrt().max(1);
        let step = (all.len() / (SAMPLE * count)).max(1);
        let sample = approximate(&all.iter().copied().step_by(step).collect::<Vec<_>>());
        let mut lists = Lists::train(&sample, count, dimensions);
        drop(sample);
        let mut placed: Vec<(u32, Location)> = Vec::with_capacity(all.len());
        for batch in all.chunks(BATCH) {
            placed.extend(lists.assign(&approximate(batch)).into_iter().zip(batch.iter().copied()));
        }
        placed.iter().for_each(|(list, _)| lists.sizes[*list as usize] += 1);
        let trials: Vec<Location> = all.iter().copied().step_by((all.len() / TRIALS).max(1)).collect();
        lists.budget = self.budget(view, &lists, &approximate(&trials), &mut approximate)?;
        let lists = Arc::new(lists);

        // Cold rows stay around their centre, so that a segment of them has one source centre.
        let group = |at: Location| {
            let segment = segment(at);
            let centre = if segment.tier == Tier::Cold { &segment.centre } else { centre };
            (segment.tier.number(), Arc::as_ptr(centre).addr())
        };
        placed.sort_by_cached_key(|(list, at)| (group(*at), *list));
        let mut parts = Vec::new();
        for same in placed.chunk_by(|(_, a), (_, b)| group(*a) == group(*b)) {
            for rows in same.chunks(Segment::rows_max(dimensions)) {
                let source = segment(rows[0].1);
                let centre = if source.tier == Tier::Cold { &source.centre } else { centre };
                let mut target = Segment::new(source.tier, dimensions, rows.len(), Arc::clone(centre))?;
                for (_, at) in rows {
                    let source = segment(*at);
                    target.append(&encoder.recode(source.row(at.row()), &source.centre, centre, target.tier));
                }
                let mut first = 0;
                let runs = rows.chunk_by(|(a, _), (b, _)| a == b).map(|run| {
                    first += run.len();
                    Run { list: run[0].0, first: first - run.len(), end: first }
                });
                target.runs = Some(Runs { lists: Arc::clone(&lists), runs: runs.collect() });
                let mut part = Part::new(Arc::new(target));
                part.count = rows.len();
                parts.push((part, rows.iter().map(|(_, at)| *at).collect()));
            }
        }
        Ok(parts)
    }

    /// How many rows a search has to look at to find what it should, measured by exact searches for keys of the
    /// shard; half of all where no exact search is possible.
    fn budget(
        &self,
        view: &View,
        lists: &Lists,
        trials: &[f32],
        approximate: &mut impl FnMut(&[Location]) -> Vec<f32>,
    ) -> Result<usize, IndexError> {
        let mut queries = trials.to_vec();
        queries.chunks_exact_mut(lists.dimensions).for_each(|query| self.rotation().invert(query));
        let tiers = Tier::Hot.bit() | Tier::Warm.bit();
        // One more: each key finds itself.
        let search = Search { k: NEIGHBOURS + 1, tiers, ..Search::default() };
        let found = self.search_with(&queries, &search, Some(Look::Bytes))?;
        let mut rows = Vec::new();
        for (trial, found) in trials.chunks_exact(lists.dimensions).zip(found) {
            let neighbours = found.labels.iter().skip(1).take(NEIGHBOURS);
            let sealed = neighbours
                .filter_map(|&label| self.location(label))
                .filter(|at| view.parts.get(at.slot()).is_some_and(Option::is_some));
            let keys = approximate(&sealed.collect::<Vec<_>>());
            rows.extend(lists.rows_until(trial, &lists.assign(&keys)));
        }
        rows.sort_unstable();
        let total: usize = lists.sizes.iter().sum();
        let needed = rows.get((rows.len() as f64 * FOUND) as usize).or(rows.last());
        Ok(needed.map_or(total / 2, |&rows| (rows as f64 * GRANTED) as usize).clamp(1, total))
    }
}
