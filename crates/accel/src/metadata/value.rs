//! Values of fields, in an order in which comparable ones stand together.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::Arc;

/// A value that is kept. Null, then booleans, numbers, and strings by their UTF-8, which is the order of code points.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(Arc<str>),
}

impl Value {
    fn kind(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Number(_) => 2,
            Self::Text(_) => 3,
        }
    }

    /// Whether two values are of one kind.
    pub fn is_like(&self, other: &Self) -> bool {
        self.kind() == other.kind()
    }

    /// A number; 0 and -0 are one.
    pub fn number(number: f64) -> Self {
        Self::Number(if number == 0.0 { 0.0 } else { number })
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
            _ => self.kind().cmp(&other.kind()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}
