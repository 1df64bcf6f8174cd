//! The vector index for Node. A shard lives as long as the object that made it, on the thread that made it; the
//! others search it by its number.

use crate::binding::array::{Float32Array, Float64Array, Int32Array, Uint8Array};
use crate::binding::background::{Contained, in_background};
use crate::binding::whole;
use crate::index::{self, Demotion, Found, IndexError, Part, Search, Tier};
use napi::bindgen_prelude::{AsyncTask, Env, Error, ObjectFinalize, Result, Status, Task};
use napi_derive::napi;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// All shards of the process by number. Weak, so that a shard's memory goes with its object.
static SHARDS: RwLock<Option<HashMap<u32, Weak<index::Shard>>>> = RwLock::new(None);
static NEXT: AtomicU32 = AtomicU32::new(1);

fn shard(id: u32) -> Result<Arc<index::Shard>> {
    let shards = SHARDS.read().unwrap_or_else(PoisonError::into_inner);
    let shard = shards.as_ref().and_then(|shards| shards.get(&id)?.upgrade());
    shard.ok_or_else(|| {
        Error::new(Status::InvalidArg, format!("there is no shard {id}; it may have been collected"))
    })
}

/// An index of the keys of one space and dimension. Only the thread that made it changes it; every thread can search
/// it by `id` until it is collected, and never waits for a change.
#[napi(custom_finalize)]
pub struct Shard {
    id: u32,
    shard: Arc<index::Shard>,
    version: f64,
    /// Bytes that the garbage collector was told of.
    reported: AtomicI64,
}

/// Best first, the lower label on equal scores. Where `exact` is 0 the score is an estimate: replace these by cosines
/// of the stored keys, sort anew and keep k.
#[napi(object, object_from_js = false)]
pub struct ShardHits {
    pub labels: Int32Array,
    pub scores: Float64Array,
    pub exact: Uint8Array,
}

/// Keys of labels, a row of the shard's dimensions each.
#[napi(object, object_from_js = false)]
pub struct ShardKeys {
    pub keys: Float32Array,
    /// 0 where the float32 key is not in memory, and the row zeros.
    pub held: Uint8Array,
}

/// Cosines of labels to queries.
#[napi(object, object_from_js = false)]
pub struct ShardCosines {
    /// A row of one for each query.
    pub cosines: Float64Array,
    /// 0 where the float32 key is not in memory, and the row zeros.
    pub held: Uint8Array,
}

/// What a shard holds.
#[napi(object, object_from_js = false)]
pub struct ShardStats {
    /// Rows of float32 keys.
    pub hot: f64,
    /// Rows of int8 codes.
    pub warm: f64,
    /// Rows of binary codes.
    pub cold: f64,
    /// Deleted and replaced rows whose memory is not free yet.
    pub dead: f64,
    /// Memory of all rows and the map of labels.
    pub bytes: f64,
    pub segments: f64,
    /// Rows that are sorted into lists.
    pub listed: f64,
}

#[napi]
impl Shard {
    /// An empty shard of 1 to 8,192 dimensions.
    #[napi(constructor, catch_unwind)]
    pub fn new(dimensions: f64) -> Result<Self> {
        index::Shard::new(whole("dimensions", dimensions)?).map(|shard| Self::of(shard, 0)).map_err(to_js)
    }

    fn of(shard: index::Shard, version: u64) -> Self {
        let (id, shard) = (NEXT.fetch_add(1, Ordering::Relaxed), Arc::new(shard));
        let mut shards = SHARDS.write().unwrap_or_else(PoisonError::into_inner);
        shards.get_or_insert_default().insert(id, Arc::downgrade(&shard));
        Self { id, shard, version: version as f64, reported: AtomicI64::new(0) }
    }

    /// What other threads search it by.
    #[napi(getter, catch_unwind)]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// What `save` was given, for a loaded shard; else 0.
    #[napi(getter, catch_unwind)]
    pub fn version(&self) -> f64 {
        self.version
    }

