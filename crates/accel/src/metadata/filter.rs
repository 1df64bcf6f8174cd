//! Filters, as the service has read and checked them.

use super::field::{Interval, Walk};
use super::found::Found;
use serde::Deserialize;

/// A filter; see `Filter` in the service's `filter.ts`. The last three kinds are what others become as they are evaluated.
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
    /// A value in an interval; or a list with an element in each of `ends`, the half-open intervals that it is made of, one
    /// or two.
    #[serde(skip)]
    Within {
        field: String,
        interval: Interval,
        ends: Vec<Interval>,
    },
    /// A value, or an element of a list, that a walk finds.
    #[serde(skip)]
    Walk {
        field: String,
        walk: Walk,
    },
    /// What is known of a part that was evaluated.
    #[serde(skip)]
    Known(Found),
}
