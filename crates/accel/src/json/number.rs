//! Numbers of a JSON text as float32.

/// Digits that fit into 64 bits.
const MANTISSA_DIGITS: usize = 19;

/// Powers of ten, which float64 holds exactly too.
const POWERS: [u64; MANTISSA_DIGITS + 1] = {
    let mut powers = [1; MANTISSA_DIGITS + 1];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = 10 * powers[at - 1];
        at += 1;
    }
    powers
};

/// Reads a number in JSON's grammar, rounded to float64 and then to float32, and gives the place after it; None where there
/// is none, or it is not finite in float32.
pub fn number(text: &[u8], start: usize) -> Option<(f32, usize)> {
    let is_negative = text.get(start) == Some(&b'-');
    let digits_from = start + usize::from(is_negative);
    let (whole, mut at) = whole(text, digits_from);
    if at == digits_from || (text[digits_from] == b'0' && at > digits_from + 1) {
        return None;
    }
    // A zero alone is no digit that counts.
    let mut counted = if text[digits_from] == b'0' { 0 } else { at - digits_from };
    let mut decimals = Some((0, 0));
    if text.get(at) == Some(&b'.') {
        let point = at;
        at = point + 1;
        decimals = text[at..].first_chunk().map(read_decimals);
        at += match decimals {
            Some((_, count)) if count < WINDOW => count,
            _ => text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
        };
        counted += at - point - 1;
        if at == point + 1 {
            return None;
        }
    }
    let has_exponent = text.get(at).is_some_and(|byte| matches!(byte, b'e' | b'E'));
    if let Some((mantissa, count)) = decimals
        && counted <= MANTISSA_DIGITS
        && !has_exponent
        && let Some(value) = rounded((whole * POWERS[count] + mantissa) as f64 / POWERS[count] as f64)
    {
        return Some((if is_negative { -value } else { value }, at));
    }
    let (value, length) = fast_float2::parse_partial::<f64, _>(&text[start..]).ok()?;
    let value = value as f32;
    value.is_finite().then_some((value, start + length))
}

/// The digits before a point (wrong where they take more than 64 bits), and the place after them.
fn whole(text: &[u8], mut at: usize) -> (u64, usize) {
    let mut value = 0u64;
    while let Some(byte) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        at += 1;
    }
    (value, at)
}

/// Bytes read together.
const WINDOW: usize = 24;

/// The digits that a text begins with, as a number (wrong where they take more than 64 bits), and their count. Three
/// words without a branch a digit: how many digits a number has can't be predicted.
fn read_decimals(text: &[u8; WINDOW]) -> (u64, usize) {
    let words = [0, 8, 16].map(|from| {
        let mut word = [0; 8];
        word.copy_from_slice(&text[from..from + 8]);
        u64::from_le_bytes(word) ^ ZEROS
    });
    let mut value = 0u64;
    let mut count = 0;
    for word in words {
        let digits = digits_in(word);
        // Digits at the end of the word, zeros before them.
        let aligned = if digits == 0 { 0 } else { word << (8 * (8 - digits)) };
        value = value.wrapping_mul(POWERS[digits]).wrapping_add(number_of(aligned));
        count += digits;
        if digits < 8 {
            break;
        }
    }
    (value, count)
}

const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// How many bytes, from the first on, are below 10.
fn digits_in(word: u64) -> usize {
    let above = (word.wrapping_add(u64::from_le_bytes([0x76; 8])) | word) & u64::from_le_bytes([0x80; 8]);
    above.trailing_zeros() as usize / 8
}

/// The number that eight digits make: pairs, then fours, then all, side by side in one word.
fn number_of(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let low = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(100 + (1_000_000 << 32));
    let high = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(1 + (10_000 << 32));
    low.wrapping_add(high) >> 32
}

/// The float32 nearest to the float64 nearest to a number, of which `value` is a quotient of two rounded or exact float64
/// numbers: off by three units in the last place at most. None where that leaves open which float32 it is.
fn rounded(value: f64) -> Option<f32> {
    const DROPPED: u64 = (1 << 29) - 1;
    const HALF: u64 = 1 << 28;
    ((value.to_bits() & DROPPED).abs_diff(HALF) > 4).then_some(value as f32)
}
