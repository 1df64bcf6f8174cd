import {
  dayMs,
  type Granularity,
  type HistoryPeriod,
  historyPoints,
  hourMs,
  monthOf,
  pointOf,
} from '@memory/identity/usage/calendar'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const at = (text: string) => new Date(`${text}Z`)
const dates = (now: string, period: HistoryPeriod, granularity: Granularity) =>
  historyPoints(at(now), period, granularity).starts.map((start) =>
    new Date(start).toISOString().slice(0, 16),
  )

describe('historyPoints', () => {
  it('has as many hours or days as the period, the last one begun', () => {
    expect(dates('2026-03-01T10:20:30', '7d', 'daily')).toEqual([
      '2026-02-23T00:00',
      '2026-02-24T00:00',
      '2026-02-25T00:00',
      '2026-02-26T00:00',
      '2026-02-27T00:00',
      '2026-02-28T00:00',
      '2026-03-01T00:00',
    ])
    const hours = dates('2026-03-01T10:20:30', '7d', 'hourly')
    expect([hours.length, hours[0], hours.at(-1)]).toEqual([168, '2026-02-22T11:00', '2026-03-01T10:00'])
    for (const [period, days] of [
      ['30d', 30],
      ['90d', 90],
      ['365d', 365],
    ] as const) {
      expect(dates('2026-03-01T00:00:00', period, 'daily')).toHaveLength(days)
      expect(dates('2026-03-01T23:59:59', period, 'hourly')).toHaveLength(24 * days)
    }
  })

  it('has the weeks, from Monday, into which the days of the period fall', () => {
    // A Sunday, the last day of its week, and the Monday after it.
    expect(dates('2026-03-01T10:00:00', '7d', 'weekly')).toEqual(['2026-02-23T00:00'])
    expect(dates('2026-03-02T00:00:00', '7d', 'weekly')).toEqual(['2026-02-23T00:00', '2026-03-02T00:00'])
    expect(dates('2026-03-04T10:00:00', '30d', 'weekly')).toEqual([
      '2026-02-02T00:00',
      '2026-02-09T00:00',
      '2026-02-16T00:00',
      '2026-02-23T00:00',
      '2026-03-02T00:00',
    ])
  })

  it('puts every moment of the period into exactly the point that holds it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: at('1980-01-01T00:00:00'), max: at('2100-01-01T00:00:00'), noInvalidDate: true }),
        fc.constantFrom<HistoryPeriod>('7d', '30d', '90d', '365d'),
        fc.constantFrom<Granularity>('hourly', 'daily', 'weekly'),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (now, period, granularity, where) => {
          const points = historyPoints(now, period, granularity)
          const { from, starts, stepMs } = points
          expect(starts[0]).toBeLessThanOrEqual(from.getTime())
          expect(starts[0]).toBeGreaterThan(from.getTime() - stepMs)
          const moment = new Date(from.getTime() + where * (now.getTime() - from.getTime()))
          const point = pointOf(points, moment) as number
          expect(starts[point]).toBeLessThanOrEqual(moment.getTime())
          expect((starts[point] as number) + stepMs).toBeGreaterThan(moment.getTime())
          expect(pointOf(points, now)).toBe(starts.length - 1)
          expect(pointOf(points, new Date((starts[0] as number) - 1))).toBeUndefined()
          expect(pointOf(points, new Date((starts.at(-1) as number) + stepMs))).toBeUndefined()
          if (granularity === 'weekly') {
            for (const start of starts) expect(new Date(start).getUTCDay()).toBe(1)
          } else {
            const length = starts.length * stepMs
            expect(length).toBe(Number.parseInt(period, 10) * dayMs)
            expect(stepMs).toBe(granularity === 'hourly' ? hourMs : dayMs)
          }
        },
      ),
    )
  })
})

describe('monthOf', () => {
  it.each([
    ['2026-11-22T10:00:00', '2026-11-01T00:00:00', '2026-12-01T00:00:00'],
    ['2026-12-31T23:59:59', '2026-12-01T00:00:00', '2027-01-01T00:00:00'],
    ['2028-02-29T00:00:00', '2028-02-01T00:00:00', '2028-03-01T00:00:00'],
  ])('of %s is from %s to before %s', (moment, start, end) => {
    expect(monthOf(at(moment))).toEqual({ start: at(start), end: at(end) })
  })
})
