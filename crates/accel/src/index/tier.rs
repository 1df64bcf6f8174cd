/// What a row keeps in memory, most first. Binary codes are kept in all tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// The float32 key and its int8 code: exact scores.
    Hot,
    /// The int8 code: scores within a proven bound.
    Warm,
    /// The binary code only: estimates.
    Cold,
}

impl Tier {
    /// Every tier, by its number.
    pub const ALL: [Self; 3] = [Self::Hot, Self::Warm, Self::Cold];

    /// 0, 1 or 2, as snapshots and callers write it.
    pub fn number(self) -> u8 {
        match self {
            Self::Hot => 0,
            Self::Warm => 1,
            Self::Cold => 2,
        }
    }

    /// The tier of a number, None for one that is no tier's.
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The tier's bit in a mask of tiers.
    pub fn bit(self) -> u32 {
        1 << self.number()
    }

    /// A mask of every tier.
    pub const EVERY: u32 = 0b111;
}
