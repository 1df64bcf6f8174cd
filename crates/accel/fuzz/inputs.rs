//! Calls what Node can call with whatever the bytes say: sizes that don't fit, values that are no numbers. Each
//! call must return; a result must be what its function promises.

mod bytes;

use accel::kernels::Kernels;
use accel::*;
use bytes::Bytes;

/// One call.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    match bytes.byte() % 9 {
        0 => float_search(&mut bytes),
        1 => byte_search(&mut bytes),
        2 => contraction(&mut bytes),
        3 => hopfield(&mut bytes),
        4 => rotation(&mut bytes),
        5 => text(&mut bytes),
        6 => hyperdimensional(&mut bytes),
        7 => interpolation(&mut bytes),
        _ => weights(&mut bytes),
    }
}

fn float_search(bytes: &mut Bytes) {
    let rows = Rows::read(bytes, Bytes::float);
    let count = usize::from(bytes.byte() % 6);
    let queries = bytes.floats(rows.dimensions.saturating_mul(count));
    let (k, min_score) = (bytes.size(), f64::from(bytes.float()));
    let allowed = bytes.allowed();
    let selection = Selection { required_flags: bytes.byte().into(), allowed: allowed.as_deref() };
    let matrix = rows.matrix();
    if let Ok(hits) = nearest(&matrix, &queries, k, min_score, &selection) {
        check(&hits, &matrix, k, min_score);
    }
    let mut results = Kernels::available()
        .into_iter()
        .map(|kernels| nearest_many_with(&kernels, &matrix, &queries, k, min_score, &selection));
    let expected = results.next().expect("scalar is always there");
    for found in results {
        assert_eq!(found, expected);
    }
    for hits in expected.unwrap_or_default() {
        check(&hits, &matrix, k, min_score);
    }
}

fn byte_search(bytes: &mut Bytes) {
    let rows = Rows::read(bytes, |bytes| bytes.byte().cast_signed());
    let query = bytes.floats(rows.dimensions);
    let (k, min_score) = (bytes.size(), f64::from(bytes.float()));
    let selection = Selection { required_flags: bytes.byte().into(), allowed: None };
    if let Ok(hits) = nearest_bytes(&rows.matrix(), &query, k, min_score, &selection) {
        check(&hits, &rows.matrix(), k, min_score);
    }
    if let Ok(found) = quantize_bytes(&query, bytes.size()) {
        assert_eq!(found.codes.len(), query.len());
    }
}

fn contraction(bytes: &mut Bytes) {
    let letters = |bytes: &mut Bytes| -> String {
        (0..bytes.byte() % 5).map(|_| char::from(b"abcdeA,->1"[usize::from(bytes.byte() % 10)])).collect()
    };
    let (letters_a, letters_b) = (letters(bytes), letters(bytes));
    let both = format!("{letters_a}{letters_b}");
    let result = if bytes.byte() < 64 {
        letters(bytes)
    } else {
        let mask = bytes.byte();
        let once = both.char_indices().filter(|&(at, letter)| both.find(letter) == Some(at));
        once.filter(|(at, _)| mask >> at & 1 == 1).map(|(_, letter)| letter).collect()
    };
    let spec = format!("{letters_a},{letters_b}->{result}");
    let sizes: [usize; 5] = std::array::from_fn(|_| usize::from(bytes.byte() % 6));
    let operand = |bytes: &mut Bytes, letters: &str| {
        let sized = letters.bytes().map(|letter| match bytes.byte() {
            0 => bytes.size(),
            _ => sizes[usize::from(letter % 5)],
        });
        let shape: Vec<usize> = sized.collect();
        let values = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        (bytes.floats(values.unwrap_or(0)), shape)
    };
    let ((a, shape_a), (b, shape_b)) = (operand(bytes, &letters_a), operand(bytes, &letters_b));
    if let Ok(Tensor { shape, values }) = einsum(&spec, (&a, &shape_a), (&b, &shape_b)) {
        assert_eq!(shape.iter().product::<usize>(), values.len());
    }
}

