import { eraseExpired } from '@memory/memory/housekeeping'
import { exportPatterns } from '@memory/memory/patterns/export-patterns'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { send } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { expectCountersToMatch, inSpace, tablesHolding } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const texts = '/v1/memory/text/store'
const patterns = '/v1/memory/patterns'
const note = `${patterns}/ext:note`
const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const later = '2999-01-01T00:00:00.000Z'

/** Has the time come at which kept versions of a client's patterns expire. */
const expire = (client: ConformingClient) =>
  inSpace(server, client, (trx, { id }) =>
    sql`update app.pattern_versions set expires_at = now() - interval '1 second'
      where space_id = ${id} and expires_at < '2998-01-01'`.execute(trx),
  )

const history = async (client: ConformingClient) => (await client.get(`${note}/history`)).body.versions

/** Makes what is stored under `note` another one, which stays. */
const changes: Record<string, (client: ConformingClient) => Promise<unknown>> = {
  'stored again': (client) =>
    client.post(texts, { text: 'The safe is empty.', external_id: 'note', subject: 'ada' }),
  'stored again in a batch': (client) =>
    client.post('/v1/memory/text/batch-store', {
      items: [{ text: 'The safe is empty.', external_id: 'note', subject: 'ada' }],
    }),
  changed: (client) => client.patch(note, { text: 'The safe is empty.', expires_at: null }),
  prolonged: (client) => client.patch(note, { text: 'The safe is empty.', expires_at: later }),
}

/** Everything that an answer or an export says of what was stored. */
async function saidOf(client: ConformingClient, then: string): Promise<string> {
  const asked = { query: 'The code of the safe', as_of: then, include_superseded: true }
  const { body: token } = await client.post('/v1/memory/subject-tokens', {
    subject: 'ada',
    scopes: ['memory:read'],
  })
  const bearer = { Authorization: `Bearer ${token.token}` }
  const answers = await Promise.all([
    client.get(`${note}/history`),
    client.post('/v1/memory/text/retrieve', { ...asked, top_k: 10 }),
    client.post('/v1/memory/text/recall', { ...asked, top_k: 10 }),
    client.post('/v1/memory/tiered/retrieve', { ...asked, top_k: 10 }),
    client.get(`${patterns}?as_of=${then}&include_superseded=true`),
    client.post(`${patterns}/search`, { as_of: then, q: 'code' }),
    client.get('/v1/memory/subjects/ada/export'),
    send(`${server.url}${note}/history`, 'GET', bearer),
    send(`${server.url}${patterns}?as_of=${then}`, 'GET', bearer),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const lines: string[] = []
  for await (const line of exportPatterns(server.context.database.queries, client.organizationId, 'live')) {
    lines.push(line)
  }
  return JSON.stringify([answers.map(({ body }) => body), lines])
}

describe('a version whose own expires_at has passed', () => {
  it.each(Object.keys(changes))('is in no answer, and erased by the job: %s', async (how) => {
    const ada = await newConformingClient(server)
    const code = `4711-${how.replaceAll(' ', '-')}`
    const text = `The code of the safe is ${code}.`
    await ada.post(texts, { text, external_id: 'note', subject: 'ada', expires_at: soon() })
    await changes[how]?.(ada)
    const [{ changed_at: then }] = (await history(ada)).slice(-1)
    expect(await saidOf(ada, then)).toContain(code)
    expect((await ada.post(`${note}/revert`, { version: 7 })).status).toBe(404)

    await expire(ada)
    for (let erased = 0; erased < 2; erased++) {
      expect(await saidOf(ada, then)).not.toContain(code)
      expect(await history(ada)).toMatchObject([
        { version: 2, text: 'The safe is empty.', redacted: false },
        { version: 1, text: null, metadata: null, expires_at: null, redacted: true, changed_at: then },
      ])
      const count = await ada.post(`${patterns}/count`, { as_of: then })
      expect(count.body).toEqual({ count: 0 })
      const refused = await ada.post(`${note}/revert`, { version: 1 })
      expect([refused.status, refused.body.detail]).toEqual([404, 'Version not found'])
      expect((await tablesHolding(server, code)).length).toBe(erased === 0 ? 1 : 0)
      await eraseExpired(server.context.database.queries)
    }
    expect(await ada.retrieve('The safe', { top_k: 5 })).toEqual(['The safe is empty.'])
    await expectCountersToMatch(server, ada)
  })

  it('takes nothing along that lasts longer, in whatever order the versions came', async () => {
    const ada = await newConformingClient(server)
    for (const [text, expires_at] of [
      ['lasts', null],
      ['goes', soon()],
      ['lasts till later', later],
      ['goes too', soon()],
      ['is there', null],
    ]) {
      await ada.post(texts, { text, expires_at, external_id: 'note' })
    }
    await expire(ada)
    await eraseExpired(server.context.database.queries)
    const shown = (await history(ada)).map(({ text }: { text: string | null }) => text)
    expect(shown).toEqual(['is there', null, 'lasts till later', null, 'lasts'])
    const reverted = await ada.post(`${note}/revert`, { version: 3 })
    expect(reverted.body).toMatchObject({ text: 'lasts till later', expires_at: later })
  })

  it('shows no values of vectors', async () => {
    const ada = await newConformingClient(server)
    const stored = { key: [1, 0], value: [47.11], external_id: 'note', expires_at: soon() }
    await ada.post('/v1/memory/store', stored)
    await ada.patch(note, { expires_at: null })
    await ada.put('/v1/memory/pattern', { key: [1, 0], new_value: [5] })
    await expire(ada)
    expect(await history(ada)).toMatchObject([
      { version: 3, value: [5] },
      { version: 2, value: [expect.closeTo(47.11, 3)], redacted: false },
      { version: 1, value: null, redacted: true },
    ])
  })
})
