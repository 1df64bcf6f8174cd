import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let ada: Client
let asked: number
let disk: PromiseWithResolvers<void>

beforeAll(async () => {
  server = await startServer()
  ada = await server.newClient()
  server.context.database.durable = () => {
    asked++
    return disk.promise
  }
})

afterAll(() => server.close())

beforeEach(() => {
  asked = 0
  disk = Promise.withResolvers<void>()
})

describe('a database that shows commits before they are on the disk', () => {
  it.each([
    ['stores', () => ada.post('/v1/memory/text/store', { text: 'Ada moved to Lisbon.' }), 200],
    ['finds nothing left to delete', () => ada.delete('/v1/memory/patterns/pat_none'), 404],
  ] as const)('is waited for by who %s', async (_what, send, status) => {
    let isAnswered = false
    const answer = send().finally(() => {
      isAnswered = true
    })
    while (asked === 0) await setImmediate()
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    expect(isAnswered).toBe(false)
    disk.resolve()
    expect((await answer).status).toBe(status)
  })

  it('is not waited for by who reads', async () => {
    expect((await ada.post('/v1/memory/text/retrieve', { query: 'Lisbon' })).status).toBe(200)
    expect((await ada.get('/v1/memory/text/stats')).status).toBe(200)
    expect(asked).toBe(0)
  })
})
