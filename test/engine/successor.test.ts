import {
  countAt,
  type Prediction,
  predictNext,
  type StoreOrder,
  startDistribution,
  type Transition,
  type Transitions,
} from '@memory/engine/successor'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom } from './naive.ts'

const now = Date.UTC(2026, 0, 1)
const day = 86_400_000

type Count = [from: number, to: number, count: number, ageDays?: number]

function transitionsOf(counts: Count[]): Transitions {
  const transitions = new Map<number, Map<number, Transition>>()
  for (const [from, to, count, ageDays = 0] of counts) {
    const row = transitions.get(from) ?? new Map<number, Transition>()
    transitions.set(from, row.set(to, { count, at: now - ageDays * day }))
  }
  return transitions
}

const noOrder: StoreOrder = { nextInOrder: () => undefined }
/** Patterns 0 to n - 1, without those that were deleted. */
const orderOf = (n: number, deleted: readonly number[] = []): StoreOrder => {
  const isStored = (idx: number) => idx < n && !deleted.includes(idx)
  return {
    isStored,
    nextInOrder: (idx) => Array.from({ length: n }, (_, i) => i).find((i) => i > idx && isStored(i)),
  }
}

type Matrix = number[][]
const product = (row: number[], matrix: Matrix): number[] =>
  row.map((_, j) => row.reduce((sum, p, i) => sum + p * (matrix[i] as number[])[j]!, 0))

/** The definition in matrix arithmetic over all patterns. */
function dense(n: number, start: number[], counts: Count[], deleted: number[]): number[] {
  const isStored = (idx: number) => !deleted.includes(idx)
  const seen: Matrix = Array.from({ length: n }, () => Array.from({ length: n }, () => 0))
  for (const [from, to, count, ageDays = 0] of counts) {
    seen[from]![to] = isStored(to) ? count * 0.5 ** (ageDays / 30) : 0
  }
  for (let from = 0; from < n; from++) {
    for (let to = from + 1; to < n; to++) {
      if (!isStored(to)) continue
      seen[from]![to]! += 0.2
      break
    }
  }
  const matrix = seen.map((row) => {
    const sum = row.reduce((a, b) => a + b, 0)
    return row.map((count) => count / (sum + 1))
  })
  const t1 = product(start, matrix)
  const t2 = product(t1, matrix)
  const t3 = product(t2, matrix)
  const t4 = product(t3, matrix)
  return t1.map((p, j) => (p + t2[j]! / 2 + t3[j]! / 4 + t4[j]! / 8) / 1.875)
}

const sumOf = (predictions: Prediction[]) => predictions.reduce((sum, { strength }) => sum + strength, 0)

/** A space of up to 8 patterns with transitions of any age, some patterns deleted, and a start among the others. */
const space = fc.integer({ min: 1, max: 8 }).chain((n) => {
  const idx = fc.integer({ min: 0, max: n - 1 })
  const count = fc.double({ min: 0.001, max: 1_000, noNaN: true })
  return fc.record({
    n: fc.constant(n),
    counts: fc.uniqueArray(fc.tuple(idx, idx, count, fc.integer({ min: 0, max: 400 })), {
      maxLength: 20,
      selector: ([from, to]) => `${from} ${to}`,
    }),
    deleted: fc.subarray(
      Array.from({ length: n }, (_, i) => i),
      { maxLength: n - 1 },
    ),
    weights: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
  })
})

