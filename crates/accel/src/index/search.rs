//! Searches: a cheap look at every row, a closer one at the rows that may be among the best.

use super::bounds::{Bounds, Found};
use super::error::IndexError;
use super::lists::Lists;
use super::pool::{Candidate, Pool};
use super::query::{Query, SignQuery};
use super::scan::{self, Block};
use super::segment::Segment;
use super::select::{Search, Selected, select};
use super::shard::Shard;
use super::tier::Tier;
use crate::kernels::Kernels;
use crate::nearest::{SLACK_NORMS, slack};
use crate::rotation::Rotation;
use std::sync::Arc;

/// How a search looks at hot and warm rows first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Float32 keys of hot rows, bytes of warm ones.
    Keys,
    /// Bytes. Like the first, it misses nothing: bounds on the errors are proven.
    Bytes,
    /// Sign codes, from which a fixed number of rows is looked at closely.
    Signs,
}

impl Look {
    /// The fastest that finds enough of the best rows.
    pub fn choose(dimensions: usize, rows: usize, queries: usize, k: usize) -> Self {
        let keys = if queries < BATCH { KEYS_ROWS } else { KEYS_ROWS_BATCH };
        if dimensions < SIGNS_DIMENSIONS || rows <= keys {
            Self::Keys
        } else if rows <= BYTES_ROWS || candidates(k) > rows / 8 {
            Self::Bytes
        } else {
            Self::Signs
        }
    }
}

/// Codes of shorter keys tell too little.
const SIGNS_DIMENSIONS: usize = 64;
/// Bytes of fewer rows are not worth the coding of the query.
const KEYS_ROWS: usize = 512;
/// From so many queries on a row is read once for several of them, which is as good as fewer bytes up to here.
const BATCH: usize = 8;
const KEYS_ROWS_BATCH: usize = 10_000;
/// Up to here bytes are nearly as fast as signs.
const BYTES_ROWS: usize = 20_000;

/// Rows that a scan of sign codes keeps for a closer look. Where more could belong to the result, a second scan
/// looks at those.
fn candidates(k: usize) -> usize {
    100usize.saturating_mul(k.max(10))
}

/// Cold rows that a caller is asked to fetch the keys of, at most.
fn cold_candidates(k: usize) -> usize {
    40usize.saturating_mul(k.max(10))
}

/// From how many times as many these are chosen by a second, better estimate.
const REFINED: usize = 4;

impl Shard {
    /// The rows of greatest cosine to `query` (`dimensions` finite values, not all zero).
    pub fn search(&self, query: &[f32], search: &Search) -> Result<Found, IndexError> {
        let mut found = self.search_many(query, search)?;
        found.pop().ok_or(IndexError::QueryLength { length: 0, dimensions: self.dimensions() })
    }

    /// The same for each of several queries, row after row, in one pass over the shard.
    pub fn search_many(&self, queries: &[f32], search: &Search) -> Result<Vec<Found>, IndexError> {
        self.search_with(queries, search, None)
    }

    /// With a given first look, so that tests and benches can compare them.
    pub fn search_with(
        &self,
        queries: &[f32],
        search: &Search,
        look: Option<Look>,
    ) -> Result<Vec<Found>, IndexError> {
        let dimensions = self.dimensions();
        if !queries.len().is_multiple_of(dimensions) {
            return Err(IndexError::QueryLength { length: queries.len(), dimensions });
        }
        let queries = queries.chunks_exact(dimensions).map(|query| Query::new(query, dimensions));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        let view = self.view();
        let selected = select(&view, search)?;
        let rows = |cold: bool| {
            let counted = selected.iter().filter(|one| (one.part.segment.tier == Tier::Cold) == cold);
            counted.map(|one| one.count).sum::<usize>()
        };
        let (near, cold) = (rows(false), rows(true));
        let look = look.unwrap_or_else(|| Look::choose(dimensions, near, queries.len(), search.k));
        let pass = Pass::new(&selected, look, search, near, cold);
        let mut searches: Vec<_> =
            queries.into_iter().map(|query| pass.begin(query, self.rotation())).collect();
        pass.scan(&mut searches);
        Ok(searches.into_iter().map(|one| pass.finish(one)).collect())
    }
}

/// One pass over the selected rows.
struct Pass<'a> {
    kernels: &'static Kernels,
    selected: &'a [Selected<'a>],
    look: Look,
    k: usize,
    min_score: f64,
    near_pool: usize,
    cold_pool: usize,
    has_warm: bool,
    has_cold: bool,
}

/// One query on its way through a pass.
struct Running<'a> {
    query: Query<'a>,
    bounds: Bounds,
    near: Pool,
    cold: Pool,
    /// Which lists it looks at.
    probed: Option<(Arc<Lists>, Vec<bool>)>,
}

