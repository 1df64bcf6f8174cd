//! Sorting a shard's rows into inverted lists.

use super::encode::{Centre, Encoder};
use super::error::IndexError;
use super::list_stats::ListStats;
use super::lists::{BATCH, ListRange, ListRanges, Lists, Placed};
use super::locations::Location;
use super::probe::Probe;
use super::scan_mode::{CERTAIN_ROWS, ScanMode};
use super::segment::Segment;
use super::select::Search;
use super::shard::{Rewritten, Sealed, Shard};
use super::tier::Tier;
use super::view::{Part, View};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// To learn how many rows a search has to scan, so many keys are searched for, each with so many neighbours.
const TRIALS: usize = 256;
const NEIGHBOURS: usize = 10;
/// The share of these neighbours that must be among the rows scanned; in shards of up to `CERTAIN_ROWS` rows all must.
const FOUND: f64 = 0.997;
/// How many times as many rows are granted to real queries.
const GRANTED: f64 = 1.25;

/// One list for so many rows.
const LIST_ROWS: usize = 100;
/// n rows have at least and at most so many times sqrt(n) lists: with fewer lists than clusters, some clusters lie all over the
/// lists; and k-means takes time for each list and row.
const LISTS_LEAST: usize = 2;
const LISTS_MOST: usize = 10;
/// How many rows for each list k-means is trained on.
const SAMPLE: usize = 16;

impl Shard {
    /// Sorts hot and warm rows into lists; false when another thread rewrites the shard, or `interrupt_lists` is called
    /// meanwhile or was before. Searches and changes go on meanwhile. Rows that are put from now on lie outside of the lists,
    /// and every search scans them, until the next call. Cold rows stay where they are: signs tell too little of which list
    /// they belong to. It takes 2 seconds for 100,000 keys of 384 dimensions and 75 for 1,000,000, and memory for a copy of
    /// them.
    pub fn build_lists(&self) -> Result<bool, IndexError> {
        let Some((view, centre)) = self.seal() else { return Ok(false) };
        let _sealed = Sealed(self);
        let slots = known(&view).map(|(slot, _)| slot).collect::<Vec<_>>();
        let Some(parts) = self.in_lists(&view, &centre)? else { return Ok(false) };
        self.exchange(&slots, parts)?;
        Ok(true)
    }

    /// Ends what builds lists, within milliseconds and for good: the process is about to end.
    pub fn interrupt_lists(&self) {
        self.lists_interrupted.store(true, Ordering::Relaxed);
    }

