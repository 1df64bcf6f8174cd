//! Tests of the public functions: one program, which is compiled and linked faster than one for each file.

mod hopfield;
mod index_model;
mod index_recall;
mod index_snapshot;
mod index_threads;
mod inputs;
mod lexical;
mod lexical_threads;
mod nearest_many;
mod operations;
mod parity;
mod quantize;
mod rotation;
mod scans;
mod states;
mod support;
mod tables;
mod vector_parse;
mod vector_text;
mod vectors;