impl Running<'_> {
    fn probed(&mut self, lists: &Arc<Lists>) -> &[bool] {
        let Self { query, probed, .. } = self;
        if probed.as_ref().is_some_and(|(known, _)| !Arc::ptr_eq(known, lists)) {
            *probed = None;
        }
        &probed.get_or_insert_with(|| (Arc::clone(lists), lists.probe(query.rotated()))).1
    }
}

impl<'a> Pass<'a> {
    fn new(selected: &'a [Selected<'a>], look: Look, search: &Search, near: usize, cold: usize) -> Self {
        Self {
            kernels: Kernels::widest(),
            selected,
            look,
            k: search.k.min(near + cold),
            min_score: search.min_score,
            near_pool: candidates(search.k).min(near),
            cold_pool: REFINED.saturating_mul(cold_candidates(search.k)).min(cold),
            has_warm: selected.iter().any(|one| one.part.segment.tier == Tier::Warm),
            has_cold: cold > 0,
        }
    }

    fn begin<'q>(&self, mut query: Query<'q>, rotation: &Rotation) -> Running<'q> {
        if self.look != Look::Keys || self.has_warm {
            query.prepare_bytes();
        }
        if self.look == Look::Signs || self.has_cold {
            query.prepare_signs(rotation);
        }
        Running {
            query,
            bounds: Bounds::new(self.k, self.min_score),
            near: Pool::new(self.near_pool),
            cold: Pool::new(self.cold_pool),
            probed: None,
        }
    }

    /// Looks at all rows, block by block, so that a block is in the cache for every query.
    fn scan(&self, searches: &mut [Running]) {
        if self.k == 0 {
            return;
        }
        let units: Vec<f32> = searches.iter().flat_map(|running| &running.query.unit).copied().collect();
        for (number, one) in self.selected.iter().enumerate() {
            let tier = one.part.segment.tier;
            if tier == Tier::Cold || self.look == Look::Signs {
                self.scan_signs(number, one, searches);
            } else if tier == Tier::Hot && self.look == Look::Keys {
                self.scan_keys(one, searches, &units);
            } else {
                self.scan_bytes(one, searches);
            }
        }
    }

    fn scan_keys(&self, one: &Selected, searches: &mut [Running], units: &[f32]) {
        let segment = &one.part.segment;
        let Some((keys, inverse_norms)) = segment.keys() else { return };
        let (dimensions, labels) = (segment.dimensions, segment.labels());
        let slack = slack(dimensions);
        let mut products = Vec::new();
        for block in one.blocks() {
            scan::products(self.kernels, block, keys, units, dimensions, &mut products);
            for (running, products) in searches.iter_mut().zip(products.chunks_exact(block.length)) {
                for row in block.selected() {
                    let inverse_norm = inverse_norms[row];
                    let rough = f64::from(products[row - block.first]) * inverse_norm;
                    if rough + slack < running.bounds.needed() && SLACK_NORMS.contains(&inverse_norm) {
                        continue;
                    }
                    let key = &keys[row * dimensions..][..dimensions];
                    let score = running.query.cosine(self.kernels, key, inverse_norm);
                    running.bounds.offer(labels[row], score, 0.0);
                }
            }
        }
    }

    fn scan_bytes(&self, one: &Selected, searches: &mut [Running]) {
        let Some((codes, scalars)) = one.part.segment.bytes() else { return };
        let mut products = [0; 64];
        for block in one.blocks() {
            for running in searches.iter_mut() {
                scan::byte_products(self.kernels, block, codes, &running.query.bytes.code, &mut products);
                for row in block.selected() {
                    let product = products[row - block.first];
                    let (estimate, error) = running.query.estimate_bytes(product, scalars[row]);
                    if estimate + error >= running.bounds.needed() {
                        self.look_closely(one, row, running);
                    }
                }
            }
        }
    }

    fn scan_signs(&self, number: usize, one: &Selected, searches: &mut [Running]) {
        let segment = &one.part.segment;
        if let Some(runs) = &segment.runs {
            for running in searches {
                for block in runs.blocks(one, running.probed(&runs.lists)) {
                    self.scan_block(number, block, running);
                }
            }
            return;
        }
        for block in one.blocks() {
            for running in searches.iter_mut() {
                self.scan_block(number, block, running);
            }
        }
    }

    fn scan_block(&self, number: usize, block: Block, running: &mut Running) {
        let segment = &self.selected[number].part.segment;
        let query = running.query.around(&segment.centre);
        let pool = if segment.tier == Tier::Cold { &mut running.cold } else { &mut running.near };
        let at_most = match self.at_most(segment, block, &query, pool.threshold()) {
            Some(at_most) => at_most,
            None => return,
        };
        for row in block.selected() {
            let at_most = at_most[row - block.first];
            if at_most > pool.threshold() {
                pool.offer(Candidate { at_most, part: number as u32, row: row as u32 });
            }
        }
    }

    /// What the signs allow the rows of a block to score; None where none is over a threshold.
    fn at_most(
        &self,
        segment: &Segment,
        block: Block,
        query: &SignQuery,
        threshold: f32,
    ) -> Option<[f32; 64]> {
        let (mut differing, mut at_most) = ([0; 64], [0.0; 64]);
        scan::differing(self.kernels, block, segment.sign_codes(), query.signs(), &mut differing);
        let scalars = block.part(segment.sign_scalars(), 1);
        query.at_most(&differing, scalars, threshold, &mut at_most).then_some(at_most)
    }

    /// Scores a hot or warm row as well as its tier knows it.
    fn look_closely(&self, one: &Selected, row: usize, running: &mut Running) {
        let held = one.part.segment.row(row);
        if let Some((key, inverse_norm)) = held.key {
            running.bounds.offer(held.label, running.query.cosine(self.kernels, key, inverse_norm), 0.0);
        } else if let Some((code, scalars)) = held.bytes {
            let (estimate, error) = running.query.estimate_row(self.kernels, code, scalars);
            running.bounds.offer(held.label, estimate, error);
        }
    }

    /// Looks closely at what the codes found.
    fn finish(&self, mut running: Running) -> Found {
        self.finish_near(&mut running);
        self.finish_cold(&mut running);
        running.bounds.finish()
    }

    /// Best first, so that few others remain to be looked at.
    fn finish_near(&self, running: &mut Running) {
        let pool = std::mem::replace(&mut running.near, Pool::new(0));
        let dropped = pool.threshold();
        for Candidate { at_most, part, row } in pool.finish() {
            if f64::from(at_most) < running.bounds.needed() {
                break;
            }
            self.look_by_steps(&self.selected[part as usize], row as usize, running);
        }
        if f64::from(dropped) >= running.bounds.needed() {
            self.scan_again(dropped, running);
        }
    }

    /// Looks at the rows whose signs allow at most `below`, but enough for the result.
    fn scan_again(&self, below: f32, running: &mut Running) {
        for one in self.selected.iter().filter(|one| one.part.segment.tier != Tier::Cold) {
            let segment = &one.part.segment;
            let query = running.query.around(&segment.centre);
            let blocks = match &segment.runs {
                Some(runs) => runs.blocks(one, running.probed(&runs.lists)),
                None => one.blocks().collect(),
            };
            for block in blocks {
                // No more than needed, as far as float32 can tell.
                let needed = (running.bounds.needed() as f32).next_down();
                let Some(at_most) = self.at_most(segment, block, &query, needed) else { continue };
                for row in block.selected() {
                    let at_most = at_most[row - block.first];
                    if at_most <= below && f64::from(at_most) >= running.bounds.needed() {
                        self.look_by_steps(one, row, running);
                    }
                }
            }
        }
    }

    /// Scores a hot or warm row, unless all planes of the query or the row's bytes show that it is out.
    fn look_by_steps(&self, one: &Selected, row: usize, running: &mut Running) {
        let segment = &one.part.segment;
        let held = segment.row(row);
        let query = running.query.around(&segment.centre);
        let (estimate, error) = query.refine(self.kernels, held.sign_code, held.sign_scalars);
        if estimate + error < running.bounds.needed() {
            return;
        }
        let Some((code, scalars)) = held.bytes else { return };
        let product = self.kernels.dot_i8(code, &running.query.bytes.code);
        let (estimate, error) = running.query.estimate_bytes(product, scalars);
        if estimate + error >= running.bounds.needed() {
            self.look_closely(one, row, running);
        }
    }

    fn finish_cold(&self, running: &mut Running) {
        let mut estimates: Vec<(f64, f64, i32)> = Vec::new();
        for candidate in std::mem::replace(&mut running.cold, Pool::new(0)).finish() {
            let segment = &self.selected[candidate.part as usize].part.segment;
            let row = segment.row(candidate.row as usize);
            let query = running.query.around(&segment.centre);
            let (estimate, error) = query.refine(self.kernels, row.sign_code, row.sign_scalars);
            estimates.push((estimate, error, row.label));
        }
        estimates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for (estimate, error, label) in estimates.into_iter().take(cold_candidates(self.k)) {
            running.bounds.offer(label, estimate, error);
        }
    }
}
