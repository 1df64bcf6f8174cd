//! Sixty-four rows of a segment, of which a search looks at some.

use super::bits::bits;

/// So many rows of a block and fewer are looked at one by one.
const FEW: u32 = 12;

/// The rows of a block.
#[derive(Clone, Copy)]
pub struct Block {
    /// Its first row.
    pub first: usize,
    /// Its length, 64 but for the last one of a segment.
    pub length: usize,
    /// The rows selected, a bit each.
    pub rows: u64,
}

impl Block {
    /// Whether so few are selected that a look at each is faster than a kernel over all.
    pub fn few(self) -> bool {
        self.rows.count_ones() <= FEW
    }

    /// Numbers in the segment of the rows selected.
    pub fn selected(self) -> impl Iterator<Item = usize> {
        bits(self.rows).map(move |bit| self.first + bit)
    }

    /// `width` elements of each row.
    pub fn part<T>(self, values: &[T], width: usize) -> &[T] {
        &values[self.first * width..(self.first + self.length) * width]
    }

    /// The same of as many rows that come after it, as far as there are any.
    pub fn next<T>(self, values: &[T], width: usize) -> &[T] {
        let rest = values.get((self.first + self.length) * width..).unwrap_or(&[]);
        &rest[..rest.len().min(self.length * width)]
    }
}
