import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandClient } from '@memory/cli/client'
import { exportFile } from '@memory/cli/export'
import { importFile } from '@memory/cli/import'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startServer({ MEMORY_DEFAULT_PLAN: 'enterprise' })
  folder = mkdtempSync(join(tmpdir(), 'memory-round-trip-'))
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The live space of a user's organization, as the user's export has it. */
async function exportLive(user: User): Promise<string> {
  const { export_id: id } = (await user.post('/v1/users/me/export')).body
  await server.mails()
  const response = await fetch(`${server.url}/v1/users/me/exports/${id}/download`, {
    headers: { Authorization: `Bearer ${user.accessToken}` },
  })
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return strFromU8(files[`patterns-${user.organizationId}-live.ndjson`] as Uint8Array)
}

/** What of an export's lines a pattern keeps when it is imported elsewhere. */
const kept = (ndjson: string) =>
  ndjson
    .trim()
    .split('\n')
    .map((line) => {
      const { text, metadata, key, value, source_dim, occurred_at, expires_at } = JSON.parse(line)
      return { text, metadata, key, value, source_dim, occurred_at, expires_at }
    })

async function fill(client: Client): Promise<void> {
  const times = { occurred_at: '2024-02-29T23:59:59.999Z', expires_at: '2999-12-31T00:00:00Z' }
  await client.store(['Ada moved to Lisbon.', 'Grace prefers tea.'])
  for (const [path, body] of [
    [
      '/v1/memory/store',
      { key: [0.1, -2e-5, 3], value: [1e10, 0], metadata: { n: 1.5, 'a"b': null }, ...times },
    ],
    // The value is the key, as most embeddings are kept.
    ['/v1/memory/store', { key: [1, 2], value: [1, 2], source_dim: 8 }],
    [
      '/v1/memory/text/store',
      { text: 'Zwei “Tassen”\n\u2028 ☕️', metadata: { deep: [[{ x: -0.125 }]], user: 'ada' }, ...times },
    ],
    ['/v1/memory/text/store', { text: 'Grace prefers tea.', occurred_at: '2025-01-01' }],
  ] as const) {
    expect((await client.post(path, body)).status, path).toBe(200)
  }
}

it('an account’s export is imported into another organization with its texts, vectors, metadata and times', async () => {
  const [ada, ben] = [await newUser(server), await newUser(server)]
  await fill(await server.newClient({ organizationId: ada.organizationId }))
  const exported = await exportLive(ada)
  const file = join(folder, 'live.ndjson')
  writeFileSync(file, exported)
  const { key } = await server.newClient({ organizationId: ben.organizationId })
  const client = new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
  const lines: string[] = []
  const output = { write: (line: string) => lines.push(line) }
  // What it says of the patterns as they were is not imported, which is said, and no reason to refuse it.
  expect(await importFile({ file, client, output, strict: true })).toMatchObject({ stored: 6, invalid: 0 })
  expect(
    lines.filter((line) => line.startsWith('Fields that are not imported: pattern_id (6 lines)')),
  ).toHaveLength(2)
  expect(kept(await exportLive(ben))).toEqual(kept(exported))
})

it('an export of a subject is imported with what took the place of another, and what is yet to occur is found', async () => {
  const from = await server.newClient()
  const post = async (body: object) =>
    expect((await from.post('/v1/memory/text/store', { ...body, subject: 'ada' })).status).toBe(200)
  await post({ text: 'Ada has a dentist’s appointment.', occurred_at: '2999-01-01' })
  await post({ text: 'Ada lives in Porto.', external_id: 'home' })
  await post({ text: 'Ada lives in Faro.', supersedes: 'ext:home' })
  const answer = await fetch(`${server.url}/v1/memory/subjects/ada/export`, {
    headers: { 'X-API-Key': from.key },
  })
  const file = join(folder, 'ada.ndjson')
  writeFileSync(file, await answer.text())
  const to = await server.newClient()
  const client = new CommandClient({ connection: { url: server.url, key: to.key, keySource: 'the test' } })
  const imported = await importFile({ file, client, output: { write: () => {} }, strict: true })
  expect(imported).toMatchObject({ stored: 3, invalid: 0 })
  const textsOf = async (client: Client) =>
    (await client.get('/v1/memory/patterns')).body.patterns.map(({ text }: { text: string }) => text)
  expect(await textsOf(to)).toEqual(['Ada has a dentist’s appointment.', 'Ada lives in Faro.'])
  expect(await textsOf(to)).toEqual(await textsOf(from))
  // Its validity follows from when it occurs, as before.
  const [{ pattern_id: id }] = (await to.get('/v1/memory/patterns')).body.patterns
  const moved = await to.patch(`/v1/memory/patterns/${id}`, { occurred_at: '2998-01-01' })
  expect(moved.body.valid_from).toBe('2998-01-01T00:00:00.000Z')
})

