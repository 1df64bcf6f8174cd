//! Which documents are what a filter says.

use super::field::{Field, Interval};
use super::filter::Filter;
use super::index::{Metadata, TIMES, is_long, to_value};
use super::search::{Search, Turn};
use super::value::Value;
use roaring::RoaringBitmap;
use serde_json::Value as Json;
use std::ops::Bound;
use std::time::Instant;

/// What an index knows of a filter: these documents are what it says, and of those it can't know; no others are.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Labels.
    pub sure: RoaringBitmap,
    /// Labels, none of which is sure.
    pub unsure: RoaringBitmap,
}

/// A part of documents in the order of one of their times.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// A time, by its name.
    pub field: &'a str,
    /// Whether the latest come first.
    pub is_descending: bool,
    /// How many at most.
    pub count: usize,
    /// Time and label of the last of the part before.
    pub after: Option<(f64, u32)>,
}

impl Metadata {
    /// The documents that are what a filter says and have not expired by then (in ms since 1970); unless `all` are wanted,
    /// only those that are valid then. None where it takes longer than `until`: to be asked again, with the same search.
    pub fn find(&self, search: &mut Search, now: f64, all: bool, until: Instant) -> Option<Found> {
        let (filter, mut turn) = search.turn(until);
        let Found { mut sure, mut unsure } = self.evaluate(filter, &mut turn)?;
        unsure |= &search.changed & &self.living;
        sure -= &search.changed;
        let absent = self.absent(now, all);
        sure -= &absent;
        unsure -= absent;
        unsure -= &sure;
        Some(Found { sure, unsure })
    }

    /// The next of some documents (bit l % 8 of byte l / 8 for label l) in the order of a time, those of one moment in the
    /// order of their labels; all of it turned round where it is descending. Those without that time are left out.
    pub fn page(&self, among: &[u8], page: &Page) -> Vec<(f64, u32)> {
        let Some(time) = time_of(page.field) else { return Vec::new() };
        let order = |a: &(f64, u32), b: &(f64, u32)| {
            let order = a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if page.is_descending { order.reverse() } else { order }
        };
        let labels = among.iter().enumerate().filter(|&(_, &byte)| byte != 0);
        let labels = labels.flat_map(|(at, &byte)| {
            (0..8).filter_map(move |bit| (byte >> bit & 1 == 1).then_some((8 * at + bit) as u32))
        });
        let places = labels.filter_map(|label| Some((self.time(time, label)?, label)));
        let mut places: Vec<_> =
            places.filter(|place| page.after.is_none_or(|after| order(&after, place).is_lt())).collect();
        if places.len() > page.count && page.count > 0 {
            places.select_nth_unstable_by(page.count - 1, order);
        }
        places.truncate(page.count);
        places.sort_unstable_by(order);
        places
    }

    fn evaluate(&self, filter: &Filter, turn: &mut Turn) -> Option<Found> {
        match filter {
            Filter::And { of } => {
                let mut found = Found { sure: self.living.clone(), unsure: RoaringBitmap::new() };
                let mut rest: Vec<&Filter> = of.iter().collect();
                while let Some(each) = rest.pop() {
                    let other = Comparison::of(each).and_then(|one| {
                        rest.iter()
                            .position(|&other| Comparison::of(other).is_some_and(|other| one.closes(&other)))
                    });
                    let Found { sure, unsure } = match (Comparison::of(each), other) {
                        (Some(one), Some(other)) => {
                            let other = Comparison::of(rest.swap_remove(other));
                            turn.next(|| self.compare(one.field, &one.interval(other)))?
                        }
                        _ => self.evaluate(each, turn)?,
                    };
                    let possible = (&found.sure | found.unsure) & (&sure | unsure);
                    found.sure &= sure;
                    found.unsure = possible - &found.sure;
                }
                Some(found)
            }
            Filter::Or { of } => {
                let mut found = Found::default();
                for each in of {
                    let Found { sure, unsure } = self.evaluate(each, turn)?;
                    found.sure |= sure;
                    found.unsure |= unsure;
                }
                found.unsure -= &found.sure;
                Some(found)
            }
            Filter::Not { of } => {
                let Found { sure, unsure } = self.evaluate(of, turn)?;
                Some(Found { sure: &self.living - (sure | &unsure), unsure })
            }
            condition => turn.next(|| self.check(condition)),
        }
    }

