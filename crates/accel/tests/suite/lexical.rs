//! The lexical index against its definition.

use crate::support::{Random, Vocabulary, vectors};
use accel::lexical::{LexicalError, LexicalFound, Lexicon, words};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

#[derive(Deserialize)]
struct TermCase {
    name: String,
    text: String,
    terms: Vec<String>,
}

#[derive(Deserialize)]
struct Terms {
    cases: Vec<TermCase>,
}

#[derive(Deserialize)]
struct Document {
    label: i32,
    text: String,
}

#[derive(Deserialize)]
struct Search {
    query: String,
    labels: Vec<i32>,
    scores: Vec<f64>,
    matched: usize,
    mean: f64,
    deviation: f64,
    full: f64,
}

#[derive(Deserialize)]
struct Bm25 {
    tolerance: f64,
    documents: Vec<Document>,
    searches: Vec<Search>,
}

#[test]
fn texts_have_the_terms_of_the_table() {
    for case in vectors::<Terms>("terms").cases {
        assert_eq!(words(&case.text), case.terms, "{}", case.name);
    }
}

#[test]
fn searches_give_the_scores_of_the_table() {
    let Bm25 { tolerance, documents, searches } = vectors("bm25");
    let lexicon = Lexicon::default();
    for Document { label, text } in &documents {
        lexicon.put(&[*label], std::slice::from_ref(text)).unwrap();
    }
    let near = |a: f64, b: f64| assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    for search in searches {
        let found = lexicon.search(&search.query, 10, None);
        assert_eq!(found.labels, search.labels, "{}", search.query);
        assert_eq!(found.matched, search.matched, "{}", search.query);
        near(found.mean, search.mean);
        near(found.deviation, search.deviation);
        near(found.full, search.full);
        found.scores.iter().zip(&search.scores).for_each(|(&a, &b)| near(a, b));
        assert_eq!(lexicon.score(&search.query, &found.labels), found.scores);
    }
}

/// BM25 by its formula, over terms as text.
fn naive(texts: &BTreeMap<i32, String>, query: &str, allowed: impl Fn(i32) -> bool) -> LexicalFound {
    let documents: Vec<(i32, Vec<String>)> =
        texts.iter().map(|(&label, text)| (label, words(text))).collect();
    let count = documents.len() as f64;
    let mean_length = documents.iter().map(|(_, terms)| terms.len()).sum::<usize>() as f64 / count;
    let mut asked: BTreeMap<String, f64> = BTreeMap::new();
    for word in query.split_whitespace() {
        let grams = words(word);
        let count = (5.0 / grams.len() as f64).powf(0.3);
        grams.into_iter().for_each(|term| *asked.entry(term).or_default() += count);
    }
    let frequency =
        |terms: &[String], term: &String| terms.iter().filter(|other| *other == term).count() as f64;
    let rarity: HashMap<&String, f64> = (asked.keys())
        .map(|term| {
            let with = documents.iter().filter(|(_, terms)| terms.contains(term)).count() as f64;
            (term, (1.0 + (count - with + 0.5) / (with + 0.5)).ln().powf(1.5))
        })
        .collect();
    let scores: Vec<(f64, i32)> = (documents.iter())
        .filter(|(label, _)| allowed(*label))
        .map(|(label, terms)| {
            let of = |(term, times): (&String, &f64)| {
                let frequency = frequency(terms, term).min(255.0);
                let norm = 0.9 * (0.6 + 0.4 * terms.len() as f64 / mean_length);
                let share = if frequency > 0.0 { frequency * 1.9 / (frequency + norm) } else { 0.0 };
                times.min(3.0) * rarity[term] * share
            };
            (asked.iter().map(of).sum(), *label)
        })
        .collect();
    let among = scores.len().max(1) as f64;
    let mean = scores.iter().map(|(score, _)| score).sum::<f64>() / among;
    let deviation = (scores.iter().map(|(score, _)| (score - mean).powi(2)).sum::<f64>() / among).sqrt();
    let mut best: Vec<(f64, i32)> = scores.into_iter().filter(|&(score, _)| score > 0.0).collect();
    let matched = best.len();
    best.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (scores, labels) = best.into_iter().unzip();
    let full = asked.iter().map(|(term, times)| times.min(3.0) * rarity[term]).sum();
    LexicalFound { labels, scores, matched, mean, deviation, full: if count > 0.0 { full } else { 0.0 } }
}

