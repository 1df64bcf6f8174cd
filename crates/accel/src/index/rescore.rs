//! Rescoring of rows that may be among the best: by all planes of the query, then by the rows' bytes, then by their keys.

use super::pass::{FIRST, QueryState, ScanPass};
use super::pool::Candidate;
use super::query::SignQuery;
use super::select::Selected;
use crate::kernels::prefetch;
use std::sync::Arc;

/// How many rows are rescored together at first; then twice as many each time, until all others are out.
const GROUP: usize = 32;
/// How many keys are read side by side.
const TOGETHER: usize = 4;

impl ScanPass<'_> {
    /// Rescores the candidates of the greatest upper bounds, which rules out most others.
    pub fn narrow(&self, state: &mut QueryState) {
        self.rescore_best(FIRST.max(2 * self.k), state);
    }

    /// Rescores all candidates but those that are out once the best are known.
    pub fn rescore_rest(&self, state: &mut QueryState) {
        let mut count = GROUP;
        while !state.candidates.is_empty() {
            self.rescore_best(count, state);
            count *= 2;
        }
    }

    /// Rescores the `count` candidates of the greatest upper bounds, and drops those that are out then.
    fn rescore_best(&self, count: usize, state: &mut QueryState) {
        if count < state.candidates.len() {
            state.candidates.select_nth_unstable_by(count, |a, b| b.upper_bound.total_cmp(&a.upper_bound));
        }
        let rest = state.candidates.split_off(count.min(state.candidates.len()));
        let best = std::mem::replace(&mut state.candidates, rest);
        self.rescore(best, state);
        let needed = state.bounds.needed_single();
        state.candidates.retain(|candidate| candidate.upper_bound >= needed);
    }

    /// Scores rows, unless their codes show that they are out. Each kind of code is looked at for all rows before the next, so
    /// that the best rows are scored first, and what the next code needs is brought into the cache meanwhile.
    fn rescore(&self, mut candidates: Vec<Candidate>, state: &mut QueryState) {
        if !state.by_bytes {
            self.keep_by_planes(&mut candidates, state);
            self.keep_by_bytes(&mut candidates, state);
        }
        candidates.sort_unstable_by(|a, b| b.upper_bound.total_cmp(&a.upper_bound));
        let mut rest = candidates.as_slice();
        while let Some(first) = rest.first()
            && f64::from(first.upper_bound) >= state.bounds.needed()
        {
            let some = rest.split_off(..TOGETHER.min(rest.len())).unwrap_or_default();
            self.rescore_some(some, state);
        }
    }

    /// Keeps rows that can be among the best by all planes of the query.
    fn keep_by_planes(&self, candidates: &mut Vec<Candidate>, state: &mut QueryState) {
        let needed = state.bounds.needed();
        // Nearly all segments have the same centre.
        let mut known: Option<Arc<SignQuery>> = None;
        candidates.retain(|candidate| {
            let segment = &self.selected[candidate.part as usize].part.segment;
            let query = match &known {
                Some(known) if Arc::ptr_eq(&known.centre, &segment.centre) => known,
                _ => known.insert(state.query.around(&segment.centre)),
            };
            let (code, scalars) = segment.signs_of(candidate.row as usize);
            let (estimate, error) = query.refine(self.kernels, code, scalars);
            let keep = estimate + error >= needed;
            if keep && let Some((code, _)) = segment.bytes_of(candidate.row as usize) {
                prefetch(code);
            }
            keep
        });
    }

    /// Keeps rows that can be among the best by their bytes, which give their new upper bounds.
    fn keep_by_bytes(&self, candidates: &mut Vec<Candidate>, state: &QueryState) {
        let needed = state.bounds.needed_single();
        candidates.retain_mut(|candidate| {
            candidate.upper_bound = self.upper_bound_by_bytes(candidate, state);
            candidate.upper_bound >= needed
        });
    }

    /// The upper bound of a hot or warm row by its bytes; the present one of a row without bytes.
    pub fn upper_bound_by_bytes(&self, candidate: &Candidate, state: &QueryState) -> f32 {
        let segment = &self.selected[candidate.part as usize].part.segment;
        let Some((code, scalars)) = segment.bytes_of(candidate.row as usize) else {
            return candidate.upper_bound;
        };
        let product = self.kernels.dot_i8(code, &state.query.bytes.code);
        let (estimate, error) = state.query.estimate_bytes(product, scalars);
        ((estimate + error) as f32).next_up()
    }

    /// Scores up to `TOGETHER` rows, side by side where all are hot.
    fn rescore_some(&self, candidates: &[Candidate], state: &mut QueryState) {
        let segment = |candidate: &Candidate| &self.selected[candidate.part as usize].part.segment;
        let key = |candidate: &Candidate| segment(candidate).key_of(candidate.row as usize);
        let keys = <&[Candidate; TOGETHER]>::try_from(candidates).map(|some| some.each_ref().map(key));
        if let Ok([Some(a), Some(b), Some(c), Some(d)]) = keys {
            let scores = state.query.cosines(self.kernels, [a, b, c, d]);
            for (candidate, score) in candidates.iter().zip(scores) {
                state.bounds.offer(segment(candidate).labels()[candidate.row as usize], score, 0.0);
            }
        } else {
            for candidate in candidates {
                self.rescore_row(&self.selected[candidate.part as usize], candidate.row as usize, state);
            }
        }
    }

    /// Scores a hot row by its key, a warm one by its bytes.
    pub fn rescore_row(&self, one: &Selected, row: usize, state: &mut QueryState) {
        let segment = &one.part.segment;
        let (score, error) = if let Some((key, inverse_norm)) = segment.key_of(row) {
            (state.query.cosine(self.kernels, key, inverse_norm), 0.0)
        } else if let Some((code, scalars)) = segment.bytes_of(row) {
            state.query.estimate_row(self.kernels, code, scalars)
        } else {
            return;
        };
        state.bounds.offer(segment.labels()[row], score, error);
    }
}
