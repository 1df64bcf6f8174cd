//! What is found for a part of a filter, and how two parts are combined.

use roaring::RoaringBitmap;

/// What an index knows of a filter: for which documents it holds, and for which it may hold; it holds for no others.
#[derive(Debug, Default)]
pub struct Found {
    /// Labels of the documents that it holds for.
    pub sure: RoaringBitmap,
    /// Labels of those that it may hold for, none of which is sure.
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
