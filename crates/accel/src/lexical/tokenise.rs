//! The terms of a text.

use super::fold::{Class, class, fold};

/// A term: up to four characters of 21 bits each, the last one lowest. No term has U+0000, so shorter ones differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term([u32; 3]);

const CHARACTER_BITS: u32 = 21;
/// Stands at both ends of a word, so that a gram tells where in the word it is.
const BOUNDARY: char = ' ';
/// Characters of the pieces (grams) that words are taken apart into.
const GRAM: usize = 4;
/// Characters of the grams of scripts without white space between words.
const SPACELESS_GRAM: usize = 2;

impl Term {
    /// No term of any text.
    pub(super) const NONE: Self = Self([0; 3]);

    fn new(packed: u128) -> Self {
        Self([(packed >> 64) as u32, (packed >> 32) as u32, packed as u32])
    }

    fn characters(self) -> impl Iterator<Item = char> {
        let [high, middle, low] = self.0.map(u128::from);
        let packed = high << 64 | middle << 32 | low;
        let place =
            move |at: usize| (packed >> (at as u32 * CHARACTER_BITS)) as u32 & ((1 << CHARACTER_BITS) - 1);
        (0..GRAM).rev().map(place).filter(|&code| code != 0).filter_map(char::from_u32)
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.characters().try_for_each(|c| write!(f, "{c}"))
    }
}

/// The terms of a text in order, each as often as it occurs: the 4-grams of words with a space at both ends (McNamee &
/// Mayfield, Character N-Gram Tokenization for European Language Text Retrieval, 2004), the bigrams of runs of scripts
/// without white space between words, single pictographs. Characters are code points.
pub fn terms(text: &str) -> Vec<Term> {
    // More often than not there are fewer terms than half the bytes.
    let mut terms = Vec::with_capacity(text.len() / 2);
    if text.is_ascii() {
        segment(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())), &mut terms);
    } else {
        segment(fold(text), &mut terms);
    }
    terms
}

/// Grams of a word that counts once, one of six letters, and how much less those of a longer word count.
const USUAL_GRAMS: f64 = 5.0;
const GRAMS_POWER: f64 = 0.3;

/// Each distinct term of a query with how often it counts, by term. A long word has more grams than a short one and says
/// hardly more, so each of its grams counts less.
pub fn query_terms(query: &str) -> Vec<(Term, f64)> {
    let mut counts = QueryTerms::default();
    segment(fold(query), &mut counts);
    // Stable: counts of a term are added up in the order of the query, as elsewhere.
    counts.terms.sort_by_key(|&(term, _)| term);
    let same = counts.terms.chunk_by(|a, b| a.0 == b.0);
    same.map(|same| (same[0].0, same.iter().map(|&(_, count)| count).sum())).collect()
}

#[derive(Default)]
struct QueryTerms {
    terms: Vec<(Term, f64)>,
    /// How many of them are of runs that are over.
    ended: usize,
}

impl Sink for QueryTerms {
    fn term(&mut self, term: Term) {
        self.terms.push((term, 1.0));
    }

    fn run_ended(&mut self, class: Class) {
        let run = &mut self.terms[self.ended..];
        if class == Class::Word {
            let count = (USUAL_GRAMS / run.len() as f64).powf(GRAMS_POWER);
            run.iter_mut().for_each(|(_, of_term)| *of_term = count);
        }
        self.ended = self.terms.len();
    }
}

/// Takes the terms of a text, in order.
trait Sink {
    fn term(&mut self, term: Term);

    /// All terms of a run were given.
    fn run_ended(&mut self, _class: Class) {}
}

impl Sink for Vec<Term> {
    #[inline]
    fn term(&mut self, term: Term) {
        self.push(term);
    }
}

/// The terms of a text as strings, for tests and tools.
pub fn words(text: &str) -> Vec<String> {
    terms(text).iter().map(Term::to_string).collect()
}

/// Cuts folded characters into runs of one class. Words are maximal runs of letters, digits and marks; as in Unicode's
/// word boundaries (UAX 29, WB11 and WB12) a full stop or comma between digits ends no number. Otherwise than there an
/// apostrophe, a full stop or a low line between letters does end a word, so that "Anna's" has the terms of "Anna".
fn segment(folded: impl Iterator<Item = char>, sink: &mut impl Sink) {
    let mut folded = folded.peekable();
    let mut run = Run::default();
    let mut previous = ' ';
    while let Some(c) = folded.next() {
        let joins = matches!(c, '.' | ',')
            && run.class == Some(Class::Word)
            && previous.is_numeric()
            && folded.peek().is_some_and(|next| next.is_numeric() && class(*next) == Class::Word);
        let class = if joins { Class::Word } else { class(c) };
        if run.class != Some(class) || class == Class::Pictograph {
            run.end(sink);
            run = Run { class: Some(class), ..Run::default() };
            if class == Class::Word {
                run.add(BOUNDARY, sink);
            }
        }
        run.add(c, sink);
        previous = c;
    }
    run.end(sink);
}

/// Characters of one class that follow each other.
#[derive(Default)]
struct Run {
    class: Option<Class>,
    length: usize,
    /// The last characters, `GRAM` at most.
    window: u128,
}

impl Run {
    /// Grams are emitted as soon as they are there, the first one when the run turns out to be longer.
    #[inline]
    fn add(&mut self, c: char, sink: &mut impl Sink) {
        let before = self.window;
        self.window = (before << CHARACTER_BITS | u128::from(c)) & mask(GRAM);
        self.length += 1;
        match self.class {
            Some(Class::Word) if self.length > GRAM => {
                if self.length == GRAM + 1 {
                    sink.term(Term::new(before));
                }
                sink.term(Term::new(self.window));
            }
            Some(Class::Spaceless) if self.length >= SPACELESS_GRAM => {
                sink.term(Term::new(self.window & mask(SPACELESS_GRAM)));
            }
            _ => {}
        }
    }

    fn end(&mut self, sink: &mut impl Sink) {
        if self.class == Some(Class::Word) {
            self.add(BOUNDARY, sink);
        }
        let least = match self.class {
            Some(Class::Word) => GRAM,
            Some(Class::Spaceless | Class::Pictograph) => 1,
            _ => 0,
        };
        if (1..=least).contains(&self.length) {
            sink.term(Term::new(self.window));
        }
        if let Some(class) = self.class {
            sink.run_ended(class);
        }
    }
}

/// The lowest bits, as many as so many characters have.
const fn mask(characters: usize) -> u128 {
    (1 << (characters as u32 * CHARACTER_BITS)) - 1
}
