//! Native kernels of the memory service: the same functions as its JavaScript kernels, with the same results.

#![deny(unsafe_code)]

#[cfg(feature = "node")]
#[allow(unsafe_code, reason = "Node's interface is of raw pointers")]
mod binding;
mod files;
pub mod index;
mod json;
#[allow(unsafe_code, reason = "instructions of a processor, and memory that grows while others read it")]
pub mod kernels;
mod labels;
pub mod lexical;
pub mod metadata;
mod ops;

pub use json::vector_parse::{Split, split_vectors};
pub use json::vector_text::vector_texts;
pub use ops::cosine::{cosine, norm};
pub use ops::einsum::{Tensor, einsum};
pub use ops::error::Error;
pub use ops::hdc;
pub use ops::hopfield::{HopfieldStep, hopfield_step, norms};
pub use ops::nearest::{Matrix, Selection, nearest, nearest_many, nearest_many_with, nearest_with};
pub use ops::prefilter::{BLOCK_ROWS, PrefilterScan};
pub use ops::quantize::{ByteCodes, nearest_bytes, quantize_bytes};
pub use ops::rotation::{
    ROTATION_DIMENSIONS_MAX, Rotation, project, rotate, rotate_back, rotation_of, unproject,
};
pub use ops::slerp::{Blend, BlendType, slerp};
pub use ops::softmax::{log_sum_exp, softmax};
pub use ops::topk::{Hits, TopK};
