//! `cargo +nightly fuzz run states` in `crates/accel`. `tests/suite/fuzz_states.rs` runs the same function on seeded bytes.
#![no_main]

#[path = "../states.rs"]
mod states;

libfuzzer_sys::fuzz_target!(|data: &[u8]| states::run(data));
