//! An index of the metadata of patterns, which finds those that a filter describes. What a filter means is defined by the
//! service's `matches`; the index finds the same, and says of which patterns it can't know.

mod documents;
mod error;
mod evaluate;
mod field;
mod filter;
mod found;
mod index;
mod search;
mod snapshot;
mod value;

pub use error::MetadataError;
pub use evaluate::Page;
pub use filter::Filter;
pub use found::Found;
pub use index::{Document, Metadata, Reserved, Stats, Times};
pub use search::Search;
