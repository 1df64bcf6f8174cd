use std::fmt;

/// An argument that no kernel can work with.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    TooShort { what: &'static str, length: usize, needed: usize },
    TooLarge { dimensions: usize, count: usize },
    Dimensions { query: usize, matrix: usize },
    Lengths { a: usize, b: usize },
    NotFinite { what: &'static str, at: usize },
    Zero,
    Weights { weights: usize, values: usize, dimensions: usize },
    Rows { values: usize, dimensions: usize },
    Einsum(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { what, length, needed } => {
                write!(f, "{what} has {length} elements, the matrix needs {needed}")
            }
            Self::TooLarge { dimensions, count } => {
                write!(f, "a matrix of {count} x {dimensions} is larger than memory can be")
            }
            Self::Dimensions { query, matrix } => {
                write!(f, "the query has {query} dimensions, the matrix {matrix}")
            }
            Self::Lengths { a, b } => write!(f, "the vectors have {a} and {b} dimensions"),
            Self::Zero => write!(f, "a vector that is all zero has no direction"),
            Self::Weights { weights, values, dimensions } => {
                write!(f, "{weights} weights and {values} values for {dimensions} dimensions")
            }
            Self::Rows { values, dimensions } => {
                write!(f, "{values} values are no whole rows of {dimensions} dimensions")
            }
            Self::Einsum(message) => f.write_str(message),
            Self::NotFinite { what, at } => write!(f, "{what} is not a finite number at {at}"),
        }
    }
}

impl std::error::Error for Error {}
