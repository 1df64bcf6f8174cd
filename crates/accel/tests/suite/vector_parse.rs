//! Arrays taken out of JSON texts, against a parser of the whole text.

use crate::support::Random;
use accel::split_vectors;
use serde_json::Value;

fn split(text: &str) -> Option<(String, Vec<f32>, Vec<u32>)> {
    split_vectors(text.as_bytes(), 2).map(|found| (found.rest, found.values, found.ends))
}

#[test]
fn long_arrays_of_numbers_are_taken_out() {
    assert_eq!(
        split(r#"{"a":[1, -2.5e-1 ,0],"b":[[3,4],[5]],"c":"[6,7]\"[8,9]"}"#),
        Some((
            r#"{"a":[1e999,0],"b":[[1e999,1],[5]],"c":"[6,7]\"[8,9]"}"#.into(),
            vec![1.0, -0.25, 0.0, 3.0, 4.0],
            vec![3, 5]
        ))
    );
    assert_eq!(split("[1,2]"), Some(("[1e999,0]".into(), vec![1.0, 2.0], vec![2])));
}

#[test]
fn other_arrays_stay() {
    for array in [
        "[]",
        "[1]",
        "[1,null]",
        "[1,\"2\"]",
        "[1,[2]]",
        "[01,2]",
        "[1.,2]",
        "[.5,2]",
        "[+1,2]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[-,1]",
        "[1.e5,2]",
        "[1,2",
        "[1,2}",
        "[NaN,1]",
        "[inf,1]",
        "[0x1,1]",
        "[--1,2]",
        "[1.5.5,2]",
    ] {
        assert_eq!(split(array), None, "{array}");
        let rest = format!("[{array},[1e999,0]]");
        assert_eq!(split(&format!("[{array},[7,8]]")), Some((rest, vec![7.0, 8.0], vec![2])));
    }
}

#[test]
fn texts_that_could_be_misread_are_left_alone() {
    let deep = format!("{}[1,2]{}", "[".repeat(129), "]".repeat(129));
    let digits = format!("[[1,2],{}]", "9".repeat(400));
    for text in ["[[1,2],1e999]", "[[1,2],3E2]", "[[1,2],[1e39,2]]", &deep, &digits] {
        assert_eq!(split(text), None, "{text}");
    }
    assert_eq!(split_vectors(b"[[1,2],\"\xff\"]", 2), None);
    assert_eq!(split("\"[1,2]"), None);
    assert_eq!(split("\"\\"), None);
}

fn any_value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 => "null".into(),
        1 => ["\"[1,2,3]\"", "\"\\\"\"", "\"\\\\\"", "\"é\""][random.below(4)].into(),
        2 => format!("{}", random.value()),
        3 => {
            let numbers: Vec<String> = (0..random.below(6))
                .map(|_| {
                    let value = random.value();
                    [format!("{value}"), format!("{value:e}"), format!("{}", f64::from(value))]
                        [random.below(3)]
                    .clone()
                })
                .collect();
            format!("[{}]", numbers.join([",", " , ", ",\n"][random.below(3)]))
        }
        4 | 5 => {
            let items: Vec<String> = (0..random.below(4)).map(|_| any_value(random, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => {
            let fields: Vec<String> = (0..random.below(4))
                .map(|number| format!("\"{number}\":{}", any_value(random, depth - 1)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

/// Puts the arrays back as float32 numbers.
fn joined(value: Value, values: &[f32], ends: &[u32]) -> Value {
    match value {
        Value::String(text) if text.starts_with("vector ") => {
            let number: usize = text["vector ".len()..].parse().unwrap();
            let from = number.checked_sub(1).map_or(0, |before| ends[before] as usize);
            let vector = &values[from..ends[number] as usize];
            Value::Array(vector.iter().map(|&value| f64::from(value).into()).collect())
        }
        Value::Array(items) => items.into_iter().map(|item| joined(item, values, ends)).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(key, field)| (key, joined(field, values, ends))).collect()
        }
        other => other,
    }
}

/// Every number as a parser and `Math.fround` give it.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) => f64::from(number.as_f64().unwrap() as f32).into(),
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, field)| (key, rounded(field))).collect(),
        other => other,
    }
}

#[test]
fn what_is_put_back_is_the_whole_text() {
    let mut random = Random::new(1);
    let mut split = 0;
    for _ in 0..20_000 {
        let text = any_value(&mut random, 4);
        let Some(found) = split_vectors(text.as_bytes(), 3) else { continue };
        split += 1;
        let mut rest = found.rest;
        for number in 0..found.ends.len() {
            rest = rest.replacen(&format!("[1e999,{number}]"), &format!("\"vector {number}\""), 1);
        }
        let rest = serde_json::from_str(&rest).unwrap();
        let expected = rounded(serde_json::from_str(&text).unwrap());
        assert_eq!(rounded(joined(rest, &found.values, &found.ends)), expected, "{text}");
    }
    assert!(split > 2_000);
}

/// Texts of numbers of any number of digits, and of those between two float32 numbers, where rounding is hardest.
fn any_number(random: &mut Random) -> String {
    let float = f32::from_bits(random.below(1 << 31) as u32);
    let value = f64::from(if random.below(2) == 0 { random.value() } else { float.abs() });
    let between = f64::from_bits(f64::from(value as f32).to_bits() + (1 << 28));
    let sign = ["", "-"][random.below(2)];
    let digits = |random: &mut Random, count: usize| -> String {
        (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect()
    };
    match random.below(6) {
        0 => format!("{sign}{}", value.abs()),
        1 => format!("{sign}{}", between.abs()),
        2 => format!("{sign}{}", f64::from_bits(between.to_bits() + random.below(9) as u64 - 4).abs()),
        3 => format!("{sign}{:.*}", random.below(30), between.abs()),
        4 => {
            let count = 1 + random.below(25);
            format!("{sign}0.{}{}", "0".repeat(random.below(12)), digits(random, count))
        }
        _ => {
            let (whole, decimals) = (random.below(20), 1 + random.below(24));
            format!("{sign}{}{}.{}", 1 + random.below(9), digits(random, whole), digits(random, decimals))
        }
    }
}

#[test]
fn numbers_are_rounded_to_float64_and_then_to_float32() {
    let mut random = Random::new(2);
    let mut read = 0;
    for _ in 0..300_000 {
        let text = any_number(&mut random);
        let expected = text.parse::<f64>().unwrap() as f32;
        let Some((_, values, _)) = split(&format!("[{text},{text}]")) else {
            assert!(!expected.is_finite(), "{text}");
            continue;
        };
        read += 1;
        assert_eq!(
            values.iter().map(|value| value.to_bits()).collect::<Vec<_>>(),
            [expected.to_bits(); 2],
            "{text}"
        );
    }
    assert!(read > 200_000);
}
