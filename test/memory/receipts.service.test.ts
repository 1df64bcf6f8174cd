import { createHash, randomUUID } from 'node:crypto'
import { type ReceiptClaims, selectorHash } from '@memory/shared/receipts/receipt'
import { insertReceipt, receiptsOfOrganization } from '@memory/shared/receipts/store'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf } from '../docs/pages.ts'
import { newUser } from '../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { asOwner, inSpace, tablesHolding } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const people = [
  { text: 'Ada has asthma.', metadata: { user: 'ada' } },
  { text: 'Ben is diabetic.', metadata: { user: 'ben' } },
  { text: 'Ada lives in Lisbon.', metadata: { user: 'ada' } },
]

async function newPeople() {
  const client = await newConformingClient(server)
  return { client, ids: await client.store(people) }
}

const forget = (client: ConformingClient, body: object, headers?: Record<string, string>) =>
  client.request('POST', '/v1/memory/text/forget', body, headers)
const verify = (client: ConformingClient, body: object) => client.post('/v1/memory/receipts/verify', body)
const listed = async (client: ConformingClient) =>
  (await client.get('/v1/memory/receipts')).body.receipts.map((each: { receipt: string }) => each.receipt)

describe('the receipt of a forget', () => {
  it('is a JWS by a key of the JWK set that says how much went, and of what', async () => {
    const { client, ids } = await newPeople()
    for (const query of ['Ada has asthma.', 'Ada lives in Lisbon.'])
      await client.retrieve(query, { top_k: 3 })
    await server.context.memory.accesses.flush()
    await server.context.memory.learning.flush()
    const links = await countLinks(client)
    const { body } = await forget(client, { filter: { user: 'ada' } })
    const keys = createLocalJWKSet((await client.get('/.well-known/jwks.json')).body)
    const { issuer } = server.context.config
    const { payload, protectedHeader } = await jwtVerify(body.receipt, keys, {
      issuer,
      algorithms: ['RS256'],
    })
    expect(protectedHeader.typ).toBe('erasure-receipt+jwt')
    expect(payload).toMatchObject({
      org: client.organizationId,
      selector_sha256: sha256('{"filter":{"user":"ada"}}'),
      ids_sha256: sha256([ids[0], ids[2]].sort().join('\n')),
    })
    expect(links.associations).toBeGreaterThan(0)
    expect(payload.counts).toMatchObject({ patterns: 2, accesses: 2, ...links })
    const at = (claim: string) => Date.parse(payload[claim] as string)
    expect(at('requested_at')).toBeLessThanOrEqual(at('completed_at'))
    expect(at('log_purged_by')).toBeGreaterThan(at('completed_at'))
  })

  /** All links of the space: each of them is of one of Ada's patterns at least. */
  async function countLinks(client: ConformingClient): Promise<Record<string, number>> {
    const { rows } = await inSpace(server, client, (trx) =>
      sql<{ associations: number; transitions: number }>`
        select (select count(*)::int from app.associations) as associations,
          (select count(*)::int from app.transitions) as transitions`.execute(trx),
    )
    return rows[0] as Record<string, number>
  }

  it('counts the passages of long texts', async () => {
    const client = await newConformingClient(server)
    await client.store([Array.from({ length: 80 }, (_, n) => `Sentence ${n} tells of ${n} birds.`).join(' ')])
    const passages = await inSpace(
      server,
      client,
      async (trx) => (await sql`select from app.passages`.execute(trx)).rows.length,
    )
    expect(passages).toBeGreaterThan(0)
    const { body } = await client.delete('/v1/memory/patterns?confirm=all')
    expect(decodeJwt(body.receipt).counts).toMatchObject({ patterns: 1, passages })
  })

  it('is not made where nothing was removed, nor for a dry run', async () => {
    const { client } = await newPeople()
    const preview = await forget(client, { filter: { user: 'ada' }, dry_run: true })
    const none = await forget(client, { filter: { user: 'nobody' } })
    expect([preview.body.forgotten, none.body.forgotten]).toEqual([2, 0])
    for (const { body } of [preview, none]) expect(body).not.toHaveProperty('receipt')
    expect(await listed(client)).toEqual([])
  })

  it('is the same for a repetition under an Idempotency-Key', async () => {
    const { client } = await newPeople()
    const once = () => forget(client, { filter: { user: 'ada' } }, { 'Idempotency-Key': 'once' })
    const first = await once()
    const again = await once()
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await listed(client)).toEqual([first.body.receipt])
  })

  it('is not there where the erasure was rolled back', async () => {
    const { client } = await newPeople()
    await asOwner(server.context.database.queries, (trx) =>
      sql`create function app.refuse() returns trigger language plpgsql as $$begin raise 'refused'; end$$;`.execute(
        trx,
      ),
    )
    const owner = (statement: string) =>
      asOwner(server.context.database.queries, (trx) => sql.raw(statement).execute(trx))
    await owner(`create constraint trigger refused after insert on app.receipts deferrable initially deferred
      for each row when (new.organization_id = '${client.organizationId}') execute function app.refuse()`)
    try {
      expect((await forget(client, { filter: { user: 'ada' } })).status).toBe(500)
    } finally {
      await owner('drop trigger refused on app.receipts')
      await owner('drop function app.refuse')
    }
    expect(await listed(client)).toEqual([])
    expect((await client.get('/v1/memory/patterns')).body.patterns).toHaveLength(people.length)
  })

  it('holds neither texts nor ids', async () => {
    const { client, ids } = await newPeople()
    await forget(client, { query: 'Ada has asthma.' })
    for (const secret of [ids[0] as string, 'asthma'])
      expect(await tablesHolding(server, secret)).not.toContain('receipts')
    const [receipt] = await listed(client)
    const claims = JSON.stringify(decodeJwt(receipt))
    for (const secret of [...ids, 'asthma']) expect(claims).not.toContain(secret)
  })
})

