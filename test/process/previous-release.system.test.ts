import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { migratePostgres, pendingOnPostgres } from '@memory/shared/platform/database/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bare, newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { readMails } from '../support/mails.ts'
import type { Answer } from '../support/requests.ts'
import { Requests } from '../support/requests.ts'
import { until } from '../support/until.ts'
import { Receiver, verified } from '../webhooks/receiver.ts'
import { loopback } from '../webhooks/support.ts'
import { checkOut, findPreviousRelease } from './previous-release.ts'
import { CommandProcess, run, type ServiceProcess, startService } from './service-process.ts'

const previous = findPreviousRelease()
const password = 'a password for tests'

/** Sends requests with certain headers; unlike the clients of other tests it compares no answer with this release. */
class Sender extends Requests {
  readonly #url: string
  readonly #headers: Record<string, string>

  constructor(url: string, headers: Record<string, string> = {}) {
    super()
    this.#url = url
    this.#headers = headers
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...this.#headers, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const comeAgainS = response.status === 503 ? response.headers.get('Retry-After') : null
    if (comeAgainS !== null) {
      // As docs/upgrading.md says of what waits for too long while the database is migrated.
      await delay(1_000 * Number(comeAgainS))
      return this.request(method, path, body, headers)
    }
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  /** The body of an answer that is to be a success. */
  async get2xx(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const answer = await this.request(method, path, body, headers)
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeOneOf([200, 201])
    return answer.body
  }
}

/**
 * While a new release takes over, both work on its schema, and it may be taken back. So a migration takes away nothing
 * that the release before reads or writes, and adds nothing that it would have to write.
 */
describe.runIf(onPostgres)('the release before this one', () => {
  it.runIf(previous === undefined)('is known', ({ skip }) => {
    console.warn(
      'F11 is not tested with an earlier release: this clone lacks its commit. git fetch --unshallow',
    )
    skip()
  })

  describe.runIf(previous !== undefined)(`F11 (${previous?.slice(0, 7)})`, () => {
    let folder: string
    let checkout: string
    let database: TestDatabase
    let settings: Record<string, string>
    let receiver: Receiver
    /** It migrated the empty database, and has served ever since. */
    let old: ServiceProcess
    let current: ServiceProcess
    const processes: CommandProcess[] = []

    const keep = <Started extends CommandProcess>(started: Started): Started => {
      processes.push(started)
      return started
    }
    const start = async (name: string, from?: string) =>
      keep(await startService(join(folder, name), settings, { checkout: from }))

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'memory-previous-'))
      checkout = join(folder, 'sources')
      checkOut(previous as string, checkout)
      database = (await newDatabase(bare)) as TestDatabase
      receiver = await Receiver.start()
      settings = {
        DATABASE_URL: database.url,
        PASSWORD_BLOCKLIST: 'off',
        WEBHOOK_ALLOW_CIDRS: loopback,
        MEMORY_DEFAULT_PLAN: 'enterprise',
      }
      old = await start('old', checkout)
    }, 300_000)

    afterAll(async () => {
      await Promise.all(processes.map((each) => each.stop('SIGKILL')))
      await receiver?.stop()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    })

    it('serves on while and after this one migrates its database', async () => {
      await use(old.url, old.url)
      const pending = await pendingOnPostgres(database.url)
      for (const script of pending.length > 0 ? ['apps/api/src/main.ts', 'apps/worker/src/main.ts'] : []) {
        const early = await run(script, [], { ...settings, MEMORY_MIGRATE: 'off' })
        expect([early.code, early.stderr]).toEqual([1, expect.stringContaining(`${pending[0]}`)])
      }
      let isMigrated = false
      const uses = (async () => {
        do await use(old.url, old.url)
        while (!isMigrated)
      })()
      expect(await migratePostgres(database.url)).toEqual(pending)
      isMigrated = true
      await uses
      await use(old.url, old.url)
    })

    it('starts on the database as this one has made it', async () => {
      const again = await start('again', checkout)
      await use(again.url, again.url)
      expect(await pendingOnPostgres(database.url)).toEqual([])
    })

    it('serves beside this one, each what the other stored', async () => {
      current = await start('current')
      await use(old.url, current.url)
      await use(current.url, old.url)
    })

    it('keeps what was said of protection, whichever of them was told', async ({ skip }) => {
      const { ada } = await register(old.url)
      const { key } = await ada.get2xx('POST', '/v1/api-keys', { name: 'a key' })
      const [before, now] = [old, current].map(({ url }) => new Sender(url, { 'X-API-Key': key })) as [
        Sender,
        Sender,
      ]
      const store = (told: object) =>
        ['POST', '/v1/memory/text/store', { text: 'The bridge is long.', ...told }] as const
      const change = (name: string, told: object) =>
        ['PATCH', `/v1/memory/patterns/ext:${name}`, told] as const
      const more = { metadata: { n: 1 } }
      // Earlier ones take no names of their callers'.
      if ((await before.request(...store({ external_id: 'a', protected: true }))).status !== 200) skip()
      if ((await before.request(...change('a', {}))).status !== 200) skip()
      expect(await now.get2xx(...change('a', more))).toMatchObject({ protected: true })
      await now.get2xx(...store({ external_id: 'b', protected: false }))
      await before.get2xx(...store({ external_id: 'b', protected: true }))
      expect(await now.get2xx(...change('b', more))).toMatchObject({ protected: true })
      await now.get2xx(...store({ external_id: 'c', protected: true }))
      await before.get2xx(...change('c', { protected: false }))
      expect(await now.get2xx(...change('c', more))).toMatchObject({ protected: false })
    })

