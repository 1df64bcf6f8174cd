//! What a search scans, chosen by what was measured.

/// How a search scans hot and warm rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanMode {
    /// Float32 keys of hot rows, bytes of warm ones.
    Keys,
    /// Int8 codes. Like `Keys` it misses nothing: bounds on the errors are proven.
    Bytes,
    /// Binary codes (signs). Rows that may belong to the result are rescored; those that do are missed with a small
    /// probability. Where signs turn out to rule out few rows, int8 codes are scanned instead.
    Signs,
}

impl ScanMode {
    /// The fastest that finds enough of the best rows, for `k` of `rows` rows.
    /// @param stored rows of the segments that these are in, selected or not
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

/// Up to so many rows a search in any mode finds what a scan of all int8 codes does, but for one in 30,000 rows of its result.
pub const CERTAIN_ROWS: usize = 20_000;
/// Codes of shorter keys tell too little.
const SIGNS_DIMENSIONS: usize = 64;
/// With fewer rows it is not worth while to code the query.
const KEYS_ROWS: usize = 64;
/// Up to here bytes, which fit into a core's second cache, are as fast as signs. Measured with 384 dimensions on
/// Sapphire Rapids.
const BYTES_ROWS: usize = 4_096;
/// Where fewer rows than one in so many are selected, signs, which are compared 64 at a time, cost more than the int8 codes of
/// these alone: with one in nine of 100,000 1.1 ms in place of 0.5.
const SPARSE: usize = 6;
/// Where more rows are wanted than one in so many, signs rule out too few.
const SIGNS_ROWS_FOR_EACH: usize = 400;
