//! Which documents a filter holds for.

use super::field::{Field, Interval, Walk};
use super::filter::Filter;
use super::found::Found;
use super::index::{Metadata, TIMES, is_long, to_value};
use super::search::{Search, Step};
use super::value::Value;
use roaring::RoaringBitmap;
use serde_json::Value as Json;
use std::ops::Bound;

/// A page of documents in the order of one of their times.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// A time, by its name.
    pub field: &'a str,
    /// Whether the latest come first.
    pub is_descending: bool,
    /// How many at most.
    pub count: usize,
    /// Time and label of the last document of the page before.
    pub after: Option<(f64, u32)>,
}

impl Metadata {
    /// The documents that a filter holds for and that have not expired by `now` (in ms since 1970); unless `all` are
    /// wanted, only those that are valid then. None where a turn `is_over` before the last step: ask again with the same
    /// search, until it has been answered.
    pub fn find(
        &self,
        search: &mut Search,
        now: f64,
        all: bool,
        mut is_over: impl FnMut() -> bool,
    ) -> Option<Found> {
        while let Some(step) = search.steps.pop() {
            self.take(step, search);
            if !search.steps.is_empty() && is_over() {
                return None;
            }
        }
        let Found { mut sure, mut unsure } = search.last();
        let changed = std::mem::take(&mut search.changed);
        sure -= &changed;
        unsure |= changed & &self.living;
        let absent = self.absent(now, all);
        sure -= &absent;
        unsure -= absent;
        Some(Found::new(sure, unsure))
    }

    /// The next page of some documents (bit l % 8 of byte l / 8 for label l) in the order of a time, those of one moment in the
    /// order of their labels; descending reverses all of that. Documents without that time are left out.
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

    /// Takes one step of a search.
    fn take(&self, step: Step, search: &mut Search) {
        match step {
            Step::Find(Filter::And { of }) => {
                search.parts.push(Found::sure(self.living.clone()));
                search.steps.extend(joined(of).into_iter().flat_map(|part| [Step::And, Step::Find(part)]));
            }
            Step::Find(Filter::Or { of }) => {
                search.parts.push(Found::default());
                search.steps.extend(of.into_iter().flat_map(|part| [Step::Or, Step::Find(part)]));
            }
            Step::Find(Filter::Not { of }) => search.steps.extend([Step::Not, Step::Find(*of)]),
            Step::Find(condition) => match self.check(condition) {
                Filter::Known(found) => search.parts.push(found),
                rest => search.steps.push(Step::Find(rest)),
            },
            Step::And => {
                let found = search.last().and(search.last());
                search.parts.push(found);
            }
            Step::Or => {
                let found = search.last().or(search.last());
                search.parts.push(found);
            }
            Step::Not => {
                let found = search.last().not(&self.living);
                search.parts.push(found);
            }
        }
    }

    /// The documents that a single condition holds for; or what is left to find of them, which takes more than a step.
    fn check(&self, condition: Filter) -> Filter {
        match condition {
            Filter::And { .. } | Filter::Or { .. } | Filter::Not { .. } | Filter::Known(_) => condition,
            Filter::Equals { field, values } => Filter::Known(self.equals(&field, &values)),
            Filter::Gt { .. } | Filter::Gte { .. } | Filter::Lt { .. } | Filter::Lte { .. } => {
                Comparison::of(&condition)
                    .map_or_else(|| Filter::Known(Found::default()), |one| one.within(None))
            }
            Filter::Exists { field } => Filter::Known(match time_of(&field) {
                Some(time) => Found::sure(self.at_times(time, |at| !at.is_nan())),
                None => match self.field(&field) {
                    Some(kept) => Found::sure(kept.present.clone()),
                    None => self.unlisted(),
                },
            }),
            Filter::Contains { field, part } => self.contains(field, &part),
            Filter::StartsWith { field, prefix } => match self.field(&field) {
                Some(kept) => {
                    let unsure = Found::new(RoaringBitmap::new(), &kept.long | &kept.unkept);
                    let walk = Walk::new(Interval::of_prefix(&prefix));
                    Filter::Or { of: vec![Filter::Walk { field, walk }, Filter::Known(unsure)] }
                }
                None => Filter::Known(self.unlisted()),
            },
            Filter::Within { field, interval, ends } => self.compare(field, interval, ends),
            Filter::Walk { field, mut walk } => match self.field(&field) {
                Some(kept) if kept.go_on(&mut walk) => Filter::Walk { field, walk },
                _ => Filter::Known(Found::sure(walk.found)),
            },
        }
    }

    fn equals(&self, name: &str, values: &[Json]) -> Found {
        if let Some(time) = time_of(name) {
            let mut moments: Vec<f64> = values.iter().filter_map(Json::as_f64).collect();
            moments.sort_unstable_by(f64::total_cmp);
            return Found::sure(
                self.at_times(time, |at| moments.binary_search_by(|moment| moment.total_cmp(&at)).is_ok()),
            );
        }
        let Some(field) = self.field(name) else { return self.unlisted() };
        let mut sure = RoaringBitmap::new();
        let mut unsure = field.unkept.clone();
        for value in values {
            match (to_value(value), value) {
                (_, Json::String(text)) if is_long(text) => unsure |= &field.long,
                (Some(value), _) => field.add_equal(&value, &mut sure),
                (None, _) => unsure |= &field.nested,
            }
        }
        Found::new(sure, unsure)
    }

