import {
  type Association,
  activationsOf,
  faded,
  lasting,
  Strengthening,
} from '@memory/engine/learning/association'
import { parameters } from '@memory/engine/parameters'
import { seededRandom } from '@memory/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const day = 86_400_000

describe('activationsOf', () => {
  it('is softmax(20 cosine) scaled so that the largest is 1', () => {
    const answer = [
      { idx: 4, cosine: 0.8 },
      { idx: 7, cosine: 0.75 },
      { idx: 1, cosine: 0.7 },
    ]
    const total = answer.reduce((sum, { cosine }) => sum + Math.exp(20 * cosine), 0)
    const shares = answer.map(({ cosine }) => Math.exp(20 * cosine) / total)
    const activations = activationsOf(answer)
    expect(activations.map(({ idx }) => idx)).toEqual([4, 7, 1])
    activations.forEach(({ activation }, i) => {
      expect(activation).toBeCloseTo((shares[i] as number) / (shares[0] as number), 12)
    })
  })

  it('takes the most active first, whatever order they were answered in, and the lower idx of equal ones', () => {
    const answer = [
      { idx: 9, cosine: 0.5 },
      { idx: 2, cosine: 0.6 },
      { idx: 5, cosine: 0.6 },
    ]
    expect(activationsOf(answer).map(({ idx }) => idx)).toEqual([2, 5, 9])
  })

  it('leaves out what is 0.1 or less as active as the first: ln(10)/20 of cosine', () => {
    const edge = Math.log(10) / 20
    const answer = [0, edge - 1e-6, edge + 1e-6].map((behind, idx) => ({ idx, cosine: 0.9 - behind }))
    expect(activationsOf(answer).map(({ idx }) => idx)).toEqual([0, 1])
  })

  it('is of the eight most active at most', () => {
    const answer = Array.from({ length: 20 }, (_, idx) => ({ idx, cosine: 0.5 + idx / 1_000 }))
    expect(activationsOf(answer).map(({ idx }) => idx)).toEqual([19, 18, 17, 16, 15, 14, 13, 12])
  })

  it('is of nothing where there is no answer, or none with a cosine', () => {
    expect(activationsOf([])).toEqual([])
    for (const cosine of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(activationsOf([{ idx: 0, cosine }])).toEqual([])
    }
  })
})

const step = fc.record({
  one: fc.integer({ min: 0, max: 4 }),
  other: fc.integer({ min: 0, max: 4 }),
  a: fc.double({ min: 0, max: 1, noNaN: true }),
  b: fc.double({ min: 0, max: 1, noNaN: true }),
  rate: fc.double({ min: 0, max: 1.5, noNaN: true }),
})

const strengthen = (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
  const strengthening = new Strengthening()
  for (const { one, other, a, b, rate } of steps) {
    strengthening.add({ idx: one, activation: a }, { idx: other, activation: b }, rate)
  }
  return new Map(strengthening.pairs.map(({ a, b, kept }) => [`${a}-${b}`, kept]))
}

describe('Strengthening', () => {
  it('gives what one step after the other gives: w <- w + 0.1 a b rate (1 - w)', () => {
    fc.assert(
      fc.property(fc.array(step), fc.double({ min: 0, max: 1, noNaN: true }), (steps, start) => {
        const stepwise = new Map<string, number>()
        for (const { one, other, a, b, rate } of steps) {
          if (one === other) continue
          const pair = `${Math.min(one, other)}-${Math.max(one, other)}`
          const w = stepwise.get(pair) ?? start
          stepwise.set(pair, w + 0.1 * rate * a * b * (1 - w))
        }
        const kept = strengthen(steps)
        expect([...kept.keys()].toSorted()).toEqual([...stepwise.keys()].toSorted())
        for (const [pair, w] of stepwise) {
          expect(1 - (1 - start) * (kept.get(pair) as number)).toBeCloseTo(w, 10)
        }
      }),
    )
  })

  it('gives the same in any order, and in any two parts that are written one after the other', () => {
    fc.assert(
      fc.property(fc.array(step), fc.nat(), (steps, at) => {
        const whole = strengthen(steps)
        const reversed = strengthen(steps.toReversed())
        const [first, second] = [strengthen(steps.slice(0, at)), strengthen(steps.slice(at))]
        for (const [pair, kept] of whole) {
          expect(reversed.get(pair)).toBeCloseTo(kept, 12)
          expect((first.get(pair) ?? 1) * (second.get(pair) ?? 1)).toBeCloseTo(kept, 12)
        }
      }),
    )
  })

  it('keeps a weight in [0, 1], also after a million steps', () => {
    const strengthening = new Strengthening()
    const [one, other] = [
      { idx: 0, activation: 1 },
      { idx: 1, activation: 1 },
    ]
    for (let i = 0; i < 1_000_000; i++) strengthening.add(one, other, 1.5)
    expect(strengthening.pairs).toEqual([{ a: 0, b: 1, kept: expect.any(Number) }])
    expect(strengthening.pairs[0]?.kept).toBeGreaterThanOrEqual(0)
    expect(strengthening.pairs[0]?.kept).toBeLessThan(1e-300)
  })

  it('associates nothing with itself', () => {
    const strengthening = new Strengthening()
    strengthening.add({ idx: 3, activation: 1 }, { idx: 3, activation: 1 }, 1)
    expect(strengthening.pairs).toEqual([])
  })
})

