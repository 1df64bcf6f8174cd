use std::fmt;

/// Why the lexical index refuses a call. Nothing was changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexicalError {
    /// Not as many texts as labels.
    Lengths {
        /// How many labels there are.
        labels: usize,
        /// How many texts there are.
        texts: usize,
    },
    /// A label below 0.
    Label(i32),
    /// The lexicon has as many documents as it can.
    Full,
}

impl fmt::Display for LexicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lengths { labels, texts } => write!(f, "there are {labels} labels and {texts} texts"),
            Self::Label(label) => write!(f, "label {label} is below 0"),
            Self::Full => f.write_str("a lexicon has at most 16777216 documents"),
        }
    }
}

impl std::error::Error for LexicalError {}
