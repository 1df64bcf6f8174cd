//! Segments written anew: without their dead rows, or in a colder tier.

use super::arrange::Sealed;
use super::encode::Encoder;
use super::error::IndexError;
use super::lists::{Run, Runs};
use super::locations::Location;
use super::segment::Segment;
use super::shard::Shard;
use super::tier::Tier;
use super::view::Part;
use std::sync::{Arc, MutexGuard, PoisonError};

/// Moves all rows of a shard that are in warmer tiers to one. From its making to its end `Stats::bytes` counts them as
/// moved.
pub struct Demotion {
    shard: Arc<Shard>,
    tier: Tier,
}

impl Demotion {
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

impl Shard {
    fn demotions(&self) -> MutexGuard<'_, Vec<Tier>> {
        self.demotions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The coldest tier that rows are on their way to.
    pub(super) fn coldest_demotion(&self) -> Option<Tier> {
        self.demotions().iter().copied().max_by_key(|tier| tier.number())
    }
}

impl Part {
    /// The living rows, of which there may be none, in a segment of their own in the same or a colder tier, and where
    /// they were. Lists stay.
    pub(super) fn rewritten(
        &self,
        slot: usize,
        tier: Tier,
        encoder: &mut Encoder,
    ) -> Result<(Self, Vec<Location>), IndexError> {
        let source = &self.segment;
        let (dimensions, centre) = (source.dimensions, &source.centre);
        let capacity = self.living().max(1);
        let mut target = Segment::new(tier, dimensions, capacity, Arc::clone(centre))?;
        for row in self.living_rows() {
            target.append(&encoder.recode(source.row(row), centre, centre, tier));
        }
        target.runs = source.runs.as_ref().map(|runs| self.living_runs(runs));
        let mut part = Self::new(Arc::new(target));
        part.count = self.living();
        Ok((part, self.living_rows().map(|row| Location::new(slot, row)).collect()))
    }

    /// Where the living rows of each list lie when only they are left.
    pub(super) fn living_runs(&self, Runs { lists, runs }: &Runs) -> Runs {
        let mut living = self.living_rows().peekable();
        let mut end = 0;
        let runs = runs.iter().map(|run| {
            let first = end;
            while living.next_if(|&row| row < run.end).is_some() {
                end += 1;
            }
            Run { list: run.list, first, end }
        });
        Runs { lists: Arc::clone(lists), runs: runs.filter(|run| run.end > run.first).collect() }
    }
}
