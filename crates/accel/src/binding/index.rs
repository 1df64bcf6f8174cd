//! The vector index for Node. A shard lives as long as the object that made it, on the thread that made it; the
//! others search it by its number.

use crate::binding::array::Array;
use crate::binding::background::{Contained, in_background};
use crate::binding::whole;
use crate::index::{Demotion, Found, IndexError, Part, Search, Shard, Tier};
use napi::bindgen_prelude::{AsyncTask, Env, Error, ObjectFinalize, Result, Status, Task};
use napi_derive::napi;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// All shards of the process by number. Weak, so that a shard's memory goes with its object.
static SHARDS: RwLock<Option<HashMap<u32, Weak<Shard>>>> = RwLock::new(None);
static NEXT: AtomicU32 = AtomicU32::new(1);

fn shard(id: u32) -> Result<Arc<Shard>> {
    let shards = SHARDS.read().unwrap_or_else(PoisonError::into_inner);
    let shard = shards.as_ref().and_then(|shards| shards.get(&id)?.upgrade());
    shard.ok_or_else(|| {
        Error::new(Status::InvalidArg, format!("there is no shard {id}; it may have been collected"))
    })
}

#[napi(custom_finalize)]
pub struct NativeShard {
    id: u32,
    shard: Arc<Shard>,
    version: f64,
    /// Bytes that the garbage collector was told of.
    reported: AtomicI64,
}

#[napi(object, object_from_js = false)]
pub struct ShardHits {
    pub labels: Array<i32>,
    pub scores: Array<f64>,
    pub exact: Array<u8>,
}

#[napi(object, object_from_js = false)]
pub struct ShardKeys {
    pub keys: Array<f32>,
    pub held: Array<u8>,
}

#[napi(object, object_from_js = false)]
pub struct ShardCosines {
    pub cosines: Array<f64>,
    pub held: Array<u8>,
}

#[napi(object, object_from_js = false)]
pub struct ShardStats {
    pub hot: f64,
    pub warm: f64,
    pub cold: f64,
    pub dead: f64,
    pub bytes: f64,
    pub segments: f64,
    pub listed: f64,
}

#[napi]
impl NativeShard {
    #[napi(constructor, catch_unwind)]
    pub fn new(dimensions: f64) -> Result<Self> {
        Shard::new(whole("dimensions", dimensions)?).map(|shard| Self::of(shard, 0)).map_err(to_js)
    }

    fn of(shard: Shard, version: u64) -> Self {
        let (id, shard) = (NEXT.fetch_add(1, Ordering::Relaxed), Arc::new(shard));
        let mut shards = SHARDS.write().unwrap_or_else(PoisonError::into_inner);
        shards.get_or_insert_default().insert(id, Arc::downgrade(&shard));
        Self { id, shard, version: version as f64, reported: AtomicI64::new(0) }
    }

    #[napi(getter, catch_unwind)]
    pub fn id(&self) -> u32 {
        self.id
    }

    #[napi(getter, catch_unwind)]
    pub fn version(&self) -> f64 {
        self.version
    }

    #[napi(getter, catch_unwind)]
    pub fn dimensions(&self) -> u32 {
        self.shard.dimensions() as u32
    }

    #[napi(catch_unwind)]
    pub fn put(&self, env: Env, labels: &[i32], keys: &[f32], flags: &[u8], tier: u32) -> Result<()> {
        self.shard.put(labels, keys, flags, to_tier(tier)?).map_err(to_js)?;
        self.report(env)
    }

    #[napi(catch_unwind)]
    pub fn remove(&self, env: Env, labels: &[i32]) -> Result<u32> {
        let removed = self.shard.remove(labels).map_err(to_js)?;
        self.report(env)?;
        Ok(removed as u32)
    }

    #[napi(catch_unwind)]
    pub fn keys_of(&self, labels: &[i32]) -> ShardKeys {
        let (keys, held) = self.shard.keys_of(labels);
        let held: Vec<u8> = held.into_iter().map(u8::from).collect();
        ShardKeys { keys: keys.into(), held: held.into() }
    }

    /// `queries` has a row of `dimensions` values for each.
    #[napi(catch_unwind)]
    pub fn cosines_of(&self, labels: &[i32], queries: &[f32]) -> Result<ShardCosines> {
        let queries: Vec<_> = queries.chunks(self.shard.dimensions()).collect();
        let (cosines, held) = self.shard.cosines_of(labels, &queries).map_err(to_js)?;
        let held: Vec<u8> = held.into_iter().map(u8::from).collect();
        Ok(ShardCosines { cosines: cosines.into(), held: held.into() })
    }

    /// The labels of all rows, in no order.
    #[napi(catch_unwind)]
    pub fn labels(&self) -> Array<i32> {
        let view = self.shard.view();
        let living = |(_, part): (usize, &Part)| {
            part.living_rows().map(|row| part.segment.labels()[row]).collect::<Vec<_>>()
        };
        view.parts().flat_map(living).collect::<Vec<_>>().into()
    }

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

    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn save(&self, path: String, version: f64) -> Result<AsyncTask<Contained<Save>>> {
        if !(0.0..=SAFE_INTEGER).contains(&version) || version.fract() != 0.0 {
            return Err(Error::new(Status::InvalidArg, format!("version is {version}, not a whole number")));
        }
        let shard = Arc::clone(&self.shard);
        Ok(in_background(Save { shard, path: path.into(), version: version as u64 }))
    }

