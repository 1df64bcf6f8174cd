//! The documents of each term.

use super::tokenise::Term;
use std::collections::HashMap;

/// A document's slot in the upper 24 bits, how often it has the term (255 at most) in the lower 8.
pub type Posting = u32;

/// The most slots, so that a slot fits into a posting.
pub const SLOTS_MAX: usize = 1 << 24;

pub fn posting(slot: u32, frequency: u8) -> Posting {
    slot << 8 | u32::from(frequency)
}

/// The terms that some document has, each with a number, which another term may get once no document has the first.
#[derive(Default)]
pub struct Dictionary {
    numbers: HashMap<Term, u32>,
    /// By number.
    lists: Vec<List>,
    /// Numbers without a term.
    free: Vec<u32>,
    /// Memory of all postings.
    heap: usize,
}

struct List {
    term: Term,
    /// By slot, ascending.
    postings: Vec<Posting>,
}

impl Dictionary {
    /// Terms that some document has.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    pub fn number(&self, term: Term) -> Option<u32> {
        self.numbers.get(&term).copied()
    }

    /// The postings of a term, by slot, ascending.
    pub fn postings(&self, number: u32) -> &[Posting] {
        &self.lists[number as usize].postings
    }

    /// A term's number, a new one for a new term; `add` must follow.
    pub fn number_for(&mut self, term: Term) -> u32 {
        if let Some(number) = self.number(term) {
            return number;
        }
        let list = List { term, postings: Vec::new() };
        let number = match self.free.pop() {
            Some(number) => {
                self.lists[number as usize] = list;
                number
            }
            None => {
                self.lists.push(list);
                (self.lists.len() - 1) as u32
            }
        };
        self.numbers.insert(term, number);
        number
    }

    /// Adds postings, ascending, of slots that the term's list does not have yet.
    pub fn add(&mut self, number: u32, added: &[Posting]) {
        let List { postings, .. } = &mut self.lists[number as usize];
        let before = postings.capacity();
        if postings.len() + added.len() > before {
            // Doubling would leave a third of the memory unused on average.
            postings.reserve_exact(added.len().max(postings.len() / 4).max(LEAST));
        }
        let last = postings.last().copied().unwrap_or(0);
        let old = postings.len();
        postings.extend_from_slice(added);
        if added.first().is_some_and(|&first| old > 0 && first < last) {
            merge_tail(postings, old, added);
        }
        self.heap += 4 * (postings.capacity() - before);
    }

    /// Removes the postings of slots, ascending. A term without postings is forgotten.
    pub fn remove(&mut self, number: u32, slots: impl Iterator<Item = u32>) {
        let List { postings, term } = &mut self.lists[number as usize];
        let before = postings.capacity();
        let mut slots = slots.peekable();
        let first = slots.peek().copied().unwrap_or(0);
        let start = postings.partition_point(|&posting| posting >> 8 < first);
        let mut kept = start;
        for at in start..postings.len() {
            let posting = postings[at];
            while slots.next_if(|&slot| slot < posting >> 8).is_some() {}
            match slots.peek() {
                Some(&slot) if slot == posting >> 8 => {}
                Some(_) => {
                    postings[kept] = posting;
                    kept += 1;
                }
                None => {
                    postings.copy_within(at.., kept);
                    kept += postings.len() - at;
                    break;
                }
            }
        }
        postings.truncate(kept);
        if kept == 0 {
            *postings = Vec::new();
            self.numbers.remove(term);
            // The term itself would tell something of the text that is gone.
            *term = Term::NONE;
            self.free.push(number);
        } else if kept < postings.capacity() / 2 && postings.capacity() > LEAST {
            postings.shrink_to(kept + kept / 4);
        }
        self.heap -= 4 * (before - self.lists[number as usize].postings.capacity());
    }

    /// Memory of all terms and postings.
    pub fn bytes(&self) -> usize {
        let entry = size_of::<(Term, u32)>() + 1;
        let table = self.numbers.capacity() * 8 / 7 * entry;
        table + self.lists.capacity() * size_of::<List>() + 4 * self.free.capacity() + self.heap
    }
}

/// The least room that is made for postings.
const LEAST: usize = 4;

/// Merges the sorted tail from `old` on, which is also in `added`, into the sorted rest.
fn merge_tail(postings: &mut [Posting], old: usize, added: &[Posting]) {
    let (mut rest, mut new, mut at) = (old, added.len(), postings.len());
    while new > 0 {
        at -= 1;
        if rest > 0 && postings[rest - 1] > added[new - 1] {
            rest -= 1;
            postings[at] = postings[rest];
        } else {
            new -= 1;
            postings[at] = added[new];
        }
    }
}
