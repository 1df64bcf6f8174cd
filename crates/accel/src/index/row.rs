//! A row between a segment and whoever codes it.

/// One row as all columns of a tier hold it; colder tiers drop what they don't keep.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub label: i32,
    pub flags: u8,
    pub sign_code: &'a [u32],
    /// `Signs::factor` and `Signs::offset`, around the centre of the segment.
    pub sign_scalars: [f32; 2],
    /// Code, and `Bytes::scale` and `Bytes::error`.
    pub bytes: Option<(&'a [i8], [f32; 2])>,
    /// Values and 1 / their Euclidean norm.
    pub key: Option<(&'a [f32], f64)>,
}
