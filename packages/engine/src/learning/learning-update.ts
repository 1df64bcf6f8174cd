import { observe, policyOf, type SignalRecord, type SurpriseObservation } from '../modulation.ts'
import { parameters } from '../parameters.ts'
import { observeUse } from '../reliability.ts'
import { type Activation, activationsOf, Strengthening } from './association.ts'
import { learnWeights } from './hedge.ts'
import type { Pathway, SpaceState } from './state.ts'
import {
  type AnsweredPattern,
  emptyTrace,
  extendTrace,
  refreshTrace,
  type Trace,
  type TracedAnswer,
} from './trace.ts'

const { answeredStrength, answeredMost, toldStrength, strengthenedRanks } = parameters.learning
const { strengthStart, impliedRate, tracedRanks, askedMax } = parameters.learning

/** A search and its answer. */
export interface Use {
  kind: 'answer'
  /** Ms since 1970. */
  at: number
  /** In [0, 1]; null if the search was restricted to a part of the space. */
  surprise: number | null
  /** The engine version that the search began with; what is of an unknown one counts as older than all. */
  engineVersion?: number | undefined
  /** Hash of who searched. */
  actor: string
  /** Hash of the query, to tell whether the same is asked again. */
  query: string
  pathway: Pathway
  /** The answer's patterns, best first. */
  patterns: readonly AnsweredPattern[]
  /** The query's embedding, if it is a text; undefined if the search was restricted to a part of the space. */
  asked?: Float32Array | undefined
  /** Whether the space has forgotten since what it was asked: neither the query nor what it found first stays then. */
  isForgotten?: boolean | undefined
}

/** Somebody says whether a pattern was useful. */
export interface Feedback {
  kind: 'feedback'
  /** Ms since 1970. */
  at: number
  /** Hash of who says it. */
  actor: string
  idx: number
  useful: boolean
  /** The answer that the feedback is about; undefined: the actor's latest answer that held the pattern. */
  answer?: { pathway: Pathway; patterns: readonly AnsweredPattern[] } | undefined
}

/** Something observed in the use of a space. */
export type Observation = SurpriseObservation | Use | Feedback

/** What observations change in what a space has learned. */
export interface LearningUpdate {
  /** The new state. */
  state: SpaceState
  /** To append to the history. */
  records: SignalRecord[]
  /** The new traces of actors whose trace has changed. */
  traces: Map<string, Trace>
  /** a < b; a weight w changes by 1 - w <- (1 - w) kept. */
  associations: { a: number; b: number; kept: number }[]
  /** `count` is to be added. */
  transitions: { source: number; target: number; count: number }[]
  /** The new strengths. Each entry also stands for use in one or more answers. */
  strengths: { idx: number; strength: number }[]
}

/** What is there when a space learns, beside its state. */
export interface Present {
  /** Of a pattern; by default that of a new one. */
  strengthOf?: (idx: number) => number
  /** Ms since 1970; by default the time of each observation. */
  now?: number
}

/**
 * Learns from observations of a space, in order.
 * @param traces the actors' present traces; an actor without one is new
 * @param isAlive whether a pattern exists; one that is gone teaches nothing
 */
export function learnFrom(
  state: SpaceState,
  traces: ReadonlyMap<string, Trace>,
  observations: readonly Observation[],
  isAlive: (idx: number) => boolean,
  present: Present = {},
): LearningUpdate {
  const builder = new UpdateBuilder(state, traces, isAlive, present)
  for (const observation of observations) builder.add(observation)
  return builder.build()
}

/** A running mean with one more vector in it. From `askedMax` vectors on it is an exponential average: the oldest fade. */
function extendMean({ mean, count }: SpaceState['asked'], vector: Float32Array): SpaceState['asked'] {
  if (mean.length !== vector.length) return { mean: Array.from(vector, rounded), count: 1 }
  const grown = Math.min(count + 1, askedMax)
  return {
    mean: mean.map((value, i) => rounded(value + ((vector[i] as number) - value) / grown)),
    count: grown,
  }
}

/** To five decimals, which is as precise as the mean needs to be, and keeps the stored state small. */
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5

class UpdateBuilder {
  readonly #isAlive: (idx: number) => boolean
  readonly #strengthOf: (idx: number) => number
  readonly #now: number | undefined
  readonly #traces: ReadonlyMap<string, Trace>
  readonly #changedTraces = new Map<string, Trace>()
  readonly #records: SignalRecord[] = []
  readonly #associations = new Strengthening()
  readonly #transitions = new Map<string, { source: number; target: number; count: number }>()
  readonly #strengths = new Map<number, number>()
  #state: SpaceState

  constructor(
    state: SpaceState,
    traces: ReadonlyMap<string, Trace>,
    isAlive: (idx: number) => boolean,
    { strengthOf = () => strengthStart, now }: Present,
  ) {
    this.#state = state
    this.#traces = traces
    this.#isAlive = isAlive
    this.#strengthOf = strengthOf
    this.#now = now
  }

  add(observation: Observation): void {
    if (observation.kind === 'feedback') {
      this.#applyFeedback(observation)
      return
    }
    const { kind, at, surprise } = observation
    if (surprise !== null) this.#applySurprise({ kind: kind === 'store' ? 'store' : 'search', at, surprise })
    if (kind === 'answer') this.#applyUse(observation)
  }

