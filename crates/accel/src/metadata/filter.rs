//! Filters, as the service has read and checked them.

use serde::Deserialize;

/// What a filter says; see `Filter` in the service's `filter.ts`.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[allow(missing_docs, reason = "the service's own says what they are")]
pub enum Filter {
    And { of: Vec<Filter> },
    Or { of: Vec<Filter> },
    Not { of: Box<Filter> },
    Equals { field: String, values: Vec<serde_json::Value> },
    Gt { field: String, than: serde_json::Value },
    Gte { field: String, than: serde_json::Value },
    Lt { field: String, than: serde_json::Value },
    Lte { field: String, than: serde_json::Value },
    Exists { field: String },
    Contains { field: String, part: serde_json::Value },
    StartsWith { field: String, prefix: String },
}