    fn compare(&self, name: String, interval: Interval, ends: Vec<Interval>) -> Filter {
        if let Some(time) = time_of(&name) {
            let holds = |at: f64| !at.is_nan() && interval.holds(at);
            return Filter::Known(Found::sure(self.at_times(time, holds)));
        }
        let Some(field) = self.field(&name) else { return Filter::Known(self.unlisted()) };
        let walk = |interval| Filter::Walk { field: name.clone(), walk: Walk::new(interval) };
        let mut unsure = field.unkept.clone();
        if interval.is_of_texts() {
            unsure |= &field.long;
        }
        let mut of = vec![Filter::Known(Found::new(RoaringBitmap::new(), unsure))];
        of.push(match field.numbers_within(&interval) {
            Some(sure) => Filter::Known(Found::sure(sure)),
            None => without_lists(field, walk(interval)),
        });
        if !field.lists.is_empty() {
            let lists = Filter::Known(Found::sure(field.lists.clone()));
            of.push(Filter::And { of: ends.into_iter().map(walk).chain([lists]).collect() });
        }
        Filter::Or { of }
    }

    fn contains(&self, name: String, part: &Json) -> Filter {
        // The index holds no texts.
        if name == "$text" {
            return Filter::Known(Found { sure: RoaringBitmap::new(), unsure: self.living.clone() });
        }
        let Some(field) = self.field(&name) else { return Filter::Known(self.unlisted()) };
        let mut unsure = field.unkept.clone();
        let mut elements = RoaringBitmap::new();
        match to_value(part) {
            None => unsure |= &field.nested & &field.lists,
            Some(value) => field.add_equal(&value, &mut elements),
        }
        elements &= &field.lists;
        let Json::String(text) = part else { return Filter::Known(Found::new(elements, unsure)) };
        let elements = Filter::Known(Found::new(elements, unsure | &field.long));
        let walk = Walk { part: Some(text.clone()), ..Walk::new(Interval::of_prefix("")) };
        Filter::Or { of: vec![elements, without_lists(field, Filter::Walk { field: name, walk })] }
    }

    /// What is known of a field that the index does not keep: only that documents with a field that is not kept may have it.
    fn unlisted(&self) -> Found {
        Found::new(RoaringBitmap::new(), self.unlisted.clone())
    }
}

/// A walk restricted to documents whose value is no list.
fn without_lists(field: &Field, walk: Filter) -> Filter {
    let others = Filter::Known(Found::sure(&field.present - &field.lists));
    Filter::And { of: vec![walk, others] }
}

/// Parts that all must hold. Two that are the ends of one interval become one: what lies in the interval is found much
/// sooner than what lies beyond each end.
fn joined(mut parts: Vec<Filter>) -> Vec<Filter> {
    let mut joined = Vec::new();
    while let Some(part) = parts.pop() {
        let closing = |other: &Filter| {
            let (one, other) = (Comparison::of(&part)?, Comparison::of(other)?);
            one.closes(&other).then(|| one.within(Some(&other)))
        };
        match parts.iter().enumerate().find_map(|(at, other)| Some((at, closing(other)?))) {
            Some((at, within)) => {
                parts.swap_remove(at);
                joined.push(within);
            }
            None => joined.push(part),
        }
    }
    joined
}

/// A condition of order.
struct Comparison<'a> {
    field: &'a str,
    than: Value,
    /// Whether the condition holds for greater values, not for lesser ones.
    is_above: bool,
    /// Whether the condition holds for an equal value.
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
        let than = to_value(than).filter(|than| matches!(than, Value::Number(_) | Value::Text(_)))?;
        Some(Self { field, than, is_above, is_included })
    }

    /// Whether two conditions are the ends of one interval.
    fn closes(&self, other: &Self) -> bool {
        self.field == other.field && self.is_above != other.is_above && self.than.is_like(&other.than)
    }

    /// The condition as an interval. @param other the other end, if there is one
    fn within(&self, other: Option<&Self>) -> Filter {
        let one = self.interval();
        let (interval, ends) = match other.map(Self::interval) {
            None => (one.clone(), vec![one]),
            Some(other) => {
                let (above, below) = if self.is_above { (&one, &other) } else { (&other, &one) };
                let both = Interval { lower: above.lower.clone(), upper: below.upper.clone() };
                (both, vec![one, other])
            }
        };
        Filter::Within { field: self.field.to_owned(), interval, ends }
    }

    fn interval(&self) -> Interval {
        let bound = if self.is_included { Bound::Included } else { Bound::Excluded };
        let end = bound(self.than.clone());
        let all = Interval::like(&self.than);
        if self.is_above { Interval { lower: end, ..all } } else { Interval { upper: end, ..all } }
    }
}

/// The number of a time in `TIMES`, by its name.
fn time_of(field: &str) -> Option<usize> {
    TIMES.iter().position(|&time| time == field)
}
