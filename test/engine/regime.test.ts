import {
  changesOf,
  enterAnomaly,
  isGuarded,
  type Regime,
  type RegimeState,
  regimes,
  stepRegime,
} from '@memory/engine/regime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const inRegime = (regime: Regime, more: Partial<RegimeState> = {}): RegimeState => ({
  regime,
  burstLeft: 0,
  calmSteps: 0,
  ...more,
})

/** Steps with these signals. @returns the regime after each */
function walk(start: RegimeState, signals: readonly number[]): Regime[] {
  let state = start
  return signals.map((signal) => {
    state = stepRegime(state, signal)
    return state.regime
  })
}

const times = (count: number, signal: number) => Array.from({ length: count }, () => signal)

describe('stepRegime', () => {
  it.each<[Regime, number, Regime]>([
    ['normal', -5, 'normal'],
    ['normal', 1.5, 'normal'],
    ['normal', 1.51, 'high_surprise'],
    ['normal', 3, 'high_surprise'],
    ['normal', 3.01, 'anomaly'],
    ['high_surprise', 0.75, 'high_surprise'],
    ['high_surprise', 0.74, 'normal'],
    ['high_surprise', 3, 'high_surprise'],
    ['high_surprise', 3.01, 'anomaly'],
    ['anomaly', 1.5, 'anomaly'],
    ['anomaly', 1.49, 'recovery'],
    ['recovery', 0, 'recovery'],
    ['recovery', 3, 'recovery'],
    ['recovery', 3.01, 'anomaly'],
  ])('%s with signal %d is %s', (regime, signal, expected) => {
    expect(stepRegime(inRegime(regime), signal).regime).toBe(expected)
  })

  it('keeps an anomaly for its burst, however calm, and no longer', () => {
    expect(walk(enterAnomaly(4), times(5, 0))).toEqual([...Array(3).fill('anomaly'), 'recovery', 'recovery'])
  })

  it('gives an anomaly that arose by itself five steps', () => {
    const arisen = stepRegime(inRegime('high_surprise'), 3.5)
    expect(walk(arisen, times(5, 0))).toEqual([...Array(4).fill('anomaly'), 'recovery'])
  })

  it('keeps an anomaly after its burst while the signal is high', () => {
    expect(walk(enterAnomaly(1), [9, 2, 1.5, 1.4])).toEqual(['anomaly', 'anomaly', 'anomaly', 'recovery'])
  })

  it('ends a recovery after ten calm steps in a row', () => {
    expect(walk(inRegime('recovery'), times(10, 0.7)).at(8)).toBe('recovery')
    expect(walk(inRegime('recovery'), times(10, 0.7)).at(9)).toBe('normal')
    expect(walk(inRegime('recovery'), [...times(9, 0), 0.8, ...times(10, 0)]).slice(17)).toEqual([
      'recovery',
      'recovery',
      'normal',
    ])
  })

  it('enters every regime with its counters at the start', () => {
    const states = fc.record({
      regime: fc.constantFrom(...regimes),
      burstLeft: fc.nat(20),
      calmSteps: fc.nat(9),
    })
    fc.assert(
      fc.property(states, fc.double({ min: -6, max: 106, noNaN: true }), (state, signal) => {
        const next = stepRegime(state, signal)
        if (next.regime !== state.regime) {
          expect(next).toEqual(next.regime === 'anomaly' ? enterAnomaly(5) : inRegime(next.regime))
        }
      }),
    )
  })

  it('comes out of every regime within the steps that are left, once the signal is calm', () => {
    for (const regime of regimes) {
      const walked = walk(inRegime(regime, { burstLeft: regime === 'anomaly' ? 12 : 0 }), times(22, 0))
      expect(walked.at(-1)).toBe('normal')
    }
  })
})

describe('isGuarded', () => {
  it('holds for anomaly and recovery', () => {
    expect(regimes.filter(isGuarded)).toEqual(['anomaly', 'recovery'])
  })
})

describe('changesOf', () => {
  const records = (...list: Regime[]) => list.map((regime, at) => ({ regime, at }))

  it('names where each change came from and when it was', () => {
    expect(changesOf('normal', records('normal', 'anomaly', 'anomaly', 'recovery', 'normal'))).toEqual([
      { from: 'normal', to: 'anomaly', at: 1 },
      { from: 'anomaly', to: 'recovery', at: 3 },
      { from: 'recovery', to: 'normal', at: 4 },
    ])
  })

  it('counts a first record in another regime, and an anomaly within an anomaly not', () => {
    expect(changesOf('high_surprise', records('normal'))).toHaveLength(1)
    expect(changesOf('anomaly', records('anomaly', 'anomaly'))).toEqual([])
    expect(changesOf('anomaly', [])).toEqual([])
  })

  it('leads from the regime before to the last one, link by link', () => {
    const regime = fc.constantFrom(...regimes)
    fc.assert(
      fc.property(regime, fc.array(regime), (previous, list) => {
        let at = previous
        for (const { from, to } of changesOf(previous, records(...list))) {
          expect(from).toBe(at)
          expect(to).not.toBe(from)
          at = to
        }
        expect(at).toBe(list.at(-1) ?? previous)
      }),
    )
  })
})
