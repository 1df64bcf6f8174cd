//! Searches: a cheap scan of every row, then rescoring of the rows that may be among the best.

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

/// Standard deviations of bounds from signs in shards of up to `CERTAIN_ROWS` rows: one row in 30,000 is missed.
const DEVIATIONS_CERTAIN: f32 = 4.0;
/// The same elsewhere: one row in 700 is missed, which keeps recall over 0.99.
const DEVIATIONS: f32 = 3.0;

/// How many candidates are gathered before the best of them are rescored.
const GATHERED: usize = 256;

/// Scanning bytes is faster than signs where signs leave more than one row in this many.
const SIGNS_SHARE: usize = 4;
/// After so many rows it shows how many signs leave.
const SIGNS_TRIED: usize = 2_048;
/// Signs are not judged before one row in this many was seen: until the query's own cluster comes up, they rule
/// out few in any case.
const SIGNS_TRIED_SHARE: usize = 4;

/// The most cold rows whose keys a caller is asked to fetch.
fn cold_candidates(k: usize) -> usize {
    40usize.saturating_mul(k.max(10))
}

/// They are chosen from this many times as many by a second, better estimate.
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

    /// `search_many` in a given mode, so that tests and benches can compare them.
    pub fn search_with(
        &self,
        queries: &[f32],
        search: &Search,
        mode: Option<ScanMode>,
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
        let (warmer, cold) = (rows(false), rows(true));
        let stored = selected.iter().filter(|one| one.part.segment.tier != Tier::Cold);
        let stored = stored.map(|one| one.part.count).sum();
        // What is counted is of searches as they are asked for, in what has lists.
        let is_counted = mode.is_none() && selected.iter().any(|one| one.part.segment.ranges.is_some());
        let mode = mode.unwrap_or_else(|| ScanMode::choose(dimensions, warmer, stored, search.k));
        let pass = ScanPass::new(&selected, mode, search, [warmer, cold], [queries.len(), dimensions]);
        let mut searches: Vec<_> =
            queries.into_iter().map(|query| pass.begin(query, self.rotation())).collect();
        pass.scan(&mut searches);
        if is_counted {
            searches.iter().for_each(|one| self.note_rows_in_lists(one.in_lists));
        }
        Ok(searches.into_iter().map(|one| pass.finish(one)).collect())
    }
}

