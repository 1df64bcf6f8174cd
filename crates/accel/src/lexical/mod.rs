//! The lexical index: BM25 over the texts of one space, searched by many threads while one writes.
//!
//! A text becomes terms (`fold`, `tokenise`). `dictionary` has the documents of each term, `documents` the terms of
//! each document, which is what makes removing and scoring single documents cheap; `index` keeps both in step, and
//! `lexicon` shares it between threads.

mod dictionary;
mod documents;
mod error;
mod fold;
mod index;
mod lexicon;
mod score;
mod search;
mod tokenise;

pub use error::LexicalError;
pub use index::LexiconStats;
pub use lexicon::{Lexicon, PutJob};
pub use search::LexicalFound;
pub use tokenise::{Term, terms, words};