it.each<[string, (client: ConformingClient, id: string) => ReturnType<ConformingClient['post']>]>([
  ['was forgotten', (client) => forget(client, { query: 'Ada has asthma.' })],
  ['was deleted', (client, id) => client.delete(`/v1/memory/patterns/${id}`)],
  [
    'was deleted with others',
    (client, id) => client.post('/v1/memory/patterns/delete', { pattern_ids: [id] }),
  ],
  [
    'was deleted by its key',
    async (client) => {
      const { embedding } = (await client.post('/v1/memory/text/embed', { text: 'Ada has asthma.' })).body
      return client.delete('/v1/memory/pattern', embedding)
    },
  ],
  [
    'was before and was redacted',
    async (client, id) => {
      await client.patch(`/v1/memory/patterns/${id}`, { text: 'Ada is well.' })
      return client.delete(`/v1/memory/patterns/${id}/history/1`)
    },
  ],
  [
    'was of an end user and is another’s by now',
    async (client, id) => {
      await client.patch(`/v1/memory/patterns/${id}`, { subject: 'ada' })
      await client.patch(`/v1/memory/patterns/${id}`, { text: 'Ben is well.', subject: 'ben' })
      return client.delete('/v1/memory/subjects/ada')
    },
  ],
])('an archive with what %s is revoked, and one that is being made begins anew', async (_, erase) => {
  const [ada, ben] = [await newUser(server), await newUser(server)]
  const { queries } = server.context.database
  await asOwner(queries, async (trx) => {
    for (const { userId } of [ada, ben]) {
      for (const status of ['ready', 'pending']) {
        await sql`with made as (
            insert into app.exports (user_id, status, build, active_at)
              values (${userId}, ${status}, 1, now()) returning user_id, id
          )
          insert into app.export_parts (user_id, export_id, part, data) select user_id, id, 0, 'x' from made`.execute(
          trx,
        )
      }
    }
  })
  const client = await newConformingClient(server, { organizationId: ada.organizationId })
  const [id = ''] = await client.store(['Ada has asthma.'])
  const { status, body } = await erase(client, id)
  expect(status).toBe(200)
  if (body.receipt !== undefined) {
    const { counts } = decodeJwt<{ counts: Record<string, number> }>(body.receipt)
    expect(counts.exports).toBe(1)
    expect((counts.patterns ?? 0) + (counts.versions ?? 0)).toBeGreaterThan(0)
  }
  const held = await asOwner(queries, async (trx) => {
    const { rows } = await sql`select e.user_id, e.status, e.build, count(p.part)::int as parts
      from app.exports e left join app.export_parts p on p.export_id = e.id
      where e.user_id in (${ada.userId}, ${ben.userId}) group by e.user_id, e.id order by e.status, e.build`.execute(
      trx,
    )
    return rows
  })
  expect(held).toEqual([
    // Its parts go by and by, as do those that the attempt of before had made.
    { user_id: ada.userId, status: 'failed', build: 1, parts: 1 },
    { user_id: ben.userId, status: 'pending', build: 1, parts: 1 },
    { user_id: ada.userId, status: 'pending', build: 2, parts: 1 },
    { user_id: ben.userId, status: 'ready', build: 1, parts: 1 },
  ])
})

