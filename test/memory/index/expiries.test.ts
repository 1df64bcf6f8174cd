import { Expiries } from '@memory/memory/index/expiries'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const idx = fc.integer({ min: 0, max: 40 })
const time = fc.integer({ min: 0, max: 100 })
const steps = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('set' as const), idx, at: fc.option(time) }), weight: 6 },
    { arbitrary: fc.record({ kind: fc.constant('pass' as const), to: time }), weight: 1 },
  ),
  { maxLength: 200, size: 'max' },
)

const inOrder = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b)

describe('Expiries', () => {
  it('tells what has ended as a walk over all does, each once, also where the clock is set back', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const expiries = new Expiries()
        const walked = new Map<number, number>()
        for (const step of all) {
          if (step.kind === 'set') {
            expiries.set(step.idx, step.at === null ? null : new Date(step.at))
            if (step.at === null) walked.delete(step.idx)
            else walked.set(step.idx, step.at)
            continue
          }
          const ended = [...walked].filter(([, at]) => at <= step.to).map(([idx]) => idx)
          for (const idx of ended) walked.delete(idx)
          expect(inOrder(expiries.due(new Date(step.to)))).toEqual(inOrder(ended))
        }
        expect(inOrder(expiries.all)).toEqual(inOrder([...walked].flat()))
      }),
      { numRuns: 500 },
    )
  })

  it('tells it in the order of the ends, of many that came in none', () => {
    const expiries = new Expiries()
    const ends = Array.from({ length: 5_000 }, (_, idx) => (idx * 7_919) % 5_000)
    for (const [idx, end] of ends.entries()) expiries.set(idx, new Date(end))
    const due = [1_000, 4_999].flatMap((now) => expiries.due(new Date(now)))
    expect(due.map((idx) => ends[idx])).toEqual(Array.from(ends.keys()))
  })

  it('counts its memory', () => {
    const expiries = new Expiries()
    for (let idx = 0; idx < 1_000; idx++) expiries.set(idx, new Date(idx))
    expect(expiries.bytes).toBeGreaterThanOrEqual(20 * 1_000)
    expect(expiries.bytes).toBeLessThan(60 * 1_000)
  })
})