fn hopfield(bytes: &mut Bytes) {
    let state = bytes.list(Bytes::float);
    let count = bytes.size() % 70;
    let inverse_norms: Vec<f64> = (0..count).map(|_| f64::from(bytes.float())).collect();
    let spare = usize::from(bytes.byte() == 0);
    let values: Vec<f32> = (0..count * state.len() + spare).map(|_| bytes.float()).collect();
    if let Ok(step) = hopfield_step(&values, &inverse_norms, &state, bytes.float().into()) {
        assert!((norm(&step.state) - 1.0).abs() < 1e-5);
        assert!((step.weights.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    }
    let dimensions = bytes.size();
    if let Ok(lengths) = norms(&values, dimensions) {
        assert_eq!(lengths.len() * dimensions, values.len());
    }
}

fn rotation(bytes: &mut Bytes) {
    let vector = bytes.list(Bytes::float);
    if let Ok(rotation) = rotation_of(bytes.size()) {
        assert!(rotation.dimensions() > 0);
    }
    let kept = bytes.size();
    if let Ok(projected) = project(&vector, kept) {
        assert_eq!(projected.len(), kept);
    }
    let dimensions = bytes.size();
    if let Ok(found) = unproject(&vector, dimensions) {
        assert_eq!(found.len(), dimensions);
    }
}

fn text(bytes: &mut Bytes) {
    let least = bytes.size();
    if let Some(found) = split_vectors(bytes.0, least) {
        assert_eq!(found.ends.last().map(|&end| end as usize), Some(found.values.len()));
    }
    let values = bytes.list(Bytes::float);
    let Ok(texts) = vector_texts(&values, bytes.size()) else { return };
    let read = |text: &String| serde_json::from_str::<Vec<f64>>(text).expect("JSON");
    let bits: Vec<u32> = texts.iter().flat_map(read).map(|value| (value as f32).to_bits()).collect();
    assert_eq!(bits, values.iter().map(|value| value.to_bits()).collect::<Vec<_>>());
}

fn hyperdimensional(bytes: &mut Bytes) {
    let a = bytes.list(Bytes::float);
    let b = bytes.floats(a.len());
    for bind in [hdc::bind_product, hdc::bind_circular, hdc::unbind_circular] {
        if let Ok(bound) = bind(&a, &b) {
            assert_eq!(bound.len(), a.len());
        }
    }
    let weights: Vec<f64> = bytes.list(Bytes::float).into_iter().map(f64::from).collect();
    let dimensions = a.len().checked_div(weights.len()).unwrap_or_else(|| bytes.size());
    if let Ok(bundle) = hdc::bundle(&a, dimensions, &weights) {
        assert_eq!(bundle.len(), dimensions);
    }
}

fn interpolation(bytes: &mut Bytes) {
    let a = bytes.list(Bytes::float);
    let b = bytes.floats(a.len());
    if let Ok(blend) = slerp(&a, &b, bytes.float().into()) {
        assert_eq!(blend.vector.len(), a.len());
    }
    if let Ok(cosine) = cosine(&a, &b) {
        assert!(cosine.is_nan() || cosine.abs() <= 1.0);
    }
}

fn weights(bytes: &mut Bytes) {
    let scores: Vec<f64> = bytes.list(Bytes::float).into_iter().map(f64::from).collect();
    let beta = bytes.float().into();
    let weights = softmax(&scores, beta);
    assert_eq!(weights.is_ok(), log_sum_exp(&scores, beta).is_ok());
    if let Ok(weights) = weights {
        assert_eq!(weights.len(), scores.len());
    }
}

fn check<T>(hits: &Hits, matrix: &Matrix<T>, k: usize, min_score: f64) {
    let Hits { labels, scores } = hits;
    assert!(labels.len() == scores.len() && labels.len() <= k.min(matrix.count));
    assert!(scores.iter().all(|score| (-1.0..=1.0).contains(score) && *score >= min_score));
    assert!(scores.is_sorted_by(|a, b| a >= b));
}

/// The arrays of a matrix, mostly of lengths that fit.
struct Rows<T> {
    dimensions: usize,
    count: usize,
    values: Vec<T>,
    inverse_norms: Vec<f64>,
    labels: Vec<i32>,
    flags: Vec<u8>,
}

impl<T> Rows<T> {
    fn read<'a>(bytes: &mut Bytes<'a>, value: impl Fn(&mut Bytes<'a>) -> T) -> Self {
        let (dimensions, count) = (bytes.size(), bytes.size());
        let (rows, width) = (count.min(200), dimensions.min(200));
        let short = usize::from(bytes.byte().is_multiple_of(16));
        let mut length = |length: usize| length.saturating_sub(short * usize::from(bytes.byte() % 2));
        let [values, norms, labels, flags] = [length(rows * width), length(rows), length(rows), length(rows)];
        Self {
            dimensions,
            count,
            values: (0..values).map(|_| value(bytes)).collect(),
            inverse_norms: (0..norms).map(|_| f64::from(bytes.float())).collect(),
            labels: (0..labels).map(|_| bytes.word().cast_signed()).collect(),
            flags: (0..flags).map(|_| bytes.byte()).collect(),
        }
    }

    fn matrix(&self) -> Matrix<'_, T> {
        let Self { dimensions, count, values, inverse_norms, labels, flags } = self;
        Matrix { dimensions: *dimensions, count: *count, values, inverse_norms, labels, flags }
    }
}
