import {
  type Run,
  sequenceCoherence,
  type Triple,
  turnTaking,
} from '@memory/engine/recall/sequence-coherence'
import { describe, expect, it } from 'vitest'

/** Deterministic normal deviates (Box and Muller, 1958, on a linear congruential generator). */
function deviates(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 4_294_967_297
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

const dimensions = 64
const centre = new Float32Array(dimensions).fill(0.1)

/** Keys around the centre of which each resembles the one before by `correlation`. */
function walk(count: number, correlation: number, seed: number): Float32Array[] {
  const next = deviates(seed)
  const keys: Float32Array[] = []
  let offset = Float64Array.from({ length: dimensions }, next)
  for (let i = 0; i < count; i++) {
    keys.push(Float32Array.from(offset, (value, d) => value + (centre[d] as number)))
    offset = offset.map((value) => correlation * value + Math.sqrt(1 - correlation ** 2) * next())
  }
  return keys
}

/** Of keys that were stored in this order each but the last, with the next and one half of all away. */
const neighbours = (keys: Float32Array[]) =>
  keys.slice(1).map((key, i): Triple => {
    const far = keys[(i + Math.floor(keys.length / 2)) % keys.length]
    return [keys[i] as Float32Array, key, far as Float32Array]
  })

describe('sequenceCoherence', () => {
  it('is 0 where nothing is known', () => {
    const key = new Float32Array(dimensions).fill(0.5)
    expect(sequenceCoherence([], centre)).toBe(0)
    expect(sequenceCoherence([[key, key, key]], centre)).toBe(0)
    expect(sequenceCoherence(Array(9).fill([centre, centre, centre]), centre)).toBe(0)
    expect(sequenceCoherence(Array(9).fill([new Float32Array(), key, key]), centre)).toBeLessThanOrEqual(1)
  })

  it('is full where neighbours are alike', () => {
    expect(sequenceCoherence(neighbours(walk(257, 0.4, 1)), centre)).toBe(1)
  })

  it('is none in random order, but by chance', () => {
    const trusts = Array.from({ length: 50 }, (_, seed) =>
      sequenceCoherence(neighbours(walk(257, 0, seed)), centre),
    )
    expect(trusts.filter((trust) => trust > 0).length).toBeLessThanOrEqual(5)
    expect(Math.max(...trusts)).toBeLessThan(0.3)
  })

  it('is none where all of a sequence are alike, in whatever order', () => {
    const topic = walk(1, 0, 7)[0] as Float32Array
    const trusts = Array.from({ length: 50 }, (_, seed) =>
      sequenceCoherence(
        neighbours(walk(257, 0, seed).map((key) => key.map((value, d) => value + (topic[d] ?? 0)))),
        centre,
      ),
    )
    expect(trusts.filter((trust) => trust > 0).length).toBeLessThanOrEqual(5)
    expect(Math.max(...trusts)).toBeLessThan(0.3)
  })

  it('grows with the likeness of neighbours', () => {
    const trusts = [0.03, 0.06, 0.09, 0.12].map((likeness) =>
      sequenceCoherence(neighbours(walk(4_000, likeness, 3)), centre),
    )
    expect(trusts).toEqual(trusts.toSorted((a, b) => a - b))
    expect(trusts[1]).toBeGreaterThan(0.3)
    expect(trusts[1]).toBeLessThan(0.8)
  })
})

/** Of keys that were stored in this order every four that follow each other. */
const fours = (keys: Float32Array[]): Run[] =>
  keys.slice(3).map((key, i) => [...keys.slice(i, i + 3), key] as unknown as Run)

describe('turnTaking', () => {
  /** Keys of two speakers in turns: each goes on from what it said last, by `correlation`. */
  function turns(count: number, correlation: number, seed: number): Float32Array[] {
    const [one, other] = [walk(count / 2, correlation, seed), walk(count / 2, correlation, seed + 1_000)]
    return one.flatMap((key, i) => [key, other[i] as Float32Array])
  }

  /** Keys that are sorted by topic: `size` of each are alike, and then comes another. */
  function topics(count: number, size: number, seed: number): Float32Array[] {
    const next = deviates(seed)
    return Array.from({ length: count / size }, () => {
      const topic = Float64Array.from({ length: dimensions }, next)
      return Array.from({ length: size }, () =>
        Float32Array.from(topic, (value, d) => (centre[d] as number) + value + next()),
      )
    }).flat()
  }

  it('is 0 where nothing is known', () => {
    const key = new Float32Array(dimensions).fill(0.5)
    expect(turnTaking([], centre)).toBe(0)
    expect(turnTaking([[key, key, key, key]], centre)).toBe(0)
    expect(turnTaking(Array(9).fill([centre, centre, centre, centre]), centre)).toBe(0)
    expect(turnTaking(Array(9).fill([key, key, key, key]), centre)).toBe(0)
    expect(turnTaking(Array(9).fill([key, new Float32Array(), key, key]), centre)).toBeLessThanOrEqual(1)
  })

  it('is full where speakers surely take turns, whoever comes first', () => {
    const keys = turns(258, 0.5, 1)
    expect(turnTaking(fours(keys), centre)).toBe(1)
    expect(turnTaking(fours(keys.slice(1)), centre)).toBe(1)
    expect(turnTaking(fours(keys.toReversed()), centre)).toBe(1)
  })

  it('grows with how much a speaker goes on', () => {
    const shares = [0.01, 0.02, 0.03, 0.04].map((correlation) =>
      turnTaking(fours(turns(8_000, correlation, 5)), centre),
    )
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares[1]).toBeGreaterThan(0.2)
    expect(shares[2]).toBeLessThan(0.8)
  })

  it.each([2, 3, 4, 8, 32])('is 0 where texts are sorted by topic, %i of each', (size) => {
    expect(turnTaking(fours(topics(384, size, size)), centre)).toBe(0)
  })

  it('is 0 where each goes on from the one before, as passages of an article do', () => {
    expect(turnTaking(fours(walk(257, 0.5, 3)), centre)).toBe(0)
  })

  it('is none in random order, but by chance', () => {
    const shares = Array.from({ length: 50 }, (_, seed) => turnTaking(fours(walk(257, 0, seed)), centre))
    // One standard error is exceeded by 16 % of all chances.
    expect(shares.filter((share) => share > 0).length).toBeLessThanOrEqual(15)
    expect(Math.max(...shares)).toBeLessThan(0.5)
  })
})
