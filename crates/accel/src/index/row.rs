//! One row on its way into a segment or out of it.

/// One row with all that its tier keeps; a segment of a colder tier takes what it keeps itself.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub label: i32,
    pub flags: u8,
    pub sign_code: &'a [u32],
    /// `Signs::factor` and `Signs::offset`, around the centre of the segment.
    pub sign_scalars: [f32; 2],
    /// `Bytes::code`, and `Bytes::scale` and `Bytes::error`.
    pub bytes: Option<(&'a [i8], [f32; 2])>,
    /// Values and 1 / their Euclidean norm.
    pub key: Option<(&'a [f32], f64)>,
}
