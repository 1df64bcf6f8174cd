//! Which codes a search scans, by what was measured.

/// How a search looks at hot and warm rows first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanMode {
    /// Float32 keys of hot rows, bytes of warm ones.
    Keys,
    /// Bytes. Like the first, it misses nothing: bounds on the errors are proven.
    Bytes,
    /// Sign codes, from which the rows are looked at closely that may belong to the result but for a small
    /// probability; bytes, where signs turn out to rule out few.
    Signs,
}

impl ScanMode {
    /// The fastest that finds enough of the best rows.
    /// @param stored rows in the segments that these are in
    pub fn choose(dimensions: usize, rows: usize, stored: usize, k: usize) -> Self {
        if dimensions < SIGNS_DIMENSIONS || rows <= KEYS_ROWS {
            Self::Keys
        } else if rows <= BYTES_ROWS || rows < stored / SPARSE || k > rows / SIGNS_ROWS_FOR_EACH {
            Self::Bytes
        } else {
            Self::Signs
        }
    }
}

/// Up to so many rows a search, however it looks, finds what one at all their bytes does, but for one in 30,000 rows of
/// its result.
pub const CERTAIN_ROWS: usize = 20_000;
/// Codes of shorter keys tell too little.
const SIGNS_DIMENSIONS: usize = 64;
/// Bytes of fewer rows are not worth the coding of the query.
const KEYS_ROWS: usize = 64;
/// Up to here bytes, which fit into a core's second cache, are as fast as signs. Measured with 384 dimensions on
/// Sapphire Rapids.
const BYTES_ROWS: usize = 4_096;
/// Where fewer rows than one in so many are looked at, signs, which are compared 64 at a time, cost more than bytes of these
/// alone: with one in nine of 100,000 1.1 ms in place of 0.5.
const SPARSE: usize = 6;
/// Where more rows are wanted than one in so many, signs rule out too few.
const SIGNS_ROWS_FOR_EACH: usize = 400;
