//! Functions of single vectors and of small sets, for Node.

use crate::binding::array::Array;
use crate::binding::{to_js, whole};
use napi::bindgen_prelude::Result;
use napi_derive::napi;

#[napi(catch_unwind)]
pub fn project(vector: &[f32], kept: f64) -> Result<Array<f32>> {
    crate::project(vector, whole("kept", kept)?).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn unproject(projected: &[f32], dimensions: f64) -> Result<Array<f32>> {
    crate::unproject(projected, whole("dimensions", dimensions)?).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn rotate(vector: &[f32]) -> Result<Array<f32>> {
    crate::rotate(vector).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn rotate_back(rotated: &[f32]) -> Result<Array<f32>> {
    crate::rotate_back(rotated).map(Array::from).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn vector_texts(values: &[f32], dimensions: f64) -> Result<Vec<String>> {
    crate::vector_texts(values, whole("dimensions", dimensions)?).map_err(to_js)
}

#[napi(catch_unwind)]
pub fn norms(values: &[f32], dimensions: f64) -> Result<Array<f64>> {
    crate::norms(values, whole("dimensions", dimensions)?).map(Array::from).map_err(to_js)
}

#[napi(object, object_from_js = false)]
pub struct HopfieldStep {
    pub state: Array<f32>,
    pub energy: f64,
    pub weights: Array<f64>,
}

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

#[napi(object, object_from_js = false)]
pub struct Split {
    pub rest: String,
    pub values: Array<f32>,
    pub ends: Array<u32>,
}

#[napi(catch_unwind)]
pub fn split_vectors(text: &[u8], least: f64) -> Result<Option<Split>> {
    let found = crate::split_vectors(text, whole("least", least)?);
    Ok(found.map(|found| Split { rest: found.rest, values: found.values.into(), ends: found.ends.into() }))
}
