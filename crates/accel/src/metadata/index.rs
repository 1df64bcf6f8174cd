//! The metadata of the patterns of one space, by field and value.

use super::error::MetadataError;
use super::field::{Field, Place, documents_where};
use super::value::Value;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::HashMap;

/// Longer strings, in bytes, are not kept: of documents that hold one the index can't know.
const TEXT_BYTES: usize = 256;
/// The most fields of one index: of documents with more, it can't know of fields that are not kept.
const FIELDS: usize = 1_024;
/// Memory for values, in bytes: so much in any case, and so much more for each document.
const LEAST_BYTES: usize = 1 << 20;
const DOCUMENT_BYTES: usize = 256;
/// Still more for each document, for values that are no strings, since strings would leave them no room: about a number each.
const NUMBER_BYTES: usize = 128;
/// About what a value takes beside its text: a node of the tree, an entry, a list of documents.
const VALUE_BYTES: usize = 120;
/// About what it takes that a document has a value: its mention on both sides.
const MENTION_BYTES: usize = 12;
/// About what a document takes beside its values and times: the list of its values.
const ROW_BYTES: usize = 32;

/// The name of the field that a document's metadata are.
const METADATA: &str = ".";
/// Stands for the values of a field that has none that are kept.
const NOWHERE: Place = Place::MAX;

/// What a pattern has beside its metadata: subject, external id, category, tier.
pub type Reserved<'a> = [Option<&'a str>; 4];
/// When a pattern was created, updated, happened, expires, is valid to, and becomes valid where that is yet to come, in ms
/// since 1970; NaN for never.
pub type Times = [f64; 6];

pub(super) const RESERVED: [&str; 4] = ["$subject", "$external_id", "$category", "$tier"];
pub(super) const TIMES: [&str; 4] = ["$created_at", "$updated_at", "$occurred_at", "$expires_at"];
/// Places in `Times`: when a pattern expires, is valid to, and becomes valid.
const EXPIRES: usize = 3;
const ENDS: usize = 4;
const ENTERS: usize = 5;

/// What a filter can look at of a pattern, its text apart.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// JSON of an object, or empty for none.
    pub metadata: &'a str,
    /// See the type.
    pub reserved: Reserved<'a>,
    /// See the type.
    pub times: Times,
}

/// How much an index holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many patterns.
    pub documents: usize,
    /// How many fields, those of every pattern included.
    pub fields: usize,
    /// Distinct values.
    pub values: usize,
    /// Patterns that expire, or are not valid for ever: a search may find others later.
    pub passing: usize,
    /// About how much memory it takes.
    pub bytes: usize,
}

/// The values that a document holds: the number of a field, and the value's place in it.
type Row = Box<[(u32, Place)]>;

/// The metadata of the patterns of one space, by field and value. A pattern is known by its label.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Metadata {
    /// The numbers of the fields that every document may have, by name. One of them is its metadata, which have fields within.
    names: HashMap<Box<str>, u32>,
    pub(super) fields: Vec<Field>,
    /// By label.
    rows: Vec<Option<Row>>,
    /// For each time, by label; NaN where there is no document.
    times: [Vec<f64>; 6],
    /// The labels of all documents.
    pub(super) living: RoaringBitmap,
    /// Those that will expire.
    expiring: RoaringBitmap,
    /// Those that are not valid for ever, or not yet.
    passing: RoaringBitmap,
    /// Those with a field that there was no room for.
    pub(super) unlisted: RoaringBitmap,
    /// Distinct values of all fields.
    values: usize,
    /// Memory that they take, about.
    value_bytes: usize,
    /// How many values all documents have.
    mentions: usize,
}

