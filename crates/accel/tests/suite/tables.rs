//! Calls of kernels that the JavaScript tests make as well: their arguments, and what they give or why they refuse.

use crate::support::{Table, table};
use accel::hdc::{bind_circular, bind_product, bundle, unbind_circular};
use accel::{
    Error, Hits, Matrix, Selection, cosine, einsum, hopfield_step, log_sum_exp, nearest, nearest_bytes,
    nearest_many, norms, project, quantize_bytes, rotate, rotate_back, slerp, softmax, unproject,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A number, or the text of one that JSON cannot hold.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Other(String),
}

impl Number {
    fn wide(&self) -> f64 {
        match self {
            Self::Finite(value) => *value,
            Self::Other(text) => text.parse().unwrap(),
        }
    }
}

type Numbers = Vec<Number>;

#[derive(Deserialize)]
struct Case {
    name: String,
    #[serde(flatten)]
    call: Call,
    expected: Option<BTreeMap<String, Field>>,
    refused: Option<String>,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Field {
    Text(String),
    Numbers(Numbers),
}

#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Call {
    Einsum {
        spec: String,
        a: Numbers,
        shape_a: Vec<usize>,
        b: Numbers,
        shape_b: Vec<usize>,
    },
    BindCircular {
        a: Numbers,
        b: Numbers,
    },
    UnbindCircular {
        a: Numbers,
        b: Numbers,
    },
    BindProduct {
        a: Numbers,
        b: Numbers,
    },
    Bundle {
        rows: Vec<Numbers>,
        dimensions: usize,
        weights: Numbers,
    },
    Rotate {
        a: Numbers,
    },
    RotateBack {
        a: Numbers,
    },
    Project {
        a: Numbers,
        dimensions: usize,
    },
    Unproject {
        a: Numbers,
        dimensions: usize,
    },
    Cosine {
        a: Numbers,
        b: Numbers,
    },
    Slerp {
        a: Numbers,
        b: Numbers,
        alpha: Number,
    },
    Softmax {
        scores: Numbers,
        beta: Number,
    },
    LogSumExp {
        scores: Numbers,
        beta: Number,
    },
    HopfieldStep {
        rows: Vec<Numbers>,
        /// Of the rows where it is absent.
        inverse_norms: Option<Vec<f64>>,
        state: Numbers,
        beta: Number,
    },
    Norms {
        values: Numbers,
        dimensions: usize,
    },
    QuantizeBytes {
        values: Numbers,
        dimensions: usize,
    },
    Nearest {
        query: Numbers,
        #[serde(flatten)]
        search: Search,
    },
    NearestMany {
        queries: Vec<Numbers>,
        #[serde(flatten)]
        search: Search,
    },
    NearestBytes {
        query: Numbers,
        #[serde(flatten)]
        search: Search,
    },
}

/// What all searches take beside what they look for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Search {
    rows: Vec<Numbers>,
    labels: Vec<i32>,
    flags: Vec<u8>,
    /// Of the matrix; absent where its rows or the queries tell.
    dimensions: Option<usize>,
    k: usize,
    min_score: f64,
    required_flags: u32,
    allowed: Option<Vec<u8>>,
}

impl Search {
    fn matrix<'a, T>(
        &'a self,
        dimensions: usize,
        values: &'a [T],
        inverse_norms: &'a [f64],
    ) -> Matrix<'a, T> {
        let (count, labels, flags) = (self.labels.len(), &self.labels[..], &self.flags[..]);
        Matrix { dimensions, count, values, inverse_norms, labels, flags }
    }

    fn selection(&self) -> Selection<'_> {
        Selection { required_flags: self.required_flags, allowed: self.allowed.as_deref() }
    }
}

fn float(values: &[Number]) -> Vec<f32> {
    values.iter().map(|value| value.wide() as f32).collect()
}

fn wide(values: &[Number]) -> Vec<f64> {
    values.iter().map(Number::wide).collect()
}

fn inverse_norms(rows: &[Numbers]) -> Vec<f64> {
    let length = |row: &Numbers| row.iter().map(|value| value.wide().powi(2)).sum::<f64>().sqrt();
    rows.iter().map(|row| 1.0 / length(row)).collect()
}

type Given = BTreeMap<String, Field>;

fn given<const N: usize>(fields: [(&str, Field); N]) -> Given {
    fields.into_iter().map(|(name, field)| (name.to_owned(), field)).collect()
}

fn field<T: Copy>(values: &[T]) -> Field
where
    f64: TryFrom<T>,
{
    let wide = |&value: &T| f64::try_from(value).ok().unwrap();
    Field::Numbers(values.iter().map(|value| Number::Finite(wide(value))).collect())
}

fn sizes(values: &[usize]) -> Field {
    Field::Numbers(values.iter().map(|&value| Number::Finite(value as f64)).collect())
}

fn hits(found: &Hits) -> Given {
    given([("labels", field(&found.labels)), ("scores", field(&found.scores))])
}

