/// A JSON text without its long arrays of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The text with `[1e999,i]` in place of array i, which no other number of the text reads like.
    pub rest: String,
    /// The numbers of all these arrays.
    pub values: Vec<f32>,
    /// Where each array ends in `values`.
    pub ends: Vec<u32>,
}

/// Texts of more levels are not split.
pub const DEPTH_MAX: usize = 128;

/// Digits from which a number may overflow float64.
const DIGITS_MAX: usize = 300;

/// Takes arrays of at least `least` numbers, all finite in float32, out of a JSON text, which parsers that make
/// an object of every number are slow at. Numbers are rounded to float64, then to float32, as theirs are.
///
/// None where there are no such arrays, or nothing can be said about the text: it is deep, has exponents outside
/// of the arrays, or is not UTF-8. The text need not be valid; whatever is wrong with it is still in the rest.
pub fn split_vectors(text: &[u8], least: usize) -> Option<Split> {
    let (mut rest, mut values, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let (mut at, mut copied, mut depth) = (0, 0, 0usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at = after_string(text, at);
                continue;
            }
            b'[' => {
                let before = values.len();
                let end = numbers(text, at, &mut values);
                if let Some(end) = end.filter(|_| depth < DEPTH_MAX && values.len() >= before + least) {
                    rest.extend_from_slice(&text[copied..at]);
                    rest.extend_from_slice(format!("[1e999,{}]", ends.len()).as_bytes());
                    ends.push(u32::try_from(values.len()).ok()?);
                    (at, copied) = (end, end);
                    continue;
                }
                values.truncate(before);
                depth += 1;
            }
            b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'0'..=b'9' => {
                let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                if digits > DIGITS_MAX {
                    return None;
                }
                at += digits;
                if text.get(at).is_some_and(|byte| matches!(byte, b'e' | b'E')) {
                    return None;
                }
                continue;
            }
            _ => {}
        }
        if depth > DEPTH_MAX {
            return None;
        }
        at += 1;
    }
    if ends.is_empty() {
        return None;
    }
    rest.extend_from_slice(&text[copied..]);
    Some(Split { rest: String::from_utf8(rest).ok()?, values, ends })
}

/// The place after a string that starts at `at`, or the end of the text.
fn after_string(text: &[u8], mut at: usize) -> usize {
    at += 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Reads an array that starts at `at`; the place after it, or None for one that is not of finite numbers only.
fn numbers(text: &[u8], at: usize, values: &mut Vec<f32>) -> Option<usize> {
    let mut at = after_space(text, at + 1);
    if text.get(at) == Some(&b']') {
        return Some(at + 1);
    }
    loop {
        let (value, end) = number(text, at)?;
        values.push(value);
        at = after_space(text, end);
        match text.get(at)? {
            b',' => at = after_space(text, at + 1),
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

fn after_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// Reads a number in JSON's grammar, rounded to float64 and then to float32, and gives the place after it; None where there
/// is none, or it is not finite in float32.
fn number(text: &[u8], start: usize) -> Option<(f32, usize)> {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let whole = start + usize::from(text.get(start) == Some(&b'-'));
    let digits = text[whole..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let point = whole + digits;
    // What the parser takes and JSON has not: another sign, words, zeros before digits, a point without digits around it.
    if digits == 0
        || (digits > 1 && text[whole] == b'0')
        || (text.get(point) == Some(&b'.') && !is_digit(point + 1))
    {
        return None;
    }
    let (value, length) = fast_float2::parse_partial::<f64, _>(&text[start..]).ok()?;
    let value = value as f32;
    value.is_finite().then_some((value, start + length))
}
