//! What documents hold in one field.

use super::documents::Documents;
use super::value::Value;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::{Bound, RangeBounds};

/// A value's place, by which documents say what they hold.
pub type Place = u32;

#[derive(Debug, Deserialize, Serialize)]
struct Entry {
    value: Value,
    documents: Documents,
}

/// From so many different numbers on a look at the number of every document costs less than to gather those of a range.
const COLUMN_FROM: usize = 256;

/// What documents hold in one field.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Field {
    /// Follows from `entries`.
    #[serde(skip)]
    order: BTreeMap<Value, Place>,
    entries: Vec<Option<Entry>>,
    free: Vec<Place>,
    /// How many different numbers there are.
    numbers: usize,
    /// By document the number that it holds, no list; NaN for none. Not there while few are different.
    #[serde(skip)]
    column: Option<Vec<f64>>,
    /// By key, the fields of the objects that it holds.
    pub within: HashMap<Box<str>, u32>,
    /// Documents that have the field.
    pub present: RoaringBitmap,
    /// Those whose value is a list.
    pub lists: RoaringBitmap,
    /// Those that hold an object, or a list within a list.
    pub nested: RoaringBitmap,
    /// Those that hold a string too long to be kept.
    pub long: RoaringBitmap,
    /// Those that hold a value that there was no room for.
    pub unkept: RoaringBitmap,
}

impl Field {
    pub fn has(&self, value: &Value) -> bool {
        self.order.contains_key(value)
    }

    /// Says that a document has a value. Gives its place, unless the document had it before.
    pub fn insert(&mut self, value: Value, document: u32) -> Option<Place> {
        let number = match value {
            Value::Number(number) if !self.lists.contains(document) => Some(number),
            _ => None,
        };
        let place = match self.order.get(&value) {
            Some(&place) => place,
            None => {
                self.numbers += usize::from(matches!(value, Value::Number(_)));
                let place = self.free.pop().unwrap_or_else(|| {
                    self.entries.push(None);
                    (self.entries.len() - 1) as Place
                });
                self.order.insert(value.clone(), place);
                self.entries[place as usize] = Some(Entry { value, documents: Documents::default() });
                place
            }
        };
        let is_new =
            self.entries[place as usize].as_mut().is_some_and(|entry| entry.documents.insert(document));
        match (&mut self.column, number) {
            (None, _) if self.numbers > COLUMN_FROM => self.fill_column(),
            (Some(column), Some(number)) => set_number(column, document, number),
            _ => {}
        }
        is_new.then_some(place)
    }

    /// Makes anew what is not in a snapshot.
    pub fn restore(&mut self) {
        let places =
            self.entries.iter().enumerate().filter_map(|(place, entry)| {
                entry.as_ref().map(|entry| (entry.value.clone(), place as Place))
            });
        self.order = places.collect();
        if self.numbers > COLUMN_FROM {
            self.fill_column();
        }
    }

    fn fill_column(&mut self) {
        let numbers: Vec<(u32, f64)> = (self.entries.iter().flatten())
            .filter_map(|Entry { value, documents }| match value {
                Value::Number(number) => Some((*number, documents)),
                _ => None,
            })
            .flat_map(|(number, documents)| {
                let mut all = RoaringBitmap::new();
                documents.add_to(&mut all);
                all.into_iter().map(move |document| (document, number))
            })
            .filter(|&(document, _)| !self.lists.contains(document))
            .collect();
        let column = self.column.insert(Vec::new());
        for (document, number) in numbers {
            set_number(column, document, number);
        }
    }

    /// Memory of the numbers by document.
    pub fn column_bytes(&self) -> usize {
        8 * self.column.as_ref().map_or(0, Vec::capacity)
    }

    /// Says that a document has a value no more, and gives the value if no other has it.
    pub fn remove(&mut self, place: Place, document: u32) -> Option<Value> {
        let slot = self.entries.get_mut(place as usize)?;
        let entry = slot.as_mut()?;
        entry.documents.remove(document);
        if !entry.documents.is_empty() {
            return None;
        }
        let entry = slot.take()?;
        self.numbers -= usize::from(matches!(entry.value, Value::Number(_)));
        self.order.remove(&entry.value);
        self.free.push(place);
        Some(entry.value)
    }

    /// Says that a document has nothing in the field any more, beside its values.
    pub fn clear(&mut self, document: u32) {
        for set in [&mut self.present, &mut self.lists, &mut self.nested, &mut self.long, &mut self.unkept] {
            set.remove(document);
        }
        if let Some(number) = self.column.as_mut().and_then(|column| column.get_mut(document as usize)) {
            *number = f64::NAN;
        }
    }

