//! The keys of one space that have one dimension: many readers, one writer at a time.

use super::bits::bits;
use super::encode::{Centre, Encoder};
use super::error::IndexError;
use super::lists::Lists;
use super::locations::{Location, Locations};
use super::query::Query;
use super::row::Row;
use super::segment::Segment;
use super::tier::Tier;
use super::view::{Part, View};
use crate::kernels::Kernels;
use crate::labels::last_of_each;
use crate::ops::cosine::norm;
use crate::ops::rotation::Rotation;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};

/// The largest dimension of a key.
pub const DIMENSIONS_MAX: usize = crate::ops::rotation::ROTATION_DIMENSIONS_MAX;

/// About how many of the latest searches a mean is over.
const MEAN_OVER: f32 = 16.0;

/// An index of keys by label. Searches run on the state of the moment they begin and wait for nothing; changes
/// are made one after the other, each visible at once and as a whole when the call returns.
pub struct Shard {
    dimensions: usize,
    rotation: Arc<Rotation>,
    /// Locked only to copy or exchange the pointer.
    view: RwLock<Arc<View>>,
    /// Changed together with the view.
    locations: RwLock<Locations>,
    writer: Mutex<Writer>,
    /// Notified when a sealed shard no longer is.
    unsealed: Condvar,
    /// The tiers of the demotions under way.
    demotions: Mutex<Vec<Tier>>,
    /// Set for good by `interrupt_lists`: no lists are built any more.
    pub(super) lists_interrupted: AtomicBool,
    /// How many rows in lists a search looks at, a mean over the latest searches, as the bits of an f32; NaN before the first.
    rows_in_lists: AtomicU32,
}

/// New parts of a shard that is rewritten, each with where its rows were.
pub(super) type Rewritten = Vec<(Part, Vec<Location>)>;

/// What only changes need.
struct Writer {
    encoder: Encoder,
    /// Where rows of each tier are appended: a slot of the view.
    open: [Option<usize>; 3],
    means: Means,
    /// While segments are rewritten in the background: those that the new ones are made from must stay.
    sealed: bool,
}

/// The centre of new segments and what it is computed from.
#[derive(Clone)]
pub struct Means {
    pub centre: Arc<Centre>,
    /// Sum of the rotated unit keys that were put, and their number.
    pub sum: Vec<f64>,
    pub summed: u64,
    /// `summed` when `centre` was computed.
    pub centred: u64,
}

/// A change in the making: the next view, where each tier appends, and the new places of labels (None: removed).
struct Draft {
    view: View,
    open: [Option<usize>; 3],
    moved: Vec<(i32, Option<Location>)>,
}

/// Rows by tier, dead rows that still take memory, and that memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Living rows of `Tier::Hot`.
    pub hot: usize,
    /// Living rows of `Tier::Warm`.
    pub warm: usize,
    /// Living rows of `Tier::Cold`.
    pub cold: usize,
    /// Deleted and replaced rows whose memory is not free yet.
    pub dead: usize,
    /// In bytes: all segments and the map of labels; segments that are being demoted count as what will be left of them.
    pub bytes: usize,
    /// Segments of all tiers.
    pub segments: usize,
    /// Living rows that are sorted into lists.
    pub listed: usize,
}

impl Shard {
    /// An empty shard for keys of 1 to `DIMENSIONS_MAX` values.
    pub fn new(dimensions: usize) -> Result<Self, IndexError> {
        if !(1..=DIMENSIONS_MAX).contains(&dimensions) {
            return Err(IndexError::Dimensions(dimensions));
        }
        let rotation = Arc::new(Rotation::new(dimensions));
        Ok(Self {
            dimensions,
            view: RwLock::default(),
            locations: RwLock::default(),
            writer: Mutex::new(Writer::new(Arc::clone(&rotation))),
            rotation,
            unsealed: Condvar::new(),
            demotions: Mutex::default(),
            lists_interrupted: AtomicBool::new(false),
            rows_in_lists: AtomicU32::new(f32::NAN.to_bits()),
        })
    }

