use std::fmt;

/// Why the index refuses a call. Nothing was changed then.
#[derive(Debug)]
pub enum IndexError {
    Dimensions(usize),
    QueryLength {
        length: usize,
        dimensions: usize,
    },
    Lengths {
        what: &'static str,
        length: usize,
        needed: usize,
    },
    NotFinite {
        what: &'static str,
        at: usize,
    },
    ZeroKey {
        label: i32,
    },
    ZeroQuery,
    Label(i32),
    /// Flags without the alive bit would be a deleted row.
    Flags {
        label: i32,
        flags: u8,
    },
    Full,
    Memory,
    /// A snapshot that is torn, foreign or damaged.
    Snapshot(&'static str),
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
