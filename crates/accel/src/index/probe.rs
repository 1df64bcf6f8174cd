//! In which order a search goes through lists, and when it has seen enough of them.

use super::lists::Lists;
use super::scan_mode::CERTAIN_ROWS;
use crate::kernels::Kernels;

/// Share of its result's rows that a search may miss.
const MISSED: f32 = 0.001;
/// Share of the first `CERTAIN_ROWS` rows that a search may miss.
const MISSED_CERTAIN: f32 = 1.0 / 30_000.0;
/// Rows that are looked at before the first question whether more are needed.
const FIRST_ROWS: usize = 1_024;
/// Rows of the first step: mostly of the query's own cluster, which rule out others.
const STEP_ROWS: usize = 128;
/// How many times more rows each further step has.
const GROWTH: usize = 8;
/// Share of the rows left from which on all of them are looked at: rows that lie side by side are faster.
const MOST: f64 = 0.5;
/// What deviations are multiplied with, since those of a query are measured and no distribution is quite normal.
const WIDENING: f32 = 1.1;
/// Lists that are put in order at first.
const SORTED_AT_FIRST: usize = 64;
/// Lists are gone through by what a member so many standard deviations from their mean scores.
const DEVIATIONS: f32 = 4.0;

/// A rotated query before the lists.
///
/// A member x at cosine s to the point p of its list scores <q, x> = s <q, p> + sqrt(1 - s^2) <q, o>, where o is a
/// unit vector orthogonal to p. What <q, o> is like is seen from a sample of all lists' o: normally distributed, with
/// a deviation that is 1 / sqrt(d) for a query unlike the keys and more for one like them. So each list's number of
/// members that score more than the k-th best found so far can be told, and a search ends when it is small over all
/// lists left. Clusters that are split over lists are no such thing: what trials found of them is `Lists::min_scanned_rows`.
pub struct Probe<'a> {
    lists: &'a Lists,
    /// Cosine of the query to each list's point.
    cosines: Vec<f32>,
    /// Standard deviation of <q, o>, in the terms of the type's description.
    deviation: f32,
    /// For each list, what a member that is far on the query's side scores.
    upper: Vec<f32>,
    /// For each list, what no member scores.
    ceiling: Vec<f32>,
    /// Lists with members, the first `sorted` of them best first, and all others below those.
    order: Vec<u32>,
    sorted: usize,
    /// Lists that are looked at in any case.
    least: usize,
    /// How many of them were looked at, and the rows of the others.
    seen: usize,
    left: usize,
    /// Rows to look at next.
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
        let upper: Vec<f32> = (cosines.iter().zip(&lists.spreads))
            .map(|(cosine, spread)| cosine * spread.mean + DEVIATIONS * deviation * spread.sine)
            .collect();
        let ceiling = (cosines.iter().zip(&lists.spreads)).map(|(cosine, spread)| {
            let reach =
                |to_point: f32, sine: f32| cosine * to_point + NEVER * (deviation * sine).max(ROUNDING);
            reach(spread.mean, spread.sine).max(reach(spread.least, spread.least_sine))
        });
        let ceiling = ceiling.collect();
        let listed = 0..lists.len() as u32;
        let order: Vec<u32> = listed.filter(|&list| lists.spreads[list as usize].rows > 0).collect();
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

    /// The lists to look at next, in ascending order, if rows that score less than `needed` are out; None when those
    /// left hold too few others.
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

    /// Rows that have to be looked at for a list to be among them; 0 if it is needed to find rows that score as much
    /// as `needed`.
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
        self.lists.spreads[list as usize].rows
    }

    /// The end of the lists from those seen on that make so many rows.
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

    /// From which place on lists can be left out.
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
        let (cosine, spread) = (self.cosines[list], &self.lists.spreads[list]);
        // No member is farther from the point than the last: the angles' difference is the least one to a member.
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        if cosine < spread.least && needed > cosine * spread.least + sine * spread.least_sine + ROUNDING {
            return 0.0;
        }
        let above = |rows: usize, to_point: f32, sine: f32| {
            rows as f32 * tail((needed - cosine * to_point) / (self.deviation * sine).max(ROUNDING))
        };
        above(spread.rows, spread.mean, spread.sine) + above(spread.far_rows, spread.least, spread.least_sine)
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
