import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPlan } from '../organizations/support.ts'
import { newUser, type User } from '../support/accounts.ts'
import { answerOf, operations } from '../support/operations.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let folder: string
let user: User
let webhook: string
let pattern: string

const api = '/v1/memory'
const cursorOf = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')

/** Fills every list with two things at least. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-cursors-'))
  for (const name of ['one', 'two']) mkdirSync(join(folder, `memory-2026-01-01-${name}`))
  server = await startServer({ MEMORY_BACKUP_DIR: folder })
  user = await newUser(server, { platformAdmin: true })
  await newUser(server)
  await setPlan(server, user, 'enterprise')
  webhook = (await user.post('/v1/webhooks', { url: 'https://1.1.1.1/' })).body.id
  pattern = (await user.post(`${api}/text/store`, { text: 'Ada lives in Riga.' })).body.pattern_id
  for (let i = 0; i < 3; i++) {
    await user.patch(`${api}/patterns/${pattern}`, { text: `Ada lives in town ${i}.` })
    const items = [450, 540].map((rent) => ({
      ...{ text: `Flat ${'ABC'[i]} costs ${rent} euros a month.`, subject: `subject ${i}: of ours` },
    }))
    await user.post(`${api}/text/batch-store`, { items })
    await user.post(`${api}/sleep`)
    const { body } = await user.post(`${api}/text/store`, { text: 'to be erased' })
    await user.post(`${api}/patterns/delete`, { pattern_ids: [body.pattern_id] })
    await user.post(`/v1/webhooks/${webhook}/test`)
  }
}, 120_000)

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

interface List {
  path: string
  /** Of a list whose parameters are in a body. */
  body?: object
  /** Of a list that is too short here to give a cursor. */
  cursor?: string
}

const patternOrders = ['created_at', 'updated_at', '-updated_at', 'occurred_at', '-occurred_at']

/** Each list in each of its orders, by the operation that answers it. */
const lists: Record<string, () => List[]> = {
  listPatterns: () => patternOrders.map((order) => ({ path: `${api}/patterns?order=${order}` })),
  searchPatterns: () => patternOrders.map((order) => ({ path: `${api}/patterns/search`, body: { order } })),
  listVersions: () => [{ path: `${api}/patterns/${pattern}/history` }],
  listRuns: () => [{ path: `${api}/runs` }],
  listConflicts: () => [{ path: `${api}/conflicts` }],
  listReceipts: () => [{ path: `${api}/receipts` }],
  listSubjects: () => [{ path: `${api}/subjects` }],
  breakDownUsage: () => [
    ...['operation', 'subject'].map((by) => ({ path: `/v1/usage/breakdown?by=${by}` })),
    { path: '/v1/usage/breakdown?by=key', cursor: cursorOf('key key_session') },
  ],
  listWebhookDeliveries: () => [{ path: `/v1/webhooks/${webhook}/deliveries` }],
  listAllOrganizations: () => [{ path: '/v1/admin/organizations' }],
  listAllUsers: () => [{ path: '/v1/admin/users' }],
  listAllReceipts: () => [{ path: '/v1/admin/receipts' }],
  listJobs: () => [{ path: '/v1/admin/queues/tiers/jobs?state=failed', cursor: cursorOf('jobs 1') }],
  listBackups: () => [{ path: '/v1/admin/backups', cursor: cursorOf('backup memory-2026-01-01-two') }],
}

const ask = ({ path, body }: List, more: object) =>
  body === undefined
    ? user.get(`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ ...more })}`)
    : user.post(path, { ...body, ...more })

const cursorIn = async (list: List): Promise<string> =>
  list.cursor ?? (await ask(list, { limit: 1 })).body.next_cursor

