import type { Feedback, Observation, Use } from '@memory/engine/learning/learning-update'
import { inPieces, patternsOf } from '@memory/memory/learning/pieces'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const use = (indexes: readonly number[], at = 0): Use => ({
  kind: 'answer',
  at,
  surprise: 0.5,
  actor: 'ada',
  query: 'query',
  pathway: 'exact',
  patterns: indexes.map((idx) => ({ idx, cosine: 0.5 })),
})
const feedback = (idx: number, at = 0): Feedback => ({
  kind: 'feedback',
  at,
  actor: 'ada',
  idx,
  useful: true,
})
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n)
const usesOf = (piece: readonly Observation[]) => piece.filter(({ kind }) => kind === 'answer').length

test('uses of the same patterns are one piece', () => {
  const pieces = inPieces(upTo(50).map(() => use(upTo(100))))
  expect(pieces.map(usesOf)).toEqual([50])
})

test('uses of ten patterns each are written by tens', () => {
  const pieces = inPieces(upTo(50).map((n) => use(upTo(10, 10 * n))))
  expect(pieces.map(usesOf)).toEqual([10, 10, 10, 10, 10])
})

test('of uses of a hundred patterns each five are learned from, of the others the surprise', () => {
  const pieces = inPieces(upTo(20).map((n) => use(upTo(100, 100 * n), n)))
  expect(pieces.map(usesOf)).toEqual([1, 1, 1, 1, 1])
  expect(pieces.flat().map(({ at }) => at)).toEqual(upTo(20))
  expect(pieces.flat().slice(5)).toEqual(upTo(15, 5).map((at) => ({ kind: 'search', at, surprise: 0.5 })))
})

test('a use of more patterns than a piece has is a piece of its own', () => {
  expect(inPieces([use([1]), use(upTo(300)), use([1])]).map(usesOf)).toEqual([1, 1, 1])
})

test('whatever comes is in order, feedback all of it, and a piece of several has few patterns', () => {
  const one = fc.oneof(
    fc.array(fc.nat(400), { maxLength: 120 }).map((indexes) => use([...new Set(indexes)])),
    fc.nat(400).map((idx) => feedback(idx)),
  )
  fc.assert(
    fc.property(fc.array(one, { maxLength: 80 }), (some) => {
      const observations = some.map((it, at) => ({ ...it, at }))
      const pieces = inPieces(observations)
      expect(pieces.flat().map(({ at }) => at)).toEqual(upTo(some.length))
      expect(pieces.flat().filter(({ kind }) => kind === 'feedback')).toEqual(
        observations.filter(({ kind }) => kind === 'feedback'),
      )
      expect(usesOf(pieces.flat())).toBeLessThanOrEqual(50)
      for (const piece of pieces) {
        expect(piece.length === 0).toBe(false)
        const mentioning = piece.filter((it) => patternsOf([it]).length > 0)
        if (mentioning.length > 1) expect(patternsOf(piece).length).toBeLessThanOrEqual(100)
      }
    }),
  )
})
