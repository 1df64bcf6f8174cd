const dayMs = 86_400_000

/** The engine's constants, each with its source. A better-measured value replaces one here, with its measurement. */
export const parameters = {
  tiers: {
    /**
     * How long an access takes to count half as much. It is the lambda of LRFU (Lee et al., LRFU: A Spectrum of Policies
     * that Subsumes the Least Recently Used and Least Frequently Used Policies, IEEE Transactions on Computers 50(12),
     * 2001), set so that what is used weekly stays hot.
     */
    halfLifeMs: 7 * dayMs,
    /** Least score of a hot pattern: one access, one half-life ago. */
    hotMin: 0.5,
    /** Least score of a warm pattern: one access log2(20) = 4.3 half-lives ago, about a month. */
    warmMin: 0.05,
    /** An answer's first patterns, whose access promotes them: what stands further down was often not asked for. */
    promotingRanks: 3,
  },
  lexical: {
    /**
     * How soon more occurrences of a term stop counting, and how much longer texts are marked down: the usual values of
     * BM25 (Robertson & Zaragoza, 2009). The native index has the same, and tests compare them.
     */
    k1: 1.2,
    b: 0.75,
    /**
     * A term counts as often as the query has it, up to so often: a question repeats a word to stress it, a long text
     * used as a query repeats its commonest words without end.
     */
    queryFrequencyMax: 3,
    /** Occurrences in one text beyond these change a score by less than 1 %. The native index counts in a byte. */
    frequencyMax: 255,
  },
} as const
