import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../../support/client.ts'
import { onPostgres } from '../../support/database.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { storeVector } from '../vectors/vector-client.ts'
import { cached, embed, warmup } from './space.ts'

describe.runIf(onPostgres)('payloads in the memory of two instances', () => {
  let servers: [TestServer, TestServer]

  beforeAll(async () => {
    const first = await startServer()
    servers = [first, await startServer({ DATABASE_URL: first.databaseUrl as string })]
  })

  afterAll(async () => {
    await servers?.[1].close()
    await servers?.[0].close()
  })

  const facts = ['Ada moved to Lisbon in May.', 'The printer is out of toner.', 'Bread needs yeast.']
  const [fact] = facts as [string]

  /** One organization’s clients, one of each instance, with everything in the memory of both. */
  async function newClients() {
    const here = await servers[0].newClient()
    const there = new Client(servers[1].url, here)
    const ids = await here.store(facts)
    const context_keys = [await embed(here, fact)]
    for (const client of [here, there]) {
      expect(await warmup(client, { context_keys })).toMatchObject({ patterns_prefetched: 3 })
    }
    return { here, there, ids, context_keys }
  }

  const found = async (client: Client) =>
    (await client.post('/v1/memory/text/retrieve', { query: fact, top_k: 9 })).body.results

  it('are never older than what the other has changed', async () => {
    const { here, there, ids } = await newClients()
    for (let n = 0; n < 10; n++) {
      const [from, to] = n % 2 === 0 ? [here, there] : [there, here]
      await from.patch(`/v1/memory/patterns/${ids[0]}`, { metadata: { n } })
      expect((await found(to))[0]).toMatchObject({ text: fact, metadata: { n } })
      await from.patch(`/v1/memory/patterns/${ids[1]}`, { text: `The printer is out of paper: ${n}.` })
      const texts = (await found(to)).map(({ text }: { text: string }) => text)
      expect(texts).toContain(`The printer is out of paper: ${n}.`)
      expect(texts).not.toContain(facts[1])
    }
    await storeVector(here, [1, 2], [1])
    const value = async () =>
      (await there.post('/v1/memory/query', { embedding: [1, 2] })).body.results[0].value
    expect(await value()).toEqual([1])
    await here.put('/v1/memory/pattern', { key: [1, 2], new_value: [2, 3] })
    expect(await value()).toEqual([2, 3])
  })

  it('are of nothing that the other has forgotten, also while they are being read', async () => {
    for (let round = 0; round < 10; round++) {
      const { here, there, ids, context_keys } = await newClients()
      await there.delete('/v1/memory/prefetch/invalidate')
      await Promise.all([
        here.delete(`/v1/memory/patterns/${ids[0]}`),
        warmup(there, { context_keys }),
        warmup(there, { context_keys, depth: 2 }),
      ])
      expect((await found(there)).map(({ text }: { text: string }) => text)).not.toContain(fact)
      expect(await cached(servers[1], there)).toEqual([1, 2])
    }
  })
})
