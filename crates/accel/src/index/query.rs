//! A query in the forms that scans compare rows with.

use super::encode::{Bytes, Centre, normalise, words};
use super::error::IndexError;
use super::lanes::sum_of_magnitudes;
use super::planes::{Planes, QUERY_BITS, TOP};
use crate::kernels::{Kernels, UpperBound};
use crate::ops::cosine::{norm, to_cosine};
use crate::ops::finite::all_finite;
use crate::ops::rotation::Rotation;
use std::sync::Arc;

/// A query in the forms that rows are compared with.
pub struct Query<'a> {
    pub values: &'a [f32],
    /// 1 / Euclidean norm.
    pub scale: f64,
    /// At norm 1.
    pub unit: Vec<f32>,
    /// The int8 code of `unit`, after `prepare_bytes`.
    pub bytes: Bytes,
    /// `unit` in rotated coordinates, after `prepare_signs`.
    rotated: Vec<f32>,
    /// By how many standard deviations bounds from signs are wider than the estimate.
    deviations: f32,
    /// The forms for the centres met so far.
    around: Vec<Arc<SignQuery>>,
}

impl<'a> Query<'a> {
    /// Refuses values that are not finite, all zero, or not `dimensions`.
    pub fn new(values: &'a [f32], dimensions: usize) -> Result<Self, IndexError> {
        if values.len() != dimensions {
            return Err(IndexError::QueryLength { length: values.len(), dimensions });
        }
        if !all_finite(values)
            && let Some(at) = values.iter().position(|value| !value.is_finite())
        {
            return Err(IndexError::NotFinite { what: "query", at });
        }
        let scale = 1.0 / norm(values);
        if !scale.is_finite() {
            return Err(IndexError::ZeroQuery);
        }
        let mut unit = Vec::with_capacity(dimensions);
        normalise(values, scale, &mut unit);
        let bytes = Bytes::default();
        Ok(Self { values, scale, unit, bytes, rotated: Vec::new(), deviations: 0.0, around: Vec::new() })
    }

    /// For scans of bytes.
    pub fn prepare_bytes(&mut self) {
        self.bytes.encode(&self.unit);
    }

    /// For scans of sign codes around a centre, and for their estimates.
    pub fn prepare_signs(&mut self, rotation: &Rotation, deviations: f32) {
        self.deviations = deviations;
        self.rotated.clone_from(&self.unit);
        rotation.apply(&mut self.rotated);
    }

    /// The unit query in rotated coordinates, after `prepare_signs`.
    pub fn rotated(&self) -> &[f32] {
        &self.rotated
    }

    /// The query as it compares with the sign codes of a segment.
    pub fn around(&mut self, centre: &Arc<Centre>) -> Arc<SignQuery> {
        if let Some(known) = self.around.iter().find(|known| Arc::ptr_eq(&known.centre, centre)) {
            return Arc::clone(known);
        }
        let query = Arc::new(SignQuery::new(&self.rotated, centre, self.deviations));
        self.around.push(Arc::clone(&query));
        query
    }

    /// The cosine of a hot row to the query, the same bits as `nearest` gives.
    pub fn cosine(&self, kernels: &Kernels, key: &[f32], inverse_norm: f64) -> f64 {
        self.cosine_of(kernels.dot_exact(key, self.values), inverse_norm)
    }

    /// The cosines of four hot rows to the query at once, each as `cosine` gives it.
    pub fn cosines(&self, kernels: &Kernels, rows: [(&[f32], f64); 4]) -> [f64; 4] {
        let products = kernels.dots_exact(rows.map(|(key, _)| key), self.values);
        std::array::from_fn(|row| self.cosine_of(products[row], rows[row].1))
    }

    fn cosine_of(&self, product: f64, inverse_norm: f64) -> f64 {
        to_cosine(product * self.scale * inverse_norm)
    }

    /// Estimate of the cosine of row codes and how far it can be off, from the bytes of both sides.
    ///
    /// With q = a + d and k = b + e, where a and b are what the codes stand for and |d|, |e| are known,
    /// <q, k> - <a, b> = <d, b> + <q, e>, which is at most |d| (1 + |e|) + |e| by Cauchy-Schwarz. A narrower
    /// bound that takes rounding errors for independent fails for keys with regular values.
    #[inline]
    pub fn estimate_bytes(&self, product: i32, [scale, error]: [f32; 2]) -> (f64, f64) {
        let estimate = f64::from(product) * f64::from(scale) * f64::from(self.bytes.scale);
        let (row, query) = (f64::from(error), f64::from(self.bytes.error));
        (estimate, query * (1.0 + row) + row + ROUNDING)
    }

    /// An upper bound, at least the estimate plus the error of `estimate_bytes`, for the kernel that computes many.
    pub fn bytes_bound(&self) -> UpperBound {
        let error = self.bytes.error;
        UpperBound { base: error + BOUND_ROUNDING, weight: 1.0 + error, start: 0.0, step: self.bytes.scale }
    }

    /// Estimate of a row's cosine and how far it can be off, from the query in float32 and the row's bytes: narrower than
    /// `estimate_bytes`, as only the row is uncertain.
    pub fn estimate_row(&self, kernels: &Kernels, code: &[i8], [scale, error]: [f32; 2]) -> (f64, f64) {
        let values: Vec<f32> = code.iter().map(|&code| f32::from(code)).collect();
        let estimate = f64::from(kernels.dot(&values, &self.unit)) * f64::from(scale);
        // The float32 product is off by less than n 2^-24 |code| (see `nearest`), and |code| scale < 1.1.
        let rounding = 1.2 * (self.unit.len() as f64 + 4.0) / f64::from(1 << 24);
        (estimate, f64::from(error) + rounding + ROUNDING)
    }
}

