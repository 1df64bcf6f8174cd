import { parameters } from '../parameters.ts'
import type { Pathway } from './state.ts'

const { answerMs, transitionMs, togetherMs, tracedAnswers, tracedPatterns } = parameters.learning

/** A pattern of an answer. */
export interface AnsweredPattern {
  idx: number
  /** Cosine to the query. */
  cosine: number
  /** The pattern's z-scores by head, where the answer was ordered by them. */
  z?: readonly number[]
}

/** An answer that a later use may show to have been useful. */
export interface TracedAnswer {
  /** Ms since 1970. */
  at: number
  /** Tells queries apart. */
  query: string
  pathway: Pathway
  /** Best first. */
  patterns: readonly AnsweredPattern[]
}

/** What an actor did last, as far as later uses refer to it. A plain JSON value. */
export interface Trace {
  /** The last query. */
  query: string | null
  /** Top hit of the last query. */
  top: { idx: number; at: number } | null
  /** Patterns used shortly before, the strongest of them. */
  recent: readonly { idx: number; activation: number; at: number }[]
  /** Newest first. */
  answers: readonly TracedAnswer[]
}

export const emptyTrace: Trace = { query: null, top: null, recent: [], answers: [] }

/** The trace without what is too long ago, or of patterns that are gone. */
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

/** Every pattern that a trace mentions, once. */
export function patternsOf({ top, recent, answers }: Trace): number[] {
  return [
    ...new Set([
      ...(top === null ? [] : [top.idx]),
      ...recent.map(({ idx }) => idx),
      ...answers.flatMap(({ patterns }) => patterns.map(({ idx }) => idx)),
    ]),
  ]
}