describe('predictNext', () => {
  it('is what the definition gives in dense matrix arithmetic', () => {
    fc.assert(
      fc.property(space, ({ n, counts, deleted, weights }) => {
        const live = weights.map((weight, i) => (deleted.includes(i) ? 0 : weight))
        const total = live.reduce((a, b) => a + b, 0)
        const start = live.map((weight) => weight / total)
        const best = start.indexOf(Math.max(...start))
        const expected = dense(n, start, counts, deleted)
        if (!counts.some(([from, to]) => from === best && to === best)) expected[best] = 0

        const found = predictNext(new Map(start.entries()), transitionsOf(counts), orderOf(n, deleted), now)

        for (const [i, strength] of expected.entries()) {
          expect(found.find(({ idx }) => idx === i)?.strength ?? 0).toBeCloseTo(strength, 12)
        }
        expect(found.every(({ idx }) => !deleted.includes(idx))).toBe(true)
        expect(sumOf(found)).toBeLessThanOrEqual(1)
        expect(found).toEqual(found.toSorted((a, b) => b.strength - a.strength || a.idx - b.idx))
      }),
    )
  })

  it('knows one transition for one in two, and many for nearly sure', () => {
    const one = predictNext(new Map([[1, 1]]), transitionsOf([[1, 2, 1]]), noOrder, now)
    expect(one).toEqual([{ idx: 2, strength: expect.closeTo(0.5 / 1.875, 12) }])
    const many = predictNext(new Map([[1, 1]]), transitionsOf([[1, 2, 999]]), noOrder, now)
    expect(many).toEqual([{ idx: 2, strength: expect.closeTo(0.999 / 1.875, 12) }])
  })

  it('halves what was seen with each 30 days', () => {
    const [old] = predictNext(new Map([[1, 1]]), transitionsOf([[1, 2, 2, 30]]), noOrder, now)
    expect(old?.strength).toBeCloseTo(0.5 / 1.875, 12)
  })

  it('reaches what comes four steps later and nothing further', () => {
    const chain = transitionsOf([0, 1, 2, 3, 4].map((i): Count => [i, i + 1, 1]))
    const found = predictNext(new Map([[0, 1]]), chain, noOrder, now)
    expect(found.map(({ idx }) => idx)).toEqual([1, 2, 3, 4])
    found.forEach(({ strength }, step) => {
      expect(strength).toBeCloseTo((0.5 ** (step + 1) * 0.5 ** step) / 1.875, 12)
    })
  })

  it('leaves out the best match, but not where it was seen to follow itself', () => {
    const start = new Map([
      [7, 0.7],
      [8, 0.3],
    ])
    const cycle: Count[] = [
      [7, 8, 5],
      [8, 7, 5],
    ]
    expect(predictNext(start, transitionsOf(cycle), noOrder, now).map(({ idx }) => idx)).toEqual([8])
    const found = predictNext(start, transitionsOf([...cycle, [7, 7, 1]]), noOrder, now)
    expect(found.map(({ idx }) => idx)).toEqual([8, 7])
    expect(sumOf(found)).toBeLessThanOrEqual(1)
  })

  it('predicts weakly from the order of storing before any use', () => {
    const found = predictNext(new Map([[0, 1]]), new Map(), orderOf(3), now)
    const share = 0.2 / 1.2
    expect(found).toEqual([
      { idx: 1, strength: expect.closeTo(share / 1.875, 12) },
      { idx: 2, strength: expect.closeTo((share * share * 0.5) / 1.875, 12) },
    ])
  })

  it('skips what was deleted: it is no successor, and takes no share of the others', () => {
    const counts: Count[] = [
      [0, 1, 100],
      [0, 3, 1],
    ]
    const found = predictNext(new Map([[0, 1]]), transitionsOf(counts), orderOf(4, [1, 2]), now)
    expect(found).toEqual([{ idx: 3, strength: expect.closeTo(1.2 / 2.2 / 1.875, 12) }])
  })

  it('predicts nothing from nothing and for a pattern that is alone', () => {
    expect(predictNext(new Map(), new Map(), noOrder, now)).toEqual([])
    expect(predictNext(new Map(), transitionsOf([[0, 1, 1]]), orderOf(2), now)).toEqual([])
    expect(predictNext(new Map([[0, 1]]), new Map(), orderOf(1), now)).toEqual([])
  })

  it('stays within what the definition gives, and near it, where everything leads to much', () => {
    const n = 600
    const random = randomFrom(3)
    const counts: Count[] = []
    for (let from = 0; from < n; from++) {
      for (let i = 0; i < 12; i++)
        counts.push([from, Math.floor(random() * n), 1 + Math.floor(random() * 20)])
    }
    const merged = new Map(counts.map((each) => [`${each[0]} ${each[1]}`, each]))
    const distinct = [...merged.values()].filter(([from, to]) => from !== to)
    const start = Array.from({ length: n }, (_, i) => (i < 5 ? 0.2 : 0))
    const expected = dense(n, start, distinct, [])
    const best = 0
    expected[best] = 0

    const found = predictNext(new Map(start.entries()), transitionsOf(distinct), orderOf(n), now)

    const strengths = new Map(found.map(({ idx, strength }) => [idx, strength]))
    for (const [i, strength] of expected.entries()) {
      expect(strengths.get(i) ?? 0).toBeLessThanOrEqual(strength + 1e-12)
    }
    const top = expected
      .map((strength, idx) => ({ idx, strength }))
      .toSorted((a, b) => b.strength - a.strength)
    for (const { idx, strength } of top.slice(0, 20)) {
      expect(strengths.get(idx) ?? 0).toBeGreaterThan(0.9 * strength)
    }
  })

  it('takes no part in counts and probabilities that are no numbers', () => {
    const start = new Map([
      [0, 1],
      [5, Number.NaN],
    ])
    const counts: Count[] = [
      [0, 1, Number.NaN],
      [0, 2, 1],
      [0, 3, Number.POSITIVE_INFINITY],
      [0, 4, -1],
    ]
    expect(predictNext(start, transitionsOf(counts), noOrder, now)).toEqual([
      { idx: 2, strength: expect.closeTo(0.5 / 1.875, 12) },
    ])
  })
})

describe('startDistribution', () => {
  const hits = (cosines: number[]) => ({
    labels: Int32Array.from(cosines, (_, i) => 10 + i),
    scores: Float64Array.from(cosines),
  })

  it('is softmax(20 cos) of the nearest five', () => {
    const cosines = [0.9, 0.85, 0.5, 0.1, -0.2, -0.9]
    const five = cosines.slice(0, 5).map((cos) => Math.exp(20 * cos))
    const total = five.reduce((a, b) => a + b, 0)
    expect(Array.from(startDistribution(hits(cosines)))).toEqual(
      five.map((weight, i) => [10 + i, expect.closeTo(weight / total, 12)]),
    )
  })

  it('sums to 1, and is empty without hits', () => {
    expect(startDistribution(hits([])).size).toBe(0)
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1 }), (cosines) => {
        const sum = Array.from(startDistribution(hits(cosines)).values()).reduce((a, b) => a + b, 0)
        expect(sum).toBeCloseTo(1, 12)
      }),
    )
  })
})

describe('countAt', () => {
  it('halves every 30 days', () => {
    for (const ageDays of [0, 30, 90])
      expect(countAt({ count: 1, at: now - ageDays * day }, now)).toBeCloseTo(2 ** (-ageDays / 30), 12)
  })

  it('takes a moment before its own for its own', () => {
    expect(countAt({ count: 2, at: now }, now - day)).toBe(2)
  })
})