/// `expected` has all documents with a score. Those that are equal by the formula may come in any order, since sums of
/// terms of different frequencies round differently.
fn assert_same(found: &LexicalFound, expected: &LexicalFound, k: usize, what: &str) {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-8, "{what}: {a} is not {b}");
    assert_eq!((found.matched, found.scores.len()), (expected.matched, expected.matched.min(k)), "{what}");
    near(found.mean, expected.mean);
    near(found.deviation, expected.deviation);
    near(found.full, expected.full);
    found.scores.iter().zip(&expected.scores).for_each(|(&a, &b)| near(a, b));
    let known: HashMap<i32, f64> =
        expected.labels.iter().copied().zip(expected.scores.iter().copied()).collect();
    found.labels.iter().zip(&found.scores).for_each(|(label, &score)| near(score, known[label]));
    let ranked: Vec<(f64, i32)> =
        found.scores.iter().map(|score| -score).zip(found.labels.iter().copied()).collect();
    assert!(ranked.windows(2).all(|pair| pair[0] < pair[1]), "{what}: {ranked:?}");
}

#[test]
fn after_any_changes_it_finds_what_the_formula_does() {
    let vocabulary = Vocabulary::new(300);
    for seed in 1..=30 {
        let random = &mut Random::new(seed);
        let lexicon = Arc::new(Lexicon::default());
        let mut texts: BTreeMap<i32, String> = BTreeMap::new();
        for step in 0..60 {
            let labels: Vec<i32> = (0..1 + random.below(12)).map(|_| random.below(60) as i32).collect();
            if random.below(3) == 0 {
                let removed = labels.iter().filter(|&label| texts.remove(label).is_some()).count();
                assert_eq!(lexicon.remove(&labels), removed);
            } else {
                let new: Vec<String> = labels
                    .iter()
                    .map(|_| {
                        let length = random.below(20);
                        vocabulary.text(random, length)
                    })
                    .collect();
                if random.below(2) == 0 {
                    lexicon.put(&labels, &new).unwrap();
                } else {
                    lexicon.put_later(labels.clone(), new.clone()).unwrap().run().unwrap();
                }
                texts.extend(labels.iter().copied().zip(new));
            }
            let what = format!("seed {seed}, step {step}");
            let length = random.below(6);
            let query = vocabulary.text(random, length);
            let found = lexicon.search(&query, 5, None);
            assert_same(&found, &naive(&texts, &query, |_| true), 5, &what);
            let allowed = lexicon.search(&query, 100, Some(&[0b1011_0110, 0xff, 0, 0b0111]));
            let is_allowed = |label: i32| {
                [0b1011_0110_u8, 0xff, 0, 0b0111]
                    .get(label as usize / 8)
                    .is_some_and(|byte| byte >> (label % 8) & 1 == 1)
            };
            assert_same(&allowed, &naive(&texts, &query, is_allowed), 100, &what);
            assert_eq!(lexicon.score(&query, &found.labels), found.scores, "{what}");
            assert_eq!(lexicon.score(&query, &[1_000, -1]), [0.0, 0.0], "{what}");
        }
    }
}

/// More than are scored at once, some of them long or with a word many times, some gone.
#[test]
fn of_thousands_of_documents_it_finds_what_the_formula_does() {
    let (vocabulary, random) = (Vocabulary::new(200), &mut Random::new(11));
    let mut texts: BTreeMap<i32, String> = (0..5_000)
        .map(|label| {
            let length = if label % 700 == 0 { 150 } else { 1 + random.below(6) };
            (label, vocabulary.text(random, length))
        })
        .collect();
    texts.insert(2_047, "river ".repeat(9));
    texts.insert(2_048, "river ".repeat(4));
    texts.insert(4_999, "river river".to_owned());
    let lexicon = Lexicon::default();
    let labels: Vec<i32> = texts.keys().copied().collect();
    lexicon.put(&labels, &texts.values().cloned().collect::<Vec<_>>()).unwrap();
    let gone: Vec<i32> = labels.iter().copied().filter(|label| label % 13 == 5).collect();
    lexicon.remove(&gone);
    gone.iter().for_each(|label| drop(texts.remove(label)));
    let mask = vec![0b1010_1010; 500];
    for query in ["river".to_owned(), vocabulary.text(random, 3), vocabulary.text(random, 8)] {
        let found = lexicon.search(&query, 50, None);
        assert_same(&found, &naive(&texts, &query, |_| true), 50, &query);
        assert_eq!(lexicon.score(&query, &found.labels), found.scores, "{query}");
        let odd = lexicon.search(&query, 50, Some(&mask));
        assert_same(&odd, &naive(&texts, &query, |label| label < 4_000 && label % 2 == 1), 50, &query);
    }
}