    #[napi(getter, catch_unwind)]
    pub fn dimensions(&self) -> u32 {
        self.shard.dimensions() as u32
    }

    /// Adds or replaces rows, which become visible as a whole.
    ///
    /// @param keys labels x dimensions values
    /// @param flags have bit 0, a row that is alive
    /// @param tier what the rows keep in memory: 0 hot (float32), 1 warm (int8 codes), 2 cold (binary codes only)
    #[napi(catch_unwind)]
    pub fn put(
        &self,
        env: Env,
        labels: &[i32],
        keys: &[f32],
        flags: &[u8],
        #[napi(ts_arg_type = "0 | 1 | 2")] tier: u32,
    ) -> Result<()> {
        self.shard.put(labels, keys, flags, to_tier(tier)?).map_err(to_js)?;
        self.report(env)
    }

    /// Removes rows, and gives how many there were.
    #[napi(catch_unwind)]
    pub fn remove(&self, env: Env, labels: &[i32]) -> Result<u32> {
        let removed = self.shard.remove(labels).map_err(to_js)?;
        self.report(env)?;
        Ok(removed as u32)
    }

    /// The float32 keys that are in memory.
    #[napi(catch_unwind)]
    pub fn keys_of(&self, labels: &[i32]) -> ShardKeys {
        let (keys, held) = self.shard.keys_of(labels);
        let held: Vec<u8> = held.into_iter().map(u8::from).collect();
        ShardKeys { keys: keys.into(), held: held.into() }
    }

    /// Cosines of labels to queries (a row of `dimensions` values each), the same bits as a search gives them.
    #[napi(catch_unwind)]
    pub fn cosines_of(&self, labels: &[i32], queries: &[f32]) -> Result<ShardCosines> {
        let queries: Vec<_> = queries.chunks(self.shard.dimensions()).collect();
        let (cosines, held) = self.shard.cosines_of(labels, &queries).map_err(to_js)?;
        let held: Vec<u8> = held.into_iter().map(u8::from).collect();
        Ok(ShardCosines { cosines: cosines.into(), held: held.into() })
    }

    /// The labels of all rows, in no order.
    #[napi(catch_unwind)]
    pub fn labels(&self) -> Int32Array {
        let view = self.shard.view();
        let living = |(_, part): (usize, &Part)| {
            part.living_rows().map(|row| part.segment.labels()[row]).collect::<Vec<_>>()
        };
        view.parts().flat_map(living).collect::<Vec<_>>().into()
    }

    /// How many rows in lists a search looks at, a mean over the latest searches; null before the first.
    #[napi(getter, catch_unwind)]
    pub fn rows_in_lists(&self) -> Option<f64> {
        self.shard.rows_in_lists().map(f64::from)
    }

    /// How much it holds, and where.
    #[napi(catch_unwind)]
    pub fn stats(&self) -> ShardStats {
        let stats = self.shard.stats();
        ShardStats {
            hot: stats.hot as f64,
            warm: stats.warm as f64,
            cold: stats.cold as f64,
            dead: stats.dead as f64,
            bytes: stats.bytes as f64,
            segments: stats.segments as f64,
            listed: stats.listed as f64,
        }
    }

