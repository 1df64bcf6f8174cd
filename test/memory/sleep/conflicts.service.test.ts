import { findConflicts } from '@memory/memory/conflicts/find-conflicts'
import { withLease } from '@memory/memory/schedule/lease'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { expectCountersToMatch, faultsOf, getSpace, inSpace, rule } from '../space.ts'
import { run, sleep } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/conflicts'
const january = '2026-01-10T08:00:00.000Z'
const june = '2026-06-10T08:00:00.000Z'
const unknownId = 'cfl_01kagw5zdpk2r4f9m0x7y3v8qe'

interface Item {
  text: string
  occurred_at?: string
  subject?: string
  external_id?: string
  expires_at?: string
}

interface Conflict {
  conflict_id: string
  kind: string
  reason: string | null
  similarity: number
  status: string
  patterns: { pattern_id: string; text: string; subject: string | null }[]
}

const storeItems = async (client: ConformingClient, items: Item[]): Promise<string[]> =>
  (await run(client, '/v1/memory/text/batch-store', { items })).pattern_ids

const listed = async (client: ConformingClient, query = ''): Promise<Conflict[]> =>
  (await run(client, `${path}${query}`)).conflicts

const resolve = (client: ConformingClient, id: string, body: object) =>
  client.post(`${path}/${id}/resolve`, body)
const reopen = (client: ConformingClient, id: string) => client.post(`${path}/${id}/reopen`)

/** The texts of conflicts, the older first, as a set of pairs. */
const textsOf = (conflicts: readonly Conflict[]): string[] =>
  conflicts.map(({ patterns }) => patterns.map(({ text }) => text).join(' / ')).toSorted()

const rents = ['I pay 450 euros of rent a month', 'I pay 540 euros of rent a month'] as const

/** A space with one conflict, whose older text says another rent than the newer. */
async function withConflict(options?: Parameters<typeof newConformingClient>[1]) {
  const ada = await newConformingClient(server, options)
  const [older, newer] = (await storeItems(ada, [
    { text: rents[0], occurred_at: january },
    { text: rents[1], occurred_at: june },
  ])) as [string, string]
  expect((await sleep(ada)).conflicts).toBe(1)
  const [conflict] = (await listed(ada)) as [Conflict]
  return { ada, older, newer, id: conflict.conflict_id, conflict }
}

const textsShown = async (client: ConformingClient) =>
  (await run(client, '/v1/memory/patterns')).patterns.map(({ text }: { text: string }) => text)