    /// The rows of a view in new parts, sorted by their lists, and where each was. None when it is interrupted.
    fn in_lists(&self, view: &View, centre: &Arc<Centre>) -> Result<Option<Rewritten>, IndexError> {
        let is_interrupted = || self.lists_interrupted.load(Ordering::Relaxed);
        let dimensions = self.dimensions();
        let mut encoder = Encoder::new(self.shared_rotation());
        let rows = |(slot, part): (usize, &Part)| {
            part.living_rows().map(move |row| Location::new(slot, row)).collect::<Vec<_>>()
        };
        let all: Vec<Location> = known(view).flat_map(rows).collect();
        if all.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let segment = |at: Location| &view.parts[at.slot()].as_ref().expect("it was listed above").segment;
        let mut approximate = |rows: &[Location]| {
            let mut keys = Vec::with_capacity(rows.len() * dimensions);
            for &at in rows {
                keys.extend_from_slice(encoder.approximate(&segment(at).row(at.row())));
            }
            keys
        };
        let root = all.len().isqrt();
        let count = (all.len() / LIST_ROWS).clamp(LISTS_LEAST * root, LISTS_MOST * root).clamp(1, all.len());
        let step = (all.len() / (SAMPLE * count)).max(1);
        let sample = approximate(&all.iter().copied().step_by(step).collect::<Vec<_>>());
        let Some(mut lists) = Lists::train(&sample, count, dimensions, is_interrupted) else {
            return Ok(None);
        };
        drop(sample);
        let mut placed: Vec<(Placed, Location)> = Vec::with_capacity(all.len());
        for batch in all.chunks(BATCH) {
            if is_interrupted() {
                return Ok(None);
            }
            placed.extend(lists.place(&approximate(batch)).into_iter().zip(batch.iter().copied()));
        }
        lists.stats = stats_of(&placed, count);
        let trials: Vec<Location> = all.iter().copied().step_by((all.len() / TRIALS).max(1)).collect();
        lists.min_scanned_rows =
            self.min_scanned_rows(view, &lists, &approximate(&trials), &mut approximate)?;
        let lists = Arc::new(lists);

        let tier = |at: Location| segment(at).tier.number();
        placed.sort_by_cached_key(|(placed, at)| (tier(*at), placed.list));
        let mut parts = Vec::new();
        for same in placed.chunk_by(|(_, a), (_, b)| tier(*a) == tier(*b)) {
            for rows in same.chunks(Segment::rows_max(dimensions)) {
                let tier = segment(rows[0].1).tier;
                let mut target = Segment::new(tier, dimensions, rows.len(), Arc::clone(centre))?;
                for (_, at) in rows {
                    let source = segment(*at);
                    target.append(&encoder.recode(source.row(at.row()), &source.centre, centre, tier));
                }
                let mut first = 0;
                let ranges = rows.chunk_by(|(a, _), (b, _)| a.list == b.list).map(|range| {
                    first += range.len();
                    ListRange { list: range[0].0.list, first: first - range.len(), end: first }
                });
                target.ranges = Some(ListRanges { lists: Arc::clone(&lists), ranges: ranges.collect() });
                let mut part = Part::new(Arc::new(target));
                part.count = rows.len();
                parts.push((part, rows.iter().map(|(_, at)| *at).collect()));
            }
        }
        Ok(Some(parts))
    }

    /// How many rows a search has to scan to find what it should, learned from exact searches for keys of the shard; 0 where
    /// none has enough neighbours.
    fn min_scanned_rows(
        &self,
        view: &View,
        lists: &Lists,
        trials: &[f32],
        approximate: &mut impl FnMut(&[Location]) -> Vec<f32>,
    ) -> Result<usize, IndexError> {
        let dimensions = self.dimensions();
        let mut queries = trials.to_vec();
        queries.chunks_exact_mut(dimensions).for_each(|query| self.rotation().invert(query));
        let tiers = Tier::Hot.bit() | Tier::Warm.bit();
        // One more: each key finds itself.
        let search = Search { k: NEIGHBOURS + 1, tiers, ..Search::default() };
        let found = self.search_with(&queries, &search, Some(ScanMode::Bytes))?;
        let mut rows = Vec::new();
        for (trial, found) in trials.chunks_exact(dimensions).zip(found) {
            let Some(&needed) = found.scores.get(NEIGHBOURS) else { continue };
            let sealed = (found.labels.iter().skip(1).take(NEIGHBOURS))
                .filter_map(|&label| self.location(label))
                .filter(|at| view.parts.get(at.slot()).is_some_and(Option::is_some));
            let placed = lists.place(&approximate(&sealed.collect::<Vec<_>>()));
            let mut probe = Probe::new(lists, trial, NEIGHBOURS);
            rows.extend(placed.iter().map(|placed| probe.rows_until(placed.list, needed as f32)));
        }
        rows.sort_unstable();
        let found = if lists.rows() <= CERTAIN_ROWS { 1.0 } else { FOUND };
        let needed = rows.get((rows.len() as f64 * found) as usize).or(rows.last());
        Ok(needed.map_or(0, |&rows| (rows as f64 * GRANTED) as usize))
    }
}

/// The hot and warm parts, whose keys are known well.
fn known(view: &View) -> impl Iterator<Item = (usize, &Part)> {
    view.parts().filter(|(_, part)| part.segment.tier != Tier::Cold)
}

/// How the rows placed lie around the point of each of `count` lists.
fn stats_of(placed: &[(Placed, Location)], count: usize) -> Vec<ListStats> {
    let mut cosines = vec![Vec::new(); count];
    placed.iter().for_each(|(placed, _)| cosines[placed.list as usize].push(placed.cosine));
    cosines.iter_mut().map(|cosines| ListStats::of(cosines)).collect()
}