    /// How many rows in lists a search looks at, a mean over the latest searches; None before the first search.
    pub fn rows_in_lists(&self) -> Option<f32> {
        let mean = f32::from_bits(self.rows_in_lists.load(Ordering::Relaxed));
        (!mean.is_nan()).then_some(mean)
    }

    /// Takes a search into the mean. Of two searches at a time one may not count, which a mean can do without.
    pub(super) fn note_rows_in_lists(&self, rows: usize) {
        let mean = self.rows_in_lists().map_or(rows as f32, |mean| mean + (rows as f32 - mean) / MEAN_OVER);
        self.rows_in_lists.store(mean.to_bits(), Ordering::Relaxed);
    }

    /// Values in a key.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(super) fn shared_rotation(&self) -> Arc<Rotation> {
        Arc::clone(&self.rotation)
    }

    pub(super) fn rotation(&self) -> &Rotation {
        &self.rotation
    }

    /// The state that all changes made so far led to.
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds rows, or replaces those whose label is there; of a label given twice the last counts.
    ///
    /// `keys` is labels x dimensions, row-major: finite, no row all zero. Labels are at least 0, and each
    /// flags has the alive bit, 1.
    pub fn put(&self, labels: &[i32], keys: &[f32], flags: &[u8], tier: Tier) -> Result<(), IndexError> {
        check_length("flags", flags.len(), labels.len())?;
        for (&label, &flags) in labels.iter().zip(flags) {
            check_label(label)?;
            if flags & ALIVE == 0 {
                return Err(IndexError::Flags { label, flags });
            }
        }
        let norms = self.check_keys(labels, keys)?;
        let mut writer = self.writer();
        let mut draft = writer.draft(&self.view());
        let rows = last_of_each(labels);
        for (done, &row) in rows.iter().enumerate() {
            let key = &keys[row * self.dimensions..][..self.dimensions];
            let slot = writer.place(&mut draft, self.dimensions, tier, rows.len() - done, None)?;
            let segment = Arc::clone(&draft.part(slot).segment);
            let Writer { encoder, means, .. } = &mut *writer;
            encoder.encode(key, 1.0 / norms[row], &segment.centre, Some(&mut means.sum));
            means.summed += 1;
            let row = writer.encoder.row(labels[row], flags[row], Some((key, 1.0 / norms[row])));
            let old = self.location(row.label);
            draft.append(slot, &row, old);
        }
        self.publish(&mut writer, draft);
        self.maintain(&mut writer, rows.len());
        Ok(())
    }

    /// Removes rows and says how many there were; unknown labels are none.
    pub fn remove(&self, labels: &[i32]) -> Result<usize, IndexError> {
        let mut writer = self.writer();
        let mut draft = writer.draft(&self.view());
        let rows = last_of_each(labels);
        for &row in &rows {
            if let Some(location) = self.location(labels[row]) {
                draft.part(location.slot()).kill(location.row());
                draft.moved.push((labels[row], None));
            }
        }
        let removed = draft.moved.len();
        if removed > 0 {
            self.publish(&mut writer, draft);
            self.maintain(&mut writer, removed);
        }
        Ok(removed)
    }

    /// The float32 keys held for labels, row after row; false for labels that are unknown or not hot, whose
    /// row is zeros.
    pub fn keys_of(&self, labels: &[i32]) -> (Vec<f32>, Vec<bool>) {
        let mut values = vec![0.0; labels.len() * self.dimensions];
        let held = self.with_keys(labels, |keys| {
            for (row, key) in values.chunks_exact_mut(self.dimensions).zip(keys) {
                if let Some((key, _)) = key {
                    row.copy_from_slice(key);
                }
            }
            keys.iter().map(Option::is_some).collect()
        });
        (values, held)
    }

    /// Cosines of labels to queries, a row of one for each query and the same bits as a search gives; false for
    /// labels that are unknown or not hot, whose row is zeros.
    pub fn cosines_of(
        &self,
        labels: &[i32],
        queries: &[&[f32]],
    ) -> Result<(Vec<f64>, Vec<bool>), IndexError> {
        let kernels = Kernels::widest();
        let queries: Vec<_> =
            queries.iter().map(|query| Query::new(query, self.dimensions)).collect::<Result<_, _>>()?;
        let mut cosines = vec![0.0; labels.len() * queries.len()];
        let held = self.with_keys(labels, |keys| {
            let held: Vec<_> = keys.iter().enumerate().filter_map(|(at, key)| Some((at, (*key)?))).collect();
            let (fours, rest) = held.as_chunks::<4>();
            for (number, query) in queries.iter().enumerate() {
                let mut set = |at: usize, cosine| cosines[at * queries.len() + number] = cosine;
                for four in fours {
                    let found = query.cosines(kernels, four.map(|(_, key)| key));
                    (0..4).for_each(|i| set(four[i].0, found[i]));
                }
                rest.iter().for_each(|&(at, (key, norm))| set(at, query.cosine(kernels, key, norm)));
            }
            keys.iter().map(Option::is_some).collect()
        });
        Ok((cosines, held))
    }

    /// The present state; and where an allow-set lets in few rows, their locations in the order of their slots: to look them up
    /// costs less than to ask of every row whether it is allowed.
    pub(super) fn view_of(&self, allowed: Option<&[u8]>) -> (Arc<View>, Option<Vec<Location>>) {
        let view = self.view();
        let Some(allowed) = allowed else { return (view, None) };
        let rows: usize = view.parts().map(|(_, part)| part.count).sum();
        let count: usize = allowed.iter().map(|byte| byte.count_ones() as usize).sum();
        if count > rows / FEW_SHARE {
            return (view, None);
        }
        // Both of one moment: locations point into the view that was made with them.
        let locations = self.locations.read().unwrap_or_else(PoisonError::into_inner);
        let labels = allowed.iter().enumerate().filter(|&(_, &byte)| byte != 0);
        let labels = labels.flat_map(|(at, &byte)| bits(byte.into()).map(move |bit| (8 * at + bit) as i32));
        let mut few = locations.find_all(labels);
        let view = self.view();
        drop(locations);
        few.sort_unstable_by_key(|at| at.slot());
        (view, Some(few))
    }

    /// Lends the float32 key of each label and 1 / its norm, of those that are held.
    fn with_keys<T>(&self, labels: &[i32], work: impl FnOnce(&[Option<(&[f32], f64)>]) -> T) -> T {
        let (view, found) = {
            let locations = self.locations.read().unwrap_or_else(PoisonError::into_inner);
            let found: Vec<_> = labels.iter().map(|&label| locations.get(label)).collect();
            (self.view(), found)
        };
        let key_at = |at: Location| view.parts.get(at.slot())?.as_ref()?.segment.key_of(at.row());
        work(&found.into_iter().map(|location| location.and_then(key_at)).collect::<Vec<_>>())
    }

    /// What the shard holds now. Waits for no change that is under way.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        let mut lists: Vec<Arc<Lists>> = Vec::new();
        let demoted = self.coldest_demotion();
        for (_, part) in self.view().parts() {
            match part.segment.tier {
                Tier::Hot => stats.hot += part.living(),
                Tier::Warm => stats.warm += part.living(),
                Tier::Cold => stats.cold += part.living(),
            }
            stats.dead += part.dead_count;
            stats.bytes += match demoted {
                Some(tier) if part.segment.tier.number() < tier.number() => {
                    part.living() * Segment::row_bytes(tier, self.dimensions)
                }
                _ => part.segment.memory() + part.memory(),
            };
            stats.segments += 1;
            stats.listed += part.segment.ranges.as_ref().map_or(0, |_| part.living());
            if let Some(ranges) = &part.segment.ranges
                && !lists.iter().any(|known| Arc::ptr_eq(known, &ranges.lists))
            {
                stats.bytes += ranges.lists.memory();
                lists.push(Arc::clone(&ranges.lists));
            }
        }
        stats.bytes += self.locations.read().unwrap_or_else(PoisonError::into_inner).bytes();
        stats
    }

    /// The present state, for a snapshot.
    pub(super) fn state(&self) -> (Arc<View>, Means) {
        let writer = self.writer();
        (self.view(), writer.means.clone())
    }

    /// Makes an empty shard one of a given state, in which each label must be alive once.
    pub(super) fn restore(&self, view: View, means: Means) -> Result<(), IndexError> {
        let mut writer = self.writer();
        let mut seen = HashSet::new();
        let mut draft = Draft { view, open: [None; 3], moved: Vec::new() };
        for (slot, part) in draft.view.parts() {
            for row in part.living_rows() {
                let label = part.segment.labels()[row];
                check_label(label)?;
                if !seen.insert(label) {
                    return Err(IndexError::Snapshot("a label is there twice"));
                }
                draft.moved.push((label, Some(Location::new(slot, row))));
            }
            if part.count < part.segment.capacity {
                draft.open[usize::from(part.segment.tier.number())] = Some(slot);
            }
        }
        writer.means = means;
        self.publish(&mut writer, draft);
        Ok(())
    }

    /// Closes all segments, so that what the present state shows of them stays but for rows that die, and keeps
    /// them until `unseal`. None while another thread keeps them closed.
    pub(super) fn seal(&self) -> Option<(Arc<View>, Arc<Centre>)> {
        let mut writer = self.writer();
        if writer.sealed { None } else { Some(self.sealed(&mut writer)) }
    }

    /// Closes all segments as `seal` does, after waiting for the thread that keeps them closed.
    pub(super) fn wait_and_seal(&self) -> Arc<View> {
        let unsealed = self.unsealed.wait_while(self.writer(), |writer| writer.sealed);
        self.sealed(&mut unsealed.unwrap_or_else(PoisonError::into_inner)).0
    }

    fn sealed(&self, writer: &mut Writer) -> (Arc<View>, Arc<Centre>) {
        writer.sealed = true;
        writer.open = [None; 3];
        (self.view(), Arc::clone(&writer.means.centre))
    }

    /// Ends what `seal` began.
    pub(super) fn unseal(&self) {
        self.writer().sealed = false;
        self.unsealed.notify_one();
    }

    /// Replaces sealed segments by others with the same rows: `parts` lists for each new part where its rows were.
    pub(super) fn exchange(&self, sealed: &[usize], parts: Rewritten) -> Result<(), IndexError> {
        let mut writer = self.writer();
        let current = self.view();
        let mut draft = writer.draft(&current);
        sealed.iter().for_each(|&slot| draft.view.parts[slot] = None);
        for (mut part, sources) in parts {
            let slot = draft.free_slot()?;
            for (row, source) in sources.into_iter().enumerate() {
                let alive =
                    current.parts[source.slot()].as_ref().is_some_and(|part| part.is_alive(source.row()));
                if alive {
                    draft.moved.push((part.segment.labels()[row], Some(Location::new(slot, row))));
                } else {
                    part.kill(row);
                }
            }
            draft.view.parts[slot] = Some(part);
        }
        self.publish(&mut writer, draft);
        Ok(())
    }

    pub(super) fn demotions(&self) -> MutexGuard<'_, Vec<Tier>> {
        self.demotions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The coldest tier of the demotions under way.
    fn coldest_demotion(&self) -> Option<Tier> {
        self.demotions().iter().copied().max_by_key(|tier| tier.number())
    }

    fn check_keys(&self, labels: &[i32], keys: &[f32]) -> Result<Vec<f64>, IndexError> {
        check_length("keys", keys.len(), labels.len() * self.dimensions)?;
        if let Some(at) = keys.iter().position(|value| !value.is_finite()) {
            return Err(IndexError::NotFinite { what: "keys", at });
        }
        let norms: Vec<f64> = keys.chunks_exact(self.dimensions).map(norm).collect();
        match norms.iter().position(|&norm| norm == 0.0) {
            Some(at) => Err(IndexError::ZeroKey { label: labels[at] }),
            None => Ok(norms),
        }
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn location(&self, label: i32) -> Option<Location> {
        self.locations.read().unwrap_or_else(PoisonError::into_inner).get(label)
    }

    /// Makes a change visible.
    fn publish(&self, writer: &mut Writer, draft: Draft) {
        writer.open = draft.open;
        let mut next = Arc::new(draft.view);
        let mut locations = self.locations.write().unwrap_or_else(PoisonError::into_inner);
        for (label, location) in draft.moved {
            match location {
                Some(location) => locations.set(label, location),
                None => locations.remove(label),
            }
        }
        std::mem::swap(&mut *self.view.write().unwrap_or_else(PoisonError::into_inner), &mut next);
        drop(locations);
        // The old view goes here, after the locks: with it goes the memory of segments that nobody reads.
        drop(next);
    }

    /// Rewrites segments with too many dead rows: one, and one more for every 1,024 rows changed, so that a
    /// call's work is bounded by its own.
    fn maintain(&self, writer: &mut Writer, changed: usize) {
        for _ in 0..=changed / 1_024 {
            let view = self.view();
            let Some(slot) = worn(&view).filter(|_| !writer.sealed) else { break };
            // Where there is no memory for it the next change tries again: this one has been made.
            if self.compact(writer, &view, slot).is_err() {
                break;
            }
        }
    }

    fn compact(&self, writer: &mut Writer, view: &View, slot: usize) -> Result<(), IndexError> {
        let mut draft = writer.draft(view);
        let Some(part) = draft.view.parts[slot].take() else { return Ok(()) };
        draft.open.iter_mut().filter(|open| **open == Some(slot)).for_each(|open| *open = None);
        let source = &part.segment;
        if source.ranges.is_some() {
            let (rewritten, sources) = part.rewritten(slot, source.tier, &mut writer.encoder)?;
            for (row, source) in sources.iter().enumerate() {
                draft.moved.push((part.segment.labels()[source.row()], Some(Location::new(slot, row))));
            }
            draft.view.parts[slot] = (!sources.is_empty()).then_some(rewritten);
            self.publish(writer, draft);
            return Ok(());
        }
        // Codes of cold rows are all there is: their centre must stay.
        let centre = (source.tier == Tier::Cold).then_some(&source.centre);
        for (done, row) in part.living_rows().enumerate() {
            let rest = part.living() - done;
            let target = writer.place(&mut draft, self.dimensions, source.tier, rest, centre)?;
            let centre = Arc::clone(&draft.part(target).segment.centre);
            let row = writer.encoder.recode(source.row(row), &source.centre, &centre, source.tier);
            draft.append(target, &row, None);
        }
        self.publish(writer, draft);
        Ok(())
    }
}

