//! The evaluation of a filter, which others can interrupt.

use super::evaluate::Found;
use super::filter::Filter;
use roaring::RoaringBitmap;
use std::time::Instant;

/// A filter, and what is known of it so far: the index may change between two turns of its evaluation.
#[derive(Debug)]
pub struct Search {
    pub(super) filter: Filter,
    /// By condition, in the order in which they are evaluated.
    known: Vec<Found>,
    /// Labels whose documents were put or removed meanwhile: what conditions say of these is of different times.
    pub(super) changed: RoaringBitmap,
}

impl Search {
    /// For what a filter says, of which nothing is known.
    pub fn new(filter: Filter) -> Self {
        Self { filter, known: Vec::new(), changed: RoaringBitmap::new() }
    }

    /// To be told of every change of the index from the first turn on.
    pub fn note_changes(&mut self, labels: &[i32]) {
        self.changed.extend(labels.iter().map(|label| label.cast_unsigned()));
    }

    /// The filter, and what is known of its conditions, for a turn up to a time.
    pub(super) fn turn(&mut self, until: Instant) -> (&Filter, Turn<'_>) {
        let before = self.known.len();
        (&self.filter, Turn { known: &mut self.known, before, at: 0, until })
    }
}

/// A part of an evaluation: what is known of conditions is said again, and that of at least one more found.
pub(super) struct Turn<'a> {
    known: &'a mut Vec<Found>,
    /// How many were known when it began.
    before: usize,
    /// The condition that is next.
    at: usize,
    until: Instant,
}

impl Turn<'_> {
    /// What the next condition says; none where there is no time left to find it.
    pub fn next(&mut self, find: impl FnOnce() -> Found) -> Option<Found> {
        if self.at == self.known.len() {
            if self.at > self.before && Instant::now() >= self.until {
                return None;
            }
            self.known.push(find());
        }
        self.at += 1;
        self.known.get(self.at - 1).cloned()
    }
}