it('erasure.md names all that receipts count', async () => {
  const row = textOf('docs/guides/erasure.md').match(/^\| `counts` .*$/m)?.[0]
  const { client } = await newPeople()
  await client.store([{ text: 'Cleo sings.', subject: 'cleo' }])
  const receipts = [
    await forget(client, { filter: { user: 'ada' } }),
    await client.delete('/v1/memory/subjects/cleo'),
    await client.delete('/v1/memory/patterns?confirm=all'),
  ].map(({ body }) => decodeJwt(body.receipt) as unknown as ReceiptClaims)
  for (const { counts } of receipts) {
    for (const name of Object.keys(counts)) expect(row).toContain(`\`${name}\``)
  }
})

describe('GET /v1/memory/receipts', () => {
  it('lists them newest first, page by page, each to its own space', async () => {
    const { client } = await newPeople()
    const receipts: string[] = []
    for (const { text } of people) {
      receipts.unshift((await forget(client, { query: text, threshold: 1 })).body.receipt)
    }
    const first = (await client.get('/v1/memory/receipts?limit=2')).body
    const second = (await client.get(`/v1/memory/receipts?limit=2&cursor=${first.next_cursor}`)).body
    expect(second.next_cursor).toBeNull()
    const shown = [...first.receipts, ...second.receipts]
    expect(shown.map(({ receipt }) => receipt)).toEqual(receipts)
    for (const { receipt, claims } of shown) expect(claims).toEqual(decodeJwt(receipt))
    expect(await listed((await newPeople()).client)).toEqual([])
    const test = await newConformingClient(server, {
      organizationId: client.organizationId,
      environment: 'test',
    })
    expect(await listed(test)).toEqual([])
  })

  it('refuses a cursor that it did not give', async () => {
    const { client } = await newPeople()
    expect((await client.get('/v1/memory/receipts?cursor=x')).status).toBe(422)
  })
})

