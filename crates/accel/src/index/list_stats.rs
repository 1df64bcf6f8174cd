//! Statistics of inverted lists.

use super::error::IndexError;
use super::section::{DAMAGED, Section, write_all};
use std::io::Read;

/// How the members of a list lie around its point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ListStats {
    /// Members.
    pub rows: usize,
    /// Mean cosine of the members to the point.
    pub mean: f32,
    /// The sine of that angle.
    pub sine: f32,
    /// How many members count as far: the mean tells too little of these, so they are taken to lie where the farthest does.
    pub far_rows: usize,
    /// Least cosine of a member to the point.
    pub least: f32,
    /// The sine of that angle.
    pub least_sine: f32,
}

/// One in so many members counts as far.
const FAR_SHARE: usize = 8;

impl ListStats {
    /// Of the cosines of all members; their order changes.
    pub fn of(cosines: &mut [f32]) -> Self {
        if cosines.is_empty() {
            return Self::default();
        }
        cosines.sort_unstable_by(f32::total_cmp);
        let mean = (cosines.iter().sum::<f32>() / cosines.len() as f32).clamp(-1.0, 1.0);
        Self::known(cosines.len(), mean, cosines[0].clamp(-1.0, 1.0))
    }

    /// Of so many members, the mean of their cosines, and the least.
    fn known(rows: usize, mean: f32, least: f32) -> Self {
        let sine = |cosine: f32| (1.0 - cosine * cosine).max(0.0).sqrt();
        let far_rows = rows.div_ceil(FAR_SHARE);
        Self { rows, mean, sine: sine(mean), far_rows, least, least_sine: sine(least) }
    }

    /// Writes the statistics of all lists, for `read_all`.
    pub fn write_all(stats: &[Self], target: &mut Vec<u8>) {
        for stats in stats {
            write_all(target, &[stats.rows as u32]);
            write_all(target, &[stats.mean, stats.least]);
        }
    }

    /// The statistics of `count` lists, as `write_all` wrote them.
    pub fn read_all<R: Read>(section: &mut Section<R>, count: usize) -> Result<Vec<Self>, IndexError> {
        let one = |section: &mut Section<R>| {
            let rows = section.one::<u32>()? as usize;
            let [mean, least] = section.one::<[f32; 2]>()?;
            match (rows, mean.abs() <= 1.0 && least.abs() <= 1.0) {
                (0, _) => Ok(Self::default()),
                (_, true) => Ok(Self::known(rows, mean, least)),
                (_, false) => Err(DAMAGED),
            }
        };
        (0..count).map(|_| one(section)).collect()
    }
}
