//! Sets of documents, most of which are small.

use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

/// Up to so many documents a list takes less memory than a bitmap.
const FEW: usize = 16;

/// The documents that have some value.
#[derive(Debug, Deserialize, Serialize)]
pub enum Documents {
    /// In ascending order.
    Few(Vec<u32>),
    Many(RoaringBitmap),
}

impl Default for Documents {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Documents {
    /// Adds a document, and gives whether it was not there before.
    pub fn insert(&mut self, document: u32) -> bool {
        match self {
            Self::Many(all) => all.insert(document),
            Self::Few(few) => match few.binary_search(&document) {
                Ok(_) => false,
                Err(_) if few.len() == FEW => {
                    let mut all: RoaringBitmap = few.iter().copied().collect();
                    all.insert(document);
                    *self = Self::Many(all);
                    true
                }
                Err(at) => {
                    few.insert(at, document);
                    true
                }
            },
        }
    }

    pub fn remove(&mut self, document: u32) {
        match self {
            Self::Many(all) => {
                all.remove(document);
            }
            Self::Few(few) => {
                if let Ok(at) = few.binary_search(&document) {
                    few.remove(at);
                }
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Self::Many(all) => all.is_empty(),
            Self::Few(few) => few.is_empty(),
        }
    }

    /// Adds all documents to a bitmap.
    pub fn add_to(&self, found: &mut RoaringBitmap) {
        match self {
            Self::Many(all) => *found |= all,
            Self::Few(few) => found.extend(few.iter().copied()),
        }
    }
}