  build(): LearningUpdate {
    return {
      state: this.#state,
      records: this.#records,
      traces: this.#changedTraces,
      associations: this.#associations.pairs,
      transitions: [...this.#transitions.values()],
      strengths: Array.from(this.#strengths, ([idx, strength]) => ({ idx, strength })),
    }
  }

  #applySurprise({ kind, surprise, at }: SurpriseObservation): void {
    const { state, record, earlier } = observe(this.#state.modulation, { kind, surprise, at }, this.#now)
    this.#state = { ...this.#state, modulation: state }
    this.#records.push(...earlier, record)
  }

  get #rate(): number {
    return policyOf(this.#state.modulation).learningRateMultiplier
  }

  #traceOf(actor: string, now: number): Trace {
    const trace = this.#changedTraces.get(actor) ?? this.#traces.get(actor) ?? emptyTrace
    return refreshTrace(trace, now, this.#isAlive)
  }

  #applyUse({ at, actor, query, pathway, patterns: all, asked, isForgotten = false }: Use): void {
    if (asked !== undefined && !isForgotten) {
      this.#state = { ...this.#state, asked: extendMean(this.#state.asked, asked) }
    }
    const patterns = all.filter(({ idx }) => this.#isAlive(idx))
    const trace = this.#traceOf(actor, at)
    const activations = activationsOf(patterns)
    if (patterns[0] !== undefined && !isForgotten) {
      this.#state = { ...this.#state, lastTop: patterns[0].idx }
    }
    for (const [rank, { idx }] of patterns.entries()) {
      // Feedback may have made it stronger than answers do: these take nothing of that.
      const goal = Math.max(answeredMost, this.#strength(idx))
      // Patterns further down get a strength entry without effect, so that their changed number of answers reaches the caches.
      this.#strengthen(idx, rank < strengthenedRanks ? answeredStrength : 0, goal)
    }
    const answer = { at, query, pathway, patterns: patterns.slice(0, tracedRanks) }
    // The same query again teaches no association, transition or reward; its answer takes the place of the former one.
    if (query === trace.query) {
      const [, ...older] = trace.answers
      const before = { ...trace, answers: trace.answers[0]?.query === query ? older : trace.answers }
      this.#changedTraces.set(actor, extendTrace(before, answer, activations))
      return
    }
    this.#associate(activations, trace.recent)
    const [top] = patterns
    if (top !== undefined) {
      const answers = this.#reward(trace.answers, top.idx, at)
      if (trace.top !== null) this.#step(trace.top.idx, top.idx)
      this.#changedTraces.set(actor, extendTrace({ ...trace, answers }, answer, activations))
    } else {
      this.#changedTraces.set(actor, { ...trace, query })
    }
  }

  #associate(activations: readonly Activation[], recent: readonly Activation[]): void {
    const rate = this.#rate
    for (const [i, one] of activations.entries()) {
      for (const other of activations.slice(i + 1)) this.#associations.add(one, other, rate)
      for (const other of recent) this.#associations.add(one, other, rate)
    }
  }

  #step(source: number, target: number): void {
    const name = `${source},${target}`
    const { count } = this.#transitions.get(name) ?? { count: 0 }
    this.#transitions.set(name, { source, target, count: count + 1 })
  }

  /**
   * Implied feedback: if the first result of a new search was active in an earlier answer of the actor, the newest such answer
   * has proved useful. "Active" means near that answer's query: patterns that are merely used much are found again and again, and
   * heads that follow use or store order would reward themselves.
   * @returns the answers that may still be judged
   */
  #reward(answers: readonly TracedAnswer[], top: number, now: number): readonly TracedAnswer[] {
    const at = answers.findIndex(({ patterns }) => activationsOf(patterns).some(({ idx }) => idx === top))
    if (at === -1) return answers
    this.#judge(answers[at] as TracedAnswer, top, true, now, impliedRate)
    return answers.toSpliced(at, 1)
  }

  #applyFeedback({ at, actor, idx, useful, answer }: Feedback): void {
    if (!this.#isAlive(idx)) return
    this.#strengthen(idx, toldStrength, useful ? 1 : 0)
    const trace = this.#traceOf(actor, at)
    const own = trace.answers.findIndex(({ patterns }) => patterns.some((pattern) => pattern.idx === idx))
    const meant = answer ?? trace.answers[own]
    if (meant !== undefined) this.#judge(meant, idx, useful, at)
    // An answer is judged once.
    if (answer === undefined && own !== -1) {
      this.#changedTraces.set(actor, { ...trace, answers: trace.answers.toSpliced(own, 1) })
    }
  }

  /** Updates the reliability of an answer's pathway, and the weights of the heads, from one pattern that was useful or not. */
  #judge(
    { pathway, patterns }: Pick<TracedAnswer, 'pathway' | 'patterns'>,
    idx: number,
    useful: boolean,
    now: number,
    certainty = 1,
  ): void {
    const rank = patterns.findIndex((pattern) => pattern.idx === idx)
    const { reliability, headWeights } = this.#state
    // Reliability is about the first result. A useless pattern further down says nothing about it.
    if (useful || rank === 0) {
      const record = observeUse(reliability[pathway], useful && rank === 0, now)
      this.#state = { ...this.#state, reliability: { ...reliability, [pathway]: record } }
    }
    const positive = patterns[rank]?.z
    if (!useful || positive === undefined) return
    const returned = patterns.flatMap(({ z }) => (z === undefined ? [] : [z]))
    this.#state = {
      ...this.#state,
      headWeights: learnWeights(headWeights, positive, returned, certainty * this.#rate),
    }
  }

  #strength(idx: number): number {
    return this.#strengths.get(idx) ?? this.#strengthOf(idx)
  }

  /** s <- s + rate (goal - s) */
  #strengthen(idx: number, rate: number, goal: number): void {
    const strength = this.#strength(idx)
    this.#strengths.set(idx, strength + rate * (goal - strength))
  }
}
