/// XXH64 of bytes with seed 0.
pub fn xxh64(bytes: &[u8]) -> u64 {
    let mut hash = Xxh64::default();
    hash.update(bytes);
    hash.finish()
}

/// XXH64 with seed 0 of bytes that come piece by piece (the specification is doc/xxhash_spec.md of
/// github.com/Cyan4973/xxHash): finds damage, not tampering.
pub struct Xxh64 {
    lanes: [u64; 4],
    /// The first `length % STRIPE` bytes wait for the rest of their stripe.
    stripe: [u8; STRIPE],
    length: u64,
}

const STRIPE: usize = 32;

impl Default for Xxh64 {
    fn default() -> Self {
        let lanes = [PRIME_1.wrapping_add(PRIME_2), PRIME_2, 0, 0u64.wrapping_sub(PRIME_1)];
        Self { lanes, stripe: [0; STRIPE], length: 0 }
    }
}

impl Xxh64 {
    pub fn update(&mut self, mut bytes: &[u8]) {
        let waiting = self.waiting();
        self.length += bytes.len() as u64;
        if waiting > 0 {
            let (taken, rest) = bytes.split_at(bytes.len().min(STRIPE - waiting));
            self.stripe[waiting..][..taken.len()].copy_from_slice(taken);
            if waiting + taken.len() < STRIPE {
                return;
            }
            add(&mut self.lanes, &self.stripe);
            bytes = rest;
        }
        let mut stripes = bytes.chunks_exact(STRIPE);
        stripes.by_ref().for_each(|stripe| add(&mut self.lanes, stripe));
        let rest = stripes.remainder();
        self.stripe[..rest.len()].copy_from_slice(rest);
    }

    pub fn finish(&self) -> u64 {
        let mut hash = if self.length < STRIPE as u64 {
            PRIME_5
        } else {
            let turned =
                [1, 7, 12, 18].into_iter().zip(self.lanes).map(|(turn, lane)| lane.rotate_left(turn));
            let sum = turned.fold(0u64, u64::wrapping_add);
            let merge = |hash: u64, lane| (hash ^ round(0, lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
            self.lanes.into_iter().fold(sum, merge)
        };
        hash = hash.wrapping_add(self.length);
        let mut words = self.stripe[..self.waiting()].chunks_exact(8);
        for word in &mut words {
            hash = (hash ^ round(0, read(word))).rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
        }
        let mut rest = words.remainder();
        if rest.len() >= 4 {
            hash = (hash ^ read(&rest[..4]).wrapping_mul(PRIME_1)).rotate_left(23);
            hash = hash.wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
            rest = &rest[4..];
        }
        for &byte in rest {
            hash = (hash ^ u64::from(byte).wrapping_mul(PRIME_5)).rotate_left(11).wrapping_mul(PRIME_1);
        }
        hash = (hash ^ hash >> 33).wrapping_mul(PRIME_2);
        hash = (hash ^ hash >> 29).wrapping_mul(PRIME_3);
        hash ^ hash >> 32
    }

    fn waiting(&self) -> usize {
        (self.length % STRIPE as u64) as usize
    }
}

#[inline]
fn add(lanes: &mut [u64; 4], stripe: &[u8]) {
    for (lane, word) in lanes.iter_mut().zip(stripe.chunks_exact(8)) {
        *lane = round(*lane, read(word));
    }
}

const PRIME_1: u64 = 0x9e37_79b1_85eb_ca87;
const PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
const PRIME_4: u64 = 0x85eb_ca77_c2b2_ae63;
const PRIME_5: u64 = 0x27d4_eb2f_1656_67c5;

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}

/// Up to 8 bytes, the lowest first.
fn read(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::{Xxh64, xxh64};

    /// The values that the reference implementation and its Python binding document.
    #[test]
    fn hashes_are_those_of_the_reference() {
        assert_eq!(xxh64(b""), 0xef46_db37_51d8_e999);
        assert_eq!(xxh64(b"a"), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(xxh64(b"abc"), 0x44bc_2cf5_ad77_0999);
        assert_eq!(xxh64(b"Nobody inspects the spammish repetition"), 0xfbce_a83c_8a37_8bf1);
    }

    #[test]
    fn bytes_that_come_in_pieces_have_the_hash_of_the_whole() {
        let bytes: Vec<u8> = (0..200u32).map(|i| (i * i * 31 + i) as u8).collect();
        for length in 0..bytes.len() {
            for piece in [1, 3, 8, 31, 32, 33, 65] {
                let mut hash = Xxh64::default();
                bytes[..length].chunks(piece).for_each(|piece| hash.update(piece));
                assert_eq!(hash.finish(), xxh64(&bytes[..length]), "{length} bytes, {piece} at a time");
            }
        }
    }
}