describe('sleep and what contradicts', () => {
  it.each([
    ['number', ...rents],
    ['negation', 'The contract was signed by both sides', 'The contract was never signed by both sides'],
    ['unit', 'The package weighs 4 kg', 'The package weighs 4 lb'],
    ['direction', 'We fly from Rome to Athens on Friday', 'We fly from Athens to Rome on Friday'],
    ['opposite', "J'aime l'odeur du café", "Je déteste l'odeur du café"],
    ['number', 'Mon loyer est de 450 euros par mois', 'Mon loyer est de 540 euros par mois'],
    ['negation', 'Mes voisins ont une voiture', "Mes voisins n'ont pas de voiture"],
  ])('reports another %s: %s, %s', async (reason, one, other) => {
    const ada = await newConformingClient(server)
    await ada.store([one, other, 'The tide was low in the evening.'])
    const slept = await sleep(ada)
    expect(slept).toMatchObject({ conflicts: 1, consolidated: 0 })
    const conflicts = await listed(ada)
    expect(conflicts).toMatchObject([
      { kind: 'possible_contradiction', reason, status: 'open', resolved_at: null, winner: null },
    ])
    expect(textsOf(conflicts)).toEqual([`${one} / ${other}`])
    // Nothing is changed.
    expect(await textsShown(ada)).toContain(one)
  })

  it('takes the later of two for one that may replace the other, whichever was stored first', async () => {
    const ada = await newConformingClient(server)
    const [newer, older] = await storeItems(ada, [
      { text: rents[1], occurred_at: june },
      { text: rents[0], occurred_at: january },
    ])
    await sleep(ada)
    expect(await listed(ada)).toMatchObject([
      {
        kind: 'superseded_candidate',
        reason: 'number',
        patterns: [
          { pattern_id: older, text: rents[0], occurred_at: january, subject: null, external_id: null },
          { pattern_id: newer, text: rents[1], occurred_at: june },
        ],
      },
    ])
  })

  it('reports what says nearly the same, also in French', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Please call me back tomorrow', 'Call me back tomorrow, please', 'The sea is cold.'])
    await ada.store(["J'habite à Berlin depuis 2019", "Depuis 2019, j'habite à Berlin"])
    await sleep(ada)
    const conflicts = await listed(ada)
    expect(textsOf(conflicts)).toEqual([
      "J'habite à Berlin depuis 2019 / Depuis 2019, j'habite à Berlin",
      'Please call me back tomorrow / Call me back tomorrow, please',
    ])
    for (const { kind, reason } of conflicts) expect([kind, reason]).toEqual(['near_duplicate', null])
  })

  it('reports neither copies, of whatever event, nor what they contradict more than once', async () => {
    const ada = await newConformingClient(server)
    await storeItems(ada, [
      { text: rents[0] },
      { text: rents[0], occurred_at: january },
      { text: `  ${rents[0]} `, occurred_at: june },
      { text: rents[0], external_id: 'mine' },
      { text: rents[1] },
    ])
    expect((await sleep(ada)).conflicts).toBe(1)
    expect(textsOf(await listed(ada))).toEqual([rents.join(' / ')])
  })

  it('reports nothing of what is over, has expired or is yet to come, nor of vectors', async () => {
    const ada = await newConformingClient(server)
    await storeItems(ada, [{ text: rents[0] }])
    for (const more of [
      { valid_from: january, occurred_at: january, valid_to: june },
      { valid_from: '2999-01-01T00:00:00Z' },
    ]) {
      expect((await ada.post('/v1/memory/text/store', { text: rents[1], ...more })).status).toBe(200)
    }
    const { embedding } = await run(ada, '/v1/memory/text/embed', { text: rents[1] })
    await run(ada, '/v1/memory/store', { key: embedding, value: [1] })
    expect((await sleep(ada)).conflicts).toBe(0)
    expect(await listed(ada)).toEqual([])
  })

  it('compares what was stored later with what was there', async () => {
    const ada = await newConformingClient(server)
    await ada.store([rents[0]])
    expect((await sleep(ada)).conflicts).toBe(0)
    await ada.store([rents[1]])
    expect((await sleep(ada)).conflicts).toBe(1)
    expect((await sleep(ada)).conflicts).toBe(0)
    expect(await listed(ada)).toHaveLength(1)
  })

  it('pairs no texts of different end users, and finds those of one among those of many', async () => {
    const ada = await newConformingClient(server)
    const others = Array.from({ length: 20 }, (_, i) => ({ text: rents[0], subject: `user-${i}` }))
    await storeItems(ada, [...others, { text: rents[1], subject: 'ben' }, { text: rents[1] }])
    expect((await sleep(ada)).conflicts).toBe(0)
    await storeItems(ada, [{ text: rents[0], subject: 'ben' }, { text: rents[0] }])
    expect((await sleep(ada)).conflicts).toBe(2)
    const subjects = (await listed(ada)).map(({ patterns }) => patterns.map(({ subject }) => subject).join())
    expect(subjects.toSorted()).toEqual([',', 'ben,ben'])
    expect(await listed(ada, '?subject=ben')).toHaveLength(1)
    expect(await listed(ada, '?subject=user-1')).toEqual([])
  })

  it('writes what it found of a step together with how far it came, or neither', async () => {
    const ada = await newConformingClient(server)
    await ada.store([...rents])
    const { id } = await getSpace(server, ada)
    const space = { organizationId: ada.organizationId, spaceId: id, spaceVersion: 0, engineVersion: 0 }
    const { memory } = server.context
    const find = (renewals: number) =>
      withLease(memory, id, async (lease) => {
        let left = renewals
        const renew: typeof lease.renew = async (trx) => {
          await lease.renew(trx)
          if (left-- === 0) throw new Error('killed')
        }
        let found = 0
        const deadline = performance.now() + 60_000
        const looked = await findConflicts(memory, space, { ...lease, renew }, deadline, (count) => {
          found += count
        })
        return { found, looked }
      })
    const readCursor = () =>
      inSpace(server, ada, async (trx) => {
        const { rows } = await sql<{ compared_version: number }>`
          select compared_version from app.consolidations`.execute(trx)
        return rows[0]?.compared_version
      })
    await expect(find(1)).rejects.toThrow('killed')
    expect(await readCursor()).toBe(0)
    expect(await listed(ada)).toEqual([])
    expect(await find(9)).toEqual({ found: 1, looked: 'compared' })
    expect(await readCursor()).toBeGreaterThan(0)
    expect(await find(9)).toEqual({ found: 0, looked: 'compared' })
    expect(await listed(ada)).toHaveLength(1)
  })

  it('stops where its time is over, and goes on from there', async () => {
    const ada = await newConformingClient(server)
    const fillers = Array.from({ length: 48 }, (_, i) => `Shelf ${i * 37} of the archive holds box ${i}.`)
    await ada.store([...rents])
    await ada.store(fillers)
    const { id } = await getSpace(server, ada)
    const space = { organizationId: ada.organizationId, spaceId: id, spaceVersion: 0, engineVersion: 0 }
    const { memory } = server.context
    const step = () => withLease(memory, id, (lease) => findConflicts(memory, space, lease, 0, () => {}))
    expect(await step()).toBe('unfinished')
    expect(textsOf(await listed(ada))).toContain(rents.join(' / '))
    let steps = 1
    while ((await step()) === 'unfinished') steps++
    expect(steps).toBe(2)
  })

  it('reads once which patterns an end user has, however many of their texts it compares', async () => {
    const ada = await newConformingClient(server)
    const shelf = (i: number) => ({ text: `Shelf ${i * 37} of the archive holds box ${i}.`, subject: 'ben' })
    await storeItems(ada, [...Array.from({ length: 48 }, (_, i) => shelf(i)), { text: rents[0] }])
    const { id } = await getSpace(server, ada)
    const space = { organizationId: ada.organizationId, spaceId: id, spaceVersion: 0, engineVersion: 0 }
    const { memory } = server.context
    let lists = 0
    const queries = memory.queries.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('p.subject, p.idx')) lists++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await withLease(memory, id, (lease) =>
      findConflicts({ ...memory, queries }, space, lease, Number.POSITIVE_INFINITY, () => {}),
    )
    expect(lists).toBe(1)
  })
})

