import { setImmediate as turnEnds } from 'node:timers/promises'
import { Semaphore } from '@memory/shared/platform/semaphore'
import { expect, it } from 'vitest'

it('runs so many at once, and lets those that wait in as they came', async () => {
  const semaphore = new Semaphore({ slots: 2 })
  const ends: (() => void)[] = []
  const began: number[] = []
  const all = [0, 1, 2, 3].map((i) =>
    semaphore.run(async () => {
      began.push(i)
      await new Promise<void>((resolve) => ends.push(resolve))
      return i
    }),
  )
  await turnEnds()
  expect([began, semaphore.running, semaphore.waiting]).toEqual([[0, 1], 2, 2])
  ends[1]?.()
  await turnEnds()
  expect([began, semaphore.running, semaphore.waiting]).toEqual([[0, 1, 2], 2, 1])
  ends[0]?.()
  ends[2]?.()
  await turnEnds()
  ends[3]?.()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
  expect([semaphore.running, semaphore.waiting]).toEqual([0, 0])
})

it('gives a slot back after a failure', async () => {
  const semaphore = new Semaphore({ slots: 1 })
  const failing = semaphore.run(() => Promise.reject(new Error('no')))
  const next = semaphore.run(async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('yes')
})

it('refuses what comes when too many wait', async () => {
  const refusal = (waiting: number) => new Error(`${waiting} wait`)
  const semaphore = new Semaphore({ slots: 1, limit: { waiting: 1, refusal } })
  const { promise, resolve } = Promise.withResolvers<void>()
  const taken = [semaphore.run(() => promise), semaphore.run(() => promise)]
  await expect(semaphore.run(() => promise)).rejects.toThrow('1 wait')
  resolve()
  await Promise.all(taken)
})
