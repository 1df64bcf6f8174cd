//! All that knows Node: converts, calls, converts back. Arrays are read where they lie, shared
//! memory included. A caller that writes to shared memory during a call may only add rows from `count` on and
//! change flags: each flag is read once, as one byte, and any value will do.
//!
//! `catch_unwind` makes a panic a JavaScript error; without it the process would end.

mod array;
mod background;
mod index;
mod lexical;
#[cfg(feature = "panics")]
mod panics;
mod vectors;

use crate::kernels::Kernels;
use crate::ops::hdc;
use crate::ops::nearest::{Matrix, Selection};
use array::Array;
use napi::bindgen_prelude::{Error, Result, Status};
use napi_derive::napi;

#[napi(object, object_from_js = false)]
pub struct Hits {
    pub labels: Array<i32>,
    pub scores: Array<f64>,
}

#[napi(object, object_from_js = false)]
pub struct Features {
    pub instruction_set: &'static str,
}

#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "reading them from an object takes longer than a small search")]
pub fn nearest(
    dimensions: f64,
    count: f64,
    values: &[f32],
    inverse_norms: &[f64],
    labels: &[i32],
    flags: &[u8],
    query: &[f32],
    k: f64,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
) -> Result<Hits> {
    let (dimensions, count) = (whole("dimensions", dimensions)?, whole("count", count)?);
    let matrix = Matrix { dimensions, count, values, inverse_norms, labels, flags };
    let selection = Selection { required_flags, allowed };
    crate::nearest(&matrix, query, whole("k", k)?, min_score, &selection).map(hits).map_err(to_js)
}

#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "as for a single query")]
pub fn nearest_many(
    dimensions: f64,
    count: f64,
    values: &[f32],
    inverse_norms: &[f64],
    labels: &[i32],
    flags: &[u8],
    queries: &[f32],
    k: f64,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
) -> Result<Vec<Hits>> {
    let (dimensions, count) = (whole("dimensions", dimensions)?, whole("count", count)?);
    let matrix = Matrix { dimensions, count, values, inverse_norms, labels, flags };
    let selection = Selection { required_flags, allowed };
    let found = crate::nearest_many(&matrix, queries, whole("k", k)?, min_score, &selection);
    Ok(found.map_err(to_js)?.into_iter().map(hits).collect())
}

#[napi(catch_unwind)]
pub fn cosine(a: &[f32], b: &[f32]) -> Result<f64> {
    crate::ops::cosine::cosine(a, b).map_err(to_js)
}

#[napi(object, object_from_js = false)]
pub struct Blend {
    pub vector: Array<f32>,
    pub angle: f64,
    #[napi(js_name = "type")]
    pub blend_type: &'static str,
}

#[napi(catch_unwind)]
pub fn slerp(a: &[f32], b: &[f32], alpha: f64) -> Result<Blend> {
    let crate::Blend { vector, angle, blend_type } = crate::slerp(a, b, alpha).map_err(to_js)?;
    Ok(Blend { vector: vector.into(), angle, blend_type: blend_type.name() })
}

#[napi(catch_unwind)]
pub fn softmax(scores: &[f64], beta: f64) -> Result<Array<f64>> {
    crate::softmax(scores, beta).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn log_sum_exp(scores: &[f64], beta: f64) -> Result<f64> {
    crate::log_sum_exp(scores, beta).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn bind_product(a: &[f32], b: &[f32]) -> Result<Array<f32>> {
    hdc::bind_product(a, b).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn bind_circular(a: &[f32], b: &[f32]) -> Result<Array<f32>> {
    hdc::bind_circular(a, b).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn unbind_circular(bound: &[f32], a: &[f32]) -> Result<Array<f32>> {
    hdc::unbind_circular(bound, a).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn bundle(values: &[f32], dimensions: f64, weights: &[f64]) -> Result<Array<f32>> {
    hdc::bundle(values, whole("dimensions", dimensions)?, weights).map(Array::from).map_err(to_js)
}

#[napi(object, object_from_js = false)]
pub struct Tensor {
    pub shape: Vec<f64>,
    pub values: Array<f32>,
}

#[napi(catch_unwind)]
pub fn einsum(spec: String, a: &[f32], shape_a: Vec<f64>, b: &[f32], shape_b: Vec<f64>) -> Result<Tensor> {
    let shape =
        |shape: Vec<f64>| shape.into_iter().map(|size| whole("size", size)).collect::<Result<Vec<_>>>();
    let tensor = crate::einsum(&spec, (a, &shape(shape_a)?), (b, &shape(shape_b)?)).map_err(to_js)?;
    Ok(Tensor {
        shape: tensor.shape.into_iter().map(|size| size as f64).collect(),
        values: tensor.values.into(),
    })
}

#[napi(object, object_from_js = false)]
pub struct ByteCodes {
    pub codes: Array<i8>,
    pub scales: Array<f64>,
    pub inverse_norms: Array<f64>,
}

#[napi(catch_unwind)]
pub fn quantize_bytes(values: &[f32], dimensions: f64) -> Result<ByteCodes> {
    let found = crate::quantize_bytes(values, whole("dimensions", dimensions)?).map_err(to_js)?;
    Ok(ByteCodes {
        codes: found.codes.into(),
        scales: found.scales.into(),
        inverse_norms: found.inverse_norms.into(),
    })
}

#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "reading them from an object takes longer than a small search")]
pub fn nearest_bytes(
    dimensions: f64,
    count: f64,
    values: &[i8],
    inverse_norms: &[f64],
    labels: &[i32],
    flags: &[u8],
    query: &[f32],
    k: f64,
    min_score: f64,
    required_flags: u32,
    allowed: Option<&[u8]>,
) -> Result<Hits> {
    let (dimensions, count) = (whole("dimensions", dimensions)?, whole("count", count)?);
    let matrix = Matrix { dimensions, count, values, inverse_norms, labels, flags };
    let selection = Selection { required_flags, allowed };
    crate::nearest_bytes(&matrix, query, whole("k", k)?, min_score, &selection).map(hits).map_err(to_js)
}

/// Sum of all values: how fast memory can be read, for benchmarks.
#[napi(catch_unwind)]
pub fn sum(values: &[f32]) -> f64 {
    f64::from(Kernels::widest().sum(values))
}

#[napi(catch_unwind)]
pub fn features() -> Features {
    Features { instruction_set: Kernels::widest().instruction_set().name() }
}

fn hits(hits: crate::Hits) -> Hits {
    Hits { labels: hits.labels.into(), scores: hits.scores.into() }
}

/// A size that JavaScript gave as a number.
pub(crate) fn whole(what: &str, value: f64) -> Result<usize> {
    if value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0 {
        return Ok(value as usize);
    }
    Err(Error::new(Status::InvalidArg, format!("{what} is {value}, not a whole number from 0 to 4294967295")))
}

pub(crate) fn to_js(error: crate::Error) -> Error {
    Error::new(Status::InvalidArg, error.to_string())
}
