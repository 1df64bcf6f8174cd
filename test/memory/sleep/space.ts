import { seededRandom } from '@memory/engine/random'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { mixtureOf, randomUnit } from '../../engine/random-keys.ts'
import type { Client } from '../../support/client.ts'
import type { TestServer } from '../../support/server.ts'
import { type Environment, inSpace } from '../space.ts'
import { batchStore } from '../vectors/vector-client.ts'

export const dimensions = 64

/** What a client is answered; fails the test when it is refused. */
export async function run(client: Client, path: string, body?: object) {
  const answer = body === undefined ? await client.get(path) : await client.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

export const sleep = (client: Client, batch_size = 5) => run(client, '/v1/memory/sleep', { batch_size })
export const explore = (client: Client, batch_size = 20) => run(client, '/v1/memory/explore', { batch_size })
export const candidates = async (client: Client, least = 0) =>
  (await run(client, `/v1/memory/explore/consolidation-candidates?min_priority=${least}`)).candidates
export const suggestions = async (client: Client) =>
  (await run(client, '/v1/memory/explore/suggestions')).suggestions

/** Stores keys as vector patterns, in their order. */
export async function storeKeys(client: Client, keys: readonly Float32Array[], rest: object = {}) {
  await batchStore(
    client,
    keys.map((key) => ({ key: [...key], value: [1], ...rest })),
  )
}

/** Pairs of keys at cosine 0.6, two after each other, and keys of no structure. */
export function plantedPairs(pairs: number, others: number, seed = 'pairs'): Float32Array[] {
  const random = seededRandom(seed)
  return [
    ...Array.from({ length: pairs }, () => mixtureOf(2, 0.6, dimensions, random)).flat(),
    ...Array.from({ length: others }, () => randomUnit(dimensions, random)),
  ]
}

/** Everything that consolidation keeps of a client's space. */
export function readConsolidation(server: TestServer, owner: Client, environment: Environment = 'live') {
  return inSpace(
    server,
    owner,
    async (trx) => {
      const { rows: trials } = await sql<{
        a: number
        b: number
        valid: number
        invalid: number
        coherence: number
        priority: number
        consolidated: boolean
      }>`
      select a, b, valid, invalid, coherence, priority, consolidated_at is not null as consolidated
        from app.pair_trials order by a, b`.execute(trx)
      const { rows: compositions } = await sql<{ a: number; b: number; key: string; strength: number }>`
      select a, b, key::text as key, strength from app.compositions order by a, b`.execute(trx)
      return { trials, compositions }
    },
    environment,
  )
}

/** Strengths by idx, of patterns that have one of their own. */
export function readStrengths(server: TestServer, owner: Client): Promise<Map<number, number>> {
  return inSpace(server, owner, async (trx) => {
    const { rows } = await sql<{ idx: number; strength: number }>`
      select idx, strength from app.pattern_accesses order by idx`.execute(trx)
    return new Map(rows.map(({ idx, strength }) => [idx, strength]))
  })
}

/** Makes all patterns of a space so many days older. */
export function age(server: TestServer, owner: Client, days: number): Promise<void> {
  return inSpace(server, owner, async (trx) => {
    await sql`update app.patterns set created_at = created_at - make_interval(days => ${days})`.execute(trx)
  })
}
