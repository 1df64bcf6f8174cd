//! BM25 (Robertson & Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009).

/// How soon more occurrences of a term stop counting.
const K1: f64 = 0.9;
/// How much longer documents are marked down.
const B: f64 = 0.4;
/// Grams of one word repeat its rarity, so that common words add up: rarer terms count more than in proportion.
const RARITY_POWER: f64 = 1.5;
/// A term counts as often as the query has it, up to so often: a question repeats a word to stress it, a long text used
/// as a query repeats its commonest words without end.
const QUERY_FREQUENCY_MAX: f64 = 3.0;

/// The weight of a term of the query: k1 + 1 times a power of its inverse document frequency, for each time the query has it.
pub fn weight(query_frequency: f64, documents: usize, with_term: usize) -> f64 {
    let (documents, with_term) = (documents as f64, with_term as f64);
    let rarity = (1.0 + (documents - with_term + 0.5) / (with_term + 0.5)).ln();
    query_frequency.min(QUERY_FREQUENCY_MAX) * (K1 + 1.0) * rarity.powf(RARITY_POWER)
}

/// The part of its weight that a document gets for a term.
pub struct Saturation {
    /// k1 (1 - b)
    base: f64,
    /// k1 b / mean length
    slope: f64,
    /// For the first frequencies, the part at each length of a byte: a division takes longer than looking it up.
    table: Box<[f64; FREQUENCIES * LENGTHS]>,
}

const FREQUENCIES: usize = 4;
const LENGTHS: usize = 256;

impl Saturation {
    pub fn new(mean_length: f64) -> Self {
        let slope = if mean_length > 0.0 { K1 * B / mean_length } else { 0.0 };
        let mut saturation =
            Self { base: K1 * (1.0 - B), slope, table: Box::new([0.0; FREQUENCIES * LENGTHS]) };
        for at in 0..FREQUENCIES * LENGTHS {
            saturation.table[at] = saturation.compute((at / LENGTHS + 1) as u8, (at % LENGTHS) as u32);
        }
        saturation
    }

    /// tf / (tf + k1 (1 - b + b length / mean length))
    #[inline]
    fn compute(&self, frequency: u8, length: u32) -> f64 {
        let frequency = f64::from(frequency);
        frequency / (frequency + self.base + self.slope * f64::from(length))
    }

    /// Saturation of a term that a document of mean length has once.
    pub fn once_at_mean_length() -> f64 {
        1.0 / (1.0 + K1)
    }

    /// Saturation of a term that a document of `length` terms has `frequency` times, at least once.
    #[inline]
    pub fn of(&self, frequency: u8, length: u32) -> f64 {
        match u8::try_from(length) {
            Ok(length) => {
                self.of_short(frequency, length).unwrap_or_else(|| self.compute(frequency, length.into()))
            }
            Err(_) => self.compute(frequency, length),
        }
    }

    /// Saturation as `of` gives it, from the table alone; None for frequencies beyond it.
    #[inline(always)]
    pub fn of_short(&self, frequency: u8, length: u8) -> Option<f64> {
        let row = usize::from(frequency).wrapping_sub(1);
        (row < FREQUENCIES).then(|| self.table[row * LENGTHS + usize::from(length)])
    }
}
