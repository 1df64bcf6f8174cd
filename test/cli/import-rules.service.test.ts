import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandClient } from '@memory/cli/client'
import { importFile } from '@memory/cli/import'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

// What the import takes and refuses is what the API takes and refuses, and what it stores is what the API stores: each
// item goes both ways, as the text that it is, into two spaces of one server.

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startServer()
  folder = mkdtempSync(join(tmpdir(), 'memory-rules-'))
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const quiet = { write: () => {} }
const importerOf = ({ key }: Client) =>
  new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
const isVector = (item: string) => item.includes('"key"')
let files = 0

function write(lines: readonly string[]): string {
  const file = join(folder, `${files++}.ndjson`)
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  return file
}

/** Stores an item by the API. @returns whether it was taken */
async function send(client: Client, item: string): Promise<boolean> {
  const [path, body] = isVector(item)
    ? ['/v1/memory/batch/store', `{"patterns":[${item}]}`]
    : ['/v1/memory/text/batch-store', `{"items":[${item}]}`]
  const { status } = await client.request('POST', path as string, body)
  expect(status, item).toBeOneOf([200, 422])
  return status === 200
}

/** Everything of a space that its caller gave, in the order of storing. */
async function stored(client: Client, from = 0) {
  const patterns = []
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`/v1/memory/patterns?limit=200${cursor}`)
    patterns.push(...body.patterns)
    if (body.next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  return await Promise.all(
    patterns.slice(from).map(async ({ pattern_idx, text, metadata, occurred_at, created_at, expires_at }) => {
      const { body } =
        text === null ? await client.get(`/v1/memory/pattern/${pattern_idx}`) : { body: undefined }
      return {
        ...{ text, metadata, expires_at, vectors: body },
        occurred_at: occurred_at === created_at ? 'when stored' : occurred_at,
      }
    }),
  )
}

/** Sends items both ways. */
async function bothWays(items: readonly string[]): Promise<void> {
  const [byApi, byFile] = [await server.newClient(), await server.newClient()]
  const taken: string[] = []
  for (const item of items) {
    if (await send(byApi, item)) taken.push(item)
    else {
      const file = write(['{"text":"before"}', item, '{"text":"after"}'])
      const imported = importFile({ file, client: importerOf(byFile), output: quiet })
      await expect(imported, item).rejects.toThrow("1 line can't be imported, so nothing was stored")
    }
  }
  expect(await stored(byFile)).toEqual([])
  if (taken.length > 0) {
    await importFile({ file: write(taken), client: importerOf(byFile), output: quiet })
  }
  expect(await stored(byFile)).toEqual(await stored(byApi))
}

const withTime = (time: string) => `{"text":"a","occurred_at":${time}}`
const withMetadata = (value: string) => `{"text":"a","metadata":{"a":${value}}}`
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