describe('a conflict', () => {
  it.each([
    ['keep', 'kept'],
    ['dismiss', 'dismissed'],
  ])('that is resolved by %s is %s, changes nothing, and is not found again', async (resolution, status) => {
    const { ada, older, newer, id } = await withConflict()
    const answer = await resolve(ada, id, { resolution })
    expect(answer).toMatchObject({ status: 200, body: { conflict_id: id, status, winner: null } })
    expect(answer.body.resolved_at).not.toBeNull()
    expect(await resolve(ada, id, { resolution })).toMatchObject({ status: 200, body: answer.body })
    expect(await textsShown(ada)).toEqual([...rents])
    for (const pattern of [older, newer]) {
      const changed = await ada.patch(`/v1/memory/patterns/${pattern}`, { metadata: { checked: true } })
      expect(changed).toMatchObject({ status: 200, body: { valid_to: null, superseded_by: null } })
    }
    expect((await sleep(ada)).conflicts).toBe(0)
    expect(await listed(ada)).toEqual([])
    expect(await listed(ada, `?status=${status}`)).toMatchObject([{ conflict_id: id, status }])
  })

  it('that is resolved by supersede ends the older where the newer begins, and keeps the version before', async () => {
    const { ada, older, newer, id } = await withConflict()
    const answer = await resolve(ada, id, { resolution: 'supersede' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'superseded', winner: newer } })
    expect(await textsShown(ada)).toEqual([rents[1]])
    expect(await ada.retrieve('rent', { top_k: 5 })).toEqual([rents[1]])
    const before = await run(ada, `/v1/memory/patterns/${older}`)
    expect(before).toMatchObject({ valid_to: june, superseded_by: newer, version: 2 })
    expect(await run(ada, `/v1/memory/patterns/${newer}`)).toMatchObject({
      supersedes: older,
      valid_to: null,
    })
    const { versions } = await run(ada, `/v1/memory/patterns/${older}/history`)
    expect(versions).toMatchObject([
      { version: 2, change: 'superseded', changed_by: ada.keyId, valid_to: june },
      { version: 1, change: 'created', valid_to: null },
    ])
    expect(await resolve(ada, id, { resolution: 'supersede' })).toMatchObject({
      status: 200,
      body: answer.body,
    })
    expect(await run(ada, `/v1/memory/patterns/${older}`)).toMatchObject({ version: 2 })
    await expectCountersToMatch(server, ada)
    expect((await sleep(ada)).conflicts).toBe(0)
  })

  it('can be won by the older, and then the newer is valid no more from now on', async () => {
    const { ada, older, newer, id } = await withConflict()
    await ada.patch(`/v1/memory/patterns/${older}`, { external_id: 'rent/1' })
    const body = { resolution: 'supersede', winner: 'ext:rent/1' }
    const begun = Date.now()
    expect(await resolve(ada, id, body)).toMatchObject({ status: 200, body: { winner: older } })
    expect(await textsShown(ada)).toEqual([rents[0]])
    const lost = await run(ada, `/v1/memory/patterns/${newer}`)
    expect(lost).toMatchObject({ superseded_by: older, valid_from: june })
    expect(Date.parse(lost.valid_to)).toBeGreaterThanOrEqual(begun - 1_000)
    expect((await ada.patch(`/v1/memory/patterns/${newer}`, { metadata: {} })).status).toBe(200)
    expect(await resolve(ada, id, { ...body, winner: older })).toMatchObject({ status: 200 })
    expect(await resolve(ada, id, { resolution: 'supersede' })).toMatchObject({ status: 409 })
  })

  it('whose loser is to be superseded later can be won once that successor is gone', async () => {
    const { ada, older, newer, id } = await withConflict()
    const later = {
      text: 'Rent will be by agreement.',
      supersedes: older,
      valid_from: '2999-01-01T00:00:00Z',
    }
    const { pattern_id: successor } = await run(ada, '/v1/memory/text/store', later)
    const refused = await resolve(ada, id, { resolution: 'supersede' })
    expect(refused).toMatchObject({ status: 409 })
    expect((await ada.delete(`/v1/memory/patterns/${successor}`)).status).toBe(200)
    const answer = await resolve(ada, id, { resolution: 'supersede' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'superseded', winner: newer } })
    expect(await run(ada, `/v1/memory/patterns/${older}`)).toMatchObject({ superseded_by: newer })
  })

  it('is resolved once: another resolution is refused', async () => {
    const { ada, id } = await withConflict()
    await resolve(ada, id, { resolution: 'keep' })
    for (const resolution of ['dismiss', 'supersede']) {
      expect(await resolve(ada, id, { resolution })).toMatchObject({
        status: 409,
        body: { detail: 'Another resolution of the conflict is there already' },
      })
    }
    expect(await textsShown(ada)).toEqual([...rents])
  })

  it.each(['keep', 'dismiss'])(
    'that was resolved by %s is open again when that is taken back',
    async (resolution) => {
      const { ada, id, conflict } = await withConflict()
      await resolve(ada, id, { resolution })
      expect(await reopen(ada, id)).toMatchObject({ status: 200, body: conflict })
      expect(await listed(ada)).toEqual([conflict])
      // Once more is nothing else.
      expect(await reopen(ada, id)).toMatchObject({ status: 200, body: conflict })
      expect(await resolve(ada, id, { resolution: 'supersede' })).toMatchObject({ status: 200 })
    },
  )

  it('in which one took the place of the other is open again after that one was reverted', async () => {
    const { ada, older, newer, id, conflict } = await withConflict()
    await resolve(ada, id, { resolution: 'supersede' })
    expect(await reopen(ada, id)).toMatchObject({
      status: 409,
      body: { detail: 'The pattern is superseded by another one' },
    })
    expect(await listed(ada, '?status=superseded')).toMatchObject([{ conflict_id: id, winner: newer }])
    await run(ada, `/v1/memory/patterns/${older}/revert`, { version: 1 })
    expect(await reopen(ada, id)).toMatchObject({ status: 200, body: conflict })
    expect(await listed(ada)).toEqual([conflict])
    expect(await textsShown(ada)).toEqual([...rents])
    // Neither says of the other what is no more.
    for (const text of [older, newer]) {
      const pattern = await run(ada, `/v1/memory/patterns/${text}`)
      expect([pattern.supersedes, pattern.superseded_by]).toEqual([null, null])
    }
    await run(ada, `${path}/${id}/resolve`, { resolution: 'supersede', winner: older })
    expect(await run(ada, `/v1/memory/patterns/${older}`)).toMatchObject({ supersedes: newer })
  })

  it('is resolved anew by the same answer after what lost was brought back', async () => {
    const { ada, older, newer, id } = await withConflict()
    for (const _ of ['at first', 'again']) {
      const answer = await resolve(ada, id, { resolution: 'supersede' })
      expect(answer).toMatchObject({ status: 200, body: { status: 'superseded', winner: newer } })
      expect(await textsShown(ada)).toEqual([rents[1]])
      // Asked once more, it changes nothing.
      expect((await resolve(ada, id, { resolution: 'supersede' })).body).toEqual(answer.body)
      await run(ada, `/v1/memory/patterns/${older}/revert`, { version: 1 })
      expect(await textsShown(ada)).toEqual([...rents])
    }
  })

  it('is open again where the text that lost was to end by itself', async () => {
    const { ada, older, id } = await withConflict()
    await ada.patch(`/v1/memory/patterns/${older}`, { valid_to: '2100-01-01T00:00:00Z' })
    await resolve(ada, id, { resolution: 'supersede' })
    await run(ada, `/v1/memory/patterns/${older}/revert`, { version: 2 })
    expect(await run(ada, `/v1/memory/patterns/${older}`)).toMatchObject({
      valid_to: '2100-01-01T00:00:00.000Z',
      superseded_by: null,
    })
    expect((await reopen(ada, id)).body).toMatchObject({ status: 'open' })
    // Back to what it was when it had lost.
    await run(ada, `/v1/memory/patterns/${older}/revert`, { version: 3 })
    expect(await run(ada, `/v1/memory/patterns/${older}`)).toMatchObject({ superseded_by: null })
  })

  it('is not open again while one of its texts is over', async () => {
    const { ada, older, id } = await withConflict()
    await resolve(ada, id, { resolution: 'keep' })
    await ada.patch(`/v1/memory/patterns/${older}`, { valid_to: '2026-02-01T00:00:00Z' })
    expect(await reopen(ada, id)).toMatchObject({ status: 404, body: { detail: 'Conflict not found' } })
    expect(await listed(ada, '?status=kept')).toMatchObject([{ conflict_id: id }])
  })

  it('is resolved by one of several that ask at the same moment', async () => {
    const { ada, id } = await withConflict()
    const resolutions = ['keep', 'supersede', 'dismiss', 'keep', 'supersede', 'dismiss']
    const answers = await Promise.all(resolutions.map((resolution) => resolve(ada, id, { resolution })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409])
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => body.status)
    expect(new Set(won).size).toBe(1)
    expect(await textsShown(ada)).toHaveLength(won[0] === 'superseded' ? 1 : 2)
  })

  it('is reported again when one of its texts has changed, and only then', async () => {
    const { ada, newer, id } = await withConflict()
    await resolve(ada, id, { resolution: 'dismiss' })
    await ada.patch(`/v1/memory/patterns/${newer}`, { text: 'I pay 560 euros of rent a month' })
    expect((await resolve(ada, id, { resolution: 'dismiss' })).status).toBe(404)
    expect((await sleep(ada)).conflicts).toBe(1)
    expect(textsOf(await listed(ada))).toEqual([`${rents[0]} / I pay 560 euros of rent a month`])
  })

  it('is of the times that its texts have now', async () => {
    const { ada, older, id } = await withConflict()
    await ada.patch(`/v1/memory/patterns/${older}`, { occurred_at: june })
    expect((await sleep(ada)).conflicts).toBe(0)
    expect(await listed(ada)).toMatchObject([{ conflict_id: id, kind: 'possible_contradiction' }])
  })

  it('ends where its texts become those of different end users', async () => {
    const { ada, older, id } = await withConflict()
    await ada.patch(`/v1/memory/patterns/${older}`, { subject: 'ben' })
    expect(await listed(ada)).toEqual([])
    expect((await resolve(ada, id, { resolution: 'keep' })).status).toBe(404)
    expect((await sleep(ada)).conflicts).toBe(0)
  })

  it.each([
    ['deleted', (ada: ConformingClient, older: string) => ada.delete(`/v1/memory/patterns/${older}`)],
    [
      'forgotten',
      (ada: ConformingClient) => ada.post('/v1/memory/text/forget', { query: rents[0], threshold: 1 }),
    ],
    [
      'superseded',
      (ada: ConformingClient, older: string) =>
        ada.post('/v1/memory/text/store', { text: 'The rent is paid by Ben.', supersedes: older }),
    ],
    [
      'over',
      (ada: ConformingClient, older: string) =>
        ada.patch(`/v1/memory/patterns/${older}`, { valid_to: '2026-02-01T00:00:00Z' }),
    ],
    ['emptied out', (ada: ConformingClient) => ada.delete('/v1/memory/patterns?confirm=all')],
  ])('is gone where a text of it is %s', async (_how, remove) => {
    const { ada, older, id } = await withConflict()
    expect((await remove(ada, older)).status).toBe(200)
    expect(await listed(ada)).toEqual([])
    for (const resolution of ['keep', 'supersede', 'dismiss']) {
      const answer = await resolve(ada, id, { resolution })
      expect(answer).toMatchObject({ status: 404, body: { detail: 'Conflict not found' } })
    }
    await sleep(ada)
    const left = await inSpace(
      server,
      ada,
      async (trx) => (await sql`select from app.conflicts`.execute(trx)).rows,
    )
    expect(left).toEqual([])
  })

  it('is counted by the receipt of what was erased', async () => {
    const { ada } = await withConflict()
    const { body } = await ada.post('/v1/memory/text/forget', { query: rents[0], threshold: 1 })
    const claims = JSON.parse(Buffer.from(body.receipt.split('.')[1], 'base64url').toString())
    expect(claims.counts).toMatchObject({ patterns: 1, conflicts: 1 })
  })

  it('is not found by an id that nobody has', async () => {
    const ada = await newConformingClient(server)
    for (const id of [unknownId, 'x', 'cfl_', '%00']) {
      expect((await resolve(ada, id, { resolution: 'keep' })).status).toBe(404)
      expect((await reopen(ada, id)).status).toBe(404)
    }
  })

  it.each([
    [{}, [{ type: 'missing', loc: ['body', 'resolution'], msg: 'Field required' }]],
    [
      { resolution: 'merge' },
      [
        {
          type: 'enum',
          loc: ['body', 'resolution'],
          msg: "Input should be 'keep', 'supersede' or 'dismiss'",
          ctx: { expected: "'keep', 'supersede' or 'dismiss'" },
        },
      ],
    ],
    [{ resolution: 'keep', winner: 'x' }, [rule(['body', 'winner'], 'only supersede has a winner')]],
    [{ resolution: 'supersede', winner: 'x' }, [rule(['body', 'winner'], 'is neither of the two patterns')]],
  ])('refuses %j', async (body, faults) => {
    const { ada, id } = await withConflict()
    expect(faultsOf(await resolve(ada, id, body))).toEqual(faults)
    expect(await listed(ada)).toHaveLength(1)
  })
})