impl<'a> ScanPass<'a> {
    fn new(
        selected: &'a [Selected<'a>],
        mode: ScanMode,
        search: &Search,
        [warmer, cold]: [usize; 2],
        [queries, dimensions]: [usize; 2],
    ) -> Self {
        let wanted = search.k.min(warmer + cold);
        // Only signs leave a tail to save work on: bytes tell nearly all themselves, and keys all.
        let k = if mode == ScanMode::Signs { search.first().min(wanted) } else { wanted };
        Self {
            kernels: Kernels::widest(),
            selected,
            mode,
            k,
            wanted,
            min_score: search.min_score,
            cold_pool: REFINED.saturating_mul(cold_candidates(k)).min(cold),
            streams: queries == 1 && streams(warmer.saturating_mul(dimensions)),
            signs_stream: queries == 1 && streams((warmer + cold).saturating_mul(dimensions / 8)),
            signs_tried: SIGNS_TRIED.max(warmer / SIGNS_TRIED_SHARE),
            deviations: if mode == ScanMode::Signs && warmer <= CERTAIN_ROWS {
                DEVIATIONS_CERTAIN
            } else {
                DEVIATIONS
            },
            has_warm: selected.iter().any(|one| one.part.segment.tier == Tier::Warm),
            has_cold: cold > 0,
        }
    }

    fn begin<'q>(&self, mut query: Query<'q>, rotation: &Rotation) -> QueryState<'q> {
        if self.mode != ScanMode::Keys || self.has_warm {
            query.prepare_bytes();
        }
        if self.mode == ScanMode::Signs || self.has_cold {
            query.prepare_signs(rotation, self.deviations);
        }
        QueryState {
            query,
            bounds: Bounds::new(self.k, self.min_score),
            candidates: Vec::with_capacity(GATHERED + 64),
            narrow_at: GATHERED,
            seen: 0,
            in_lists: 0,
            by_bytes: self.mode != ScanMode::Signs,
            cold: Pool::new(self.cold_pool),
            others: self.pool_of_others(),
        }
    }

    /// Scans all rows that are in no lists, block by block, so that a block is in the cache for every query; then those in
    /// lists.
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
            if tier == Tier::Cold || self.mode == ScanMode::Signs {
                if one.part.segment.ranges.is_none() {
                    self.scan_signs(number, one, searches);
                }
            } else {
                if one.part.segment.ranges.is_some() {
                    searches.iter_mut().for_each(|state| state.in_lists += one.count);
                }
                if tier == Tier::Hot && self.mode == ScanMode::Keys {
                    self.scan_keys(one, searches, &units);
                } else {
                    self.scan_bytes(number, searches, &codes);
                }
            }
        }
        searches.iter_mut().for_each(|state| self.scan_lists(state));
    }

    /// Scans rows in lists by their signs, the lists nearest to the query first, until the others hold too little.
    fn scan_lists(&self, state: &mut QueryState) {
        let ranges = |(number, one): (usize, &'a Selected<'a>)| {
            let segment = &one.part.segment;
            let by_signs = segment.tier == Tier::Cold || self.mode == ScanMode::Signs;
            Some((number, one, segment.ranges.as_ref().filter(|_| by_signs)?))
        };
        let mut rest: Vec<(usize, &Selected, &ListRanges)> =
            self.selected.iter().enumerate().filter_map(ranges).collect();
        while let Some((_, _, ListRanges { lists, .. })) = rest.first().copied() {
            let (same, others) =
                rest.into_iter().partition(|(_, _, ranges)| Arc::ptr_eq(&ranges.lists, lists));
            rest = others;
            let same: Vec<(usize, &Selected, &ListRanges)> = same;
            let mut probe = Probe::new(lists, state.query.rotated(), self.k);
            while let Some(chosen) = probe.next(self.needed(state)) {
                for (number, one, ranges) in &same {
                    for block in one.blocks_in_lists(ranges, &chosen) {
                        state.in_lists += block.length;
                        self.scan_signs_block(*number, block, state);
                    }
                }
                self.narrow(state);
            }
        }
    }

    /// What a row must score to be among the k best, as far as is known; estimates of cold rows count.
    fn needed(&self, state: &mut QueryState) -> f32 {
        let needed = state.bounds.needed_single();
        if !self.has_cold {
            return needed;
        }
        let mut lower_bounds = TopK::new(self.k);
        for candidate in state.cold.best(FIRST.max(2 * self.k)) {
            let (estimate, error, label) = self.estimate_cold(candidate, state);
            lower_bounds.offer(estimate - error, label);
        }
        needed.max((lower_bounds.least() as f32).next_down())
    }

    fn scan_keys(&self, one: &Selected, searches: &mut [QueryState], units: &[f32]) {
        let segment = &one.part.segment;
        let Some((keys, inverse_norms)) = segment.keys() else { return };
        let (dimensions, labels) = (segment.dimensions, segment.labels());
        let slack = slack(dimensions);
        let mut products = Vec::new();
        for block in one.blocks() {
            scan::products(self.kernels, block, keys, units, dimensions, &mut products);
            for (state, products) in searches.iter_mut().zip(products.chunks_exact(block.length)) {
                for row in block.selected() {
                    let inverse_norm = inverse_norms[row];
                    let rough = f64::from(products[row - block.first]) * inverse_norm;
                    if rough + slack < state.bounds.needed() && SLACK_NORMS.contains(&inverse_norm) {
                        continue;
                    }
                    let key = &keys[row * dimensions..][..dimensions];
                    let score = state.query.cosine(self.kernels, key, inverse_norm);
                    state.bounds.offer(labels[row], score, 0.0);
                }
            }
        }
    }

    fn scan_bytes(&self, number: usize, searches: &mut [QueryState], queries: &[i8]) {
        let mut products = vec![0; 64 * searches.len()];
        for block in self.selected[number].blocks() {
            let products = &mut products[..block.length * searches.len()];
            self.byte_products(number, block, queries, products);
            for (state, products) in searches.iter_mut().zip(products.chunks_exact(block.length)) {
                self.gather_by_bytes(number, block, products, state);
            }
        }
    }

    fn scan_bytes_of(&self, number: usize, block: Block, state: &mut QueryState) {
        let mut products = [0; 64];
        let products = &mut products[..block.length];
        self.byte_products(number, block, &state.query.bytes.code, products);
        self.gather_by_bytes(number, block, products, state);
    }

    fn byte_products(&self, number: usize, block: Block, queries: &[i8], out: &mut [i32]) {
        let segment = &self.selected[number].part.segment;
        let Some((codes, _)) = segment.bytes() else { return };
        scan::byte_products(self.kernels, block, codes, queries, segment.dimensions, self.streams, out);
    }

    /// Gathers rows of a block by the products of their bytes with the query's.
    fn gather_by_bytes(&self, number: usize, block: Block, products: &[i32], state: &mut QueryState) {
        let Some((_, scalars)) = self.selected[number].part.segment.bytes() else { return };
        let mut upper_bounds = [0.0; 64];
        let reached = self.kernels.upper_bounds(
            &state.query.bytes_bound(),
            products,
            block.part(scalars, 1),
            self.threshold(state),
            &mut upper_bounds[..block.length],
        );
        self.gather(number, block, reached, &upper_bounds, state);
    }

    fn scan_signs(&self, number: usize, one: &Selected, searches: &mut [QueryState]) {
        for block in one.blocks() {
            searches.iter_mut().for_each(|state| self.scan_signs_block(number, block, state));
        }
    }

    fn scan_signs_block(&self, number: usize, block: Block, state: &mut QueryState) {
        if self.selected[number].part.segment.tier == Tier::Cold {
            self.scan_cold(number, block, state);
        } else if state.by_bytes {
            self.scan_bytes_of(number, block, state);
        } else {
            self.scan_signs_of(number, block, state);
        }
    }

    fn scan_signs_of(&self, number: usize, block: Block, state: &mut QueryState) {
        let segment = &self.selected[number].part.segment;
        let query = state.query.around(&segment.centre);
        let (reached, upper_bounds) = self.upper_bounds(segment, block, &query, self.threshold(state));
        state.seen += block.length;
        self.gather(number, block, reached, &upper_bounds, state);
    }

    fn scan_cold(&self, number: usize, block: Block, state: &mut QueryState) {
        let segment = &self.selected[number].part.segment;
        let query = state.query.around(&segment.centre);
        let (reached, upper_bounds) = self.upper_bounds(segment, block, &query, state.cold.threshold());
        for bit in bits(reached & block.rows) {
            let row = (block.first + bit) as u32;
            state.cold.offer(Candidate { upper_bound: upper_bounds[bit], part: number as u32, row });
        }
    }

    /// The upper bounds of the rows of a block by their signs, and which of them reach a threshold, a bit each.
    fn upper_bounds(
        &self,
        segment: &Segment,
        block: Block,
        query: &SignQuery,
        threshold: f32,
    ) -> (u64, [f32; 64]) {
        let (mut differing, mut upper_bounds) = ([0; 64], [0.0; 64]);
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
            &mut upper_bounds[..block.length],
        );
        (reached, upper_bounds)
    }

    /// Gathers candidates among the rows of a block whose upper bounds have `reached` the threshold.
    fn gather(
        &self,
        number: usize,
        block: Block,
        reached: u64,
        upper_bounds: &[f32; 64],
        state: &mut QueryState,
    ) {
        let needed = state.bounds.needed_single();
        for bit in bits(reached & block.rows) {
            let candidate = Candidate {
                upper_bound: upper_bounds[bit],
                part: number as u32,
                row: (block.first + bit) as u32,
            };
            if candidate.upper_bound >= needed {
                state.candidates.push(candidate);
            }
            if self.has_others() {
                state.others.offer(candidate);
            }
        }
        if state.candidates.len() >= state.narrow_at {
            self.narrow(state);
            state.narrow_at = GATHERED.max(2 * state.candidates.len());
            if !state.by_bytes
                && state.seen >= self.signs_tried
                && SIGNS_SHARE * state.candidates.len() > state.seen
            {
                self.rescore_rest(state);
                state.by_bytes = true;
                self.rate_others_by_bytes(state);
            }
        }
    }

    /// Rescores what the codes found.
    fn finish(&self, mut state: QueryState) -> Found {
        self.narrow(&mut state);
        self.rescore_rest(&mut state);
        let cold = self.finish_cold(&mut state);
        if self.has_others() {
            self.add_others(&cold, &mut state);
        }
        state.bounds.finish()
    }

    /// Offers the cold rows of the greatest estimates, and returns all of them as `estimate_cold` gives them, best first.
    fn finish_cold(&self, state: &mut QueryState) -> Vec<(f64, f64, i32)> {
        let mut estimates: Vec<(f64, f64, i32)> = Vec::new();
        for candidate in std::mem::replace(&mut state.cold, Pool::new(0)).finish() {
            estimates.push(self.estimate_cold(candidate, state));
        }
        estimates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for &(estimate, error, label) in estimates.iter().take(cold_candidates(self.k)) {
            state.bounds.offer(label, estimate, error);
        }
        estimates
    }

    /// Estimate of a cold row's cosine, how far it can be off, and the row's label.
    fn estimate_cold(&self, candidate: Candidate, state: &mut QueryState) -> (f64, f64, i32) {
        let segment = &self.selected[candidate.part as usize].part.segment;
        let row = candidate.row as usize;
        let (code, scalars) = segment.signs_of(row);
        let query = state.query.around(&segment.centre);
        let (estimate, error) = query.refine(self.kernels, code, scalars);
        (estimate, error, segment.labels()[row])
    }
}
