//! Native kernels of the memory service: the same functions as its JavaScript kernels, with the same results.

#[cfg(feature = "node")]
mod binding;
mod cosine;
mod einsum;
mod error;
pub mod hdc;
pub mod kernels;
mod nearest;
mod quantize;
mod slerp;
mod softmax;
mod topk;

pub use cosine::{cosine, norm};
pub use einsum::{Tensor, einsum};
pub use error::Error;
pub use nearest::{Matrix, Selection, nearest, nearest_with};
pub use quantize::{ByteCodes, nearest_bytes, nearest_signs, quantize_bytes, quantize_signs};
pub use slerp::{Blend, BlendType, slerp};
pub use softmax::{log_sum_exp, softmax};
pub use topk::{Hits, TopK};