    /// The documents with a value.
    pub fn add_equal(&self, value: &Value, found: &mut RoaringBitmap) {
        if let Some(&place) = self.order.get(value) {
            self.add(place, found);
        }
    }

    /// The documents with a value in an interval; of a list one may be above its lower end, and another below its upper.
    pub fn within(&self, interval: &Interval) -> RoaringBitmap {
        let Interval { lower, upper, like } = interval;
        let mut found = match (like, &self.column) {
            (Value::Number(_), Some(column)) => {
                documents_where(column, |number| !number.is_nan() && interval.holds(number))
            }
            _ if interval.is_empty() => RoaringBitmap::new(),
            _ => self.with_between((lower.clone(), upper.clone()), like) - &self.lists,
        };
        if !self.lists.is_empty() {
            let above = self.with_between((lower.clone(), Bound::Unbounded), like) & &self.lists;
            found |= above & self.with_between((Bound::Unbounded, upper.clone()), like);
        }
        found
    }

    fn with_between(&self, bounds: (Bound<Value>, Bound<Value>), like: &Value) -> RoaringBitmap {
        let values = self.order.range(bounds).skip_while(|(value, _)| !value.is_like(like));
        self.union_of(values.take_while(|(value, _)| value.is_like(like)).map(|(_, &place)| place))
    }

    /// The documents with a string that begins so.
    pub fn with_prefix(&self, prefix: &str) -> RoaringBitmap {
        let from = (Bound::Included(Value::Text(prefix.into())), Bound::Unbounded);
        let begins = |value: &Value| matches!(value, Value::Text(text) if text.starts_with(prefix));
        self.union_of(self.order.range(from).take_while(|(value, _)| begins(value)).map(|(_, &place)| place))
    }

    /// The documents with a string that has this part.
    pub fn with_part(&self, part: &str) -> RoaringBitmap {
        let from = (Bound::Included(Value::Text("".into())), Bound::Unbounded);
        let has = |value: &Value| matches!(value, Value::Text(text) if text.contains(part));
        self.union_of(self.order.range(from).filter(|(value, _)| has(value)).map(|(_, &place)| place))
    }

    fn add(&self, place: Place, found: &mut RoaringBitmap) {
        if let Some(Some(entry)) = self.entries.get(place as usize) {
            entry.documents.add_to(found);
        }
    }

    /// Values that few documents have are gathered first: a bitmap takes them in order at a tenth of the time. Where these are
    /// many, bits take them in any order at a tenth of the time that it takes to sort them.
    fn union_of(&self, places: impl Iterator<Item = Place>) -> RoaringBitmap {
        let mut found = RoaringBitmap::new();
        let mut few: Vec<u32> = Vec::new();
        for place in places {
            match self.entries.get(place as usize) {
                Some(Some(Entry { documents: Documents::Few(documents), .. })) => few.extend(documents),
                Some(Some(entry)) => entry.documents.add_to(&mut found),
                _ => {}
            }
        }
        let labels = self.present.max().map_or(0, |last| last as usize + 1);
        if few.len() < labels / 64 {
            few.sort_unstable();
            found.extend(few);
        } else {
            let mut bits = vec![0_u8; labels.div_ceil(8)];
            for document in few {
                bits[document as usize / 8] |= 1 << (document % 8);
            }
            found |= RoaringBitmap::from_lsb0_bytes(0, &bits);
        }
        found
    }
}

/// What is compared by order: the values of one kind from one end to another.
#[derive(Debug)]
pub struct Interval {
    pub lower: Bound<Value>,
    pub upper: Bound<Value>,
    /// A value of that kind.
    pub like: Value,
}

impl Interval {
    pub fn holds(&self, number: f64) -> bool {
        (self.lower.as_ref(), self.upper.as_ref()).contains(&Value::number(number))
    }

    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Bound::Included(lower), Bound::Included(upper)) => lower > upper,
            (
                Bound::Included(lower) | Bound::Excluded(lower),
                Bound::Included(upper) | Bound::Excluded(upper),
            ) => lower >= upper,
            _ => false,
        }
    }
}

fn set_number(column: &mut Vec<f64>, document: u32, number: f64) {
    let at = document as usize;
    if at >= column.len() {
        column.resize(at + 1, f64::NAN);
    }
    column[at] = number;
}

/// The documents whose number, by document, is as `holds` says.
pub fn documents_where(numbers: &[f64], holds: impl Fn(f64) -> bool) -> RoaringBitmap {
    let bits = |eight: &[f64]| {
        eight.iter().enumerate().fold(0_u8, |byte, (at, &number)| byte | u8::from(holds(number)) << at)
    };
    let bytes: Vec<u8> = numbers.chunks(8).map(bits).collect();
    RoaringBitmap::from_lsb0_bytes(0, &bytes)
}
