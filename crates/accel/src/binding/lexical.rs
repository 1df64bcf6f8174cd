//! The lexical index for Node. A lexicon lives as long as the object that made it, on the thread that made it; the
//! others search it by its number.

use crate::binding::array::Array;
use crate::binding::background::{Contained, in_background};
use crate::binding::whole;
use crate::lexical::{self, LexicalError, Lexicon, PutJob};
use napi::bindgen_prelude::{AsyncTask, Env, Error, ObjectFinalize, Result, Status, Task};
use napi_derive::napi;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// All lexicons of the process by number. Weak, so that a lexicon's memory goes with its object.
static LEXICONS: RwLock<Option<HashMap<u32, Weak<Lexicon>>>> = RwLock::new(None);
static NEXT: AtomicU32 = AtomicU32::new(1);

fn lexicon(id: u32) -> Result<Arc<Lexicon>> {
    let lexicons = LEXICONS.read().unwrap_or_else(PoisonError::into_inner);
    let lexicon = lexicons.as_ref().and_then(|lexicons| lexicons.get(&id)?.upgrade());
    lexicon.ok_or_else(|| {
        Error::new(Status::InvalidArg, format!("there is no lexicon {id}; it may have been collected"))
    })
}

#[napi(custom_finalize)]
pub struct NativeLexicon {
    id: u32,
    lexicon: Arc<Lexicon>,
    /// Bytes that the garbage collector was told of.
    reported: Arc<AtomicI64>,
}

#[napi(object, object_from_js = false)]
pub struct LexicalHits {
    pub labels: Array<i32>,
    pub scores: Array<f64>,
    pub matched: f64,
    pub mean: f64,
    pub deviation: f64,
}

#[napi(object, object_from_js = false)]
pub struct LexiconStats {
    pub documents: f64,
    pub terms: f64,
    pub bytes: f64,
}

#[napi]
impl NativeLexicon {
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::new_without_default, reason = "made by Node only")]
    pub fn new() -> Self {
        let (id, lexicon) = (NEXT.fetch_add(1, Ordering::Relaxed), Arc::new(Lexicon::default()));
        let mut lexicons = LEXICONS.write().unwrap_or_else(PoisonError::into_inner);
        lexicons.get_or_insert_default().insert(id, Arc::downgrade(&lexicon));
        Self { id, lexicon, reported: Arc::default() }
    }

    #[napi(getter, catch_unwind)]
    pub fn id(&self) -> u32 {
        self.id
    }

    #[napi(catch_unwind)]
    pub fn put(&self, env: Env, labels: &[i32], texts: Vec<String>) -> Result<()> {
        self.lexicon.put(labels, &texts).map_err(to_js)?;
        report(env, &self.lexicon, &self.reported)
    }

    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn put_many(&self, labels: &[i32], texts: Vec<String>) -> Result<AsyncTask<Contained<PutMany>>> {
        let job = self.lexicon.put_later(labels.to_vec(), texts).map_err(to_js)?;
        let reported = Arc::clone(&self.reported);
        Ok(in_background(PutMany { job: Some(job), lexicon: Arc::downgrade(&self.lexicon), reported }))
    }

    #[napi(catch_unwind)]
    pub fn remove(&self, env: Env, labels: &[i32]) -> Result<u32> {
        let removed = self.lexicon.remove(labels);
        report(env, &self.lexicon, &self.reported)?;
        Ok(removed as u32)
    }

    #[napi(catch_unwind)]
    pub fn stats(&self) -> LexiconStats {
        let stats = self.lexicon.stats();
        LexiconStats {
            documents: stats.documents as f64,
            terms: stats.terms as f64,
            bytes: stats.bytes as f64,
        }
    }
}

impl ObjectFinalize for NativeLexicon {
    fn finalize(self, env: Env) -> Result<()> {
        if let Some(lexicons) = &mut *LEXICONS.write().unwrap_or_else(PoisonError::into_inner) {
            lexicons.remove(&self.id);
        }
        env.adjust_external_memory(-self.reported.swap(0, Ordering::Relaxed))?;
        Ok(())
    }
}

/// Tells the garbage collector how much memory hangs on a small object.
fn report(env: Env, lexicon: &Lexicon, reported: &AtomicI64) -> Result<()> {
    let bytes = lexicon.stats().bytes as i64;
    env.adjust_external_memory(bytes - reported.swap(bytes, Ordering::Relaxed))?;
    Ok(())
}

pub struct PutMany {
    job: Option<PutJob>,
    /// Weak: one that is collected meanwhile has nothing to report.
    lexicon: Weak<Lexicon>,
    reported: Arc<AtomicI64>,
}

impl Task for PutMany {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        // Taken: it ends here and not when the promise is kept.
        self.job.take().map_or(Ok(()), |job| job.run()).map_err(to_js)
    }

    fn resolve(&mut self, env: Env, (): ()) -> Result<()> {
        self.lexicon.upgrade().map_or(Ok(()), |lexicon| report(env, &lexicon, &self.reported))
    }
}

#[napi(catch_unwind)]
pub fn search_lexicon(id: u32, query: String, k: f64, allowed: Option<&[u8]>) -> Result<LexicalHits> {
    let found = lexicon(id)?.search(&query, whole("k", k)?, allowed);
    Ok(LexicalHits {
        labels: found.labels.into(),
        scores: found.scores.into(),
        matched: found.matched as f64,
        mean: found.mean,
        deviation: found.deviation,
    })
}

#[napi(catch_unwind)]
pub fn score_lexicon(id: u32, query: String, labels: &[i32]) -> Result<Array<f64>> {
    Ok(lexicon(id)?.score(&query, labels).into())
}

#[napi(catch_unwind)]
pub fn terms(text: String) -> Vec<String> {
    lexical::words(&text)
}

fn to_js(error: LexicalError) -> Error {
    let status = match error {
        LexicalError::Full => Status::GenericFailure,
        _ => Status::InvalidArg,
    };
    Error::new(status, error.to_string())
}
