use std::fmt;

/// Why the lexical index refuses a call. Nothing was changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexicalError {
    Lengths { labels: usize, texts: usize },
    Label(i32),
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
