import { initialState } from '@memory/engine/learning/state'
import { parameters } from '@memory/engine/parameters'
import { weightedMeanDeviation } from '@memory/engine/recall/mean-deviation'
import { salienceOf } from '@memory/engine/salience'
import { SpaceLearning } from '@memory/memory/learning/space-learning'
import { salienceMeanDeviation } from '@memory/memory/recall/space-salience'
import { describe, expect, it } from 'vitest'

const day = 86_400_000
const now = 400 * day

/** A space of `patterns`, stored over a year at so many times, of which those with an idx below `used` were used. */
function spaceOf(patterns: number, times: number, used: number): SpaceLearning {
  const learning = new SpaceLearning(0)
  const stored = Array.from({ length: times }, (_, i): [number, number] => [
    Math.floor((i * patterns) / times),
    Math.floor((i * 365 * day) / times),
  ])
  const links = { associations: [], transitions: [] }
  const learned = { ...links, state: initialState(0), stored, uses: [] }
  learning.apply({ engineVersion: 1, createdAt: new Date(0), end: patterns, learned })
  const useOf = (idx: number): [number, number, number, number] => {
    const lastAt = now - ((idx * 7_919) % 1_000) * (day / 50)
    return [idx, 1 + (idx % 5), lastAt, 0.05 + (idx % 7) / 7.5]
  }
  learning.add({ ...links, uses: Array.from({ length: used }, (_, idx) => useOf(idx)) })
  return learning
}

/** Each pattern looked at; the first small differences are not taken for large ones. */
const exactMoments = (learning: SpaceLearning, patterns: number) =>
  exactMomentsOf(
    learning,
    Array.from({ length: patterns }, (_, idx) => idx),
  )

function exactMomentsOf(learning: SpaceLearning, indexes: readonly number[]) {
  const values = indexes.map((idx) => salienceOf(learning.useOf(idx), now))
  const { mean, deviation } = weightedMeanDeviation(values.map((value) => ({ value, count: 1 })))
  return { mean, deviation: Math.max(deviation, parameters.salience.deviationMin) }
}

describe('salienceMoments', () => {
  it.each([
    { patterns: 1_000, times: 100, used: 10 },
    { patterns: 2_000, times: 2_000, used: 1_999 },
  ])('are those of all patterns of a small space: %o', ({ patterns, times, used }) => {
    const learning = spaceOf(patterns, times, used)
    const { mean, deviation } = salienceMeanDeviation(learning, patterns, now)
    const exact = exactMoments(learning, patterns)
    expect(mean).toBeCloseTo(exact.mean, 9)
    expect(deviation).toBeCloseTo(exact.deviation, 9)
  })

  it.each([
    { patterns: 30_000, times: 9_000, used: 20_000 },
    { patterns: 30_000, times: 9_000, used: 10 },
    { patterns: 30_000, times: 1, used: 30_000 },
  ])('stand for all patterns of a large one: %o', ({ patterns, times, used }) => {
    const learning = spaceOf(patterns, times, used)
    const { mean, deviation } = salienceMeanDeviation(learning, patterns, now)
    const exact = exactMoments(learning, patterns)
    expect(Math.abs(mean - exact.mean)).toBeLessThan(0.05 * exact.deviation)
    expect(deviation / exact.deviation).toBeGreaterThan(0.95)
    expect(deviation / exact.deviation).toBeLessThan(1.05)
  })

  it.each([
    { patterns: 104, times: 10, used: 2 },
    { patterns: 100_000, times: 9_000, used: 10 },
    { patterns: 300_000, times: 300, used: 9_000 },
  ])('are those of the patterns that are left: %o', ({ patterns, times, used }) => {
    const learning = spaceOf(patterns, times, used)
    const isStored = (idx: number) => idx % 26 === 0
    const { mean, deviation } = salienceMeanDeviation(learning, patterns, now, isStored)
    const left = Array.from({ length: patterns }, (_, idx) => idx).filter(isStored)
    const exact = exactMomentsOf(learning, left)
    expect(Math.abs(mean - exact.mean)).toBeLessThan(patterns === 104 ? 1e-9 : 0.1 * exact.deviation)
    expect(Math.abs(deviation / exact.deviation - 1)).toBeLessThan(patterns === 104 ? 1e-9 : 0.1)
  })

  it('look at no more than a part of a large space', () => {
    let asked = 0
    const isStored = (idx: number) => {
      asked++
      return idx % 2 === 0
    }
    salienceMeanDeviation(spaceOf(1_000_000, 300, 10), 1_000_000, now, isStored)
    expect(asked).toBeLessThan(20_000)
  })

  it('are silent before any use, and for an empty space', () => {
    expect(salienceMeanDeviation(spaceOf(100, 10, 0), 100, now)).toEqual({ mean: 0, deviation: 0 })
    expect(salienceMeanDeviation(new SpaceLearning(0), 0, now)).toEqual({ mean: 0, deviation: 0 })
  })
})
