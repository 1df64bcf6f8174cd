//! A shard as a file: what it would take long to compute again.
//!
//! It consists of sections (see `section`): the header, the centres, one for each set of lists, and one for each segment with
//! its living rows, column by column, and where those of each list lie. The header has the length of the file, so that a
//! torn file is known before anything else is read.

use super::encode::{Centre, words};
use super::error::IndexError;
use super::lists::{ListRange, ListRanges, Lists};
use super::locations::Location;
use super::section::{DAMAGED, FRAME, Section, read_length, write_all, write_section};
use super::segment::Segment;
use super::shard::{Means, Shard};
use super::tier::Tier;
use super::view::{Part, View};
use crate::files;
use crate::kernels::Kernels;
use bytemuck::NoUninit;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::iter;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder, available_parallelism};

const MAGIC: u64 = u64::from_le_bytes(*b"memshard");
/// Another layout, rotation or encoding is another format.
const FORMAT: u32 = 2;
/// Bytes of magic, format, dimensions, version, length of the file, and how many centres, segments and lists there are.
const HEADER: usize = 8 + 4 + 4 + 8 + 8 + 4 + 4 + 4;

impl Shard {
    /// Writes the present state with a number that the caller reads back with it. The file appears under its
    /// name when it is whole and on the disk; changes meanwhile are not in it and don't wait.
    pub fn save(&self, path: &Path, version: u64) -> Result<(), IndexError> {
        files::replace(path, |file| self.write_to(file, version))
    }

    fn write_to(&self, file: &mut File, version: u64) -> Result<(), IndexError> {
        let (view, means) = self.state();
        let parts: Vec<&Part> = view.parts().map(|(_, part)| part).filter(|part| part.living() > 0).collect();
        let mut centres: Vec<&Arc<Centre>> = vec![&means.centre];
        for part in &parts {
            if !centres.iter().any(|centre| Arc::ptr_eq(centre, &part.segment.centre)) {
                centres.push(&part.segment.centre);
            }
        }
        let mut means_section = Vec::new();
        write_all(&mut means_section, &[means.summed, means.centred]);
        write_all(&mut means_section, &means.sum);
        centres.iter().for_each(|centre| write_all(&mut means_section, &centre.rotated));
        let dimensions = self.dimensions();
        let mut lists: Vec<&Arc<Lists>> = Vec::new();
        for ListRanges { lists: own, .. } in parts.iter().filter_map(|part| part.segment.ranges.as_ref()) {
            if !lists.iter().any(|known| Arc::ptr_eq(known, own)) {
                lists.push(own);
            }
        }
        let list_sections: Vec<Vec<u8>> = lists.iter().map(|lists| lists.section()).collect();
        let segments = parts.iter().map(|part| FRAME + segment_bytes(part));
        let length = FRAME
            + HEADER
            + FRAME
            + means_section.len()
            + list_sections.iter().map(|section| FRAME + section.len()).sum::<usize>()
            + segments.sum::<usize>();
        let mut header = Vec::with_capacity(HEADER);
        write_all(&mut header, &[MAGIC]);
        write_all(&mut header, &[FORMAT, dimensions as u32]);
        write_all(&mut header, &[version, length as u64]);
        write_all(&mut header, &[centres.len() as u32, parts.len() as u32, lists.len() as u32]);

        let mut file = BufWriter::new(file);
        write_section(&mut file, &header)?;
        write_section(&mut file, &means_section)?;
        list_sections.iter().try_for_each(|section| write_section(&mut file, section))?;
        for part in parts {
            let centre = centres.iter().position(|centre| Arc::ptr_eq(centre, &part.segment.centre));
            let own = part.segment.ranges.as_ref().map(|ranges| part.living_ranges(ranges));
            let number = own
                .as_ref()
                .and_then(|own| lists.iter().position(|lists| Arc::ptr_eq(lists, &own.lists)))
                .map_or(NO_LISTS, |number| number as u32);
            let ranges = own.map(|own| own.ranges).unwrap_or_default();
            write_section(&mut file, &segment_section(part, centre.unwrap_or(0), number, &ranges))?;
        }
        Ok(file.flush()?)
    }

