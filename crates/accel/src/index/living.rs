//! A part without its dead rows.

use super::encode::Encoder;
use super::error::IndexError;
use super::lists::{ListRange, ListRanges};
use super::locations::Location;
use super::segment::Segment;
use super::tier::Tier;
use super::view::Part;
use std::sync::Arc;

impl Part {
    /// The living rows, of which there may be none, in a new segment of the same or a colder tier, and where they were. They
    /// stay in their lists.
    pub(super) fn rewritten(
        &self,
        slot: usize,
        tier: Tier,
        encoder: &mut Encoder,
    ) -> Result<(Self, Vec<Location>), IndexError> {
        let source = &self.segment;
        let (dimensions, centre) = (source.dimensions, &source.centre);
        let capacity = self.living().max(1);
        let mut target = Segment::new(tier, dimensions, capacity, Arc::clone(centre))?;
        for row in self.living_rows() {
            target.append(&encoder.recode(source.row(row), centre, centre, tier));
        }
        target.ranges = source.ranges.as_ref().map(|ranges| self.living_ranges(ranges));
        let mut part = Self::new(Arc::new(target));
        part.count = self.living();
        Ok((part, self.living_rows().map(|row| Location::new(slot, row)).collect()))
    }

    /// Where the living rows of each list lie when only they are left.
    pub(super) fn living_ranges(&self, ListRanges { lists, ranges }: &ListRanges) -> ListRanges {
        let mut living = self.living_rows().peekable();
        let mut end = 0;
        let ranges = ranges.iter().map(|range| {
            let first = end;
            while living.next_if(|&row| row < range.end).is_some() {
                end += 1;
            }
            ListRange { list: range.list, first, end }
        });
        ListRanges {
            lists: Arc::clone(lists),
            ranges: ranges.filter(|range| range.end > range.first).collect(),
        }
    }
}
