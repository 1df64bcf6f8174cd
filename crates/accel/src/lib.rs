//! Native kernels of the memory service: the same functions as its JavaScript kernels, with the same results.

#[cfg(feature = "node")]
mod binding;
#[cfg(feature = "node")]
mod binding_array;
#[cfg(feature = "node")]
mod binding_background;
#[cfg(feature = "node")]
mod binding_index;
#[cfg(feature = "node")]
mod binding_lexical;
#[cfg(feature = "panics")]
mod binding_panics;
#[cfg(feature = "node")]
mod binding_vectors;
mod cosine;
mod einsum;
mod error;
mod finite;
pub mod hdc;
mod hopfield;
pub mod index;
mod json_number;
pub mod kernels;
pub mod lexical;
mod nearest;
mod quantize;
mod rotation;
mod rough;
mod slerp;
mod softmax;
mod topk;
mod vector_parse;
mod vector_text;

pub use cosine::{cosine, norm};
pub use einsum::{Tensor, einsum};
pub use error::Error;
pub use hopfield::{HopfieldStep, hopfield_step, norms};
pub use nearest::{Matrix, Selection, nearest, nearest_many, nearest_many_with, nearest_with};
pub use quantize::{ByteCodes, nearest_bytes, quantize_bytes};
pub use rotation::{ROTATION_DIMENSIONS_MAX, Rotation, project, rotate, rotate_back, rotation_of, unproject};
pub use rough::{BLOCK_ROWS, RoughScan};
pub use slerp::{Blend, BlendType, slerp};
pub use softmax::{log_sum_exp, softmax};
pub use topk::{Hits, TopK};
pub use vector_parse::{Split, split_vectors};
pub use vector_text::vector_texts;