    /// Reads what `save` wrote: the shard and the caller's number. Whatever else the file holds is an error.
    pub fn load(path: &Path) -> Result<(Self, u64), IndexError> {
        let file = File::open(path)?;
        let total = file.metadata()?.len();
        let mut file = BufReader::new(file);
        let mut header = Section::open(&mut file, total)?;
        if header.one::<u64>()? != MAGIC {
            return Err(IndexError::Snapshot("it is another kind of file"));
        }
        if header.one::<u32>()? != FORMAT {
            return Err(IndexError::Snapshot("it is of another format"));
        }
        let dimensions = header.one::<u32>()? as usize;
        let (version, length) = (header.one::<u64>()?, header.one::<u64>()?);
        let (centres, segments, lists) = (header.one::<u32>()?, header.one::<u32>()?, header.one::<u32>()?);
        header.close()?;
        if length != total {
            return Err(IndexError::Snapshot("it is torn"));
        }
        if segments as usize > Location::SLOTS {
            return Err(DAMAGED);
        }
        let shard = Self::new(dimensions)?;
        let mut means = Section::open(&mut file, total - (FRAME + HEADER) as u64)?;
        let mut first = (FRAME + HEADER + FRAME) as u64 + means.left();
        let (summed, centred) = (means.one::<u64>()?, means.one::<u64>()?);
        let sum = means.many::<f64>(dimensions)?;
        let centres = (0..centres)
            .map(|_| within_unit(Centre::new(means.many(dimensions)?)))
            .collect::<Result<Vec<_>, _>>()?;
        means.close()?;
        let centre = Arc::clone(centres.first().ok_or(DAMAGED)?);
        if !is_sum(&sum, summed) || centred > summed {
            return Err(DAMAGED);
        }
        let lists = (0..lists)
            .map(|_| {
                let mut section = Section::open(&mut file, total - first)?;
                first += FRAME as u64 + section.left();
                let lists = Lists::read(&mut section, dimensions)?;
                section.close()?;
                Ok(Arc::new(lists))
            })
            .collect::<Result<Vec<_>, IndexError>>()?;
        let mut file = file.into_inner();
        let (mut places, mut rest) = (Vec::new(), total - first);
        for _ in 0..segments {
            places.push(Place { start: total - rest, rest });
            file.seek(SeekFrom::Start(total - rest))?;
            rest -= FRAME as u64 + read_length(&mut file, rest)?;
        }
        if rest > 0 {
            return Err(DAMAGED);
        }
        let parts = read_segments(path, &places, dimensions, &centres, &lists)?;
        shard.restore(View { parts }, Means { centre, sum, summed, centred })?;
        Ok((shard, version))
    }
}

/// Bytes of tier, rows, number of the centre, number of the lists, and how many ranges there are.
const SEGMENT_HEAD: usize = 4 + 4 + 4 + 4 + 4;
/// In place of a number of lists, for a segment whose rows are in none.
const NO_LISTS: u32 = u32::MAX;
/// Bytes of a range: its list and its number of rows.
const RANGE_BYTES: usize = 4 + 4;

/// Bytes of a segment's section.
fn segment_bytes(part: &Part) -> usize {
    let ranges = part.segment.ranges.as_ref().map_or(0, |ranges| part.living_ranges(ranges).ranges.len());
    let row_bytes = Segment::row_bytes(part.segment.tier, part.segment.dimensions);
    SEGMENT_HEAD + part.living() * row_bytes + ranges * RANGE_BYTES
}

