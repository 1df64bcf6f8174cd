//! In which order a search goes through lists, and when it has seen enough of them.

use super::lists::Lists;
use super::scan_mode::CERTAIN_ROWS;
use crate::kernels::Kernels;

/// The share of its result's rows that a search may miss.
const MISSED: f32 = 0.001;
/// The same in shards of up to `CERTAIN_ROWS` rows.
const MISSED_CERTAIN: f32 = 1.0 / 30_000.0;
/// How many rows are scanned before it is asked whether more are needed.
const FIRST_ROWS: usize = 1_024;
/// How many rows the first step scans: mostly those of the query's own cluster, which rule out others.
const STEP_ROWS: usize = 128;
/// How many times more rows each further step has.
const GROWTH: usize = 8;
/// If this share of the rows left is to be scanned, all of them are: rows that lie side by side are faster.
const MOST: f64 = 0.5;
/// Deviations are multiplied with this, since a query's is estimated from a sample, and no distribution is quite normal.
const WIDENING: f32 = 1.1;
/// How many lists are sorted at first.
const SORTED_AT_FIRST: usize = 64;
/// Lists are sorted by the score of a member that is so many standard deviations above their mean.
const DEVIATIONS: f32 = 4.0;

/// Chooses the lists that a query scans, step by step.
///
/// A member x at cosine s to the point p of its list scores <q, x> = s <q, p> + sqrt(1 - s^2) <q, o>, where o is a
/// unit vector orthogonal to p. What <q, o> is like is seen from a sample of all lists' o: normally distributed, with
/// a deviation that is 1 / sqrt(d) for a query unlike the keys and more for one like them. So each list's number of
/// members that score more than the k-th best found so far can be told, and a search ends when it is small over all
/// lists left. Clusters that are split over several lists are not described by this; for them trials found
/// `Lists::min_scanned_rows`.
pub struct Probe<'a> {
    lists: &'a Lists,
    /// Cosine of the query to each list's point.
    cosines: Vec<f32>,
    /// Standard deviation of <q, o>, in the terms of the type's description.
    deviation: f32,
    /// For each list, the score of a member that is `DEVIATIONS` above the mean.
    upper: Vec<f32>,
    /// For each list, a score that no member reaches.
    ceiling: Vec<f32>,
    /// Lists with members by `upper`: the first `sorted` of them best first, the others, in no order, below those.
    order: Vec<u32>,
    sorted: usize,
    /// How many of `order` are scanned in any case.
    least: usize,
    /// How many of `order` were scanned.
    seen: usize,
    /// Rows of those that were not.
    left: usize,
    /// How many rows the next step scans.
    rows: usize,
    /// How many rows of the result may be missed.
    missed: f32,
}

impl<'a> Probe<'a> {
    pub fn new(lists: &'a Lists, rotated: &[f32], k: usize) -> Self {
        let kernels = Kernels::widest();
        let dimensions = rotated.len();
        let [cosines, across] = lists.cosines(rotated);
        let squares = kernels.dot(&across, &across) / across.len().max(1) as f32;
        let deviation = WIDENING * squares.max(1.0 / dimensions as f32).sqrt();
        let upper: Vec<f32> = (cosines.iter().zip(&lists.stats))
            .map(|(cosine, stats)| cosine * stats.mean + DEVIATIONS * deviation * stats.sine)
            .collect();
        let ceiling = (cosines.iter().zip(&lists.stats)).map(|(cosine, stats)| {
            let reach =
                |to_point: f32, sine: f32| cosine * to_point + NEVER * (deviation * sine).max(ROUNDING);
            reach(stats.mean, stats.sine).max(reach(stats.least, stats.least_sine))
        });
        let ceiling = ceiling.collect();
        let listed = 0..lists.len() as u32;
        let order: Vec<u32> = listed.filter(|&list| lists.stats[list as usize].rows > 0).collect();
        let left = lists.rows();
        let missed = if left <= CERTAIN_ROWS { MISSED_CERTAIN } else { MISSED } * k as f32;
        let mut probe = Self {
            lists,
            cosines,
            deviation,
            upper,
            ceiling,
            order,
            sorted: 0,
            least: 0,
            seen: 0,
            left,
            rows: STEP_ROWS,
            missed,
        };
        probe.least = probe.reach(lists.min_scanned_rows.max(FIRST_ROWS));
        probe
    }

