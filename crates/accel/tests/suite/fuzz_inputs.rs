//! The fuzz target on seeded bytes: what a fuzzer would try first, without one.

#[path = "../../fuzz/inputs.rs"]
mod inputs;
use crate::support::Random;

#[test]
fn calls_return_whatever_their_arguments() {
    let mut random = Random::new(1);
    for round in 0..20_000 {
        let length = random.below(1 << (round % 13));
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        if let Some(first) = bytes.first_mut() {
            *first = (round % 10) as u8;
        }
        inputs::run(&bytes);
    }
}