/// The section of a segment; `centre` and `lists` are numbers of those in the file.
fn segment_section(part: &Part, centre: usize, lists: u32, ranges: &[ListRange]) -> Vec<u8> {
    let (segment, dimensions) = (&part.segment, part.segment.dimensions);
    let mut section = Vec::with_capacity(segment_bytes(part));
    let tier = u32::from(segment.tier.number());
    write_all(&mut section, &[tier, part.living() as u32, centre as u32, lists, ranges.len() as u32]);
    write_living(&mut section, part, segment.labels(), 1);
    write_living(&mut section, part, segment.flags(), 1);
    write_living(&mut section, part, segment.sign_codes(), words(dimensions));
    write_living(&mut section, part, segment.sign_scalars(), 1);
    if let Some((codes, scalars)) = segment.bytes() {
        write_living(&mut section, part, codes, dimensions);
        write_living(&mut section, part, scalars, 1);
    }
    if let Some((values, inverse_norms)) = segment.keys() {
        write_living(&mut section, part, values, dimensions);
        write_living(&mut section, part, inverse_norms, 1);
    }
    for range in ranges {
        write_all(&mut section, &[range.list, (range.end - range.first) as u32]);
    }
    section
}

/// Where a segment's section begins, and the bytes from there to the end of the file.
struct Place {
    start: u64,
    rest: u64,
}

/// More threads than these would only wait for memory.
const THREADS_MAX: usize = 4;

/// The segments at their places, read by several threads: most of the time goes into pages of memory that the process
/// has not had before.
fn read_segments(
    path: &Path,
    places: &[Place],
    dimensions: usize,
    centres: &[Arc<Centre>],
    lists: &[Arc<Lists>],
) -> Result<Vec<Option<Part>>, IndexError> {
    let next = AtomicUsize::new(0);
    let read = || {
        let mut file = File::open(path)?;
        let mut parts = Vec::new();
        loop {
            let slot = next.fetch_add(1, Ordering::Relaxed);
            let Some(place) = places.get(slot) else { return Ok(parts) };
            file.seek(SeekFrom::Start(place.start))?;
            let mut section = Section::open(&mut file, place.rest)?;
            parts.push((slot, read_segment(&mut section, dimensions, centres, lists)?));
            section.close()?;
        }
    };
    let threads = available_parallelism().map_or(1, usize::from).min(THREADS_MAX).min(places.len());
    let found: Result<Vec<_>, IndexError> = thread::scope(|scope| {
        // Where the system has no thread to give, the others do its work.
        let helpers: Vec<_> =
            (1..threads).map_while(|_| Builder::new().spawn_scoped(scope, read).ok()).collect();
        let own = read();
        let theirs =
            helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        iter::once(own).chain(theirs).collect()
    });
    let mut parts: Vec<_> = places.iter().map(|_| None).collect();
    found?.into_iter().flatten().for_each(|(slot, part)| parts[slot] = Some(part));
    Ok(parts)
}

fn read_segment<R: Read>(
    section: &mut Section<R>,
    dimensions: usize,
    centres: &[Arc<Centre>],
    lists: &[Arc<Lists>],
) -> Result<Part, IndexError> {
    let tier = u8::try_from(section.one::<u32>()?).ok().and_then(Tier::of_number).ok_or(DAMAGED)?;
    let rows = section.one::<u32>()? as usize;
    let centre = centres.get(section.one::<u32>()? as usize).ok_or(DAMAGED)?;
    let (number, count) = (section.one::<u32>()?, section.one::<u32>()? as usize);
    let all = rows.checked_mul(Segment::row_bytes(tier, dimensions));
    let all = all.and_then(|bytes| bytes.checked_add(count.checked_mul(RANGE_BYTES)?));
    if rows == 0
        || rows > Segment::rows_max(dimensions)
        || all.map(|bytes| bytes as u64) != Some(section.left())
    {
        return Err(DAMAGED);
    }
    // One whose rows are in lists is full: every search would pass over what came after them.
    let capacity = if number == NO_LISTS { rows.next_power_of_two().max(Segment::ROWS_MIN) } else { rows };
    let mut segment = Segment::new(tier, dimensions, capacity, Arc::clone(centre))?;
    segment.read(rows, section)?;
    let pairs = section.many::<u32>(2 * count)?;
    if number != NO_LISTS {
        let lists = lists.get(number as usize).ok_or(DAMAGED)?;
        segment.ranges = Some(ranges_of(&pairs, lists, rows)?);
    } else if count > 0 {
        return Err(DAMAGED);
    }
    let are_units = |(codes, scalars): (&[i8], &[[f32; 2]])| {
        codes.chunks_exact(dimensions).zip(scalars).all(|(code, scalars)| is_unit(code, *scalars))
    };
    let are_norms = |(values, inverse_norms): (&[f32], &[f64])| {
        values.chunks_exact(dimensions).zip(inverse_norms).all(|(key, norm)| is_norm(key, *norm))
    };
    if segment.flags().iter().any(|flags| flags & 1 == 0)
        || !segment.sign_scalars().iter().flatten().all(|value| value.abs() <= SCALAR_MAX)
        || !segment.bytes().is_none_or(are_units)
        || !segment.keys().is_none_or(are_norms)
    {
        return Err(DAMAGED);
    }
    let mut part = Part::new(Arc::new(segment));
    part.count = rows;
    Ok(part)
}