fn call(call: &Call) -> Result<Given, Error> {
    let values = |values: Vec<f32>| given([("values", field(&values))]);
    Ok(match call {
        Call::Einsum { spec, a, shape_a, b, shape_b } => {
            let tensor = einsum(spec, (&float(a), shape_a), (&float(b), shape_b))?;
            given([("shape", sizes(&tensor.shape)), ("values", field(&tensor.values))])
        }
        Call::BindCircular { a, b } => values(bind_circular(&float(a), &float(b))?),
        Call::UnbindCircular { a, b } => values(unbind_circular(&float(a), &float(b))?),
        Call::BindProduct { a, b } => values(bind_product(&float(a), &float(b))?),
        Call::Bundle { rows, dimensions, weights } => {
            values(bundle(&float(&rows.concat()), *dimensions, &wide(weights))?)
        }
        Call::Rotate { a } => values(rotate(&float(a))?),
        Call::RotateBack { a } => values(rotate_back(&float(a))?),
        Call::Project { a, dimensions } => values(project(&float(a), *dimensions)?),
        Call::Unproject { a, dimensions } => values(unproject(&float(a), *dimensions)?),
        Call::Cosine { a, b } => given([("value", field(&[cosine(&float(a), &float(b))?]))]),
        Call::Slerp { a, b, alpha } => {
            let blend = slerp(&float(a), &float(b), alpha.wide())?;
            given([
                ("vector", field(&blend.vector)),
                ("angle", field(&[blend.angle])),
                ("type", Field::Text(blend.blend_type.name().to_owned())),
            ])
        }
        Call::Softmax { scores, beta } => given([("weights", field(&softmax(&wide(scores), beta.wide())?))]),
        Call::LogSumExp { scores, beta } => {
            given([("value", field(&[log_sum_exp(&wide(scores), beta.wide())?]))])
        }
        Call::HopfieldStep { rows, inverse_norms: given_norms, state, beta } => {
            let norms = given_norms.clone().unwrap_or_else(|| inverse_norms(rows));
            let step = hopfield_step(&float(&rows.concat()), &norms, &float(state), beta.wide())?;
            given([
                ("state", field(&step.state)),
                ("energy", field(&[step.energy])),
                ("weights", field(&step.weights)),
            ])
        }
        Call::Norms { values, dimensions } => {
            given([("values", field(&norms(&float(values), *dimensions)?))])
        }
        Call::QuantizeBytes { values, dimensions } => {
            let bytes = quantize_bytes(&float(values), *dimensions)?;
            given([
                ("codes", field(&bytes.codes)),
                ("scales", field(&bytes.scales)),
                ("inverseNorms", field(&bytes.inverse_norms)),
            ])
        }
        Call::Nearest { query, search } => {
            let (rows, norms, query) =
                (float(&search.rows.concat()), inverse_norms(&search.rows), float(query));
            let matrix = search.matrix(search.dimensions.unwrap_or(query.len()), &rows, &norms);
            hits(&nearest(&matrix, &query, search.k, search.min_score, &search.selection())?)
        }
        Call::NearestMany { queries, search } => {
            let (rows, norms) = (float(&search.rows.concat()), inverse_norms(&search.rows));
            let dimensions = search.rows.first().or(queries.first()).map_or(0, Vec::len);
            let matrix = search.matrix(dimensions, &rows, &norms);
            let queries = float(&queries.concat());
            let all = nearest_many(&matrix, &queries, search.k, search.min_score, &search.selection())?;
            let labels: Vec<i32> = all.iter().flat_map(|hits| hits.labels.clone()).collect();
            let scores: Vec<f64> = all.iter().flat_map(|hits| hits.scores.clone()).collect();
            let counts: Vec<usize> = all.iter().map(|hits| hits.labels.len()).collect();
            given([("labels", field(&labels)), ("scores", field(&scores)), ("counts", sizes(&counts))])
        }
        Call::NearestBytes { query, search } => {
            let codes: Vec<i8> = search.rows.concat().iter().map(|code| code.wide() as i8).collect();
            let (norms, query) = (inverse_norms(&search.rows), float(query));
            let matrix = search.matrix(search.dimensions.unwrap_or(query.len()), &codes, &norms);
            hits(&nearest_bytes(&matrix, &query, search.k, search.min_score, &search.selection())?)
        }
    })
}

/// What tolerances are shares of: the greatest magnitude of an array, so that small ones are compared as well.
fn greatest(expected: &[f64]) -> f64 {
    let greatest =
        expected.iter().map(|value| value.abs()).filter(|value| value.is_finite()).fold(0.0, f64::max);
    if greatest == 0.0 { 1.0 } else { greatest }
}

fn pass(file: &str) {
    let Table { tolerance, cases } = table::<Case>(file);
    assert!(!cases.is_empty());
    for Case { name, call: made, expected, refused } in cases {
        let found = call(&made);
        if let Some(refused) = refused {
            let error = found.expect_err(&name).to_string();
            assert_eq!(error, refused, "{file}, {name}");
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{file}, {name}: {error}"));
        for (field, expected) in expected.unwrap_or_else(|| panic!("{file}, {name} expects nothing")) {
            let (Field::Numbers(found), Field::Numbers(expected)) = (&found[&field], &expected) else {
                assert_eq!(found[&field], expected, "{file}, {name}");
                continue;
            };
            assert_eq!(found.len(), expected.len(), "{file}, {name}: {field}");
            let (found, expected) = (wide(found), wide(expected));
            let allowed = tolerance * greatest(&expected);
            for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
                let is_same = found == expected || found.is_nan() && expected.is_nan();
                assert!(
                    is_same || (found - expected).abs() <= allowed,
                    "{file}, {name}: {field} at {at}: {found} instead of {expected}"
                );
            }
        }
    }
}

#[test]
fn bytes_pass() {
    pass("bytes");
}

#[test]
fn degenerate_arguments_pass() {
    pass("degenerate");
}

#[test]
fn einsum_passes() {
    pass("einsum");
}

#[test]
fn hopfield_passes() {
    pass("hopfield");
}

#[test]
fn hyperdimensional_operations_pass() {
    pass("hyperdimensional");
}

#[test]
fn batches_pass() {
    pass("nearest-many");
}

#[test]
fn norms_pass() {
    pass("norms");
}

#[test]
fn slerp_passes() {
    pass("slerp");
}

#[test]
fn softmax_passes() {
    pass("softmax");
}