    /// Saves all in a file, in the background; it replaces an older one when it is whole and on the disk.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn save(&self, path: String, version: f64) -> Result<AsyncTask<Contained<Save>>> {
        if !(0.0..=SAFE_INTEGER).contains(&version) || version.fract() != 0.0 {
            return Err(Error::new(Status::InvalidArg, format!("version is {version}, not a whole number")));
        }
        let shard = Arc::clone(&self.shard);
        Ok(in_background(Save { shard, path: path.into(), version: version as u64 }))
    }

    /// Sorts all rows into lists, so that a search of a large shard looks at those only that its query may find something
    /// in; worth it again when many were put since. In the background; false while it or `demote` is under way.
    #[napi(catch_unwind, ts_return_type = "Promise<boolean>")]
    pub fn build_lists(&self) -> AsyncTask<Contained<BuildLists>> {
        in_background(BuildLists { shard: Arc::clone(&self.shard) })
    }

    /// Ends what builds lists, within milliseconds and for good: `buildLists` gives false then.
    #[napi(catch_unwind)]
    pub fn interrupt_lists(&self) {
        self.shard.interrupt_lists();
    }

    /// Moves all rows of warmer tiers to this one (see `put`), in the background; `stats` counts their bytes as moved at once.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn demote(
        &self,
        #[napi(ts_arg_type = "0 | 1 | 2")] tier: u32,
    ) -> Result<AsyncTask<Contained<Demote>>> {
        let demotion = Demotion::new(Arc::clone(&self.shard), to_tier(tier)?);
        Ok(in_background(Demote(Some(demotion))))
    }

    /// Tells the garbage collector how much memory hangs on this small object.
    fn report(&self, env: Env) -> Result<()> {
        let bytes = self.shard.stats().bytes as i64;
        env.adjust_external_memory(bytes - self.reported.swap(bytes, Ordering::Relaxed))?;
        Ok(())
    }
}

impl ObjectFinalize for Shard {
    fn finalize(self, env: Env) -> Result<()> {
        if let Some(shards) = &mut *SHARDS.write().unwrap_or_else(PoisonError::into_inner) {
            shards.remove(&self.id);
        }
        env.adjust_external_memory(-self.reported.into_inner())?;
        Ok(())
    }
}

/// The rows of greatest cosine to the query that reach `minScore`. (An object instead of the arguments would take 0.7 us of a
/// search's 5 to 14, of 16 to 1,000 rows of 384 dimensions.)
///
/// @param exactK the best so many are found as a search for these alone finds them, of the others nine of ten at least;
/// absent: all are found so
/// @param requiredFlags a row counts when all these bits are set in its flags
/// @param allowed bit l % 8 of byte l / 8 lets label l in; absent: all
/// @param tiers the tiers to search: bit 0 hot, 1 warm, 2 cold; absent: all
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "an object takes longer to read than a small search may")]
pub fn search_shard(
    id: u32,
    query: &[f32],
    k: f64,
    exact_k: Option<f64>,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
    tiers: Option<u32>,
) -> Result<ShardHits> {
    let (k, exact_k, tiers) = (whole("k", k)?, exact_k_of(exact_k)?, tiers.unwrap_or(Tier::EVERY));
    let search = Search { k, exact_k, min_score, required_flags, allowed, tiers };
    shard(id)?.search(query, &search).map(hits).map_err(to_js)
}

/// `searchShard` for several queries, row after row, in one pass.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "an object takes longer to read than a small search may")]
pub fn search_shard_many(
    id: u32,
    queries: &[f32],
    k: f64,
    exact_k: Option<f64>,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
    tiers: Option<u32>,
) -> Result<Vec<ShardHits>> {
    let (k, exact_k, tiers) = (whole("k", k)?, exact_k_of(exact_k)?, tiers.unwrap_or(Tier::EVERY));
    let search = Search { k, exact_k, min_score, required_flags, allowed, tiers };
    let found = shard(id)?.search_many(queries, &search).map_err(to_js)?;
    Ok(found.into_iter().map(hits).collect())
}

/// `searchShardMany` without holding up the thread that asks: on one of libuv's, which Node wakes for less than a thread of
/// JavaScript. The shard may be collected meanwhile, and the arrays changed.
#[napi(catch_unwind, ts_return_type = "Promise<ShardHits[]>")]
#[allow(clippy::too_many_arguments, reason = "an object takes longer to read than a small search may")]
pub fn search_shard_later(
    id: u32,
    queries: &[f32],
    k: f64,
    exact_k: Option<f64>,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
    tiers: Option<u32>,
) -> Result<AsyncTask<Contained<SearchLater>>> {
    let (k, exact_k, tiers) = (whole("k", k)?, exact_k_of(exact_k)?, tiers.unwrap_or(Tier::EVERY));
    Ok(in_background(SearchLater {
        shard: shard(id)?,
        queries: queries.to_vec(),
        allowed: allowed.map(<[u8]>::to_vec),
        search: Search { k, exact_k, min_score, required_flags, allowed: None, tiers },
    }))
}

