//! Searches: a cheap look at every row, a closer one at the rows that may be among the best.

use super::bits::bits;
use super::block::Block;
use super::bounds::{Bounds, Found};
use super::error::IndexError;
use super::lists::ListRanges;
use super::pass::{FIRST, QueryState, ScanPass};
use super::pool::{Candidate, Pool};
use super::probe::Probe;
use super::query::{Query, SignQuery};
use super::scan;
use super::scan_mode::{CERTAIN_ROWS, ScanMode};
use super::segment::Segment;
use super::select::{Search, Selected, select};
use super::shard::Shard;
use super::tier::Tier;
use crate::kernels::{Kernels, prefetch, streams};
use crate::ops::nearest::{SLACK_NORMS, slack};
use crate::ops::rotation::Rotation;
use crate::ops::topk::TopK;
use std::sync::Arc;

/// Standard deviations of bounds on rows that are surely found: one in 30,000 is missed.
const DEVIATIONS_CERTAIN: f32 = 4.0;
/// Standard deviations of bounds on the other rows: one in 700 is missed, which keeps recall over 0.99.
const DEVIATIONS: f32 = 3.0;

/// Rows kept until the best of them are looked at closely.
const GATHERED: usize = 256;

/// Bytes are faster than signs where signs leave more than one row in this many.
const SIGNS_SHARE: usize = 4;
/// Rows after which it shows how many signs leave.
const SIGNS_TRIED: usize = 2_048;
/// Signs are not judged before one row in this many was seen: until the query's own cluster comes up, they rule
/// out few in any case.
const SIGNS_TRIED_SHARE: usize = 4;

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

    /// The rows of greatest cosine to each of several queries (one after the other in `queries`), in one pass over the shard.
    pub fn search_many(&self, queries: &[f32], search: &Search) -> Result<Vec<Found>, IndexError> {
        self.search_with(queries, search, None)
    }

    /// With a given first look, so that tests and benches can compare them.
    pub fn search_with(
        &self,
        queries: &[f32],
        search: &Search,
        look: Option<ScanMode>,
    ) -> Result<Vec<Found>, IndexError> {
        let dimensions = self.dimensions();
        if !queries.len().is_multiple_of(dimensions) {
            return Err(IndexError::QueryLength { length: queries.len(), dimensions });
        }
        let queries = queries.chunks_exact(dimensions).map(|query| Query::new(query, dimensions));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        let (view, few) = self.view_of(search.allowed);
        let selected = select(&view, search, few.as_deref())?;
        let rows = |cold: bool| {
            let counted = selected.iter().filter(|one| (one.part.segment.tier == Tier::Cold) == cold);
            counted.map(|one| one.count).sum::<usize>()
        };
        let (near, cold) = (rows(false), rows(true));
        let stored = selected.iter().filter(|one| one.part.segment.tier != Tier::Cold);
        let stored = stored.map(|one| one.part.count).sum();
        let look = look.unwrap_or_else(|| ScanMode::choose(dimensions, near, stored, search.k));
        let pass = ScanPass::new(&selected, look, search, [near, cold], [queries.len(), dimensions]);
        let mut searches: Vec<_> =
            queries.into_iter().map(|query| pass.begin(query, self.rotation())).collect();
        pass.scan(&mut searches);
        searches.iter().for_each(|one| self.note_rows_in_lists(one.in_lists));
        Ok(searches.into_iter().map(|one| pass.finish(one)).collect())
    }
}

