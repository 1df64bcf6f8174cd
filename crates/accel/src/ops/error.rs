use std::fmt;

/// An argument that no kernel can work with.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A slice `what` of `length` elements where the matrix needs `needed`.
    TooShort {
        /// The slice.
        what: &'static str,
        /// Elements of the slice.
        length: usize,
        /// Elements that all rows of the matrix have.
        needed: usize,
    },
    /// A matrix that no memory can hold.
    TooLarge {
        /// Values in a row.
        dimensions: usize,
        /// Rows.
        count: usize,
    },
    /// A query of other dimensions than the matrix.
    Dimensions {
        /// Values of the query.
        query: usize,
        /// Values in a row of the matrix.
        matrix: usize,
    },
    /// Two vectors that should have one length.
    Lengths {
        /// Values of the first.
        a: usize,
        /// Values of the second.
        b: usize,
    },
    /// A value that is infinite or no number.
    NotFinite {
        /// The argument.
        what: &'static str,
        /// Index of the value in the argument.
        at: usize,
    },
    /// A number that must be above 0.
    NotPositive {
        /// The argument.
        what: &'static str,
    },
    /// A matrix without rows, where one is needed.
    NoRows,
    /// A vector that is all zero, where a direction is needed.
    Zero,
    /// Weights that are not one for each row.
    Weights {
        /// How many weights there are.
        weights: usize,
        /// Values of all rows.
        values: usize,
        /// Values in a row.
        dimensions: usize,
    },
    /// Values that are no whole rows.
    Rows {
        /// How many values there are.
        values: usize,
        /// Values in a row.
        dimensions: usize,
    },
    /// Dimensions that no rotation has.
    RotationDimensions(usize),
    /// A projection to more coordinates than a vector has, or to none.
    Projection {
        /// Of the vector.
        dimensions: usize,
        /// Coordinates to keep.
        kept: usize,
    },
    /// Why an Einstein summation does not fit its operands.
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
