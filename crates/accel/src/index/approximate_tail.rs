//! The tail of a result, whose rows need not be found for certain: the best of those that can score most by their codes.

use super::pass::{QueryState, ScanPass};
use super::pool::{Candidate, Pool};
use std::collections::HashSet;

/// How many rows are kept for each one that is wanted, those of the greatest upper bounds.
const KEPT: usize = 16;
/// How many rows are rescored for each one that is wanted: the best of those kept by their bytes. Signs do not choose them: in
/// round clusters of 2,400 rows they find 70 of 100.
const RESCORED: usize = 2;

impl ScanPass<'_> {
    /// Whether more rows are wanted than are found for certain: then the others are the tail.
    pub fn has_others(&self) -> bool {
        self.wanted > self.k
    }

    /// An empty pool for the others.
    pub fn pool_of_others(&self) -> Pool {
        Pool::new(if self.has_others() { KEPT.saturating_mul(self.wanted) } else { 0 })
    }

    /// The least upper bound of a row that is kept for rescoring, or among the others.
    pub fn threshold(&self, state: &QueryState) -> f32 {
        let needed = state.bounds.needed_single();
        if self.has_others() {
            needed.min(state.others.threshold().max((self.min_score as f32).next_down()))
        } else {
            needed
        }
    }

    /// Replaces the upper bounds of the others kept so far, which are by signs, by those of their bytes.
    pub fn rate_others_by_bytes(&self, state: &mut QueryState) {
        for candidate in std::mem::replace(&mut state.others, self.pool_of_others()).finish() {
            let upper_bound = self.upper_bound_by_bytes(&candidate, state);
            state.others.offer(Candidate { upper_bound, ..candidate });
        }
    }

    /// Adds the best others to the rows found for certain. `cold` are estimates of cold rows, best first.
    pub fn add_others(&self, cold: &[(f64, f64, i32)], state: &mut QueryState) {
        let rescored = RESCORED.saturating_mul(self.wanted);
        if !state.by_bytes {
            self.rate_others_by_bytes(state);
        }
        let others = std::mem::replace(&mut state.others, Pool::new(0)).finish();
        state.bounds.widen(self.wanted);
        let known: HashSet<i32> = state.bounds.labels().collect();
        for Candidate { part, row, .. } in others.into_iter().take(rescored) {
            let (one, row) = (&self.selected[part as usize], row as usize);
            if !known.contains(&one.part.segment.labels()[row]) {
                self.rescore_row(one, row, state);
            }
        }
        for &(estimate, error, label) in cold.iter().take(rescored) {
            if !known.contains(&label) {
                state.bounds.offer(label, estimate, error);
            }
        }
    }
}
