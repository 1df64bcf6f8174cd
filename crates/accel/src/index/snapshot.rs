//! A shard as a file: what it would take long to compute again.
//!
//! Sections of a length, bytes and their hash: the header, the centres, and one for each segment with its
//! living rows, column by column. The header tells the length of the file, so that a torn one is known before
//! anything is read.

use super::encode::{Centre, words};
use super::error::IndexError;
use super::locations::Location;
use super::number::{Number, Reader};
use super::segment::{Rows, Segment};
use super::shard::{Means, Shard};
use super::tier::Tier;
use super::view::{Part, View};
use super::xxhash::xxh64;
use crate::kernels::Kernels;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const MAGIC: u64 = u64::from_le_bytes(*b"memshard");
/// Another layout, rotation or encoding is another format.
const FORMAT: u32 = 1;
/// magic, format, dimensions, version, length of the file, centres, segments.
const HEADER: usize = 8 + 4 + 4 + 8 + 8 + 4 + 4;
/// Length and hash around a section.
const FRAME: usize = 8 + 8;

impl Shard {
    /// Writes the present state with a number that the caller reads back with it. The file appears under its
    /// name when it is whole and on the disk; changes meanwhile are not in it and don't wait.
    pub fn save(&self, path: &Path, version: u64) -> Result<(), IndexError> {
        let temporary = temporary(path);
        let written = self.write_to(&temporary, version).and_then(|()| Ok(fs::rename(&temporary, path)?));
        if written.is_err() {
            // What failed first is what the caller learns.
            let _ = fs::remove_file(&temporary);
            return written;
        }
        #[cfg(unix)]
        if let Some(folder) = path.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }

    fn write_to(&self, path: &Path, version: u64) -> Result<(), IndexError> {
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
        let segments = parts.iter().map(|part| {
            FRAME + SEGMENT_HEAD + part.living() * Segment::row_bytes(part.segment.tier, dimensions)
        });
        let length = FRAME + HEADER + FRAME + means_section.len() + segments.sum::<usize>();
        let mut header = Vec::with_capacity(HEADER);
        MAGIC.write(&mut header);
        write_all(&mut header, &[FORMAT, dimensions as u32]);
        write_all(&mut header, &[version, length as u64]);
        write_all(&mut header, &[centres.len() as u32, parts.len() as u32]);

        let mut file = BufWriter::new(File::create_new(path)?);
        write_section(&mut file, &header)?;
        write_section(&mut file, &means_section)?;
        for part in parts {
            let centre = centres.iter().position(|centre| Arc::ptr_eq(centre, &part.segment.centre));
            write_section(&mut file, &segment_section(part, centre.unwrap_or(0)))?;
        }
        file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
        Ok(())
    }

    /// Reads what `save` wrote: the shard and the caller's number. Whatever else the file holds is an error.
    pub fn load(path: &Path) -> Result<(Self, u64), IndexError> {
        let file = File::open(path)?;
        let mut rest = file.metadata()?.len();
        let total = rest;
        let mut file = BufReader::new(file);
        let header = read_section(&mut file, &mut rest)?;
        let mut fields = Reader::new(&header);
        let (magic, format) = (fields.one::<u64>(), fields.one::<u32>());
        if magic != Some(MAGIC) {
            return Err(IndexError::Snapshot("it is another kind of file"));
        }
        if format != Some(FORMAT) {
            return Err(IndexError::Snapshot("it is of another format"));
        }
        let dimensions = required(fields.one::<u32>())? as usize;
        let (version, length) = (required(fields.one::<u64>())?, required(fields.one::<u64>())?);
        let (centres, segments) = (required(fields.one::<u32>())?, required(fields.one::<u32>())?);
        if length != total {
            return Err(IndexError::Snapshot("it is torn"));
        }
        if segments as usize > Location::SLOTS {
            return Err(DAMAGED);
        }
        let shard = Self::new(dimensions)?;
        let section = read_section(&mut file, &mut rest)?;
        let mut fields = Reader::new(&section);
        let (summed, centred) = (required(fields.one::<u64>())?, required(fields.one::<u64>())?);
        let sum = required(fields.many::<f64>(dimensions))?;
        let centres = (0..centres)
            .map(|_| within_unit(Centre::new(required(fields.many(dimensions))?)))
            .collect::<Result<Vec<_>, _>>()?;
        let centre = Arc::clone(required(centres.first())?);
        let mut view = View::default();
        for _ in 0..segments {
            let section = read_section(&mut file, &mut rest)?;
            view.parts.push(Some(read_segment(&section, dimensions, &centres)?));
        }
        if rest > 0 || !fields.is_empty() || !is_sum(&sum, summed) || centred > summed {
            return Err(DAMAGED);
        }
        shard.restore(view, Means { centre, sum, summed, centred })?;
        Ok((shard, version))
    }
}

