//! Where each label's living row is.

use std::collections::HashMap;

/// A row of a segment: slot of the segment in the view, and row in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location(u32);

impl Location {
    /// Rows in a segment are below this number.
    pub const ROWS: usize = 1 << ROW_BITS;
    /// Slots of segments are below this number.
    pub const SLOTS: usize = (1 << (32 - ROW_BITS)) - 1;

    pub fn new(slot: usize, row: usize) -> Self {
        debug_assert!(slot < Self::SLOTS && row < Self::ROWS);
        Self((slot << ROW_BITS | row) as u32)
    }

    pub fn slot(self) -> usize {
        (self.0 >> ROW_BITS) as usize
    }

    pub fn row(self) -> usize {
        self.0 as usize & (Self::ROWS - 1)
    }
}

const ROW_BITS: u32 = 13;
/// In place of a location, for a label without a row.
const NOWHERE: u32 = u32::MAX;
/// Labels of a page.
const PAGE: usize = 256;

/// A map from labels to rows in about 4 bytes a label where labels are dense.
#[derive(Default)]
pub struct Locations {
    pages: HashMap<u32, Page>,
}

struct Page {
    /// How many of its labels have a row.
    used: usize,
    rows: Box<[u32; PAGE]>,
}

impl Locations {
    pub fn get(&self, label: i32) -> Option<Location> {
        let (page, at) = place(label);
        let row = self.pages.get(&page)?.rows[at];
        (row != NOWHERE).then_some(Location(row))
    }

    /// The locations of the labels that have a row. Labels in ascending order are found fastest: many are of one page.
    pub fn find_all(&self, labels: impl Iterator<Item = i32>) -> Vec<Location> {
        let mut last: Option<(u32, Option<&Page>)> = None;
        let find = |label| {
            let (number, at) = place(label);
            let page = match last {
                Some((known, page)) if known == number => page,
                _ => self.pages.get(&number),
            };
            last = Some((number, page));
            let row = page?.rows[at];
            (row != NOWHERE).then_some(Location(row))
        };
        labels.filter_map(find).collect()
    }

    pub fn set(&mut self, label: i32, location: Location) {
        let (page, at) = place(label);
        let page =
            self.pages.entry(page).or_insert_with(|| Page { used: 0, rows: Box::new([NOWHERE; PAGE]) });
        page.used += usize::from(page.rows[at] == NOWHERE);
        page.rows[at] = location.0;
    }

    pub fn remove(&mut self, label: i32) {
        let (number, at) = place(label);
        if let Some(page) = self.pages.get_mut(&number) {
            page.used -= usize::from(page.rows[at] != NOWHERE);
            page.rows[at] = NOWHERE;
            if page.used == 0 {
                self.pages.remove(&number);
            }
        }
    }

    /// Memory of the pages.
    pub fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<(u32, Page)>() + self.pages.len() * size_of::<[u32; PAGE]>()
    }
}

fn place(label: i32) -> (u32, usize) {
    let label = label.cast_unsigned();
    (label / PAGE as u32, label as usize % PAGE)
}
