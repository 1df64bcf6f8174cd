//! The metadata index for Node. Only the thread that made it changes and asks it.

use crate::binding::array::{Float64Array, Int32Array, Uint8Array};
use crate::binding::background::{Contained, in_background};
use crate::binding::whole;
use crate::metadata::{self, Document, Filter, MetadataError, Page, Search};
use napi::bindgen_prelude::{AsyncTask, Env, Error, ObjectFinalize, Result, Status, Task};
use napi_derive::napi;
use roaring::RoaringBitmap;
use std::path::Path;
use std::time::{Duration, Instant};

/// An index of the metadata of the patterns of a space.
#[napi(custom_finalize)]
pub struct Metadata {
    index: metadata::Metadata,
    version: f64,
    /// Bytes that the garbage collector was told of.
    reported: i64,
}

/// A filter, and how far it is evaluated where that takes more than one turn.
#[napi]
pub struct MetadataSearch {
    search: Search,
}

#[napi]
impl MetadataSearch {
    /// Must be told of all documents that are put or removed between two turns.
    #[napi(catch_unwind)]
    pub fn note_changes(&mut self, labels: &[i32]) {
        self.search.note_changes(labels);
    }
}

/// What an index knows of a filter.
#[napi(object, object_from_js = false)]
pub struct MetadataFound {
    /// Bit l % 8 of byte l / 8 is set for each label that the filter holds for.
    pub sure: Uint8Array,
    /// How many these are.
    pub count: f64,
    /// The labels of which the index can't know, in ascending order. The filter holds for no others.
    pub unsure: Int32Array,
}

/// A page of patterns in the order of one of their times.
#[napi(object, object_from_js = false)]
pub struct MetadataPage {
    pub labels: Int32Array,
    /// In ms since 1970.
    pub times: Float64Array,
}

/// What a metadata index holds.
#[napi(object, object_from_js = false)]
pub struct MetadataStats {
    pub documents: f64,
    /// Fields, those that every pattern has included.
    pub fields: f64,
    /// Distinct ones.
    pub values: f64,
    /// Patterns that expire, or are not valid for ever: a search may find others later.
    pub passing: f64,
    /// About how much memory it takes.
    pub bytes: f64,
}

