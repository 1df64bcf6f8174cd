//! What is found, and how that of two parts of a filter is combined.

use roaring::RoaringBitmap;

/// What an index knows of a filter: these documents are what it says, and of those it can't know; no others are.
#[derive(Debug, Default)]
pub struct Found {
    /// Labels.
    pub sure: RoaringBitmap,
    /// Labels, none of which is sure.
    pub unsure: RoaringBitmap,
}

impl Found {
    /// @param unsure may have labels that are sure
    pub(super) fn new(sure: RoaringBitmap, unsure: RoaringBitmap) -> Self {
        let unsure = unsure - &sure;
        Self { sure, unsure }
    }

    pub(super) fn sure(sure: RoaringBitmap) -> Self {
        Self { sure, unsure: RoaringBitmap::new() }
    }

    pub(super) fn and(self, other: Self) -> Self {
        let sure = &self.sure & &other.sure;
        Self::new(sure, (self.sure | self.unsure) & (other.sure | other.unsure))
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self::new(self.sure | other.sure, self.unsure | other.unsure)
    }

    /// @param all the labels that there are
    pub(super) fn not(self, all: &RoaringBitmap) -> Self {
        Self { sure: all - (self.sure | &self.unsure), unsure: self.unsure }
    }
}
