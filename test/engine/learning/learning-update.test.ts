import { learnFrom } from '@memory/engine/learning/learning-update'
import { headNames } from '@memory/engine/recall/heads'
import { describe, expect, it } from 'vitest'
import {
  calmRate,
  feedback,
  learn,
  minute,
  now,
  second,
  start,
  strengthsOf,
  transitionsOf,
  use,
  weightsOf,
} from './experience.ts'

const eta = 0.1 * calmRate

describe('an answer', () => {
  it('associates its patterns: w = eta a_i a_j', () => {
    const weights = weightsOf(
      learn(
        use(now, [
          [3, 0.8],
          [1, 0.75],
          [2, 0.3],
        ]),
      ),
    )
    expect(Object.keys(weights)).toEqual(['1-3'])
    expect(weights['1-3']).toBeCloseTo(eta * Math.exp(-1), 12)
  })

  it('strengthens its first three patterns towards a bound: s + 0.01 (0.65 - s)', () => {
    expect(strengthsOf(learn(use(now, [5, 6, 7, 8])))).toMatchObject({ 5: 0.5015, 6: 0.5015, 7: 0.5015 })
    const twice = strengthsOf(learn(use(now, [5]), use(now + 1, [5])))
    expect(twice[5]).toBeCloseTo(0.502985, 12)
    // One further down keeps its strength, and is named: it counts one answer more.
    expect(strengthsOf(learn(use(now, [5, 6, 7, 8])))[8]).toBe(0.5)
  })

  it('makes no pattern as strong as feedback does at once, however often it is given', () => {
    const answers = Array.from({ length: 2_000 }, (_, i) => use(now + i * minute, [5]))
    expect(strengthsOf(learn(...answers))[5]).toBeCloseTo(0.65, 6)
    expect(strengthsOf(learn(feedback(now, 5, true)))[5]).toBe(0.75)
  })

  it('takes nothing of the strength that feedback gave, and of one that feedback took adds to what is left', () => {
    const answers = Array.from({ length: 100 }, (_, i) => use(now + i * minute, [5]))
    expect(strengthsOf(learn(feedback(now, 5, true), ...answers))[5]).toBe(0.75)
    expect(strengthsOf(learn(...answers, feedback(now, 5, true), ...answers))[5]).toBeGreaterThan(0.75)
    expect(strengthsOf(learn(feedback(now, 5, false), use(now, [5])))[5]).toBeCloseTo(0.254, 12)
    const isAlive = () => true
    const strongest = { strengthOf: () => 0.9375 }
    expect(strengthsOf(learnFrom(start, new Map(), answers, isAlive, strongest))).toEqual({ 5: 0.9375 })
  })

  it('of nothing teaches nothing but its query', () => {
    const { state, traces, ...nothing } = learn(use(now, []))
    expect(nothing).toEqual({ records: [], associations: [], transitions: [], strengths: [] })
    expect(state).toEqual(start)
    expect(traces.get('ada')).toMatchObject({ query: `query at ${now}`, top: null, answers: [] })
  })

  it('is remembered as the space’s last one', () => {
    expect(learn(use(now, [4]), use(now, [])).state.lastTop).toBe(4)
  })

  it('moves the mean of what is asked', () => {
    const asked = (...values: number[]) => ({ asked: Float32Array.from(values) })
    const { state } = learn(
      use(now, [1], asked(1, 0)),
      use(now + 1, [1], asked(0, 1)),
      use(now + 2, [1], asked(0, 1)),
    )
    expect(state.asked.count).toBe(3)
    expect(state.asked.mean[0]).toBeCloseTo(1 / 3, 4)
    expect(state.asked.mean[1]).toBeCloseTo(2 / 3, 4)
    const longer = learnFrom(state, new Map(), [use(now, [1], asked(0, 0, 1))], () => true)
    expect(longer.state.asked).toEqual({ mean: [0, 0, 1], count: 1 })
  })

  it('is observed with its surprise, and without one where it was of a part of the space', () => {
    expect(learn(use(now, [1], { surprise: 0.3 })).records).toMatchObject([{ surprise: 0.3, at: now }])
    expect(learn(use(now, [1])).records).toEqual([])
  })
})

