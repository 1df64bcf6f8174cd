const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * The engine's constants, each with its source: a paper, or the measurement that it was chosen by (named benches are in `bench/`,
 * their results in `bench/results/`; LoCoMo is a set of long conversations with questions about them). To change one, replace the
 * value together with its measurement.
 */
export const parameters = {
  map: {
    /**
     * Principal components among which neighbours and clusters of a map are looked for. Of the ten nearest of 4,000 English
     * sentences of stsb-multi-mt 34.0 % are among the ten nearest on the map, with 32 of them 32.8 %; of 2,760 turns of LoCoMo
     * 24.6 and 23.7 %. What the whole keeps beside the first two components alone is in bench/results/map.json.
     */
    components: 64,
    /**
     * Numbers that the components are computed from, in rows that are evenly spread: 2,000 of 384. Twice as many change nothing.
     */
    sampleNumbers: 768_000,
    /** Neighbours that each pattern is drawn to. 15 keep up to two points fewer of the ten nearest. */
    neighbours: 12,
    /** Rounds of drawing. With 60, and 6 probes, 31.0 and 22.1 % are kept. */
    rounds: 100,
    /** Points are sorted into sqrt(n) cells, and a point's neighbours looked for in so many that are nearest. */
    probes: 12,
    /** Rounds of k-means for the cells, and for the clusters. */
    cellRounds: 2,
    clusterRounds: 10,
    /** n patterns have sqrt(n / this) clusters: a hundred have two, and 10,000 twenty. */
    clusterSize: 25,
    /** The most clusters: as many as a list beside the map shows at once. */
    clustersMax: 20,
    /** How many patterns of a cluster, those nearest to its middle, it is named from, and UTF-16 units of each. */
    wordTexts: 60,
    wordChars: 300,
    /** UTF-16 units of the longest word that may name a cluster: hardly a word of any language is longer, and encoded data are. */
    longestWord: 40,
    /** Words that name a cluster. */
    words: 3,
  },
  tiers: {
    /**
     * After this time an access counts half as much. It is the lambda of LRFU (Lee et al., LRFU: A Spectrum of Policies
     * that Subsumes the Least Recently Used and Least Frequently Used Policies, IEEE Transactions on Computers 50(12),
     * 2001), set so that what is used weekly stays hot.
     */
    halfLifeMs: 7 * dayMs,
    /** Least score of a hot pattern: one access, one half-life ago. */
    hotMin: 0.5,
    /** Least score of a warm pattern: one access log2(20) = 4.3 half-lives ago, about a month. */
    warmMin: 0.05,
    /** How many of an answer's first patterns are promoted: what stands further down was often not asked for. */
    promotingRanks: 3,
  },
  energy: {
    /** Nearest keys that take part in an iteration: with beta as below, further ones weigh nothing. */
    candidates: 256,
    /** Keys that are this far apart in cosine are to be retrieved one by one. See `inverseTemperature`. */
    separation: 0.25,
    /**
     * beta x separation = ln n + margin: the other keys then weigh at most exp(-3) together (Ramsauer et al., ICLR 2021, Theorem
     * 4).
     */
    margin: 3,
    /** The most steps of an iteration. */
    stepsMax: 8,
    /** Length of a step below which the state counts as at rest. */
    tolerance: 1e-4,
  },
  routing: {
    /**
     * Temperatures of the softmax over a pathway's standardised scores, fitted by likelihood of the evidence of LoCoMo questions
     * (`npm run bench -- routing-fit`, bench/results/routing-fit.json).
     */
    temperatures: { exact: 0.844, energy: 1.627, attention: 0.779 },
    /**
     * Slope and middle of the preference for an answer, a sigmoid of its cosine. How much more of the evidence of LoCoMo's
     * questions routing loses than attention alone: with a slope of 12 6.4 %, with 6 2.3 %, with 4 1.8 %, with 3 0.9 %, and with
     * less no less; with temperatures fitted on other conversations 5.3, 1.5, 0.7 and 0.7 %.
     */
    preferenceSlope: 3,
    preferenceMiddle: 0.5,
    /** What a millisecond costs: as much as 1 % less probability of a preferred answer. */
    costNatsPerMs: 0.01,
    /** Time that pathways take, in ms, before a process has measured any. */
    typicalMs: { exact: 1, energy: 1.4, attention: 2.5 },
    /** Patterns that pathways are compared on: the best of each of them. */
    candidates: 64,
    /** A cosine from which a vector query in auto is answered exactly: the key itself, or nearly. */
    certainCosine: 0.95,
  },
  reliability: {
    /** After this time an outcome counts half as much, as associations and transitions do. */
    halfLifeMs: 30 * dayMs,
  },
  surprise: {
    /** Weight of one observation in the running statistics: about the last 200 count (2 / rate - 1). */
    rate: 0.01,
    /** Mean and deviation before the first observation: half way, with either end two deviations away. */
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
    /** Share of the signal that is left after a step: it averages over about 5 observations, as a phasic response does. */
    retention: 0.8,
    /** Slope and midpoint of the gate (adaptive gain: Aston-Jones and Cohen 2005; Yu and Dayan 2005). */
    gateSlope: 2,
    gateMidpoint: 1,
    /** Greatest magnitude of an injected anomaly. */
    magnitudeMax: 100,
    /** Greatest |signal|: the greatest injection on top of the greatest signal that observations make. */
    signalMax: 106,
    /** Learning-rate multipliers: in calm regimes this plus the gate; in anomaly and recovery these alone. */
    calmLearning: 0.5,
    anomalyLearning: 0.1,
    recoveryLearning: 0.5,
  },
  regime: {
    /** Signals at which the regime changes. The way back lies lower, so that a signal near a threshold does not flutter. */
    highAbove: 1.5,
    calmBelow: 0.75,
    anomalyAbove: 3,
    recoveryBelow: 1.5,
    /** Least steps of an anomaly; and further steps of an injected one, for each 1 of its magnitude. */
    burstSteps: 5,
    burstStepsPerMagnitude: 5,
    /** Calm steps in a row that end a recovery. */
    recoverySteps: 10,
    /** In anomaly and recovery, this much wall time without an observation counts as a step. */
    stepMs: 1_000,
  },
  successor: {
    /** Patterns nearest to a query from which prediction starts; further ones have a softmax weight near 0. */
    nearest: 5,
    /** Inverse temperature of the softmax over their cosines: a lead of 0.1 makes a weight 7 times as great. */
    sharpness: 20,
    /** The horizon of the successor representation (Dayan 1993): four steps of a conversation. */
    steps: 4,
    /** Weight of a step relative to the step before it. */
    discount: 0.5,
    /** Added to the count of all transitions: after one transition, the next is one in two. */
    doubt: 1,
    /** Being stored next counts as this many transitions: enough to predict something before any use, and soon outweighed. */
    neighbourCount: 0.2,
    /**
     * Patterns from which a step is taken. Where each of 100,000 patterns has 32 successors, taking it from all costs 8 s;
     * no single one beyond these has more than 1/128 of what is left.
     */
    widthMax: 128,
  },
  prefetch: {
    /** Patterns that one hop adds, those most strongly reached. */
    width: 16,
    /** Patterns used last from which warming begins where no key is named. */
    recent: 16,
    /** Patterns that are warmed for each that was found, and for all that were found in a space at once. */
    predicted: 8,
    predictedMax: 64,
    /** Least strength of what is warmed: what was only stored next has 0.09, the one after it 0.007. */
    strengthMin: 0.01,
  },
  belief: {
    /** Nearest patterns that a query is compared with; what it composes lies among them (bench/results/belief.json). */
    candidates: 32,
    /**
     * How many texts that share words with a query, best by BM25, are looked through for it too, however far their embeddings
     * are.
     */
    lexicalTexts: 16,
    /** Sentences of texts, those most like a query, that are embedded to compare them with it: each takes a few ms. */
    sentences: 3,
    /** Length of the character n-grams that texts share: 4 was best in recall too. */
    gramCharacters: 4,
    /** How much of a text is compared letter by letter: 33 texts of this length take a few ms, and few facts are longer. */
    textCharacters: 1_000,
  },
  contradiction: {
    /** How much of two texts is compared for what contradicts: facts are shorter. */
    textCharacters: 1_000,
    /** Tokens of one text times those of the other, where they differ, up to which they are aligned: 1 ms. */
    alignedPairs: 40_000,
  },
  conflicts: {
    /**
     * Cosine from which two texts that differ in nothing that contradicts count as near duplicates. Of such sentence pairs people
     * found 90 % to say the same but for details, of those from 0.9 on 86 %, from 0.94 on 94 % (bench/results/conflicts.json).
     */
    duplicateMin: 0.92,
    /**
     * Cosine, and share of their words that both have, from which two texts that contradict each other are about the same:
     * with these 503 of 519 contradictions that were written for it are found, and 7 wrong ones among 2,760 turns of
     * conversations. A cosine of 0.9 alone finds half of them.
     */
    contradictionMin: 0.7,
    sharedMin: 0.6,
    /** So much later, what contradicts an earlier text may have taken its place. Within a day either may be meant. */
    laterMs: dayMs,
    /** Nearest texts that one is compared with. */
    neighbours: 16,
    /** Conflicts of one text, its most similar: one of a series, such as records of a form, has many. */
    perText: 3,
    /**
     * Open conflicts of an end user, or of none. What is stored or changed meanwhile of who has as many is passed over: who has not
     * read these reads no others.
     */
    openMax: 1_000,
    /** Open conflicts of a space with end users: each sleep looks up both texts of all. */
    openOfSpaceMax: 20_000,
  },
  learning: {
    /** Activation is exp(sharpness x (cosine - best cosine)): a cosine 0.05 below the best counts 1/e of it. */
    sharpness: 20,
    /** Less active patterns of an answer are not associated: this is a cosine 0.115 below the best. */
    activationMin: 0.1,
    /** Most active patterns of one answer that are associated with each other: 28 pairs. */
    answeredTogether: 8,
    /** Share by which one use together closes the gap between an association's weight and 1, at full activation. */
    associationRate: 0.1,
    /** Associations and transitions fade by half in this time without use. */
    halfLifeMs: 30 * dayMs,
    /** Associations and transitions below this are dropped: 0.1 after seven half-lives, 1 after ten. */
    associationMin: 0.001,
    /** A pattern keeps its strongest so many associations, and as many transitions from it. */
    associationsMax: 32,
    /** Patterns that one actor uses within this time of each other are associated. */
    togetherMs: 60_000,
    /** How many earlier patterns of an actor, the most active ones, are remembered for that. */
    tracedPatterns: 8,
    /** First results of one actor within this time of each other count as a transition. */
    transitionMs: 30 * 60_000,
    /** A later use can show an answer to have been useful within this time. */
    answerMs: 5 * 60_000,
    /** How many answers of an actor are remembered for that, and how many patterns of each. */
    tracedAnswers: 4,
    tracedRanks: 10,
    /**
     * What an answer adds to what its first patterns lack of `answeredMost`. That something was found says little of its use,
     * and what is found first is found again: however often, it counts less than having been told useful once. Half of the
     * questions of LoCoMo asked without feedback changed recall@5 of the others by -1.5 to 0.6 points in eight halvings, -0.4 on
     * average, where answers led on to full strength by 0.02 of what was lacking, and base-level activation and what is asked
     * counted more; now by -0.4 to 0.7, 0.1 on average.
     */
    answeredStrength: 0.01,
    answeredMost: 0.65,
    /**
     * Share by which feedback moves a strength towards 1, or towards 0. A turn that answered one LoCoMo question
     * answers another one 3 times as often as others of the same rank do.
     */
    toldStrength: 0.5,
    /** How many of an answer's first patterns grow stronger by `answeredStrength`. */
    strengthenedRanks: 3,
    /** Strength of a new pattern, in [0, 1]. */
    strengthStart: 0.5,
    /**
     * Step of the exponentiated gradient: a head 3 deviations ahead gains 6 % of its weight at once, and no head more. With
     * 0.05 recall@5 of LoCoMo questions after feedback on others is 1.3 points lower, recall@10 0.4.
     */
    hedgeRate: 0.02,
    /** Greatest lead, in deviations, that a step takes into account. */
    hedgeClip: 3,
    /** Share of the start weights that each step mixes in: about the last 100 steps count. */
    hedgeShare: 0.01,
    /**
     * Up to about this weight a head that starts at 0 is raised by sums: one use that only it has foreseen gives it 0.003.
     * After LoCoMo questions, of which associations foresee nothing, it has 0.000 to 0.007.
     */
    hedgeFloor: 0.05,
    /** Learning-rate multiplier for usefulness that is inferred from the next search instead of told by feedback. */
    impliedRate: 0.25,
    /** The mean of queries counts as at most this many: from then on the oldest fade. */
    askedMax: 500,
    /**
     * How many uses of a space are learned from in a second, and in how many pieces of how many patterns they are written. Of
     * further uses only the surprise is observed. While it writes a piece the embedded database does nothing else.
     */
    usesASecond: 50,
    piecesASecond: 5,
    patternsAtOnce: 100,
    /**
     * How many associations of a space are written in a second, those strengthened most. One takes 0.1 ms of the embedded
     * database, during which all other queries wait: all 8,700 of 100 answers with ten patterns took 0.6 s of each second. With
     * 200, stores and lists of a mixed load of 20 busy spaces took half as long again (p99).
     */
    pairsASecond: 100,
  },
  exploration: {
    /**
     * A trial's point lies between these shares of the way from one key to the other: further out it belongs to the nearer key.
     */
    alphaMin: 0.3,
    alphaMax: 0.7,
    /** Both patterns must be among this many nearest to the point. */
    neighbours: 10,
    /** If the iteration ends this near to a third pattern, the point was taken for it: the cosine of equal texts. */
    collapseCosine: 0.95,
    /** How far b's cosine may lie behind the best when it is recovered: rounding, so that an equal key does not outdo it. */
    recoveryTolerance: 1e-6,
    /** How many keys, and pairs of them, estimate the mean cosine of random pairs: to about 0.01. */
    levelSample: 256,
    levelPairs: 512,
    /**
     * How many of the most urgent patterns to replay give candidate pairs, with how many nearest each; and how many associations.
     */
    seeds: 32,
    nearOfSeed: 4,
    edges: 128,
    /** Random pairs, for each pair that is wanted. */
    randomPairs: 4,
    /** Pairs in one answer: those suggested for trials, and candidates for compositions. */
    suggestions: 10,
    candidates: 100,
    /** Pairs whose trials a space keeps, the latest. */
    pairsMax: 10_000,
  },
  spurious: {
    /** Pairs with cosines in this range are checked: below it nothing mixes, above it they say the same. */
    cosineMin: 0.3,
    cosineMax: 0.95,
    /** The most pairs that are checked, greatest cosine first. */
    pairsMax: 2_000,
    /** Patterns, evenly spread over a larger space, whose neighbours are looked at, and how many of each. */
    seeds: 2_000,
    nearOfSeed: 8,
    /** Nearest keys that take part in an iteration: a mixture of more keys would be a mixture of these too. */
    candidates: 128,
    /** Pairs are checked for this long, greatest cosine first; the answer is about those checked by then. */
    checkMs: 5_000,
    /** How far the middle of two keys is moved at random, as a share of its length. */
    push: 0.1,
    /** If the iteration ends this near to a key, in cosine, it found that key and not a mixture. */
    storedCosine: 0.95,
    /** Least effective number of keys in a mixture: exp of the entropy of their weights. */
    patternsMin: 2,
    /** A saddle is left slowly: fixed points are looked for longer and closer than answers are. */
    stepsMax: 100,
    tolerance: 1e-6,
  },
  sleep: {
    /** Share by which a replay closes the gap to 1 of a pattern's strength, and of the associations within its neighbourhood. */
    strengthRate: 0.2,
    associationRate: 0.1,
    /** After this time without use a pattern is half as urgent to replay: the half-life of the tiers. */
    recencyHalfLifeMs: 7 * dayMs,
    /** A pattern's neighbourhood: this many nearest patterns, and as many strongest associates. */
    neighbours: 8,
    /** This many of the latest patterns stored may be replayed before anybody has used them. */
    latestStored: 1_000,
    /**
     * What was used or stored within this time is replayed, once. Replaying patterns again and again, and strengthening
     * all that is near them, took LoCoMo's recall@10 after a month from 83.8 to 82.8 (85.1 to 82.3 after feedback); this
     * leads to 84.5 (85.6).
     */
    freshMs: dayMs,
    /** For each pattern to replay, this many candidates are searched for how surprising they were when stored. */
    shortlisted: 4,
    /**
     * Share of the strength that is left after a day without use, down to what a pattern starts with (Tononi and Cirelli 2014:
     * renormalisation, not erasure). Down to 0.05, recall@10 after feedback is 2.4 points lower in the same month.
     */
    keptPerDay: 0.95,
    /** After this time without use a pattern begins to weaken. */
    unusedMs: 7 * dayMs,
    /** Less than this since the last weakening is left for a later run, so that repeating a run changes nothing. */
    weakenedAfterMs: dayMs / 24,
    /** A pair becomes a composition from this mean validity, and this many valid trials, on. */
    validityMin: 0.6,
    validatedMin: 2,
    /** Compositions that one run makes at most. */
    compositionsMax: 100,
    /**
     * Compositions that a space keeps, the strongest. An exploration compares each of its pairs with all of them, while the
     * embedded database does nothing else.
     */
    compositionsKept: 1_000,
    /** How many patterns one run looks at, and how long it may take. */
    runPatterns: 10_000,
    runMs: 10_000,
  },
  schedule: {
    /** A space unused for this long is idle, so that background work holds nobody up. */
    idleMs: 5 * minuteMs,
    /** In a space that is never idle a due task waits this long at most. */
    patienceMs: 6 * hourMs,
    /**
     * Least time between two sleeps: a replay adds 0.2 of what is missing of a strength, and sleeping after each pause of
     * a day would take for much use what was used once. Also, each sleep is one notification.
     */
    sleepEveryMs: dayMs,
    /** Patterns that a scheduled sleep replays: the most that one on demand may. */
    sleepBatch: 20,
    /** Least time between two explorations: repeated more often, one finds out little more than the last. */
    exploreEveryMs: 3 * dayMs,
    /** Pairs that a scheduled exploration tries: about 2 s of work at 10,000 patterns. */
    explorePairs: 100,
    /**
     * Least time between two migrations of tiers. In a day an access score falls by a tenth, so few patterns are in a wrong tier
     * long.
     */
    migrateEveryMs: dayMs,
    /** After this time without use every pattern is cold, even one used 16,000 times at once: 0.05 x 2^(128 / 7). */
    migrateUntilMs: 128 * dayMs,
    /**
     * A recorded time this far in the future is of a clock that was set back since: clocks of processes differ by less than half of
     * it, and a use counts as at the end of its minute.
     */
    aheadMs: 2 * minuteMs,
    /** Due times of different spaces are spread over this time, since one job may have used many of them at the same moment. */
    spreadMs: 5 * minuteMs,
    /** When to try again: a space that somebody else consolidates; one in an anomaly, or where the task failed. */
    busyMs: minuteMs,
    failedMs: 10 * minuteMs,
    /** After so long a task of a large space gives way to those of other spaces, and goes on when it is their turn to wait. */
    turnMs: minuteMs,
  },
  salience: {
    /** Decay of base-level activation (Anderson and Schooler, Reflections of the Environment in Memory, 1991). */
    decay: 0.5,
    /** Least age in ms, so that what was used just now is not infinitely active. */
    ageMin: 1_000,
    /**
     * Weight of base-level activation beside strength. How often a pattern was answered says little about its use: on
     * LoCoMo questions after feedback on others, recall@10 was 0.4 points lower with 0.1 than with 0.05, 1.5 with 1.
     */
    baseShare: 0.0125,
    /** Least deviation, in nats, so that the first small differences in a space are not taken for large ones. */
    deviationMin: 0.3,
  },
  explain: {
    /** Nearest texts to choose quotes from. The weights below were chosen with this many. */
    candidates: 10,
    /**
     * Least share of the best language's score with which a text counts as French. On the first three words of 300
     * sentences each of stsb-multi-mt, French was told in 99 % (92 % where it had to be the best itself), and 0.3 % of
     * English, 4 % of Spanish, 2 % of Italian were taken for it; on six words in 99.7 %, 0 %, 0.3 % and 0.7 %.
     */
    frenchShareMin: 0.95,
    /**
     * Least difference of both probabilities. Of the first words of the same sentences 1 % of the French ones are closer
     * to both, and 39 % of the English; of the first six words 0.6 % and 0.1 %. What is quoted decides then.
     */
    languageMarginMin: 0.06,
    /** The most texts that an explanation quotes. */
    quotesMax: 3,
    /**
     * Least cosine of evidence. On 997 questions about LoCoMo conversations the nearest turn is nearer than this for
     * 99.2 % when it is the conversation asked about, for 25 % when it is another one of about 500 turns, and for 5 % of
     * those with 10 turns to choose from. It leans to quoting, since a weak quote says that it is weak.
     */
    evidenceMin: 0.35,
    /**
     * Weight of relevance against repetition, and how far a quote may lie behind the nearest: of five weights and four
     * distances, those with which evidence is most often among the quotes on the same questions: for 39.3 %, with the
     * three nearest for 36.4 %. Of second turns further behind, 2.5 % were evidence, of nearer ones 10 %.
     */
    relevance: 0.7,
    leadMax: 0.15,
    /** Cosine of texts that say the same: of stsb pairs that people call equal, 80 % are above it, of others 2 %. */
    sameMin: 0.9,
    /**
     * Cosines from which a text says nearly the same as another, is very close, or is close: on stsb pairs people's mean
     * rating is then 4.5, 3.4 and 2.5 of 5; below, 1.5.
     */
    bands: { same: 0.9, veryClose: 0.7, close: 0.5 },
    /** A text is quoted whole up to this length, in UTF-16 units: a paragraph. */
    quoteChars: 500,
    /** The most shared words that are named of a quote. */
    termsMax: 5,
    /**
     * Logit that the nearest text answers a question, fitted on LoCoMo (bench/results/answers.json): on conversations that
     * it was not fitted on, probabilities are 0.016 off on average; belief, which judges statements, is 0.33 off there.
     */
    answered: { intercept: -2.066, cosine: -0.528, lead: 11.456, logPatterns: -0.374, sharedGrams: 6.369 },
  },
  categories: {
    /** How much of a text is looked at for forms such as phone numbers and names, in UTF-16 units: 0.15 ms at most. */
    formChars: 4_000,
  },
  recall: {
    /**
     * Candidates: the best of each search, and what was stored around the strongest of each. Beside scoring every pattern
     * that costs 0.1 points of recall@10 among 2,760 LoCoMo turns, and as much with 17,000 other texts between them.
     */
    densePatterns: 64,
    lexicalPatterns: 64,
    /** If copies of a few texts have taken all places, this many times as many candidates are looked for. */
    wideFactor: 16,
    /**
     * Among texts of the time that a query names, this many nearest ones, and as many best by BM25, are candidates in any case.
     */
    timePatterns: 16,
    /**
     * What a text of the time that the query names gains, in deviations. Of the 111 questions of five LoCoMo conversations that
     * name a time, the evidence is among the first ten for 80.6 % with 0, 90.1 % with 0.5, 94.6 % with 1, 94.6 % with 1.5 and
     * 92.8 % with 3 (bench/recall-time.ts).
     */
    timeGain: 1,
    /**
     * How far behind what an assistant said is placed, in deviations, where the query asks for something of the one who asks. Of 96
     * questions to chats with an assistant the right text is first for 46 with 0, 50 with 0.2, 52 with 0.5 and with 0.8.
     */
    assistantLag: 0.5,
    /** A text of that time gains it, even if it is less like the query than most, within this cosine of the nearest text. */
    timeLead: 0.25,
    /** This many nearest patterns at least are found as reliably as a search for them alone would (`ShardSearch.exactK`). */
    exactPatterns: 10,
    /**
     * The texts of this many nearest passages are candidates; several may be of one text. With 256 the same texts come first, and
     * a search among 100,000 passages takes ten times as long.
     */
    nearPassages: 64,
    /** About how long a passage is, in UTF-16 units: a few sentences. */
    passageCharacters: 800,
    /** From this length on a text has passages. */
    passageMin: 1_200,
    /** A Han, Kana or Hangul character counts as this many: the encoder makes as many tokens of it as of three letters. */
    wideCharacter: 3,
    /** The best so many of each search whose neighbours in store order are candidates too. */
    strongPatterns: 32,
    /** Furthest neighbour that contiguity reaches, in store order. */
    neighbourLag: 4,
    /**
     * The mean direction of keys is shrunk as if it had this many zero vectors more. Between 5 and 50 recall@10 changes by at
     * most 0.4 points.
     */
    centreShrink: 20,
    /**
     * The same for the mean of queries, which is shrunk towards that of the keys. With 20, recall@5 of LoCoMo questions after
     * others were asked changed by -0.9 to 0 points in four halvings, with 200 by -0.4 to 0.4.
     */
    askedShrink: 200,
    /**
     * Share of the mean direction that is subtracted from a query (see `queryCentre`). All of it finds more in chats, none of it
     * more single passages, above all in another language: this loses little of both.
     */
    centreShare: 0.6,
    /** How many keys a space's centre is estimated from, and how many the semantic head's mean and deviation for a query. */
    centreSample: 1_024,
    momentSample: 256,
    /** A deviation up to this is rounding: all patterns are alike, and the head says nothing. */
    deviationMin: 1e-9,
    /** Greatest |z|: as far as one of a million values can lie from their mean, sqrt(n - 1). */
    zClip: 1_000,
    /**
     * Coverage (a text's BM25 as a share of what the whole query once would score) from which its words count in full; below
     * it they count by its square. One shared name, or four letters in a row, is 8 to 12 deviations where nearly all texts
     * score 0, however little of the query it is. Of questions in other words to 35 kinds of text nDCG@10 is 0.793 with 0.15
     * and no square, 0.803 with 0.3 and 0.809 with 0.5; of questions to conversations, which have the words of their answers,
     * recall@10 is 0.822, 0.806 and 0.780.
     */
    coverageFull: 0.3,
    /**
     * The same of scripts without white space between words: pairs of characters meet by chance far more often than words do. Of
     * 391 Chinese sentences by others that mean the same nDCG@10 is 0.909 with 0.15, 0.925 with 0.5, 0.933 with 0.8 and 0.935
     * with 1 (retrieve has 0.938), of 300 questions to paragraphs 0.979, 0.979, 0.974 and 0.977.
     */
    spacelessFull: 0.8,
    /**
     * What words count where a statement is asked of texts that are no longer than so many times itself. Of sentences by others
     * that mean the same, in six languages, nDCG@10 is 0.945 with 1 and 0.949 with a third (retrieve has 0.950).
     */
    statementWords: 1 / 3,
    alikeLength: 2,
    /**
     * Of a text in another language than the query, which can't have its words: what each deviation of its meaning counts
     * in their place. In a store of mixed languages meaning alone prefers the query's language. Of paragraphs in six languages
     * and questions in another, nDCG@10 is 0.802 with 3.5, 0.817 with 5 and with 7; of sentences in eleven 0.934, 0.940 and
     * 0.943.
     */
    foreignShare: 5,
    /**
     * Cosine up to which that counts nothing, and from which it counts in full: what has nothing to do with a query has about 0, and
     * answers in other languages hardly less than 0.2. Of 30 facts in notes of 3,000 to 9,000 characters in 14 languages beside 50
     * short texts in all of these, the note is first for 23 without it, 25 up to 0.2 and 28 up to 0.3; of 300 questions to
     * paragraphs in another language the right one for 174, 174 and 173.
     */
    unlikeCosine: 0.1,
    likeCosine: 0.3,
    /**
     * How much nearer a text in the query's language must be, so that none in another passes it: in deviations, beside what texts
     * in other languages are further away on the whole (see `heldBack`). In a store of four languages nDCG@10 of questions to paragraphs
     * in the query's language is 0.984 with 1, 0.981 with 1.5 and 0.976 with 2; of those in another 0.776, 0.781 and 0.786, and of
     * sentences by others that mean the same in another 0.733, 0.756 and 0.759 (retrieve has 0.751).
     */
    foreignMargin: 1.5,
    /** A text that has all of the query's words counts as so much nearer then, in deviations. */
    queryWords: 2,
    /**
     * The same of a text that has them all, beside: a shared word or two is chance. Of 30 facts in notes of 3,000 to 9,000 characters
     * in 14 languages beside 200 short texts in all of these, the note is first for 22 with 0, 26 with 2 and 28 with 4.
     */
    everyWord: 4,
    /**
     * How much nearer than its whole text a passage must be, as a cosine, before that counts: of many passages one is a
     * little nearer by chance. Without it the first text answers 46 % of questions in chats with an assistant, with it
     * 51 %, and as many of those about the middle of long texts (97 %).
     */
    passageMargin: 0.08,
    /**
     * Least size of a sentence of a query that is a view of its own (see `viewsOf`): "Thanks!" says nothing about what is
     * wanted.
     */
    sentenceCharacters: 8,
    /** The most views of a query, each of which costs a search: hardly a mail of 500 characters has more sentences. */
    sentencesMax: 8,
    /**
     * A sentence has a share of 1 - its part of the query, and no more than this. Of 400 questions behind 350 to 500 characters of
     * paragraphs that are stored too, the answer is first for 55.7 % with 0.7, 58.5 % with 0.8 and 58.8 % with 0.9.
     */
    sentenceShareMax: 0.8,
    /**
     * How much a sentence that asks nothing weighs, where another one asks something. Of 60 questions behind 350 to 500 characters of
     * paragraphs that are stored too, the answer is first for 43 with 0.1, 41 with 0.2, 34 with 0.3 and none with 0.85; of 30
     * questions within mails about other things for 30 with all of these.
     */
    statedWeight: 0.1,
    /** Share of words in common (Dice) from which texts are alike but for a value, and words that only one of them has. */
    nearEqualShare: 0.6,
    nearEqualWords: 4,
    /**
     * Of texts that differ in one place by values of one kind, where the query has all their other words: least share of words in
     * common, most that only one has, and most that cosines and scores may differ by: of 29 such changes in 11 languages 25 have
     * no more.
     */
    sameKindShare: 0.3,
    sameKindWords: 6,
    sameKindCosine: 0.15,
    sameKindScore: 0.75,
    /**
     * Where a newer text says that what the query asks for has another value: how far its cosine and its score may be behind those
     * of the older one, and how far where it says that someone has a new home, in no word of the query. No word but known ones may
     * stand in it, so that nearness has little to tell: of 28 new homes in 18 languages the cosines are 0.21 to 0.48 behind ("I moved
     * to Notting Hill" 0.25, "Mi sono trasferita a Torino" 0.48), and those of 21 other names, of departments, firms and programs,
     * 0.21 to 0.54 ("I moved to Sales" 0.36). 0.5 takes all homes and 19 of the others, 0.45 leaves three homes behind and takes 18
     * of the others, 0.3 sixteen and five.
     */
    updateCosine: 0.35,
    updateScore: 1.6,
    movedCosine: 0.5,
    movedScore: 2.2,
    /** Longest text of which that is looked at, in UTF-16 units: a longer one tells of more than a change. */
    updateCharacters: 120,
    /** Most that their scores may differ by: of values in other words 0.1 to 0.5, more where feedback has told of one. */
    nearEqualScore: 0.5,
    /** The first so many results, among which they are looked for, so that these are the same however many are asked for. */
    nearEqualPlaces: 16,
    /** Longest text of which that is looked at, in UTF-16 units: a longer one says more than a value. */
    nearEqualCharacters: 300,
    /** Most that their cosines with the query may differ by: else it asks for the value that one of them has. */
    nearEqualCosine: 0.1,
    /** The same where the newer of them alone says "now", which moves its vector. */
    nearEqualNow: 0.2,
    /** The same where the query has no word that both have, of so many letters (`tellingCharacters`) at least. */
    nearEqualUnnamed: 0.015,
    tellingCharacters: 3,
    /**
     * Cosine of two questions from which they ask the same: those in other words or another language have 0.65 to 0.94. A
     * question that wants a value and has none answers as little where it asks for something else: of 60 questions to stores
     * that have such questions the answer is first for 90 % with 0.75, 95 % with 0.6.
     */
    askedAgainCosine: 0.75,
    askedAgainValue: 0.6,
    /**
     * The same of a text that begins as questions and notes do and has no question mark: of 13 notes in five languages
     * ("quando piove il treno ritarda") none was nearer to a question about it, of 14 questions that ask the same 10.
     */
    askedAgainUnmarked: 0.845,
    /** Greatest |z| of heads that are 0 for nearly all patterns, so that one association does not outweigh all words. */
    sparseClip: 3,
    /*
     * Contiguity, chosen by recall@5 + recall@10 of LoCoMo conversations. Leaving out any one of the five chose the same
     * values of 864, and the ones left out reached 76.8 and 83.7.
     */
    /** Share that a pattern passes on to those 1, 2, 3 and 4 places before and after it. */
    lagDecay: [0.4, 0.4, 0.2, 0.2],
    /**
     * Further share that a question passes on to the pattern after it. Without it and the next one recall@5 is 4 points lower,
     * recall@10 3.
     */
    answerShare: 0.7,
    /** Share of its gain that a question loses. */
    questionDamping: 0.5,
    /** A pattern passes on what its score exceeds that of this rank by, or this many deviations if that is more. */
    strongRank: 48,
    strongMin: 1,
    /**
     * Mean centred cosine of neighbours, less that of what is far apart, from which store order is trusted: LoCoMo has 0.15 to
     * 0.31 with lags of 1 and 2, in random order 0. Contiguity in random order costs 2 points of recall@10.
     */
    coherenceFull: 0.1,
    /** Standard errors it must exceed 0 by. */
    coherenceDoubt: 2,
    /**
     * Neighbours are compared with a pattern this many places away, or at least so many: by then most talk is about something
     * else.
     */
    farLag: 32,
    farLagMin: 8,
    /**
     * How much nearer every second text is than those next to it (see `turnTaking`) where two speakers surely take turns:
     * LoCoMo has 0.05 to 0.14, chats of real people 0.00 to 0.05, passages of articles and shuffled texts -0.04 to 0.02.
     */
    turnsFull: 0.05,
    turnsDoubt: 1,
    /** Up to this length a text counts in full as a turn that needs context and gives it; a longer one stands for itself. */
    turnCharacters: 300,
    /**
     * Where nobody takes turns, neighbours are only about the same: the share of their gain that is left, and the most
     * that one text gains, in deviations.
     */
    groupShare: 0.45,
    groupMax: 0.9,
  },
  lexical: {
    /**
     * How soon more occurrences of a term stop counting, and how much longer texts are marked down (BM25, Robertson &
     * Zaragoza, 2009). In short texts a long one says more rather than the same at length: with the usual 1.2 and 0.75
     * recall of LoCoMo questions finds 0.9 points less among the first 10. The native index has the same, and tests
     * compare them.
     */
    k1: 0.9,
    b: 0.4,
    /** Grams of one word repeat its rarity, so that common words add up: with 1 recall finds 0.7 points less. */
    rarityPower: 1.5,
    /**
     * Grams of a word that counts once, one of six letters; how much less those of a longer word count, of which there are more.
     * With 0 for all alike, recall finds 1.5 points less of LoCoMo among the first 5; with 1 as much less among the first 10.
     */
    usualGrams: 5,
    gramsPower: 0.3,
    /**
     * A term counts as often as the query has it, up to so often: a question repeats a word to stress it, a long text
     * used as a query repeats its commonest words without end.
     */
    queryFrequencyMax: 3,
    /** Occurrences in one text beyond these change a score by less than 1 %. The native index counts in a byte. */
    frequencyMax: 255,
  },
} as const
