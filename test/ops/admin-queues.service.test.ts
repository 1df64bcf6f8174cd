import { randomUUID } from 'node:crypto'
import { queueNames } from '@memory/shared/catalogue/jobs'
import { QueueSilent } from '@memory/shared/platform/queue/queue'
import type { QueueWorkers } from '@memory/shared/platform/queue/workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Anonymous, auditOf, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
let admin: User
let workers: QueueWorkers
/** Why jobs fail; undefined where they are done. */
let failure: string | undefined

beforeAll(async () => {
  server = await startServer()
  admin = await newUser(server, { platformAdmin: true })
  workers = await server.context.queue.work({
    types: [],
    handle: async () => {
      if (failure !== undefined) throw new Error(failure)
    },
  })
})
afterAll(async () => {
  await workers.stop()
  await server.close()
})

const queues = '/v1/admin/queues'
const jobsIn = async (state: string, more = '') =>
  (await admin.get(`${queues}/chores/jobs?state=${state}${more}`)).body
const add = () => server.context.queue.add('purge-traces', {})

/** So many jobs that have failed, the latest first. */
async function failed(count: number): Promise<string[]> {
  failure = `broken: ${'x'.repeat(1_000)}`
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const id = await add()
    ids.unshift(id)
    await until(async () => (await jobsIn('failed')).jobs[0]?.id === id, 'the job has failed')
  }
  return ids
}

describe('the queues', () => {
  it.each([
    ['GET', queues],
    ['GET', `${queues}/chores/jobs?state=failed`],
    ['POST', `${queues}/chores/jobs/${randomUUID()}/retry`],
    ['DELETE', `${queues}/chores/jobs/${randomUUID()}`],
  ])('are for platform admins alone: %s %s', async (method, path) => {
    const ada = await newUser(server)
    expect(await ada.request(method, path)).toMatchObject({
      status: 403,
      body: { detail: 'Platform admin required' },
    })
    expect((await new Anonymous(server.url).request(method, path)).status).toBe(401)
  })

  it('say where jobs are kept, who does them, and how many there are', async () => {
    const before = (await admin.get(queues)).body
    await failed(2)
    const { status, body } = await admin.get(queues)
    expect(status).toBe(200)
    const { kind } = server.context.database
    expect(body).toMatchObject({
      kept_in: kind,
      worked_by: kind === 'embedded' ? 'this_process' : 'workers',
    })
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual(queueNames)
    const chores = (answer: typeof body) =>
      answer.queues.find(({ name }: { name: string }) => name === 'chores')
    expect(chores(body).jobs.failed - chores(before).jobs.failed).toBe(2)
    await until(
      async () => chores((await admin.get(queues)).body).total_failed >= chores(before).total_failed + 2,
      'failures are counted',
    )
  })

  it('list jobs by state, the latest failed ones first, page by page, with what went wrong', async () => {
    const ids = await failed(3)
    const first = await jobsIn('failed', '&limit=2')
    const second = await jobsIn('failed', `&limit=2&cursor=${first.next_cursor}`)
    const listed = [...first.jobs, ...second.jobs].map(({ id }: { id: string }) => id)
    expect(listed.slice(0, 3)).toEqual(ids)
    const [latest] = first.jobs
    expect(latest).toMatchObject({
      ...{ name: 'purge-traces', space_id: null, attempts: 1, max_attempts: 1, due_at: null },
      error: failure?.slice(0, 500),
    })
    expect(Date.parse(latest.finished_at)).toBeGreaterThanOrEqual(Date.parse(latest.created_at))
    const all = await jobsIn('failed', '&limit=200')
    expect(all.next_cursor).toBeNull()
  })

  it('list what waits for its time, and the space that work is on', async () => {
    const spaceId = randomUUID()
    const id = await server.context.queue.add('migrate-tiers', { spaceId }, { delayMs: 3_600_000 })
    const { body } = await admin.get(`${queues}/tiers/jobs?state=delayed`)
    expect(body.jobs).toMatchObject([{ id, space_id: spaceId, attempts: 0, error: null, started_at: null }])
    const [{ due_at, created_at }] = body.jobs
    expect(Date.parse(due_at) - Date.parse(created_at)).toBe(3_600_000)
  })

  it('do a failed job once more, and remove one, which the audit log tells', async () => {
    const [again, gone] = (await failed(2)) as [string, string]
    failure = undefined
    expect((await admin.post(`${queues}/chores/jobs/${again}/retry`)).status).toBe(200)
    await until(
      async () => (await jobsIn('completed')).jobs.some(({ id }: { id: string }) => id === again),
      'the job is done',
    )
    expect((await admin.delete(`${queues}/chores/jobs/${gone}`)).status).toBe(200)
    expect((await jobsIn('failed', '&limit=200')).jobs.map(({ id }: { id: string }) => id)).not.toContain(
      gone,
    )
    const entries = (await auditOf(server, admin.userId)).filter(({ action }) => action.startsWith('job_'))
    expect(entries).toMatchObject([
      { action: 'job_retried', target: again, details: { queue: 'chores', job: 'purge-traces' } },
      { action: 'job_removed', target: gone, details: { queue: 'chores', job: 'purge-traces' } },
    ])
  })

  it('have it in the audit log before it is done, and that it failed or nobody knows', async () => {
    const [id] = (await failed(1)) as [string]
    const { queue } = server.context
    const noted = async () => (await auditOf(server, admin.userId)).filter(({ target }) => target === id)
    const details = { queue: 'chores', job: 'purge-traces' }
    const removing = vi.spyOn(queue, 'remove').mockImplementation(async () => {
      expect(await noted()).toMatchObject([{ action: 'job_removed', success: true, details }])
      throw new QueueSilent()
    })
    expect(await admin.delete(`${queues}/chores/jobs/${id}`)).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('The job queue does not answer') },
    })
    removing.mockRestore()
    expect(await noted()).toMatchObject([
      { action: 'job_removed', success: true, details },
      { action: 'job_removed', success: false, details: { ...details, error: 'unavailable' } },
    ])
    // Without the entry nothing is done.
    const reading = vi.spyOn(queue, 'nameOfFailed').mockResolvedValue('\u0000')
    expect((await admin.delete(`${queues}/chores/jobs/${id}`)).status).toBe(500)
    reading.mockRestore()
    expect((await jobsIn('failed', '&limit=200')).jobs.map(({ id }: { id: string }) => id)).toContain(id)
  })

  it('touch nothing but what has failed', async () => {
    failure = undefined
    const id = await server.context.queue.add('migrate-tiers', { spaceId: randomUUID() }, { delayMs: 60_000 })
    const path = `${queues}/tiers/jobs/${id}`
    expect(await admin.post(`${path}/retry`)).toMatchObject({ status: 409 })
    expect(await admin.delete(path)).toMatchObject({ status: 409 })
    const unknown = `${queues}/tiers/jobs/${randomUUID()}`
    expect(await admin.post(`${unknown}/retry`)).toMatchObject({ status: 404 })
    expect(await admin.delete(unknown)).toMatchObject({ status: 404 })
  })

  it('refuse a queue, a state and a cursor that there are none of', async () => {
    for (const path of [
      `${queues}/none/jobs?state=failed`,
      `${queues}/chores/jobs?state=lost`,
      `${queues}/chores/jobs?state=failed&cursor=x`,
    ]) {
      expect((await admin.get(path)).status, path).toBe(422)
    }
  })
})
