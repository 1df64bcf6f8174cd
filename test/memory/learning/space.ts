import type { Trace } from '@memory/engine/learning/trace'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Client } from '../../support/client.ts'
import type { TestServer } from '../../support/server.ts'
import { inSpace } from '../space.ts'

/** Learning-rate multiplier of a space that nothing has surprised much: 0.5 + sigmoid(2 (signal - 1)). */
export const rateAt = (signal: number): number => 0.5 + 1 / (1 + Math.exp(-2 * (signal - 1)))

/** A pattern of an answer, as the service shows it. */
export interface Found {
  pattern_id: string
  similarity: number
}

/** What a client is answered; fails the test when it is refused. */
export async function search(
  client: Client,
  query: string,
  {
    actor,
    path = '/v1/memory/text/retrieve',
    ...options
  }: { actor?: string; path?: string; [option: string]: unknown } = {},
): Promise<Found[]> {
  const headers: Record<string, string> = actor === undefined ? {} : { 'X-Memory-Actor': actor }
  const { status, body } = await client.post(path, { query, ...options }, headers)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.results
}

/** Writes what has been noted. */
export async function flush({ context }: TestServer): Promise<void> {
  await context.memory.accesses.flush()
  await context.memory.learning.flush()
}

/** Everything that is kept of what a client's space has learned, by idx. */
export function readLearned(server: TestServer, owner: Pick<Client, 'organizationId'>) {
  return inSpace(server, owner, async (trx, { id }) => {
    const { rows: associations } = await sql<{ a: number; b: number; weight: number }>`
      select a, b, weight from app.associations where space_id = ${id} order by a, b`.execute(trx)
    const { rows: transitions } = await sql<{ source: number; target: number; count: number }>`
      select source, target, count from app.transitions where space_id = ${id} order by source, target`.execute(
      trx,
    )
    const { rows: accesses } = await sql<{ idx: number; access_count: number; strength: number }>`
      select idx, access_count, strength from app.pattern_accesses where space_id = ${id} order by idx`.execute(
      trx,
    )
    const { rows: traces } = await sql<{ actor: string; trace: Trace; patterns: number[] }>`
      select encode(actor, 'hex') as actor, trace, patterns from app.actor_traces where space_id = ${id}`.execute(
      trx,
    )
    return {
      associations: new Map(associations.map(({ a, b, weight }) => [`${a}-${b}`, weight])),
      transitions: new Map(transitions.map(({ source, target, count }) => [`${source}>${target}`, count])),
      accesses: new Map(accesses.map(({ idx, ...access }) => [idx, access])),
      traces,
    }
  })
}
