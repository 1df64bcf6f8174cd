//! Vectors as text in JSON.

pub(crate) mod vector_parse;
pub(crate) mod vector_text;