describe('POST /v1/memory/receipts/verify', () => {
  it('knows a receipt, and its ids in any order', async () => {
    const { client, ids } = await newPeople()
    const { body } = await forget(client, { filter: { user: 'ada' } })
    const { receipt } = body
    const claims = decodeJwt(receipt)
    expect((await verify(client, { receipt })).body).toEqual({
      ...{ valid: true, fault: null, checked_ids: false, remaining: null, selector_matches: null },
      claims,
    })
    // As a file has it.
    expect((await verify(client, { receipt: `\n${receipt}\r\n` })).body.valid).toBe(true)
    const whole = await verify(client, {
      receipt,
      pattern_ids: [ids[2], ids[0]],
      selector: { filter: { user: 'ada' } },
    })
    expect(whole.body).toEqual({
      ...{ valid: true, fault: null, checked_ids: true, remaining: 0, selector_matches: true },
      claims,
    })
  })

  const deepFilter = Array.from({ length: 3 }).reduce<object>((filter) => ({ $or: [{ $and: [filter] }] }), {
    user: 'ada',
  })
  const deletion = '/v1/memory/patterns/delete'

  it.each<[string, string, object]>([
    ['a filter of many levels', '/v1/memory/text/forget', { filter: deepFilter }],
    [
      'a long query and a large filter',
      '/v1/memory/text/forget',
      {
        query: 'Ada has asthma. '.repeat(300),
        threshold: 0.5,
        filter: { user: ['ada', 'ö'.repeat(7_000)] },
        guard: false,
      },
    ],
    ['what chooses nothing', '/v1/memory/text/forget', { filter: { user: 'ada' }, dry_run: false, note: 1 }],
    ['nulls', '/v1/memory/text/forget', { filter: { user: 'ada' }, query: null, category: null }],
    ['a subject of null', '/v1/memory/text/forget', { filter: { user: 'ada' }, subject: null }],
    ['a subject of null in a deletion', deletion, { subject: null, dry_run: false, note: 1 }],
    [
      'many long ids',
      deletion,
      { external_ids: ['ada', ...Array.from({ length: 999 }, (_, n) => `${n}`.padEnd(255, '\u0001'))] },
    ],
  ])('takes the body that was sent for the selector: with %s', async (_, path, sent) => {
    const client = await newConformingClient(server)
    const stored = { text: 'Ada has asthma.', metadata: { user: 'ada' }, external_id: 'ada' }
    await client.post('/v1/memory/text/store', stored)
    const { receipt, pattern_ids } = (await client.post(path, sent)).body
    const { status, body } = await verify(client, { receipt, pattern_ids, selector: sent })
    expect([status, body]).toMatchObject([200, { valid: true, selector_matches: true }])
  })

  it('tells whether only what is of nobody was chosen', async () => {
    const { client } = await newPeople()
    const ofNobody = { filter: { user: 'ada' }, subject: null }
    const { receipt } = (await forget(client, ofNobody)).body
    const { subject: _, ...ofAll } = ofNobody
    expect(decodeJwt(receipt).selector_sha256).toBe(sha256('{"filter":{"user":"ada"},"subject":null}'))
    expect((await verify(client, { receipt, selector: ofAll })).body.selector_matches).toBe(false)
  })

  it('knows receipts of deletions that hold all that was sent, as they were made before', async () => {
    const { client, ids } = await newPeople()
    const { filter, ...taken } = { pattern_ids: [ids[0] as string], filter: null, note: 1 }
    const { receipt } = (await client.post(deletion, taken)).body
    const sent = { ...taken, filter }
    const older = await reissue(client, receipt, { selector_sha256: selectorHash(sent) })
    const matches = async (receipt: string, selector: object) =>
      (await verify(client, { receipt, selector })).body.selector_matches
    expect(await matches(older, sent)).toBe(true)
    expect(await matches(older, { pattern_ids: sent.pattern_ids })).toBe(false)
    expect(await matches(receipt, { pattern_ids: sent.pattern_ids })).toBe(true)
  })

  /** Another receipt of the service, which says something else. */
  async function reissue(client: ConformingClient, receipt: string, other: object): Promise<string> {
    const claims = { ...(decodeJwt(receipt) as unknown as ReceiptClaims), ...other, jti: randomUUID() }
    const signer = await server.context.memory.receipts.signer()
    const reissued = await signer.sign(claims)
    const { organizationId } = client
    await inSpace(server, client, (trx, { id: spaceId }) =>
      insertReceipt(trx, { id: claims.jti, organizationId, spaceId, receipt: reissued }),
    )
    return reissued
  }

  it('takes no ids where only versions were emptied', async () => {
    const client = await newConformingClient(server)
    const [id] = await client.store(['Ada has asthma.'])
    await client.patch(`/v1/memory/patterns/${id}`, { text: 'The kettle whistles.' })
    const { body } = await forget(client, { query: 'Ada has asthma.', threshold: 1 })
    expect(body).toMatchObject({ pattern_ids: [], versions: 1 })
    const verified = await verify(client, { receipt: body.receipt, pattern_ids: body.pattern_ids })
    expect(verified.body).toMatchObject({ valid: true, checked_ids: true, remaining: 0 })
  })

  it.each([
    ['larger', { query: 'a'.repeat(2 * 1024 * 1024) }],
    ['deeper', { filter: { a: JSON.parse(`${'['.repeat(27)}${']'.repeat(27)}`) } }],
  ])('refuses a selector that is %s than any that erases', async (_, selector) => {
    const { client } = await newPeople()
    const { status, body } = await verify(client, { receipt: 'x', selector })
    expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining('selector must')])
  })

  it('tells ids that are others, and another selector', async () => {
    const { client, ids } = await newPeople()
    const { receipt } = (await forget(client, { filter: { user: 'ada' } })).body
    const { body } = await verify(client, { receipt, pattern_ids: [ids[0]], selector: { filter: {} } })
    expect(body).toMatchObject({ valid: false, fault: 'other_ids', remaining: 0, selector_matches: false })
  })

  it('tells patterns that are there again', async () => {
    const { client, ids } = await newPeople()
    const { receipt } = (await forget(client, { filter: { user: 'ben' } })).body
    await inSpace(server, client, (trx, space) =>
      sql`update app.patterns set id = ${ids[1]} where space_id = ${space.id} and id = ${ids[0]}`.execute(
        trx,
      ),
    )
    const { body } = await verify(client, { receipt, pattern_ids: [ids[1]] })
    expect(body).toMatchObject({ valid: false, fault: 'still_there', remaining: 1 })
  })

  it('refuses what is forged, of others, or not kept', async () => {
    const { client } = await newPeople()
    const { client: other } = await newPeople()
    const { receipt } = (await forget(client, { filter: { user: 'ada' } })).body
    const [header, , signature] = receipt.split('.')
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(receipt), counts: {} })).toString('base64url')
    const faultOf = async (who: ConformingClient, text: string) =>
      (await verify(who, { receipt: text })).body.fault
    for (const forged of ['x', 'a.b.c', `${header}.${claims}.${signature}`, `${receipt}x`]) {
      expect(await faultOf(client, forged), forged).toBe('signature')
    }
    expect(await faultOf(other, receipt)).toBe('organization')
    await asOwner(server.context.database.queries, (trx) =>
      sql`delete from app.receipts where receipt = ${receipt}`.execute(trx),
    )
    expect(await faultOf(client, receipt)).toBe('unknown')
  })

  it('knows a receipt when the keys have changed since, also those of access tokens', async () => {
    const { client } = await newPeople()
    const { receipt } = (await forget(client, { filter: { user: 'ada' } })).body
    await asOwner(server.context.database.queries, (trx) =>
      sql`update app.receipt_keys set created_at = created_at - interval '2 years'`.execute(trx),
    )
    server.clock.advance(61_000)
    await client.store(['Cleo sings.'])
    const newer = (await forget(client, { query: 'Cleo sings.' })).body.receipt
    expect(newer.split('.')[0]).not.toBe(receipt.split('.')[0])
    const keys = createLocalJWKSet((await client.get('/.well-known/jwks.json')).body)
    for (const each of [receipt, newer]) {
      expect((await verify(client, { receipt: each })).body.valid).toBe(true)
      await jwtVerify(each, keys)
    }
    const { rows } = await asOwner(server.context.database.queries, (trx) =>
      sql`select from app.receipt_keys where private_key is not null`.execute(trx),
    )
    expect(rows).toHaveLength(1)
  })
})

it('a key of receipts signs no access token, and is none of those that do', async () => {
  const { client } = await newPeople()
  const { receipt } = (await forget(client, { filter: { user: 'ada' } })).body
  const answer = await fetch(`${server.url}/v1/users/me`, { headers: { Authorization: `Bearer ${receipt}` } })
  expect(answer.status).toBe(401)
})

it('operators list the receipts of an organization', async () => {
  const { client } = await newPeople()
  const { receipt } = (await forget(client, { filter: { user: 'ada' } })).body
  const rows = await receiptsOfOrganization(server.context.database.queries, client.organizationId)
  expect(rows.map((row) => row.receipt)).toEqual([receipt])
})