describe('faded', () => {
  it('halves in 30 days', () => {
    expect(faded(0.8, 0, 30 * day)).toBeCloseTo(0.4, 12)
    expect(faded(0.8, 0, 90 * day)).toBeCloseTo(0.1, 12)
    expect(faded(0.8, 5 * day, 5 * day)).toBe(0.8)
  })

  it('does not grow where clocks differ, and ends at 0', () => {
    expect(faded(0.8, 10 * day, 0)).toBe(0.8)
    expect(faded(0.8, 0, 1e6 * day)).toBe(0)
  })
})

describe('lasting', () => {
  const { associationsMax } = parameters.learning
  const patterns = 60
  const now = 400 * day

  interface Pair {
    a: number
    b: number
    kept: number
  }

  /** Links by `a b`, with a < b. */
  type Links = ReadonlyMap<string, Association>

  const ends = (name: string) => name.split(' ').map(Number) as [number, number]

  const associatesIn = (links: Links) => (idx: number) =>
    new Map(
      [...links].flatMap(([name, link]): [number, Association][] => {
        const [a, b] = ends(name)
        return a === idx ? [[b, link]] : b === idx ? [[a, link]] : []
      }),
    )

  /** As the database does it: all are written, and what a pattern has beyond its strongest is dropped. */
  function learned(links: Links, pairs: readonly Pair[]): Links {
    const all = new Map(links)
    for (const { a, b, kept } of pairs) {
      const { weight, at } = all.get(`${a} ${b}`) ?? { weight: 0, at: now }
      all.set(`${a} ${b}`, { weight: 1 - (1 - faded(weight, at, now)) * kept, at: now })
    }
    const doomed = new Set<string>()
    for (const idx of new Set(pairs.flatMap(({ a, b }) => [a, b]))) {
      const ranked = [...all]
        .filter(([name]) => ends(name).includes(idx))
        .sort(([, x], [, y]) => faded(y.weight, y.at, now) - faded(x.weight, x.at, now))
      for (const [name] of ranked.slice(associationsMax)) doomed.add(name)
    }
    return new Map([...all].filter(([name]) => !doomed.has(name)))
  }

  const pairsOf = (random: () => number, count: number): Pair[] => {
    const pairs = new Map<string, Pair>()
    for (let n = 0; n < count; n++) {
      const [one, other] = [Math.floor(patterns * random()), Math.floor(patterns * random())]
      const [a, b] = [Math.min(one, other), Math.max(one, other)]
      if (a !== b) pairs.set(`${a} ${b}`, { a, b, kept: 0.8 + 0.2 * random() })
    }
    return [...pairs.values()]
  }

  it('leaves out only what would be dropped again, so that whatever else stays does', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 500, max: 3_000 }), (seed, before) => {
        const random = seededRandom(seed)
        const links = learned(new Map(), pairsOf(random, before))
        const pairs = pairsOf(random, 100)
        const those = lasting(pairs, associatesIn(links), now)
        const [withAll, withThose] = [learned(links, pairs), learned(links, those)]
        for (const [name, { weight }] of withAll) expect(withThose.get(name)?.weight).toBe(weight)
        for (let idx = 0; idx < patterns; idx++) {
          expect(associatesIn(withThose)(idx).size).toBeLessThanOrEqual(associationsMax)
        }
      }),
      { numRuns: 12 },
    )
  })

  it('leaves out most of what is new and weak where patterns have all the associations that they keep', () => {
    const random = seededRandom('a much used space')
    const links = learned(new Map(), pairsOf(random, 3_000))
    const pairs = pairsOf(random, 100).map((pair) => ({ ...pair, kept: 0.97 }))
    const isNew = ({ a, b }: Pair) => !links.has(`${a} ${b}`)
    const those = lasting(pairs, associatesIn(links), now)
    expect(pairs.filter(isNew).length).toBeGreaterThan(30)
    expect(those.filter(isNew).length).toBeLessThan(pairs.filter(isNew).length / 2)
    expect(those.filter((pair) => !isNew(pair))).toEqual(pairs.filter((pair) => !isNew(pair)))
  })

  it('counts associations as they have faded, and leaves none out of what is not known', () => {
    const links = (at: number) =>
      new Map(Array.from({ length: associationsMax }, (_, n) => [`0 ${n + 1}`, { weight: 0.5, at }] as const))
    const pair = { a: 0, b: 50, kept: 0.9 }
    expect(lasting([pair], associatesIn(links(now)), now)).toEqual([])
    // 0.5 has become 0.03.
    expect(lasting([pair], associatesIn(links(now - 120 * day)), now)).toEqual([pair])
    expect(lasting([pair], () => new Map(), now)).toEqual([pair])
    // One that is there is strengthened, however weak.
    const known = { a: 0, b: 1, kept: 0.99 }
    expect(lasting([known], associatesIn(links(now)), now)).toEqual([known])
  })
})
