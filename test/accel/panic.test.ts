import { accel } from '@memory/accel'
import { describe, expect, it } from 'vitest'

type Panicking = NonNullable<typeof accel> & { panicNow(): never; panicLater(): Promise<never> }

// Only an addon built with ACCEL_PANICS=1 can be made to panic.
describe.skipIf(accel === null || !('panicNow' in accel))('a panic in the addon', () => {
  const native = accel as Panicking

  it('is an error of whoever called, and the process goes on', () => {
    expect(() => native.panicNow()).toThrow('as asked')
    expect(native.cosine(Float32Array.of(1, 0), Float32Array.of(1, 0))).toBe(1)
  })

  it('in the background rejects the promise, and what else is under way there ends well', async () => {
    const shard = new native.Shard(1)
    shard.put(Int32Array.of(7), Float32Array.of(1), Uint8Array.of(1), 0)
    const search = () => native.searchShardLater(shard.id, Float32Array.of(1), 1, undefined, -1, 1)
    const outcomes = await Promise.allSettled([search(), native.panicLater(), search()])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await expect(native.panicLater()).rejects.toThrow('native code panicked')
    const [found] = await search()
    expect([...(found?.labels ?? [])]).toEqual([7])
  })
})
