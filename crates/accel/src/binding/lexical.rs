//! The lexical index for Node. A lexicon lives as long as the object that made it, on the thread that made it; the
//! others search it by its number.

use crate::binding::array::{Float64Array, Int32Array};
use crate::binding::background::{Contained, in_background};
use crate::binding::whole;
use crate::lexical::{self, LexicalError, PutJob};
use napi::bindgen_prelude::{AsyncTask, Env, Error, ObjectFinalize, Result, Status, Task};
use napi_derive::napi;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// All lexicons of the process by number. Weak, so that a lexicon's memory goes with its object.
static LEXICONS: RwLock<Option<HashMap<u32, Weak<lexical::Lexicon>>>> = RwLock::new(None);
static NEXT: AtomicU32 = AtomicU32::new(1);

fn lexicon(id: u32) -> Result<Arc<lexical::Lexicon>> {
    let lexicons = LEXICONS.read().unwrap_or_else(PoisonError::into_inner);
    let lexicon = lexicons.as_ref().and_then(|lexicons| lexicons.get(&id)?.upgrade());
    lexicon.ok_or_else(|| {
        Error::new(Status::InvalidArg, format!("there is no lexicon {id}; it may have been collected"))
    })
}

/// A BM25 index of at most 16,777,216 texts. Only the thread that made it changes it; every thread can search it by `id` until
/// it is collected. A search waits for at most 64 documents that are being written, or as many as one `put` or `remove` has.
#[napi(custom_finalize)]
pub struct Lexicon {
    id: u32,
    lexicon: Arc<lexical::Lexicon>,
    /// Bytes that the garbage collector was told of.
    reported: Arc<AtomicI64>,
}

/// Best first, the lower label on equal scores: only documents with a term of the query.
#[napi(object, object_from_js = false)]
pub struct LexicalHits {
    pub labels: Int32Array,
    pub scores: Float64Array,
    /// Documents that have a term of the query.
    pub matched: f64,
    /// Mean score of all documents looked at, those without a term of the query included; 0 where there is none.
    pub mean: f64,
    /// Standard deviation of the scores of all documents looked at.
    pub deviation: f64,
    /// What a document of mean length would score that has every term of the query once, also those that no document has;
    /// 0 where there is no document.
    pub full: f64,
}

/// What a lexicon holds.
#[napi(object, object_from_js = false)]
pub struct LexiconStats {
    pub documents: f64,
    /// Distinct ones.
    pub terms: f64,
    /// Memory of all documents and terms.
    pub bytes: f64,
}

#[napi]
impl Lexicon {
    /// An empty lexicon.
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::new_without_default, reason = "made by Node only")]
    pub fn new() -> Self {
        let (id, lexicon) = (NEXT.fetch_add(1, Ordering::Relaxed), Arc::new(lexical::Lexicon::default()));
        let mut lexicons = LEXICONS.write().unwrap_or_else(PoisonError::into_inner);
        lexicons.get_or_insert_default().insert(id, Arc::downgrade(&lexicon));
        Self { id, lexicon, reported: Arc::default() }
    }

    /// What other threads search it by.
    #[napi(getter, catch_unwind)]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Adds or replaces documents; of a label given twice the last counts.
    #[napi(catch_unwind)]
    pub fn put(&self, env: Env, labels: &[i32], texts: Vec<String>) -> Result<()> {
        self.lexicon.put(labels, &texts).map_err(to_js)?;
        report(env, &self.lexicon, &self.reported)
    }

    /// `put` in the background. What is written to a label after this call stays.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn put_many(&self, labels: &[i32], texts: Vec<String>) -> Result<AsyncTask<Contained<PutMany>>> {
        let job = self.lexicon.put_later(labels.to_vec(), texts).map_err(to_js)?;
        let reported = Arc::clone(&self.reported);
        Ok(in_background(PutMany { job: Some(job), lexicon: Arc::downgrade(&self.lexicon), reported }))
    }

    /// Removes documents, and gives how many there were. Nothing is left of them.
    #[napi(catch_unwind)]
    pub fn remove(&self, env: Env, labels: &[i32]) -> Result<u32> {
        let removed = self.lexicon.remove(labels);
        report(env, &self.lexicon, &self.reported)?;
        Ok(removed as u32)
    }

    /// How much it holds.
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

impl ObjectFinalize for Lexicon {
    fn finalize(self, env: Env) -> Result<()> {
        if let Some(lexicons) = &mut *LEXICONS.write().unwrap_or_else(PoisonError::into_inner) {
            lexicons.remove(&self.id);
        }
        env.adjust_external_memory(-self.reported.swap(0, Ordering::Relaxed))?;
        Ok(())
    }
}

/// Tells the garbage collector how much memory hangs on a small object.
fn report(env: Env, lexicon: &lexical::Lexicon, reported: &AtomicI64) -> Result<()> {
    let bytes = lexicon.stats().bytes as i64;
    env.adjust_external_memory(bytes - reported.swap(bytes, Ordering::Relaxed))?;
    Ok(())
}

pub struct PutMany {
    job: Option<PutJob>,
    /// Weak: one that is collected meanwhile has nothing to report.
    lexicon: Weak<lexical::Lexicon>,
    reported: Arc<AtomicI64>,
}

impl Task for PutMany {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        // Taken, so that it ends here and not when the promise is fulfilled.
        self.job.take().map_or(Ok(()), |job| job.run()).map_err(to_js)
    }

    fn resolve(&mut self, env: Env, (): ()) -> Result<()> {
        self.lexicon.upgrade().map_or(Ok(()), |lexicon| report(env, &lexicon, &self.reported))
    }
}

/// The k documents of greatest BM25 score (k1 = 0.9, b = 0.4); a term counts as often as the query has it, up to three
/// times, and less if it is of a long word. Bit l % 8 of byte l / 8 of `allowed` lets label l in; the weights of terms are
/// those of all documents, or with `among`, which is another one, of those of that lexicon, as is the length that theirs are
/// compared with.
#[napi(catch_unwind)]
pub fn search_lexicon(
    id: u32,
    query: String,
    k: f64,
    allowed: Option<&[u8]>,
    among: Option<u32>,
) -> Result<LexicalHits> {
    let (searched, k) = (lexicon(id)?, whole("k", k)?);
    let found = match among.filter(|&other| other != id) {
        None => searched.search(&query, k, allowed),
        Some(other) => searched.search_among(&*lexicon(other)?, &query, k, allowed),
    };
    Ok(LexicalHits {
        labels: found.labels.into(),
        scores: found.scores.into(),
        matched: found.matched as f64,
        mean: found.mean,
        deviation: found.deviation,
        full: found.full,
    })
}

/// The BM25 scores of documents; 0 for unknown labels.
#[napi(catch_unwind)]
pub fn score_lexicon(id: u32, query: String, labels: &[i32]) -> Result<Float64Array> {
    Ok(lexicon(id)?.score(&query, labels).into())
}

/// The terms that a lexicon takes a text apart into, in order.
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
