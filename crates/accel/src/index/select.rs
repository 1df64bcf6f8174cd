//! Which rows a search looks at.

use super::bits::bits;
use super::block::Block;
use super::error::IndexError;
use super::lists::ListRanges;
use super::locations::Location;
use super::tier::Tier;
use super::view::{Part, View};
use crate::labels::contains;

/// What a search asks for besides its query.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// How many rows are wanted at most.
    pub k: usize,
    /// Where binary codes are scanned, so many of the best rows are found as a search for these alone finds them. The others
    /// are chosen by their codes, which costs less, and finds at least nine of ten of the k best in all. Elsewhere all rows are
    /// found exactly.
    pub exact_k: usize,
    /// Rows of lower cosines are left out. Not NaN.
    pub min_score: f64,
    /// A row counts when all these bits are set in its flags.
    pub required_flags: u32,
    /// Bit l % 8 of byte l / 8 lets label l in; absent: all labels.
    pub allowed: Option<&'a [u8]>,
    /// `Tier::bit` of the tiers to look at.
    pub tiers: u32,
}

impl Search<'_> {
    /// How many rows are found as in a search for these alone, at least one.
    pub fn first(&self) -> usize {
        self.exact_k.max(1).min(self.k)
    }
}

impl Default for Search<'_> {
    fn default() -> Self {
        Self {
            k: 10,
            exact_k: usize::MAX,
            min_score: -1.0,
            required_flags: 1,
            allowed: None,
            tiers: Tier::EVERY,
        }
    }
}

/// The rows of a part that a search looks at.
pub struct Selected<'a> {
    pub part: &'a Part,
    /// A bit for each selected row; absent: all living rows.
    mask: Option<Vec<u64>>,
    /// How many rows are selected.
    pub count: usize,
}

impl Selected<'_> {
    /// Blocks of 64 rows in which some are selected.
    pub fn blocks(&self) -> impl Iterator<Item = Block> {
        self.blocks_within(0, self.part.count)
    }

    /// Blocks of 64 rows in which some are selected, of the rows from `first` to before `end`.
    pub fn blocks_within(&self, first: usize, end: usize) -> impl Iterator<Item = Block> {
        let blocks = (first / 64..end.div_ceil(64)).map(move |block| Block {
            first: 64 * block,
            length: (self.part.count - 64 * block).min(64),
            rows: match &self.mask {
                Some(mask) => mask[block],
                None => self.part.alive(block),
            } & between(first.max(64 * block) - 64 * block, end.min(64 * block + 64) - 64 * block),
        });
        blocks.filter(|block| block.rows != 0)
    }

    /// The blocks of rows in the lists chosen, in ascending order.
    pub fn blocks_in_lists(&self, ListRanges { ranges: all, .. }: &ListRanges, chosen: &[u32]) -> Vec<Block> {
        // A segment holds a few lists, side by side.
        let Some(last) = all.last() else { return Vec::new() };
        let from = chosen.partition_point(|&list| list < all[0].list);
        let to = chosen.partition_point(|&list| list <= last.list);
        let mut first = 0;
        let ranges = chosen[from..to].iter().filter_map(|&list| {
            first += all[first..].partition_point(|range| range.list < list);
            all.get(first).filter(|range| range.list == list)
        });
        let mut ranges = ranges.peekable();
        let mut blocks = Vec::new();
        while let Some(range) = ranges.next() {
            let mut end = range.end;
            while let Some(next) = ranges.next_if(|next| next.first == end) {
                end = next.end;
            }
            blocks.extend(self.blocks_within(range.first, end));
        }
        blocks
    }
}

/// The parts of the tiers asked for with the rows that flags and the allow-set let in.
/// @param few where the rows are that the allow-set lets in, when that is known
pub fn select<'a>(
    view: &'a View,
    search: &Search,
    few: Option<&[Location]>,
) -> Result<Vec<Selected<'a>>, IndexError> {
    if search.min_score.is_nan() {
        return Err(IndexError::NotFinite { what: "minScore", at: 0 });
    }
    let parts = view.parts().filter(|(_, part)| search.tiers & part.segment.tier.bit() != 0);
    if let Some(few) = few {
        return Ok(select_few(parts, search, few));
    }
    let selected = parts.map(|(_, part)| {
        // All rows in a view are alive.
        if search.allowed.is_none() && search.required_flags & !1 == 0 {
            return Selected { part, mask: None, count: part.living() };
        }
        let (labels, flags) = (part.segment.labels(), part.segment.flags());
        let passes = |row: usize| {
            u32::from(flags[row]) & search.required_flags == search.required_flags
                && search.allowed.is_none_or(|allowed| contains(allowed, labels[row]))
        };
        let mask: Vec<u64> = (0..part.blocks())
            .map(|block| {
                let alive = bits(part.alive(block));
                alive.fold(0, |mask, bit| mask | u64::from(passes(64 * block + bit)) << bit)
            })
            .collect();
        let count = mask.iter().map(|word| word.count_ones() as usize).sum();
        Selected { part, mask: Some(mask), count }
    });
    Ok(selected.filter(|selected| selected.count > 0).collect())
}

/// @param few in the order of their slots
fn select_few<'a>(
    parts: impl Iterator<Item = (usize, &'a Part)>,
    search: &Search,
    few: &[Location],
) -> Vec<Selected<'a>> {
    let selected = parts.filter_map(|(slot, part)| {
        let from = few.partition_point(|at| at.slot() < slot);
        let own = few[from..].iter().take_while(|at| at.slot() == slot);
        let flags = part.segment.flags();
        let (mut mask, mut count) = (Vec::new(), 0);
        for row in own.map(|at| at.row()).filter(|&row| part.is_alive(row)) {
            if u32::from(flags[row]) & search.required_flags == search.required_flags {
                mask.resize(part.blocks(), 0_u64);
                mask[row / 64] |= 1 << (row % 64);
                count += 1;
            }
        }
        (count > 0).then_some(Selected { part, mask: Some(mask), count })
    });
    selected.collect()
}

/// A word with the bits from `first` to before `end` set; `end` is greater.
fn between(first: usize, end: usize) -> u64 {
    u64::MAX >> (64 - (end - first)) << first
}
