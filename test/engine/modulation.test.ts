import {
  advanceTo,
  calibrate,
  gateOf,
  initialModulation,
  inject,
  observe,
  policyOf,
} from '@memory/engine/modulation'
import type { Regime } from '@memory/engine/regime'
import { describe, expect, it } from 'vitest'
import { randomFrom } from './naive.ts'
import { normals, searchAll } from './observations.ts'

const start = 1_767_225_600_000
const second = 1_000
const hour = 3_600_000

describe('advanceTo', () => {
  it('changes nothing in a calm regime, and nothing where another clock is some seconds behind', () => {
    const { state } = searchAll(initialModulation(start), [1, 1, 1])
    expect(state.regime).toBe('normal')
    expect(advanceTo(state, start + 100 * hour)).toEqual({ state, records: [] })
    const { state: injected } = inject(state, 3, start + hour)
    expect(advanceTo(injected, start + hour - 30 * second)).toEqual({ state: injected, records: [] })
  })

  it('lets the signal decay by a fifth a second', () => {
    const { state } = inject(initialModulation(start), 2, start)
    expect(advanceTo(state, start + 2_999).state.signal).toBeCloseTo(2 * 0.8 ** 2, 12)
    expect(advanceTo(state, start + 3_000).state.signal).toBeCloseTo(2 * 0.8 ** 3, 12)
  })

  it('takes an hour and a year alike', () => {
    const { state } = inject(initialModulation(start), 100, start)
    expect(advanceTo(state, start + hour)).toEqual(advanceTo(state, start + 8_760 * hour))
  })
})

describe('after a clock was set back by an hour', () => {
  const now = start - hour
  const { state: injected } = inject(initialModulation(start), 100, start)

  it('an anomaly has ended, and has so whoever looks', () => {
    const { state, records } = advanceTo(injected, now)
    expect(state).toMatchObject({ regime: 'normal', burstLeft: 0, steppedAt: now })
    expect(records).toMatchObject([
      { regime: 'recovery', at: now },
      { regime: 'normal', at: now },
    ])
    expect(advanceTo(state, now)).toEqual({ state, records: [] })
    expect(advanceTo(injected, now + second).state.regime).toBe('normal')
  })

  it('an anomaly that begins then ends by the new time', () => {
    const { state, record, burst } = inject(injected, 0, now)
    expect(record).toMatchObject({ regime: 'anomaly', at: now })
    expect(advanceTo(state, now + (burst - 1) * second).state.regime).toBe('anomaly')
    expect(advanceTo(state, now + burst * second).state.regime).toBe('recovery')
  })

  it('observations and calibrations count by the new time', () => {
    const { state: calm } = observe(initialModulation(start), { kind: 'search', surprise: 0.5, at: start })
    const observed = observe(calm, { kind: 'search', surprise: 0.5, at: now })
    expect([observed.state.steppedAt, observed.record.at]).toEqual([now, now])
    expect(calibrate(calm, now).state.lastCalibratedAt).toBe(now)
  })
})

describe('an observation that is told late', () => {
  const late = { kind: 'search', surprise: 0.5, at: start } as const
  const { state: injected } = inject(initialModulation(start), 100, start + 100 * second)

  it('ends no anomaly that has begun since, and counts as of the last step', () => {
    const { state, record, earlier } = observe(injected, late, start + 100.5 * second)
    expect(earlier).toEqual([])
    expect(record).toMatchObject({ regime: 'anomaly', at: injected.steppedAt })
    expect(state).toMatchObject({ steppedAt: injected.steppedAt, burstLeft: injected.burstLeft - 1 })
  })

  it('by a clock that was set back since counts by the new time', () => {
    const now = start + second
    expect(observe(injected, late, now).state).toMatchObject({ regime: 'normal', steppedAt: now })
  })
})

describe('processes whose clocks differ by some seconds', () => {
  it('leave each other’s anomaly as it is', () => {
    const ahead = 10 * second
    let { state } = inject(initialModulation(start), 3, start + ahead)
    for (let i = 0; i < 5; i++) {
      const behind = start + i * 100
      state = observe(advanceTo(state, behind).state, { kind: 'store', surprise: 0.5, at: behind }).state
      state = advanceTo(state, behind + ahead).state
    }
    expect(state).toMatchObject({ regime: 'anomaly', burstLeft: 15, steppedAt: start + ahead })
  })
})

describe('inject', () => {
  it.each([
    [0, 5, 5],
    [0.3, 7, 7],
    [3, 20, 20],
    [100, 505, 505],
  ])('of magnitude %d is an anomaly of %d steps, then a recovery of ten', (magnitude, burst, until) => {
    const injected = inject(initialModulation(start), magnitude, start)
    expect(injected.burst).toBe(burst)
    expect(injected.record).toMatchObject({ regime: 'anomaly', signal: magnitude, surprise: null, at: start })
    expect(advanceTo(injected.state, start + hour).records).toMatchObject([
      { regime: 'recovery', surprise: null, at: start + until * second },
      { regime: 'normal', surprise: null, at: start + (until + 10) * second },
    ])
  })

  it('counts observations as steps, and the second begins anew at each', () => {
    const { state } = inject(initialModulation(start), 0, start)
    const { state: observed, earlier } = observe(state, { kind: 'search', surprise: 0.5, at: start + 700 })
    expect([observed.burstLeft, earlier]).toEqual([4, []])
    expect(advanceTo(observed, start + 1_600).state.burstLeft).toBe(4)
    expect(advanceTo(observed, start + 1_700).state.burstLeft).toBe(3)
  })

  it('within an anomaly adds to the signal, up to its bound, and sets the burst anew', () => {
    let state = inject(initialModulation(start), 100, start).state
    state = inject(state, 4, start).state
    expect([state.signal, state.burstLeft]).toEqual([104, 25])
    for (let i = 0; i < 50; i++) state = inject(state, 100, start).state
    expect([state.signal, state.burstLeft]).toEqual([106, 505])
  })
})