impl<'a> ScanPass<'a> {
    fn new(
        selected: &'a [Selected<'a>],
        look: ScanMode,
        search: &Search,
        [near, cold]: [usize; 2],
        [queries, dimensions]: [usize; 2],
    ) -> Self {
        let wanted = search.k.min(near + cold);
        // Bytes tell nearly all themselves, and keys all: the others would cost as much.
        let k = if look == ScanMode::Signs { search.first().min(wanted) } else { wanted };
        Self {
            kernels: Kernels::widest(),
            selected,
            look,
            k,
            wanted,
            min_score: search.min_score,
            cold_pool: REFINED.saturating_mul(cold_candidates(k)).min(cold),
            streams: queries == 1 && streams(near.saturating_mul(dimensions)),
            signs_stream: queries == 1 && streams((near + cold).saturating_mul(dimensions / 8)),
            signs_tried: SIGNS_TRIED.max(near / SIGNS_TRIED_SHARE),
            deviations: if look == ScanMode::Signs && near <= CERTAIN_ROWS {
                DEVIATIONS_CERTAIN
            } else {
                DEVIATIONS
            },
            has_warm: selected.iter().any(|one| one.part.segment.tier == Tier::Warm),
            has_cold: cold > 0,
        }
    }

    fn begin<'q>(&self, mut query: Query<'q>, rotation: &Rotation) -> QueryState<'q> {
        if self.look != ScanMode::Keys || self.has_warm {
            query.prepare_bytes();
        }
        if self.look == ScanMode::Signs || self.has_cold {
            query.prepare_signs(rotation, self.deviations);
        }
        QueryState {
            query,
            bounds: Bounds::new(self.k, self.min_score),
            near: Vec::with_capacity(GATHERED + 64),
            narrow_at: GATHERED,
            seen: 0,
            in_lists: 0,
            by_bytes: self.look != ScanMode::Signs,
            cold: Pool::new(self.cold_pool),
            others: self.pool_of_others(),
        }
    }

    /// Looks at all rows that are in no lists, block by block, so that a block is in the cache for every query; then
    /// at those in lists.
    fn scan(&self, searches: &mut [QueryState]) {
        if self.k == 0 || searches.is_empty() {
            return;
        }
        let (mut units, mut codes) = (Vec::new(), Vec::new());
        for QueryState { query, .. } in searches.iter() {
            units.extend_from_slice(&query.unit);
            codes.extend_from_slice(&query.bytes.code);
        }
        for (number, one) in self.selected.iter().enumerate() {
            let tier = one.part.segment.tier;
            if tier == Tier::Cold || self.look == ScanMode::Signs {
                if one.part.segment.runs.is_none() {
                    self.scan_signs(number, one, searches);
                }
            } else {
                if one.part.segment.runs.is_some() {
                    searches.iter_mut().for_each(|running| running.in_lists += one.count);
                }
                if tier == Tier::Hot && self.look == ScanMode::Keys {
                    self.scan_keys(one, searches, &units);
                } else {
                    self.scan_bytes(number, searches, &codes);
                }
            }
        }
        searches.iter_mut().for_each(|running| self.scan_lists(running));
    }

    /// Looks at the rows in lists, in those first that are nearest to the query, until the others have too little.
    fn scan_lists(&self, running: &mut QueryState) {
        let runs = |(number, one): (usize, &'a Selected<'a>)| {
            let segment = &one.part.segment;
            let by_signs = segment.tier == Tier::Cold || self.look == ScanMode::Signs;
            Some((number, one, segment.runs.as_ref().filter(|_| by_signs)?))
        };
        let mut rest: Vec<(usize, &Selected, &ListRanges)> =
            self.selected.iter().enumerate().filter_map(runs).collect();
        while let Some((_, _, ListRanges { lists, .. })) = rest.first().copied() {
            let (same, others) = rest.into_iter().partition(|(_, _, runs)| Arc::ptr_eq(&runs.lists, lists));
            rest = others;
            let same: Vec<(usize, &Selected, &ListRanges)> = same;
            let mut probe = Probe::new(lists, running.query.rotated(), self.k);
            while let Some(chosen) = probe.next(self.needed(running)) {
                for (number, one, runs) in &same {
                    for block in one.blocks_in_lists(runs, &chosen) {
                        running.in_lists += block.length;
                        self.scan_signs_block(*number, block, running);
                    }
                }
                self.narrow(running);
            }
        }
    }

    /// What a row must score to be among the k best, as far as it is known.
    fn needed(&self, running: &mut QueryState) -> f32 {
        let needed = running.bounds.needed_single();
        if !self.has_cold {
            return needed;
        }
        let mut surely = TopK::new(self.k);
        for candidate in running.cold.best(FIRST.max(2 * self.k)) {
            let (estimate, error, label) = self.estimate_cold(candidate, running);
            surely.offer(estimate - error, label);
        }
        needed.max((surely.least() as f32).next_down())
    }

    fn scan_keys(&self, one: &Selected, searches: &mut [QueryState], units: &[f32]) {
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

    fn scan_bytes(&self, number: usize, searches: &mut [QueryState], queries: &[i8]) {
        let mut products = vec![0; 64 * searches.len()];
        for block in self.selected[number].blocks() {
            let products = &mut products[..block.length * searches.len()];
            self.byte_products(number, block, queries, products);
            for (running, products) in searches.iter_mut().zip(products.chunks_exact(block.length)) {
                self.gather_by_bytes(number, block, products, running);
            }
        }
    }

    fn scan_bytes_of(&self, number: usize, block: Block, running: &mut QueryState) {
        let mut products = [0; 64];
        let products = &mut products[..block.length];
        self.byte_products(number, block, &running.query.bytes.code, products);
        self.gather_by_bytes(number, block, products, running);
    }

    fn byte_products(&self, number: usize, block: Block, queries: &[i8], out: &mut [i32]) {
        let segment = &self.selected[number].part.segment;
        let Some((codes, _)) = segment.bytes() else { return };
        scan::byte_products(self.kernels, block, codes, queries, segment.dimensions, self.streams, out);
    }

    /// Keeps rows of a block by their products in bytes with the query.
    fn gather_by_bytes(&self, number: usize, block: Block, products: &[i32], running: &mut QueryState) {
        let Some((_, scalars)) = self.selected[number].part.segment.bytes() else { return };
        let mut at_most = [0.0; 64];
        let reached = self.kernels.upper_bounds(
            &running.query.bytes_bound(),
            products,
            block.part(scalars, 1),
            self.threshold(running),
            &mut at_most[..block.length],
        );
        self.gather(number, block, reached, &at_most, running);
    }

    fn scan_signs(&self, number: usize, one: &Selected, searches: &mut [QueryState]) {
        for block in one.blocks() {
            searches.iter_mut().for_each(|running| self.scan_signs_block(number, block, running));
        }
    }

    fn scan_signs_block(&self, number: usize, block: Block, running: &mut QueryState) {
        if self.selected[number].part.segment.tier == Tier::Cold {
            self.scan_cold(number, block, running);
        } else if running.by_bytes {
            self.scan_bytes_of(number, block, running);
        } else {
            self.scan_signs_of(number, block, running);
        }
    }

    fn scan_signs_of(&self, number: usize, block: Block, running: &mut QueryState) {
        let segment = &self.selected[number].part.segment;
        let query = running.query.around(&segment.centre);
        let (reached, at_most) = self.at_most(segment, block, &query, self.threshold(running));
        running.seen += block.length;
        self.gather(number, block, reached, &at_most, running);
    }

    fn scan_cold(&self, number: usize, block: Block, running: &mut QueryState) {
        let segment = &self.selected[number].part.segment;
        let query = running.query.around(&segment.centre);
        let (reached, at_most) = self.at_most(segment, block, &query, running.cold.threshold());
        for bit in bits(reached & block.rows) {
            let row = (block.first + bit) as u32;
            running.cold.offer(Candidate { at_most: at_most[bit], part: number as u32, row });
        }
    }

    /// What the signs allow the rows of a block to score, and which of them reach a threshold.
    fn at_most(
        &self,
        segment: &Segment,
        block: Block,
        query: &SignQuery,
        threshold: f32,
    ) -> (u64, [f32; 64]) {
        let (mut differing, mut at_most) = ([0; 64], [0.0; 64]);
        if self.signs_stream {
            prefetch(block.next(segment.sign_codes(), query.signs().len()));
        }
        scan::differing(self.kernels, block, segment.sign_codes(), query.signs(), &mut differing);
        let differing = differing.map(u32::cast_signed);
        let reached = self.kernels.upper_bounds(
            &query.bound(),
            &differing[..block.length],
            block.part(segment.sign_scalars(), 1),
            threshold,
            &mut at_most[..block.length],
        );
        (reached, at_most)
    }

    /// Keeps rows of a block for a closer look.
    fn gather(
        &self,
        number: usize,
        block: Block,
        reached: u64,
        at_most: &[f32; 64],
        running: &mut QueryState,
    ) {
        let needed = running.bounds.needed_single();
        for bit in bits(reached & block.rows) {
            let candidate =
                Candidate { at_most: at_most[bit], part: number as u32, row: (block.first + bit) as u32 };
            if candidate.at_most >= needed {
                running.near.push(candidate);
            }
            if self.has_others() {
                running.others.offer(candidate);
            }
        }
        if running.near.len() >= running.narrow_at {
            self.narrow(running);
            running.narrow_at = GATHERED.max(2 * running.near.len());
            if !running.by_bytes
                && running.seen >= self.signs_tried
                && SIGNS_SHARE * running.near.len() > running.seen
            {
                self.settle(running);
                running.by_bytes = true;
                self.rate_others_by_bytes(running);
            }
        }
    }

    /// Looks closely at what the codes found.
    fn finish(&self, mut running: QueryState) -> Found {
        self.narrow(&mut running);
        self.settle(&mut running);
        let cold = self.finish_cold(&mut running);
        if self.has_others() {
            self.add_others(&cold, &mut running);
        }
        running.bounds.finish()
    }

    /// Offers the cold rows of greatest estimates. Returns all as `estimate_cold` gives them, best first.
    fn finish_cold(&self, running: &mut QueryState) -> Vec<(f64, f64, i32)> {
        let mut estimates: Vec<(f64, f64, i32)> = Vec::new();
        for candidate in std::mem::replace(&mut running.cold, Pool::new(0)).finish() {
            estimates.push(self.estimate_cold(candidate, running));
        }
        estimates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for &(estimate, error, label) in estimates.iter().take(cold_candidates(self.k)) {
            running.bounds.offer(label, estimate, error);
        }
        estimates
    }

    /// Estimate of a cold row's cosine, how far it can be off, and the row's label.
    fn estimate_cold(&self, candidate: Candidate, running: &mut QueryState) -> (f64, f64, i32) {
        let segment = &self.selected[candidate.part as usize].part.segment;
        let row = candidate.row as usize;
        let (code, scalars) = segment.signs_of(row);
        let query = running.query.around(&segment.centre);
        let (estimate, error) = query.refine(self.kernels, code, scalars);
        (estimate, error, segment.labels()[row])
    }
}
