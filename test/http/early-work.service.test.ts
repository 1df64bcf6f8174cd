import { EarlyWork } from '@memory/api/http/early-work'
import { newApiKey } from '@memory/identity/keys/api-key'
import { revokeKey } from '@memory/identity/keys/service'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

const signal = new AbortController().signal
const work = { text: 'a text', urgency: 'search' } as const

function newEarlyWork() {
  const begun: string[] = []
  const compute = {
    foresee: ({ organizationId }: { organizationId: string }) => void begun.push(organizationId),
  }
  const searches = { begin: ({ spaceId }: { spaceId: string }) => void begun.push(spaceId) }
  return { early: new EarlyWork(compute, searches), begun }
}

it('begins for keys that were accepted, for their organization and space, until they are refused', () => {
  const { early, begun } = newEarlyWork()
  const [ada, ben] = [newApiKey('live'), newApiKey('live')]
  const search = { query: Float32Array.of(1), k: 1, minScore: -1 }
  early.encode(ada, work, signal)
  early.search(ada, search, signal)
  early.accepted(ada, { organizationId: 'Ada', spaceId: 'Ada, live' })
  early.accepted(ben, { organizationId: 'Ben', spaceId: 'Ben, live' })
  early.encode(ada, work, signal)
  early.search(ada, search, signal)
  early.search(ben, search, signal)
  early.refused(ada)
  early.encode(ada, work, signal)
  early.search(ada, search, signal)
  early.encode(ben, work, signal)
  expect(begun).toEqual(['Ada', 'Ada, live', 'Ben, live', 'Ben'])
})

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

it('K4 makes no work for a revoked key after its first refusal, which is a 401 like any other', async () => {
  const client = await server.newClient()
  const foresee = vi.spyOn(server.context.memory.compute, 'foresee')
  const ask = (query: string) => client.post('/v1/memory/text/retrieve', { query })
  expect((await ask('one')).status).toBe(200)
  expect(foresee).not.toHaveBeenCalled()
  expect((await ask('two')).status).toBe(200)
  expect(foresee).toHaveBeenCalledTimes(1)
  await revokeKey(server.context.database.queries, client.organizationId, client.keyId)
  expect((await ask('three')).status).toBe(401)
  expect((await ask('four')).status).toBe(401)
  expect(foresee).toHaveBeenCalledTimes(2)
})
