//! Arguments out of a fuzzer's bytes.

/// Reads values; zeros once the bytes are used up.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// Mostly small; sometimes the largest that Node can give, or around one.
    pub fn size(&mut self) -> usize {
        match self.byte() {
            255 => u32::MAX as usize,
            254 => 8_192 + usize::from(self.byte() % 2),
            253 => self.word() as usize,
            small => usize::from(small % 90),
        }
    }

    /// Mostly from -2 to 2, sometimes any bits.
    pub fn float(&mut self) -> f32 {
        match self.byte() {
            255 => f32::from_bits(self.word()),
            254 => [0.0, -0.0, 1e-42, 1e38, f32::INFINITY, f32::NAN][usize::from(self.byte() % 6)],
            small => (f32::from(small) - 127.0) / 64.0,
        }
    }

    pub fn list<T>(&mut self, value: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.byte() % 100).map(|_| value(self)).collect()
    }

    /// So many, and at times one less.
    pub fn floats(&mut self, count: usize) -> Vec<f32> {
        let short = usize::from(self.byte() == 0);
        (0..count.min(2_000).saturating_sub(short)).map(|_| self.float()).collect()
    }

    pub fn allowed(&mut self) -> Option<Vec<u8>> {
        self.byte().is_multiple_of(3).then(|| self.list(Self::byte))
    }
}