    /// The lists to scan next, in ascending order, if rows that score less than `needed` are out; None when the lists left hold
    /// too few others.
    pub fn next(&mut self, needed: f32) -> Option<Vec<u32>> {
        let next = if self.seen < self.least {
            self.reach(self.rows).min(self.least)
        } else {
            let end = self.end(needed);
            let wanted: usize = self.order[self.seen..end].iter().map(|&list| self.rows_of(list)).sum();
            if end <= self.seen {
                return None;
            } else if wanted as f64 >= MOST * self.left as f64 {
                self.order.len()
            } else {
                self.reach(self.rows).min(end)
            }
        };
        let mut chosen = self.order[self.seen..next].to_vec();
        chosen.sort_unstable();
        self.left -= chosen.iter().map(|&list| self.rows_of(list)).sum::<usize>();
        self.seen = next;
        self.rows *= GROWTH;
        Some(chosen)
    }

    /// How many rows have to be scanned until a list is; 0 if it is scanned anyway to find rows that score `needed`.
    pub fn rows_until(&mut self, list: u32, needed: f32) -> usize {
        let end = self.end(needed);
        if self.order[..end].contains(&list) {
            return 0;
        }
        let upper = self.upper[list as usize];
        let before = self.order.iter().filter(|&&other| self.upper[other as usize] > upper);
        before.map(|&list| self.rows_of(list)).sum::<usize>() + self.rows_of(list)
    }

    /// Sorts twice as many lists as are sorted.
    fn sort_more(&mut self) {
        let count =
            (2 * self.sorted).clamp(SORTED_AT_FIRST, self.order.len().max(SORTED_AT_FIRST)) - self.sorted;
        let upper = &self.upper;
        let better = |a: &u32, b: &u32| upper[*b as usize].total_cmp(&upper[*a as usize]);
        let rest = &mut self.order[self.sorted..];
        if count < rest.len() {
            rest.select_nth_unstable_by(count, better);
        }
        let count = count.min(rest.len());
        rest[..count].sort_unstable_by(better);
        self.sorted += count;
    }

    fn rows_of(&self, list: u32) -> usize {
        self.lists.stats[list as usize].rows
    }

    /// The end in `order` of the next lists that have so many rows together.
    fn reach(&mut self, rows: usize) -> usize {
        let (mut reached, mut end) = (0, self.seen);
        while reached < rows && end < self.order.len() {
            if end == self.sorted {
                self.sort_more();
            }
            reached += self.rows_of(self.order[end]);
            end += 1;
        }
        end
    }

    /// The place in `order` from which on lists can be left out.
    fn end(&mut self, needed: f32) -> usize {
        let expected = |probe: &Self, list: u32| probe.expected(list as usize, needed);
        let mut missed: f32;
        loop {
            let rest = &self.order[self.sorted.max(self.seen)..];
            missed = rest.iter().map(|&list| expected(self, list)).sum();
            if missed <= self.missed || rest.is_empty() {
                break;
            }
            self.sort_more();
        }
        let mut end = self.sorted.max(self.seen);
        while end > self.seen {
            missed += expected(self, self.order[end - 1]);
            if missed > self.missed {
                break;
            }
            end -= 1;
        }
        end
    }

    /// How many members of a list are expected to score more than `needed`.
    fn expected(&self, list: usize, needed: f32) -> f32 {
        if needed >= self.ceiling[list] {
            return 0.0;
        }
        let (cosine, stats) = (self.cosines[list], &self.lists.stats[list]);
        // No member is farther from the point than the last: the angles' difference is the least one to a member.
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        if cosine < stats.least && needed > cosine * stats.least + sine * stats.least_sine + ROUNDING {
            return 0.0;
        }
        let above = |rows: usize, to_point: f32, sine: f32| {
            rows as f32 * tail((needed - cosine * to_point) / (self.deviation * sine).max(ROUNDING))
        };
        above(stats.rows, stats.mean, stats.sine) + above(stats.far_rows, stats.least, stats.least_sine)
    }
}

/// More than float32 sums of unit vectors are off by, and keys that are known by their bytes.
const ROUNDING: f32 = 0.01;

/// Standard deviations above the mean beyond which one normally distributed number in 10^10 lies.
const NEVER: f32 = 6.5;

/// At least the probability that a normally distributed number is so many standard deviations above its mean
/// (Pollak's bound, 1956).
fn tail(deviations: f32) -> f32 {
    if deviations <= 0.0 {
        return 1.0;
    }
    let squared = deviations * deviations;
    (2.0 / std::f32::consts::PI).sqrt() * (-0.5 * squared).exp()
        / (deviations + (squared + 8.0 / std::f32::consts::PI).sqrt())
}

#[cfg(test)]
mod tests {
    use super::tail;

    #[test]
    fn tails_are_a_little_more_than_those_of_tables() {
        for (deviations, probability) in [(0.0, 1.0), (1.0, 0.158_655), (3.0, 1.349_9e-3), (5.0, 2.866_5e-7)]
        {
            let over = tail(deviations) / probability;
            assert!((1.0..1.07).contains(&over), "{over} at {deviations}");
        }
    }
}