describe('two answers to one actor', () => {
  it.each([
    [1, eta],
    [60 * second, eta],
    [60 * second + 1, undefined],
  ])('associate what they held, within a minute: after %i ms', (later, weight) => {
    const weights = weightsOf(learn(use(now, [1]), use(now + later, [2])))
    if (weight === undefined) expect(weights['1-2']).toBeUndefined()
    else expect(weights['1-2']).toBeCloseTo(weight, 12)
  })

  it.each([
    [30 * minute, { '1>2': 1 }],
    [30 * minute + 1, {}],
  ])('are a transition between their top hits, within half an hour: after %i ms', (later, transitions) => {
    expect(transitionsOf(learn(use(now, [1, 9]), use(now + later, [2, 8])))).toEqual(transitions)
  })

  it('count each transition', () => {
    const steps = [1, 2, 1, 2, 2].map((idx, i) => use(now + i * second, [idx]))
    expect(transitionsOf(learn(...steps))).toEqual({ '1>2': 2, '2>1': 1, '2>2': 1 })
  })

  it('to the same query in a row are no step, no association and no proof', () => {
    const query = { query: 'the same' }
    const { state, ...update } = learn(
      use(now, [1, 2], query),
      use(now + second, [1, 2], query),
      use(now + 2, [3], query),
    )
    expect(transitionsOf({ state, ...update })).toEqual({})
    expect(weightsOf({ state, ...update })['1-2']).toBeCloseTo(eta, 12)
    expect(Object.keys(weightsOf({ state, ...update }))).toEqual(['1-2'])
    expect(state.reliability).toEqual(start.reliability)
    expect(update.traces.get('ada')?.answers).toHaveLength(1)
  })

  it('of different actors have nothing to do with each other', () => {
    const update = learn(
      use(now, [1]),
      use(now + 1, [2], { actor: 'ben' }),
      use(now + 2, [1], { actor: 'ben' }),
    )
    expect(transitionsOf(update)).toEqual({ '2>1': 1 })
    expect([...update.traces.keys()]).toEqual(['ada', 'ben'])
    expect(update.state.reliability.exact).toEqual(start.reliability.exact)
  })

  it('teach the same whether they come at once or one later, with what was kept between', () => {
    const [first, second_] = [use(now, [1, 2]), use(now + second, [2, 3])]
    const atOnce = learn(first, second_)
    const before = learn(first)
    const after = learnFrom(before.state, before.traces, [second_], () => true)
    expect(after.state).toEqual(atOnce.state)
    expect(after.traces).toEqual(atOnce.traces)
    expect([...before.transitions, ...after.transitions]).toEqual(atOnce.transitions)
  })
})

describe('what proves useful', () => {
  const exact = (update: ReturnType<typeof learn>) => update.state.reliability.exact

  it('is the top of an answer that is found again as the top', () => {
    expect(exact(learn(use(now, [1, 2]), use(now + minute, [1])))).toMatchObject({ a: 2, b: 1 })
  })

  it('is a failure of the pathway where it stood further down', () => {
    expect(exact(learn(use(now, [1, 2]), use(now + minute, [2])))).toMatchObject({ a: 1, b: 2 })
  })

  it.each([
    [5 * minute, 2],
    [5 * minute + 1, 1],
  ])('counts within five minutes: after %i ms', (later, a) => {
    expect(exact(learn(use(now, [1]), use(now + later, [1]))).a).toBe(a)
  })

  it('says something of the newest answer that held it only, and once of each', () => {
    const older = use(now, [2, 1], { pathway: 'energy' })
    const newer = use(now + 1, [1, 2], { pathway: 'attention' })
    const { energy, attention, exact } = learn(older, newer, use(now + 2, [1])).state.reliability
    // The newer answer itself found on top what the older one had second.
    expect(energy).toMatchObject({ a: 1, b: 2 })
    expect(attention).toMatchObject({ a: 2, b: 1 })
    expect(exact).toMatchObject({ a: 1, b: 1 })
    const again = learn(older, newer, use(now + 2, [1]), use(now + 3, [1])).state.reliability
    expect(again.attention).toEqual(attention)
    expect(again.exact).toMatchObject({ a: 2, b: 1 })
  })

  it('is not what an answer held far from its query: ln(10)/20 of cosine behind the nearest', () => {
    const found = (cosine: number) =>
      exact(
        learn(
          use(now, [
            [1, 0.7],
            [2, cosine],
          ]),
          use(now + 1, [2]),
        ),
      )
    expect(found(0.7 - Math.log(10) / 20 + 1e-6)).toMatchObject({ a: 1, b: 2 })
    expect(found(0.7 - Math.log(10) / 20 - 1e-6)).toMatchObject({ a: 1, b: 1 })
  })

  it('raises the heads that speak for it, where heads had ordered the answer', () => {
    const z = (semantic: number, lexical: number) =>
      headNames.map((head) => ({ semantic, lexical })[head as 'semantic'] ?? 0)
    const patterns = [
      { idx: 1, cosine: 0.6, z: z(2, 0) },
      { idx: 2, cosine: 0.5, z: z(0, 3) },
    ]
    const { headWeights } = learn(use(now, [], { patterns, pathway: 'attention' }), use(now + 1, [2])).state
    const ratio = (weights: typeof headWeights) => weights.lexical / weights.semantic
    expect(ratio(headWeights)).toBeGreaterThan(ratio(start.headWeights))
    expect(Object.values(headWeights).reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12)
    expect(learn(use(now, [1, 2]), use(now + 1, [2])).state.headWeights).toEqual(start.headWeights)
  })
})

