//! Texts in the form in which they are compared: one case, no accents, plain digits, one way of writing each character.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The characters of a text, lower-cased, with compatibility forms resolved, accents removed and plain digits.
///
/// Marks of scripts in which they are accents or optional vowels go; those that spell vowels (as in Devanagari and
/// Thai) or tell consonants apart (as in kana) stay.
pub fn fold(text: &str) -> impl Iterator<Item = char> {
    let marked = text.nfkd().filter(|&c| !is_dropped(c));
    marked.flat_map(char::to_lowercase).flat_map(plain).nfc()
}

/// Characters that say nothing about which word it is: accents, optional vowels, selectors and joiners.
fn is_dropped(c: char) -> bool {
    matches!(c,
        '\u{ad}'
        | '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{487}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
        | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Letters and marks in numbers that no decomposition makes plain, as one types them without their key.
fn plain(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'ß' => ('s', Some('s')),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' | 'ð' => ('d', None),
        'ħ' => ('h', None),
        'ŧ' => ('t', None),
        'ı' => ('i', None),
        'ς' => ('σ', None),
        '\u{66b}' => ('.', None),
        '\u{66c}' => (',', None),
        other => (plain_digit(other), None),
    };
    std::iter::once(first).chain(second)
}

/// A digit of another script as a plain one.
fn plain_digit(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let code = c as u32;
    let zero = ZEROS.partition_point(|&zero| zero <= code);
    match zero.checked_sub(1).map(|at| code - ZEROS[at]) {
        Some(digit @ 0..=9) => char::from(b'0' + digit as u8),
        _ => c,
    }
}

/// The code points of zero in other scripts, with the nine digits behind each; compatibility forms decompose to plain ones.
const ZEROS: [u32; 68] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0,
    0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50,
    0x16d70, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950,
];

/// What part a folded character has in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Letters, digits and what is left of marks.
    Word,
    /// Letters and digits of a script without white space between words.
    Spaceless,
    /// A pictograph: a word of its own.
    Pictograph,
    /// Ends words.
    Other,
}

/// The class of a folded character. The ranges of scripts are given here, since they must be the same everywhere.
pub fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Class::Word } else { Class::Other };
    }
    if c.is_alphanumeric() || is_combining_mark(c) {
        return if is_spaceless(c) { Class::Spaceless } else { Class::Word };
    }
    match c {
        // Two of these letters are a flag.
        '\u{1f1e6}'..='\u{1f1ff}' => Class::Word,
        '\u{2300}'..='\u{23ff}'
        | '\u{2600}'..='\u{27bf}'
        | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}' => Class::Pictograph,
        _ => Class::Other,
    }
}

/// Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar.
fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}'
        | '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{303c}'
        | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}
