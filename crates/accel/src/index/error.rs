use std::fmt;

/// Why the index refuses a call. Nothing was changed then.
#[derive(Debug)]
pub enum IndexError {
    /// Dimensions that no shard has.
    Dimensions(usize),
    /// A query of other dimensions than the shard.
    QueryLength {
        /// Values of the query.
        length: usize,
        /// Values of the shard's rows.
        dimensions: usize,
    },
    /// An argument of `put` that has not one row for each label.
    Lengths {
        /// The argument.
        what: &'static str,
        /// Elements of the argument.
        length: usize,
        /// Elements that one row for each label has.
        needed: usize,
    },
    /// A value that is infinite or no number.
    NotFinite {
        /// The argument.
        what: &'static str,
        /// Index of the value in the argument.
        at: usize,
    },
    /// A key that is all zero and has no direction.
    ZeroKey {
        /// Whose key.
        label: i32,
    },
    /// A query that is all zero and has no direction.
    ZeroQuery,
    /// A label below 0.
    Label(i32),
    /// Flags without the alive bit would be a deleted row.
    Flags {
        /// Whose flags.
        label: i32,
        /// What they are.
        flags: u8,
    },
    /// The shard has as many rows as it can.
    Full,
    /// There is no memory for more rows.
    Memory,
    /// A snapshot that is torn, foreign or damaged.
    Snapshot(&'static str),
    /// A snapshot's file could not be read or written.
    Io(std::io::Error),
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimensions(dimensions) => {
                write!(
                    f,
                    "a shard has 1 to {} dimensions, not {dimensions}",
                    crate::ops::rotation::ROTATION_DIMENSIONS_MAX
                )
            }
            Self::QueryLength { length, dimensions } => {
                write!(f, "the query has {length} values, the shard {dimensions} dimensions")
            }
            Self::Lengths { what, length, needed } => {
                write!(f, "{what} has {length} elements instead of {needed}")
            }
            Self::NotFinite { what, at } => write!(f, "{what} is not a finite number at {at}"),
            Self::ZeroKey { label } => write!(f, "the key of label {label} is all zero and has no direction"),
            Self::ZeroQuery => write!(f, "a query that is all zero has no direction"),
            Self::Label(label) => write!(f, "label {label} is negative"),
            Self::Flags { label, flags } => write!(f, "flags {flags} of label {label} lack the alive bit"),
            Self::Full => write!(f, "the shard holds as many rows as it can"),
            Self::Memory => write!(f, "there is not enough memory for more rows"),
            Self::Snapshot(why) => write!(f, "not a snapshot that can be loaded: {why}"),
            Self::Io(error) => write!(f, "snapshot: {error}"),
        }
    }
}

impl std::error::Error for IndexError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<std::io::Error> for IndexError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
