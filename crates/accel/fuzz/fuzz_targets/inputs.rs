//! `cargo +nightly fuzz run inputs` in `crates/accel`. `tests/suite/fuzz_inputs.rs` runs the same function on seeded bytes.
#![no_main]

#[path = "../inputs.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| inputs::run(data));
