//! Rows of one tier, column by column.

use super::encode::{Centre, words};
use super::error::IndexError;
use super::lists::ListRanges;
use super::locations::Location;
use super::row::Row;
use super::section::Section;
use super::tier::Tier;
use crate::kernels::column::Column;
use std::io::Read;
use std::sync::Arc;

/// A fixed number of places for rows of one tier. Rows are appended and never change; which of them are dead
/// and how many may be read stands in the view.
pub struct Segment {
    pub tier: Tier,
    pub capacity: usize,
    pub dimensions: usize,
    pub centre: Arc<Centre>,
    /// Where the rows of each list lie, if they are sorted by list.
    pub ranges: Option<ListRanges>,
    labels: Column<i32>,
    flags: Column<u8>,
    sign_codes: Column<u32>,
    sign_scalars: Column<[f32; 2]>,
    bytes: Option<ByteColumns>,
    keys: Option<KeyColumns>,
}

struct ByteColumns {
    codes: Column<i8>,
    scalars: Column<[f32; 2]>,
}

struct KeyColumns {
    values: Column<f32>,
    inverse_norms: Column<f64>,
}

/// Several rows, column by column.
pub struct Rows<'a> {
    pub labels: &'a [i32],
    pub flags: &'a [u8],
    pub sign_codes: &'a [u32],
    pub sign_scalars: &'a [[f32; 2]],
    pub bytes: Option<(&'a [i8], &'a [[f32; 2]])>,
    pub keys: Option<(&'a [f32], &'a [f64])>,
}

/// Values of all keys of the largest segment.
const KEY_VALUES_MAX: usize = 1 << 22;

impl Segment {
    /// Rows of the first segment of a shard: one of 10 patterns takes little memory.
    pub const ROWS_MIN: usize = 16;

    /// Rows of the largest: as many as make 16 MiB of keys, so that rewriting one is bounded work.
    pub fn rows_max(dimensions: usize) -> usize {
        (1 << (KEY_VALUES_MAX / dimensions).ilog2()).min(Location::ROWS)
    }

    pub fn new(
        tier: Tier,
        dimensions: usize,
        capacity: usize,
        centre: Arc<Centre>,
    ) -> Result<Self, IndexError> {
        let bytes = if tier == Tier::Cold {
            None
        } else {
            Some(ByteColumns { codes: column(capacity * dimensions)?, scalars: column(capacity)? })
        };
        let keys = if tier == Tier::Hot {
            Some(KeyColumns { values: column(capacity * dimensions)?, inverse_norms: column(capacity)? })
        } else {
            None
        };
        Ok(Self {
            tier,
            capacity,
            dimensions,
            centre,
            ranges: None,
            labels: column(capacity)?,
            flags: column(capacity)?,
            sign_codes: column(capacity * words(dimensions))?,
            sign_scalars: column(capacity)?,
            bytes,
            keys,
        })
    }

    /// Rows written, whether or not a view shows them.
    pub fn written(&self) -> usize {
        self.labels.values().len()
    }

    /// Appends a row with all that the tier keeps; see `extend`.
    pub fn append(&self, row: &Row) {
        self.extend(&Rows {
            labels: &[row.label],
            flags: &[row.flags],
            sign_codes: row.sign_code,
            sign_scalars: &[row.sign_scalars],
            bytes: row.bytes.as_ref().map(|(code, scalars)| (*code, std::slice::from_ref(scalars))),
            keys: row.key.as_ref().map(|(values, norm)| (*values, std::slice::from_ref(norm))),
        });
    }

    /// Appends rows. Only the shard's writer does.
    ///
    /// # Panics
    /// When there is no room or a column is missing.
    pub fn extend(&self, rows: &Rows) {
        if let Some(keys) = &self.keys {
            let (values, inverse_norms) = rows.keys.expect("hot rows have their keys");
            keys.values.append(values);
            keys.inverse_norms.append(inverse_norms);
        }
        if let Some(bytes) = &self.bytes {
            let (codes, scalars) = rows.bytes.expect("hot and warm rows have their bytes");
            bytes.codes.append(codes);
            bytes.scalars.append(scalars);
        }
        self.sign_codes.append(rows.sign_codes);
        self.sign_scalars.append(rows.sign_scalars);
        self.flags.append(rows.flags);
        self.labels.append(rows.labels);
    }

