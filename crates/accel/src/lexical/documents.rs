//! The terms of each document.

use super::dictionary::Posting;
use std::collections::HashMap;

/// Documents by slot. A slot is a document's as long as it is there; then another one gets it.
#[derive(Default)]
pub struct Documents {
    /// By slot; -1 where no document is.
    labels: Vec<i32>,
    /// By slot: number of terms, repeated ones too.
    lengths: Vec<u32>,
    /// By slot, see `pack`.
    terms: Vec<Box<[u8]>>,
    /// By label.
    slots: HashMap<i32, u32>,
    /// Slots without a document.
    free: Vec<u32>,
    /// Terms of all documents, repeated ones too.
    total_length: u64,
    /// Memory of all packed terms.
    heap: usize,
}

impl Documents {
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// One more than the greatest slot ever taken.
    pub fn slots(&self) -> usize {
        self.labels.len()
    }

    /// By slot; -1 where no document is.
    pub fn labels(&self) -> &[i32] {
        &self.labels
    }

    /// By slot: number of terms, repeated ones too.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    pub fn slot(&self, label: i32) -> Option<u32> {
        self.slots.get(&label).copied()
    }

    /// Mean number of terms of a document, repeated ones too; 0 where there is none.
    pub fn mean_length(&self) -> f64 {
        self.total_length as f64 / self.len().max(1) as f64
    }

    /// Takes a slot for a new label.
    pub fn insert(&mut self, label: i32, length: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.labels.push(-1);
            self.lengths.push(0);
            self.terms.push(Box::default());
            (self.labels.len() - 1) as u32
        });
        self.labels[slot as usize] = label;
        self.lengths[slot as usize] = length;
        self.total_length += u64::from(length);
        self.slots.insert(label, slot);
        slot
    }

    /// `terms` are numbers of terms and frequencies, ascending.
    pub fn set_terms(&mut self, slot: u32, terms: &[(u32, u8)]) {
        let packed = pack(terms);
        self.heap += packed.len();
        self.terms[slot as usize] = packed;
    }

    /// Removes a document and frees its slot; gives the slot and its packed terms.
    pub fn remove(&mut self, label: i32) -> Option<(u32, Box<[u8]>)> {
        let slot = self.slots.remove(&label)?;
        let at = slot as usize;
        self.total_length -= u64::from(self.lengths[at]);
        (self.labels[at], self.lengths[at]) = (-1, 0);
        self.free.push(slot);
        let terms = std::mem::take(&mut self.terms[at]);
        self.heap -= terms.len();
        Some((slot, terms))
    }

    pub fn terms(&self, slot: u32) -> impl Iterator<Item = (u32, u8)> {
        unpack(&self.terms[slot as usize])
    }

    /// Memory of all documents.
    pub fn bytes(&self) -> usize {
        let slot = 4 + 4 + size_of::<Box<[u8]>>();
        let table = self.slots.capacity() * 8 / 7 * (size_of::<(i32, u32)>() + 1);
        // Every small allocation has a header.
        let headers = self.len() * size_of::<usize>();
        self.labels.capacity() * slot + 4 * self.free.capacity() + table + headers + self.heap
    }
}

/// The differences of ascending numbers, 7 bits a byte; their lowest bit says that a byte with the frequency follows,
/// which is 1 otherwise.
fn pack(terms: &[(u32, u8)]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(2 * terms.len() + 16);
    let mut before = 0;
    for &(number, frequency) in terms {
        let mut rest = u64::from(number - before) << 1 | u64::from(frequency > 1);
        before = number;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
        if frequency > 1 {
            bytes.push(frequency);
        }
    }
    bytes.into_boxed_slice()
}

/// The numbers and frequencies that `pack` was given.
pub fn unpack(bytes: &[u8]) -> impl Iterator<Item = (u32, u8)> {
    let mut bytes = bytes.iter().copied();
    let mut number = 0;
    std::iter::from_fn(move || {
        let (mut rest, mut shift) = (0, 0);
        loop {
            let byte = bytes.next()?;
            rest |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        number += (rest >> 1) as u32;
        Some((number, if rest & 1 == 1 { bytes.next()? } else { 1 }))
    })
}

/// A posting's parts: the slot and the frequency.
#[inline]
pub fn parts(posting: Posting) -> (usize, u8) {
    ((posting >> 8) as usize, posting as u8)
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};

    #[test]
    fn packed_terms_are_read_back() {
        let terms = [(0, 1), (1, 2), (63, 1), (64, 255), (70_000, 1), (u32::MAX, 3)];
        for end in 0..=terms.len() {
            assert_eq!(unpack(&pack(&terms[..end])).collect::<Vec<_>>(), terms[..end]);
        }
    }
}
