import { createLog } from '@memory/shared/platform/log'
import { every } from '@memory/shared/platform/periodic'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silent } from './open-database.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('every', () => {
  it('does the work once an interval, until it is stopped', async () => {
    const work = vi.fn(async () => {})
    const periodic = every(1_000, 'the work', work, silent)
    await vi.advanceTimersByTimeAsync(999)
    expect(work).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(3_001)
    expect(work).toHaveBeenCalledTimes(4)
    await periodic.stop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(work).toHaveBeenCalledTimes(4)
  })

  it('never does it twice at a time, however long it takes, and goes on afterwards', async () => {
    const finish = Promise.withResolvers<void>()
    const work = vi.fn(() => finish.promise)
    const periodic = every(1_000, 'the work', work, silent)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(work).toHaveBeenCalledTimes(1)
    finish.resolve()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(work).toHaveBeenCalledTimes(2)
    await periodic.stop()
  })

  it('logs a failure by the name of the work once for each cause, and once that it works again', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    let cause: string | undefined = 'no database'
    const work = vi.fn(async () => {
      if (cause !== undefined) throw new Error(cause)
    })
    const periodic = every(1_000, 'counting', work, log)
    await vi.advanceTimersByTimeAsync(3_000)
    cause = 'no room'
    await vi.advanceTimersByTimeAsync(2_000)
    cause = undefined
    await vi.advanceTimersByTimeAsync(2_000)
    cause = 'no room'
    await vi.advanceTimersByTimeAsync(2_000)
    await periodic.stop()
    expect(work).toHaveBeenCalledTimes(9)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'counting failed', err: { message: 'no database' } },
      { msg: 'counting failed', err: { message: 'no room' } },
      { msg: 'counting works again', failures: 5 },
      { msg: 'counting failed', err: { message: 'no room' } },
    ])
  })

  it('is stopped when the work in hand is done', async () => {
    const finish = Promise.withResolvers<void>()
    const periodic = every(1_000, 'the work', () => finish.promise, silent)
    await vi.advanceTimersByTimeAsync(1_000)
    let stopped = false
    const stopping = periodic.stop().then(() => {
      stopped = true
    })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stopped).toBe(false)
    finish.resolve()
    await stopping
  })
})
