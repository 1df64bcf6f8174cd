//! A closer look at rows that may be among the best: all planes of the query, then the rows' bytes, then their keys.

use super::pass::{FIRST, QueryState, ScanPass};
use super::pool::Candidate;
use super::query::SignQuery;
use super::select::Selected;
use crate::kernels::prefetch;
use std::sync::Arc;

/// Rows that are looked at together at first; then twice as many each time, until none is left that is not out.
const GROUP: usize = 32;
/// Keys that are read side by side.
const TOGETHER: usize = 4;

impl ScanPass<'_> {
    /// Looks closely at the rows that can score most, which rules out most others.
    pub fn narrow(&self, running: &mut QueryState) {
        self.look_at_best(FIRST.max(2 * self.k), running);
    }

    /// Looks closely at all rows kept but those that are out once the best are known.
    pub fn settle(&self, running: &mut QueryState) {
        let mut count = GROUP;
        while !running.near.is_empty() {
            self.look_at_best(count, running);
            count *= 2;
        }
    }

    /// Looks closely at the rows that can score most, which rules out others.
    fn look_at_best(&self, count: usize, running: &mut QueryState) {
        if count < running.near.len() {
            running.near.select_nth_unstable_by(count, |a, b| b.at_most.total_cmp(&a.at_most));
        }
        let rest = running.near.split_off(count.min(running.near.len()));
        let best = std::mem::replace(&mut running.near, rest);
        self.look(best, running);
        let needed = running.bounds.needed_single();
        running.near.retain(|candidate| candidate.at_most >= needed);
    }

    /// Scores rows, unless what their codes tell shows that they are out: one code after the other for all of them, so
    /// that the best are scored first, and what the next code needs is brought into the cache meanwhile.
    fn look(&self, mut candidates: Vec<Candidate>, running: &mut QueryState) {
        if !running.by_bytes {
            self.keep_by_planes(&mut candidates, running);
            self.keep_by_bytes(&mut candidates, running);
        }
        candidates.sort_unstable_by(|a, b| b.at_most.total_cmp(&a.at_most));
        let mut rest = candidates.as_slice();
        while let Some(first) = rest.first()
            && f64::from(first.at_most) >= running.bounds.needed()
        {
            let some = rest.split_off(..TOGETHER.min(rest.len())).unwrap_or_default();
            self.look_at_some(some, running);
        }
    }

    /// Keeps rows that can be among the best by all planes of the query.
    fn keep_by_planes(&self, candidates: &mut Vec<Candidate>, running: &mut QueryState) {
        let needed = running.bounds.needed();
        // Nearly all segments have the same centre.
        let mut known: Option<Arc<SignQuery>> = None;
        candidates.retain(|candidate| {
            let segment = &self.selected[candidate.part as usize].part.segment;
            let query = match &known {
                Some(known) if Arc::ptr_eq(&known.centre, &segment.centre) => known,
                _ => known.insert(running.query.around(&segment.centre)),
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

    /// Keeps those that can be by their bytes, which become their bounds.
    fn keep_by_bytes(&self, candidates: &mut Vec<Candidate>, running: &QueryState) {
        let needed = running.bounds.needed_single();
        candidates.retain_mut(|candidate| {
            candidate.at_most = self.at_most_by_bytes(candidate, running);
            candidate.at_most >= needed
        });
    }

    /// What a hot or warm row can score by its bytes; without them, what was known.
    pub fn at_most_by_bytes(&self, candidate: &Candidate, running: &QueryState) -> f32 {
        let segment = &self.selected[candidate.part as usize].part.segment;
        let Some((code, scalars)) = segment.bytes_of(candidate.row as usize) else {
            return candidate.at_most;
        };
        let product = self.kernels.dot_i8(code, &running.query.bytes.code);
        let (estimate, error) = running.query.estimate_bytes(product, scalars);
        ((estimate + error) as f32).next_up()
    }

    /// Looks closely at up to `TOGETHER` rows.
    fn look_at_some(&self, candidates: &[Candidate], running: &mut QueryState) {
        let segment = |candidate: &Candidate| &self.selected[candidate.part as usize].part.segment;
        let key = |candidate: &Candidate| segment(candidate).key_of(candidate.row as usize);
        let keys = <&[Candidate; TOGETHER]>::try_from(candidates).map(|some| some.each_ref().map(key));
        if let Ok([Some(a), Some(b), Some(c), Some(d)]) = keys {
            let scores = running.query.cosines(self.kernels, [a, b, c, d]);
            for (candidate, score) in candidates.iter().zip(scores) {
                running.bounds.offer(segment(candidate).labels()[candidate.row as usize], score, 0.0);
            }
        } else {
            for candidate in candidates {
                self.look_closely(&self.selected[candidate.part as usize], candidate.row as usize, running);
            }
        }
    }

    /// Scores a hot or warm row as well as its tier knows it.
    pub fn look_closely(&self, one: &Selected, row: usize, running: &mut QueryState) {
        let segment = &one.part.segment;
        let (score, error) = if let Some((key, inverse_norm)) = segment.key_of(row) {
            (running.query.cosine(self.kernels, key, inverse_norm), 0.0)
        } else if let Some((code, scalars)) = segment.bytes_of(row) {
            running.query.estimate_row(self.kernels, code, scalars)
        } else {
            return;
        };
        running.bounds.offer(segment.labels()[row], score, error);
    }
}
