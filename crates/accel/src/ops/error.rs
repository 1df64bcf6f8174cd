use std::fmt;

/// An argument that no kernel can work with.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    TooShort { what: &'static str, length: usize, needed: usize },
    TooLarge { dimensions: usize, count: usize },
    Dimensions { query: usize, matrix: usize },
    Lengths { a: usize, b: usize },
    NotFinite { what: &'static str, at: usize },
    NotPositive { what: &'static str },
    NoRows,
    Zero,
    Weights { weights: usize, values: usize, dimensions: usize },
    Rows { values: usize, dimensions: usize },
    RotationDimensions(usize),
    Projection { dimensions: usize, kept: usize },
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
            Self::NotPositive { what } => write!(f, "{what} is not a number above 0"),
            Self::NoRows => write!(f, "there are no rows"),
            Self::Zero => write!(f, "a vector that is all zero has no direction"),
            Self::Weights { weights, values, dimensions } => {
                write!(f, "{weights} weights and {values} values for {dimensions} dimensions")
            }
            Self::Rows { values, dimensions } => {
                write!(f, "{values} values are no whole rows of {dimensions} dimensions")
            }
            Self::RotationDimensions(dimensions) => {
                write!(f, "a rotation has 1 to 8192 dimensions, not {dimensions}")
            }
            Self::Projection { dimensions, kept } => {
                write!(f, "{dimensions} dimensions have no {kept} coordinates to keep")
            }
            Self::Einsum(message) => f.write_str(message),
            Self::NotFinite { what, at } => write!(f, "{what} is not a finite number at {at}"),
        }
    }
}

impl std::error::Error for Error {}
