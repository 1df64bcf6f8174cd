//! The documents that a query's terms tell most of.

use super::documents::parts;
use super::index::{Index, counted};
use super::score::{Saturation, weight};
use super::tokenise::terms;
use crate::topk::TopK;
use std::cell::RefCell;

/// What a search found, best first, and how the scores of all documents looked at are spread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LexicalFound {
    pub labels: Vec<i32>,
    pub scores: Vec<f64>,
    /// Documents that have a term of the query.
    pub matched: usize,
    /// Of the scores of all documents, those that are 0 too; 0 where there is none.
    pub mean: f64,
    /// The same: their standard deviation.
    pub deviation: f64,
}

/// A term of the query that the index has, and what it counts.
struct Weighted {
    number: u32,
    weight: f64,
}

thread_local! {
    /// A score for each slot; all 0 between searches.
    static SCORES: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// A thread keeps no more scores than this when a search is over.
const KEPT_SCORES_MAX: usize = 1 << 20;

/// With fewer postings than one in so many slots, noting which scores change is faster than looking at all of them.
const SLOTS_PER_POSTING: usize = 4;

impl Index {
    /// The k documents of greatest score with a term of the query, the lower label on equal scores.
    ///
    /// Bit l % 8 of byte l / 8 of `allowed` lets label l in; absent: all. It restricts the documents looked at, not
    /// those that weights are computed from.
    pub fn search(&self, query: &str, k: usize, allowed: Option<&[u8]>) -> LexicalFound {
        let query = self.weighted(query);
        let slots = self.documents.slots();
        let postings = self.postings_of(&query);
        with_scores(slots, |scores| {
            if postings * SLOTS_PER_POSTING < slots {
                let mut touched = Vec::with_capacity(postings);
                self.add_up(&query, scores, |slot| touched.push(slot));
                self.collect_touched(&touched, scores, k, allowed)
            } else {
                self.add_up(&query, scores, |_| ());
                self.collect_all(scores, k, allowed)
            }
        })
    }

    /// The scores of documents; 0 for those that are unknown.
    pub fn score(&self, query: &str, labels: &[i32]) -> Vec<f64> {
        let query = self.weighted(query);
        // What a term of a document takes is about what a posting takes.
        if self.postings_of(&query) as f64 <= self.documents.mean_length() * labels.len() as f64 {
            return with_scores(self.documents.slots(), |scores| {
                self.add_up(&query, scores, |_| ());
                let slots = labels.iter().map(|&label| self.documents.slot(label));
                let found = slots.map(|slot| slot.map_or(0.0, |slot| scores[slot as usize])).collect();
                scores.fill(0.0);
                found
            });
        }
        let mut scorer = Scorer::new(&query, self.documents.mean_length());
        let mut score = |slot: u32| {
            let length = self.documents.lengths()[slot as usize];
            scorer.score(length, self.documents.terms(slot))
        };
        // Slots first: the processor reads far places at once where none waits for another.
        let slots: Vec<Option<u32>> = labels.iter().map(|&label| self.documents.slot(label)).collect();
        slots.into_iter().map(|slot| slot.map_or(0.0, &mut score)).collect()
    }

    fn postings_of(&self, query: &[Weighted]) -> usize {
        query.iter().map(|term| self.dictionary.postings(term.number).len()).sum()
    }

    /// By weight and then by term, so that the last bit of a score depends on the texts alone, and documents that have
    /// terms of the same weights are equal.
    fn weighted(&self, query: &str) -> Vec<Weighted> {
        let known = counted(terms(query)).into_iter().filter_map(|(term, frequency)| {
            let number = self.dictionary.number(term)?;
            let with_term = self.dictionary.postings(number).len();
            Some(Weighted { number, weight: weight(frequency, self.documents.len(), with_term) })
        });
        let mut known: Vec<Weighted> = known.collect();
        known.sort_by(|a, b| a.weight.total_cmp(&b.weight));
        known
    }

    /// Adds to each document's score, and tells of each once that had none.
    #[inline]
    fn add_up(&self, query: &[Weighted], scores: &mut [f64], mut touch: impl FnMut(usize)) {
        let saturation = Saturation::with_table(self.documents.mean_length());
        let lengths = self.documents.lengths();
        for term in query {
            for &posting in self.dictionary.postings(term.number) {
                let (slot, frequency) = parts(posting);
                let score = &mut scores[slot];
                if *score == 0.0 {
                    touch(slot);
                }
                *score += term.weight * saturation.look_up(frequency, lengths[slot]);
            }
        }
    }

    /// What was found where few documents have a score. Clears the scores.
    fn collect_touched(
        &self,
        touched: &[usize],
        scores: &mut [f64],
        k: usize,
        allowed: Option<&[u8]>,
    ) -> LexicalFound {
        let labels = self.documents.labels();
        let documents = match allowed {
            None => self.documents.len(),
            Some(allowed) => labels.iter().filter(|&&label| contains(allowed, label)).count(),
        };
        if let Some(allowed) = allowed {
            let others = touched.iter().filter(|&&slot| !contains(allowed, labels[slot]));
            others.for_each(|&slot| scores[slot] = 0.0);
        }
        let left = || touched.iter().copied().filter(|&slot| scores[slot] > 0.0);
        let mut best = TopK::new(k.min(touched.len()));
        let mut spread = Spread::new(left().next().map_or(0.0, |slot| scores[slot]));
        for slot in left() {
            best.offer(scores[slot], labels[slot]);
            spread.add(0, scores[slot]);
        }
        touched.iter().for_each(|&slot| scores[slot] = 0.0);
        spread.found(best, documents)
    }

    /// The same where many have. Clears the scores.
    fn collect_all(&self, scores: &mut [f64], k: usize, allowed: Option<&[u8]>) -> LexicalFound {
        let labels = self.documents.labels();
        let mut documents = self.documents.len();
        if let Some(allowed) = allowed {
            documents = 0;
            for (score, &label) in scores.iter_mut().zip(labels) {
                let is_allowed = contains(allowed, label);
                documents += usize::from(is_allowed);
                *score = if is_allowed { *score } else { 0.0 };
            }
        }
        let mut best = TopK::new(k.min(documents));
        // Documents without a score are none that was found.
        let mut least = f64::MIN_POSITIVE;
        let mut spread = Spread::new(scores.iter().copied().find(|&score| score > 0.0).unwrap_or(0.0));
        for (block, scores) in scores.chunks_mut(LANES).enumerate() {
            let mut greatest = 0.0_f64;
            for (lane, score) in scores.iter_mut().enumerate() {
                spread.add(lane, *score);
                greatest = greatest.max(*score);
            }
            if greatest >= least {
                for (lane, &score) in scores.iter().enumerate().filter(|&(_, &score)| score >= least) {
                    best.offer(score, labels[block * LANES + lane]);
                }
                least = best.least().max(f64::MIN_POSITIVE);
            }
            scores.fill(0.0);
        }
        spread.found(best, documents)
    }
}

/// Scores documents one by one.
struct Scorer<'a> {
    query: &'a [Weighted],
    /// The query's terms by number, and their places in it.
    numbers: Vec<(u32, usize)>,
    /// A bit for each number: most terms of a document are none of the query.
    asked: Vec<u64>,
    saturation: Saturation,
    /// What each term of the query adds.
    parts: Vec<f64>,
}

