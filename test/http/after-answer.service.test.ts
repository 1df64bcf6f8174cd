import { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let ada: Client

beforeAll(async () => {
  server = await startServer()
  ada = await server.newClient()
  await ada.post('/v1/memory/store', { key: [1, 0], value: [1] })
})

afterEach(() => vi.restoreAllMocks())

afterAll(() => server.close())

const ask = () => ada.post('/v1/memory/query', { embedding: [1, 0], top_k: 1 })

it('notes what was answered when the answer is on its way', async () => {
  const ended = vi.spyOn(ServerResponse.prototype, 'end')
  const recorded = vi.spyOn(server.context.memory.accesses, 'record')
  expect((await ask()).status).toBe(200)
  expect(recorded).toHaveBeenCalledTimes(1)
  const order = (spy: typeof ended | typeof recorded) => spy.mock.invocationCallOrder[0] as number
  expect(order(ended)).toBeLessThan(order(recorded))
})

it('answers what it fails to note, and logs that', async () => {
  vi.spyOn(server.context.memory.accesses, 'record').mockImplementation(() => {
    throw new Error('no room for notes')
  })
  expect((await ask()).body).toMatchObject({ results: [{ confidence: 1 }] })
  await vi.waitFor(() => expect(server.logLines.join()).toContain('no room for notes'))
})
