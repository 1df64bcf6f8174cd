import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandClient } from '@memory/cli/client'
import { runDemo } from '@memory/cli/demo'
import { exportFile } from '@memory/cli/export'
import { importFile } from '@memory/cli/import'
import { errors } from '@memory/shared/catalogue/errors'
import type { ExportSelection } from 'memory-service-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPatternsUsed } from '../organizations/support.ts'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startServer()
  folder = mkdtempSync(join(tmpdir(), 'memory-cli-real-'))
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function newClient(): Promise<CommandClient> {
  const { key } = await server.newClient()
  return new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
}

const quiet = { write: () => {} }

interface Line {
  text: string
  metadata?: Record<string, unknown>
  occurred_at?: string
}

function readLines(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('import and export against the service', () => {
  it('store each line once where a full memory took one between others, and name those without room', async () => {
    const ada = await server.newClient({ plan: 'free' })
    const client = new CommandClient({ connection: { url: server.url, key: ada.key, keySource: 'the test' } })
    await ada.post('/v1/memory/text/store', { text: 'Ann lives in Porto.', external_id: 'ann' })
    const file = join(folder, 'full.ndjson')
    const ann = { text: 'Ann lives in Lisbon.', external_id: 'ann' }
    const lines = [{ text: 'one' }, { text: 'two' }, ann, { text: 'three' }]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const attempt = () => importFile({ file, client, output: quiet })
    await setPatternsUsed(server, ada, 4_999)
    await expect(attempt()).rejects.toThrow(
      /no room for 2 lines of the last batch: Line 2, Line 4\. .*\nAcknowledged so far: 2 lines, up to line 1, 1 of them behind/,
    )
    await setPatternsUsed(server, ada, 2)
    expect(await attempt()).toMatchObject({ stored: 4, replaced: 1 })
    const { patterns } = (await ada.get('/v1/memory/patterns')).body
    expect(patterns.map(({ text }: Line) => text).toSorted()).toEqual([
      'Ann lives in Lisbon.',
      'one',
      'three',
      'two',
    ])
  })

  it('name the line by which a subject has too much, and can leave it out', async () => {
    const owner = await newUser(server)
    const { key } = await server.newClient({ organizationId: owner.organizationId })
    await owner.patch(`/v1/organizations/${owner.organizationId}`, { subject_limits: { patterns: 2 } })
    const client = new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
    const file = join(folder, 'subjects.ndjson')
    const lines = ['ada', 'ben', 'ada', 'ada', 'ben', 'eve'].map((subject, n) => ({
      text: `${subject}: ${n}`,
      subject,
    }))
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await expect(importFile({ file, client, output: quiet })).rejects.toThrow(
      /^Line 4: the subject "ada" has as many patterns as the organization allows each\./,
    )
    expect(await importFile({ file, client, output: quiet, skipInvalid: true })).toMatchObject({
      ...{ stored: 5, invalid: 1 },
    })
  })

  it('give back what was imported: texts, metadata and times, in order', async () => {
    const lines: Line[] = Array.from({ length: 120 }, (_, i) => ({
      text: `Fact ${i}: the ferry to island ${i} leaves at ${i % 24} o’clock.`,
      metadata: { island: i, even: i % 2 === 0 },
      occurred_at: new Date(Date.UTC(2025, 0, 1, i)).toISOString(),
    }))
    const source = join(folder, 'facts.ndjson')
    writeFileSync(source, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    const client = await newClient()

    expect(await importFile({ file: source, client, output: quiet })).toMatchObject({
      stored: 120,
      invalid: 0,
    })
    const copy = join(folder, 'copy.ndjson')
    expect(await exportFile({ file: copy, client, output: quiet, pageSize: 50 })).toMatchObject({
      exported: 120,
    })
    expect(readLines(copy)).toMatchObject(lines)

    const other = await newClient()
    expect(await importFile({ file: copy, client: other, output: quiet })).toMatchObject({ stored: 120 })
    const again = join(folder, 'again.ndjson')
    await exportFile({ file: again, client: other, output: quiet })
    expect(readLines(again)).toMatchObject(lines)
  })

  it('stores nothing twice when an import that is done is run again', async () => {
    const file = join(folder, 'once.ndjson')
    writeFileSync(file, `${JSON.stringify({ text: 'Only once.' })}\n`)
    const { key } = await server.newClient()
    const client = new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
    expect(await importFile({ file, client, output: quiet })).toMatchObject({ stored: 1, earlier: 0 })
    expect(await importFile({ file, client, output: quiet })).toMatchObject({ stored: 1, earlier: 1 })
    const copy = join(folder, 'once-copy.ndjson')
    expect(await exportFile({ file: copy, client, output: quiet })).toMatchObject({ exported: 1 })
  })
})

describe('own ids of a file that are not its own', () => {
  it('are named with their lines, and left out where that is wanted', async () => {
    const api = await server.newClient()
    const client = new CommandClient({ connection: { url: server.url, key: api.key, keySource: 'the test' } })
    await api.post('/v1/memory/text/store', { text: 'Of Ben.', external_id: 'theirs', subject: 'ben' })
    await api.post('/v1/memory/store', { key: [1, 0], value: [1], external_id: 'vector' })
    const lines = Array.from({ length: 120 }, (_, n) => ({
      text: `Fact ${n} of Ada.`,
      subject: 'ada',
      ...({ 70: { external_id: 'theirs' }, 71: { external_id: 'vector' } }[n] ?? {}),
      ...({ 72: { external_id: 'twice' }, 73: { external_id: 'twice', subject: 'ben' } }[n] ?? {}),
    }))
    const file = join(folder, 'theirs.ndjson')
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await expect(importFile({ file, client, output: quiet })).rejects.toThrow(
      /^Line 71: external_id: "theirs" is the id of another end user\.\nLine 72: .*"vector" is the id of a vector\.\nLine 74: .*"twice".*\n--skip-invalid leaves/,
    )
    const imported = await importFile({ file, client, output: quiet, skipInvalid: true })
    expect(imported).toMatchObject({ stored: 117, invalid: 3 })
    expect((await api.post('/v1/memory/patterns/count', {})).body.count).toBe(119)
  })

  it('are told by the refusal of the service where the key may not look for them', async () => {
    const api = await server.newClient({ scopes: ['memory:write'] })
    const client = new CommandClient({ connection: { url: server.url, key: api.key, keySource: 'the test' } })
    await api.post('/v1/memory/text/store', { text: 'Of Ben.', external_id: 'theirs', subject: 'ben' })
    const file = join(folder, 'unseen.ndjson')
    writeFileSync(file, '{"text":"Of Ada.","external_id":"theirs","subject":"ada"}\n')
    await expect(importFile({ file, client, output: quiet })).rejects.toThrow(
      `The service answered ${errors.external_id_exists.status}: ${errors.external_id_exists.detail}.`,
    )
  })

  it('and other lasting refusals are not said to pass by themselves', async () => {
    const { key } = await server.newClient({ scopes: ['memory:read'] })
    const client = new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
    const file = join(folder, 'refused.ndjson')
    writeFileSync(file, '{"text":"x"}\n')
    await expect(importFile({ file, client, output: quiet })).rejects.toThrow(
      /403.*\nAcknowledged so far: 0 lines\. Once that is mended, the same command goes on from there\.$/,
    )
  })
})

describe('an export and its import', () => {
  /** A client for the commands, and one for everything else, of a space of their own. */
  async function newPair() {
    const api = await server.newClient()
    const connection = { url: server.url, key: api.key, keySource: 'the test' }
    return { api, client: new CommandClient({ connection }) }
  }

  let files = 0
  async function exported(
    client: CommandClient,
    selection?: ExportSelection,
  ): Promise<Record<string, unknown>[]> {
    const file = join(folder, `${files++}.ndjson`)
    await exportFile({ file, client, output: quiet, ...(selection && { selection }) })
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }

  async function imported(client: CommandClient, lines: readonly object[]) {
    const file = join(folder, `${files++}.ndjson`)
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return importFile({ file, client, output: quiet, strict: true })
  }

  /** What an import can restore of a line. */
  const restored = (lines: readonly Record<string, unknown>[]) =>
    lines.map(
      ({ pattern_id: _, created_at: _at, version: _version, versions: _past, superseded_by: _by, ...line }) =>
        line,
    )

  async function newFilled() {
    const pair = await newPair()
    const { api } = pair
    const from = { occurred_at: '2024-02-29T12:00:00.000Z' }
    const store = async (body: object) =>
      expect((await api.post('/v1/memory/text/store', body)).status).toBe(200)
    await store({ text: 'Ada lives in Porto.', external_id: 'home/1', subject: 'ada', ...from })
    await store({
      text: 'Ada lives in Faro.',
      supersedes: 'ext:home/1',
      subject: 'ada',
      valid_from: '2025-01-01',
    })
    await store({ text: 'Ada will live in Beja.', subject: 'ada', valid_from: '2999-01-01T00:00:00Z' })
    await store({
      text: 'The fair is on.',
      expires_at: '2999-01-01T00:00:00Z',
      valid_to: '2998-01-01T00:00:00Z',
    })
    await store({ text: 'The bridge is long.', metadata: { n: 1.5, deep: [{ x: null }] }, external_id: 'b' })
    await api.patch('/v1/memory/patterns/ext:b', { protected: true })
    await store({ text: 'I am allergic to peanuts.', external_id: 'unprotected', protected: false })
    await store({ text: 'I am allergic to bees.', metadata: { category: 'health' } })
    return pair
  }

  it('have what a pattern was before, as its history says it', async () => {
    const { api, client } = await newPair()
    await api.post('/v1/memory/text/store', { text: 'Ada lives in Porto.', external_id: 'home' })
    await api.post('/v1/memory/text/store', { text: 'The bridge is long.' })
    for (let number = 1; number <= 7; number++)
      await api.patch('/v1/memory/patterns/ext:home', { text: `Ada lives in street ${number}.` })
    const [changed, asItWas] = await exported(client)
    const { versions } = (await api.get('/v1/memory/patterns/ext:home/history?limit=50')).body
    expect(changed).toMatchObject({ text: 'Ada lives in street 7.', version: 8 })
    expect(changed?.versions).toEqual(versions.slice(1))
    expect(versions.at(-1)).toMatchObject({ version: 1, text: 'Ada lives in Porto.' })
    expect(asItWas).not.toHaveProperty('versions')
  })

  it('give the same lines in another space, but for what is the service’s to give', async () => {
    const { client } = await newFilled()
    const lines = await exported(client)
    expect(lines).toHaveLength(7)
    expect(lines[0]).toMatchObject({
      external_id: 'home/1',
      subject: 'ada',
      valid_to: '2025-01-01T00:00:00.000Z',
      superseded_by: lines[1]?.pattern_id,
    })
    expect(lines[2]).toMatchObject({ valid_from: '2999-01-01T00:00:00.000Z' })
    expect(lines.slice(4)).toMatchObject([
      { protected: true, external_id: 'b', version: 2 },
      { protected: false },
      { asked_protected: null },
    ])
    expect(lines.filter((line) => 'protected' in line)).toHaveLength(2)
    const other = await newPair()
    expect(await imported(other.client, lines)).toMatchObject({ stored: 7, invalid: 0, expired: 0 })
    expect(restored(await exported(other.client))).toEqual(restored(lines))
    const texts = async (api: typeof other.api) =>
      (await api.get('/v1/memory/patterns')).body.patterns.map(({ text }: { text: string }) => text)
    expect(await texts(other.api)).not.toContain('Ada lives in Porto.')
  })

  it('have what had ended when it was stored, and nobody said since when it was so', async () => {
    const { api, client } = await newPair()
    const store = async (body: object) =>
      expect((await api.post('/v1/memory/text/store', body)).status).toBe(200)
    await store({ text: 'Ada works at Acme.', external_id: 'job-1' })
    const next = { external_id: 'job-2', supersedes: 'ext:job-1', valid_from: '2024-11-01' }
    await store({ text: 'Ada works at Globex.', ...next })
    const other = await newPair()
    expect(await imported(other.client, await exported(client))).toMatchObject({ stored: 2, expired: 0 })
    const end = '2024-11-01T00:00:00.000Z'
    expect((await other.api.get('/v1/memory/patterns/ext:job-1')).body).toMatchObject({
      text: 'Ada works at Acme.',
      valid_from: end,
      valid_to: end,
    })
    expect((await other.api.get('/v1/memory/patterns')).body.patterns).toMatchObject([
      { external_id: 'job-2' },
    ])
    // What is said to have begun ends with its begin, and holds at no time.
    await store({ text: 'Ada works at Hooli.', external_id: 'job-0', occurred_at: '2024-12-01' })
    const earlier = { supersedes: 'ext:job-0', occurred_at: '2024-10-01' }
    await store({ text: 'Ada works at Initech.', ...earlier })
    const third = await newPair()
    expect(await imported(third.client, await exported(client))).toMatchObject({ stored: 3, expired: 1 })
  })

  it('imported twice, doubles nothing that has an id of its own', async () => {
    const { client } = await newFilled()
    const lines = (await exported(client)).map((line, n) => ({ ...line, external_id: `${n}` }))
    const other = await newPair()
    await imported(other.client, lines)
    const once = await exported(other.client)
    await imported(other.client, lines)
    const twice = await exported(other.client)
    expect(restored(twice)).toEqual(restored(once))
    expect(twice.map(({ pattern_id }) => pattern_id)).toEqual(once.map(({ pattern_id }) => pattern_id))
  })

  it('say into the space that they are of which lines are stored a second time', async () => {
    const { client } = await newFilled()
    const own = join(folder, `${files++}.ndjson`)
    await exportFile({ file: own, client, output: quiet })
    const said = async (into: CommandClient) => {
      const lines: string[] = []
      const output = { write: (line: string) => lines.push(line) }
      await importFile({ file: own, client: into, output, restart: true })
      return lines.filter((line) => line.startsWith('The file was exported from this space'))
    }
    expect(await said((await newPair()).client)).toEqual([])
    const sentence =
      'The file was exported from this space: of its first 4 lines without an external_id 4 are in it, and are stored a second time.'
    expect(await said(client)).toEqual([sentence, sentence])
  })

  it('of what is chosen have that alone', async () => {
    const { client } = await newFilled()
    const textsOf = async (selection: ExportSelection) =>
      (await exported(client, selection)).map(({ text }) => text)
    const adas = ['Ada lives in Porto.', 'Ada lives in Faro.', 'Ada will live in Beja.']
    expect(await textsOf({ subject: 'ada' })).toEqual(adas)
    expect(await textsOf({ filter: { n: { $gt: 1 } } })).toEqual(['The bridge is long.'])
    expect(await textsOf({ filter: { n: 1.5 }, subject: 'ada' })).toEqual([])
    await expect(textsOf({ filter: { $nonsense: 1 } })).rejects.toThrow('unknown name')
  })

  it('store what had ended before it was stored, and name lines that are said to be valid at no time', async () => {
    const { api, client } = await newPair()
    await api.post('/v1/memory/text/store', { text: 'Ada has a dog.', external_id: 'pet' })
    const replacement = { text: 'Ada has a cat.', supersedes: 'ext:pet', occurred_at: '2020-01-01' }
    await api.post('/v1/memory/text/store', replacement)
    await api.post('/v1/memory/text/store', { text: 'The menu was short.', valid_to: '2020-01-01' })
    const lines = await exported(client)
    const other = await newPair()
    expect(await imported(other.client, lines)).toMatchObject({ stored: 3, expired: 0 })
    const wrong = [{ text: 'x', valid_from: '2020-01-02', valid_to: '2020-01-01' }]
    await expect(imported(other.client, wrong)).rejects.toThrow("1 line can't be imported")
  })

  it('store a line whose link leads nowhere, without the link', async () => {
    const { client } = await newPair()
    const file = join(folder, `${files++}.ndjson`)
    writeFileSync(file, '{"text": "Ada moved.", "supersedes": "ext:nowhere"}\n')
    expect(await importFile({ file, client, output: quiet })).toMatchObject({ stored: 1, invalid: 0 })
  })

  it('of a key that is bound to an end user have what is theirs', async () => {
    const { api } = await newFilled()
    const bound = await server.newClient({
      organizationId: api.organizationId,
      subject: { name: 'ada', isShared: false },
    })
    const connection = { url: server.url, key: bound.key, keySource: 'the test' }
    const lines = await exported(new CommandClient({ connection }))
    expect(lines.map(({ subject }) => subject)).toEqual(['ada', 'ada', 'ada'])
  })
})

describe('the demo', () => {
  it('finds most answers first across languages, and leaves nothing behind', async () => {
    const client = await newClient()
    const result = await runDemo({ client, output: quiet })
    expect(result.foundFirst).toBeGreaterThanOrEqual(8)
    expect(result.forgotten).toBe(result.stored)
    const copy = join(folder, 'after-demo.ndjson')
    expect(await exportFile({ file: copy, client, output: quiet })).toMatchObject({ exported: 0 })
  })
})
