//! Labels: what rows and documents are called, whole numbers from 0 on.

use std::collections::HashSet;

/// The places where labels stand last, ascending: of a label given twice the last counts.
pub fn last_of_each(labels: &[i32]) -> Vec<usize> {
    if labels.len() == 1 {
        return vec![0];
    }
    let mut seen = HashSet::with_capacity(labels.len());
    let mut places: Vec<usize> = (0..labels.len()).rev().filter(|&at| seen.insert(labels[at])).collect();
    places.reverse();
    places
}

/// Whether a set of labels has one: bit l % 8 of byte l / 8 for label l. No set has a label below 0.
#[inline]
pub fn contains(set: &[u8], label: i32) -> bool {
    usize::try_from(label)
        .is_ok_and(|label| set.get(label / 8).is_some_and(|byte| byte >> (label % 8) & 1 == 1))
}
