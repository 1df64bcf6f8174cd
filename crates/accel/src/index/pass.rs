//! A pass over the rows that a search scans, and the states of its queries.

use super::bounds::Bounds;
use super::pool::{Candidate, Pool};
use super::query::Query;
use super::scan_mode::ScanMode;
use super::select::Selected;
use crate::kernels::Kernels;

/// How many rows of the greatest upper bounds are rescored first, which rules out others; twice `k` where that is more.
pub(super) const FIRST: usize = 16;

/// One pass over the selected rows.
pub(super) struct ScanPass<'a> {
    pub(super) kernels: &'static Kernels,
    pub(super) selected: &'a [Selected<'a>],
    pub(super) mode: ScanMode,
    /// Rows of the result that are found for certain, but for the small probability that `deviations` allows.
    pub(super) k: usize,
    /// Rows of the result, `k` or more.
    pub(super) wanted: usize,
    pub(super) min_score: f64,
    /// How many cold rows are kept for a better estimate.
    pub(super) cold_pool: usize,
    /// Whether bytes are read from memory, not from the cache.
    pub(super) streams: bool,
    /// Whether sign codes are read from memory, not from the cache.
    pub(super) signs_stream: bool,
    /// Standard deviations by which bounds from signs are wider than the estimate.
    pub(super) deviations: f32,
    /// After so many rows it is judged whether signs rule out enough.
    pub(super) signs_tried: usize,
    pub(super) has_warm: bool,
    pub(super) has_cold: bool,
}

/// The state of one query in a pass.
pub(super) struct QueryState<'a> {
    pub(super) query: Query<'a>,
    pub(super) bounds: Bounds,
    /// Rows that may belong to the result, to be rescored.
    pub(super) candidates: Vec<Candidate>,
    /// At so many candidates they are narrowed down.
    pub(super) narrow_at: usize,
    /// How many rows were scanned by their signs.
    pub(super) seen: usize,
    /// How many rows in lists were scanned.
    pub(super) in_lists: usize,
    /// Whether bytes are scanned and not signs: always, or since signs ruled out too few rows.
    pub(super) by_bytes: bool,
    /// Cold rows of the greatest upper bounds.
    pub(super) cold: Pool,
    /// Hot and warm rows of the greatest upper bounds, where more rows are wanted than are found for certain.
    pub(super) others: Pool,
}
