//! The rows of a result that need not be found surely: the best of those whose codes promise most.

use super::pass::{QueryState, ScanPass};
use super::pool::{Candidate, Pool};
use std::collections::HashSet;

/// Rows kept for each one that is wanted, by what their codes allow them to score.
const KEPT: usize = 16;
/// Rows looked at closely for each one that is wanted: the best of those kept by what their bytes show. Signs do not choose
/// them: in round clusters of 2,400 rows signs find 70 of 100.
const LOOKED_AT: usize = 2;

impl ScanPass<'_> {
    /// Whether more rows are wanted than are surely found.
    pub fn has_others(&self) -> bool {
        self.wanted > self.k
    }

    pub fn pool_of_others(&self) -> Pool {
        Pool::new(if self.has_others() { KEPT.saturating_mul(self.wanted) } else { 0 })
    }

    /// What a row must be able to score to be kept for a closer look, or among the others.
    pub fn threshold(&self, running: &QueryState) -> f32 {
        let needed = running.bounds.needed_single();
        if self.has_others() {
            needed.min(running.others.threshold().max((self.min_score as f32).next_down()))
        } else {
            needed
        }
    }

    /// Rates by their bytes the rows that signs have kept.
    pub fn rate_others_by_bytes(&self, running: &mut QueryState) {
        for candidate in std::mem::replace(&mut running.others, self.pool_of_others()).finish() {
            let at_most = self.at_most_by_bytes(&candidate, running);
            running.others.offer(Candidate { at_most, ..candidate });
        }
    }

    /// Adds to the rows surely found the best others. `cold` are estimates of cold rows, best first.
    pub fn add_others(&self, cold: &[(f64, f64, i32)], running: &mut QueryState) {
        let looked_at = LOOKED_AT.saturating_mul(self.wanted);
        if !running.by_bytes {
            self.rate_others_by_bytes(running);
        }
        let others = std::mem::replace(&mut running.others, Pool::new(0)).finish();
        running.bounds.widen(self.wanted);
        let known: HashSet<i32> = running.bounds.labels().collect();
        for Candidate { part, row, .. } in others.into_iter().take(looked_at) {
            let (one, row) = (&self.selected[part as usize], row as usize);
            if !known.contains(&one.part.segment.labels()[row]) {
                self.look_closely(one, row, running);
            }
        }
        for &(estimate, error, label) in cold.iter().take(looked_at) {
            if !known.contains(&label) {
                running.bounds.offer(label, estimate, error);
            }
        }
    }
}
