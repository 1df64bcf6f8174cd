import { EarlyEncoding } from '@memory/api/http/early-encoding'
import { newApiKey } from '@memory/shared/keys/api-key'
import { revokeKey } from '@memory/shared/keys/service'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

const signal = new AbortController().signal
const work = { text: 'a text', urgency: 'search' } as const

function newEarlyEncoding() {
  const begun: string[] = []
  const compute = {
    foresee: ({ organizationId }: { organizationId: string }) => void begun.push(organizationId),
  }
  return { early: new EarlyEncoding(compute), begun }
}

it('begins for keys that were accepted, for their organization, until they are refused', () => {
  const { early, begun } = newEarlyEncoding()
  const [ada, ben] = [newApiKey('live'), newApiKey('live')]
  early.begin(ada, work, signal)
  early.accepted(ada, 'Ada')
  early.accepted(ben, 'Ben')
  early.begin(ada, work, signal)
  early.begin(ben, work, signal)
  early.refused(ada)
  early.begin(ada, work, signal)
  early.begin(ben, work, signal)
  expect(begun).toEqual(['Ada', 'Ben', 'Ben'])
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
