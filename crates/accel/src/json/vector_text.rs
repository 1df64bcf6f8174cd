use crate::ops::error::Error;
use crate::ops::finite::{check_finite, check_rows};

/// Each row of `dimensions` values as a JSON array, in the shortest digits that read back as the same float32.
/// Read as float64 and then rounded to float32 they give the same: all 2^31 positive values were tried. Values that are
/// not finite are refused, since JSON has no text for them.
pub fn vector_texts(values: &[f32], dimensions: usize) -> Result<Vec<String>, Error> {
    check_rows(values, dimensions)?;
    check_finite("values", values)?;
    Ok(values.chunks_exact(dimensions.max(1)).map(text).collect())
}

/// Characters that most values of an embedding take, sign and comma included.
const CHARACTERS_A_VALUE: usize = 14;

/// Of all float32 the only one whose shortest digits, 7.038531e-26, become its neighbour when they are rounded
/// to float64 first.
const ROUNDED_TWICE: u32 = 0x15ae_43fd;
const MINUS_ROUNDED_TWICE: u32 = ROUNDED_TWICE | 1 << 31;

/// A row as a JSON array.
fn text(row: &[f32]) -> String {
    let mut text = String::with_capacity(CHARACTERS_A_VALUE * row.len());
    let mut digits = zmij::Buffer::new();
    for (at, &value) in row.iter().enumerate() {
        text.push(if at == 0 { '[' } else { ',' });
        let number = match value.to_bits() {
            ROUNDED_TWICE => "7.03853069e-26",
            MINUS_ROUNDED_TWICE => "-7.03853069e-26",
            _ => digits.format_finite(value),
        };
        text.push_str(number.strip_suffix(".0").unwrap_or(number));
    }
    text.push(']');
    text
}
