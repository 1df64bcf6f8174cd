import { asAsker, signalNow } from '@memory/shared/platform/asker'
import { leaseSeconds, renewing } from '@memory/shared/platform/lease'
import { createLog } from '@memory/shared/platform/log'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const lines: string[] = []
const log = createLog('info', { write: (line) => void lines.push(line) })

describe('a lease', () => {
  it('is renewed several times before it ends, whatever fails, until it is stopped', async () => {
    lines.length = 0
    let renewals = 0
    const keepingUp = renewing(
      'renewing a lease',
      () => {
        renewals++
        return renewals < 3 ? Promise.reject(new Error('busy')) : Promise.resolve()
      },
      log,
    )
    await vi.advanceTimersByTimeAsync(leaseSeconds * 1_000 - 1)
    expect(renewals).toBeGreaterThanOrEqual(3)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'renewing a lease failed',
      'renewing a lease works again',
    ])
    await keepingUp.stop()
    const before = renewals
    await vi.advanceTimersByTimeAsync(leaseSeconds * 1_000)
    expect(renewals).toBe(before)
  })

  it('is renewed also once whoever asked for the work has hung up', async () => {
    const asked = new AbortController()
    const signals: (AbortSignal | undefined)[] = []
    const keepingUp = asAsker({ lane: 'somebody', signal: asked.signal }, () =>
      renewing('renewing a lease', async () => signals.push(signalNow()), log),
    )
    asked.abort()
    await vi.advanceTimersByTimeAsync(1_000)
    await keepingUp.stop()
    expect(signals).toEqual([undefined])
  })
})