impl Metadata {
    /// Adds documents, and replaces those that are there.
    pub fn put(&mut self, labels: &[i32], documents: &[Document]) -> Result<(), MetadataError> {
        if labels.len() != documents.len() {
            return Err(MetadataError::Lengths);
        }
        if let Some(&label) = labels.iter().find(|&&label| label < 0) {
            return Err(MetadataError::Label(label));
        }
        let parsed = documents.iter().enumerate().map(|(at, document)| match document.metadata {
            "" => Ok(Json::Null),
            json => serde_json::from_str(json).map_err(|error| MetadataError::Json { at, error }),
        });
        let parsed = parsed.collect::<Result<Vec<Json>, _>>()?;
        for ((&label, document), metadata) in labels.iter().zip(documents).zip(&parsed) {
            self.remove(&[label]);
            self.put_one(label.cast_unsigned(), document, metadata);
        }
        Ok(())
    }

    /// Removes documents, and gives how many there were. Nothing is left of them.
    pub fn remove(&mut self, labels: &[i32]) -> usize {
        let removed = labels.iter().filter_map(|&label| {
            let label = label.cast_unsigned();
            let row = self.rows.get_mut(label as usize)?.take()?;
            for values in row.chunk_by(|(field, _), (next, _)| field == next) {
                let field = &mut self.fields[values[0].0 as usize];
                field.clear(label);
                for value in values.iter().filter_map(|&(_, place)| field.remove(place, label)) {
                    self.values -= 1;
                    self.value_bytes -= bytes_of(&value);
                }
            }
            self.mentions -= row.len();
            for times in &mut self.times {
                times[label as usize] = f64::NAN;
            }
            for set in [&mut self.living, &mut self.expiring, &mut self.passing, &mut self.unlisted] {
                set.remove(label);
            }
            Some(())
        });
        removed.count()
    }

    /// How much it holds.
    pub fn stats(&self) -> Stats {
        let documents = self.living.len() as usize;
        Stats {
            documents,
            fields: self.fields.len(),
            values: self.values,
            passing: (self.expiring.len() + self.passing.len()) as usize,
            bytes: self.fields.iter().map(Field::column_bytes).sum::<usize>()
                + self.value_bytes
                + MENTION_BYTES * self.mentions
                + ROW_BYTES * documents
                // Also of labels that have no document any more.
                + size_of::<Option<Row>>() * self.rows.capacity()
                + self.times.iter().map(|times| size_of::<f64>() * times.capacity()).sum::<usize>(),
        }
    }

