//! Documents and dictionary, kept in step.

use super::dictionary::{Dictionary, SLOTS_MAX, posting};
use super::documents::{Documents, unpack};
use super::error::LexicalError;
use super::tokenise::{Term, terms};

/// Documents and dictionary. `Lexicon` shares it between threads.
#[derive(Default)]
pub struct Index {
    pub(super) documents: Documents,
    pub(super) dictionary: Dictionary,
}

/// Documents, the terms they have, and the memory of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LexiconStats {
    /// Documents that a search can find.
    pub documents: usize,
    /// Distinct terms of all documents.
    pub terms: usize,
    /// Memory of documents and terms, in bytes.
    pub bytes: usize,
}

/// A document taken apart, which needs no lock.
pub struct Prepared {
    pub label: i32,
    /// Number of terms, repeated ones too.
    length: u32,
    terms: Vec<(Term, u8)>,
}

impl Prepared {
    pub fn new(label: i32, text: &str) -> Self {
        let counts = counted(terms(text));
        let length = counts.iter().map(|&(_, count)| count).sum::<usize>();
        let frequency = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
        let terms = counts.into_iter().map(|(term, count)| (term, frequency(count))).collect();
        Self { label, length: u32::try_from(length).unwrap_or(u32::MAX), terms }
    }
}

/// Each distinct term with how often it is there, by term.
fn counted(mut terms: Vec<Term>) -> Vec<(Term, usize)> {
    terms.sort_unstable();
    terms.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
}

impl Index {
    /// Adds documents, or replaces those whose label is there. Labels are distinct.
    pub fn put(&mut self, documents: &[Prepared]) -> Result<(), LexicalError> {
        let new = documents.iter().filter(|document| self.documents.slot(document.label).is_none()).count();
        if self.documents.len() + new > SLOTS_MAX {
            return Err(LexicalError::Full);
        }
        let labels: Vec<i32> = documents.iter().map(|document| document.label).collect();
        self.remove(&labels);
        let mut postings = Vec::new();
        let mut numbers = Vec::new();
        for document in documents {
            let slot = self.documents.insert(document.label, document.length);
            numbers.clear();
            numbers.extend(
                document.terms.iter().map(|&(term, frequency)| (self.dictionary.number_for(term), frequency)),
            );
            numbers.sort_unstable();
            self.documents.set_terms(slot, &numbers);
            postings.extend(numbers.iter().map(|&(number, frequency)| (number, posting(slot, frequency))));
        }
        postings.sort_unstable();
        let mut added = Vec::new();
        for same in postings.chunk_by(|a, b| a.0 == b.0) {
            added.clear();
            added.extend(same.iter().map(|&(_, posting)| posting));
            self.dictionary.add(same[0].0, &added);
        }
        Ok(())
    }

    /// Removes documents and says how many there were. Nothing is left of them.
    pub fn remove(&mut self, labels: &[i32]) -> usize {
        let mut postings = Vec::new();
        let mut removed = 0;
        for &label in labels {
            if let Some((slot, terms)) = self.documents.remove(label) {
                removed += 1;
                postings.extend(unpack(&terms).map(|(number, _)| (number, slot)));
            }
        }
        postings.sort_unstable();
        for same in postings.chunk_by(|a, b| a.0 == b.0) {
            self.dictionary.remove(same[0].0, same.iter().map(|&(_, slot)| slot));
        }
        removed
    }

    pub fn stats(&self) -> LexiconStats {
        LexiconStats {
            documents: self.documents.len(),
            terms: self.dictionary.len(),
            bytes: self.documents.bytes() + self.dictionary.bytes(),
        }
    }
}
