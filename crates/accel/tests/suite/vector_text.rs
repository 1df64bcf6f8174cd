//! Vectors as JSON text, read back.

use crate::support::Random;
use accel::{Error, vector_texts};

fn read_back(text: &str) -> Vec<f32> {
    serde_json::from_str::<Vec<f64>>(text).unwrap().into_iter().map(|value| value as f32).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn every_finite_value_reads_back_as_itself() {
    let mut random = Random::new(1);
    let mut values: Vec<f32> = (0..200_000)
        .map(|_| f32::from_bits(random.next() as u32))
        .filter(|value| value.is_finite())
        .collect();
    // Powers of two have unequal distances to their neighbours.
    values.extend((0..255).flat_map(|exponent| [exponent << 23, (exponent << 23) + 1].map(f32::from_bits)));
    values.extend([
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        16_777_216.0,
        f32::from_bits(0x15ae_43fd),
    ]);
    let [text] = vector_texts(&values, values.len()).unwrap().try_into().unwrap();
    assert_eq!(bits(&read_back(&text)), bits(&values));
}

#[test]
fn digits_are_the_shortest() {
    let texts = vector_texts(&[0.1, -0.25, 1.0, 0.0, -0.0, 1e-7, 0.3, 16_777_216.0], 4).unwrap();
    assert_eq!(texts, ["[0.1,-0.25,1,0]", "[-0,1e-7,0.3,16777216]"]);
}

#[test]
fn refuses_what_json_cannot_hold() {
    assert_eq!(vector_texts(&[1.0, f32::NAN], 1), Err(Error::NotFinite { what: "values", at: 1 }));
    assert_eq!(vector_texts(&[f32::INFINITY], 1), Err(Error::NotFinite { what: "values", at: 0 }));
    assert_eq!(vector_texts(&[1.0, 2.0, 3.0], 2), Err(Error::Rows { values: 3, dimensions: 2 }));
    assert_eq!(vector_texts(&[1.0], 0), Err(Error::Rows { values: 1, dimensions: 0 }));
    assert_eq!(vector_texts(&[], 0), Ok(vec![]));
    assert_eq!(vector_texts(&[], 3), Ok(vec![]));
}
