//! Functions of single vectors and of small sets, for Node.

use crate::binding::array::{Float32Array, Float64Array, Uint32Array};
use crate::binding::background::{Contained, in_background};
use crate::binding::{to_js, whole};
use crate::ops::hdc;
use napi::bindgen_prelude::{AsyncTask, Env, Result, Task, Uint8Array};
use napi_derive::napi;

/// Cosine of two vectors of equal length, in [-1, 1]; NaN where one is all zero or has no dimensions.
#[napi(catch_unwind)]
pub fn cosine(a: &[f32], b: &[f32]) -> Result<f64> {
    crate::cosine(a, b).map_err(to_js)
}

/// Euclidean length of each row.
#[napi(catch_unwind)]
pub fn norms(values: &[f32], dimensions: f64) -> Result<Float64Array> {
    crate::norms(values, whole("dimensions", dimensions)?).map(Into::into).map_err(to_js)
}

/// A vector between two.
#[napi(object, object_from_js = false)]
pub struct Blend {
    pub vector: Float32Array,
    /// Angle between the two vectors in radians.
    pub angle: f64,
    #[napi(js_name = "type", ts_type = "'spherical' | 'linear' | 'antipodal'")]
    pub blend_type: &'static str,
}

/// Spherical interpolation of the directions, linear interpolation of the lengths.
#[napi(catch_unwind)]
pub fn slerp(a: &[f32], b: &[f32], alpha: f64) -> Result<Blend> {
    let crate::Blend { vector, angle, blend_type } = crate::slerp(a, b, alpha).map_err(to_js)?;
    Ok(Blend { vector: vector.into(), angle, blend_type: blend_type.name() })
}

/// A step of a Hopfield network's state.
#[napi(object, object_from_js = false)]
pub struct HopfieldStep {
    /// The next state, of norm 1.
    pub state: Float32Array,
    /// The energy of the state that the step started from.
    pub energy: f64,
    /// softmax(beta K xi), a row each.
    pub weights: Float64Array,
}

/// One step of a modern Hopfield network: normalise(sum_i softmax(beta K xi)_i k_i), where k_i is a row times its inverse norm,
/// and xi the state at norm 1.
#[napi(catch_unwind)]
pub fn hopfield_step(
    values: &[f32],
    inverse_norms: &[f64],
    state: &[f32],
    beta: f64,
) -> Result<HopfieldStep> {
    let crate::HopfieldStep { state, energy, weights } =
        crate::hopfield_step(values, inverse_norms, state, beta).map_err(to_js)?;
    Ok(HopfieldStep { state: state.into(), energy, weights: weights.into() })
}

/// Weights proportional to exp(beta x): positive, their sum is 1.
#[napi(catch_unwind)]
pub fn softmax(scores: &[f64], beta: f64) -> Result<Float64Array> {
    crate::softmax(scores, beta).map(Into::into).map_err(to_js)
}

/// ln of the sum of exp(beta x), without overflow; -Infinity for no scores.
#[napi(catch_unwind)]
pub fn log_sum_exp(scores: &[f64], beta: f64) -> Result<f64> {
    crate::log_sum_exp(scores, beta).map_err(to_js)
}

/// Element by element a * b.
#[napi(catch_unwind)]
pub fn bind_product(a: &[f32], b: &[f32]) -> Result<Float32Array> {
    hdc::bind_product(a, b).map(Into::into).map_err(to_js)
}

/// Circular convolution.
#[napi(catch_unwind)]
pub fn bind_circular(a: &[f32], b: &[f32]) -> Result<Float32Array> {
    hdc::bind_circular(a, b).map(Into::into).map_err(to_js)
}

/// Circular correlation of `bound` with `a`.
#[napi(catch_unwind)]
pub fn unbind_circular(bound: &[f32], a: &[f32]) -> Result<Float32Array> {
    hdc::unbind_circular(bound, a).map(Into::into).map_err(to_js)
}

/// Weighted sum of rows.
#[napi(catch_unwind)]
pub fn bundle(values: &[f32], dimensions: f64, weights: &[f64]) -> Result<Float32Array> {
    hdc::bundle(values, whole("dimensions", dimensions)?, weights).map(Into::into).map_err(to_js)
}

