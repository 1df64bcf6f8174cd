import { parameters } from '@memory/engine/parameters'
import {
  afterRun,
  afterUse,
  dueAt,
  spaceTasks,
  spreadOf,
  type TaskState,
  withoutFuture,
} from '@memory/engine/sleep/schedule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = 1_800_000_000_000

/** Used at these times, one after the other. */
const used = (...times: number[]): TaskState =>
  times.reduce<TaskState | undefined>((state, at) => afterUse(state, at), undefined) as TaskState

describe('sleep', () => {
  it('is due 5 minutes after the last use', () => {
    expect(dueAt('sleep', used(now), 0)).toBe(now + 5 * minute)
    expect(dueAt('sleep', used(now, now + 3 * minute), 0)).toBe(now + 8 * minute)
  })

  it('waits for an idle moment for 6 hours at most', () => {
    const times = Array.from({ length: 200 }, (_, i) => now + i * 2 * minute)
    expect(dueAt('sleep', used(...times), 0)).toBe(now + 6 * hour)
  })

  it('comes once a day at most, and only where something was used since', () => {
    const slept = afterRun(used(now), now + 5 * minute)
    expect(dueAt('sleep', slept, 0)).toBeNull()
    const again = afterUse(slept, now + hour)
    expect(dueAt('sleep', again, 0)).toBe(now + 5 * minute + day)
    // It was due when it was used again, and waits no longer than for 6 hours.
    expect(dueAt('sleep', afterUse(again, now + 2 * day), 0)).toBe(now + 5 * minute + day + 6 * hour)
    // The first use after long is no time to sleep.
    expect(dueAt('sleep', afterUse(slept, now + 9 * day), 0)).toBe(now + 9 * day + 5 * minute)
  })

  it('that has stopped half way goes on at once, and what was used meanwhile waits for the next', () => {
    const begun = { ...used(now), begunAt: now + 5 * minute }
    expect(dueAt('sleep', begun, 0.5)).toBe(now + 5 * minute)
    const done = afterRun(afterUse(begun, now + 6 * minute), now + 7 * minute)
    expect(done).toMatchObject({ doneAt: now + 5 * minute, waitingSince: now + 6 * minute, begunAt: null })
    expect(dueAt('sleep', done, 0)).toBe(now + 5 * minute + day)
  })

  it('hears of a use that is told late once', () => {
    const slept = afterRun(used(now), now + hour)
    expect(dueAt('sleep', afterUse(slept, now + minute), 0)).toBeNull()
  })
})

describe('a task whose times are of a clock that was ahead', () => {
  it('is due after the next use, as where nothing was done', () => {
    const then = now + 3_650 * day
    const ahead = { ...afterRun(used(now, then), then), waitingSince: then, begunAt: then }
    for (const task of spaceTasks) expect(dueAt(task, ahead, 0)).toBe(then)
    const again = afterUse(withoutFuture(ahead, now), now)
    expect(again).toEqual(used(now))
  })

  it('does not concern what is as late as other clocks are', () => {
    const state = { ...used(now + minute), doneAt: now, begunAt: now + minute }
    expect(withoutFuture(state, now)).toEqual(state)
  })
})

describe('exploration', () => {
  it('comes every third day at most', () => {
    const explored = afterRun(used(now), now + 5 * minute)
    expect(dueAt('explore', afterUse(explored, now + day), 0)).toBe(now + 5 * minute + 3 * day)
  })
})

describe('migration', () => {
  it('comes daily while a space is used, idle or not', () => {
    const state = used(now)
    expect(dueAt('migrate_tiers', state, 0)).toBe(now + day)
    // Also the first time.
    expect(dueAt('migrate_tiers', afterUse(state, now + day / 2), 0)).toBe(now + day)
    const done = afterRun(state, now + day)
    expect(dueAt('migrate_tiers', afterUse(done, now + day + minute), 0)).toBe(now + 2 * day)
  })

  it('comes ever more slowly where nothing is used, until all is cold that will be', () => {
    let state = used(now)
    const times: number[] = []
    for (let due = dueAt('migrate_tiers', state, 0); due !== null; due = dueAt('migrate_tiers', state, 0)) {
      times.push(due)
      state = afterRun(state, due)
      expect(times.length).toBeLessThan(100)
    }
    const gaps = times.slice(1).map((at, i) => at - (times[i] as number))
    expect(gaps.every((gap, i) => gap >= (gaps[i - 1] ?? day))).toBe(true)
    expect(times.at(-1)).toBeGreaterThan(now + parameters.schedule.migrateUntilMs)
    expect(times.length).toBeLessThan(20)
    // What was stored and never asked for is warm within 8 days and cold within 35.
    expect(times.some((at) => at >= now + 7 * day && at <= now + 11 * day)).toBe(true)
    expect(dueAt('migrate_tiers', afterUse(state, now + 400 * day), 0)).not.toBeNull()
  })
})

describe('any task', () => {
  const time = fc.integer({ min: now, max: now + 30 * day })
  const steps = fc.array(
    fc.oneof(
      time.map((at) => ({ at })),
      fc.constant({ at: null }),
    ),
    { maxLength: 30 },
  )

  it('is due after each use at some time, and not at once after a whole run', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...spaceTasks),
        steps,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (task, all, spread) => {
          let state = used(now)
          for (const { at } of all) {
            if (at !== null) {
              state = afterUse(state, at)
              if (state.waitingSince !== null) expect(dueAt(task, state, spread)).not.toBeNull()
            } else {
              const due = dueAt(task, state, spread)
              if (due === null) continue
              state = afterRun(state, due)
              expect(dueAt(task, state, spread) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(due)
            }
          }
        },
      ),
    )
  })

  it('of spaces that were used at one moment is spread over 5 minutes', () => {
    const ids = ['00000000', '80000000', 'ffffffff'].map((start) => `${start}-0000-4000-8000-000000000000`)
    const spreads = ids.map(spreadOf)
    expect(spreads[0]).toBe(0)
    expect(spreads[1]).toBe(0.5)
    expect(spreads[2]).toBeLessThan(1)
    const dues = spreads.map((spread) => dueAt('sleep', used(now), spread) as number)
    expect(dues[1]).toBe(now + 7.5 * minute)
    expect(Math.max(...dues)).toBeLessThanOrEqual(now + 10 * minute)
  })
})
