//! Vectors as text in JSON.

mod number;
pub(crate) mod vector_parse;
pub(crate) mod vector_text;
