import { sql } from 'kysely'
import { expect } from 'vitest'
import type { ConformingClient } from '../../support/conforms.ts'
import type { TestServer } from '../../support/server.ts'
import { inSpace } from '../space.ts'

export const regimePath = '/v1/memory/regime'
export const injectPath = '/v1/memory/regime/inject-anomaly'
export const statePath = '/v1/memory/neuromodulation/state'
export const calibratePath = '/v1/memory/neuromodulation/calibrate'

type Caller = Pick<ConformingClient, 'get' | 'post'>

/** What a caller reads at a path; fails the test when it may not. */
export async function read(caller: Caller, path: string) {
  const answer = await caller.get(path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

/** Begins an anomaly. @returns the answer */
export async function inject(caller: Caller, body?: object) {
  const answer = await caller.post(injectPath, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

export const readRegimes = (caller: Caller, lastN = 1_000) =>
  read(caller, `${regimePath}/history?last_n=${lastN}`)
export const readSignals = (caller: Caller, window = 1_000) =>
  read(caller, `/v1/memory/neuromodulation/history?window=${window}`)

/** What is kept of a client's observations, oldest first. */
export function listSurprises(server: TestServer, ada: ConformingClient): Promise<number[]> {
  return inSpace(server, ada, async (trx, { id }) => {
    const { rows } = await sql<{ surprise: number }>`
      select (r.value ->> 'surprise')::float8 as surprise
        from app.signal_history h, jsonb_array_elements(h.records) with ordinality as r (value, i)
        where h.space_id = ${id} and r.value ->> 'surprise' is not null order by h.n, r.i`.execute(trx)
    return rows.map(({ surprise }) => surprise)
  })
}
