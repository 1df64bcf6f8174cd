//! What documents hold in one field.

use super::documents::Documents;
use super::value::Value;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::{Bound, RangeBounds};

/// The place of a value in a field's entries, by which documents refer to what they hold.
pub type Place = u32;

#[derive(Debug, Deserialize, Serialize)]
struct Entry {
    value: Value,
    documents: Documents,
}

/// With more different numbers, it costs less to look at the number of every document than to gather the documents of a range.
const COLUMN_FROM: usize = 256;

/// Values that a walk goes through in one step: some milliseconds.
const VALUES_AT_ONCE: usize = 16_384;

/// What documents hold in one field.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Field {
    /// The places of all values, in their order. Not in a snapshot, since it follows from `entries`.
    #[serde(skip)]
    order: BTreeMap<Value, Place>,
    /// By place.
    entries: Vec<Option<Entry>>,
    /// Places without a value.
    free: Vec<Place>,
    /// How many different numbers there are.
    numbers: usize,
    /// By document the number that it holds, not within a list; NaN for none. Not there while few numbers are different.
    #[serde(skip)]
    column: Option<Vec<f64>>,
    /// By key, the numbers of the fields of the objects that it holds.
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

    /// Notes that a document has a value, and gives the value's place, unless the document had it before.
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

    /// Makes what is not in a snapshot again.
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

    /// Notes that a document no longer has a value, and gives the value if no other document has it.
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

    /// Notes that a document no longer has the field; its values are removed by `remove`.
    pub fn clear(&mut self, document: u32) {
        for set in [&mut self.present, &mut self.lists, &mut self.nested, &mut self.long, &mut self.unkept] {
            set.remove(document);
        }
        if let Some(number) = self.column.as_mut().and_then(|column| column.get_mut(document as usize)) {
            *number = f64::NAN;
        }
    }

    /// Adds the documents with a value.
    pub fn add_equal(&self, value: &Value, found: &mut RoaringBitmap) {
        if let Some(&place) = self.order.get(value) {
            self.add(place, found);
        }
    }

    /// The documents with a number in an interval that is not within a list; None where a walk finds them sooner.
    pub fn numbers_within(&self, interval: &Interval) -> Option<RoaringBitmap> {
        let column = self.column.as_ref().filter(|_| !interval.is_of_texts())?;
        Some(documents_where(column, |number| !number.is_nan() && interval.holds(number)))
    }

    /// Goes through the next values of a walk, and gives whether there may be more.
    pub fn go_on(&self, walk: &mut Walk) -> bool {
        let Walk { interval, part, found } = walk;
        if interval.is_empty() {
            return false;
        }
        let values = self.order.range::<Value, _>((interval.lower.as_ref(), interval.upper.as_ref()));
        let values: Vec<(&Value, Place)> =
            values.take(VALUES_AT_ONCE).map(|(value, &place)| (value, place)).collect();
        let holds = |value: &Value| match (&part, value) {
            (Some(part), Value::Text(text)) => text.contains(part.as_str()),
            (part, _) => part.is_none(),
        };
        let places = values.iter().filter(|(value, _)| holds(value)).map(|&(_, place)| place);
        *found |= self.union_of(places);
        let last = values.last().filter(|_| values.len() == VALUES_AT_ONCE);
        last.map(|(value, _)| interval.lower = Bound::Excluded((*value).clone())).is_some()
    }

    fn add(&self, place: Place, found: &mut RoaringBitmap) {
        if let Some(Some(entry)) = self.entries.get(place as usize) {
            entry.documents.add_to(found);
        }
    }

    /// The documents of some values. Those of values that few documents have are gathered first: to add them to a bitmap in
    /// order takes a tenth of the time. Where they are many, to set bits in any order takes a tenth of the time of sorting
    /// them.
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

/// A walk through the values of an interval, and the documents that have one of those it went through.
#[derive(Debug)]
pub struct Walk {
    pub interval: Interval,
    /// What the values must contain, which then are texts.
    pub part: Option<String>,
    pub found: RoaringBitmap,
}

impl Walk {
    pub fn new(interval: Interval) -> Self {
        Self { interval, part: None, found: RoaringBitmap::new() }
    }
}

/// The numbers, or the texts, from one end to another.
#[derive(Clone, Debug)]
pub struct Interval {
    pub lower: Bound<Value>,
    pub upper: Bound<Value>,
}

impl Interval {
    /// All texts for a text, else all numbers.
    pub fn like(value: &Value) -> Self {
        match value {
            Value::Text(_) => Self::of_prefix(""),
            _ => {
                let [lower, upper] =
                    [f64::NEG_INFINITY, f64::INFINITY].map(|end| Bound::Included(Value::number(end)));
                Self { lower, upper }
            }
        }
    }

    /// The texts that begin with a prefix. The interval ends where the last character of the prefix that has a next one is
    /// replaced by that.
    pub fn of_prefix(prefix: &str) -> Self {
        let mut before = prefix.to_owned();
        let mut next = None;
        while next.is_none()
            && let Some(last) = before.pop()
        {
            next = (last..=char::MAX).nth(1);
        }
        let end = |next| Bound::Excluded(Value::Text(format!("{before}{next}").into()));
        Self { lower: Bound::Included(Value::Text(prefix.into())), upper: next.map_or(Bound::Unbounded, end) }
    }

    pub fn is_of_texts(&self) -> bool {
        matches!(self.lower, Bound::Included(Value::Text(_)) | Bound::Excluded(Value::Text(_)))
    }

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

/// The documents for whose number `holds` is true. @param numbers by document
pub fn documents_where(numbers: &[f64], holds: impl Fn(f64) -> bool) -> RoaringBitmap {
    let bits = |eight: &[f64]| {
        eight.iter().enumerate().fold(0_u8, |byte, (at, &number)| byte | u8::from(holds(number)) << at)
    };
    let bytes: Vec<u8> = numbers.chunks(8).map(bits).collect();
    RoaringBitmap::from_lsb0_bytes(0, &bytes)
}