/// Unseals a shard when it is dropped, however the rewriting ended.
pub struct Sealed<'a>(pub &'a Shard);

impl Drop for Sealed<'_> {
    fn drop(&mut self) {
        self.0.unseal();
    }
}

impl Writer {
    fn new(rotation: Arc<Rotation>) -> Self {
        let dimensions = rotation.dimensions();
        Self {
            encoder: Encoder::new(rotation),
            open: [None; 3],
            means: Means {
                centre: Arc::new(Centre::new(vec![0.0; dimensions])),
                sum: vec![0.0; dimensions],
                summed: 0,
                centred: 0,
            },
            sealed: false,
        }
    }

    /// A change of the present state. Rows that a change which failed midway left in a segment become dead.
    fn draft(&self, view: &View) -> Draft {
        let mut view = view.clone();
        for slot in self.open.into_iter().flatten() {
            if let Some(part) = &mut view.parts[slot] {
                for row in part.count..part.segment.written() {
                    part.count += 1;
                    part.kill(row);
                }
            }
        }
        Draft { view, open: self.open, moved: Vec::new() }
    }

    /// The slot of a segment of the tier that has room, around the given centre if any. A new segment has room for half as
    /// many rows as live in the tier, or for those coming where these are more, within the bounds of a segment.
    fn place(
        &mut self,
        draft: &mut Draft,
        dimensions: usize,
        tier: Tier,
        coming: usize,
        centre: Option<&Arc<Centre>>,
    ) -> Result<usize, IndexError> {
        let open = usize::from(tier.number());
        if let Some(slot) = draft.open[open] {
            let part = draft.part(slot);
            let fits = centre.is_none_or(|centre| Arc::ptr_eq(centre, &part.segment.centre));
            if part.count < part.segment.capacity && fits {
                return Ok(slot);
            }
        }
        let living: usize = draft
            .view
            .parts()
            .filter(|(_, part)| part.segment.tier == tier)
            .map(|(_, part)| part.living())
            .sum();
        let capacity = (living / 2)
            .max(coming)
            .next_power_of_two()
            .clamp(Segment::ROWS_MIN, Segment::rows_max(dimensions));
        let centre = centre.cloned().unwrap_or_else(|| self.means.current_centre());
        let segment = Arc::new(Segment::new(tier, dimensions, capacity, centre)?);
        let slot = draft.free_slot()?;
        draft.view.parts[slot] = Some(Part::new(segment));
        draft.open[open] = Some(slot);
        Ok(slot)
    }
}

