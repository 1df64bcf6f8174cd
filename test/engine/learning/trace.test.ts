import {
  emptyTrace,
  extendTrace,
  patternsOf,
  refreshTrace,
  type Trace,
  type TracedAnswer,
} from '@memory/engine/learning/trace'
import { describe, expect, it } from 'vitest'

const now = Date.UTC(2026, 0, 1)
const second = 1_000
const minute = 60 * second
const always = () => true

const answerOf = (at: number, ...indexes: number[]): TracedAnswer => ({
  at,
  query: `query at ${at}`,
  pathway: 'exact',
  patterns: indexes.map((idx) => ({ idx, cosine: 0.5 })),
})

const full: Trace = {
  query: 'q',
  top: { idx: 1, at: now },
  recent: [{ idx: 2, activation: 1, at: now }],
  answers: [answerOf(now, 3, 4)],
}

describe('refreshTrace', () => {
  it.each([
    ['a minute', minute, 'recent'],
    ['five minutes', 5 * minute, 'answers'],
    ['half an hour', 30 * minute, 'top'],
  ] as const)('keeps for %s what it is for', (_name, window, part) => {
    const gone = part === 'top' ? null : []
    expect(refreshTrace(full, now + window, always)[part]).toEqual(full[part])
    expect(refreshTrace(full, now + window + 1, always)[part]).toEqual(gone)
  })

  it('keeps the last query however long ago', () => {
    expect(refreshTrace(full, now + 100 * minute, always)).toEqual({ ...emptyTrace, query: 'q' })
  })

  it('drops what is gone, and answers of which nothing is left', () => {
    const without = (...indexes: number[]) => refreshTrace(full, now, (idx) => !indexes.includes(idx))
    expect(without(1).top).toBeNull()
    expect(without(2).recent).toEqual([])
    expect(without(3).answers).toEqual([answerOf(now, 4)])
    expect(without(3, 4).answers).toEqual([])
  })

  it('changes nothing of what it was given', () => {
    const before = structuredClone(full)
    refreshTrace(full, now + 100 * minute, () => false)
    extendTrace(full, answerOf(now, 9), [{ idx: 9, activation: 1 }])
    expect(full).toEqual(before)
  })
})

describe('extendTrace', () => {
  it('puts the newest answer first and keeps four', () => {
    let trace = emptyTrace
    for (let i = 0; i < 6; i++) trace = extendTrace(trace, answerOf(now + i, i), [{ idx: i, activation: 1 }])
    expect(trace.answers.map(({ at }) => at - now)).toEqual([5, 4, 3, 2])
    expect(trace.top).toEqual({ idx: 5, at: now + 5 })
    expect(trace.query).toBe(`query at ${now + 5}`)
  })

  it('keeps the eight most active patterns, each as it was used last', () => {
    const first = Array.from({ length: 8 }, (_, idx) => ({ idx, activation: 1 - idx / 100 }))
    const before = extendTrace(emptyTrace, answerOf(now, 0), first)
    const after = extendTrace(before, answerOf(now + second, 7, 20), [
      { idx: 7, activation: 1 },
      { idx: 20, activation: 0.5 },
    ])
    expect(after.recent.map(({ idx }) => idx).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(after.recent.find(({ idx }) => idx === 7)).toEqual({ idx: 7, activation: 1, at: now + second })
  })

  it('keeps the top hit before an answer with nothing in it, which may not prove useful', () => {
    const after = extendTrace(full, { ...answerOf(now + second), query: 'other' }, [])
    expect(after).toEqual({ ...full, query: 'other' })
  })
})

describe('patternsOf', () => {
  it('is every pattern once', () => {
    expect(patternsOf(emptyTrace)).toEqual([])
    expect(patternsOf(full).toSorted()).toEqual([1, 2, 3, 4])
    expect(patternsOf({ ...full, answers: [answerOf(now, 1, 2), answerOf(now, 2)] }).toSorted()).toEqual([
      1, 2,
    ])
  })
})