const DAMAGED: IndexError = IndexError::Snapshot("it is damaged");

/// Tier, rows, number of the centre.
const SEGMENT_HEAD: usize = 4 + 4 + 4;

fn segment_section(part: &Part, centre: usize) -> Vec<u8> {
    let (segment, dimensions) = (&part.segment, part.segment.dimensions);
    let mut section =
        Vec::with_capacity(SEGMENT_HEAD + part.living() * Segment::row_bytes(segment.tier, dimensions));
    let tier = u32::from(segment.tier.number());
    write_all(&mut section, &[tier, part.living() as u32, centre as u32]);
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
    section
}

fn read_segment(section: &[u8], dimensions: usize, centres: &[Arc<Centre>]) -> Result<Part, IndexError> {
    let mut fields = Reader::new(section);
    let tier = u8::try_from(required(fields.one::<u32>())?).ok().and_then(Tier::of_number);
    let (tier, rows) = (required(tier)?, required(fields.one::<u32>())? as usize);
    let centre = required(centres.get(required(fields.one::<u32>())? as usize))?;
    let all = rows
        .checked_mul(Segment::row_bytes(tier, dimensions))
        .and_then(|bytes| bytes.checked_add(SEGMENT_HEAD));
    if rows == 0 || rows > Segment::rows_max(dimensions) || all != Some(section.len()) {
        return Err(DAMAGED);
    }
    let labels = required(fields.many::<i32>(rows))?;
    let flags = required(fields.many::<u8>(rows))?;
    let sign_codes = required(fields.many::<u32>(rows * words(dimensions)))?;
    let sign_scalars = required(fields.many::<[f32; 2]>(rows))?;
    let (mut bytes, mut keys) = (None, None);
    if tier != Tier::Cold {
        let codes = required(fields.many::<i8>(rows * dimensions))?;
        bytes = Some((codes, required(fields.many::<[f32; 2]>(rows))?));
    }
    if tier == Tier::Hot {
        let values = required(fields.many::<f32>(rows * dimensions))?;
        keys = Some((values, required(fields.many::<f64>(rows))?));
    }
    let are_units = |(codes, scalars): &(Vec<i8>, Vec<[f32; 2]>)| {
        codes.chunks_exact(dimensions).zip(scalars).all(|(code, scalars)| is_unit(code, *scalars))
    };
    let are_norms = |(values, inverse_norms): &(Vec<f32>, Vec<f64>)| {
        values.chunks_exact(dimensions).zip(inverse_norms).all(|(key, norm)| is_norm(key, *norm))
    };
    if flags.iter().any(|flags| flags & 1 == 0)
        || !sign_scalars.iter().flatten().all(|value| value.abs() <= SCALAR_MAX)
        || !bytes.as_ref().is_none_or(are_units)
        || !keys.as_ref().is_none_or(are_norms)
    {
        return Err(DAMAGED);
    }
    let capacity = rows.next_power_of_two().max(Segment::ROWS_MIN);
    let segment = Segment::new(tier, dimensions, capacity, Arc::clone(centre))?;
    segment.extend(&Rows {
        labels: &labels,
        flags: &flags,
        sign_codes: &sign_codes,
        sign_scalars: &sign_scalars,
        bytes: bytes.as_ref().map(|(codes, scalars)| (codes.as_slice(), scalars.as_slice())),
        keys: keys.as_ref().map(|(values, norms)| (values.as_slice(), norms.as_slice())),
    });
    let mut part = Part::new(Arc::new(segment));
    part.count = rows;
    Ok(part)
}