describe('what was said of protection is said again by an import, and what was not is not', () => {
  const quiet = { write: () => {} }
  const commandOf = ({ key }: Client) =>
    new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
  const health = { metadata: { category: 'health' } }
  const told: Record<string, object> = {
    unsaid: {},
    unprotected: { protected: false },
    protected: { protected: true },
    sensitive: health,
    'sensitive, unprotected': { ...health, protected: false },
    'sensitive, protected': { ...health, protected: true },
    stated: { metadata: { protected: true } },
  }

  it.each<[string, boolean, (user: User, client: Client) => Promise<string>]>([
    ['an account’s export', true, exportLive],
    [
      'an export of an end user',
      true,
      async (_, { key }) => {
        const path = `${server.url}/v1/memory/subjects/ada/export`
        return (await fetch(path, { headers: { 'X-API-Key': key } })).text()
      },
    ],
    [
      'the export command',
      false,
      async (_, client) => {
        const file = join(folder, 'command.ndjson')
        await exportFile({ file, client: commandOf(client), output: quiet, force: true })
        return readFileSync(file, 'utf8')
      },
    ],
  ])('%s', async (_, hasVectors, exported) => {
    const user = await newUser(server)
    const from = await server.newClient({ organizationId: user.organizationId })
    const names = Object.keys(told)
    const lists = {
      '/v1/memory/text/batch-store': names.map((name) => ({
        text: 'The bridge is long.',
        external_id: name,
      })),
      '/v1/memory/batch/store': names.map((name, n) => ({
        key: [1, n],
        value: [n],
        external_id: `v ${name}`,
      })),
    }
    const [texts, vectors] = Object.values(lists).map((list) =>
      list.map((item, n) => ({ ...item, subject: 'ada', ...told[names[n] as string] })),
    )
    expect((await from.post('/v1/memory/text/batch-store', { items: texts })).status).toBe(200)
    expect((await from.post('/v1/memory/batch/store', { patterns: vectors })).status).toBe(200)
    const ndjson = await exported(user, from)
    const lines = ndjson
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const said = lines.filter((line) => 'protected' in line)
    expect(said.map(({ external_id, protected: asked }) => [external_id.replace('v ', ''), asked])).toEqual(
      Array.from({ length: hasVectors ? 2 : 1 }, () => [
        ['unprotected', false],
        ['protected', true],
        ['sensitive, unprotected', false],
        ['sensitive, protected', true],
      ]).flat(),
    )
    const file = join(folder, 'said.ndjson')
    writeFileSync(file, ndjson)
    const to = await server.newClient()
    await importFile({ file, client: commandOf(to), output: quiet, strict: true, restart: true })
    const protections = async (client: Client) =>
      (await client.get('/v1/memory/patterns')).body.patterns
        .filter(({ text }: { text: string | null }) => hasVectors || text !== null)
        .map((each: Record<string, unknown>) => [each.external_id, each.protected, each.asked_protected])
    expect(await protections(to)).toEqual(await protections(from))
    const moved = async (name: string) =>
      (await to.patch(`/v1/memory/patterns/ext:${name}`, health)).body.protected
    expect([await moved('unsaid'), await moved('unprotected')]).toEqual([true, false])
  })
})

it('a file of texts and vectors in turns keeps their order', async () => {
  const user = await newUser(server)
  const { key } = await server.newClient({ organizationId: user.organizationId })
  const client = new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
  const lines = Array.from({ length: 30 }, (_, n) =>
    n % 5 < 2 ? { key: [n + 1, 1], value: [n] } : { text: `Fact ${n}` },
  )
  const file = join(folder, 'turns.ndjson')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await importFile({ file, client, output: { write: () => {} } })
  const stored = kept(await exportLive(user))
  expect(stored.map(({ text, value }) => text ?? value)).toEqual(
    lines.map(({ text, value }) => text ?? value),
  )
})