    /// Appends `rows` rows that a section has column by column, in the order of a snapshot.
    /// Only for a segment that nobody else has: where it fails, some columns are longer than others.
    pub fn read<R: Read>(&self, rows: usize, section: &mut Section<R>) -> Result<(), IndexError> {
        section.append_to(&self.labels, rows)?;
        section.append_to(&self.flags, rows)?;
        section.append_to(&self.sign_codes, rows * words(self.dimensions))?;
        section.append_to(&self.sign_scalars, rows)?;
        if let Some(bytes) = &self.bytes {
            section.append_to(&bytes.codes, rows * self.dimensions)?;
            section.append_to(&bytes.scalars, rows)?;
        }
        if let Some(keys) = &self.keys {
            section.append_to(&keys.values, rows * self.dimensions)?;
            section.append_to(&keys.inverse_norms, rows)?;
        }
        Ok(())
    }

    pub fn row(&self, row: usize) -> Row<'_> {
        let (sign_code, sign_scalars) = self.signs_of(row);
        Row {
            label: self.labels()[row],
            flags: self.flags()[row],
            sign_code,
            sign_scalars,
            bytes: self.bytes_of(row),
            key: self.key_of(row),
        }
    }

    /// A row's sign code and its scalars. Each column that is read may miss the cache: a search asks for what it needs.
    pub fn signs_of(&self, row: usize) -> (&[u32], [f32; 2]) {
        let words = words(self.dimensions);
        (&self.sign_codes()[row * words..][..words], self.sign_scalars()[row])
    }

    /// A hot or warm row's bytes and their scalars.
    pub fn bytes_of(&self, row: usize) -> Option<(&[i8], [f32; 2])> {
        let (codes, scalars) = self.bytes()?;
        Some((&codes[row * self.dimensions..][..self.dimensions], scalars[row]))
    }

    /// A hot row's values and 1 / their norm.
    pub fn key_of(&self, row: usize) -> Option<(&[f32], f64)> {
        let (values, inverse_norms) = self.keys()?;
        Some((&values[row * self.dimensions..][..self.dimensions], inverse_norms[row]))
    }

    pub fn labels(&self) -> &[i32] {
        self.labels.values()
    }

    pub fn flags(&self) -> &[u8] {
        self.flags.values()
    }

    /// `words(dimensions)` a row.
    pub fn sign_codes(&self) -> &[u32] {
        self.sign_codes.values()
    }

    pub fn sign_scalars(&self) -> &[[f32; 2]] {
        self.sign_scalars.values()
    }

    /// Codes, `dimensions` a row, and scalars.
    pub fn bytes(&self) -> Option<(&[i8], &[[f32; 2]])> {
        self.bytes.as_ref().map(|bytes| (bytes.codes.values(), bytes.scalars.values()))
    }

    /// Values, `dimensions` a row, and 1 / norms.
    pub fn keys(&self) -> Option<(&[f32], &[f64])> {
        self.keys.as_ref().map(|keys| (keys.values.values(), keys.inverse_norms.values()))
    }

    /// Bytes that one row takes.
    pub fn row_bytes(tier: Tier, dimensions: usize) -> usize {
        let signs = 4 + 1 + 4 * words(dimensions) + 8;
        let bytes = if tier == Tier::Cold { 0 } else { dimensions + 8 };
        let key = if tier == Tier::Hot { 4 * dimensions + 8 } else { 0 };
        signs + bytes + key
    }

    /// Memory of all columns.
    pub fn memory(&self) -> usize {
        let bytes = self.bytes.as_ref().map_or(0, |bytes| bytes.codes.bytes() + bytes.scalars.bytes());
        let keys = self.keys.as_ref().map_or(0, |keys| keys.values.bytes() + keys.inverse_norms.bytes());
        let signs = self.sign_codes.bytes() + self.sign_scalars.bytes();
        self.labels.bytes() + self.flags.bytes() + signs + bytes + keys
    }
}

fn column<T: Copy>(length: usize) -> Result<Column<T>, IndexError> {
    Column::new(length).ok_or(IndexError::Memory)
}
