//! The fuzz target of what lives longer than a call, on seeded bytes.

#[path = "../../fuzz/states.rs"]
mod states;
use crate::support::Random;

/// `STATES=100000 cargo test --no-default-features --test suite fuzz_states` runs so many histories; those of snapshots write
/// a file each.
#[test]
fn histories_hold_whatever_their_bytes() {
    let rounds = std::env::var("STATES").map_or(3_000, |rounds| rounds.parse().unwrap());
    let mut random = Random::new(std::env::var("SEED").map_or(1, |seed| seed.parse().unwrap()));
    for round in 0..rounds {
        let length = random.below(1 << (round % 13));
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        if let Some(first) = bytes.first_mut() {
            *first = [0, 2, 0, 2, 1][round % 5];
        }
        states::run(&bytes);
    }
}
