import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { listSurprises, readSignals } from '../regime/space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** Surprises of stores, one after the other. */
async function surprisesOf(ada: ConformingClient, patterns: readonly object[]): Promise<number[]> {
  for (const pattern of patterns) {
    const { status, body } = await ada.post('/v1/memory/store', { value: [1], ...pattern })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    // What is new about a pattern is found out after its answer; reading waits for it.
    await readSignals(ada)
  }
  return listSurprises(server, ada)
}

describe('a store', () => {
  it('of a key projected down from another length is as new as it is among such keys', async () => {
    const projected = { key: [1, 0, 0], source_dim: 6 }
    const alone = await surprisesOf(await newConformingClient(server), [projected, projected, projected])
    expect(alone).toHaveLength(3)
    expect(alone[0]).toBeGreaterThan(0.9)
    expect(alone[1]).toBeCloseTo(0, 5)
    expect(alone[2]).toBeCloseTo(0, 5)
    const ada = await newConformingClient(server)
    const beside = await surprisesOf(ada, [{ key: [1, 0, 0] }, { key: [0, 1, 0] }, projected, projected])
    expect(beside[2]).toBeGreaterThan(0.9)
    expect(beside[3]).toBeCloseTo(0, 5)
  })
})