fn write_all<T: Number>(target: &mut Vec<u8>, numbers: &[T]) {
    numbers.iter().for_each(|number| number.write(target));
}

/// The numbers of the living rows, `width` each.
fn write_living<T: Number>(target: &mut Vec<u8>, part: &Part, numbers: &[T], width: usize) {
    for row in part.living_rows() {
        write_all(target, &numbers[row * width..][..width]);
    }
}

fn write_section(file: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(&(bytes.len() as u64).to_le_bytes())?;
    file.write_all(bytes)?;
    file.write_all(&xxh64(bytes).to_le_bytes())
}

/// `rest` is what remains of the file: no section is longer, so that no length makes it allocate more.
fn read_section(file: &mut impl Read, rest: &mut u64) -> Result<Vec<u8>, IndexError> {
    let mut word = [0; 8];
    if *rest < FRAME as u64 {
        return Err(IndexError::Snapshot("it is torn"));
    }
    file.read_exact(&mut word)?;
    let length = u64::from_le_bytes(word);
    if length > *rest - FRAME as u64 {
        return Err(DAMAGED);
    }
    let mut bytes = vec![0; length as usize];
    file.read_exact(&mut bytes)?;
    file.read_exact(&mut word)?;
    *rest -= FRAME as u64 + length;
    if u64::from_le_bytes(word) == xxh64(&bytes) { Ok(bytes) } else { Err(DAMAGED) }
}

fn required<T>(value: Option<T>) -> Result<T, IndexError> {
    value.ok_or(DAMAGED)
}

/// More than the norm of a unit vector is after a rotation in float32, and than that of a mean of such vectors.
const NORM_MAX: f64 = 1.01;
/// More than any scalar of sign codes is: those are of distances and products of two such vectors.
const SCALAR_MAX: f32 = 4.0;

// What follows is no number, or far from what it can be, in a file that no shard wrote: rows computed from it would
// be in no order, and the shard's own snapshots no longer be loaded.

fn within_unit(centre: Centre) -> Result<Arc<Centre>, IndexError> {
    if f64::from(centre.squared_norm) <= NORM_MAX { Ok(Arc::new(centre)) } else { Err(DAMAGED) }
}

/// Whether these can be the sums of so many unit vectors, with room for more of them.
fn is_sum(sum: &[f64], summed: u64) -> bool {
    let norm = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
    summed <= 1 << f64::MANTISSA_DIGITS && norm <= NORM_MAX * summed as f64
}

/// Whether bytes stand for a unit vector within their error, and that is none to speak of.
fn is_unit(code: &[i8], [scale, error]: [f32; 2]) -> bool {
    let norm = f64::from(Kernels::widest().dot_i8(code, code)).sqrt() * f64::from(scale);
    error <= 1.0 && (norm - 1.0).abs() <= f64::from(error) + NORM_MAX - 1.0
}

fn is_norm(key: &[f32], inverse_norm: f64) -> bool {
    (Kernels::widest().dot_exact(key, key).sqrt() * inverse_norm - 1.0).abs() <= NORM_MAX - 1.0
}

/// A name beside the file's that no other save uses.
fn temporary(path: &Path) -> PathBuf {
    static SAVES: AtomicU32 = AtomicU32::new(0);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.{}.new", std::process::id(), SAVES.fetch_add(1, Ordering::Relaxed)));
    name.into()
}
