//! Operations on vectors and on matrices of them.

pub(crate) mod cosine;
pub(crate) mod einsum;
pub(crate) mod error;
pub(crate) mod finite;
pub mod hdc;
pub(crate) mod hopfield;
pub(crate) mod nearest;
pub(crate) mod prefilter;
pub(crate) mod quantize;
pub mod rotation;
pub(crate) mod slerp;
pub(crate) mod softmax;
pub(crate) mod topk;
