//! The rows of the greatest upper bounds, which are rescored.

/// A row of a selected part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The most that it can score.
    pub upper_bound: f32,
    /// Number among the selected parts.
    pub part: u32,
    pub row: u32,
}

/// Keeps the `capacity` best of all rows offered, in batches: sorting out is linear on average.
pub struct Pool {
    capacity: usize,
    threshold: f32,
    candidates: Vec<Candidate>,
}

impl Pool {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, threshold: f32::NEG_INFINITY, candidates: Vec::new() }
    }

    /// No row of a greater upper bound was dropped; rows of lesser ones need not be offered.
    #[inline]
    pub fn threshold(&self) -> f32 {
        self.threshold
    }

    #[inline]
    pub fn offer(&mut self, candidate: Candidate) {
        if candidate.upper_bound >= self.threshold {
            self.candidates.push(candidate);
            if self.candidates.len() >= 2 * self.capacity.max(32) {
                self.shrink();
            }
        }
    }

    fn shrink(&mut self) {
        if self.candidates.len() > self.capacity {
            self.candidates
                .select_nth_unstable_by(self.capacity, |a, b| b.upper_bound.total_cmp(&a.upper_bound));
            self.threshold = self.candidates[self.capacity].upper_bound;
            self.candidates.truncate(self.capacity);
        }
    }

    /// The `count` best so far, in no order.
    pub fn best(&self, count: usize) -> Vec<Candidate> {
        let mut candidates = self.candidates.clone();
        if count < candidates.len() {
            candidates.select_nth_unstable_by(count, |a, b| b.upper_bound.total_cmp(&a.upper_bound));
            candidates.truncate(count);
        }
        candidates
    }

    /// The rows kept, best first. Of rows of equal upper bounds some may have been dropped.
    pub fn finish(mut self) -> Vec<Candidate> {
        let threshold = self.threshold;
        self.candidates.retain(|candidate| candidate.upper_bound >= threshold);
        self.candidates.sort_unstable_by(|a, b| b.upper_bound.total_cmp(&a.upper_bound));
        self.candidates
    }
}