/// More than float64 sums of unit vectors are off by.
const ROUNDING: f64 = 1e-9;

/// More than the eight roundings of a bound in float32 take off: its terms are below 1.5.
const BOUND_ROUNDING: f32 = 2e-6;

/// A rotated query q around a centre c, as it compares with sign codes (see `Signs`).
pub struct SignQuery {
    pub centre: Arc<Centre>,
    dimensions: usize,
    /// |q - c|.
    norm: f64,
    /// <q, c> - |c|^2.
    base: f32,
    /// `QUERY_BITS` codes: coordinate i is about `step` * sum over bits b of 2^b (1 or -1). The last is the signs.
    planes: Vec<u32>,
    step: f32,
    /// What a coordinate's sign stands for where signs alone are compared.
    sign_step: f32,
    /// See the function `deviation`: a bound on a unit vector's component in a random direction.
    deviation: f32,
    /// How far an estimate from signs alone can be off, times the row's factor.
    sign_margin: f32,
    /// Norm of what `step` and `planes` leave of q - c.
    error: f64,
}

impl SignQuery {
    fn new(rotated: &[f32], centre: &Arc<Centre>, deviations: f32) -> Self {
        let kernels = Kernels::widest();
        let residual: Vec<f32> = rotated.iter().zip(&centre.rotated).map(|(q, c)| q - c).collect();
        let squares = kernels.dot(&residual, &residual);
        let magnitudes = sum_of_magnitudes(&residual);
        let planes = Planes::new(&residual, squares);
        // So that what is left is orthogonal to the query.
        let ratio = |squares: f32, product: f32| if product > 0.0 { squares / product } else { 0.0 };
        let step = ratio(squares, planes.product);
        let sign_step = ratio(squares, magnitudes);
        let dimensions = residual.len();
        let left = (sign_step * sign_step * dimensions as f32 - squares).max(0.0).sqrt();
        Self {
            centre: Arc::clone(centre),
            dimensions: residual.len(),
            norm: f64::from(squares).sqrt(),
            base: kernels.dot(rotated, &centre.rotated) - centre.squared_norm,
            planes: planes.words,
            step,
            sign_step,
            deviation: deviation(deviations, dimensions),
            sign_margin: deviation(deviations, dimensions)
                * (squares.sqrt() * LOSS).hypot(left)
                * (dimensions as f32).sqrt(),
            error: f64::from(step * step * planes.squares - squares).max(0.0).sqrt(),
        }
    }

    /// The code to count differing bits from in a scan.
    pub fn signs(&self) -> &[u32] {
        &self.planes[(QUERY_BITS - 1) * words(self.dimensions)..]
    }

    /// An upper bound on the cosine of a row whose code differs from `signs` in so many bits: the estimate from signs alone
    /// plus its error (see `refine`).
    pub fn bound(&self) -> UpperBound {
        let same = self.dimensions as f32 * self.sign_step + self.sign_margin;
        UpperBound { base: self.base, weight: 1.0, start: same, step: -2.0 * self.sign_step }
    }

    /// The estimate from all planes, and how far it can be off, in all but few random rotations: so many standard
    /// deviations as the search asks for.
    ///
    /// The estimate's error is |k - c| <q - c, o - x / <o, x>> with x the code at norm 1. The second vector has
    /// norm sqrt(1 / <o, x>^2 - 1) and a random direction orthogonal to o (RaBitQ, theorem 3.2). What the
    /// planes leave of the query meets x / <o, x> likewise.
    pub fn refine(&self, kernels: &Kernels, code: &[u32], [factor, offset]: [f32; 2]) -> (f64, f64) {
        let differing = kernels.hamming_planes(code, &self.planes);
        let all = i32::from(TOP) * self.dimensions as i32;
        let product = (all - 2 * differing as i32) as f32 * self.step;
        let estimate = f64::from(self.base + offset + factor * product);
        // |k - c|^2 = 1 - 2 <c, k> + |c|^2, and factor = |k - c| / (<o, x> sqrt(d)).
        let squares = (1.0 - 2.0 * f64::from(offset) + f64::from(self.centre.squared_norm)).max(0.0);
        let stretched = f64::from(factor).powi(2) * self.dimensions as f64;
        let of_row = (stretched - squares).max(0.0) * self.norm.powi(2);
        let spread = (of_row + stretched * self.error.powi(2)).sqrt();
        (estimate, spread * f64::from(self.deviation) + SINGLE_ROUNDING)
    }
}

/// `deviations` standard deviations of a unit vector's component in a random direction, at most the vector's length.
fn deviation(deviations: f32, dimensions: usize) -> f32 {
    (deviations / (dimensions.max(2) as f32 - 1.0).sqrt()).min(1.0)
}

/// At least sqrt(1 - <o, x>^2): <o, x>^2 is 2 / pi = 0.64 on average and lower by less than 0.1 from 64 dimensions
/// on.
const LOSS: f32 = 0.68;

/// More than the float32 sums above are off by.
const SINGLE_ROUNDING: f64 = 1e-5;
