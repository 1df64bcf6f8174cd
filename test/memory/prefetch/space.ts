import { expect, vi } from 'vitest'
import type { Client } from '../../support/client.ts'
import type { TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'

export const warmupPath = '/v1/memory/prefetch/warmup'
export const invalidatePath = '/v1/memory/prefetch/invalidate'
export const clusterPath = '/v1/memory/diagnostics/prefetch/warmup'
export const invalidateClusterPath = '/v1/memory/diagnostics/prefetch/invalidate'

/** What warming answers; fails the test when it is refused. */
export async function warmup(client: Client, body?: object) {
  const answer = await client.post(warmupPath, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as { warmed_up: boolean; patterns_prefetched: number; cache_size: number }
}

/** Empties the cache of a client's space. @returns how many payloads it had */
export async function invalidate(client: Client): Promise<number> {
  const answer = await client.delete(invalidatePath)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.body.cleared).toBe(true)
  return answer.body.previous_cache_size
}

export async function embed(client: Client, text: string): Promise<number[]> {
  return (await client.post('/v1/memory/text/embed', { text })).body.embedding
}

/** Indexes of a client's patterns whose payloads are in memory, without reading any. */
export async function cached(server: TestServer, owner: Client): Promise<number[]> {
  const { spaces, payloads } = server.context.memory
  const index = spaces.peek((await getSpace(server, owner)).id)
  return index === undefined ? [] : payloads.indexesOf(index).toSorted((a, b) => a - b)
}

/** Counts the statements that some work sends to the database, but for those that ask who calls. */
export async function countStatements(server: TestServer, work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(server.context.database.queries.getExecutor(), 'executeQuery')
  await work()
  const sent = spy.mock.calls.map(([{ sql }]) => sql)
  spy.mockRestore()
  return sent.filter((sql) => !sql.includes('app.caller_of_')).length
}