/// Holds all that it reads, so that the shard may be collected and JavaScript may change its arrays meanwhile.
pub struct SearchLater {
    shard: Arc<index::Shard>,
    queries: Vec<f32>,
    allowed: Option<Vec<u8>>,
    /// Without `allowed`, which is the field above.
    search: Search<'static>,
}

impl Task for SearchLater {
    type Output = Vec<Found>;
    type JsValue = Vec<ShardHits>;

    fn compute(&mut self) -> Result<Vec<Found>> {
        let search = Search { allowed: self.allowed.as_deref(), ..self.search };
        self.shard.search_many(&self.queries, &search).map_err(to_js)
    }

    fn resolve(&mut self, _env: Env, found: Vec<Found>) -> Result<Vec<ShardHits>> {
        Ok(found.into_iter().map(hits).collect())
    }
}

pub struct Save {
    shard: Arc<index::Shard>,
    path: PathBuf,
    version: u64,
}

impl Task for Save {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        self.shard.save(&self.path, self.version).map_err(to_js)
    }

    fn resolve(&mut self, _env: Env, (): ()) -> Result<()> {
        Ok(())
    }
}

pub struct BuildLists {
    shard: Arc<index::Shard>,
}

impl Task for BuildLists {
    type Output = bool;
    type JsValue = bool;

    fn compute(&mut self) -> Result<bool> {
        self.shard.build_lists().map_err(to_js)
    }

    fn resolve(&mut self, _env: Env, built: bool) -> Result<bool> {
        Ok(built)
    }
}

pub struct Demote(Option<Demotion>);

impl Task for Demote {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        // Taken, so that it ends here: until then `stats` counts the rows as moved.
        self.0.take().map_or(Ok(()), |demotion| demotion.run()).map_err(to_js)
    }

    fn resolve(&mut self, _env: Env, (): ()) -> Result<()> {
        Ok(())
    }
}

pub struct Load {
    path: PathBuf,
}

impl Task for Load {
    type Output = (index::Shard, u64);
    type JsValue = Shard;

    fn compute(&mut self) -> Result<Self::Output> {
        index::Shard::load(&self.path).map_err(to_js)
    }

    fn resolve(&mut self, env: Env, (shard, version): Self::Output) -> Result<Shard> {
        let shard = Shard::of(shard, version);
        shard.report(env)?;
        Ok(shard)
    }
}

/// A shard from its file; rejects one that is torn, damaged or foreign.
#[napi(catch_unwind, ts_return_type = "Promise<Shard>")]
pub fn load_shard(path: String) -> AsyncTask<Contained<Load>> {
    in_background(Load { path: path.into() })
}

/// The largest whole number up to which JavaScript can tell all from each other.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// `exactK` as a size; absent: all.
fn exact_k_of(exact_k: Option<f64>) -> Result<usize> {
    exact_k.map_or(Ok(usize::MAX), |exact_k| whole("exactK", exact_k))
}

fn hits(found: Found) -> ShardHits {
    ShardHits { labels: found.labels.into(), scores: found.scores.into(), exact: found.exact.into() }
}

fn to_tier(number: u32) -> Result<Tier> {
    u8::try_from(number).ok().and_then(Tier::of_number).ok_or_else(|| {
        Error::new(Status::InvalidArg, format!("tier is {number}, not 0 (hot), 1 (warm) or 2 (cold)"))
    })
}

fn to_js(error: IndexError) -> Error {
    let status = match error {
        IndexError::Io(_) | IndexError::Memory | IndexError::Full | IndexError::Snapshot(_) => {
            Status::GenericFailure
        }
        _ => Status::InvalidArg,
    };
    Error::new(status, error.to_string())
}
