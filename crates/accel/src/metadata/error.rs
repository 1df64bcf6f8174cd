use std::fmt;

/// Why the metadata index refuses a call. Nothing was changed then.
#[derive(Debug)]
pub enum MetadataError {
    /// Metadata that are not JSON.
    Json {
        /// The number of the document, in the order given.
        at: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A filter that is none.
    Filter(serde_json::Error),
    /// A label below 0.
    Label(i32),
    /// Not as many of something as labels.
    Lengths,
    /// A file that is no snapshot of that name, or was changed.
    Damaged,
    /// A file that can't be read or written.
    File(std::io::Error),
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { at, error } => write!(f, "the metadata of document {at} are not JSON: {error}"),
            Self::Filter(error) => write!(f, "this is no filter: {error}"),
            Self::Label(label) => write!(f, "label {label} is below 0"),
            Self::Lengths => f.write_str("there must be as many of each as labels"),
            Self::Damaged => f.write_str("the snapshot is damaged, or another one's"),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MetadataError {}

impl From<std::io::Error> for MetadataError {
    fn from(error: std::io::Error) -> Self {
        Self::File(error)
    }
}