/** What no part of a cursor may be, and nothing in one. */
const nowhere = ['\0', 'x\0y', '\0'.repeat(3)]
/** What a part may come to be that was a number, a time, an id or a name. */
const odd = [
  ...['', ' ', '0', '-0', '-1', '1e3', '0x10', 'NaN', '9'.repeat(10), '9'.repeat(15), `-${'9'.repeat(15)}`],
  ...['9'.repeat(16), '9'.repeat(40), '4294967296', '2147483648', '9007199254740993', '١٢'],
  ...['2026-02-30', '0000-01-01', '2026-01-01 00:00:00+16:00', '2026-01-01T24:00:61Z', '294277-01-01'],
  ...[
    'x',
    'X'.repeat(600),
    'é',
    'key',
    '00000000-0000-0000-0000-000000000000',
    '{}',
    "'; --",
    '%',
    '\u{10ffff}',
  ],
]

/** A cursor with each of its parts replaced, from nothing but its text. */
function replaced(cursor: string, values: readonly string[]): string[] {
  const text = Buffer.from(cursor, 'base64url').toString()
  const parts = text.split(/([ :])/)
  return parts.flatMap((_, i) =>
    i % 2 === 1 ? [] : values.map((value) => cursorOf(parts.with(i, value).join(''))),
  )
}

/** No text that a list gave: other bytes than those of UTF-8, other letters than those of the encoding. */
function misspelt(cursor: string): string[] {
  const bytes = Buffer.from(cursor, 'base64url')
  const surrogate = Buffer.from([0xed, 0xa0, 0x80])
  return [
    ...[`${cursor}=`, ` ${cursor}`, `${cursor}!`, `${cursor}\0`, 'null'],
    cursorOf(Buffer.concat([bytes, surrogate])),
    cursorOf(Buffer.concat([surrogate, bytes])),
    cursorOf(Buffer.concat([bytes, Buffer.from([0xff])])),
  ]
}

/** Parts of it, and what it is not as a whole. */
const cut = (cursor: string): string[] => [
  ...[cursor.slice(0, -2), cursor.slice(4), cursor.toUpperCase(), `${cursor}${cursor}`, ''],
  ...odd.map(cursorOf),
]

/** The lists that have more than one page. */
const paged = operations.filter((operation) => answerOf(operation).includes('next_cursor'))

describe('a cursor that no list gave', () => {
  it('is tried of every list', () => {
    expect(paged.map(({ id }) => id).toSorted()).toEqual(Object.keys(lists).toSorted())
  })

  it.each(Object.keys(lists))(
    'is refused, or names where a page may end: %s',
    { timeout: 120_000 },
    async (id) => {
      for (const list of lists[id]?.() ?? []) {
        const cursor = await cursorIn(list)
        expect(cursor, list.path).toEqual(expect.any(String))
        const statusOf = async (given: unknown) => (await ask(list, { cursor: given })).status
        if (list.path !== '/v1/usage/breakdown?by=key') expect(await statusOf(cursor)).toBe(200)
        for (const given of [...misspelt(cursor), ...replaced(cursor, nowhere)]) {
          if (given === cursor) continue
          expect([given, await statusOf(given)]).toEqual([given, 422])
        }
        for (const given of [...cut(cursor), ...replaced(cursor, odd)]) {
          const text = Buffer.from(given, 'base64url').toString()
          expect([200, 422], `${list.path} of ${text}`).toContain(await statusOf(given))
        }
        if (list.body === undefined) continue
        for (const given of [1, true, [cursor], { cursor }]) expect(await statusOf(given)).toBe(422)
      }
    },
  )

  it.each(['operation', 'key'])('is refused where it names nothing of the division: by %s', async (by) => {
    for (const name of ['nothing', 'key_none', 'key_00000000-0000-0000-0000-000000000000']) {
      const query = new URLSearchParams({ by, cursor: cursorOf(`${by} ${name}`) })
      expect((await user.get(`/v1/usage/breakdown?${query}`)).status).toBe(422)
    }
  })

  it.each(['organizations', 'users'])(
    'is refused where it says a time as a database writes it: %s',
    async (rows) => {
      const id = 'b7a52a5c-5d0c-4d3c-8a35-2a3b8f5f9b10'
      for (const time of ['2026-02-30 00:00:00+00', '0000-01-01 00:00:00+00', '2026-01-01 00:00:00+15:60']) {
        expect((await user.get(`/v1/admin/${rows}?cursor=${cursorOf(`${time} ${id}`)}`)).status).toBe(422)
      }
    },
  )
})
