//! Sections of a file: a length, that many bytes and their XXH64 hash, which finds damage, not tampering. Numbers are stored
//! as the processor has them, which is little-endian on all that the addon is built for.

use super::error::IndexError;
use crate::kernels::column::Column;
use bytemuck::{AnyBitPattern, NoUninit};
use std::io::{Read, Write};
use xxhash_rust::xxh64::{Xxh64, xxh64};

const _: () = assert!(cfg!(target_endian = "little"), "a snapshot is little-endian");

/// Bytes of the length and the hash around a section.
pub const FRAME: usize = 8 + 8;
pub const DAMAGED: IndexError = IndexError::Snapshot("it is damaged");
/// The seed of all hashes.
const SEED: u64 = 0;
const TORN: IndexError = IndexError::Snapshot("it is torn");

/// Bytes read at a time: they are hashed and taken apart while the cache has them, and no column needs a second copy of
/// itself. Memory that a process touches for the first time costs more than reading the file.
const CHUNK: usize = 128 * 1024;

pub fn write_section(file: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(&(bytes.len() as u64).to_le_bytes())?;
    file.write_all(bytes)?;
    file.write_all(&xxh64(bytes, SEED).to_le_bytes())
}

/// Adds the bytes of numbers to a section, which `Section::many` reads.
pub fn write_all<T: NoUninit>(target: &mut Vec<u8>, numbers: &[T]) {
    target.extend_from_slice(bytemuck::cast_slice(numbers));
}

/// The length of the section that begins here. `rest` is what remains of the file: none is longer, so that no length
/// makes anybody allocate more.
pub fn read_length(file: &mut impl Read, rest: u64) -> Result<u64, IndexError> {
    let content = rest.checked_sub(FRAME as u64).ok_or(TORN)?;
    let length = read_word(file)?;
    if length <= content { Ok(length) } else { Err(DAMAGED) }
}

/// A section whose numbers are taken off its front. What they were is certain when `close` has succeeded.
pub struct Section<'a, R> {
    file: &'a mut R,
    left: u64,
    hash: Xxh64,
}

impl<'a, R: Read> Section<'a, R> {
    /// The section that begins where the file stands.
    pub fn open(file: &'a mut R, rest: u64) -> Result<Self, IndexError> {
        let left = read_length(file, rest)?;
        Ok(Self { file, left, hash: Xxh64::new(SEED) })
    }

    /// Bytes that were not taken yet.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Takes the next number.
    pub fn one<T: AnyBitPattern + NoUninit>(&mut self) -> Result<T, IndexError> {
        self.many(1).map(|numbers| numbers[0])
    }

    /// Takes the next `count` numbers.
    pub fn many<T: AnyBitPattern + NoUninit>(&mut self, count: usize) -> Result<Vec<T>, IndexError> {
        let mut numbers = Vec::new();
        self.chunks(count, |chunk| numbers.extend_from_slice(chunk))?;
        Ok(numbers)
    }

    /// Takes numbers to the end of a column that has room for them.
    pub fn append_to<T: AnyBitPattern + NoUninit>(
        &mut self,
        column: &Column<T>,
        count: usize,
    ) -> Result<(), IndexError> {
        self.chunks(count, |chunk| column.append(chunk))
    }

    fn chunks<T: AnyBitPattern + NoUninit>(
        &mut self,
        count: usize,
        mut take: impl FnMut(&[T]),
    ) -> Result<(), IndexError> {
        if count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes as u64 > self.left) {
            return Err(DAMAGED);
        }
        let (mut count, mut numbers) = (count, vec![T::zeroed(); count.min(CHUNK / size_of::<T>())]);
        while count > 0 {
            numbers.truncate(count);
            let bytes = bytemuck::cast_slice_mut(&mut numbers);
            self.file.read_exact(bytes)?;
            self.hash.update(bytes);
            self.left -= bytes.len() as u64;
            count -= numbers.len();
            take(&numbers);
        }
        Ok(())
    }

    /// Ends a section that was taken whole; an error where its bytes are not those that were written.
    pub fn close(self) -> Result<(), IndexError> {
        if self.left == 0 && read_word(self.file)? == self.hash.digest() { Ok(()) } else { Err(DAMAGED) }
    }
}

fn read_word(file: &mut impl Read) -> Result<u64, IndexError> {
    let mut word = [0; 8];
    file.read_exact(&mut word)?;
    Ok(u64::from_le_bytes(word))
}
