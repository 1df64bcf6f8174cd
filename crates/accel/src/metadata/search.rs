//! The evaluation of a filter, which others can interrupt.

use super::filter::Filter;
use super::found::Found;
use roaring::RoaringBitmap;

/// A filter, and how far it is evaluated: the index may change between two turns of its evaluation.
#[derive(Debug)]
pub struct Search {
    /// What is left to do, the next step last. No step takes more than some milliseconds for a million documents.
    pub(super) steps: Vec<Step>,
    /// What was found for parts of the filter that are yet to be combined.
    pub(super) parts: Vec<Found>,
    /// Labels of documents that were put or removed meanwhile: of these, parts were found at different times.
    pub(super) changed: RoaringBitmap,
}

/// A step of an evaluation.
#[derive(Debug)]
pub(super) enum Step {
    /// Finds a part.
    Find(Filter),
    /// Combines the last two parts.
    And,
    Or,
    /// Negates the last part.
    Not,
}

impl Search {
    /// A search of which nothing is evaluated yet.
    pub fn new(filter: Filter) -> Self {
        Self { steps: vec![Step::Find(filter)], parts: Vec::new(), changed: RoaringBitmap::new() }
    }

    /// Must be told of every change of the index from the first turn on.
    pub fn note_changes(&mut self, labels: &[i32]) {
        self.changed.extend(labels.iter().map(|label| label.cast_unsigned()));
    }

    /// Takes the part that was found last.
    pub(super) fn last(&mut self) -> Found {
        self.parts.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Search;
    use crate::metadata::{Document, Filter, Found, Metadata};
    use serde::Deserialize;
    use serde_json::{Value as Json, json};

    const DOCUMENTS: i32 = 40_000;

    fn index(documents: i32) -> Metadata {
        let mut index = Metadata::default();
        for label in 0..documents {
            let list = if label % 9 == 0 { json!([label, "z"]) } else { json!(format!("text {label}")) };
            let metadata = json!({ "n": label, "kind": label % 5, "of": list }).to_string();
            let times = [f64::from(label), 0.0, 0.0, f64::NAN, f64::NAN, f64::NAN];
            let document = Document { metadata: &metadata, reserved: [None; 4], times };
            index.put(&[label], &[document]).unwrap();
        }
        index
    }

    fn search(filter: &Json) -> Search {
        Search::new(Filter::deserialize(filter).unwrap())
    }

    /// What a search finds in turns of so many steps, in how many steps that is, and the most parts that it held.
    fn find(index: &Metadata, filter: &Json, steps_of_turn: usize) -> (Vec<u32>, usize, usize) {
        let mut search = search(filter);
        let (mut steps, mut most) = (0, 0);
        loop {
            let found = index.find(&mut search, 0.0, true, || {
                steps += 1;
                steps % steps_of_turn == 0
            });
            if let Some(Found { sure, unsure }) = found {
                assert!(unsure.is_empty());
                assert!(search.steps.is_empty() && search.parts.is_empty(), "{search:?}");
                return (sure.iter().collect(), steps, most);
            }
            most = most.max(search.parts.len());
        }
    }

    fn many(kind: &str, condition: impl Fn(i32) -> Json) -> Json {
        json!({ "kind": kind, "of": (0..100).map(condition).collect::<Vec<_>>() })
    }

    #[test]
    fn turns_repeat_no_step_and_hold_few_parts() {
        let index = index(DOCUMENTS);
        let equals = |i| json!({ "kind": "equals", "field": ".kind", "values": [i % 4] });
        let above = |i| json!({ "kind": "gt", "field": ".n", "than": 100 * i });
        let below = |i| json!({ "kind": "lte", "field": ".n", "than": DOCUMENTS - i });
        for filter in [
            many("and", |i| json!({ "kind": "not", "of": equals(i) })),
            many("or", |i| json!({ "kind": "and", "of": [above(i), below(i)] })),
            many("or", |i| json!({ "kind": "or", "of": [above(i), equals(i)] })),
            many("and", |i| json!({ "kind": "contains", "field": ".of", "part": format!("{}", i % 3) })),
        ] {
            let (found, steps, _) = find(&index, &filter, usize::MAX);
            let (in_turns, steps_of_turns, most) = find(&index, &filter, 1);
            assert_eq!((in_turns, steps_of_turns), (found, steps));
            assert!(most < 10, "{most} parts are held");
        }
    }

    #[test]
    fn a_walk_through_many_values_is_of_several_steps() {
        let (index, small) = (index(DOCUMENTS), index(1_000));
        let labels = |holds: fn(i32) -> bool| -> Vec<u32> {
            (0..DOCUMENTS).filter(|&label| holds(label)).map(i32::cast_unsigned).collect()
        };
        let of = |kind: &str, more: Json| {
            let mut filter = json!({ "kind": kind, "field": ".of" });
            filter.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
            filter
        };
        let cases = [
            (of("contains", json!({ "part": "99" })), labels(|i| i % 9 != 0 && i.to_string().contains("99"))),
            (of("startsWith", json!({ "prefix": "text " })), labels(|i| i % 9 != 0)),
            (of("gte", json!({ "than": "text" })), labels(|_| true)),
        ];
        for (filter, expected) in cases {
            let (found, steps, _) = find(&index, &filter, 1);
            assert!(found == expected, "{filter}");
            let (_, fewer, _) = find(&small, &filter, 1);
            assert!(steps > fewer, "{steps} for {filter}");
        }
    }
}
