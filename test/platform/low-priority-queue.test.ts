import { setImmediate as nextTurn } from 'node:timers/promises'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import { describe, expect, it } from 'vitest'
import { TurnCount } from '../support/turn-count.ts'

describe('LowPriorityQueue', () => {
  it('does one piece at a time, in their order, whoever brings them', async () => {
    const lowPriority = LowPriorityQueue.steady()
    const course: string[] = []
    const piece = (name: string) => () => {
      course.push(`${name} begins`)
      return nextTurn().then(() => course.push(`${name} ends`))
    }
    await Promise.all(['a', 'b', 'c'].map((name) => lowPriority.run(piece(name))))
    expect(course).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  it('gives what a piece gives, and throws what it throws; the next is done all the same', async () => {
    const lowPriority = LowPriorityQueue.steady()
    const failing = lowPriority.run(async () => {
      throw new Error('not done')
    })
    const next = lowPriority.run(async () => 2)
    await expect(failing).rejects.toThrow('not done')
    expect(await next).toBe(2)
  })

  it('lets the event loop have its turn between two pieces', async () => {
    const turns = new TurnCount()
    const at = await turns.during(async () => {
      const lowPriority = LowPriorityQueue.steady()
      return Promise.all(Array.from({ length: 20 }, () => lowPriority.run(async () => turns.count)))
    })
    expect(new Set(at).size).toBe(20)
  })

  it('rests for as long as a piece took, up to a limit, and not once it hurries', async () => {
    const rests: number[] = []
    const lowPriority = new LowPriorityQueue(async (ms) => {
      rests.push(ms)
    })
    const busy = (ms: number) => async () => {
      for (const end = performance.now() + ms; performance.now() < end; );
    }
    for (const ms of [3, 200, 0]) await lowPriority.run(busy(ms))
    expect(rests).toEqual([expect.toSatisfy((ms: number) => ms >= 3), 50])
    lowPriority.hurry()
    for (const ms of [3, 3]) await lowPriority.run(busy(ms))
    expect(rests).toHaveLength(2)
  })
})
