//! An index as bytes: what it would take long to read from the database again.

use super::error::MetadataError;
use super::index::Metadata;
use crate::files;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::Path;
use xxhash_rust::xxh64::xxh64;

/// Another layout is another format.
const MAGIC: &[u8; 8] = b"memmeta2";
const HASH: usize = 8;

/// An index, and what its file says of it.
#[derive(Deserialize, Serialize)]
struct Snapshot<T> {
    name: String,
    version: u64,
    index: T,
}

impl Metadata {
    /// Writes the index with a name and a number that the caller reads back with it. The file appears under its path when it is
    /// whole and on the disk.
    pub fn save(&self, path: &Path, name: &str, version: u64) -> Result<(), MetadataError> {
        let snapshot = Snapshot { name: name.to_owned(), version, index: self };
        let bytes = postcard::to_extend(&snapshot, MAGIC.to_vec()).map_err(|_| MetadataError::Damaged)?;
        files::replace(path, |file| {
            file.write_all(&bytes)?;
            Ok(file.write_all(&xxh64(&bytes, 0).to_le_bytes())?)
        })
    }

    /// What was saved under a name, and the number that was saved with it. A file that was changed is not read.
    pub fn load(path: &Path, name: &str) -> Result<(Self, u64), MetadataError> {
        let bytes = fs::read(path)?;
        let (content, hash) = bytes.split_last_chunk::<HASH>().ok_or(MetadataError::Damaged)?;
        let body = content.strip_prefix(MAGIC).ok_or(MetadataError::Damaged)?;
        if xxh64(content, 0) != u64::from_le_bytes(*hash) {
            return Err(MetadataError::Damaged);
        }
        let snapshot: Snapshot<Self> = postcard::from_bytes(body).map_err(|_| MetadataError::Damaged)?;
        if snapshot.name != name {
            return Err(MetadataError::Damaged);
        }
        let mut index = snapshot.index;
        for field in &mut index.fields {
            field.restore();
        }
        Ok((index, snapshot.version))
    }
}
