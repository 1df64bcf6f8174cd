//! The vector index: the keys of one space and dimension in up to three tiers, searched by many threads while
//! one writes.
//!
//! Rows lie in segments (`segment`) that only grow. A state of the shard is a view (`view`): the segments, how
//! many rows of each belong to it and which of those are dead. A change makes the next view and publishes it at
//! once, so a reader needs no lock and sees whole changes only.

mod approximate_tail;
mod arrange;
mod bits;
mod block;
mod bounds;
mod encode;
mod error;
mod lanes;
mod list_stats;
mod lists;
mod living;
mod locations;
mod pass;
mod planes;
mod pool;
mod probe;
mod query;
mod rescore;
mod rewrite;
mod row;
mod scan;
mod scan_mode;
mod search;
mod section;
mod segment;
mod select;
mod shard;
mod snapshot;
mod tier;
mod view;

pub use bounds::Found;
pub use error::IndexError;
pub use rewrite::Demotion;
pub use scan_mode::ScanMode;
pub use select::Search;
pub use shard::{DIMENSIONS_MAX, Shard, Stats};
pub use tier::Tier;
pub use view::Part;