impl<'a> Scorer<'a> {
    fn new(query: &'a [Weighted], mean_length: f64) -> Self {
        let mut numbers: Vec<(u32, usize)> =
            query.iter().enumerate().map(|(place, term)| (term.number, place)).collect();
        numbers.sort_unstable();
        let mut asked = vec![0; numbers.last().map_or(0, |last| last.0 as usize / 64 + 1)];
        numbers.iter().for_each(|&(number, _)| asked[number as usize / 64] |= 1 << (number % 64));
        let saturation = Saturation::with_table(mean_length);
        Self { query, numbers, asked, saturation, parts: vec![0.0; query.len()] }
    }

    /// `terms` are numbers of terms and frequencies, ascending.
    fn score(&mut self, length: u32, terms: impl Iterator<Item = (u32, u8)>) -> f64 {
        self.parts.fill(0.0);
        let mut numbers = self.numbers.iter();
        for (number, frequency) in terms {
            let Some(word) = self.asked.get(number as usize / 64) else { break };
            if word >> (number % 64) & 1 == 1
                && let Some(&(_, place)) = numbers.find(|known| known.0 == number)
            {
                self.parts[place] = self.query[place].weight * self.saturation.look_up(frequency, length);
            }
        }
        // In the order in which a search adds them.
        self.parts.iter().sum()
    }
}

/// Lends a score for each slot, all 0, which the work must leave so. One that panics loses them.
fn with_scores<T>(slots: usize, work: impl FnOnce(&mut [f64]) -> T) -> T {
    let mut scores = SCORES.take();
    if scores.len() < slots {
        scores.resize(slots, 0.0);
    }
    let result = work(&mut scores[..slots]);
    scores.truncate(KEPT_SCORES_MAX);
    scores.shrink_to(KEPT_SCORES_MAX);
    SCORES.set(scores);
    result
}

/// Sums that do not wait for each other.
const LANES: usize = 8;

/// Mean and variance of scores as they come, of differences to one of them: these lose no digits when all are alike.
struct Spread {
    pivot: f64,
    sums: [f64; LANES],
    squares: [f64; LANES],
    matched: [usize; LANES],
}

impl Spread {
    fn new(pivot: f64) -> Self {
        Self { pivot, sums: [0.0; LANES], squares: [0.0; LANES], matched: [0; LANES] }
    }

    #[inline(always)]
    fn add(&mut self, lane: usize, score: f64) {
        let difference = if score > 0.0 { score - self.pivot } else { 0.0 };
        self.sums[lane] += difference;
        self.squares[lane] += difference * difference;
        self.matched[lane] += usize::from(score > 0.0);
    }

    /// `documents` were looked at, with a score or not.
    fn found(self, best: TopK, documents: usize) -> LexicalFound {
        let matched: usize = self.matched.iter().sum();
        if documents == 0 {
            return LexicalFound::default();
        }
        let others = (documents - matched) as f64;
        let difference = (self.sums.iter().sum::<f64>() - others * self.pivot) / documents as f64;
        let squares = self.squares.iter().sum::<f64>() + others * self.pivot.powi(2);
        let variance = squares / documents as f64 - difference.powi(2);
        let best = best.sorted();
        LexicalFound {
            labels: best.labels,
            scores: best.scores,
            matched,
            mean: self.pivot + difference,
            deviation: variance.max(0.0).sqrt(),
        }
    }
}

/// A label of -1 is none.
fn contains(allowed: &[u8], label: i32) -> bool {
    usize::try_from(label)
        .is_ok_and(|label| allowed.get(label / 8).is_some_and(|byte| byte >> (label % 8) & 1 == 1))
}