/// An array of several dimensions, row-major.
#[napi(object, object_from_js = false)]
pub struct Tensor {
    pub shape: Vec<f64>,
    pub values: Float32Array,
}

/// Einstein summation over two operands, as 'bd,nd->bn'; sums are in float32.
#[napi(catch_unwind)]
pub fn einsum(spec: String, a: &[f32], shape_a: Vec<f64>, b: &[f32], shape_b: Vec<f64>) -> Result<Tensor> {
    let sizes =
        |shape: Vec<f64>| shape.into_iter().map(|size| whole("size", size)).collect::<Result<Vec<_>>>();
    let found = crate::einsum(&spec, (a, &sizes(shape_a)?), (b, &sizes(shape_b)?)).map_err(to_js)?;
    let shape = found.shape.into_iter().map(|size| size as f64).collect();
    Ok(Tensor { shape, values: found.values.into() })
}

/// The service's fixed rotation of vectors of its dimension, 1 to 8192; lengths and angles stay.
#[napi(catch_unwind)]
pub fn rotate(vector: &[f32]) -> Result<Float32Array> {
    crate::rotate(vector).map(Into::into).map_err(to_js)
}

/// Undoes `rotate`.
#[napi(catch_unwind)]
pub fn rotate_back(rotated: &[f32]) -> Result<Float32Array> {
    crate::rotate_back(rotated).map(Into::into).map_err(to_js)
}

/// The first `kept` coordinates of the rotated vector: a projection with orthonormal rows.
#[napi(catch_unwind)]
pub fn project(vector: &[f32], kept: f64) -> Result<Float32Array> {
    crate::project(vector, whole("kept", kept)?).map(Into::into).map_err(to_js)
}

/// The transpose of `project`.
#[napi(catch_unwind)]
pub fn unproject(projected: &[f32], dimensions: f64) -> Result<Float32Array> {
    crate::unproject(projected, whole("dimensions", dimensions)?).map(Into::into).map_err(to_js)
}

/// Each row as a JSON array, in the shortest digits that read back as the same float32.
#[napi(catch_unwind)]
pub fn vector_texts(values: &[f32], dimensions: f64) -> Result<Vec<String>> {
    crate::vector_texts(values, whole("dimensions", dimensions)?).map_err(to_js)
}

/// A JSON text without its long arrays of numbers.
#[napi(object, object_from_js = false)]
pub struct Split {
    /// The text with `[1e999,i]` in place of array i, which no other number of the text reads like.
    pub rest: String,
    /// The numbers of all these arrays.
    pub values: Float32Array,
    /// Where each array ends in `values`.
    pub ends: Uint32Array,
}

/// A JSON text without its arrays of at least `least` numbers that are finite in float32; null where there are none or
/// the text could be misread.
#[napi(catch_unwind)]
pub fn split_vectors(text: &[u8], least: f64) -> Result<Option<Split>> {
    Ok(crate::split_vectors(text, whole("least", least)?).map(Into::into))
}

impl From<crate::Split> for Split {
    fn from(crate::Split { rest, values, ends }: crate::Split) -> Self {
        Self { rest, values: values.into(), ends: ends.into() }
    }
}

/// `splitVectors` on one of libuv's threads. Nobody may change the text meanwhile: it is long, and a copy of 8 MB would take
/// the caller's thread as long as some requests.
#[napi(catch_unwind, ts_return_type = "Promise<Split | null>")]
pub fn split_vectors_later(text: Uint8Array, least: f64) -> Result<AsyncTask<Contained<SplitLater>>> {
    Ok(in_background(SplitLater { text, least: whole("least", least)? }))
}

pub struct SplitLater {
    text: Uint8Array,
    least: usize,
}

impl Task for SplitLater {
    type Output = Option<crate::Split>;
    type JsValue = Option<Split>;

    fn compute(&mut self) -> Result<Self::Output> {
        Ok(crate::split_vectors(&self.text, self.least))
    }

    fn resolve(&mut self, _env: Env, found: Self::Output) -> Result<Self::JsValue> {
        Ok(found.map(Into::into))
    }
}
