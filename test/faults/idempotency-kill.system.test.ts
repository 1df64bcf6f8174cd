import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import type { Client } from '../support/client.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import type { Answer } from '../support/requests.ts'
import { until } from '../support/until.ts'
import { listPatterns } from './list-patterns.ts'

// On PostgreSQL two processes work on one database: one is killed or stopped, the other hears of the request again. The
// embedded database belongs to one process, and the one that is started after it hears of the request again.

const folder = mkdtempSync(join(tmpdir(), 'memory-idempotency-'))
let database: TestDatabase | undefined
let first: ServiceProcess
let other: ServiceProcess | undefined
let key: string
let name: string

const start = (directory: string) =>
  startService(
    join(folder, directory),
    database === undefined ? {} : { DATABASE_URL: database.url, MEMORY_BOOTSTRAP: 'on' },
  )

beforeAll(async () => {
  database = await newDatabase()
  first = await start('first')
  other = onPostgres ? await start('other') : undefined
})

afterAll(async () => {
  for (const service of [first, other]) await service?.stop('SIGKILL')
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  if (first.ended) first = await start('first')
  key = randomUUID()
  name = `The history of ${key}.`
})

/** Texts that take a second or more to encode. */
const body = () => ({
  items: Array.from({ length: 12 }, (_, n) => ({
    text: `${name} Part ${n}. ${'The ferry to the island leaves at noon. '.repeat(30)}`,
  })),
})
const send = (client: Client): Promise<Answer> =>
  client.post('/v1/memory/text/batch-store', body(), { 'Idempotency-Key': key })

/** Sends the batch twice at once: who is told that the other is still running, is told while it runs. */
async function sendToFirst(): Promise<{ answer: Promise<Answer | undefined> }> {
  const client = first.client()
  const twins = [0, 1].map(() => send(client).catch(() => undefined))
  const [refused, { status }] = await Promise.race(
    twins.map(async (twin, n) => [n, (await twin) as Answer] as const),
  )
  expect(status).toBe(409)
  return { answer: twins[1 - refused] as Promise<Answer | undefined> }
}

const stored = async (client: Client) =>
  (await listPatterns(client)).filter(({ text }) => text?.includes(key)).length

/** The process that is there after the first is gone. */
const whoIsLeft = async (): Promise<ServiceProcess> => {
  if (other !== undefined) return other
  first = await start('first')
  return first
}

/** Sends again and again, as a client does that is told to try again. */
const sendUntilAnswered = (client: Client) =>
  until(async () => {
    const answer = await send(client)
    return answer.status === 409 ? undefined : answer
  }, 'the claim to end')

describe('a request under an Idempotency-Key whose process', () => {
  it('F3 was killed is done by the one that hears of it again, once', async () => {
    await sendToFirst()
    await first.stop('SIGKILL')
    const left = (await whoIsLeft()).client(first.client().key)
    const answer = await sendUntilAnswered(left)
    expect([answer.status, answer.body.stored, answer.headers.get('Idempotent-Replay')]).toEqual([
      200,
      12,
      null,
    ])
    expect(await stored(left)).toBe(12)
  })

  it('F3 was killed after the answer is answered with it', async () => {
    const before = await send(first.client())
    await first.stop('SIGKILL')
    const left = (await whoIsLeft()).client(first.client().key)
    const after = await send(left)
    expect([after.status, after.headers.get('Idempotent-Replay')]).toEqual([200, 'true'])
    expect(after.body).toEqual(before.body)
    expect(await stored(left)).toBe(12)
  })

  it.runIf(onPostgres)(
    'F3 was stopped for longer than its claim lasts is told so, and stores nothing',
    async () => {
      const { answer } = await sendToFirst()
      first.child.kill('SIGSTOP')
      const left = (other as ServiceProcess).client(first.client().key)
      expect((await sendUntilAnswered(left)).status).toBe(200)
      first.child.kill('SIGCONT')
      expect((await answer)?.status).toBe(409)
      expect(await stored(left)).toBe(12)
    },
  )
})
