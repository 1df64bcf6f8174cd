import { OldVersions } from '@memory/memory/texts/old-versions'
import { asTenant } from '@memory/shared/platform/database/database'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { asOwner, expectCountersToMatch, getSpace, tablesHolding } from './space.ts'
import { batchStore } from './vectors/vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const forget = async (client: ConformingClient, body: object) => {
  const answer = await client.post('/v1/memory/text/forget', body)
  expect(answer.status).toBe(200)
  return answer.body
}

const pattern = (name: string) => `/v1/memory/patterns/ext:${name}`

/** A text that has been another one. */
async function changed(client: ConformingClient, before: string, now: string, more: object = {}) {
  const store = (text: string) =>
    client.post('/v1/memory/text/store', { text, external_id: 'changed', ...more })
  await store(before)
  await store(now)
}

/** The versions of a pattern that hold something, oldest first. */
async function texts(client: ConformingClient, name = 'changed'): Promise<(string | null)[]> {
  const { versions } = (await client.get(`${pattern(name)}/history`)).body
  return versions
    .filter(({ redacted }: { redacted: boolean }) => !redacted)
    .map(({ text }: { text: string | null }) => text)
    .toReversed()
}

describe('forgetting what a pattern was', () => {
  it('takes it out of the version that held it, and says so in answer, receipt and log', async () => {
    const ada = await newConformingClient(server)
    const secret = 'Ada’s safe opens with the word marmalade.'
    await changed(ada, secret, 'The office opens at nine.')
    const { versions } = (await ada.get(`${pattern('changed')}/history`)).body
    const of = { query: secret, top_k: 5, as_of: versions[1].changed_at }
    const then = async () =>
      (await ada.post('/v1/memory/text/retrieve', of)).body.results.map(({ text }: { text: string }) => text)
    expect(await then()).toEqual([secret])
    const preview = await forget(ada, { query: secret, dry_run: true })
    expect(preview).toEqual({ forgotten: 0, pattern_ids: [], kept: [], versions: 1 })
    expect(await texts(ada)).toHaveLength(2)
    const { receipt, ...answer } = await forget(ada, { query: secret })
    expect(answer).toEqual(preview)
    expect(decodeJwt(receipt)).toMatchObject({ counts: { patterns: 0, versions: 1, passages: 0 } })
    expect((await ada.post('/v1/memory/receipts/verify', { receipt })).body).toMatchObject({
      valid: true,
    })
    expect(await texts(ada)).toEqual(['The office opens at nine.'])
    expect(await tablesHolding(server, 'marmalade')).toEqual([])
    const { rows: entries } = await asOwner(server.context.database.queries, (trx) =>
      sql<{ details: object }>`select details from app.audit_log
        where organization_id = ${ada.organizationId} and action = 'memory_forgotten'`.execute(trx),
    )
    expect(entries).toEqual([{ details: { versions_redacted: 1, environment: 'live', by: ['query'] } }])
    expect(await then()).toEqual([])
    expect(await forget(ada, { query: secret })).toEqual({ forgotten: 0, pattern_ids: [], kept: [] })
    await expectCountersToMatch(server, ada)
  })

  it('goes by the threshold, and keeps what contradicts', async () => {
    const ada = await newConformingClient(server)
    await changed(ada, 'The train to Porto leaves at 17:05.', 'The office opens at nine.')
    const query = 'The train to Porto leaves at 17:50.'
    expect(await forget(ada, { query, threshold: 0.6 })).not.toHaveProperty('versions')
    expect(await forget(ada, { query, threshold: 1, guard: false })).not.toHaveProperty('versions')
    expect(await texts(ada)).toHaveLength(2)
    const same = { query: ' The train  to Porto leaves at 17:05.', threshold: 1 }
    expect(await forget(ada, same)).toMatchObject({ forgotten: 0, versions: 1 })
  })

  it('takes it out although the pattern itself is kept', async () => {
    const ada = await newConformingClient(server)
    await changed(ada, 'The train to Porto leaves at 17:50.', 'The train to Porto leaves at 17:05.')
    const answer = await forget(ada, { query: 'The train to Porto leaves at 17:50.' })
    expect(answer).toMatchObject({ forgotten: 0, kept: [{ reason: 'number' }], versions: 1 })
    expect(await texts(ada)).toEqual(['The train to Porto leaves at 17:05.'])
  })

  it('goes by the category of then, as filters at a time do', async () => {
    const ada = await newConformingClient(server)
    const store = (text: string, category: string) =>
      ada.post('/v1/memory/text/store', { text, external_id: 'changed', metadata: { category } })
    await store('The old house has a red door.', 'home')
    await store('The office opens at nine.', 'work')
    const { versions } = (await ada.get(`${pattern('changed')}/history`)).body
    const then = async (category: string) => {
      const filter = { $category: category }
      const { body } = await ada.post('/v1/memory/text/retrieve', {
        ...{ query: 'house', top_k: 5, as_of: versions[1].changed_at, filter },
      })
      return body.results.map(({ text }: { text: string }) => text)
    }
    expect(await then('home')).toEqual(['The old house has a red door.'])
    expect(await then('work')).toEqual([])
    expect(await forget(ada, { category: 'home', dry_run: true })).toMatchObject({ versions: 1 })
    expect(await forget(ada, { category: 'home' })).toMatchObject({ forgotten: 0, versions: 1 })
    expect(await texts(ada)).toEqual(['The office opens at nine.'])
    expect(await tablesHolding(server, 'red door')).toEqual([])
    expect(await forget(ada, { category: 'work' })).toMatchObject({ forgotten: 1 })
  })

  it('counts those of patterns that go in the receipt alone', async () => {
    const ada = await newConformingClient(server)
    await changed(ada, 'Ada has asthma.', 'Ada has asthma, says her doctor.')
    const { receipt, ...answer } = await forget(ada, {
      query: 'Ada has asthma.',
      threshold: 0.5,
      guard: false,
    })
    expect(answer).toMatchObject({ forgotten: 1 })
    expect(answer).not.toHaveProperty('versions')
    expect(decodeJwt(receipt)).toMatchObject({ counts: { patterns: 1, versions: 1 } })
  })

  it('goes by the metadata and the end user of then', async () => {
    const ada = await newConformingClient(server)
    const before = { text: 'I live in Lisbon.', subject: 'ada', metadata: { user: 'ada' }, external_id: 'a' }
    await ada.post('/v1/memory/text/store', before)
    await ada.patch(pattern('a'), { subject: 'grace', metadata: { user: 'grace' } })
    await ada.patch(pattern('a'), { text: 'I live in Oslo.' })
    expect(await forget(ada, { filter: { user: 'ada' }, dry_run: true })).toMatchObject({ versions: 1 })
    expect(await forget(ada, { subject: 'ada' })).toMatchObject({ forgotten: 0, versions: 1 })
    expect(await texts(ada, 'a')).toEqual(['I live in Lisbon.', 'I live in Oslo.'])
    const both = { query: 'I live in Lisbon.', subject: 'ada' }
    expect(await forget(ada, both)).not.toHaveProperty('versions')
    expect(await forget(ada, { ...both, subject: 'grace' })).toMatchObject({ forgotten: 0, versions: 1 })
  })

  it('goes by a category and what stands beside it', async () => {
    const ada = await newConformingClient(server)
    const metadata = { category: 'travel' }
    await changed(ada, 'Ada will go to Porto by train.', 'Bees make honey.', { metadata })
    await ada.patch(pattern('changed'), { metadata: { category: 'animals' } })
    const query = { query: 'Ada will go to Porto by train.', category: 'travel' }
    expect(await forget(ada, { ...query, category: 'animals' })).not.toHaveProperty('versions')
    expect(await forget(ada, query)).toMatchObject({ forgotten: 0, versions: 1 })
    expect(await forget(ada, { category: 'travel' })).toMatchObject({ forgotten: 0, versions: 1 })
  })

  it('finds those of every page', async () => {
    const ada = await newConformingClient(server)
    const generation = (n: number) =>
      Array.from({ length: 600 }, (_, i) => ({
        ...{ key: [1, i], value: [i], external_id: `v${i}`, metadata: { n: i % 2 === 0 ? n : 0 } },
      }))
    await batchStore(ada, generation(1))
    await batchStore(ada, generation(2))
    const { receipt, ...answer } = await forget(ada, { filter: { n: 1 } })
    expect(answer).toMatchObject({ forgotten: 0, versions: 300 })
    expect(decodeJwt(receipt)).toMatchObject({ counts: { versions: 300 } })
  })

  it('finds one that was made while it looked', async () => {
    const ada = await newConformingClient(server)
    await ada.post('/v1/memory/text/store', { text: 'Ada has asthma.', external_id: 'changed' })
    const { id: spaceId } = await getSpace(server, ada)
    const { queries } = server.context.database
    const filter = { kind: 'contains', field: '$text', part: 'asthma' } as const
    const old = await OldVersions.find(queries, { spaceId, signal: undefined }, { filter })
    expect(old.countBut(new Set())).toBe(0)
    await ada.patch(pattern('changed'), { text: 'Bees make honey.' })
    expect(await asTenant(queries, { spaceId }, (trx) => old.redactBut(trx, new Set()))).toBe(1)
    expect(await texts(ada)).toEqual(['Bees make honey.'])
  })

  it('of an end user who is bound reaches nothing of others', async () => {
    const owner = await newConformingClient(server)
    await changed(owner, 'The safe opens with treacle.', 'Bees make honey.', { subject: 'ben' })
    const bound = (name: string) =>
      newConformingClient(server, {
        organizationId: owner.organizationId,
        subject: { name, isShared: true },
      })
    const query = { query: 'The safe opens with treacle.' }
    expect(await forget(await bound('ada'), query)).toEqual({ forgotten: 0, pattern_ids: [], kept: [] })
    expect(await texts(owner)).toHaveLength(2)
    const ben = await bound('ben')
    expect(await forget(ben, query)).toMatchObject({ forgotten: 0, versions: 1 })
    expect(await texts(owner)).toEqual(['Bees make honey.'])
    await ben.patch(pattern('changed'), { text: 'Wasps make none.' })
    expect((await ben.delete(`${pattern('changed')}/history/2`)).status).toBe(200)
    expect(await texts(owner)).toEqual(['Wasps make none.'])
  })
})