/// A text scores the same among others whether it is one of them or a part of one of them.
#[test]
fn parts_are_weighted_as_among_the_texts_that_they_are_of() {
    let (vocabulary, random) = (Vocabulary::new(100), &mut Random::new(17));
    let (whole, parts) = (Lexicon::default(), Lexicon::default());
    let texts: Vec<String> = (0..400)
        .map(|_| {
            let words = 1 + random.below(30);
            vocabulary.text(random, words)
        })
        .collect();
    let labels: Vec<i32> = (0..400).collect();
    whole.put(&labels, &texts).unwrap();
    let (some, others): (Vec<i32>, Vec<i32>) = ((0..40).map(|label| label * 10).collect(), (0..40).collect());
    let same: Vec<String> = some.iter().map(|&label| texts[label as usize].clone()).collect();
    parts.put(&others, &same).unwrap();
    for length in [1, 3, 8] {
        let query = vocabulary.text(random, length);
        let found = parts.search_among(&whole, &query, 40, None);
        let scores = whole.score(&query, &some);
        assert_eq!(found.matched, scores.iter().filter(|&&score| score > 0.0).count(), "{query}");
        for (&label, &score) in found.labels.iter().zip(&found.scores) {
            assert_eq!(score, scores[label as usize], "{query}");
        }
        assert_eq!(found.full, whole.search(&query, 0, None).full, "{query}");
    }
    assert_eq!(parts.search_among(&Lexicon::default(), "word", 5, None).full, 0.0);
}

#[test]
fn nothing_is_left_of_what_was_removed() {
    let lexicon = Lexicon::default();
    let (vocabulary, random) = (Vocabulary::new(1_000), &mut Random::new(5));
    let labels: Vec<i32> = (0..500).collect();
    let texts: Vec<String> = labels.iter().map(|_| vocabulary.text(random, 20)).collect();
    lexicon.put(&labels, &texts).unwrap();
    let full = lexicon.stats();
    assert_eq!(full.documents, 500);
    assert_eq!(lexicon.remove(&labels), 500);
    assert_eq!((lexicon.stats().documents, lexicon.stats().terms), (0, 0));
    assert_eq!(lexicon.search(&texts[0], 10, None), LexicalFound::default());
    // Slots and numbers of terms are taken again.
    for _ in 0..5 {
        lexicon.put(&labels, &texts).unwrap();
        assert_eq!(lexicon.stats().terms, full.terms);
        lexicon.remove(&labels);
    }
    lexicon.put(&labels, &texts).unwrap();
    assert!(lexicon.stats().bytes < full.bytes * 11 / 10, "{} {}", lexicon.stats().bytes, full.bytes);
}

#[test]
fn calls_that_do_not_fit_change_nothing() {
    let lexicon = Arc::new(Lexicon::default());
    let text = || vec!["a text".to_owned()];
    assert_eq!(lexicon.put(&[], &text()), Err(LexicalError::Lengths { labels: 0, texts: 1 }));
    assert_eq!(lexicon.put(&[-1], &text()), Err(LexicalError::Label(-1)));
    assert!(lexicon.put_later(vec![1, 2], text()).is_err());
    assert_eq!(lexicon.stats().documents, 0);
    lexicon.put(&[], &[]).unwrap();
    assert_eq!(lexicon.search("a", 10, None), LexicalFound::default());
}

#[test]
fn a_job_does_not_undo_what_was_written_after_it_was_called() {
    let lexicon = Arc::new(Lexicon::default());
    let put = |text: &str| lexicon.put_later(vec![1, 2, 3], vec![text.to_owned(); 3]).unwrap();
    let (first, second) = (put("first"), put("second"));
    lexicon.remove(&[1]);
    lexicon.put(&[2], &["third".to_owned()]).unwrap();
    second.run().unwrap();
    first.run().unwrap();
    drop((first, second));
    let found = |query: &str| lexicon.search(query, 10, None).labels;
    assert_eq!((found("first"), found("second"), found("third")), (vec![], vec![3], vec![2]));
    // Later calls are free to write all of them.
    put("fourth").run().unwrap();
    assert_eq!(found("fourth"), [1, 2, 3]);
}

#[test]
fn long_texts_and_long_queries_are_counted_as_far_as_it_matters() {
    let lexicon = Lexicon::default();
    lexicon.put(&[0, 1], &["a ".repeat(100_000), "b".repeat(10_000)]).unwrap();
    let found = lexicon.search(&"a b ".repeat(1_000), 10, None);
    assert_eq!((found.labels, found.matched), (vec![0], 1));
    assert_eq!(lexicon.search(&"b".repeat(20_000), 10, None).labels, [1]);
}