    /// What a single condition says; of a filter that combines others nothing.
    fn check(&self, condition: &Filter) -> Found {
        match condition {
            Filter::And { .. } | Filter::Or { .. } | Filter::Not { .. } => Found::default(),
            Filter::Equals { field, values } => self.equals(field, values),
            Filter::Gt { .. } | Filter::Gte { .. } | Filter::Lt { .. } | Filter::Lte { .. } => {
                let one = Comparison::of(condition);
                one.map_or_else(Found::default, |one| self.compare(one.field, &one.interval(None)))
            }
            Filter::Exists { field } => match time_of(field) {
                Some(time) => sure(self.at_times(time, |at| !at.is_nan())),
                None => self.look(field, |kept| sure(kept.present.clone())),
            },
            Filter::Contains { field, part } => self.contains(field, part),
            Filter::StartsWith { field, prefix } => {
                self.look(field, |kept| found(kept.with_prefix(prefix), &kept.long | &kept.unkept))
            }
        }
    }

    fn equals(&self, name: &str, values: &[Json]) -> Found {
        if let Some(time) = time_of(name) {
            let mut moments: Vec<f64> = values.iter().filter_map(Json::as_f64).collect();
            moments.sort_unstable_by(f64::total_cmp);
            return sure(
                self.at_times(time, |at| moments.binary_search_by(|moment| moment.total_cmp(&at)).is_ok()),
            );
        }
        self.look(name, |field| {
            let mut sure = RoaringBitmap::new();
            let mut unsure = field.unkept.clone();
            for value in values {
                match (to_value(value), value) {
                    (_, Json::String(text)) if is_long(text) => unsure |= &field.long,
                    (Some(value), _) => field.add_equal(&value, &mut sure),
                    (None, _) => unsure |= &field.nested,
                }
            }
            found(sure, unsure)
        })
    }

    fn compare(&self, name: &str, interval: &Interval) -> Found {
        if let Some(time) = time_of(name) {
            return sure(self.at_times(time, |at| !at.is_nan() && interval.holds(at)));
        }
        self.look(name, |field| {
            let mut unsure = field.unkept.clone();
            if matches!(interval.like, Value::Text(_)) {
                unsure |= &field.long;
            }
            found(field.within(interval), unsure)
        })
    }

    fn contains(&self, name: &str, part: &Json) -> Found {
        // The index holds no texts.
        if name == "$text" {
            return Found { sure: RoaringBitmap::new(), unsure: self.living.clone() };
        }
        self.look(name, |field| {
            let mut elements = RoaringBitmap::new();
            let mut unsure = field.unkept.clone();
            match (to_value(part), part) {
                (None, _) => unsure |= &field.nested & &field.lists,
                (Some(value), Json::String(text)) => {
                    field.add_equal(&value, &mut elements);
                    elements &= &field.lists;
                    elements |= field.with_part(text) - &field.lists;
                    unsure |= &field.long;
                }
                (Some(value), _) => {
                    field.add_equal(&value, &mut elements);
                    elements &= &field.lists;
                }
            }
            found(elements, unsure)
        })
    }

    /// What a look at a field finds; where the field is not kept, nobody knows of documents that have more than are.
    fn look(&self, name: &str, look: impl Fn(&Field) -> Found) -> Found {
        match self.field(name) {
            Some(field) => look(field),
            None => found(RoaringBitmap::new(), self.unlisted.clone()),
        }
    }
}

/// A condition of order.
struct Comparison<'a> {
    field: &'a str,
    than: Value,
    /// Whether what is greater holds.
    is_above: bool,
    /// Whether what is equal holds.
    is_included: bool,
}

impl<'a> Comparison<'a> {
    fn of(filter: &'a Filter) -> Option<Self> {
        let (field, than, is_above, is_included) = match filter {
            Filter::Gt { field, than } => (field, than, true, false),
            Filter::Gte { field, than } => (field, than, true, true),
            Filter::Lt { field, than } => (field, than, false, false),
            Filter::Lte { field, than } => (field, than, false, true),
            _ => return None,
        };
        Some(Self { field, than: to_value(than)?, is_above, is_included })
    }

    /// Whether two are the ends of one interval, which is found at once what each alone is not.
    fn closes(&self, other: &Self) -> bool {
        self.field == other.field && self.is_above != other.is_above && self.than.is_like(&other.than)
    }

    fn bound(&self) -> Bound<Value> {
        if self.is_included { Bound::Included(self.than.clone()) } else { Bound::Excluded(self.than.clone()) }
    }

    /// @param other the other end, if there is one
    fn interval(&self, other: Option<Comparison>) -> Interval {
        let (one, other) = (self.bound(), other.map_or(Bound::Unbounded, |other| other.bound()));
        let (lower, upper) = if self.is_above { (one, other) } else { (other, one) };
        Interval { lower, upper, like: self.than.clone() }
    }
}

fn time_of(field: &str) -> Option<usize> {
    TIMES.iter().position(|&time| time == field)
}

fn sure(sure: RoaringBitmap) -> Found {
    Found { sure, unsure: RoaringBitmap::new() }
}

fn found(sure: RoaringBitmap, unsure: RoaringBitmap) -> Found {
    let unsure = unsure - &sure;
    Found { sure, unsure }
}