/// Ranges of lists as they were written, which hold each of the rows once.
fn ranges_of(pairs: &[u32], lists: &Arc<Lists>, rows: usize) -> Result<ListRanges, IndexError> {
    let (mut ranges, mut end) = (Vec::<ListRange>::new(), 0);
    for pair in pairs.chunks_exact(2) {
        let (list, count) = (pair[0], pair[1] as usize);
        let follows = ranges.last().is_none_or(|last| last.list < list);
        if !follows || list as usize >= lists.len() || count == 0 || count > rows - end {
            return Err(DAMAGED);
        }
        ranges.push(ListRange { list, first: end, end: end + count });
        end += count;
    }
    if end == rows { Ok(ListRanges { lists: Arc::clone(lists), ranges }) } else { Err(DAMAGED) }
}

/// The numbers of the living rows, `width` each.
fn write_living<T: NoUninit>(target: &mut Vec<u8>, part: &Part, numbers: &[T], width: usize) {
    for row in part.living_rows() {
        write_all(target, &numbers[row * width..][..width]);
    }
}

/// More than the norm of a unit vector is after a rotation in float32, and than that of a mean of such vectors.
const NORM_MAX: f64 = 1.01;
/// More than any scalar of sign codes is: those are of distances and products of two such vectors.
const SCALAR_MAX: f32 = 4.0;

// Checks of what a file may hold that no shard wrote: NaN, or values far from what they can be. Rows computed from them would
// be in no order, and the shard's own snapshots could not be loaded again.

/// A centre, unless it lies outside of the unit sphere.
fn within_unit(centre: Centre) -> Result<Arc<Centre>, IndexError> {
    if f64::from(centre.squared_norm) <= NORM_MAX { Ok(Arc::new(centre)) } else { Err(DAMAGED) }
}

/// Whether these can be the sums of so many unit vectors, with room for more of them.
fn is_sum(sum: &[f64], summed: u64) -> bool {
    let norm = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
    summed <= 1 << f64::MANTISSA_DIGITS && norm <= NORM_MAX * summed as f64
}

/// Whether bytes stand for a unit vector within their error.
fn is_unit(code: &[i8], [scale, error]: [f32; 2]) -> bool {
    let norm = f64::from(Kernels::widest().dot_i8(code, code)).sqrt() * f64::from(scale);
    error <= 1.0 && (norm - 1.0).abs() <= f64::from(error) + NORM_MAX - 1.0
}

/// Whether 1 / `inverse_norm` is a key's norm.
fn is_norm(key: &[f32], inverse_norm: f64) -> bool {
    (Kernels::widest().dot_exact(key, key).sqrt() * inverse_norm - 1.0).abs() <= NORM_MAX - 1.0
}
