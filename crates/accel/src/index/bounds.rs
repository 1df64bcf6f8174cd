//! Which rows may belong to the k best when some scores are only known within bounds.

use crate::ops::topk::TopK;

/// Results of one search, best first, the lower label on equal scores.
///
/// An exact hit has the cosine of its float32 key. The others are estimates; whoever replaces their scores by
/// cosines, sorts anew and keeps k has the k best rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// What rows are called, each once.
    pub labels: Vec<i32>,
    /// Cosines in [-1, 1], as many as labels.
    pub scores: Vec<f64>,
    /// 1 for an exact score, else 0.
    pub exact: Vec<u8>,
}

/// Gathers rows that may be among the k best. A row is out as soon as k others are at least as good for certain.
pub struct Bounds {
    k: usize,
    min_score: f64,
    /// The k greatest lower bounds of scores.
    lower_bounds: TopK,
    /// A row whose upper bound is less is out.
    needed: f64,
    hits: Vec<Hit>,
    /// Number of hits at which those that are out by now are dropped.
    prune_at: usize,
}

/// A row whose cosine is within `error` of `score`.
#[derive(Clone, Copy)]
struct Hit {
    label: i32,
    score: f64,
    error: f64,
}

impl Bounds {
    /// `k` is at most the number of rows.
    pub fn new(k: usize, min_score: f64) -> Self {
        let needed = if k == 0 { f64::INFINITY } else { min_score };
        Self { k, min_score, lower_bounds: TopK::new(k), needed, hits: Vec::new(), prune_at: 2 * HITS_MIN }
    }

    /// A row whose upper bound is less is out.
    #[inline]
    pub fn needed(&self) -> f64 {
        self.needed
    }

    /// `needed` in float32, rounded down.
    #[inline]
    pub fn needed_single(&self) -> f32 {
        (self.needed as f32).next_down()
    }

    /// Takes a row whose cosine is within `error` of `score`; 0 for an exact score.
    pub fn offer(&mut self, label: i32, score: f64, error: f64) {
        if score + error < self.needed {
            return;
        }
        // Adding 0 makes -0 into 0: they are one score.
        self.hits.push(Hit { label, score: score + 0.0, error });
        if score - error >= self.min_score {
            self.lower_bounds.offer(score - error, label);
            self.needed = self.needed.max(self.lower_bounds.least());
        }
        if self.hits.len() >= self.prune_at {
            self.prune();
        }
    }

    /// From now on gathers for a result of `k` rows, which is more. Rows that were out before have to be offered again.
    pub fn widen(&mut self, k: usize) {
        let before = std::mem::replace(self, Self::new(k, self.min_score));
        before.hits.iter().for_each(|hit| self.offer(hit.label, hit.score, hit.error));
    }

    /// The labels of all rows gathered.
    pub fn labels(&self) -> impl Iterator<Item = i32> {
        self.hits.iter().map(|hit| hit.label)
    }

    fn prune(&mut self) {
        self.hits.retain(|hit| hit.score + hit.error >= self.needed);
        self.prune_at = 2 * self.hits.len().max(HITS_MIN);
    }

    /// The k best of the exact hits, and all others that may be among the k best.
    pub fn finish(mut self) -> Found {
        self.prune();
        self.hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.label.cmp(&b.label)));
        let mut found = Found::default();
        let mut exact = 0;
        for Hit { label, score, error } in self.hits {
            if error == 0.0 {
                exact += 1;
                if exact > self.k {
                    continue;
                }
            }
            found.labels.push(label);
            found.scores.push(score.clamp(-1.0, 1.0));
            found.exact.push(u8::from(error == 0.0));
        }
        found
    }
}

/// Fewer hits are not worth sorting out.
const HITS_MIN: usize = 512;
