//! A pass over the rows that a search looks at, and the queries on their way through it.

use super::bounds::Bounds;
use super::pool::{Candidate, Pool};
use super::query::Query;
use super::scan_mode::ScanMode;
use super::select::Selected;
use crate::kernels::Kernels;

/// Rows of most promise that are looked at closely first, which rules out others; twice `k` where that is more.
pub(super) const FIRST: usize = 16;

/// One pass over the selected rows.
pub(super) struct ScanPass<'a> {
    pub(super) kernels: &'static Kernels,
    pub(super) selected: &'a [Selected<'a>],
    pub(super) look: ScanMode,
    /// Rows that are surely found.
    pub(super) k: usize,
    /// Rows of the result, `k` or more.
    pub(super) wanted: usize,
    pub(super) min_score: f64,
    pub(super) cold_pool: usize,
    /// Whether bytes are read from memory, not from the cache.
    pub(super) streams: bool,
    /// Whether sign codes are read from memory, not from the cache.
    pub(super) signs_stream: bool,
    /// Standard deviations by which bounds from signs are wider than the estimate.
    pub(super) deviations: f32,
    /// Rows after which signs are judged by how many they leave.
    pub(super) signs_tried: usize,
    pub(super) has_warm: bool,
    pub(super) has_cold: bool,
}

/// One query on its way through a pass.
pub(super) struct QueryState<'a> {
    pub(super) query: Query<'a>,
    pub(super) bounds: Bounds,
    /// Rows that may belong to the result, for a closer look.
    pub(super) near: Vec<Candidate>,
    /// How many of them are enough to narrow them down.
    pub(super) narrow_at: usize,
    /// Rows whose signs were looked at.
    pub(super) seen: usize,
    /// Rows of lists that were looked at.
    pub(super) in_lists: usize,
    /// Bytes are looked at, not signs: always, or since the signs told too little.
    pub(super) by_bytes: bool,
    pub(super) cold: Pool,
    /// Hot and warm rows that can score most, where more are wanted than are surely found.
    pub(super) others: Pool,
}
