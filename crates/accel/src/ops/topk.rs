use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Results of a search, best first: as many scores as labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    /// What rows are called.
    pub labels: Vec<i32>,
    /// Cosines in [-1, 1].
    pub scores: Vec<f64>,
}

/// Keeps the k best (score, label) pairs offered: higher score first, the lower label on equal scores.
pub struct TopK {
    capacity: usize,
    /// The worst pair is at the top, so that one comparison rejects most offers.
    heap: BinaryHeap<Hit>,
}

impl TopK {
    /// Keeps `capacity` pairs; 0 keeps none.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, heap: BinaryHeap::with_capacity(capacity) }
    }

    /// What an offer must at least score; -infinity while there is room.
    pub fn least(&self) -> f64 {
        match self.heap.peek() {
            Some(worst) if self.heap.len() == self.capacity => worst.score,
            _ if self.capacity == 0 => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        }
    }

    /// `score` is a number, not NaN.
    pub fn offer(&mut self, score: f64, label: i32) {
        // Adding 0 makes -0 into 0: they are one score.
        let hit = Hit { score: score + 0.0, label };
        if self.heap.len() < self.capacity {
            self.heap.push(hit);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && hit < *worst
        {
            *worst = hit;
        }
    }

    /// The pairs kept, best first.
    pub fn sorted(self) -> Hits {
        let hits = self.heap.into_sorted_vec();
        Hits {
            labels: hits.iter().map(|hit| hit.label).collect(),
            scores: hits.iter().map(|hit| hit.score).collect(),
        }
    }
}

/// Better pairs are less.
struct Hit {
    score: f64,
    label: i32,
}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.label.cmp(&other.label))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Hit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Hit {}
