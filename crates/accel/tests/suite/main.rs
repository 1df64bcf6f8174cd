//! Tests of the public functions: one program, which is compiled and linked faster than one for each file.
#![allow(clippy::duplicate_mod, reason = "fuzz targets are read here as they are, each with what they share")]

mod fuzz_inputs;
mod fuzz_states;
mod hopfield;
mod index_model;
mod index_recall;
mod index_snapshot;
mod index_threads;
mod lexical;
mod lexical_threads;
mod metadata_snapshot;
mod nearest_many;
mod operations;
mod parity;
mod quantize;
mod rotation;
mod scans;
mod support;
mod tables;
mod vector_parse;
mod vector_text;
mod vectors;
