//! The documents that a query's terms tell most of.

use super::dictionary::{Posting, SLOTS_MAX, posting};
use super::documents::parts;
use super::index::Index;
use super::score::{Saturation, weight};
use super::tokenise::{Term, query_terms};
use crate::labels::contains;
use crate::ops::topk::TopK;
use std::cell::RefCell;

/// What a search found, best first, and how the scores of all documents looked at are spread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LexicalFound {
    /// Documents with a term of the query, the lower label first on equal scores.
    pub labels: Vec<i32>,
    /// BM25 scores above 0, as many as labels.
    pub scores: Vec<f64>,
    /// Documents that have a term of the query.
    pub matched: usize,
    /// Mean score of all documents, those without a term of the query included; 0 where there is none.
    pub mean: f64,
    /// Standard deviation of the scores of all documents.
    pub deviation: f64,
    /// What a document of mean length would score that has every term of the query once, also those that no document has;
    /// 0 where there is no document.
    pub full: f64,
}

/// The terms of a query that an index has, and the mean length of documents that theirs are compared with.
struct Asked {
    /// By weight and then by term, so that the last bit of a score depends on the texts alone, and documents that have terms of
    /// the same weights are equal.
    terms: Vec<Weighted>,
    mean_length: f64,
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
    /// those that weights are computed from, which are those of `among`: how rare terms are there, and how long documents.
    pub fn search(&self, query: &str, k: usize, allowed: Option<&[u8]>, among: &Self) -> LexicalFound {
        let counts = query_terms(query);
        let found = self.search_terms(&self.asked(&counts, among), k, allowed);
        LexicalFound { full: among.full_score(&counts), ..found }
    }

    fn search_terms(&self, query: &Asked, k: usize, allowed: Option<&[u8]>) -> LexicalFound {
        let slots = self.documents.slots();
        let postings = self.postings_of(&query.terms);
        if postings * SLOTS_PER_POSTING >= slots {
            return self.search_blocks(query, k, allowed);
        }
        with_scores(slots, |scores| {
            let mut touched = Vec::with_capacity(postings);
            self.add_up(query, scores, |slot| touched.push(slot));
            self.collect_touched(&touched, scores, k, allowed)
        })
    }

