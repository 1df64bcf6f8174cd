//! Filters, as the service has read and checked them.

use super::field::{Interval, Walk};
use super::found::Found;
use serde::Deserialize;

/// What a filter says; see `Filter` in the service's `filter.ts`. The last three are what others come to as they are evaluated.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[allow(missing_docs, reason = "the service's own says what they are")]
pub enum Filter {
    And {
        of: Vec<Filter>,
    },
    Or {
        of: Vec<Filter>,
    },
    Not {
        of: Box<Filter>,
    },
    Equals {
        field: String,
        values: Vec<serde_json::Value>,
    },
    Gt {
        field: String,
        than: serde_json::Value,
    },
    Gte {
        field: String,
        than: serde_json::Value,
    },
    Lt {
        field: String,
        than: serde_json::Value,
    },
    Lte {
        field: String,
        than: serde_json::Value,
    },
    Exists {
        field: String,
    },
    Contains {
        field: String,
        part: serde_json::Value,
    },
    StartsWith {
        field: String,
        prefix: String,
    },
    /// A value in an interval; or a list with an element within each of its ends, which may be one or two.
    #[serde(skip)]
    Within {
        field: String,
        interval: Interval,
        ends: Vec<Interval>,
    },
    /// A value, of a list an element, that a walk finds.
    #[serde(skip)]
    Walk {
        field: String,
        walk: Walk,
    },
    #[serde(skip)]
    Known(Found),
}
