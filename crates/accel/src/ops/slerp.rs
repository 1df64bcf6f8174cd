use crate::ops::cosine::norm;
use crate::ops::error::Error;
use crate::ops::finite::{check_finite, check_finite_wide};
use std::f64::consts::{FRAC_PI_2, PI};

/// A point on the way from one vector to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Blend {
    /// As many values as the two vectors have.
    pub vector: Vec<f32>,
    /// Angle between the two vectors in radians.
    pub angle: f64,
    /// Which way was taken.
    pub blend_type: BlendType,
}

/// The way from one vector to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlendType {
    /// Along the arc between the directions.
    Spherical,
    /// Straight: they point almost the same way, or have one dimension.
    Linear,
    /// They point away from each other: the way leads through a fixed orthogonal direction.
    Antipodal,
}

impl BlendType {
    /// As JavaScript is told.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spherical => "spherical",
            Self::Linear => "linear",
            Self::Antipodal => "antipodal",
        }
    }
}

/// In radians: nearer than this to 0 or pi, an angle's sine is too small to divide by.
const SMALL_ANGLE: f64 = 1e-4;

/// Spherical interpolation (Shoemake 1985) of the directions, linear interpolation of the lengths.
/// `alpha` 0 gives a, 1 gives b; neither is all zero. A way that leads beyond float32 is refused.
pub fn slerp(a: &[f32], b: &[f32], alpha: f64) -> Result<Blend, Error> {
    if a.len() != b.len() {
        return Err(Error::Lengths { a: a.len(), b: b.len() });
    }
    check_finite("a", a)?;
    check_finite("b", b)?;
    check_finite_wide("alpha", &[alpha])?;
    let (length_a, length_b) = (norm(a), norm(b));
    if !(length_a > 0.0 && length_b > 0.0) {
        return Err(Error::Zero);
    }
    let from: Vec<f64> = a.iter().map(|&value| f64::from(value) / length_a).collect();
    let to: Vec<f64> = b.iter().map(|&value| f64::from(value) / length_b).collect();
    let angle = angle_between(&from, &to);
    let length = (1.0 - alpha) * length_a + alpha * length_b;
    let checked = |blend_type, vector: Vec<f32>| {
        check_finite("result", &vector)?;
        Ok(Blend { vector, angle, blend_type })
    };
    let blend = |blend_type, direction: Vec<f64>| {
        checked(blend_type, direction.into_iter().map(|value| (value * length) as f32).collect())
    };
    if angle < SMALL_ANGLE {
        return blend(BlendType::Linear, unit(weighted(&from, 1.0 - alpha, &to, alpha)));
    }
    if angle <= PI - SMALL_ANGLE {
        return blend(BlendType::Spherical, arc(&from, &to, angle, alpha));
    }
    if a.len() == 1 {
        let value = (1.0 - alpha) * f64::from(a[0]) + alpha * f64::from(b[0]);
        return checked(BlendType::Linear, vec![value as f32]);
    }
    let corner = orthogonal(&from);
    if alpha <= 0.5 {
        return blend(BlendType::Antipodal, arc(&from, &corner, FRAC_PI_2, 2.0 * alpha));
    }
    blend(BlendType::Antipodal, arc(&corner, &to, angle_between(&corner, &to), 2.0 * alpha - 1.0))
}

/// The angle between two unit vectors in radians, by Kahan's formula, which is exact near 0 and pi too.
fn angle_between(a: &[f64], b: &[f64]) -> f64 {
    2.0 * wide_norm(&weighted(a, 1.0, b, -1.0)).atan2(wide_norm(&weighted(a, 1.0, b, 1.0)))
}

fn arc(a: &[f64], b: &[f64], angle: f64, alpha: f64) -> Vec<f64> {
    let sine = angle.sin();
    weighted(a, ((1.0 - alpha) * angle).sin() / sine, b, (alpha * angle).sin() / sine)
}

/// The direction at right angles to `a` that is nearest to the first axis that `a` has least of.
fn orthogonal(a: &[f64]) -> Vec<f64> {
    let mut axis = 0;
    for i in 1..a.len() {
        if a[i].abs() < a[axis].abs() {
            axis = i;
        }
    }
    let part = a[axis];
    unit(a.iter().enumerate().map(|(i, value)| if i == axis { 1.0 } else { 0.0 } - part * value).collect())
}

fn unit(mut a: Vec<f64>) -> Vec<f64> {
    let length = wide_norm(&a);
    a.iter_mut().for_each(|value| *value /= length);
    a
}

fn wide_norm(a: &[f64]) -> f64 {
    a.iter().map(|value| value * value).sum::<f64>().sqrt()
}

fn weighted(a: &[f64], weight_a: f64, b: &[f64], weight_b: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(x, y)| weight_a * x + weight_b * y).collect()
}
