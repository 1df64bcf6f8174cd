/// The most that a row can score, as a scan of codes knows it: `base + weight * offset + factor * (start + step *
/// count)` in float32, with the count of the row (a product of bytes or a number of differing bits) and its scalars
/// `[factor, offset]`.
#[derive(Clone, Copy, Debug)]
pub struct UpperBound {
    /// Added to every row.
    pub base: f32,
    /// What a row's offset is multiplied with.
    pub weight: f32,
    /// What a row's factor is multiplied with at a count of 0.
    pub start: f32,
    /// What each unit of the count adds to it.
    pub step: f32,
}

impl UpperBound {
    /// The bound of a row with this count and these scalars.
    #[inline(always)]
    pub fn of(&self, count: i32, [factor, offset]: [f32; 2]) -> f32 {
        (self.base + self.weight * offset) + factor * (self.start + self.step * count as f32)
    }
}
