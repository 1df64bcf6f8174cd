//! Moving a shard to a colder tier.

use super::encode::Encoder;
use super::error::IndexError;
use super::shard::{Sealed, Shard};
use super::tier::Tier;
use std::sync::Arc;

/// A move of all rows of a shard that are in warmer tiers to one. As long as it exists, `Stats::bytes` counts them as moved.
pub struct Demotion {
    shard: Arc<Shard>,
    tier: Tier,
}

impl Demotion {
    /// From now on the rows of tiers warmer than `tier` count as moved; `run` moves them.
    pub fn new(shard: Arc<Shard>, tier: Tier) -> Self {
        shard.demotions().push(tier);
        Self { shard, tier }
    }

    /// Goes segment by segment; rows stay in their lists. Searches and changes go on meanwhile; rows that are put from
    /// now on stay in their tier. Waits while another thread rewrites the shard.
    pub fn run(&self) -> Result<(), IndexError> {
        let Self { shard, tier } = self;
        let view = shard.wait_and_seal();
        let _sealed = Sealed(shard);
        let mut encoder = Encoder::new(shard.shared_rotation());
        for (slot, part) in view.parts().filter(|(_, part)| part.segment.tier.number() < tier.number()) {
            let (rewritten, sources) = part.rewritten(slot, *tier, &mut encoder)?;
            let parts = if sources.is_empty() { Vec::new() } else { vec![(rewritten, sources)] };
            shard.exchange(&[slot], parts)?;
        }
        Ok(())
    }
}

impl Drop for Demotion {
    fn drop(&mut self) {
        let mut demotions = self.shard.demotions();
        if let Some(at) = demotions.iter().position(|tier| *tier == self.tier) {
            demotions.swap_remove(at);
        }
    }
}
