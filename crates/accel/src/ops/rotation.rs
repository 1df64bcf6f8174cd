//! An orthogonal rotation of any dimension that takes d log d steps instead of d^2.

use crate::kernels::Kernels;
use crate::ops::error::Error;
use crate::ops::finite::{check_finite, finite_result};

/// The largest dimension that can be rotated.
pub const ROTATION_DIMENSIONS_MAX: usize = 8_192;

/// Rounds of a rotation, of random signs and a transform each. After two, every input reaches every output; four bring the
/// outputs of any input close to independent Gaussians.
const ROUNDS: usize = 4;

/// Part of the published definition: another seed is another rotation.
const SEED: u32 = 0x6d65_6d6f;

/// The service's fixed rotation of vectors of one dimension. A round multiplies with random signs and takes the
/// fast Hadamard transform of the first, in odd rounds the last, block of the largest power of two (Ailon &
/// Chazelle, SIAM J. Comput. 2009). Where that is not the whole vector, an odd round also rotates each
/// coordinate of one half with its partner in the other by 45 degrees, a step of Kac's walk, so that halves
/// whose blocks share few coordinates mix. A step after even rounds too would keep spikes: a coordinate
/// outside of a block would meet one that the other block leaves out.
///
/// All steps are single additions and multiplications in float32 in a fixed order, so every implementation
/// gives the same bits.
pub struct Rotation {
    dimensions: usize,
    /// `ROUNDS` rows of 1 and -1.
    signs: Vec<f32>,
    /// The length of a transform: the largest power of two up to the dimensions.
    block: usize,
}

impl Rotation {
    /// The service's rotation of vectors of so many values, the same in every process.
    ///
    /// # Panics
    /// Outside of 1 to `ROTATION_DIMENSIONS_MAX` dimensions.
    pub fn new(dimensions: usize) -> Self {
        assert!((1..=ROTATION_DIMENSIONS_MAX).contains(&dimensions), "{dimensions} dimensions");
        let signs = (0..ROUNDS).flat_map(|round| (0..dimensions).map(move |at| sign(round, at))).collect();
        Self { dimensions, signs, block: 1 << dimensions.ilog2() }
    }

    /// Values of the vectors that it rotates.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Rotates a vector in place; lengths and angles stay.
    ///
    /// # Panics
    /// When the vector has other dimensions.
    pub fn apply(&self, vector: &mut [f32]) {
        assert_eq!(vector.len(), self.dimensions);
        for (round, signs) in self.signs.chunks_exact(self.dimensions).enumerate() {
            multiply(vector, signs);
            self.transform(round, vector);
            self.walk(round, vector);
        }
    }

    /// Undoes `apply`: every step but the order is its own inverse.
    ///
    /// # Panics
    /// When the vector has other dimensions.
    pub fn invert(&self, vector: &mut [f32]) {
        assert_eq!(vector.len(), self.dimensions);
        for (round, signs) in self.signs.chunks_exact(self.dimensions).enumerate().rev() {
            self.walk(round, vector);
            self.transform(round, vector);
            multiply(vector, signs);
        }
    }

    /// The transpose of `project`: the vector of the subspace that projects to `projected`.
    ///
    /// # Panics
    /// When `projected` has more dimensions than the rotation.
    pub fn unproject(&self, projected: &[f32]) -> Vec<f32> {
        assert!(projected.len() <= self.dimensions);
        let mut vector = projected.to_vec();
        vector.resize(self.dimensions, 0.0);
        self.invert(&mut vector);
        vector
    }

    fn transform(&self, round: usize, vector: &mut [f32]) {
        let from = if round.is_multiple_of(2) { 0 } else { self.dimensions - self.block };
        let block = &mut vector[from..from + self.block];
        Kernels::widest().hadamard(block);
        let scale = (1.0 / (self.block as f64).sqrt()) as f32;
        block.iter_mut().for_each(|value| *value *= scale);
    }

    /// The middle coordinate of an odd number has no partner.
    fn walk(&self, round: usize, vector: &mut [f32]) {
        if round.is_multiple_of(2) || self.block == self.dimensions {
            return;
        }
        let half = self.dimensions / 2;
        let (first, second) = vector.split_at_mut(self.dimensions - half);
        for (x, y) in first.iter_mut().zip(second) {
            (*x, *y) =
                ((*x + *y) * std::f32::consts::FRAC_1_SQRT_2, (*x - *y) * std::f32::consts::FRAC_1_SQRT_2);
        }
    }
}

fn multiply(vector: &mut [f32], signs: &[f32]) {
    vector.iter_mut().zip(signs).for_each(|(value, sign)| *value *= sign);
}

/// -1 where the lowest bit of the hash is set (`lowbias32` of Wellons' hash prospector, 2018).
fn sign(round: usize, at: usize) -> f32 {
    let mut hash = SEED ^ ((round << 16 | at) as u32);
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x7feb_352d);
    hash ^= hash >> 15;
    hash = hash.wrapping_mul(0x846c_a68b);
    hash ^= hash >> 16;
    if hash & 1 == 0 { 1.0 } else { -1.0 }
}

/// The rotation of vectors of so many dimensions.
pub fn rotation_of(dimensions: usize) -> Result<Rotation, Error> {
    if (1..=ROTATION_DIMENSIONS_MAX).contains(&dimensions) {
        Ok(Rotation::new(dimensions))
    } else {
        Err(Error::RotationDimensions(dimensions))
    }
}

/// A vector rotated, see `Rotation`; lengths and angles stay.
pub fn rotate(vector: &[f32]) -> Result<Vec<f32>, Error> {
    check_finite("vector", vector)?;
    let mut rotated = vector.to_vec();
    rotation_of(vector.len())?.apply(&mut rotated);
    finite_result(&[], rotated)
}

/// Undoes `rotate`.
pub fn rotate_back(rotated: &[f32]) -> Result<Vec<f32>, Error> {
    check_finite("rotated", rotated)?;
    let mut vector = rotated.to_vec();
    rotation_of(rotated.len())?.invert(&mut vector);
    finite_result(&[], vector)
}

/// The first `kept` coordinates of the rotated vector: a projection with orthonormal rows.
pub fn project(vector: &[f32], kept: usize) -> Result<Vec<f32>, Error> {
    check_projection(vector.len(), kept)?;
    let mut rotated = rotate(vector)?;
    rotated.truncate(kept);
    Ok(rotated)
}

/// The transpose of `project`: the vector of `dimensions` in the subspace that projects to `projected`.
pub fn unproject(projected: &[f32], dimensions: usize) -> Result<Vec<f32>, Error> {
    check_projection(dimensions, projected.len())?;
    check_finite("projected", projected)?;
    finite_result(&[], rotation_of(dimensions)?.unproject(projected))
}

fn check_projection(dimensions: usize, kept: usize) -> Result<(), Error> {
    if kept > dimensions { Err(Error::Projection { dimensions, kept }) } else { Ok(()) }
}
