//! What readers see: an immutable list of segments, each with its number of rows and its dead ones.

use super::bits::bits;
use super::segment::Segment;
use std::sync::Arc;

/// A state of the shard. A search works on one, so it finds every pattern of that state once, whatever is
/// written meanwhile.
#[derive(Clone, Default)]
pub struct View {
    /// By slot; a free slot is None.
    pub parts: Vec<Option<Part>>,
}

/// A segment as one state of the shard has it.
#[derive(Clone)]
pub struct Part {
    /// The rows, which other states may share.
    pub segment: Arc<Segment>,
    /// Rows of the segment that belong to this state.
    pub count: usize,
    /// A bit a row, set where it is dead; empty while none is. Shared with other views until one changes it.
    dead: Arc<Vec<u64>>,
    /// How many of the rows are dead.
    pub dead_count: usize,
}

impl View {
    pub fn parts(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.parts.iter().enumerate().filter_map(|(slot, part)| Some((slot, part.as_ref()?)))
    }
}

impl Part {
    /// Of a segment, with none of its rows as yet.
    pub fn new(segment: Arc<Segment>) -> Self {
        Self { segment, count: 0, dead: Arc::new(Vec::new()), dead_count: 0 }
    }

    /// Rows that are not dead.
    pub fn living(&self) -> usize {
        self.count - self.dead_count
    }

    /// Makes a row dead; the segment stays as it is.
    ///
    /// # Panics
    /// Where `row` is beyond the segment's capacity.
    pub fn kill(&mut self, row: usize) {
        let words = self.segment.capacity.div_ceil(64);
        let dead = Arc::make_mut(&mut self.dead);
        dead.resize(words, 0);
        self.dead_count += usize::from(dead[row / 64] & 1 << (row % 64) == 0);
        dead[row / 64] |= 1 << (row % 64);
    }

    /// The living rows of the 64 from `64 * block` on, a bit each.
    #[inline]
    pub fn alive(&self, block: usize) -> u64 {
        let rows = self.count.saturating_sub(64 * block).min(64);
        let shown = if rows == 64 { u64::MAX } else { (1 << rows) - 1 };
        shown & !self.dead.get(block).copied().unwrap_or(0)
    }

    /// Whether a row is there and not dead.
    pub fn is_alive(&self, row: usize) -> bool {
        self.alive(row / 64) >> (row % 64) & 1 == 1
    }

    /// Blocks of 64 rows, the last one may be shorter.
    pub fn blocks(&self) -> usize {
        self.count.div_ceil(64)
    }

    /// Rows that are not dead, in order.
    pub fn living_rows(&self) -> impl Iterator<Item = usize> {
        (0..self.blocks()).flat_map(|block| bits(self.alive(block)).map(move |bit| 64 * block + bit))
    }

    /// Memory of the bits of dead rows.
    pub fn memory(&self) -> usize {
        8 * self.dead.capacity()
    }
}
