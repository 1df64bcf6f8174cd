import { setImmediate as turnEnds } from 'node:timers/promises'
import { KeyedQueue } from '@memory/shared/platform/keyed-queue'
import { expect, it } from 'vitest'

/** Work that notes when it begins and ends when it is told to. */
function newCourse() {
  const queue = new KeyedQueue<string>()
  const began: string[] = []
  const begin = (key: string, name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = queue.run(key, () => {
      began.push(name)
      return promise
    })
    done.catch(() => {})
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) }
  }
  return { queue, began, begin }
}

it('does work of one key one after the other in order, and that of others beside it', async () => {
  const { began, begin } = newCourse()
  const [first, second] = [begin('a', 'a1'), begin('a', 'a2')]
  const other = begin('b', 'b1')
  await turnEnds()
  expect(began).toEqual(['a1', 'b1'])
  first.end()
  await expect(first.done).resolves.toBe('a1')
  await turnEnds()
  expect(began).toEqual(['a1', 'b1', 'a2'])
  second.end()
  other.end()
  await expect(Promise.all([second.done, other.done])).resolves.toEqual(['a2', 'b1'])
})

it('goes on after what failed', async () => {
  const { began, begin } = newCourse()
  const [first, second] = [begin('a', 'a1'), begin('a', 'a2')]
  first.fail()
  second.end()
  await expect(first.done).rejects.toThrow('a1')
  await expect(second.done).resolves.toBe('a2')
  expect(began).toEqual(['a1', 'a2'])
})

it('is idle when all has ended, well or not', async () => {
  const { queue, begin } = newCourse()
  const [first, second] = [begin('a', 'a1'), begin('b', 'b1')]
  let isIdle = false
  const idle = queue.idle().then(() => {
    isIdle = true
  })
  first.fail()
  await turnEnds()
  expect(isIdle).toBe(false)
  second.end()
  await idle
  await queue.idle()
})