    #[napi(catch_unwind, ts_return_type = "Promise<boolean>")]
    pub fn build_lists(&self) -> AsyncTask<Contained<BuildLists>> {
        in_background(BuildLists { shard: Arc::clone(&self.shard) })
    }

    /// Ends what builds lists, for good.
    #[napi(catch_unwind)]
    pub fn interrupt_lists(&self) {
        self.shard.interrupt_lists();
    }

    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn demote(&self, tier: u32) -> Result<AsyncTask<Contained<Demote>>> {
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

impl ObjectFinalize for NativeShard {
    fn finalize(self, env: Env) -> Result<()> {
        if let Some(shards) = &mut *SHARDS.write().unwrap_or_else(PoisonError::into_inner) {
            shards.remove(&self.id);
        }
        env.adjust_external_memory(-self.reported.into_inner())?;
        Ok(())
    }
}

#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "reading them from an object takes longer than a small search")]
pub fn search_shard(
    id: u32,
    query: &[f32],
    k: f64,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
    tiers: u32,
    exact_k: Option<f64>,
) -> Result<ShardHits> {
    let search = Search {
        k: whole("k", k)?,
        exact_k: exact_k_of(exact_k)?,
        min_score,
        required_flags,
        allowed,
        tiers,
    };
    shard(id)?.search(query, &search).map(hits).map_err(to_js)
}

#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "reading them from an object takes longer than a small search")]
pub fn search_shard_many(
    id: u32,
    queries: &[f32],
    k: f64,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
    tiers: u32,
    exact_k: Option<f64>,
) -> Result<Vec<ShardHits>> {
    let search = Search {
        k: whole("k", k)?,
        exact_k: exact_k_of(exact_k)?,
        min_score,
        required_flags,
        allowed,
        tiers,
    };
    let found = shard(id)?.search_many(queries, &search).map_err(to_js)?;
    Ok(found.into_iter().map(hits).collect())
}

/// The same without holding up the thread that asks: on one of libuv's, which Node wakes for less than a thread of
/// JavaScript.
#[napi(catch_unwind, ts_return_type = "Promise<ShardHits[]>")]
#[allow(clippy::too_many_arguments, reason = "as the search that waits")]
pub fn search_shard_later(
    id: u32,
    queries: &[f32],
    k: f64,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
    tiers: u32,
    exact_k: Option<f64>,
) -> Result<AsyncTask<Contained<SearchLater>>> {
    Ok(in_background(SearchLater {
        shard: shard(id)?,
        queries: queries.to_vec(),
        k: whole("k", k)?,
        exact_k: exact_k_of(exact_k)?,
        min_score,
        required_flags,
        allowed: allowed.map(<[u8]>::to_vec),
        tiers,
    }))
}

/// Holds all that it reads, so that the shard may be closed and JavaScript may change its arrays meanwhile.
pub struct SearchLater {
    shard: Arc<Shard>,
    queries: Vec<f32>,
    k: usize,
    exact_k: usize,
    min_score: f64,
    required_flags: u32,
    allowed: Option<Vec<u8>>,
    tiers: u32,
}

impl Task for SearchLater {
    type Output = Vec<Found>;
    type JsValue = Vec<ShardHits>;

    fn compute(&mut self) -> Result<Vec<Found>> {
        let Self { k, exact_k, min_score, required_flags, tiers, .. } = *self;
        let search =
            Search { k, exact_k, min_score, required_flags, allowed: self.allowed.as_deref(), tiers };
        self.shard.search_many(&self.queries, &search).map_err(to_js)
    }

    fn resolve(&mut self, _env: Env, found: Vec<Found>) -> Result<Vec<ShardHits>> {
        Ok(found.into_iter().map(hits).collect())
    }
}

pub struct Save {
    shard: Arc<Shard>,
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
    shard: Arc<Shard>,
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
        // Taken: what is counted when the promise is kept must be what is held.
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
    type Output = (Shard, u64);
    type JsValue = NativeShard;

    fn compute(&mut self) -> Result<Self::Output> {
        Shard::load(&self.path).map_err(to_js)
    }

    fn resolve(&mut self, env: Env, (shard, version): Self::Output) -> Result<NativeShard> {
        let shard = NativeShard::of(shard, version);
        shard.report(env)?;
        Ok(shard)
    }
}

#[napi(catch_unwind, ts_return_type = "Promise<NativeShard>")]
pub fn load_shard(path: String) -> AsyncTask<Contained<Load>> {
    in_background(Load { path: path.into() })
}

/// The largest whole number up to which JavaScript knows all.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Absent: all.
fn exact_k_of(exact_k: Option<f64>) -> Result<usize> {
    exact_k.map_or(Ok(usize::MAX), |exact_k| whole("exact_k", exact_k))
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
