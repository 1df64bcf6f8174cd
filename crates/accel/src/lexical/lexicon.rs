//! An index shared between threads.

use super::error::LexicalError;
use super::index::{Index, LexiconStats, Prepared};
use super::search::LexicalFound;
use crate::labels::last_of_each;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// The texts of one space by label. A search waits for a change at most while the documents of one call of `put` or
/// `remove` are written, or `LOCKED_DOCUMENTS` of a `PutJob`, which searches then find before the rest.
#[derive(Default)]
pub struct Lexicon {
    index: RwLock<Index>,
    /// Held by who writes.
    writer: Mutex<Writer>,
}

/// Keeps `PutJob`s from undoing later changes: what is written to a label after a job was made stays.
#[derive(Default)]
struct Writer {
    /// Jobs under way.
    jobs: usize,
    last_ticket: u64,
    /// The ticket of the latest call that writes each label, kept while there are jobs.
    latest: HashMap<i32, u64>,
}

/// How many documents a job takes apart at a time, without a lock, and how many of these it writes under one.
const PREPARED_DOCUMENTS: usize = 512;
const LOCKED_DOCUMENTS: usize = 64;

impl Lexicon {
    /// Adds documents, or replaces those whose label is there; of a label given twice the last counts.
    pub fn put(&self, labels: &[i32], texts: &[String]) -> Result<(), LexicalError> {
        check(labels, texts)?;
        let last = last_of_each(labels);
        let prepared: Vec<Prepared> = last.iter().map(|&at| Prepared::new(labels[at], &texts[at])).collect();
        let mut writer = self.writer();
        writer.overtake(labels);
        self.write(|index| index.put(&prepared))
    }

    /// Removes documents and says how many there were; unknown labels are none.
    pub fn remove(&self, labels: &[i32]) -> usize {
        let mut writer = self.writer();
        writer.overtake(labels);
        self.write(|index| index.remove(labels))
    }

    /// `put` in two steps: what is written to a label after this one stays, even when the job runs later.
    pub fn put_later(self: &Arc<Self>, labels: Vec<i32>, texts: Vec<String>) -> Result<PutJob, LexicalError> {
        check(&labels, &texts)?;
        let mut writer = self.writer();
        writer.jobs += 1;
        let ticket = writer.take(&labels);
        drop(writer);
        Ok(PutJob { lexicon: Arc::clone(self), labels, texts, ticket })
    }

    /// The k documents of greatest BM25 score, as `LexicalFound` tells.
    pub fn search(&self, query: &str, k: usize, allowed: Option<&[u8]>) -> LexicalFound {
        let index = self.read();
        index.search(query, k, allowed, &index)
    }

    /// `search` with terms weighted, and documents compared in length, as among those of another lexicon: of which these are parts.
    pub fn search_among(&self, among: &Self, query: &str, k: usize, allowed: Option<&[u8]>) -> LexicalFound {
        // Who waits for the second while reading the first waits for a writer of the second alone: nobody writes both at once.
        self.read().search(query, k, allowed, &among.read())
    }

    /// The BM25 scores of documents; 0 for those that are unknown.
    pub fn score(&self, query: &str, labels: &[i32]) -> Vec<f64> {
        self.read().score(query, labels)
    }

    /// What the lexicon holds now.
    pub fn stats(&self) -> LexiconStats {
        self.read().stats()
    }

    fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T>(&self, change: impl FnOnce(&mut Index) -> T) -> T {
        change(&mut self.index.write().unwrap_or_else(PoisonError::into_inner))
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writer {
    /// Takes labels from the jobs under way, which must not write them any more.
    fn overtake(&mut self, labels: &[i32]) {
        if self.jobs > 0 {
            self.take(labels);
        }
    }

    fn take(&mut self, labels: &[i32]) -> u64 {
        self.last_ticket += 1;
        self.latest.extend(labels.iter().map(|&label| (label, self.last_ticket)));
        self.last_ticket
    }
}

/// A `put` that is still to be made, in whatever thread.
pub struct PutJob {
    lexicon: Arc<Lexicon>,
    labels: Vec<i32>,
    texts: Vec<String>,
    ticket: u64,
}

impl PutJob {
    /// Adds the documents, `PREPARED_DOCUMENTS` at a time, between which others search and write; those written since by others
    /// are left alone.
    pub fn run(&self) -> Result<(), LexicalError> {
        let last = last_of_each(&self.labels);
        for part in last.chunks(PREPARED_DOCUMENTS) {
            let prepare = |&at: &usize| Prepared::new(self.labels[at], &self.texts[at]);
            let mut prepared: Vec<Prepared> = part.iter().map(prepare).collect();
            while !prepared.is_empty() {
                let mut some = prepared.split_off(prepared.len().saturating_sub(LOCKED_DOCUMENTS));
                let writer = self.lexicon.writer();
                some.retain(|document| writer.latest.get(&document.label) == Some(&self.ticket));
                self.lexicon.write(|index| index.put(&some))?;
            }
        }
        Ok(())
    }
}

impl Drop for PutJob {
    fn drop(&mut self) {
        let mut writer = self.lexicon.writer();
        writer.jobs -= 1;
        if writer.jobs == 0 {
            writer.latest = HashMap::new();
        }
    }
}

fn check(labels: &[i32], texts: &[String]) -> Result<(), LexicalError> {
    if labels.len() != texts.len() {
        return Err(LexicalError::Lengths { labels: labels.len(), texts: texts.len() });
    }
    labels.iter().find(|&&label| label < 0).map_or(Ok(()), |&label| Err(LexicalError::Label(label)))
}
