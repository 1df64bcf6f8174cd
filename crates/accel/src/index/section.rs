//! Sections of a file: a length, that many bytes and their hash.

use super::error::IndexError;
use super::number::Number;
use super::xxhash::{Xxh64, xxh64};
use crate::kernels::column::Column;
use std::io::{Read, Write};

/// Length and hash around a section.
pub const FRAME: usize = 8 + 8;
pub const DAMAGED: IndexError = IndexError::Snapshot("it is damaged");
const TORN: IndexError = IndexError::Snapshot("it is torn");

/// Bytes read at a time: they are hashed and taken apart while the cache has them, and no column needs a second copy of
/// itself. Memory that a process touches for the first time costs more than reading the file.
const CHUNK: usize = 128 * 1024;

pub fn write_section(file: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(&(bytes.len() as u64).to_le_bytes())?;
    file.write_all(bytes)?;
    file.write_all(&xxh64(bytes).to_le_bytes())
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
    chunk: Vec<u8>,
}

impl<'a, R: Read> Section<'a, R> {
    /// The section that begins where the file stands.
    pub fn open(file: &'a mut R, rest: u64) -> Result<Self, IndexError> {
        let left = read_length(file, rest)?;
        Ok(Self { file, left, hash: Xxh64::default(), chunk: Vec::new() })
    }

    /// Bytes that were not taken yet.
    pub fn left(&self) -> u64 {
        self.left
    }

    pub fn one<T: Number>(&mut self) -> Result<T, IndexError> {
        self.many(1).map(|numbers| numbers[0])
    }

    pub fn many<T: Number>(&mut self, count: usize) -> Result<Vec<T>, IndexError> {
        let mut numbers = Vec::new();
        self.chunks(count, |chunk| numbers.extend_from_slice(chunk))?;
        Ok(numbers)
    }

    /// Takes numbers to the end of a column that has room for them.
    pub fn append_to<T: Number>(&mut self, column: &Column<T>, count: usize) -> Result<(), IndexError> {
        self.chunks(count, |chunk| column.append(chunk))
    }

    fn chunks<T: Number>(&mut self, count: usize, mut take: impl FnMut(&[T])) -> Result<(), IndexError> {
        if count.checked_mul(T::SIZE).is_none_or(|bytes| bytes as u64 > self.left) {
            return Err(DAMAGED);
        }
        let (mut count, mut numbers) = (count, Vec::new());
        while count > 0 {
            let taken = count.min(CHUNK / T::SIZE);
            self.chunk.resize(taken * T::SIZE, 0);
            self.file.read_exact(&mut self.chunk)?;
            self.hash.update(&self.chunk);
            numbers.clear();
            numbers.extend(self.chunk.chunks_exact(T::SIZE).map(T::read));
            take(&numbers);
            self.left -= self.chunk.len() as u64;
            count -= taken;
        }
        Ok(())
    }

    /// Ends a section that was taken whole; an error where its bytes are not those that were written.
    pub fn close(self) -> Result<(), IndexError> {
        if self.left == 0 && read_word(self.file)? == self.hash.finish() { Ok(()) } else { Err(DAMAGED) }
    }
}

fn read_word(file: &mut impl Read) -> Result<u64, IndexError> {
    let mut word = [0; 8];
    file.read_exact(&mut word)?;
    Ok(u64::from_le_bytes(word))
}