#[napi]
impl Metadata {
    /// An empty index.
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::new_without_default, reason = "made by Node only")]
    pub fn new() -> Self {
        Self { index: metadata::Metadata::default(), version: 0.0, reported: 0 }
    }

    /// Adds documents, and replaces those that are there; of a label given twice the last counts.
    ///
    /// @param metadata JSON of an object each, or empty for none
    /// @param reserved subject, external id, category and tier of each, one after the other; undefined or null for none
    /// @param times when each was created, updated, happened, expires, is valid to, and becomes valid where that is yet to
    ///   come, in ms since 1970, one after the other; NaN for never
    #[napi(catch_unwind)]
    pub fn put(
        &mut self,
        env: Env,
        labels: &[i32],
        metadata: Vec<String>,
        reserved: Vec<Option<String>>,
        times: &[f64],
    ) -> Result<()> {
        if reserved.len() != 4 * labels.len() || times.len() != 6 * labels.len() {
            return Err(to_js(&MetadataError::Lengths));
        }
        let documents = metadata.iter().zip(reserved.chunks_exact(4)).zip(times.chunks_exact(6));
        let documents = documents.map(|((metadata, reserved), times)| Document {
            metadata,
            reserved: std::array::from_fn(|i| reserved[i].as_deref()),
            times: std::array::from_fn(|i| times[i]),
        });
        self.index.put(labels, &documents.collect::<Vec<_>>()).map_err(|error| to_js(&error))?;
        self.report(env)
    }

    /// Removes documents, and gives how many there were. Nothing is left of them.
    #[napi(catch_unwind)]
    pub fn remove(&mut self, env: Env, labels: &[i32]) -> Result<u32> {
        let removed = self.index.remove(labels);
        self.report(env)?;
        Ok(removed as u32)
    }

    /// A search for the documents that a filter holds for. The filter is JSON, as the service has read it.
    #[napi(catch_unwind)]
    pub fn search(&self, filter: String) -> Result<MetadataSearch> {
        let filter: Filter =
            serde_json::from_str(&filter).map_err(|error| to_js(&MetadataError::Filter(error)))?;
        Ok(MetadataSearch { search: Search::new(filter) })
    }

    /// The documents that a search's filter holds for and that have not expired by `now`, in ms since 1970; unless `all`
    /// are wanted, only those that are valid then. Null where that takes longer than `turn_ms`: ask again with the same
    /// search, until the first answer.
    #[napi(catch_unwind)]
    pub fn find(
        &self,
        search: &mut MetadataSearch,
        now: f64,
        all: bool,
        turn_ms: u32,
    ) -> Option<MetadataFound> {
        let until = Instant::now() + Duration::from_millis(turn_ms.into());
        let is_over = || Instant::now() >= until;
        let metadata::Found { sure, unsure } = self.index.find(&mut search.search, now, all, is_over)?;
        let count = sure.len() as f64;
        let unsure: Vec<_> = unsure.iter().map(u32::cast_signed).collect();
        Some(MetadataFound { sure: bits_of(&sure).into(), count, unsure: unsure.into() })
    }

    /// The next of some patterns (bit l % 8 of byte l / 8 of `among` for label l) in the order of a time, such as
    /// `$created_at`, those of one moment in the order of their labels; descending reverses all of that.
    ///
    /// @param after_label the last of the part before, and `after_at` its time
    #[napi(catch_unwind)]
    pub fn page(
        &self,
        among: &[u8],
        field: String,
        is_descending: bool,
        count: f64,
        after_label: Option<i32>,
        after_at: Option<f64>,
    ) -> Result<MetadataPage> {
        let after = after_label.map(|label| (after_at.unwrap_or(0.0), label.cast_unsigned()));
        let page = Page { field: &field, is_descending, count: whole("count", count)?, after };
        let places = self.index.page(among, &page);
        Ok(MetadataPage {
            labels: places.iter().map(|&(_, label)| label.cast_signed()).collect::<Vec<_>>().into(),
            times: places.iter().map(|&(at, _)| at).collect::<Vec<_>>().into(),
        })
    }

    /// How much it holds.
    #[napi(catch_unwind)]
    pub fn stats(&self) -> MetadataStats {
        let stats = self.index.stats();
        MetadataStats {
            documents: stats.documents as f64,
            fields: stats.fields as f64,
            values: stats.values as f64,
            passing: stats.passing as f64,
            bytes: stats.bytes as f64,
        }
    }

    /// What `save` was given, for a loaded index; else 0.
    #[napi(getter, catch_unwind)]
    pub fn version(&self) -> f64 {
        self.version
    }

    /// Saves all in a file, which replaces an older one when it is whole and on the disk.
    ///
    /// @param name whose it is: `loadMetadata` must be given the same
    #[napi(catch_unwind)]
    pub fn save(&self, path: String, name: String, version: f64) -> Result<()> {
        self.index.save(Path::new(&path), &name, version as u64).map_err(|error| to_js(&error))
    }

    /// Tells the garbage collector how much memory hangs on a small object.
    fn report(&mut self, env: Env) -> Result<()> {
        let bytes = self.index.stats().bytes as i64;
        env.adjust_external_memory(bytes - std::mem::replace(&mut self.reported, bytes))?;
        Ok(())
    }
}

impl ObjectFinalize for Metadata {
    fn finalize(self, env: Env) -> Result<()> {
        env.adjust_external_memory(-self.reported)?;
        Ok(())
    }
}

pub struct Load {
    path: String,
    name: String,
}

impl Task for Load {
    type Output = (metadata::Metadata, u64);
    type JsValue = Metadata;

    fn compute(&mut self) -> Result<Self::Output> {
        metadata::Metadata::load(Path::new(&self.path), &self.name).map_err(|error| to_js(&error))
    }

    fn resolve(&mut self, env: Env, (index, version): Self::Output) -> Result<Metadata> {
        let mut metadata = Metadata { index, version: version as f64, reported: 0 };
        metadata.report(env)?;
        Ok(metadata)
    }
}

/// An index as `save` wrote it, read in the background. Fails for a file that was changed or is another one's.
#[napi(catch_unwind, ts_return_type = "Promise<Metadata>")]
pub fn load_metadata(path: String, name: String) -> AsyncTask<Contained<Load>> {
    in_background(Load { path, name })
}

/// Bit l % 8 of byte l / 8 for each label. A word at a time: to set bits of one byte one after the other takes four times as
/// long.
fn bits_of(labels: &RoaringBitmap) -> Vec<u8> {
    let mut words = vec![0_u64; labels.max().map_or(0, |last| last as usize / 64 + 1)];
    let (mut at, mut word) = (0, 0_u64);
    for label in labels {
        if label as usize / 64 != at {
            words[at] = word;
            (at, word) = (label as usize / 64, 0);
        }
        word |= 1 << (label % 64);
    }
    if let Some(last) = words.get_mut(at) {
        *last = word;
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn to_js(error: &MetadataError) -> Error {
    Error::new(Status::InvalidArg, error.to_string())
}