describe('the list of conflicts', () => {
  it('has pages, newest first, by kind and status', async () => {
    const ada = await newConformingClient(server)
    const cities = ['Porto', 'Lyon', 'Bergen', 'Quito', 'Osaka']
    for (const city of cities) {
      await ada.store([`The flat in ${city} costs 450 euros a month`])
      await ada.store([`The flat in ${city} costs 450 dollars a month`])
    }
    await sleep(ada)
    const all = await listed(ada, '?limit=200')
    expect(all.length).toBeGreaterThanOrEqual(cities.length)
    const ids = all.map(({ conflict_id }) => conflict_id)
    expect(ids).toEqual(ids.toSorted().reverse())
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await run(ada, `${path}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.conflicts.length).toBeLessThanOrEqual(2)
      paged.push(...page.conflicts.map(({ conflict_id }: Conflict) => conflict_id))
      cursor = page.next_cursor
    }
    expect(paged).toEqual(ids)
    for (const kind of ['near_duplicate', 'possible_contradiction', 'superseded_candidate']) {
      const ofKind = all.filter((conflict) => conflict.kind === kind)
      expect(await listed(ada, `?kind=${kind}&limit=200`)).toEqual(ofKind)
    }
  })

  it.each(['?cursor=x', '?status=closed', '?kind=other', '?limit=0', '?limit=201', '?subject='])(
    'refuses %s',
    async (query) => {
      const ada = await newConformingClient(server)
      expect((await ada.get(path + query)).status).toBe(422)
    },
  )

  it('needs memory:read, and resolving memory:write', async () => {
    const { ada, id } = await withConflict()
    const { organizationId } = ada
    const reader = await newConformingClient(server, { organizationId, scopes: ['memory:read'] })
    const writer = await newConformingClient(server, { organizationId, scopes: ['memory:write'] })
    expect(await listed(reader)).toHaveLength(1)
    expect((await resolve(reader, id, { resolution: 'keep' })).status).toBe(403)
    expect((await writer.get(path)).status).toBe(403)
    expect((await resolve(writer, id, { resolution: 'keep' })).status).toBe(200)
  })
})

describe('conflicts of an end user', () => {
  it('are seen and resolved by a caller who is bound to them, and no others', async () => {
    const owner = await newConformingClient(server)
    const { organizationId } = owner
    const of = (subject?: string) => rents.map((text) => ({ text, ...(subject && { subject }) }))
    await storeItems(owner, [...of('ada'), ...of('ben'), ...of()])
    expect((await sleep(owner)).conflicts).toBe(3)
    const idOf = new Map(
      (await listed(owner)).map(({ conflict_id, patterns }) => [patterns[0]?.subject, conflict_id]),
    )
    const ada = await newConformingClient(server, {
      organizationId,
      subject: { name: 'ada', isShared: false },
    })
    expect(await listed(ada)).toMatchObject([{ conflict_id: idOf.get('ada') }])
    const shared = await newConformingClient(server, {
      organizationId,
      subject: { name: 'ada', isShared: true },
    })
    expect((await listed(shared)).map(({ patterns }) => patterns[0]?.subject).toSorted()).toEqual([
      'ada',
      null,
    ])
    for (const client of [ada, shared]) {
      expect((await client.get(`${path}?subject=ben`)).status).toBe(403)
      for (const subject of ['ben', null]) {
        const answer = await resolve(client, idOf.get(subject) as string, { resolution: 'supersede' })
        expect(answer).toMatchObject({ status: 404 })
      }
    }
    const own = idOf.get('ada') as string
    expect(await resolve(ada, own, { resolution: 'supersede' })).toMatchObject({ status: 200 })
    expect(await textsShown(ada)).toEqual([rents[1]])
    expect(await textsShown(owner)).toHaveLength(5)
    expect(await listed(owner)).toHaveLength(2)
  })

  it('go with them', async () => {
    const owner = await newConformingClient(server)
    await storeItems(
      owner,
      rents.map((text) => ({ text, subject: 'ada' })),
    )
    await sleep(owner)
    const { body } = await owner.delete('/v1/memory/subjects/ada')
    const claims = JSON.parse(Buffer.from(body.receipt.split('.')[1], 'base64url').toString())
    expect(claims.counts).toMatchObject({ patterns: 2, conflicts: 1 })
    expect(await listed(owner)).toEqual([])
  })
})

describe('conflicts of a space with many', () => {
  /**
   * As if the pairs of so many other patterns had been found, each of which is in conflict with those that come up to `apart` after it.
   * @param subject SQL for the end user of the pattern number n
   */
  const plant = (client: ConformingClient, patterns: number, apart: number, subject: string) =>
    inSpace(server, client, async (trx, space) => {
      await sql`
        insert into app.patterns (space_id, idx, id, text, key, key_hash, text_hash, version, subject)
          select ${space.id}, 100 + n, 'pat_' || n, 'Filler ' || n, p.key, p.key_hash, decode(lpad(to_hex(n), 8, '0'), 'hex'), 1,
                 ${sql.raw(subject)}
            from app.patterns p, generate_series(1, ${patterns}::int) n where p.idx = 0`.execute(trx)
      await sql`
        insert into app.conflicts (space_id, a, b, id, kind, similarity, found_at)
          select ${space.id}, 100 + a, 100 + b, 'cfl_' || a || '_' || b, 'near_duplicate', 1, now()
            from generate_series(1, ${patterns}::int) a, generate_series(a + 1, least(${patterns}::int, a + ${apart}::int)) b`.execute(
        trx,
      )
    })
  const removeFillers = (client: ConformingClient) =>
    inSpace(server, client, (trx) => sql`delete from app.patterns where text like 'Filler %'`.execute(trx))
  const look = async (client: ConformingClient) => {
    const { id } = await getSpace(server, client)
    const space = {
      organizationId: client.organizationId,
      spaceId: id,
      spaceVersion: 0,
      engineVersion: 0,
    }
    const { memory } = server.context
    return withLease(memory, id, (lease) => findConflicts(memory, space, lease, 0, () => {}))
  }

  it('are looked for no more while as many are open as may be, and then from there', async () => {
    const { ada, id } = await withConflict()
    await plant(ada, 1_001, 1, 'null')
    await ada.store(['I pay 560 euros of rent a month'])
    expect((await sleep(ada)).conflicts).toBe(0)
    expect(await look(ada)).toBe('full')
    await removeFillers(ada)
    expect((await sleep(ada)).conflicts).toBe(2)
    expect(await look(ada)).toBe('compared')
    expect(await resolve(ada, id, { resolution: 'keep' })).toMatchObject({ status: 200 })
  })

  it('of one end user leave those of others to be found, and no more of that one', async () => {
    const { ada } = await withConflict()
    await plant(ada, 1_001, 1, "'mallory'")
    const said = (subject: string) => rents.map((text) => ({ text, subject }))
    await storeItems(ada, [...said('mallory'), ...said('ben')])
    expect((await sleep(ada)).conflicts).toBe(1)
    expect(await listed(ada, '?subject=ben')).toHaveLength(1)
    expect(await look(ada)).toBe('compared')
  })

  it('of many end users are looked for up to a number of them all', async () => {
    const { ada } = await withConflict()
    await plant(ada, 221, 220, "'user-' || n")
    await storeItems(
      ada,
      rents.map((text) => ({ text, subject: 'ben' })),
    )
    expect((await sleep(ada)).conflicts).toBe(0)
    expect(await look(ada)).toBe('full')
    await removeFillers(ada)
    expect((await sleep(ada)).conflicts).toBe(1)
    expect(await look(ada)).toBe('compared')
  })
})
