import { asAsker, regardless, requireAwaited } from '@memory/shared/platform/asker'
import { FairTurns, type FairTurnsOptions } from '@memory/shared/platform/fair-turns'
import { describe, expect, it } from 'vitest'

/** Notes the order in which turns were had. */
class Course {
  readonly order: string[] = []
  readonly turns: FairTurns
  /** No turn takes no time at all. */
  #nowMs = 0

  constructor(options: FairTurnsOptions) {
    this.turns = new FairTurns({ now: () => (this.#nowMs += 0.001), ...options })
  }

  /** Waits for a turn of a lane, which takes so long. */
  async take(lane: string, ms = 0): Promise<void> {
    const leave = await asAsker({ lane }, () => this.turns.enter())
    this.order.push(lane)
    this.#nowMs += ms
    leave()
  }
}

describe('fair turns', () => {
  it('are had in order within a lane, and by another after the one under way', async () => {
    const course = new Course({ slots: 1 })
    const held = await asAsker({ lane: 'flood' }, () => course.turns.enter())
    const flood = Array.from({ length: 50 }, () => course.take('flood', 0.1))
    const other = course.take('other', 0.1)
    held()
    await Promise.all([...flood, other])
    expect(course.order.indexOf('other')).toBe(0)
    expect(course.order).toHaveLength(51)
    expect(course.turns.waiting).toBe(0)
  })

  it('are shared by time, not by number', async () => {
    const course = new Course({ slots: 1 })
    const held = await asAsker({ lane: 'none' }, () => course.turns.enter())
    const long = Array.from({ length: 10 }, () => course.take('long', 5))
    const short = Array.from({ length: 40 }, () => course.take('short', 0.1))
    held()
    await Promise.all([...long, ...short])
    // 40 short ones take as long as one long one.
    expect(course.order.slice(0, 45).filter((lane) => lane === 'long').length).toBeLessThanOrEqual(5)
  })

  it('of one lane are bounded where that is asked for, while others have theirs', async () => {
    const { turns } = new Course({ slots: 4, slotsPerLane: 2, waitingPerLane: 1, waitingInAll: 2 })
    const enter = (lane: string) => asAsker({ lane }, async () => turns.enter())
    const [first] = [await enter('a'), await enter('a')]
    const waiting = enter('a')
    await expect(enter('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterS: 1 })
    await Promise.all([enter('b'), enter('b')])
    const other = enter('c')
    await expect(enter('d')).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 1 })
    first?.()
    first?.()
    // The one that has had nothing comes before the one that has had much.
    const leave = await other
    expect(turns.waiting).toBe(1)
    leave()
    await waiting
    expect(turns.waiting).toBe(0)
  })

  it('are not waited for by those whose client has gone, nor for too long', async () => {
    const { turns } = new Course({ slots: 1, waitMaxMs: 1 })
    const leave = await turns.enter()
    const client = new AbortController()
    const asker = { lane: 'a', signal: client.signal }
    const gone = asAsker(asker, async () => turns.enter())
    client.abort()
    await expect(gone).rejects.toMatchObject({ code: 'abandoned' })
    await expect(asAsker(asker, async () => turns.enter())).rejects.toMatchObject({ code: 'abandoned' })
    await expect(turns.enter()).rejects.toMatchObject({ code: 'unavailable' })
    expect(turns.waiting).toBe(0)
    leave()
    // What others wait for as well goes on.
    await asAsker(asker, () => regardless(async () => (await turns.enter())()))
    expect(() => asAsker(asker, requireAwaited)).toThrow('Client closed the request')
  })

  it('go on with a lane that wants the next as soon as it had one', async () => {
    const course = new Course({ slots: 1, letsContinue: true })
    const held = await asAsker({ lane: 'none' }, () => course.turns.enter())
    const flood = Array.from({ length: 5 }, () => course.take('flood', 3))
    const quick = (async () => {
      for (let i = 0; i < 5; i++) await course.take('quick')
    })()
    held()
    await Promise.all([...flood, quick])
    expect(course.order.lastIndexOf('quick')).toBeLessThanOrEqual(6)
  })
})
