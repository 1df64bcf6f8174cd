import { asAsker, spending } from '@memory/shared/platform/asker'
import { TimeSpent } from '@memory/shared/platform/time-spent'
import { describe, expect, it } from 'vitest'

/** A clock that is moved by hand, and what is counted by it. */
function newTime() {
  let now = 0
  const spent = new TimeSpent(() => now)
  const pass = (ms: number) => {
    now += ms
  }
  return { spent, pass }
}

/** Work that goes on until it is told to end. */
function newWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { promise, end: () => resolve('done'), fail: () => reject(new Error('failed')) }
}

describe('TimeSpent', () => {
  it('counts what goes on at the same time once, and kinds apart', async () => {
    const { spent, pass } = newTime()
    const [one, other, encoding] = [newWork(), newWork(), newWork()]
    const first = spent.during('database', () => one.promise)
    pass(1)
    const second = spent.during('database', () => other.promise)
    const third = spent.during('encode', () => encoding.promise)
    pass(2)
    one.end()
    await first
    pass(4)
    other.end()
    await second
    pass(8)
    expect(Object.fromEntries(spent.entries())).toEqual({ encode: 14, database: 7 })
    encoding.end()
    expect(await third).toBe('done')
    pass(16)
    expect(Object.fromEntries(spent.entries())).toEqual({ encode: 14, database: 7 })
  })

  it('counts what fails', async () => {
    const { spent, pass } = newTime()
    const work = newWork()
    const failing = spent.during('search', () => work.promise)
    pass(3)
    work.fail()
    await expect(failing).rejects.toThrow('failed')
    expect([...spent.entries()]).toEqual([['search', 3]])
  })

  it('is told of what is done for a request, and of nothing else', async () => {
    const { spent } = newTime()
    await asAsker({ lane: 'a', spent }, () => spending('rank', async () => {}))
    await asAsker({ lane: 'a' }, () => spending('search', async () => {}))
    await spending('auth', async () => {})
    expect([...spent.entries()]).toEqual([['rank', 0]])
  })
})
