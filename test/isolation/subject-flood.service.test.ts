import { ThreadPool } from '@memory/api/pool/thread-pool'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Client } from '../support/client.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
afterEach(() => {
  vi.restoreAllMocks()
})

const mark = 'Of the flood'

/** Has the texts of the flood be encoded only when they are let go, and then in no time. */
function holdFlood(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const run = ThreadPool.prototype.run
  vi.spyOn(ThreadPool.prototype, 'run').mockImplementation(async function (this: ThreadPool, task, index) {
    if (task.kind !== 'embed' || typeof task.text !== 'string' || !task.text.startsWith(mark)) {
      return run.call(this, task, index) as never
    }
    await promise
    return { embedding: new Float32Array(this.dimensions), encodeMs: 0 } as never
  })
  return resolve
}

let texts = 0
/** A request for the embeddings of many long texts. */
const embedRequest = ({ key }: Client) =>
  rawRequest(
    'POST',
    '/v1/memory/text/embed',
    { 'X-API-Key': key },
    { texts: Array.from({ length: 50 }, () => `${mark} ${texts++} ${'word '.repeat(450)}`) },
  )

/** Waits until as many texts wait for a thread as are going to. @returns their count */
async function untilAllWait(): Promise<number> {
  const { pool } = server.context
  let [queued, looks] = [0, 0]
  await until(() => {
    looks = pool.queued === queued ? looks + 1 : 0
    queued = pool.queued
    return queued >= 200 && looks >= 20
  }, 'the texts to wait for their turns')
  return queued
}

it('F9 an end user who has thousands of texts encoded stops no search of another one', async () => {
  const owner = await server.newClient()
  const { organizationId } = owner
  const bound = (name: string) => server.newClient({ organizationId, subject: { name, isShared: false } })
  const [ada, grace, other] = [await bound('ada'), await bound('grace'), await server.newClient()]
  await owner.store([{ text: 'Grace lives in Oslo.', subject: 'grace' }])
  await other.store(['Ben lives in Rome.'])
  const release = holdFlood()
  const flood = Array.from({ length: 40 }, () => new RawConnection(server.url).read().send(embedRequest(ada)))
  const waiting = await untilAllWait()
  let answered = 0
  const asked = [grace, other].map(async (client) => {
    const answer = await client.post('/v1/memory/text/recall', { query: 'Who lives where?' })
    answered++
    return answer
  })
  await until(() => server.context.pool.queued + answered >= waiting + asked.length, 'the searches to come')
  for (const connection of flood) connection.close()
  release()
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const found = ['Grace lives in Oslo.', 'Ben lives in Rome.']
  for (const [i, { body }] of answers.entries()) expect(JSON.stringify(body)).toContain(found[i])
})