    it.each([
      ['its workers do what this one asks for', () => current, () => checkout],
      ['what it asks for is done by workers of this one', () => old, () => undefined],
    ])('%s', async (_what, api, from) => {
      const dataDir = join(folder, randomUUID())
      const worker = keep(
        new CommandProcess(
          'apps/worker/src/main.ts',
          [],
          { ...settings, MEMORY_DATA_DIR: dataDir, WORKER_OPS_PORT: '0' },
          { checkout: from() },
        ),
      )
      const { ada, email } = await register(api().url)
      const mails = () => readMails(join(dataDir, 'outbox')).filter(({ to }) => to.includes(email))
      await until(() => mails().length === 1, 'the mail')
      const { secret } = await ada.get2xx('POST', '/v1/webhooks', { url: receiver.url })
      const before = receiver.received.length
      await ada.get2xx('POST', '/v1/memory/regime/inject-anomaly', { magnitude: 100 })
      const event = await until(() => receiver.received[before], 'the event')
      expect(verified(secret, event)).toMatchObject({ type: 'memory.regime_changed' })
      expect((await worker.stop('SIGTERM')).code).toBe(0)
    })
  })
})

async function register(url: string) {
  const email = `${randomUUID()}@example.com`
  const body = await new Sender(url).get2xx('POST', '/v1/auth/register', { email, password })
  return { ada: signedIn(url, body.access_token), email, tokens: body }
}

const signedIn = (url: string, accessToken: string) =>
  new Sender(url, { Authorization: `Bearer ${accessToken}` })

/** What applications do, some by one process and the rest by another. */
async function use(one: string, other: string): Promise<void> {
  const { ada, email, tokens } = await register(one)
  const { access_token } = await new Sender(other).get2xx('POST', '/v1/auth/login', { email, password })
  expect((await signedIn(one, access_token).get2xx('GET', '/v1/users/me')).email).toBe(email)
  const { refresh_token } = tokens
  const refreshed = await new Sender(other).get2xx('POST', '/v1/auth/refresh', { refresh_token })
  expect((await signedIn(one, refreshed.access_token).get2xx('GET', '/v1/users/me')).email).toBe(email)

  const { key, id } = await ada.get2xx('POST', '/v1/api-keys', { name: 'a key' })
  const [here, there] = [one, other].map((url) => new Sender(url, { 'X-API-Key': key })) as [Sender, Sender]
  await useTexts(here, there)
  await useVectors(here, there)
  await here.get2xx('POST', '/v1/memory/sleep', { batch_size: 5 })
  await there.get2xx('POST', '/v1/memory/explore', { batch_size: 5 })
  expect((await there.get2xx('GET', '/v1/memory/brain')).patterns ?? 1).toBeGreaterThan(0)

  await signedIn(other, access_token).get2xx('DELETE', `/v1/api-keys/${id}`)
  expect((await here.get('/v1/memory/text/stats')).status).toBe(401)
}

async function useTexts(here: Sender, there: Sender): Promise<void> {
  const text = 'Ada moved to Lisbon in May.'
  const key = { 'Idempotency-Key': 'a' }
  const stored = await here.get2xx('POST', '/v1/memory/text/store', { text }, key)
  expect(await there.get2xx('POST', '/v1/memory/text/store', { text }, key)).toEqual(stored)
  const { pattern_ids } = await there.get2xx('POST', '/v1/memory/text/batch-store', {
    items: [{ text: 'The train to Porto leaves at nine.' }, { text: 'Ben plays the cello.' }],
  })
  for (const way of ['retrieve', 'recall']) {
    for (const sender of [here, there]) {
      const found = await sender.get2xx('POST', `/v1/memory/text/${way}`, { query: 'Where does Ada live?' })
      expect(found.results[0].text).toBe(text)
      expect(found.results).toHaveLength(3)
    }
  }
  await there.get2xx('POST', '/v1/memory/feedback', { pattern_id: stored.pattern_id, useful: true })
  const path = `/v1/memory/patterns/${pattern_ids[0]}`
  await there.get2xx('PATCH', path, { text: 'The train to Porto leaves at ten.' })
  expect((await here.get2xx('GET', path)).text).toContain('ten')
  await here.get2xx('DELETE', path)
  expect((await there.get(path)).status).toBe(404)
}

async function useVectors(here: Sender, there: Sender): Promise<void> {
  const patterns = [
    { key: [1, 0, 0], value: [1] },
    { key: [0, 1, 0], value: [2] },
  ]
  await here.get2xx('POST', '/v1/memory/batch/store', { patterns })
  for (const sender of [here, there]) {
    const { results } = await sender.get2xx('POST', '/v1/memory/query', { embedding: [0, 1, 0.1] })
    expect(results[0].value).toEqual([2])
    const many = await sender.get2xx('POST', '/v1/memory/batch/retrieve', {
      queries: [{ embedding: [1, 0, 0] }, { embedding: [0, 1, 0] }],
    })
    expect(many.results).toHaveLength(2)
  }
  await there.get2xx('DELETE', '/v1/memory/pattern', [1, 0, 0])
  const { results } = await here.get2xx('POST', '/v1/memory/query', { embedding: [1, 0, 0], top_k: 5 })
  expect(results.map(({ value }: { value: number[] }) => value)).not.toContainEqual([1])
}