    /// What documents hold in a field, by a reserved name, or `.` and a path whose keys are separated by NUL.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        let of = |names: &HashMap<Box<str>, u32>, name: &str| {
            names.get(name).map(|&number| &self.fields[number as usize])
        };
        match name.strip_prefix(METADATA) {
            None => of(&self.names, name),
            Some(path) => {
                path.split('\0').try_fold(of(&self.names, METADATA)?, |field, key| of(&field.within, key))
            }
        }
    }

    /// The documents for one of whose times `holds` is true, which must be false for NaN.
    pub(super) fn at_times(&self, time: usize, holds: impl Fn(f64) -> bool) -> RoaringBitmap {
        documents_where(&self.times[time], holds)
    }

    /// One of a document's times, if it has it.
    pub(super) fn time(&self, time: usize, label: u32) -> Option<f64> {
        self.times[time].get(label as usize).copied().filter(|at| !at.is_nan())
    }

    /// The documents that have expired by `now` and, unless all are wanted, those that are not valid then.
    pub(super) fn absent(&self, now: f64, all: bool) -> RoaringBitmap {
        let [expires, ends, enters] = [EXPIRES, ENDS, ENTERS].map(|time| &self.times[time]);
        let mut absent: RoaringBitmap =
            self.expiring.iter().filter(|&label| expires[label as usize] <= now).collect();
        if !all {
            let is_invalid = |label: &u32| {
                let label = *label as usize;
                ends[label] <= now || !enters[label].is_nan()
            };
            absent.extend(self.passing.iter().filter(is_invalid));
        }
        absent
    }

    fn put_one(&mut self, label: u32, document: &Document, metadata: &Json) {
        let mut values = Vec::new();
        for (name, value) in RESERVED.iter().zip(document.reserved) {
            if let Some(value) = value {
                let value = Json::String(value.to_owned());
                self.put_field(None, name, &value, label, &mut values);
            }
        }
        if let (Json::Object(object), Some(field)) = (metadata, self.number_of(None, METADATA)) {
            self.put_object(field, object, label, &mut values);
        }
        self.mentions += values.len();
        self.living.insert(label);
        if !document.times[EXPIRES].is_nan() {
            self.expiring.insert(label);
        }
        if !document.times[ENDS].is_nan() || !document.times[ENTERS].is_nan() {
            self.passing.insert(label);
        }
        if self.rows.len() <= label as usize {
            self.rows.resize_with(label as usize + 1, || None);
            for times in &mut self.times {
                times.resize(label as usize + 1, f64::NAN);
            }
        }
        self.rows[label as usize] = Some(values.into());
        for (times, at) in self.times.iter_mut().zip(document.times) {
            times[label as usize] = at;
        }
    }

    /// @param field the one that the object is
    fn put_object(
        &mut self,
        field: u32,
        object: &serde_json::Map<String, Json>,
        label: u32,
        values: &mut Vec<(u32, Place)>,
    ) {
        for (key, value) in object {
            let within = self.put_field(Some(field), key, value, label, values);
            if let (Json::Object(object), Some(field)) = (value, within) {
                self.put_object(field, object, label, values);
            }
        }
    }

    /// @param of the field in whose objects it is, if it is in any
    fn put_field(
        &mut self,
        of: Option<u32>,
        name: &str,
        value: &Json,
        label: u32,
        values: &mut Vec<(u32, Place)>,
    ) -> Option<u32> {
        let Some(number) = self.number_of(of, name) else {
            self.unlisted.insert(label);
            return None;
        };
        let documents = self.living.len() as usize;
        let text_room = LEAST_BYTES + DOCUMENT_BYTES * documents;
        let field = &mut self.fields[number as usize];
        field.present.insert(label);
        let elements = if let Json::Array(elements) = value {
            field.lists.insert(label);
            elements
        } else {
            std::slice::from_ref(value)
        };
        let first = values.len();
        for element in elements {
            let value = match element {
                Json::String(text) if is_long(text) => {
                    field.long.insert(label);
                    continue;
                }
                element => match to_value(element) {
                    Some(value) => value,
                    None => {
                        field.nested.insert(label);
                        continue;
                    }
                },
            };
            if !field.has(&value) {
                let bytes = bytes_of(&value);
                let more = if matches!(value, Value::Text(_)) { 0 } else { NUMBER_BYTES * documents };
                if self.value_bytes + bytes > text_room + more {
                    field.unkept.insert(label);
                    continue;
                }
                self.values += 1;
                self.value_bytes += bytes;
            }
            values.extend(field.insert(value, label).map(|place| (number, place)));
        }
        if values.len() == first {
            values.push((number, NOWHERE));
        }
        Some(number)
    }

    /// The number of a field, which is made if there is none of that name; None where there is no room for another.
    /// @param of the field in whose objects it is, if it is in any
    fn number_of(&mut self, of: Option<u32>, name: &str) -> Option<u32> {
        let next = self.fields.len() as u32;
        let names = match of {
            Some(field) => &mut self.fields[field as usize].within,
            None => &mut self.names,
        };
        if let Some(&number) = names.get(name) {
            return Some(number);
        }
        if next as usize == FIELDS {
            return None;
        }
        names.insert(name.into(), next);
        self.fields.push(Field::default());
        Some(next)
    }
}

fn bytes_of(value: &Value) -> usize {
    VALUE_BYTES + if let Value::Text(text) = value { text.len() } else { 0 }
}

/// A value that is no object and no list.
pub(super) fn to_value(json: &Json) -> Option<Value> {
    match json {
        Json::Null => Some(Value::Null),
        Json::Bool(value) => Some(Value::Bool(*value)),
        Json::Number(number) => Some(Value::number(number.as_f64()?)),
        Json::String(text) => Some(Value::Text(text.as_str().into())),
        Json::Array(_) | Json::Object(_) => None,
    }
}

/// Whether a string is too long to be kept.
pub(super) fn is_long(text: &str) -> bool {
    text.len() > TEXT_BYTES
}