impl Means {
    /// The mean of the keys put so far; computed anew when their number has doubled.
    fn current_centre(&mut self) -> Arc<Centre> {
        if self.summed >= CENTRED_FROM.max(self.centred.saturating_mul(2)) {
            let mean = self.sum.iter().map(|sum| (sum / self.summed as f64) as f32).collect();
            self.centre = Arc::new(Centre::new(mean));
            self.centred = self.summed;
        }
        Arc::clone(&self.centre)
    }
}

impl Draft {
    /// A part that is known to be there.
    fn part(&mut self, slot: usize) -> &mut Part {
        self.view.parts[slot].as_mut().expect("locations and open slots point to parts")
    }

    fn append(&mut self, slot: usize, row: &Row, old: Option<Location>) {
        let part = self.part(slot);
        part.segment.append(row);
        let location = Location::new(slot, part.count);
        part.count += 1;
        if let Some(old) = old {
            self.part(old.slot()).kill(old.row());
        }
        self.moved.push((row.label, Some(location)));
    }

    fn free_slot(&mut self) -> Result<usize, IndexError> {
        if let Some(slot) = self.view.parts.iter().position(Option::is_none) {
            return Ok(slot);
        }
        if self.view.parts.len() == Location::SLOTS {
            return Err(IndexError::Full);
        }
        self.view.parts.push(None);
        Ok(self.view.parts.len() - 1)
    }
}

/// The bit of a row's flags that every row has.
const ALIVE: u8 = 1;

/// Rows are looked up where an allow-set lets in at most one in so many.
const FEW_SHARE: usize = 8;

/// The centre stays 0 until there are so many keys: the mean of fewer tells too little.
const CENTRED_FROM: u64 = 64;

/// The slot of the segment with the greatest share of dead rows, where that is over a fifth.
fn worn(view: &View) -> Option<usize> {
    let share = |part: &Part| part.dead_count as f64 / part.count as f64;
    view.parts()
        .filter(|(_, part)| part.dead_count >= Segment::ROWS_MIN / 2 && 5 * part.dead_count > part.count)
        .max_by(|(_, a), (_, b)| share(a).total_cmp(&share(b)))
        .map(|(slot, _)| slot)
}

fn check_label(label: i32) -> Result<(), IndexError> {
    if label < 0 { Err(IndexError::Label(label)) } else { Ok(()) }
}

fn check_length(what: &'static str, length: usize, needed: usize) -> Result<(), IndexError> {
    if length == needed { Ok(()) } else { Err(IndexError::Lengths { what, length, needed }) }
}
