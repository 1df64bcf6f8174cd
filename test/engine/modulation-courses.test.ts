import {
  advanceTo,
  calibrate,
  initialModulation,
  inject,
  type ModulationState,
  observe,
  policyOf,
  type SignalRecord,
} from '@memory/engine/modulation'
import { changesOf, isGuarded, regimes } from '@memory/engine/regime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom } from './naive.ts'
import { normals, searchAll } from './observations.ts'

const start = 1_767_225_600_000
const second = 1_000
const hour = 3_600_000

type Step = { wait: number } & (
  | { do: 'observe'; kind: 'search' | 'store'; surprise: number }
  | { do: 'inject'; magnitude: number }
  | { do: 'calibrate' }
  | { do: 'advance' }
)

const wait = fc.oneof(fc.nat(3_000), fc.constantFrom(0, 999, 1_000, 60_000, 10 * hour, -500))
const surprise = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1))
const steps = (input: fc.Arbitrary<number>): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          do: fc.constant('observe' as const),
          kind: fc.constantFrom('search' as const, 'store' as const),
          surprise: input,
          wait,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('inject' as const),
          magnitude: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), input),
          wait,
        }),
      },
      fc.record({ do: fc.constant('calibrate' as const), wait }),
      fc.record({ do: fc.constant('advance' as const), wait }),
    ),
    { maxLength: 60 },
  )

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

/** Does the steps one after the other, on states that nobody may change. */
function run(list: readonly Step[]): { state: ModulationState; records: SignalRecord[]; now: number } {
  let state = initialModulation(start)
  let now = start
  const records: SignalRecord[] = []
  for (const step of list) {
    now += step.wait
    const done = doStep(freeze(state), step, now)
    state = done.state
    records.push(...done.records)
  }
  return { state, records, now }
}

function doStep(state: ModulationState, step: Step, now: number) {
  if (step.do === 'advance') return advanceTo(state, now)
  if (step.do === 'calibrate') {
    const { state: after, earlier } = calibrate(state, now)
    return { state: after, records: earlier }
  }
  const { record, earlier, ...done } =
    step.do === 'inject' ? inject(state, step.magnitude, now) : observe(state, { ...step, at: now })
  return { state: done.state, records: [...earlier, record] }
}

describe('any course of a space', () => {
  it('has finite numbers in their bounds, whatever it is given', () => {
    fc.assert(
      fc.property(steps(fc.oneof(surprise, fc.double())), (list) => {
        const { state, records } = run(list)
        expect(JSON.parse(JSON.stringify(state))).toEqual(state)
        for (const { signal } of [state, ...records]) expect(Math.abs(signal)).toBeLessThanOrEqual(106)
        for (const { gate, surprise, regime } of records) {
          expect(gate).toBeGreaterThanOrEqual(0)
          expect(gate).toBeLessThanOrEqual(1)
          if (surprise !== null) expect(surprise >= 0 && surprise <= 1).toBe(true)
          expect(regimes).toContain(regime)
        }
        expect(state.recent.length).toBeLessThanOrEqual(100)
        const { learningRateMultiplier } = policyOf(state)
        expect(learningRateMultiplier >= 0.1 && learningRateMultiplier <= 1.5).toBe(true)
      }),
    )
  })

  it('has its records in the order of time, the last with the regime that the space is in', () => {
    fc.assert(
      fc.property(steps(surprise), (list) => {
        const { state, records } = run(list)
        const times = records.map(({ at }) => at)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(records.at(-1)?.regime ?? 'normal').toBe(state.regime)
        const last = changesOf('normal', records).at(-1)
        expect(last?.to ?? 'normal').toBe(state.regime)
      }),
    )
  })

  it('comes back to normal out of every guarded regime when it is left alone', () => {
    fc.assert(
      fc.property(steps(surprise), (list) => {
        const { state, now } = run(list)
        const after = advanceTo(state, now + 12 * 60 * second).state
        expect(isGuarded(after.regime)).toBe(false)
      }),
    )
  })

  it('advances the same in one go and in several', () => {
    fc.assert(
      fc.property(steps(surprise), fc.array(fc.nat(40_000), { maxLength: 8 }), (list, waits) => {
        const { state, now } = run(list)
        let gone = { state, records: [] as SignalRecord[] }
        let time = now
        for (const wait of waits) {
          time += wait
          const { state, records } = advanceTo(gone.state, time)
          gone = { state, records: [...gone.records, ...records] }
        }
        expect(advanceTo(state, time)).toEqual(gone)
      }),
    )
  })
})

describe('novelty', () => {
  // A space whose searches are near what it knows.
  const usual = searchAll(initialModulation(start), normals(randomFrom(7), 3_000, 0.2, 0.05)).state

  it('of the usual kind is high surprise once in ten thousand searches at most, and no anomaly', () => {
    const { records } = searchAll(usual, normals(randomFrom(8), 50_000, 0.2, 0.05))
    const changes = changesOf('normal', records)
    expect(changes.length).toBeLessThanOrEqual(10)
    expect(new Set(changes.map(({ to }) => to)).has('anomaly')).toBe(false)
  })

  it('that lasts, at four standard deviations, is high surprise, then an anomaly, then the norm', () => {
    const { mean, std } = usual.searches
    const { records } = searchAll(
      usual,
      Array.from({ length: 2_000 }, () => mean + 4 * std),
    )
    const changes = changesOf('normal', records)
    expect(changes.map(({ to }) => to)).toEqual(['high_surprise', 'anomaly', 'recovery', 'normal'])
    const reached = (change: number) => records.findIndex(({ at }) => at === changes[change]?.at)
    expect(reached(1)).toBeLessThan(15)
    expect(reached(3)).toBeLessThan(400)
  })

  it('that is over soon is no anomaly', () => {
    const { mean, std } = usual.searches
    const short = [
      ...Array.from({ length: 4 }, () => mean + 4 * std),
      ...normals(randomFrom(9), 50, 0.2, 0.05),
    ]
    const { records } = searchAll(usual, short)
    expect(changesOf('normal', records).map(({ to }) => to)).toEqual(['high_surprise', 'normal'])
  })

  it('however it goes on, never keeps a space in an anomaly', () => {
    const pattern = fc.array(surprise, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(pattern, fc.double({ min: 0, max: 100, noNaN: true }), (list, magnitude) => {
        const { state } = inject(usual, magnitude, usual.steppedAt)
        const repeated = Array.from({ length: 2_000 }, (_, i) => list[i % list.length] as number)
        const { records } = searchAll(state, repeated)
        expect(records.some(({ regime }) => regime !== 'anomaly')).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