describe('the import follows the API', () => {
  it('in times', () =>
    bothWays(
      [
        ...[
          '2025-05-03',
          '2025-05-03T09:00',
          '2025-05-03 09:00:00',
          '2025-05-03t09:00:00z',
          '2024-02-29',
          '2025-02-29',
        ],
        ...[
          '2026-02-30T09:00:00Z',
          '2025-05-03T24:00:00Z',
          '2025-05-03T23:60:00Z',
          '2025-05-03T23:59:60Z',
          '2025-13-01',
        ],
        ...[
          '0000-01-01',
          '0000-01-01T00:00:00Z',
          '0001-01-01',
          '9999-12-31',
          '10000-01-01',
          '-0001-01-01',
          '2025-00-10',
        ],
        ...[
          '2025-05-03T09:00:00,5Z',
          '2025-05-03T09:00:00.123456789Z',
          '2025-05-03T09:00:00.Z',
          '2025-05-03T09:00:00+02',
        ],
        ...[
          '2025-05-03T09:00:00+0230',
          '2025-05-03T09:00:00-02:30',
          '2025-05-03T09:00:00+25:00',
          '2025-05-03T09:00:00 Z',
        ],
        ...[
          '20250503T090000Z',
          '2025-W18-6',
          '2025-123',
          'yesterday',
          '',
          ' 2025-05-03 ',
          '1746262800',
          '2025-05-03T09',
        ],
      ]
        .map((time) => withTime(JSON.stringify(time)))
        .concat(['1746262800', 'true', '[]', 'null', '1e3'].map(withTime)),
    ))

  it('in texts', () =>
    bothWays(
      [
        ...[
          'a',
          ' a ',
          '',
          ' ',
          '\u00a0',
          '\u3000',
          '\u200b',
          '\u3164',
          '\ufeff',
          '\u0085',
          '\u2060',
          '\u00ad',
          '\ufeffa',
        ],
        ...[
          'a\0',
          '\0',
          '\u0001',
          '\u{10ffff}',
          '👩‍👩‍👧',
          'é',
          'e\u0301',
          'x'.repeat(10_000),
          'x'.repeat(10_001),
        ],
        ...['🍵'.repeat(10_000), '🍵'.repeat(10_001)],
      ]
        .map((text) => `{"text":${JSON.stringify(text)}}`)
        .concat(
          ['"\\ud800"', '"\\udc00\\ud800"', '"\\ud83c\\udf75"', '"\\u0000"', '7', 'true', '["a"]', '{}'].map(
            (text) => `{"text":${text}}`,
          ),
        ),
    ))

  it('in metadata', () =>
    bothWays([
      ...[
        '1180000000000000123',
        '9007199254740991',
        '9007199254740992',
        '-9007199254740993',
        '1e999',
        '-1e400',
      ].map(withMetadata),
      ...[
        '1e300',
        '1E2',
        '1.0',
        '-0',
        '-0.0',
        '0.1',
        '1e-400',
        '12345678901234567890.5',
        '123456789.123456789123456789',
      ].map(withMetadata),
      ...['"x\\u0000y"', '"\\ud800"', '"\\ud83d\\ude00"', 'null', 'true', '[]', '{}', '[[[]]]', '""'].map(
        withMetadata,
      ),
      ...[
        'null',
        '[]',
        '"x"',
        '7',
        '{}',
        '{"":1}',
        '{"\\u0000":1}',
        '{"\\udfff":1}',
        '{"__proto__":{"a":1}}',
        '{"a":1,"a":2}',
      ].map((metadata) => `{"text":"a","metadata":${metadata}}`),
      ...[8, 9].map((depth) => `{"text":"a","metadata":${nested(depth)}}`),
      ...[16_384, 16_385].map((bytes) => withMetadata(`"${'x'.repeat(bytes - 8)}"`)),
      ...[8_188, 8_189].map((letters) => withMetadata(`"${'é'.repeat(letters)}"`)),
      // Blanks are not counted, escapes are as they are written compactly.
      withMetadata(`[${' '.repeat(20_000)}]`),
      withMetadata(`"${'\\u00e9'.repeat(8_000)}"`),
    ]))

  it('in vectors', () =>
    bothWays([
      ...[
        '[1,2]',
        '[0.1,-2e-5,3]',
        '[0,0]',
        '[]',
        '[1e39]',
        '[1e999]',
        '["1"]',
        '[null]',
        '"x"',
        '{}',
        '[1e-46,1]',
      ].map((key) => `{"key":${key},"value":[1]}`),
      ...['[]', '[0]', '[1e38]', '[-1e39]', '"x"'].map((value) => `{"key":[1],"value":${value}}`),
      ...['1', '2', '3', '8192', '8193', '0', '1.5', '"3"', 'null', '2.0'].map(
        (dim) => `{"key":[1,2],"value":[1],"source_dim":${dim}}`,
      ),
      '{"key":[1],"value":[1],"metadata":{"a":1e999}}',
      '{"key":[1],"value":[1],"occurred_at":"2025-02-30"}',
      '{"key":[1]}',
      `{"key":[${'1,'.repeat(8_191)}1],"value":[1]}`,
      `{"key":[${'1,'.repeat(8_192)}1],"value":[1]}`,
    ]))

  it('in whatever numbers and times there are', async () => {
    const digits = (min: number, max: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max })
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.oneof(
          fc.constant('0'),
          digits(1, 22).map((each) => `7${each}`),
        ),
        digits(0, 20),
        fc.option(fc.integer({ min: -330, max: 330 })),
      )
      .map(
        ([sign, whole, fraction, exponent]) =>
          `${sign}${whole}${fraction && `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
      )
    const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
    const time = fc
      .tuple(
        fc.constantFrom('2024', '2025', '0000', '0001', '1970', '9999'),
        fc.tuple(two(13), two(32)),
        fc.constantFrom('T', 't', ' ', '_'),
        fc.tuple(two(24), two(60), two(61)),
        fc.constantFrom('', '.5', ',5', '.123456', '.1234567', '.'),
        fc.constantFrom('', 'Z', 'z', '+00:00', '-0330', '+14', '+24:00'),
      )
      .map(
        ([year, day, mark, clock, fraction, offset]) =>
          `${year}-${day.join('-')}${mark}${clock.join(':')}${fraction}${offset}`,
      )
    const items = [
      ...fc.sample(number, 60).map(withMetadata),
      ...fc.sample(time, 60).map((each) => withTime(JSON.stringify(each))),
      ...fc.sample(number, 30).map((each) => `{"key":[1,${each}],"value":[${each}]}`),
    ]
    await bothWays(items)
  })
})
