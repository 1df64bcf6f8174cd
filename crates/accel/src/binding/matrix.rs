//! Functions of matrices that JavaScript holds, for Node: vectors of one length, row after row. Arrays may be longer than
//! `count` rows and shared between threads.
//!
//! Arguments are many and have no names, since each field of an object takes 0.1 us to read: a search of 16 rows of 384
//! dimensions takes 3.4 us, with the matrix and the selection as objects 4.2. `toKernels` in `kernels.ts` gives them names.

use crate::binding::array::{Float64Array, Int8Array, Int32Array};
use crate::binding::{to_js, whole};
use crate::{Matrix, Selection};
use napi::bindgen_prelude::Result;
use napi_derive::napi;

/// Results of a search, best first, the lower label on equal scores: cosines in [-1, 1].
#[napi(object, object_from_js = false)]
pub struct Hits {
    pub labels: Int32Array,
    pub scores: Float64Array,
}

/// The k rows of greatest cosine to `query` that reach `minScore`, best first, the lower label on equal scores; none where
/// the query is all zero.
///
/// @param inverseNorms 1 / Euclidean norm of each row
/// @param labels what a row is called in results
/// @param flags bits of each row
/// @param requiredFlags a row counts when all these bits are set in its flags
/// @param allowed one byte a row, 0 leaves the row out; absent: all rows
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "objects take longer to read than a small search")]
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

/// `nearest` for each row of `queries`, with the same results, in one pass over the matrix.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "objects take longer to read than a small search")]
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

/// The k rows whose codes (see `quantizeBytes`) have the greatest cosine to the query's; arguments as those of `nearest`, with
/// the codes' inverse norms.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "objects take longer to read than a small search")]
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

/// Rows as int8 codes: a value is about its code times the scale of its row.
#[napi(object, object_from_js = false)]
pub struct ByteCodes {
    /// rows x dimensions values from -127 to 127.
    pub codes: Int8Array,
    pub scales: Float64Array,
    /// 1 / Euclidean norm of each row's codes; 0 for a row of zeros.
    pub inverse_norms: Float64Array,
}

/// Rounds rows to int8 codes: the largest magnitude of each row becomes 127.
#[napi(catch_unwind)]
pub fn quantize_bytes(values: &[f32], dimensions: f64) -> Result<ByteCodes> {
    let found = crate::quantize_bytes(values, whole("dimensions", dimensions)?).map_err(to_js)?;
    Ok(ByteCodes {
        codes: found.codes.into(),
        scales: found.scales.into(),
        inverse_norms: found.inverse_norms.into(),
    })
}

fn hits(hits: crate::Hits) -> Hits {
    Hits { labels: hits.labels.into(), scores: hits.scores.into() }
}
