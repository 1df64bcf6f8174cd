import { parameters } from '../parameters.ts'
import type { Pathway } from './state.ts'

const { answerMs, transitionMs, togetherMs, tracedAnswers, tracedPatterns } = parameters.learning

/** A pattern of an answer. */
export interface AnsweredPattern {
  idx: number
  /** Cosine with the query. */
  cosine: number
  /** The pattern's z-scores in the order of `headNames`, if the answer was ordered by the heads. */
  z?: readonly number[]
}

/** An answer that a later use may show to have been useful. */
export interface TracedAnswer {
  /** Ms since 1970. */
  at: number
  /** Hash of the query. */
  query: string
  pathway: Pathway
  /** Best first. */
  patterns: readonly AnsweredPattern[]
}

/** What an actor did recently, as far as it is needed to learn from their next uses. Plain JSON. */
export interface Trace {
  /** Hash of the last query. */
  query: string | null
  /** First result of the last query that had any: the source of the next transition. Time in ms since 1970. */
  top: { idx: number; at: number } | null
  /** The most active patterns of recent answers: those of the next answer are associated with them. */
  recent: readonly { idx: number; activation: number; at: number }[]
  /** Answers that may still prove useful, newest first. */
  answers: readonly TracedAnswer[]
}

/** The trace of an actor who has done nothing yet. */
export const emptyTrace: Trace = { query: null, top: null, recent: [], answers: [] }

/** The trace without what has become too old, and without patterns that are gone. */
export function refreshTrace(
  { query, top, recent, answers }: Trace,
  now: number,
  isAlive: (idx: number) => boolean,
): Trace {
  return {
    query,
    top: top !== null && now - top.at <= transitionMs && isAlive(top.idx) ? top : null,
    recent: recent.filter(({ idx, at }) => now - at <= togetherMs && isAlive(idx)),
    answers: answers
      .filter(({ at }) => now - at <= answerMs)
      .map((answer) => ({ ...answer, patterns: answer.patterns.filter(({ idx }) => isAlive(idx)) }))
      .filter(({ patterns }) => patterns.length > 0),
  }
}

/** The trace after one more answer. @param activations of the answer's patterns, see `activationsOf` */
export function extendTrace(
  trace: Trace,
  answer: TracedAnswer,
  activations: readonly { idx: number; activation: number }[],
): Trace {
  const { at, query, patterns } = answer
  const used = new Set(activations.map(({ idx }) => idx))
  const recent = [
    ...activations.map(({ idx, activation }) => ({ idx, activation, at })),
    ...trace.recent.filter(({ idx }) => !used.has(idx)),
  ]
  const top = patterns[0]
  return {
    query,
    top: top === undefined ? trace.top : { idx: top.idx, at },
    recent: recent.sort((a, b) => b.activation - a.activation).slice(0, tracedPatterns),
    answers: patterns.length === 0 ? trace.answers : [answer, ...trace.answers].slice(0, tracedAnswers),
  }
}

/** The idx of every pattern that a trace mentions, each once. */
export function patternsOf({ top, recent, answers }: Trace): number[] {
  return [
    ...new Set([
      ...(top === null ? [] : [top.idx]),
      ...recent.map(({ idx }) => idx),
      ...answers.flatMap(({ patterns }) => patterns.map(({ idx }) => idx)),
    ]),
  ]
}