    /// The scores of documents; 0 for those that are unknown.
    pub fn score(&self, query: &str, labels: &[i32]) -> Vec<f64> {
        let query = self.asked(&query_terms(query), self);
        // What a term of a document takes is about what a posting takes.
        if self.postings_of(&query.terms) as f64 <= self.documents.mean_length() * labels.len() as f64 {
            return with_scores(self.documents.slots(), |scores| {
                self.add_up(&query, scores, |_| ());
                let slots = labels.iter().map(|&label| self.documents.slot(label));
                let found = slots.map(|slot| slot.map_or(0.0, |slot| scores[slot as usize])).collect();
                scores.fill(0.0);
                found
            });
        }
        let mut scorer = Scorer::new(&query);
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

    /// The terms that the index has, weighted as those of `among`.
    fn asked(&self, query: &[(Term, f64)], among: &Self) -> Asked {
        let known = query.iter().filter_map(|&(term, frequency)| {
            let number = self.dictionary.number(term)?;
            Some(Weighted { number, weight: among.weight_of(term, frequency) })
        });
        let mut terms: Vec<Weighted> = known.collect();
        terms.sort_by(|a, b| a.weight.total_cmp(&b.weight));
        Asked { terms, mean_length: among.documents.mean_length() }
    }

    /// The weight of a term that a query has so often. One that no document has is as rare as can be.
    fn weight_of(&self, term: Term, query_frequency: f64) -> f64 {
        let with_term = self.dictionary.number(term).map_or(0, |at| self.dictionary.postings(at).len());
        weight(query_frequency, self.documents.len(), with_term)
    }

    /// What a document of mean length scores that has every term once.
    fn full_score(&self, query: &[(Term, f64)]) -> f64 {
        if self.documents.len() == 0 {
            return 0.0;
        }
        let weights = query.iter().map(|&(term, frequency)| self.weight_of(term, frequency));
        weights.sum::<f64>() * Saturation::once_at_mean_length()
    }

    /// Adds to each document's score, and tells of each once that had none.
    #[inline]
    fn add_up(&self, query: &Asked, scores: &mut [f64], mut touch: impl FnMut(usize)) {
        let saturation = Saturation::new(query.mean_length);
        let lengths = self.documents.lengths();
        for term in &query.terms {
            for &posting in self.dictionary.postings(term.number) {
                let (slot, frequency) = parts(posting);
                let score = &mut scores[slot];
                if *score == 0.0 {
                    touch(slot);
                }
                *score += term.weight * saturation.of(frequency, lengths[slot]);
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
        let mut stats = ScoreStats::new(left().next().map_or(0.0, |slot| scores[slot]));
        for slot in left() {
            best.offer(scores[slot], labels[slot]);
            stats.add(0, scores[slot]);
        }
        touched.iter().for_each(|&slot| scores[slot] = 0.0);
        stats.found(best, documents)
    }

    /// Searches where many documents have a score: block by block, whose scores stay in the first-level cache while all
    /// terms add to them.
    fn search_blocks(&self, query: &Asked, k: usize, allowed: Option<&[u8]>) -> LexicalFound {
        let (labels, lengths) = (self.documents.labels(), self.documents.lengths());
        let documents = match allowed {
            None => self.documents.len(),
            Some(allowed) => labels.iter().filter(|&&label| contains(allowed, label)).count(),
        };
        let saturation = Saturation::new(query.mean_length);
        let mut lists: Vec<(f64, &[Posting])> =
            query.terms.iter().map(|term| (term.weight, self.dictionary.postings(term.number))).collect();
        let mut block = Block::new();
        let mut best = TopK::new(k.min(documents));
        // Documents without a score are none that was found.
        let mut least = f64::MIN_POSITIVE;
        let mut stats: Option<ScoreStats> = None;
        for (number, labels) in labels.chunks(BLOCK).enumerate() {
            let start = number * BLOCK;
            block.begin(start, &lengths[start..start + labels.len()]);
            for (weight, rest) in &mut lists {
                *rest = block.add(*weight, rest, &saturation);
            }
            if let Some(allowed) = allowed {
                let others = labels.iter().zip(block.scores.iter_mut());
                others.filter(|&(&label, _)| !contains(allowed, label)).for_each(|(_, score)| *score = 0.0);
            }
            let Some(pivot) = block.scores.iter().copied().find(|&score| score > 0.0) else { continue };
            let stats = stats.get_or_insert_with(|| ScoreStats::new(pivot));
            let (lanes, _) = block.scores.as_chunks::<LANES>();
            for (at, scores) in lanes.iter().enumerate() {
                stats.add_all(scores);
                if scores.iter().any(|&score| score >= least) {
                    for (lane, &score) in scores.iter().enumerate().filter(|&(_, &score)| score >= least) {
                        best.offer(score, labels[at * LANES + lane]);
                    }
                    least = best.least().max(f64::MIN_POSITIVE);
                }
            }
        }
        stats.unwrap_or_else(|| ScoreStats::new(0.0)).found(best, documents)
    }
}

/// Documents whose scores are added up together: with their lengths these take half of a first cache.
const BLOCK: usize = 2_048;
/// The slots divide into whole blocks, so that the greatest posting of each is one.
const _: () = assert!(SLOTS_MAX.is_multiple_of(BLOCK));

/// The scores of the documents in some consecutive slots.
struct Block<'a> {
    scores: Box<[f64; BLOCK]>,
    lengths: &'a [u32],
    /// Up to `LONG`, which stands for all that are longer.
    short_lengths: Box<[u8; BLOCK]>,
    /// No posting of the block is greater.
    last: Posting,
}

const LONG: u8 = u8::MAX;

impl<'a> Block<'a> {
    fn new() -> Self {
        Self { scores: Box::new([0.0; BLOCK]), lengths: &[], short_lengths: Box::new([0; BLOCK]), last: 0 }
    }

    /// Goes to the slots from `start` on, whose documents have these lengths.
    fn begin(&mut self, start: usize, lengths: &'a [u32]) {
        self.scores.fill(0.0);
        for (short, &length) in self.short_lengths.iter_mut().zip(lengths) {
            *short = length.min(u32::from(LONG)) as u8;
        }
        self.lengths = lengths;
        self.last = posting((start + BLOCK - 1) as u32, u8::MAX);
    }

    /// Adds what a term tells of the block's documents. Returns the postings behind the block.
    ///
    /// Not inlined, so that all that the loop needs stays in registers.
    #[inline(never)]
    fn add<'p>(&mut self, weight: f64, postings: &'p [Posting], saturation: &Saturation) -> &'p [Posting] {
        let (scores, short_lengths, last) = (&mut *self.scores, &*self.short_lengths, self.last);
        let mut added = 0;
        for &posting in postings {
            if posting > last {
                break;
            }
            added += 1;
            let (slot, frequency) = parts(posting);
            let at = slot % BLOCK;
            let length = short_lengths[at];
            let share = match saturation.of_short(frequency, length) {
                Some(share) if length != LONG => share,
                _ => saturation.of(frequency, self.lengths[at]),
            };
            scores[at] += weight * share;
        }
        &postings[added..]
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
    fn new(Asked { terms: query, mean_length }: &'a Asked) -> Self {
        let mut numbers: Vec<(u32, usize)> =
            query.iter().enumerate().map(|(place, term)| (term.number, place)).collect();
        numbers.sort_unstable();
        let mut asked = vec![0; numbers.last().map_or(0, |last| last.0 as usize / 64 + 1)];
        numbers.iter().for_each(|&(number, _)| asked[number as usize / 64] |= 1 << (number % 64));
        let saturation = Saturation::new(*mean_length);
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
                self.parts[place] = self.query[place].weight * self.saturation.of(frequency, length);
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

/// Sums side by side, since a single one would wait for each addition.
const LANES: usize = 8;

/// Gathers the mean and variance of scores as differences to one of them, `pivot`: these lose no digits when all are alike.
struct ScoreStats {
    pivot: f64,
    sums: [f64; LANES],
    squares: [f64; LANES],
    matched: [u64; LANES],
}

impl ScoreStats {
    fn new(pivot: f64) -> Self {
        Self { pivot, sums: [0.0; LANES], squares: [0.0; LANES], matched: [0; LANES] }
    }

    #[inline(always)]
    fn add(&mut self, lane: usize, score: f64) {
        // A mask instead of a branch, so that lanes are added at once.
        let mask = u64::from(score > 0.0).wrapping_neg();
        let difference = f64::from_bits((score - self.pivot).to_bits() & mask);
        self.sums[lane] += difference;
        self.squares[lane] += difference * difference;
        self.matched[lane] = self.matched[lane].wrapping_sub(mask);
    }

    #[inline(always)]
    fn add_all(&mut self, scores: &[f64; LANES]) {
        for (lane, &score) in scores.iter().enumerate() {
            self.add(lane, score);
        }
    }

    /// `documents` were looked at, with a score or not.
    fn found(self, best: TopK, documents: usize) -> LexicalFound {
        let matched = self.matched.iter().sum::<u64>() as usize;
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
            full: 0.0,
        }
    }
}
