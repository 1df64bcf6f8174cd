//! Sixty-four rows of a segment, of which a search scans some.

use super::bits::bits;

/// Up to so many selected rows are scanned one by one; with more, a kernel scans the whole block.
const FEW: u32 = 12;

/// The rows of a block.
#[derive(Clone, Copy)]
pub struct Block {
    /// Number of the block's first row in the segment.
    pub first: usize,
    /// Rows of the block: 64 but for the last block of a segment.
    pub length: usize,
    /// The selected rows, a bit each.
    pub rows: u64,
}

impl Block {
    /// Whether so few rows are selected that to scan them one by one is faster than a kernel over all.
    pub fn few(self) -> bool {
        self.rows.count_ones() <= FEW
    }

    /// Numbers in the segment of the rows selected.
    pub fn selected(self) -> impl Iterator<Item = usize> {
        bits(self.rows).map(move |bit| self.first + bit)
    }

    /// The block's elements of an array with `width` elements for each row of the segment.
    pub fn part<T>(self, values: &[T], width: usize) -> &[T] {
        &values[self.first * width..(self.first + self.length) * width]
    }

    /// The elements of the next block, to ask the processor for them ahead; empty behind the last one.
    pub fn next<T>(self, values: &[T], width: usize) -> &[T] {
        let rest = values.get((self.first + self.length) * width..).unwrap_or(&[]);
        &rest[..rest.len().min(self.length * width)]
    }
}
