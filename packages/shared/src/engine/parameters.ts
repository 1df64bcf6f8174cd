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
  energy: {
    /** Candidates whose keys a query settles among: with beta below, what stands further away weighs nothing. */
    candidates: 256,
    /** Cosine by which memories that are retrieved singly lie apart. */
    separation: 0.25,
    /** Above ln n in beta x separation: others then weigh at most exp(-3) together (Ramsauer et al., ICLR 2021, Theorem 4). */
    margin: 3,
    stepsMax: 8,
    /** Length of a step below which the state counts as settled. */
    tolerance: 1e-4,
  },
  reliability: {
    /** As for associations and transitions: a month-old outcome counts half. */
    halfLifeMs: 30 * dayMs,
  },
  surprise: {
    /** Weight of one observation in the running statistics: about the last 200 count (2 / rate - 1). */
    rate: 0.01,
    /** Statistics of a space that has seen nothing: half way, with either end two deviations off. */
    startMean: 0.5,
    startStd: 0.25,
    /** Least deviation: where all queries are alike, differences of 0.02 (two degrees) are still no event. */
    stdMin: 0.02,
    /** Greatest |z| that moves the statistics: Huber's psi, so that one outlier does not widen them. */
    statisticsClip: 2,
    /** Greatest |z| that moves the signal, so that lasting novelty reaches an anomaly before it is the norm. */
    signalClip: 6,
    /** Latest surprises of searches that are kept for a calibration, and the least that one needs. */
    recentMax: 100,
    recentMin: 10,
  },
  modulation: {
    /** What a step leaves of the signal: it averages over about 5 observations, as a phasic response does. */
    retention: 0.8,
    /** Slope and midpoint of the gate (adaptive gain: Aston-Jones and Cohen 2005; Yu and Dayan 2005). */
    gateSlope: 2,
    gateMidpoint: 1,
    /** Greatest magnitude of an injected anomaly. */
    magnitudeMax: 100,
    /** Greatest |signal|: the greatest injection on top of the greatest signal that observations make. */
    signalMax: 106,
    /** Learning-rate multipliers: what is added to the gate in calm regimes, and the whole of it in the others. */
    calmLearning: 0.5,
    anomalyLearning: 0.1,
    recoveryLearning: 0.5,
  },
  regime: {
    /** Signals at which the regime changes; the way back lies lower, so that it does not flutter. */
    highAbove: 1.5,
    calmBelow: 0.75,
    anomalyAbove: 3,
    recoveryBelow: 1.5,
    /** Least steps of an anomaly, and those that one injected with a magnitude has more, for each 1 of it. */
    burstSteps: 5,
    burstStepsPerMagnitude: 5,
    /** Calm steps in a row that end a recovery. */
    recoverySteps: 10,
    /** Wall time without an observation that is a step, in anomaly and recovery. */
    stepMs: 1_000,
  },
  successor: {
    /** Patterns nearest to a query from which prediction starts; further ones have a softmax weight near 0. */
    nearest: 5,
    /** Inverse temperature of the softmax over their cosines: a lead of 0.1 makes a weight 7 times as great. */
    sharpness: 20,
    /** How long a transition takes to count half as much. */
    halfLifeMs: 30 * dayMs,
    /** The horizon of the successor representation (Dayan 1993): four steps of a conversation. */
    steps: 4,
    /** What a step further ahead counts, beside the one before. */
    discount: 0.5,
    /** Added to the count of all transitions: after one transition, the next is one in two. */
    doubt: 1,
    /** What being stored next counts, in transitions: enough to predict something before any use, and soon outweighed. */
    neighbourCount: 0.2,
  },
  belief: {
    /** Nearest patterns that a query is compared with; what it composes lies among them (bench/results/belief.json). */
    candidates: 32,
    /** Length of the character n-grams that texts share: 4 was best in recall too. */
    gramCharacters: 4,
    /** How much of a text is compared letter by letter: more would cost time, not change the shares. */
    textCharacters: 2_000,
  },
} as const
