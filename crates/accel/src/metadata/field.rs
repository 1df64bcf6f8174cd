//! What documents hold in one field.

use super::documents::Documents;
use super::value::Value;
use roaring::RoaringBitmap;
use std::collections::BTreeMap;
use std::ops::Bound;

/// A value's place, by which documents say what they hold.
pub type Place = u32;

#[derive(Debug)]
struct Entry {
    value: Value,
    documents: Documents,
}

/// What documents hold in one field.
#[derive(Debug, Default)]
pub struct Field {
    order: BTreeMap<Value, Place>,
    entries: Vec<Option<Entry>>,
    free: Vec<Place>,
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

    /// Says that a document has a value.
    pub fn insert(&mut self, value: Value, document: u32) -> Place {
        let place = match self.order.get(&value) {
            Some(&place) => place,
            None => {
                let place = self.free.pop().unwrap_or_else(|| {
                    self.entries.push(None);
                    (self.entries.len() - 1) as Place
                });
                self.order.insert(value.clone(), place);
                self.entries[place as usize] = Some(Entry { value, documents: Documents::default() });
                place
            }
        };
        if let Some(entry) = &mut self.entries[place as usize] {
            entry.documents.insert(document);
        }
        place
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
        self.order.remove(&entry.value);
        self.free.push(place);
        Some(entry.value)
    }

    /// Says that a document has nothing in the field any more, beside its values.
    pub fn clear(&mut self, document: u32) {
        for set in [&mut self.present, &mut self.lists, &mut self.nested, &mut self.long, &mut self.unkept] {
            set.remove(document);
        }
    }

    /// The documents with a value.
    pub fn add_equal(&self, value: &Value, found: &mut RoaringBitmap) {
        if let Some(&place) = self.order.get(value) {
            self.add(place, found);
        }
    }

    /// The documents with a value in a range and of the kind of `like`.
    pub fn with_between(&self, bounds: (Bound<Value>, Bound<Value>), like: &Value) -> RoaringBitmap {
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

    /// Values that few documents have are gathered first: a bitmap takes them in order at a tenth of the time.
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
        few.sort_unstable();
        found.extend(few);
        found
    }
}