describe('observe', () => {
  it('moves the signal by a fifth of the standard score', () => {
    // (1 - 0.5) / 0.25 = 2 for the first, whose mean then is 0.505.
    const { records } = searchAll(initialModulation(start), [1, 0.5])
    expect(records[0]?.signal).toBeCloseTo(0.4, 12)
    const std = Math.sqrt(0.99 * (0.25 ** 2 + 0.01 * 0.5 ** 2))
    expect(records[1]?.signal).toBeCloseTo(0.8 * 0.4 + (0.2 * (0.5 - 0.505)) / std, 12)
  })

  it('takes a score of more than six for six', () => {
    const state = { ...initialModulation(start), searches: { mean: 0.1, std: 0.02 } }
    expect(searchAll(state, [1]).records[0]?.signal).toBeCloseTo(1.2, 12)
  })

  it('keeps what is usual for searches and for stores apart', () => {
    const state = initialModulation(start)
    const stored = observe(state, { kind: 'store', surprise: 0.9, at: start }).state
    expect(stored.searches).toEqual(state.searches)
    expect(stored.stores.mean).toBeGreaterThan(0.5)
    expect(stored.recent).toEqual([])
    const searched = observe(state, { kind: 'search', surprise: 0.9, at: start }).state
    expect(searched.stores).toEqual(state.stores)
    expect(searched.recent).toEqual([0.9])
  })

  it('first takes the seconds that passed in a guarded regime', () => {
    const { state } = inject(initialModulation(start), 0, start)
    const late = observe(state, { kind: 'search', surprise: 0.5, at: start + hour })
    expect(late.earlier.map(({ regime }) => regime)).toEqual(['recovery', 'normal'])
    expect(late.record).toMatchObject({ regime: 'normal', at: start + hour })
  })
})

describe('calibrate', () => {
  it('estimates from the latest hundred searches, and sets the signal to 0', () => {
    const seen = normals(randomFrom(3), 250, 0.4, 0.1)
    const { state } = searchAll(initialModulation(start), [...seen, 1, 1, 1])
    expect(state.recent).toHaveLength(100)
    const last = [...seen, 1, 1, 1].slice(-100)
    const mean = last.reduce((sum, each) => sum + each, 0) / 100
    const variance = last.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 99
    const { state: after } = calibrate(state, state.steppedAt + 5)
    expect(after.searches.mean).toBeCloseTo(mean, 12)
    expect(after.searches.std).toBeCloseTo(Math.sqrt(variance), 12)
    expect(after.stores).toEqual({ mean: 0.5, std: 0.25 })
    expect([after.signal, after.lastCalibratedAt]).toEqual([0, state.steppedAt + 5])
  })

  it('of a space with few searches starts anew', () => {
    const { state } = searchAll(initialModulation(start), [1, 1, 1, 1, 1, 1, 1, 1, 1])
    expect(calibrate(state, start + hour).state.searches).toEqual({ mean: 0.5, std: 0.25 })
  })

  it('leaves an anomaly to run out', () => {
    const { state } = inject(initialModulation(start), 3, start)
    const { state: after, earlier } = calibrate(state, start + second)
    expect([after.regime, after.burstLeft, earlier]).toEqual(['anomaly', 19, []])
    expect(calibrate(state, start + hour).earlier.map(({ regime }) => regime)).toEqual(['recovery', 'normal'])
  })
})

describe('policyOf', () => {
  it.each([
    [1, 0.5],
    [0, 1 / (1 + Math.E ** 2)],
    [2, 1 / (1 + Math.E ** -2)],
    [-1e6, 0],
    [1e6, 1],
  ])('the gate at signal %d is %d', (signal, expected) => {
    expect(gateOf(signal)).toBeCloseTo(expected, 12)
  })

  it('learns by the gate in calm regimes, and little under guard', () => {
    const policy = (regime: Regime, signal: number) => policyOf({ regime, signal })
    expect(policy('normal', 1)).toEqual({
      forceExact: false,
      bypassConsolidation: false,
      learningRateMultiplier: 1,
    })
    expect(policy('high_surprise', 2).learningRateMultiplier).toBeCloseTo(0.5 + gateOf(2), 12)
    expect(policy('anomaly', 2)).toEqual({
      forceExact: true,
      bypassConsolidation: true,
      learningRateMultiplier: 0.1,
    })
    expect(policy('recovery', 2)).toEqual({
      forceExact: true,
      bypassConsolidation: true,
      learningRateMultiplier: 0.5,
    })
  })
})
