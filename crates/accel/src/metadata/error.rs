use std::fmt;

/// Why the metadata index refuses a call. Nothing was changed then.
#[derive(Debug)]
pub enum MetadataError {
    /// Metadata that are not JSON.
    Json {
        /// Of the document, in the order given.
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
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { at, error } => write!(f, "the metadata of document {at} are not JSON: {error}"),
            Self::Filter(error) => write!(f, "this is no filter: {error}"),
            Self::Label(label) => write!(f, "label {label} is below 0"),
            Self::Lengths => f.write_str("there must be as many of each as labels"),
        }
    }
}

impl std::error::Error for MetadataError {}
