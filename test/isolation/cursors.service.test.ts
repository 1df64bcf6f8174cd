import { notify } from '@memory/shared/notifications/notify'
import { asTenant } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPlan } from '../organizations/support.ts'
import { newUser, type User } from '../support/accounts.ts'
import { answerOf, operations } from '../support/operations.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A tenant with something in every list. */
class Tenant {
  readonly user: User
  readonly webhook: string
  readonly pattern: string

  private constructor(user: User, webhook: string, pattern: string) {
    this.user = user
    this.webhook = webhook
    this.pattern = pattern
  }

  static async make(): Promise<Tenant> {
    const user = await newUser(server)
    await setPlan(server, user, 'enterprise')
    const webhook = await user.post('/v1/webhooks', { url: 'https://1.1.1.1/' })
    const pattern = await user.post('/v1/memory/text/store', { text: 'I live in Riga' })
    return new Tenant(user, webhook.body.id, pattern.body.pattern_id)
  }

  /** Adds one thing to each list. */
  async add(i: number): Promise<void> {
    const { user } = this
    const api = '/v1/memory'
    const name = ['Ada', 'Ben', 'Cleo'][i]
    await user.patch(`${api}/patterns/${this.pattern}`, { text: `I live in town ${i}` })
    const texts = [450, 540].map((rent) => `The rent of ${name} is ${rent} euros a month`)
    await user.post(`${api}/text/batch-store`, { items: texts.map((text) => ({ text, subject: `s${i}` })) })
    await user.post(`${api}/sleep`)
    const { body } = await user.post(`${api}/text/store`, { text: 'to be erased' })
    await user.post(`${api}/patterns/delete`, { pattern_ids: [body.pattern_id] })
    await user.post(`/v1/webhooks/${this.webhook}/test`)
    const { organizationId } = user
    await asTenant(server.context.database.queries, { organizationId }, (trx) =>
      notify(trx, organizationId, 'billing.payment_failed', { webhookId: 'x' }),
    )
  }
}

const cursorOf = async (user: User, path: string): Promise<string> =>
  (await user.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).body.next_cursor

/** Asks for what says where to go on, by the operation that answers it. */
const cases: Record<string, (tenant: Tenant) => Promise<string>> = {
  listPatterns: ({ user }) => cursorOf(user, '/v1/memory/patterns'),
  searchPatterns: async ({ user }) =>
    (await user.post('/v1/memory/patterns/search', { limit: 1, order: '-updated_at' })).body.next_cursor,
  listVersions: ({ user, pattern }) => cursorOf(user, `/v1/memory/patterns/${pattern}/history`),
  listRuns: ({ user }) => cursorOf(user, '/v1/memory/runs'),
  listConflicts: ({ user }) => cursorOf(user, '/v1/memory/conflicts'),
  listReceipts: ({ user }) => cursorOf(user, '/v1/memory/receipts'),
  listSubjects: ({ user }) => cursorOf(user, '/v1/memory/subjects'),
  breakDownUsage: ({ user }) => cursorOf(user, '/v1/usage/breakdown?by=subject'),
  listWebhookDeliveries: ({ user, webhook }) => cursorOf(user, `/v1/webhooks/${webhook}/deliveries`),
  streamNotifications: async ({ user }) => {
    const { body } = await user.get('/v1/notifications/stream?max_seconds=1')
    return /^id: (.+)$/m.exec(body)?.[1] as string
  },
}

const contentOf = (cursor: string) => Buffer.from(cursor, 'base64url').toString('latin1')
const isReadable = (cursor: string) => /^[\x20-\x7e]+$/.test(contentOf(cursor))

/** A cursor's content without ids, which are random, and times. */
const withoutIds = (cursor: string) =>
  contentOf(cursor)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+_[0-9a-z]{26}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00)?|\b1[0-9]{12}\b/g, 'time')

describe('I6 cursors and ids of events', () => {
  it('are tried of every list that others than who runs the service may read', () => {
    const paged = operations.filter(
      (operation) =>
        operation.access !== 'platform_admin' &&
        (answerOf(operation).includes('next_cursor') || operation.streams === true),
    )
    expect(paged.map(({ id }) => id).toSorted()).toEqual(Object.keys(cases).toSorted())
  })

  it('say nothing of how much others write', { timeout: 120_000 }, async () => {
    const [alone, among, other] = [await Tenant.make(), await Tenant.make(), await Tenant.make()]
    for (let i = 0; i < 3; i++) await alone.add(i)
    for (let i = 0; i < 3; i++) {
      await among.add(i)
      await other.add(i)
    }
    for (const [id, ask] of Object.entries(cases)) {
      const [first, second] = [await ask(alone), await ask(among)]
      expect(first, id).toEqual(expect.any(String))
      if (isReadable(first)) {
        expect(withoutIds(second), id).toBe(withoutIds(first))
      } else {
        // Sealed: no encoding of something that could be read, which were alike for numbers near each other, and no length that tells
        // how great a number is.
        expect(second, id).toHaveLength(first.length)
        const [one, other] = [first, second].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer]
        expect(one.filter((byte, i) => byte === other[i]).length, id).toBeLessThan(one.length / 3)
      }
    }
  })
})
