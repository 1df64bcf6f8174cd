import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Killable, newKillable } from './killable.ts'

let killable: Killable

beforeAll(async () => {
  killable = await newKillable('subject-kill')
})

afterAll(() => killable.remove())

const batches = 7
const each = 1_500
const patterns = batches * each

/** How long after the request the process is killed, in ms: before it begins, while it works, and when it may be done. */
const killsMs = [0, 40, 120, 250, 400, 700, 1_200, 2_500]

it('an erasure of an end user that is killed has done all of it, with a receipt, or nothing', async () => {
  let service = await killable.start()
  let erased = 0
  for (const ms of killsMs) {
    const client = service.client()
    for (let batch = 0; batch < batches; batch++) {
      await client.post('/v1/memory/batch/store', {
        patterns: Array.from({ length: each }, (_, n) => ({
          key: [1, n, batch],
          value: [n],
          subject: 'ada',
        })),
      })
    }
    await client.post('/v1/memory/store', { key: [1, 2], value: [1], subject: 'ben' })
    const erasing = client.delete('/v1/memory/subjects/ada').catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, ms))
    await service.stop('SIGKILL')
    await erasing

    service = await killable.start()
    const after = service.client()
    const left = (await after.post('/v1/memory/patterns/count', { subject: 'ada' })).body.count
    const { receipts } = (await after.get('/v1/memory/receipts?limit=200')).body
    expect([0, patterns], `${ms} ms`).toContain(left)
    if (left === 0) erased++
    expect(receipts, `${ms} ms`).toHaveLength(erased)
    for (const { receipt } of receipts) expect(decodeJwt(receipt).counts).toMatchObject({ patterns })
    let again = await after.delete('/v1/memory/subjects/ada')
    // A server goes on with the statement of a process that is gone, and until it has noticed holds the space.
    while (again.status === 503) again = await after.delete('/v1/memory/subjects/ada')
    expect(again.status).toBe(left === 0 ? 404 : 200)
    if (left > 0) erased++
    expect((await after.post('/v1/memory/patterns/count', { subject: 'ben' })).body.count).toBeGreaterThan(0)
  }
}, 900_000)