describe('feedback', () => {
  it('moves the strength: s + 0.5 (1 - s), or s - 0.5 s', () => {
    expect(strengthsOf(learn(feedback(now, 1, true)))[1]).toBeCloseTo(0.75, 12)
    expect(strengthsOf(learn(feedback(now, 1, false)))[1]).toBeCloseTo(0.25, 12)
    expect(strengthsOf(learn(feedback(now, 1, true), feedback(now, 1, false)))[1]).toBeCloseTo(0.375, 12)
  })

  it.each([
    [0, true, { a: 2, b: 1 }],
    [1, true, { a: 1, b: 2 }],
    [0, false, { a: 1, b: 2 }],
    [1, false, { a: 1, b: 1 }],
  ])('judges the pathway: rank %i, useful %s', (rank, useful, record) => {
    const update = learn(use(now, [4, 5]), feedback(now + 1, [4, 5][rank] as number, useful))
    expect(update.state.reliability.exact).toMatchObject(record)
  })

  it('judges an answer once', () => {
    const update = learn(use(now, [4, 5]), feedback(now + 1, 4, true), feedback(now + 2, 4, true))
    expect(update.state.reliability.exact).toMatchObject({ a: 2, b: 1 })
    expect(update.traces.get('ada')?.answers).toEqual([])
  })

  it('means the answer of a query that is named, and leaves the actor’s own ones', () => {
    const answer = {
      pathway: 'attention' as const,
      patterns: [
        { idx: 9, cosine: 0.4 },
        { idx: 4, cosine: 0.3 },
      ],
    }
    const update = learn(use(now, [4]), feedback(now + 1, 4, true, { answer }))
    expect(update.state.reliability.attention).toMatchObject({ a: 1, b: 2 })
    expect(update.state.reliability.exact).toMatchObject({ a: 1, b: 1 })
    expect(update.traces.get('ada')?.answers).toHaveLength(1)
  })

  it('of what was in no answer says something of the pattern alone', () => {
    const { state, traces, strengths } = learn(feedback(now, 4, true))
    expect(state).toEqual(start)
    expect(traces.size).toBe(0)
    expect(strengths).toHaveLength(1)
  })
})

describe('patterns that are gone', () => {
  it('teach nothing', () => {
    const observations = [
      use(now, [1, 2]),
      use(now + 1, [2, 1]),
      feedback(now + 2, 1, true),
      feedback(now + 2, 2, false),
    ]
    const { state, traces, ...nothing } = learnFrom(start, new Map(), observations, () => false)
    expect(nothing).toEqual({ records: [], associations: [], transitions: [], strengths: [] })
    expect(state).toEqual(start)
    expect(JSON.stringify([...traces.values()])).not.toContain('"idx"')
  })

  it('make room for the next in their answer', () => {
    const update = learnFrom(start, new Map(), [use(now, [1, 2]), use(now + 1, [3])], (idx) => idx !== 1)
    expect(transitionsOf(update)).toEqual({ '2>3': 1 })
    expect(Object.keys(weightsOf(update))).toEqual(['2-3'])
  })

  it('are in no trace that is written', () => {
    const before = learn(use(now, [1, 2]), use(now + 1, [3]))
    const { traces } = learnFrom(before.state, before.traces, [use(now + 2, [4])], (idx) => idx === 4)
    expect(traces.get('ada')).toMatchObject({ top: { idx: 4 }, recent: [{ idx: 4 }] })
    expect(traces.get('ada')?.answers.flatMap(({ patterns }) => patterns)).toEqual([{ idx: 4, cosine: 0.5 }])
  })
})
