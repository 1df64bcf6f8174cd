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
} as const
